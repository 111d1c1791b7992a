/* What a game or a tool would stumble over in the tables of a packfile. An error is what readers refuse or crash at; what
 * merely looks wrong is a warning. */
#include "havok/packfile/check.h"

/* ---- tables -------------------------------------------------------------------------------------------- */

typedef struct tables {
    lathe_doc *doc;
    uint32_t c;
    rec_report *report;
    uint64_t end;   /* of the data */
    uint64_t index; /* of the data's section */
    unsigned pointer;
} tables;

static rec_at record_of(const tables *t, hk_part table)
{
    return hk_object(t->doc, hk_part_of(t->doc, t->c, table));
}

static void tell(const tables *t, lathe_level level, hk_part table, uint32_t number,
                 const char *what, uint32_t where)
{
    rec_at at = record_of(t, table);
    if (number < hk_fixup_count(t->doc, t->c, table))
        rec_finding(t->report, level, &at, 0, number, "%s 0x%x", what, where);
}

static uint32_t object_of(const tables *t, uint64_t position)
{
    uint32_t part;
    uint64_t off;
    return hk_place(t->doc, t->c, position, &part, &off) ? part : REC_NO_PART;
}

static void check_ends(const tables *t, hk_part table, const hk_fixup *f)
{
    const lathe_level error = LATHE_LEVEL_ERROR;
    if (f->source >= t->end || t->end - f->source < t->pointer)
        tell(t, error, table, f->number, "a pointer outside of the data, at", f->source);
    else if (f->source % 4)
        tell(t, error, table, f->number, "a pointer at an odd place,", f->source);
    if (table == HK_GLOBAL && f->section != t->index)
        tell(t, error, table, f->number, "points into another section, at", f->target);
    else if (f->target >= t->end)
        tell(t, error, table, f->number, "points outside of the data, to", f->target);
    else if (table == HK_GLOBAL && !hk_object_at(t->doc, t->c, f->target))
        tell(t, error, table, f->number, "points to where no object begins,", f->target);
    else if (table == HK_LOCAL && object_of(t, f->source) != object_of(t, f->target))
        tell(t, LATHE_LEVEL_WARNING, table, f->number, "points into another object, at", f->target);
}

/* Havok writes them in the order of the data; of global ones each object's stand together. */
static uint64_t order_of(const tables *t, hk_part table, const hk_fixup *f)
{
    if (table != HK_GLOBAL)
        return table == HK_LOCAL ? f->target : f->source;
    uint32_t part = object_of(t, f->source);
    return part == REC_NO_PART ? UINT64_MAX : hk_position(t->doc, part, 0);
}

static void check_table(const tables *t, hk_part table)
{
    uint32_t n = hk_fixup_count(t->doc, t->c, table);
    uint64_t before = 0;
    bool in_order = true;
    for (uint32_t i = 0; i < n && !t->report->stopped; i++) {
        hk_fixup f = hk_fixup_get(t->doc, t->c, table, i);
        uint64_t now = order_of(t, table, &f);
        if (table != HK_VIRTUAL) /* which were looked at when it was opened */
            check_ends(t, table, &f);
        if (in_order && now < before)
            tell(t, LATHE_LEVEL_WARNING, table, i, "out of order: it belongs in front of that of",
                 (uint32_t)before);
        in_order = in_order && now >= before; /* once is enough */
        before = now;
    }
}

/* Two for one pointer, or for two that overlap. */
static void check_sources(const tables *t, hk_part table)
{
    uint32_t first, before = 0;
    uint32_t n = hk_fixup_sources(t->doc, t->c, table, 0, UINT64_MAX, &first);
    for (uint32_t i = 0; i < n; i++) {
        hk_fixup f = hk_fixup_by_source(t->doc, t->c, table, first + i), other;
        if (i && f.source - before < t->pointer)
            tell(t, LATHE_LEVEL_ERROR, table, f.number,
                 f.source == before ? "one more for the pointer at"
                                    : "overlaps another pointer, at",
                 f.source);
        else if (table == HK_GLOBAL && hk_fixup_find(t->doc, t->c, HK_LOCAL, f.source, &other))
            tell(t, LATHE_LEVEL_ERROR, table, f.number,
                 "a local fixup is there, too, for the pointer at", f.source);
        before = f.source;
    }
}

/* ---- class names ------------------------------------------------------------------------------------------ */

/* Of described classes: objects of another version of the class stay opaque. */
static void check_signatures(rec_report *report, const rec_at *root, const rec_container *c)
{
    rec_at row;
    uint32_t slot = rec_slot_find(root->layout, "class_names");
    uint64_t n = hk_length(root, "class_names");
    for (uint64_t i = 0; i < n && rec_sub(root, slot, i, &row, NULL) == LATHE_OK; i++) {
        const char *name = hk_text(&row, "name");
        uint32_t have = (uint32_t)rec_int(&row, "signature");
        uint32_t wanted = name ? hk_signature(c->format, name, c->version) : 0;
        lathe_error why = {.code = LATHE_OK};
        bool known = !name || hk_described_as(c->format, name, c->version, have, &why);
        if (wanted && !known)
            rec_finding(report, LATHE_LEVEL_WARNING, &row, rec_slot_find(row.layout, "signature"),
                        REC_NO_ITEM, "0x%08x is another version of %s, which is known as 0x%08x",
                        have, name, wanted);
        else if (why.code != LATHE_OK)
            rec_finding(report, LATHE_LEVEL_WARNING, &row, rec_slot_find(row.layout, "signature"),
                        REC_NO_ITEM, "%s", why.message);
    }
}

/* ---- all of it -------------------------------------------------------------------------------------------- */

void hk_check_tables(rec_report *report, lathe_doc *doc, uint32_t c)
{
    uint64_t n;
    const rec_container *container = &doc->containers[c];
    rec_at root = rec_root(doc, c);
    const uint32_t *objects = hk_object_list(doc, c, &n);
    uint32_t last = n ? objects[n - 1] : hk_part_of(doc, c, HK_LEAD);
    tables t = {.doc = doc,
                .c = c,
                .report = report,
                .end = hk_position(doc, last, doc->parts[last].size),
                .index = (uint64_t)rec_int(&root, "contents_section_index"),
                .pointer = container->pointer};
    if (!hk_object_at(doc, c, (uint64_t)rec_int(&root, "contents_section_offset")))
        HK_FINDING(report, LATHE_LEVEL_ERROR, &root, "contents_section_offset", REC_NO_ITEM,
                   "no object begins there: the file has no root");
    check_signatures(report, &root, container);
    check_table(&t, HK_LOCAL);
    check_table(&t, HK_GLOBAL);
    check_table(&t, HK_VIRTUAL);
    check_sources(&t, HK_LOCAL);
    check_sources(&t, HK_GLOBAL);
}
