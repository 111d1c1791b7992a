/* The format linked: stored positions in front of and behind everything that can grow, come or go. */
#include "made_up.h"

enum { GOAL = 4, WIDTH = 4 };

/* ---- stored positions ------------------------------------------------------------------------------ */

static rec_at root_of(lathe_doc *doc, uint32_t part)
{
    return (rec_at){
        .doc = doc, .layout = rec_part_of(doc, part)->root, .part = part, .slot = REC_NO_SLOT};
}

static uint64_t stored(const rec_at *at, uint64_t site)
{
    return bytes_ld(rec_part_of(at->doc, at->part)->data + site, WIDTH, false);
}

static lathe_result locate(const rec_at *at, const rec_field *row, uint64_t site, uint64_t count,
                           uint32_t *part, uint64_t *off, lathe_error *err)
{
    (void)count;
    (void)part;
    *off = stored(at, site);
    return *off ? LATHE_OK
                : rec_fail(at, rec_slot_find(at->layout, rec_row_name(row)), site, err,
                           LATHE_ERR_INVALID, "its count is not 0, but its pointer is null");
}

/* New data go to the part's end, aligned. */
static lathe_result place(const rec_at *at, const rec_field *row, uint64_t site, uint64_t *off,
                          lathe_error *err)
{
    uint64_t end = rec_part_of(at->doc, at->part)->size, align = rec_row_body(row)->align;
    uint64_t gap = (align - end % align) % align;
    uint8_t bytes[WIDTH];
    *off = end + gap;
    bytes_st(bytes, *off, WIDTH, false);
    lathe_result r = rec_splice(at->doc, at->part, end, 0, NULL, gap, err);
    return r == LATHE_OK ? rec_splice(at->doc, at->part, site, WIDTH, bytes, WIDTH, err) : r;
}

const rec_body made_up_wide_body = {.align = 8, .width = WIDTH, .locate = locate, .place = place};
const rec_body made_up_byte_body = {.align = 1, .width = WIDTH, .locate = locate, .place = place};
static lathe_result resolve(const rec_at *at, const rec_field *row, uint64_t raw, lathe_view *out,
                            lathe_error *err)
{
    rec_at top = root_of(at->doc, at->part);
    rec_loc loc;
    lathe_result r = rec_find(&top, rec_slot_find(top.layout, "goals"), &loc, err);
    if (r == LATHE_OK &&
        (raw < loc.data || (raw - loc.data) % GOAL || (raw - loc.data) / GOAL >= loc.count))
        r = rec_fail(at, rec_slot_find(at->layout, rec_row_name(row)), at->off, err,
                     LATHE_ERR_INVALID, "points to no goal");
    rec_at found = {.doc = at->doc, .part = at->part, .off = raw};
    found.layout = rec_layout_of(at->doc, at->layout->container, &made_up_goal);
    if (r == LATHE_OK && !found.layout)
        r = rec_no_memory(err);
    if (r == LATHE_OK)
        *out = rec_view(&found);
    return r;
}

static lathe_result store(const rec_at *at, const rec_field *row, lathe_view target, uint64_t *raw,
                          lathe_error *err)
{
    const rec_layout *layout = target.type;
    if (layout->type != &made_up_goal || target.flags & REC_VIEW_ARRAY)
        return rec_fail(at, rec_slot_find(at->layout, rec_row_name(row)), at->off, err,
                        LATHE_ERR_TYPE, "a goal expected");
    *raw = target.off;
    return LATHE_OK;
}

const rec_ref made_up_goal_ref = {.resolve = resolve, .store = store};

uint64_t made_up_count_squares(const rec_at *at)
{
    uint64_t side = (uint64_t)rec_int(at, "side");
    return side * side;
}

/* ---- types --------------------------------------------------------------------------------------- */

/* ---- the enumerator ---------------------------------------------------------------------------------- */

typedef lathe_result emitter(void *user, const rec_refs *run, lathe_error *err);

static lathe_result emit_row(const rec_at *at, const rec_field *row, const rec_loc *loc,
                             emitter *emit, void *user, lathe_error *err)
{
    rec_refs run = {.site_part = at->part,
                    .target_part = at->part,
                    .site = loc->off,
                    .count = 1,
                    .width = WIDTH,
                    .has_null = !row->body || !loc->count};
    if (row->ref && row->by) {
        run.stride = WIDTH;
        run.count = loc->count;
    } else if (rec_row_type(row) == &made_up_spot) {
        run.site += 2;
        run.stride = 6;
        run.count = loc->count;
    } else if (!row->ref && !row->body) {
        return LATHE_OK;
    }
    return emit(user, &run, err);
}

/* Refuses where the record does not read, so that nobody asks in the middle of a change. */
static lathe_result refs_linked(lathe_doc *doc, uint32_t c, uint32_t part, emitter *emit,
                                void *user, lathe_error *err)
{
    rec_at at = root_of(doc, part);
    lathe_result r = LATHE_OK;
    (void)c;
    for (uint32_t slot = 0; r == LATHE_OK && slot < at.layout->count; slot++) {
        rec_loc loc;
        r = rec_find(&at, slot, &loc, err);
        if (r == LATHE_OK && loc.present)
            r = emit_row(&at, at.layout->slots[slot].row, &loc, emit, user, err);
    }
    return r;
}

/* ---- the format ------------------------------------------------------------------------------------ */

/* What lies behind the record are the bodies. */
static lathe_result open_linked(lathe_doc *doc, uint32_t c, lathe_error *err)
{
    rec_at at = rec_root(doc, c);
    uint64_t size;
    return rec_measure(&at, &size, err);
}

static int sniff(const uint8_t *bytes, size_t n)
{
    return n >= 4 && memcmp(bytes, "LINK", 4) == 0 ? REC_SNIFF_SURE : REC_SNIFF_NO;
}

static const char *const extensions[] = {"linked", NULL};
static const char *const games[] = {NULL};

const lathe_format made_up_linked = {
    .name = "linked",
    .doc = "Stored positions around all that changes",
    .extensions = extensions,
    .games = games,
    .root = &made_up_linked_root,
    .sniff = sniff,
    .open = open_linked,
    .refs = refs_linked,
};
