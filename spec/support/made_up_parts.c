/* The format parts: stored positions, data behind the record, tables that follow from lengths. */
#include "made_up.h"

#include <stdio.h>

enum { HEAD = 10, ROW = 8, FOOT = 10, CELL = 10, ALIGN = 16 };

/* ---- stored positions ------------------------------------------------------------------------------ */

static uint64_t site_of(const rec_at *at, const char *name)
{
    rec_loc loc;
    uint32_t slot = rec_slot_find(at->layout, name);
    return rec_find(at, slot, &loc, NULL) == LATHE_OK ? loc.off : LATHE_NO_OFFSET;
}

static unsigned width_of(const rec_field *row)
{
    return row->body ? rec_row_body(row)->width : rec_width(row->kind);
}

/* Positions are from the part's start where 4 bytes are stored, else from the position itself. */
static uint64_t base_of(const rec_field *row, uint64_t site)
{
    return width_of(row) == 4 ? 0 : site;
}

static bool is_big(const rec_at *at)
{
    return at->doc->containers[at->layout->container].big;
}

static lathe_result locate(const rec_at *at, const rec_field *row, uint64_t site, uint64_t count,
                           uint32_t *part, uint64_t *off, lathe_error *err)
{
    (void)part;
    const rec_part *p = rec_part_of(at->doc, at->part);
    uint64_t raw = bytes_ld(p->data + site, width_of(row), is_big(at));
    (void)count;
    if (!raw)
        return rec_fail(at, rec_slot_find(at->layout, rec_row_name(row)), site, err,
                        LATHE_ERR_INVALID, "its count is not 0, but its pointer is null");
    *off = base_of(row, site) + raw;
    return LATHE_OK;
}

/* New data go to the part's end, aligned. */
static lathe_result place(const rec_at *at, const rec_field *row, uint64_t site, uint64_t *off,
                          lathe_error *err)
{
    uint32_t align = rec_row_body(row)->align ? rec_row_body(row)->align : 1;
    uint64_t end = rec_part_of(at->doc, at->part)->size, gap = (align - end % align) % align;
    unsigned width = width_of(row);
    uint64_t raw = end + gap - base_of(row, site);
    uint8_t bytes[8];
    if (width < 8 && raw >> 8 * width)
        return rec_fail(at, rec_slot_find(at->layout, rec_row_name(row)), site, err,
                        LATHE_ERR_RANGE, "the data would be too far away for %u bits", 8 * width);
    bytes_st(bytes, raw, width, is_big(at));
    lathe_result r = rec_splice(at->doc, at->part, end, 0, NULL, gap, err);
    if (r == LATHE_OK)
        r = rec_splice(at->doc, at->part, site, width, bytes, width, err);
    *off = end + gap;
    return r;
}

const rec_body made_up_far_body = {.align = ALIGN, .width = 4, .locate = locate, .place = place};
const rec_body made_up_near_body = {.align = 1, .width = 2, .locate = locate, .place = place};
/* A cell of the chunk whose bytes begin at `target`. */
static lathe_result cell_view(const rec_at *at, const rec_field *row, uint64_t target,
                              lathe_view *out, lathe_error *err)
{
    rec_at chunk = {.doc = at->doc,
                    .layout = rec_part_of(at->doc, at->part)->root,
                    .part = at->part,
                    .slot = REC_NO_SLOT};
    rec_loc loc;
    lathe_result r = rec_find(&chunk, rec_slot_find(chunk.layout, "cells"), &loc, err);
    if (r != LATHE_OK)
        return r;
    if (target < loc.data || (target - loc.data) % CELL || (target - loc.data) / CELL >= loc.count)
        return rec_fail(at, rec_slot_find(at->layout, rec_row_name(row)),
                        site_of(at, rec_row_name(row)), err, LATHE_ERR_INVALID,
                        "points to no cell");
    rec_at found = {.doc = at->doc, .part = at->part, .off = target};
    found.layout = rec_layout_of(at->doc, at->layout->container, &made_up_cell);
    if (!found.layout)
        return rec_no_memory(err);
    *out = rec_view(&found);
    return LATHE_OK;
}

