/* The formats pack (several parts, alone or inside a part of the format parts) and laid (records
 * whose rows do not simply follow each other). */
#include "made_up.h"
#include "record/types.h"

/* ---- pack ------------------------------------------------------------------------------------------ */

enum { HEAD = 13, SECTION = 4, TAIL = 4 };

/* Over parts: the sections' numbers, together. */
bool made_up_pack_total(const rec_at *at, int64_t *out)
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
    r = rec_split(doc, top->part, end, rec_slot_find(top->layout, "tail"), &made_up_pack_tail, NULL,
                  err);
    for (uint64_t i = count; r == LATHE_OK && i-- > 0;)
        r = rec_split(doc, top->part, offs[i], slot, &made_up_section, NULL, err);
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
    .root = &made_up_pack_root,
    .big = true,
    .derives = true,
    .sniff = sniff_pack,
    .open = open_pack,
    .relayout = relayout_pack,
    .check = check_pack,
};

/* ---- laid ------------------------------------------------------------------------------------------ */

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
    .root = &made_up_laid_root,
    .sniff = sniff_laid,
};
