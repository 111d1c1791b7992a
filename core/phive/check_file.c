/* Checks the parts of a Phive shape around the tagfile: header, padding, tables. Conditions that prevent
 * opening are not checked again. */
#include "phive/check.h"

typedef struct file {
    phive_checker *k;
    rec_at root, tables;
    uint64_t words[8]; /* offsets and sizes from the header */
    uint64_t ends;     /* end of the last section */
    lathe_doc *doc;
} file;

#define TELL_TABLE(f, name, ...)                                                                   \
    rec_finding((f)->k->report, LATHE_LEVEL_WARNING, &(f)->tables,                                 \
                rec_slot_find((f)->tables.layout, name), REC_NO_ITEM, __VA_ARGS__)
#define TELL(f, level, name, ...)                                                                  \
    rec_finding((f)->k->report, LATHE_LEVEL_##level, &(f)->root,                                   \
                rec_slot_find((f)->root.layout, name), REC_NO_ITEM, __VA_ARGS__)

static uint64_t part_size(const file *f, phive_part which)
{
    uint32_t part = phive_part_of(f->doc, f->k->c, which);
    return part == REC_NO_PART ? 0 : rec_part_whole(f->doc, part);
}

static bool zeros(const uint8_t *p, uint64_t n)
{
    uint8_t any = 0;
    for (uint64_t i = 0; i < n; i++)
        any |= p[i];
    return !any;
}

/* ---- the header ------------------------------------------------------------------------------------------ */

static void check_marks(const file *f)
{
    const uint8_t *p = rec_part_of(f->doc, f->root.part)->data;
    lathe_level level =
        f->doc->containers[f->k->c].version == PHIVE_V21 ? LATHE_LEVEL_ERROR : LATHE_LEVEL_WARNING;
    if (p[6] != 1 || p[7]) /* V21 of the game compares them */
        rec_finding(f->k->report, level, &f->root, rec_slot_find(f->root.layout, "reserve_1"),
                    REC_NO_ITEM, "bytes %u %u behind the magic, 1 0 expected", p[6], p[7]);
    if (f->words[7])
        TELL(f, WARNING, "reserve_size", "the fourth section has %llu bytes, it is none",
             (unsigned long long)f->words[7]);
    if (!zeros(p + 44, 4))
        TELL(f, WARNING, "header_padding", "the header's padding is not zero");
}

static void check_ends(const file *f)
{
    uint64_t end = f->ends, says = f->words[3], rest = part_size(f, PHIVE_REST);
    if (says != end + rest)
        TELL(f, WARNING, "file_size",
             "header file size does not match: 0x%llx is stored, the file has 0x%llx bytes",
             (unsigned long long)says, (unsigned long long)(end + rest));
    else if (rest)
        TELL(f, WARNING, "rest", "%llu bytes behind the last section", (unsigned long long)rest);
}

static void check_order(const file *f)
{
    static const char *const offsets[] = {"tagfile_offset", "material_offset", "hit_mask_offset"};
    uint64_t end = PHIVE_HEADER;
    for (unsigned i = 0; i < REC_COUNT_OF(offsets); i++) {
        if (f->words[i] != end)
            TELL(f, WARNING, offsets[i], "0x%llx, where what is in front of it ends at 0x%llx",
                 (unsigned long long)f->words[i], (unsigned long long)end);
        end = f->words[i] + f->words[4 + i];
    }
}

/* The tagfile's section size is rounded up, and its own header has the exact size. The padding must be zeros. */
static void check_padding(const file *f)
{
    uint32_t part = phive_part_of(f->doc, f->k->c, PHIVE_PADDING),
             tag = phive_part_of(f->doc, f->k->c, PHIVE_TAGFILE);
    if (part == REC_NO_PART || tag == REC_NO_PART || rec_opaque(f->doc, tag, NULL))
        return;
    const rec_part *p = rec_part_of(f->doc, part);
    uint64_t size = part_size(f, PHIVE_TAGFILE),
             should = (size + PHIVE_ALIGN - 1) / PHIVE_ALIGN * PHIVE_ALIGN;
    if (f->words[4] != should)
        TELL(f, WARNING, "tagfile_size", "%llu bytes, the tagfile with its padding takes %llu",
             (unsigned long long)f->words[4], (unsigned long long)should);
    if (!zeros(p->data, p->size))
        TELL(f, WARNING, "padding", "the padding behind the tagfile is not zero");
}

/* ---- the tables ------------------------------------------------------------------------------------------ */

static void check_tables(const file *f)
{
    uint32_t part = phive_part_of(f->doc, f->k->c, PHIVE_TABLES);
    const rec_part *p = rec_part_of(f->doc, part);
    phive_counts counts = phive_counts_of(f->doc, f->k->c);
    uint32_t mask = phive_mask_size(f->doc, f->k->c);
    uint64_t masks = (uint64_t)counts.rows * PHIVE_MATERIAL + counts.rest,
             used = masks + (uint64_t)counts.rows * mask;
    uint64_t gap = f->words[2] - f->words[1] - f->words[5]; /* reported before */
    if (f->words[5] % PHIVE_ALIGN)
        TELL(f, WARNING, "material_size", "%llu bytes, a row takes %d",
             (unsigned long long)f->words[5], PHIVE_MATERIAL);
    if (counts.rest >= gap + PHIVE_MATERIAL)
        TELL_TABLE(f, "material_rest", "%llu materials have no hit masks: the game ignores them",
                   (unsigned long long)((counts.rest - gap) / PHIVE_MATERIAL));
    if (used > p->size)
        return;
    uint64_t padding = p->size - used;
    if (padding >= PHIVE_ALIGN)
        TELL_TABLE(f, "hit_masks", "hit-mask table: %llu rows for %u materials",
                   (unsigned long long)((p->size - masks) / mask), counts.rows);
    else if (!zeros(p->data + used, padding))
        TELL_TABLE(f, "hit_mask_padding", "the padding behind the hit masks is not zero");
}

void phive_check_file(phive_checker *k)
{
    file f = {.k = k, .doc = k->doc, .root = rec_root(k->doc, k->c)};
    uint32_t tables = phive_part_of(k->doc, k->c, PHIVE_TABLES);
    const rec_part *p = rec_part_of(k->doc, f.root.part);
    f.tables = (rec_at){.doc = k->doc, .part = tables, .slot = REC_NO_SLOT};
    f.tables.layout = tables == REC_NO_PART ? NULL : rec_part_root(k->doc, tables);
    if (!f.tables.layout || p->size < PHIVE_HEADER)
        return;
    for (unsigned i = 0; i < REC_COUNT_OF(f.words); i++)
        f.words[i] = bytes_ld32(p->data + 12 + 4 * i, false);
    f.ends = p->size + part_size(&f, PHIVE_TAGFILE) + part_size(&f, PHIVE_PADDING) +
             part_size(&f, PHIVE_TABLES);
    check_marks(&f);
    check_order(&f);
    check_ends(&f);
    check_padding(&f);
    check_tables(&f);
}