static uint64_t widen(const rec_field *row, uint64_t raw)
{
    return row->kind == REC_I16 ? (uint64_t)(int64_t)(int16_t)raw : raw;
}

static lathe_result resolve(const rec_at *at, const rec_field *row, uint64_t raw, lathe_view *out,
                            lathe_error *err)
{
    return cell_view(at, row, base_of(row, site_of(at, rec_row_name(row))) + widen(row, raw), out,
                     err);
}

static lathe_result store(const rec_at *at, const rec_field *row, lathe_view target, uint64_t *raw,
                          lathe_error *err)
{
    const rec_layout *layout = target.type;
    uint32_t slot = rec_slot_find(at->layout, rec_row_name(row));
    if (layout->type != &made_up_cell || target.part != at->part || target.flags & REC_VIEW_ARRAY)
        return rec_fail(at, slot, at->off, err, LATHE_ERR_TYPE, "a cell of this chunk expected");
    *raw = target.off - base_of(row, site_of(at, rec_row_name(row)));
    unsigned bits = 8 * width_of(row);
    if (widen(row, *raw & (((uint64_t)1 << bits) - 1)) != *raw)
        return rec_fail(at, slot, at->off, err, LATHE_ERR_RANGE, "too far away for %u bits", bits);
    *raw &= ((uint64_t)1 << bits) - 1;
    return LATHE_OK;
}

const rec_ref made_up_cell_ref = {.resolve = resolve, .store = store};

bool made_up_has_inner(const rec_at *at)
{
    return rec_int(at, "has_inner") != 0;
}

bool made_up_chunk_weight(const rec_at *at, int64_t *out)
{
    lathe_value name;
    if (rec_get(at, rec_slot_find(at->layout, "name"), false, &name, NULL) != LATHE_OK)
        return false;
    *out = (int64_t)name.as.s.n + 8 * rec_int(at, "cell_count") + rec_int(at, "note_size");
    return true;
}

/* ---- types --------------------------------------------------------------------------------------- */

/* ---- opening and relayout -------------------------------------------------------------------------- */

static lathe_result open_chunk(lathe_doc *doc, uint32_t c, uint32_t part, uint64_t i,
                               lathe_error *err)
{
    rec_at top = rec_root(doc, c), at;
    uint64_t size;
    lathe_result r = rec_sub(&top, rec_slot_find(top.layout, "chunks"), i, &at, err);
    if (r == LATHE_OK)
        r = rec_measure(&at, &size, err);
    if (r == LATHE_OK && !made_up_has_inner(&at) && rec_int(&at, "inner_size"))
        r = rec_fail(&at, rec_slot_find(at.layout, "inner_size"), site_of(&at, "inner_size"), err,
                     LATHE_ERR_INVALID, "a size of what is not there");
    if (r != LATHE_OK || !made_up_has_inner(&at))
        return r;
    uint64_t inner = (uint64_t)rec_int(&at, "inner_size"), have = rec_part_of(doc, part)->size;
    uint32_t child;
    if (inner > have - size)
        return rec_fail(&at, rec_slot_find(at.layout, "inner_size"), site_of(&at, "inner_size"),
                        err, LATHE_ERR_BOUNDS, "%llu bytes needed, %llu left",
                        (unsigned long long)inner, (unsigned long long)(have - size));
    r = rec_split(doc, part, have - inner, rec_slot_find(at.layout, "inner"), NULL, &child, err);
    return r == LATHE_OK ? rec_embed(doc, child, &made_up_pack, err) : r;
}

/* Splits the next `size` bytes off, as a child of the root; `*data` moves behind them. */
static lathe_result take_part(lathe_doc *doc, uint32_t c, const char *name, const rec_type *type,
                              uint8_t **data, uint64_t size, uint32_t *part, lathe_error *err)
{
    rec_at at = rec_root(doc, c);
    const rec_layout *layout = rec_layout_of(doc, c, type);
    *part = rec_part_add(doc, c);
    if (!layout || *part == REC_NO_PART ||
        !rec_part_attach(doc, *part, at.part, rec_slot_find(at.layout, name),
                         rec_part_of(doc, at.part)->kids_n))
        return rec_no_memory(err);
    rec_part *p = rec_part_of(doc, *part);
    p->data = *data;
    p->size = size;
    p->root = layout;
    *data += size;
    return LATHE_OK;
}

