/* Nodes: what they hold, and what they play. */
#include "havok/behavior/check.h"
#include "havok/behavior/holds.h"

#define WARN LATHE_LEVEL_WARNING

/* ---- nulls ------------------------------------------------------------------------------------------------ */

static lathe_result check_null(void *user, const hk_down *d, lathe_error *err)
{
    hk_graph_look *k = user;
    const rec_slot *slot = &d->at.layout->slots[d->slot];
    (void)err;
    if (d->part == REC_NO_PART)
        rec_finding(k->report, k->error, &d->at, d->slot, slot->array ? d->item : REC_NO_ITEM,
                    "no %s", rec_type_name(rec_row_type(slot->row)));
    return LATHE_OK;
}

/* ---- single classes ------------------------------------------------------------------------------------------- */

static lathe_result check_text(hk_graph_look *k, const rec_at *at, const char *row,
                               const char *what, lathe_error *err)
{
    const char *text;
    uint64_t n;
    lathe_result r = hk_read_text(at, row, &text, &n, err);
    if (r == LATHE_OK && !n)
        HK_FINDING(k->report, k->error, at, row, REC_NO_ITEM, "%s", what);
    return r;
}

static void check_triggers(hk_graph_look *k, const rec_at *at)
{
    rec_at trigger;
    for (uint64_t i = 0; hk_record_at(at, "triggers", i, &trigger) && !k->report->stopped; i++) {
        double time = hk_number(&trigger, "local_time");
        bool from_end = rec_int(&trigger, "relative_to_end_of_clip") != 0;
        if (time < 0 && !from_end)
            HK_FINDING(k->report, WARN, &trigger, "local_time", REC_NO_ITEM,
                       "%.6g s, before the clip begins", time);
        else if (time > 0 && from_end)
            HK_FINDING(k->report, WARN, &trigger, "local_time", REC_NO_ITEM,
                       "%.6g s, after the clip ends", time);
    }
}

/* A list of generators, and the number of one of them. */
static lathe_result check_number(hk_graph_look *k, const rec_at *at, const char *list,
                                 const char *row, const char *member, int64_t least,
                                 lathe_error *err)
{
    uint64_t n;
    bool bound = false;
    int64_t i = rec_int(at, row);
    lathe_result r = hk_read_length(at, list, &n, err);
    if (r != LATHE_OK || !n || (i >= least && i < (int64_t)n))
        return r;
    r = hk_is_bound(at, member, &bound, err);
    if (r == LATHE_OK)
        HK_FINDING(k->report, bound ? WARN : k->error, at, row, REC_NO_ITEM,
                   "%lld is no element of %s, which has %llu, from 0", (long long)i, list,
                   (unsigned long long)n);
    return r;
}

static lathe_result check_list(hk_graph_look *k, const rec_at *at, const char *row,
                               lathe_error *err)
{
    uint64_t n;
    lathe_result r = hk_read_length(at, row, &n, err);
    if (r == LATHE_OK && !n)
        HK_FINDING(k->report, WARN, at, row, REC_NO_ITEM, "a %s without generators",
                   rec_type_name(at->layout->type));
    return r;
}

static lathe_result check_node(hk_graph_look *k, const rec_at *at, lathe_error *err)
{
    const rec_type *type = at->layout->type;
    lathe_result r = LATHE_OK;
    if (type == &hkb_clip_generator)
        return check_text(k, at, "animation_name", "a clip without animation", err);
    if (type == &hkb_behavior_reference_generator)
        return check_text(k, at, "behavior_name", "a reference to no behavior file", err);
    if (rec_is_a(type, &hkb_blender_generator)) {
        r = check_list(k, at, "children", err);
        return r == LATHE_OK ? check_number(k, at, "children", "index_of_sync_master_child",
                                            "indexOfSyncMasterChild", -1, err)
                             : r;
    }
    if (type == &hkb_manual_selector_generator) {
        r = check_list(k, at, "generators", err);
        return r == LATHE_OK ? check_number(k, at, "generators", "selected_generator_index",
                                            "selectedGeneratorIndex", 0, err)
                             : r;
    }
    return r;
}

/* ---- names ------------------------------------------------------------------------------------------------------ */

typedef struct node_names {
    hk_graph_look *k;
    const uint32_t *objects;
} node_names;

static void named_again(void *user, const hk_named *name)
{
    const node_names *n = user;
    rec_at at = hk_object(n->k->doc, n->objects[name->i]);
    rec_at first = hk_object(n->k->doc, n->objects[name->first]);
    char path[96];
    rec_path(&first, REC_NO_SLOT, REC_NO_ITEM, path, sizeof path);
    HK_FINDING(n->k->report, WARN, &at, "name", REC_NO_ITEM, "%s has the name '%.90s', too", path,
               name->text);
}

/* ---- all --------------------------------------------------------------------------------------------------------- */

static lathe_result check_object(hk_graph_look *k, uint32_t part, uint64_t i, buf *names,
                                 lathe_error *err)
{
    hk_named name = {.i = i};
    uint64_t size;
    rec_at at = hk_object(k->doc, part);
    lathe_result r = LATHE_OK;
    if (hk_holds_generators(at.layout->type))
        r = hk_down_each(&at, check_null, k, err);
    if (r == LATHE_OK && at.layout->type == &hkb_clip_trigger_array)
        check_triggers(k, &at);
    if (r != LATHE_OK || !rec_is_a(at.layout->type, &hkb_node))
        return r;
    r = check_node(k, &at, err);
    if (r == LATHE_OK)
        r = hk_read_text(&at, "name", &name.text, &size, err);
    return r != LATHE_OK || buf_put(names, &name, sizeof name) ? r : rec_no_memory(err);
}

lathe_result hk_check_nodes(hk_graph_look *k, lathe_error *err)
{
    uint64_t n;
    bool opens;
    buf names;
    lathe_result r = LATHE_OK;
    node_names all = {k, hk_object_list(k->doc, k->c, &n)};
    buf_init(&names, &k->doc->mem);
    for (uint64_t i = 0; r == LATHE_OK && i < n && !k->report->stopped; i++) {
        r = hk_object_look(k->doc, all.objects[i], &opens, err);
        if (r == LATHE_OK && opens)
            r = check_object(k, all.objects[i], i, &names, err);
    }
    if (r == LATHE_OK)
        hk_names_again(&names, named_again, &all);
    buf_free(&names);
    return r;
}
