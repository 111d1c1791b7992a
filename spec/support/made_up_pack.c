/* The formats pack (several parts, alone or inside a part of the format parts) and laid (records
 * whose rows do not simply follow each other). */
#include "made_up.h"
#include "record/types.h"

/* ---- pack ------------------------------------------------------------------------------------------ */

enum { HEAD = 13, SECTION = 4, TAIL = 4 };

/* Over parts: the sections' numbers, together. */
static bool derive_total(const rec_at *at, int64_t *out)
{
    uint32_t slot = rec_slot_find(at->layout, "sections");
    uint64_t n = rec_kids(at->doc, at->part, slot);
    *out = 0;
    for (uint64_t i = 0; i < n; i++) {
        rec_at section;
        if (rec_sub(at, slot, i, &section, NULL) != LATHE_OK)
            return false;
        *out += rec_int(&section, "value_count");
    }
    return true;
}

/* clang-format off */
static const rec_field section_rows[] = {
    {.name = "length", .kind = REC_U16, .flags = REC_READONLY, .why = "it follows from the rest",
     .doc = "Size of the section."},
    {.name = "value_count", .kind = REC_U8, .doc = "Number of values."},
    {.name = "values", .kind = REC_U16, .by = "value_count", .doc = "Numbers."},
    {.name = "text", .kind = REC_STR, .prefix = 1, .doc = "What."},
};
static const rec_type section = {.name = "section", .doc = "A part of a pack.",
                                 REC_ROWS(section_rows)};

static const rec_field tail_rows[] = {
    {.name = "length", .kind = REC_U32, .flags = REC_READONLY, .why = "it follows from the rest",
     .doc = "Size of the pack, once more."},
};
static const rec_type tail = {.name = "pack_tail", .doc = "The end.", REC_ROWS(tail_rows)};

static const rec_field pack_rows[] = {
    {.name = "mark", .kind = REC_BYTES, .n = 4, .init_bytes = "PACK", .init_size = 4,
     .flags = REC_READONLY, .why = "it shows the format", .doc = "The letters PACK."},
    {.name = "length", .kind = REC_U32, .flags = REC_READONLY, .why = "it follows from the rest",
     .doc = "Size of the pack."},
    {.name = "value_total", .kind = REC_U32, .derive = derive_total, .doc = "All values."},
    {.name = "section_count", .kind = REC_U8, .doc = "Number of sections."},
    {.name = "sections", .kind = REC_RECORD, .type = &section, .by = "section_count",
     .flags = REC_PART, .doc = "Each in a part of its own."},
    {.name = "tail", .kind = REC_RECORD, .type = &tail, .flags = REC_PART, .doc = "The end."},
};
static const rec_type pack_root = {.name = "pack", .doc = "A document of several parts.",
                                   REC_ROWS(pack_rows)};
/* clang-format on */

static lathe_result too_short(const rec_at *at, uint64_t off, uint64_t left, lathe_error *err)
{
    return rec_fail(at, REC_NO_SLOT, off, err, LATHE_ERR_BOUNDS, "a section is cut off: %llu left",
                    (unsigned long long)left);
}

/* The sections announce their lengths; found forwards, split off backwards. */
static lathe_result split_sections(lathe_doc *doc, const rec_at *top, uint64_t count,
                                   lathe_error *err)
{
    const rec_part *p = rec_part_of(doc, top->part);
    uint64_t offs[257], off = HEAD, end = p->size - TAIL, size;
    uint32_t slot = rec_slot_find(top->layout, "sections");
    lathe_result r = LATHE_OK;
    for (uint64_t i = 0; i < count; i++) {
        offs[i] = off;
        uint64_t length =
            end - off >= SECTION ? bytes_ld16(p->data + off, p->root->slots[1].big) : 0;
        if (length < SECTION || length > end - off)
            return too_short(top, off, end - off, err);
        off += length;
    }
    if (off != end)
        return rec_fail(top, REC_NO_SLOT, off, err, LATHE_ERR_INVALID, "%llu bytes too many",
                        (unsigned long long)(end - off));
    r = rec_split(doc, top->part, end, rec_slot_find(top->layout, "tail"), &tail, NULL, err);
    for (uint64_t i = count; r == LATHE_OK && i-- > 0;)
        r = rec_split(doc, top->part, offs[i], slot, &section, NULL, err);
    for (uint64_t i = 0; r == LATHE_OK && i < count; i++) {
        rec_at at;
        r = rec_sub(top, slot, i, &at, err);
        if (r == LATHE_OK)
            r = rec_measure(&at, &size, err);
        if (r == LATHE_OK && size != rec_part_of(doc, at.part)->size)
            r = rec_fail(&at, 0, 0, err, LATHE_ERR_INVALID, "a section of %llu bytes",
                         (unsigned long long)size);
    }
    return r;
}