static lathe_result check_head(const rec_at *at, const uint8_t *p, uint64_t n, lathe_error *err)
{
    if (n < HEAD + FOOT)
        return rec_fail(at, REC_NO_SLOT, n, err, LATHE_ERR_BOUNDS, "%d bytes needed, %llu left",
                        HEAD + FOOT, (unsigned long long)n);
    if (memcmp(p, "PRTS", 4) != 0)
        return rec_fail(at, 0, 0, err, LATHE_ERR_FORMAT, "wrong mark");
    if (bytes_ld32(p + 4, false) != n)
        return rec_fail(at, 1, 4, err, LATHE_ERR_INVALID,
                        "%lu bytes expected from the size field, there are %llu",
                        (unsigned long)bytes_ld32(p + 4, false), (unsigned long long)n);
    if (memcmp(p + n - 4, "ENDS", 4) != 0)
        return rec_fail(at, REC_NO_SLOT, n - 4, err, LATHE_ERR_INVALID, "wrong end mark");
    if (bytes_ld16(p + 8, false) > (n - HEAD - FOOT) / ROW)
        return rec_fail(at, 2, 8, err, LATHE_ERR_BOUNDS, "%u chunks do not fit into %llu bytes",
                        (unsigned)bytes_ld16(p + 8, false), (unsigned long long)n);
    return LATHE_OK;
}

static lathe_result open_parts(lathe_doc *doc, uint32_t c, lathe_error *err)
{
    rec_at at = rec_root(doc, c);
    uint8_t *p = rec_part_of(doc, at.part)->data, *end;
    uint64_t n = rec_part_of(doc, at.part)->size;
    uint32_t part;
    lathe_result r = check_head(&at, p, n, err);
    if (r != LATHE_OK)
        return r;
    uint64_t count = bytes_ld16(p + 8, false);
    uint8_t *data = p + HEAD + ROW * count;
    end = p + n - FOOT;
    rec_part_of(doc, at.part)->size = HEAD + ROW * count;
    for (uint64_t i = 0; i < count; i++) {
        const uint8_t *row = p + HEAD + ROW * i;
        uint64_t size = bytes_ld32(row + 4, false);
        if (bytes_ld32(row, false) != (uint64_t)(data - p) || size > (uint64_t)(end - data))
            return rec_fail(&at, 3, (uint64_t)(row - p), err, LATHE_ERR_INVALID,
                            "chunk %llu does not follow the one before it",
                            (unsigned long long)i + 1);
        r = take_part(doc, c, "chunks", &made_up_chunk, &data, size, &part, err);
        if (r == LATHE_OK)
            r = open_chunk(doc, c, part, i, err);
        if (r != LATHE_OK)
            return r;
    }
    if (data != end)
        return rec_fail(&at, REC_NO_SLOT, at.off, err, LATHE_ERR_INVALID,
                        "%llu bytes between chunks and footer", (unsigned long long)(end - data));
    return take_part(doc, c, "footer", &made_up_parts_footer, &data, FOOT, &part, err);
}

static uint64_t tree_size(lathe_doc *doc, uint32_t part)
{
    const rec_part *p = rec_part_of(doc, part);
    uint64_t size = p->size;
    for (size_t i = 0; i < p->kids_n; i++)
        size += tree_size(doc, p->kids[i]);
    return size;
}

static lathe_result relayout_pack(lathe_doc *doc, const rec_at *top, uint32_t part, uint64_t i,
                                  lathe_error *err)
{
    rec_at at;
    lathe_result r = rec_sub(top, rec_slot_find(top->layout, "chunks"), i, &at, err);
    const rec_part *p = rec_part_of(doc, part);
    uint64_t size = p->kids_n ? tree_size(doc, p->kids[0]) : 0;
    return r == LATHE_OK ? rec_put_raw(&at, rec_slot_find(at.layout, "inner_size"), 0, size, err)
                         : r;
}

