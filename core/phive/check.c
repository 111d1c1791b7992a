/* doc:check() of a Phive shape. Errors are what readers refuse or crash on; things that only look wrong are
 * warnings. Problems that the check of the tagfile reports (unused items, overlapping arrays) are not
 * repeated here. */
#include "phive/check.h"

#include <stdio.h>

/* ---- findings that were only counted ------------------------------------------------------------------- */

static void count_more(phive_checker *k)
{
    for (uint32_t i = 0; i < k->kinds_n; i++) {
        phive_kind *kind = &k->kinds[i];
        char text[256];
        if (!kind->more)
            continue;
        snprintf(text, sizeof text, "%u more like this: %.200s", kind->more, kind->last.message);
        lathe_error e = kind->last;
        error_set(&e, e.code, e.offset, "%s", text);
        if (k->doc->path)
            error_path(&e, k->doc->path);
        error_where(&e, kind->last.where);
        rec_found(k->report, kind->last.level, &e);
    }
}

/* ---- all checks ---------------------------------------------------------------------------------------- */

/* True if the general check has already reported why there is no shape. */
static bool already_reported(lathe_doc *doc, uint32_t c)
{
    uint32_t part = phive_part_of(doc, c, PHIVE_TAGFILE);
    if (part == REC_NO_PART)
        return false;
    const rec_layout *root = rec_part_root(doc, part);
    if (!root || rec_opaque(doc, part, NULL))
        return true;
    tag_item item = tag_item_get(doc, root->container, 1);
    uint64_t i = item.kind & TAG_OBJECT ? tag_object_at(doc, root->container, item.offset) : 0;
    uint32_t object = i ? rec_kid(doc, part, tag_row(TAG_OBJECTS), i - 1) : REC_NO_PART;
    return object == REC_NO_PART || rec_opaque(doc, object, NULL);
}

/* The field of the shape that an error is about. */
static const char *field_at(const phive_checker *k, uint64_t offset)
{
    uint64_t start = k->r.data ? rec_encoded(k->doc, k->r.part, 0) : 0;
    const phive_layout *l = k->r.l;
    return !k->r.data                      ? NULL
           : offset == start + l->tags     ? "shape_tag_table"
           : offset == start + l->nodes    ? "top_level_tree.nodes"
           : offset == start + l->sections ? "geometry_sections"
                                           : NULL;
}

/* Finds the shape; if it cannot be read, reports why. */
static bool find_shape(phive_checker *k)
{
    rec_at shape;
    const phive_layout *layout;
    uint32_t tag;
    lathe_error e = {.offset = LATHE_NO_OFFSET};
    if (already_reported(k->doc, k->c))
        return false;
    lathe_result r = phive_shape(k->doc, k->c, &shape, &layout, &tag, &e);
    if (r == LATHE_OK) {
        rec_path(&shape, REC_NO_SLOT, REC_NO_ITEM, k->shape, sizeof k->shape);
        r = phive_read(k->doc, k->c, &k->r, &e);
    }
    if (r != LATHE_OK && r != LATHE_ERR_MEMORY) {
        if (e.offset == LATHE_NO_OFFSET)
            e.offset = rec_encoded(k->doc, phive_part_of(k->doc, k->c, PHIVE_TAGFILE), 0);
        phive_error_finding(k, &e, (phive_spot){0, field_at(k, e.offset), PHIVE_NONE, PHIVE_NONE});
    }
    return r == LATHE_OK;
}

static void check_shape(phive_checker *k)
{
    const mem *m = &k->doc->mem;
    size_t size = ((size_t)k->r.sections.count + 1) * sizeof *k->sections;
    k->sections = mem_zalloc(m, size);
    if (!k->sections)
        return;
    k->left = k->r.size;
    k->whole = true;
    buf_init(&k->spans, m);
    phive_check_sections(k);
    phive_check_tree(k);
    phive_check_tags(k);
    phive_check_gaps(k);
    buf_free(&k->spans);
    mem_free(m, k->sections, size);
}

void phive_check(lathe_doc *doc, uint32_t c, rec_report *report)
{
    phive_checker *k = mem_zalloc(&doc->mem, sizeof *k);
    if (!k)
        return;
    k->doc = doc;
    k->c = c;
    k->report = report;
    phive_check_file(k);
    bool found = find_shape(k);
    if (k->r.data)
        phive_check_shape(k);
    if (found)
        check_shape(k);
    count_more(k);
    mem_free(&doc->mem, k, sizeof *k);
}