static lathe_result open_pack(lathe_doc *doc, uint32_t c, lathe_error *err)
{
    rec_at at = rec_root(doc, c);
    const rec_part *p = rec_part_of(doc, at.part);
    if (p->size < HEAD + TAIL)
        return too_short(&at, p->size, p->size, err);
    if (memcmp(p->data, "PACK", 4) != 0)
        return rec_fail(&at, 0, 0, err, LATHE_ERR_FORMAT, "wrong mark");
    bool big = p->root->slots[1].big;
    if (bytes_ld32(p->data + 4, big) != p->size)
        return rec_fail(&at, 1, 4, err, LATHE_ERR_INVALID, "it is %llu bytes long",
                        (unsigned long long)p->size);
    if (bytes_ld32(p->data + p->size - TAIL, big) != p->size)
        return rec_fail(&at, 1, p->size - TAIL, err, LATHE_ERR_INVALID, "it is %llu bytes long",
                        (unsigned long long)p->size);
    return split_sections(doc, &at, p->data[HEAD - 1], err);
}

static lathe_result relayout_pack(lathe_doc *doc, uint32_t c, lathe_error *err)
{
    rec_at top = rec_root(doc, c), at;
    const rec_part *p = rec_part_of(doc, top.part);
    uint32_t slot = rec_slot_find(top.layout, "sections");
    uint64_t n = rec_kids(doc, top.part, slot), total = p->size + TAIL;
    lathe_result r = LATHE_OK;
    for (uint64_t i = 0; r == LATHE_OK && i < n; i++) {
        r = rec_sub(&top, slot, i, &at, err);
        if (r != LATHE_OK)
            return r;
        uint64_t size = rec_part_of(doc, at.part)->size;
        total += size;
        r = size > UINT16_MAX ? rec_fail(&at, 0, 0, err, LATHE_ERR_RANGE, "longer than 64 KiB")
                              : rec_put_raw(&at, 0, 0, size, err);
    }
    if (r == LATHE_OK)
        r = rec_put_raw(&top, 1, 0, total, err);
    if (r == LATHE_OK)
        r = rec_sub(&top, rec_slot_find(top.layout, "tail"), 0, &at, err);
    return r == LATHE_OK ? rec_put_raw(&at, 0, 0, total, err) : r;
}

/* Two sections with the same text are an error, one without text deserves a look. */
static void check_pack(lathe_doc *doc, uint32_t c, rec_report *report)
{
    rec_at top = rec_root(doc, c), at;
    uint32_t slot = rec_slot_find(top.layout, "sections");
    uint64_t n = rec_kids(doc, top.part, slot);
    for (uint64_t i = 0; i < n; i++) {
        lathe_value v;
        if (rec_sub(&top, slot, i, &at, NULL) != LATHE_OK ||
            rec_get(&at, rec_slot_find(at.layout, "text"), false, &v, NULL) != LATHE_OK)
            continue;
        if (v.as.s.n == 0)
            rec_finding(report, LATHE_LEVEL_WARNING, &at, rec_slot_find(at.layout, "text"),
                        REC_NO_ITEM, "no text");
        else if (v.as.s.n == 3 && memcmp(v.as.s.p, "bad", 3) == 0)
            rec_finding(report, LATHE_LEVEL_ERROR, &at, rec_slot_find(at.layout, "text"),
                        REC_NO_ITEM, "a bad text");
    }
}

