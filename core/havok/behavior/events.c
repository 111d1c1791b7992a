/* Verbs that add and remove events. */
#include "havok/behavior/uses.h"
#include "havok/behavior/verbs.h"

static const rec_param name = {.name = "name",
                               .doc = "Name of the event.",
                               .kind = LATHE_PARAM_TEXT,
                               .positional = true,
                               .needed = true};
static const rec_param flags = {.name = "flags",
                                .doc = "FLAG_SILENT, FLAG_SYNC_POINT, as hkbEventInfo has them. "
                                       "Default: none.",
                                .kind = LATHE_PARAM_ANY};
static const rec_param gone = {.name = "name",
                               .doc = "Name or id of the event.",
                               .kind = LATHE_PARAM_ANY,
                               .positional = true,
                               .needed = true};
const rec_param *const hk_add_event_params[] = {&name, &flags, NULL};
const rec_param *const hk_remove_event_params[] = {&gone, NULL};

/* Names and infos belong to each other by their numbers. */
static lathe_result check_counts(const rec_at *data, const hk_graph *g, lathe_error *err)
{
    uint64_t n;
    lathe_result r = hk_read_length(data, "event_infos", &n, err);
    if (r != LATHE_OK || n == g->events)
        return r;
    return rec_fail(data, rec_slot_find(data->layout, "event_infos"), 0, err, LATHE_ERR_INVALID,
                    "%llu infos for %llu names of events", (unsigned long long)n,
                    (unsigned long long)g->events);
}

lathe_result hk_add_event(lathe_view self, const lathe_source *args, lathe_report *report,
                          lathe_error *err)
{
    const hk_graph *g;
    lathe_value v = {.kind = LATHE_KIND_NONE};
    rec_at info;
    lathe_doc *doc = self.doc;
    lathe_result r = hk_graph_needed(doc, doc->parts[self.part].container, &g, err);
    if (r != LATHE_OK || !rec_arg(args, "name", &v))
        return r;
    rec_at data = hk_object(doc, g->data), strings = hk_object(doc, g->strings);
    uint64_t id = g->events;
    r = check_counts(&data, g, err);
    if (r == LATHE_OK)
        r = hk_name_new(doc, g, HK_EVENTS, REC_NO_PART, &v, err);
    if (r == LATHE_OK)
        r = hkb_append(&strings, "event_names", NULL, err);
    if (r == LATHE_OK)
        r = rec_set_item(&strings, rec_slot_find(strings.layout, "event_names"), id, &v, err);
    if (r == LATHE_OK)
        r = hkb_append(&data, "event_infos", &info, err);
    if (r == LATHE_OK)
        r = hkb_take_option(&info, "flags", args, "flags", err);
    if (r != LATHE_OK || !report)
        return r;
    report->changed++;
    hk_report_integer(report, "id", (int64_t)id);
    return r;
}

lathe_result hk_remove_event(lathe_view self, const lathe_source *args, lathe_report *report,
                             lathe_error *err)
{
    const hk_graph *g;
    uint64_t i;
    lathe_doc *doc = self.doc;
    uint32_t c = doc->parts[self.part].container;
    lathe_result r = hk_graph_needed(doc, c, &g, err);
    if (r != LATHE_OK)
        return r;
    rec_at data = hk_object(doc, g->data), strings = hk_object(doc, g->strings);
    r = check_counts(&data, g, err);
    if (r == LATHE_OK)
        r = hk_number_option(doc, g, HK_EVENTS, args, "name", &i, err);
    if (r == LATHE_OK)
        r = hk_uses_none(doc, g, HK_EVENTS, i, err);
    if (r == LATHE_OK)
        r = hk_ids_close_up(doc, c, HK_EVENTS, i, err);
    if (r == LATHE_OK)
        r = rec_remove(&strings, rec_slot_find(strings.layout, "event_names"), i, 1, err);
    if (r == LATHE_OK)
        r = rec_remove(&data, rec_slot_find(data.layout, "event_infos"), i, 1, err);
    if (r == LATHE_OK && report)
        report->changed++;
    return r;
}
