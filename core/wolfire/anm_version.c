/* Converts animations between versions of the format. Reference: formats/wolfire.md#2.2 and #6. */
#include "wolfire/anm.h"

#include <stdio.h>

/* A field that is dropped, with the first place where it held data. Listed once per field. */
typedef struct loss {
    const rec_field *row;
    uint64_t times;
    const char *from; /* the record that it is dropped from */
    char path[256];
} loss;

typedef struct losses {
    loss list[16]; /* larger than the number of fields with a version */
    size_t n;
} losses;

/* True if the field holds anything that the game uses. */
static bool holds_something(const rec_at *at, uint32_t slot)
{
    const rec_slot *s = &at->layout->slots[slot];
    rec_loc loc;
    if (s->counts != REC_NO_SLOT || rec_find(at, slot, &loc, NULL) != LATHE_OK || !loc.present)
        return false;
    if (s->array)
        return loc.count > 0;
    if (s->row->kind == REC_RECORD)
        return true;
    bool plain = false;
    return strcmp(s->name, "use_mobility") != 0 && /* its matrix decides */
           (rec_is_default(at, slot, &plain, NULL) != LATHE_OK || !plain);
}

static void note_dropped(void *user, const rec_at *at, uint32_t slot)
{
    losses *all = user;
    const rec_field *row = at->layout->slots[slot].row;
    size_t i = 0;
    if (!holds_something(at, slot))
        return;
    while (i < all->n && all->list[i].row != row)
        i++;
    if (i == sizeof all->list / sizeof all->list[0])
        return;
    loss *l = &all->list[i];
    if (i == all->n) {
        all->n++;
        *l = (loss){.row = row, .from = "frame"};
        if (at->layout->type == &anm_weapon)
            l->from = "weapon";
        rec_path(at, slot, REC_NO_ITEM, l->path, sizeof l->path);
    }
    l->times++;
}

static void tell_dropped(const losses *all, lathe_report *report)
{
    for (size_t i = 0; report && report->skipped && i < all->n; i++) {
        const loss *l = &all->list[i];
        char reason[128];
        if (strcmp(rec_row_name(l->row), "looping") == 0)
            snprintf(reason, sizeof reason, "looping dropped: version 0 always loops");
        else
            snprintf(reason, sizeof reason, "%s dropped from %llu %s%s", rec_row_name(l->row),
                     (unsigned long long)l->times, l->from, l->times == 1 ? "" : "s");
        report->skipped(report->user, l->path, reason);
    }
}

/* Drops the start: in versions without one, times count from 0. */
static lathe_result drop_start(lathe_doc *doc, const anm_facts *facts, lathe_report *report,
                               lathe_error *err)
{
    lathe_result r = LATHE_OK;
    for (uint64_t i = 0; r == LATHE_OK && i < facts->frames; i++) {
        rec_at frame;
        lathe_value v = {.kind = LATHE_KIND_INT};
        r = anm_frame_at(doc, i, &frame, err);
        if (r != LATHE_OK)
            return r;
        v.as.i = rec_int(&frame, "time") - facts->start;
        r = rec_set_name(&frame, "time", &v, err);
    }
    if (r == LATHE_OK)
        r = anm_set_end(doc, facts->end - facts->start, err);
    if (r == LATHE_OK)
        r = anm_set_start(doc, 0, err);
    if (r == LATHE_OK && report && report->skipped) {
        char reason[64];
        snprintf(reason, sizeof reason, "start dropped: %lld ms taken off all times",
                 (long long)facts->start);
        report->skipped(report->user, "start", reason);
    }
    return r;
}

static lathe_result version_arg(const lathe_source *args, int64_t *version, lathe_error *err)
{
    rec_arg_integer(args, "version", version);
    return *version >= 0 && *version <= ANM_NEWEST
               ? LATHE_OK
               : error_set(err, LATHE_ERR_RANGE, LATHE_NO_OFFSET,
                           "version %lld, only 0 to %d are known", (long long)*version, ANM_NEWEST);
}

lathe_result anm_set_version(lathe_doc *doc, int64_t version, lathe_report *report,
                             lathe_error *err)
{
    anm_facts facts = anm_facts_of(doc);
    losses all = {.n = 0};
    lathe_result r = LATHE_OK;
    if (version == facts.version)
        return LATHE_OK;
    if (facts.centered && version < ANM_CENTERED)
        r = anm_uncentre(doc, report, err); /* which reports what the poses cannot store */
    if (r == LATHE_OK && facts.start != 0 && (version == 0 || version == ANM_NEWEST))
        r = drop_start(doc, &facts, report, err);
    if (r == LATHE_OK)
        r = rec_convert(doc, 0, version, note_dropped, &all, err);
    if (r != LATHE_OK)
        return r;
    tell_dropped(&all, report);
    rec_at root = rec_root(doc, 0);
    return rec_put_raw(&root, 0, 0, (uint64_t)version, err);
}

lathe_result anm_version_verb(lathe_view self, const lathe_source *args, lathe_report *report,
                              lathe_error *err)
{
    anm_facts facts = anm_facts_of(self.doc);
    int64_t version = facts.version;
    lathe_result r = version_arg(args, &version, err);
    if (r == LATHE_OK)
        r = anm_set_version(self.doc, version, report, err);
    if (r == LATHE_OK && report)
        report->changed = version == facts.version ? 0 : facts.frames;
    return r;
}