static int sniff_pack(const uint8_t *bytes, size_t n)
{
    return n >= 4 && memcmp(bytes, "PACK", 4) == 0 ? REC_SNIFF_SURE : REC_SNIFF_NO;
}

static const char *const pack_extensions[] = {"pack", NULL};
static const char *const games[] = {NULL};

/* Big-endian, whatever is around it. */
const lathe_format made_up_pack = {
    .name = "pack",
    .doc = "A document that lies in others, too",
    .extensions = pack_extensions,
    .games = games,
    .root = &pack_root,
    .big = true,
    .derives = true,
    .sniff = sniff_pack,
    .open = open_pack,
    .relayout = relayout_pack,
    .check = check_pack,
};

/* ---- laid ------------------------------------------------------------------------------------------ */

/* clang-format off */
static const rec_field aligned_rows[] = {
    {.name = "a", .kind = REC_U8, .doc = "At 0."},
    {.name = "b", .kind = REC_U32, .doc = "At 4."},
    {.name = "c", .kind = REC_U8, .doc = "At 8."},
    {.name = "d", .kind = REC_F64, .doc = "At 16."},
    {.name = "e", .kind = REC_U16, .doc = "At 24."},
    {.name = "f", .kind = REC_RECORD, .type = &rec_vec3, .doc = "At 28."},
    {.name = "g", .kind = REC_U16, .n = 3, .doc = "At 40; the record ends at 48."},
};
static const rec_type aligned = {.name = "aligned", .doc = "As a compiler would lay it out.",
                                 .flags = REC_ALIGNED, REC_ROWS(aligned_rows)};

static const rec_field placed_rows[] = {
    {.name = "a", .kind = REC_U16, .off = 2, .doc = "At 2."},
    {.name = "b", .kind = REC_F32, .off = 8, .doc = "At 8."},
    {.name = "c", .kind = REC_RECORD, .type = &rec_vec3, .off = 12, .doc = "At 12."},
    {.name = "d", .kind = REC_BYTES, .n = 3, .off = 26, .doc = "At 26."},
};
static const rec_type placed = {.name = "placed", .doc = "With gaps.", .flags = REC_OFFSETS,
                                .size = 32, REC_ROWS(placed_rows)};

static const rec_field laid_rows[] = {
    {.name = "mark", .kind = REC_BYTES, .n = 4, .init_bytes = "LAID", .init_size = 4,
     .flags = REC_READONLY, .why = "it shows the format", .doc = "The letters LAID."},
    {.name = "entry_count", .kind = REC_U32, .doc = "Number of both."},
    {.name = "aligned", .kind = REC_RECORD, .type = &aligned, .doc = "One alone."},
    {.name = "placed", .kind = REC_RECORD, .type = &placed, .doc = "One alone."},
    {.name = "aligned_list", .kind = REC_RECORD, .type = &aligned, .by = "entry_count",
     .doc = "Many."},
    {.name = "placed_list", .kind = REC_RECORD, .type = &placed, .by = "entry_count", .doc = "Many."},
};
static const rec_type laid_root = {.name = "laid", .doc = "Records with offsets.",
                                   REC_ROWS(laid_rows)};
/* clang-format on */

static int sniff_laid(const uint8_t *bytes, size_t n)
{
    return n >= 4 && memcmp(bytes, "LAID", 4) == 0 ? REC_SNIFF_SURE : REC_SNIFF_NO;
}

static const char *const laid_extensions[] = {"laid", NULL};

const lathe_format made_up_laid = {
    .name = "laid",
    .doc = "Records whose rows do not simply follow each other",
    .extensions = laid_extensions,
    .games = games,
    .root = &laid_root,
    .sniff = sniff_laid,
};