/* The table of places in one piece: one change, however many chunks moved. */
static lathe_result relayout_parts(lathe_doc *doc, uint32_t c, lathe_error *err)
{
    rec_at at = rec_root(doc, c), foot;
    uint32_t chunks = rec_slot_find(at.layout, "chunks");
    uint64_t n = rec_kids(doc, at.part, chunks), off = HEAD + ROW * n;
    uint8_t *table = mem_alloc(&doc->mem, (size_t)(ROW * n));
    lathe_result r = table ? LATHE_OK : rec_no_memory(err);
    for (uint64_t i = 0; r == LATHE_OK && i < n; i++) {
        uint32_t part = rec_kid(doc, at.part, chunks, i);
        uint64_t size = tree_size(doc, part);
        bytes_st32(table + ROW * i, (uint32_t)off, false);
        bytes_st32(table + ROW * i + 4, (uint32_t)size, false);
        off += size;
        r = relayout_pack(doc, &at, part, i, err);
    }
    if (r == LATHE_OK && off + FOOT > UINT32_MAX)
        r = rec_fail(&at, 1, 4, err, LATHE_ERR_RANGE, "larger than 4 GiB");
    if (r == LATHE_OK)
        r = rec_splice(doc, at.part, HEAD, ROW * n, table, ROW * n, err);
    mem_free(&doc->mem, table, (size_t)(ROW * n));
    if (r == LATHE_OK)
        r = rec_put_raw(&at, 1, 0, off + FOOT, err);
    if (r == LATHE_OK)
        r = rec_sub(&at, rec_slot_find(at.layout, "footer"), 0, &foot, err);
    if (r == LATHE_OK)
        r = rec_put_raw(&foot, 0, 0, off + FOOT, err);
    return r == LATHE_OK ? rec_put_raw(&foot, 1, 0, n, err) : r;
}

/* ---- the enumerator ---------------------------------------------------------------------------------- */

typedef lathe_result emitter(void *user, const rec_refs *run, lathe_error *err);

static lathe_result refs_of(const rec_at *at, emitter *emit, void *user, lathe_error *err)
{
    static const char *const rows[] = {"cells", "link", "near", "note"};
    rec_refs run = {.site_part = at->part, .target_part = at->part, .count = 1, .has_null = true};
    rec_loc loc;
    lathe_result r = LATHE_OK;
    for (size_t i = 0; r == LATHE_OK && i < sizeof rows / sizeof rows[0]; i++) {
        run.site = site_of(at, rows[i]);
        run.has_null = i != 1 || rec_int(at, "id") != 666; /* the link of that one may not go */
        run.width = i < 2 ? 4 : 2;
        run.self = i >= 2;
        if (run.site != LATHE_NO_OFFSET)
            r = emit(user, &run, err);
    }
    if (r == LATHE_OK && rec_int(at, "cell_count") &&
        rec_find(at, rec_slot_find(at->layout, "cells"), &loc, NULL) == LATHE_OK) {
        run = (rec_refs){.site_part = at->part,
                         .target_part = at->part,
                         .site = loc.data + 8,
                         .stride = CELL,
                         .count = loc.count,
                         .width = 2,
                         .self = true,
                         .is_signed = true,
                         .has_null = true};
        r = emit(user, &run, err);
    }
    return r;
}

/* No chunk points into another one. */
static lathe_result refs_parts(lathe_doc *doc, uint32_t c, uint32_t part, emitter *emit, void *user,
                               lathe_error *err)
{
    rec_at at = {
        .doc = doc, .layout = rec_part_of(doc, part)->root, .part = part, .slot = REC_NO_SLOT};
    (void)c;
    return at.layout && at.layout->type == &made_up_chunk ? refs_of(&at, emit, user, err)
                                                          : LATHE_OK;
}

/* ---- verbs --------------------------------------------------------------------------------------- */

/* Names every chunk; those with an odd id are tried, undone and skipped. Then, with `fail` given, all
 * of it fails. */
static lathe_result rename_all(lathe_view self, const lathe_source *args, lathe_report *report,
                               lathe_error *err)
{
    lathe_doc *doc = self.doc;
    rec_at at = rec_root(doc, 0), one;
    lathe_value name = {.kind = LATHE_KIND_STRING, .as.s = {"renamed by a verb", 17}}, fail;
    uint32_t chunks = rec_slot_find(at.layout, "chunks");
    uint64_t n = rec_kids(doc, at.part, chunks);
    lathe_result r = LATHE_OK;
    for (uint64_t i = 0; r == LATHE_OK && i < n; i++) {
        r = rec_sub(&at, chunks, i, &one, err);
        bool odd = r == LATHE_OK && rec_int(&one, "id") % 2;
        if (odd)
            r = rec_begin(doc, err);
        if (r == LATHE_OK)
            r = rec_set_name(&one, "name", &name, err);
        if (odd && r == LATHE_OK) {
            rec_end(doc, LATHE_ERR_INVALID, NULL);
            report->skipped(report->user, "chunk", "its id is odd");
        } else if (r == LATHE_OK) {
            report->changed++;
        }
    }
    if (r == LATHE_OK && rec_arg(args, "fail", &fail))
        r = error_set(err, LATHE_ERR_INVALID, LATHE_NO_OFFSET, "as you wish");
    return r;
}

static int sniff(const uint8_t *bytes, size_t n)
{
    return n >= 4 && memcmp(bytes, "PRTS", 4) == 0 ? REC_SNIFF_SURE : REC_SNIFF_NO;
}

/* Answers with what it is given: an option of each kind. */
static lathe_result tell(lathe_view self, const lathe_source *args, lathe_report *report,
                         lathe_error *err)
{
    lathe_value v = {.kind = LATHE_KIND_REAL};
    (void)self;
    (void)err;
    if (rec_arg_number(args, "ratio", &v.as.f))
        report->result(report->user, "ratio", &v);
    v.kind = LATHE_KIND_INT;
    if (rec_arg_integer(args, "count", &v.as.i))
        report->result(report->user, "count", &v);
    for (int i = 0; i < 3; i++) {
        static const char *const others[] = {"name", "side", "loud"};
        if (rec_arg(args, others[i], &v))
            report->result(report->user, others[i], &v);
    }
    return LATHE_OK;
}

static lathe_result hush(lathe_view self, const lathe_source *args, lathe_report *report,
                         lathe_error *err)
{
    (void)self;
    (void)args;
    (void)report;
    (void)err;
    return LATHE_OK;
}

static const char *const sides[] = {"left", "right", NULL};
static const rec_param fail_param = {
    .name = "fail", .doc = "Fails after all.", .kind = LATHE_PARAM_BOOLEAN};
static const rec_param told[] = {
    {.name = "ratio",
     .doc = "A number.",
     .unit = "m",
     .kind = LATHE_PARAM_NUMBER,
     .positional = true,
     .needed = true},
    {.name = "count", .doc = "A whole one.", .kind = LATHE_PARAM_INTEGER, .positional = true},
    {.name = "name", .doc = "A text.", .kind = LATHE_PARAM_TEXT},
    {.name = "side", .doc = "A word.", .kind = LATHE_PARAM_TEXT, .values = sides},
    {.name = "loud", .doc = "Yes or no.", .kind = LATHE_PARAM_BOOLEAN},
    {.name = "thing", .doc = "Anything."},
};
static const rec_param *const rename_params[] = {&fail_param, NULL};
static const rec_param *const tell_params[] = {&told[0], &told[1], &told[2], &told[3],
                                               &told[4], &told[5], NULL};
static const rec_verb verbs[] = {
    {.name = "rename_all",
     .doc = "Names every chunk with an even id.",
     .params = rename_params,
     .run = rename_all},
    {.name = "tell", .doc = "What it is given.", .params = tell_params, .query = true, .run = tell},
    {.name = "hush", .doc = "Nothing.", .type = &made_up_chunk, .run = hush},
    {0},
};
static const char *const extensions[] = {"parts", NULL};
static const char *const games[] = {"Nobody's", NULL};

const lathe_format made_up_parts = {
    .name = "parts",
    .doc = "A list of parts, with stored positions in them",
    .extensions = extensions,
    .games = games,
    .root = &made_up_parts_root,
    .derives = true,
    .sniff = sniff,
    .open = open_parts,
    .relayout = relayout_parts,
    .refs = refs_parts,
    .verbs = verbs,
};
