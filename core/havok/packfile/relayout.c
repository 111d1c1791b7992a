/* What follows an edit: headers say how long data and tables are, and how many names of classes there are. */
#include "havok/packfile/object_list.h"

static uint64_t part_size(lathe_doc *doc, uint32_t c, hk_part which)
{
    uint64_t size, n;
    uint32_t part = hk_part_of(doc, c, which);
    if (which != HK_OBJECTS) {
        uint32_t rest =
            which >= HK_LOCAL && which <= HK_VIRTUAL ? rec_kid(doc, part, 2, 0) : REC_NO_PART;
        return doc->parts[part].size + (rest == REC_NO_PART ? 0 : doc->parts[rest].size);
    }
    const uint32_t *kids = rec_kid_list(doc, doc->containers[c].root, hk_row(HK_OBJECTS), &n);
    size = 0;
    for (uint64_t i = 0; i < n; i++)
        size += doc->parts[kids[i]].size;
    return size;
}

static lathe_result put_offset(lathe_doc *doc, uint32_t c, uint64_t at, uint64_t value,
                               lathe_error *err)
{
    uint8_t bytes[4];
    if (value > UINT32_MAX)
        return error_set(err, LATHE_ERR_LIMIT, LATHE_NO_OFFSET, "a packfile has 32-bit positions");
    bytes_st32(bytes, (uint32_t)value, doc->containers[c].big);
    return rec_splice(doc, doc->containers[c].root, at, 4, bytes, 4, err);
}

/* Class names came or went: their section's header says how many bytes, the others where they begin. */
static lathe_result follow_names(lathe_doc *doc, uint32_t c, lathe_error *err)
{
    enum { START = 0x14, OFFSETS = 0x18, END = 0x2C };
    rec_at root = rec_root(doc, c);
    uint64_t size, sections = (uint64_t)rec_int(&root, "num_sections");
    const uint8_t *head = rec_part_of(doc, root.part)->data + hk_header_at(&root, 0);
    bool big = doc->containers[c].big;
    uint64_t had = bytes_ld32(head + END, big);
    hk_class_names(doc, c, &size);
    if (size == had)
        return LATHE_OK;
    for (uint64_t k = OFFSETS; k < END; k += 4)
        if (bytes_ld32(head + k, big) != had)
            return error_set(err, LATHE_ERR_UNSUPPORTED, rec_encoded(doc, root.part, 0),
                             "pointers among the class names: lathe cannot add a class");
    lathe_result r = LATHE_OK;
    for (uint64_t k = OFFSETS; r == LATHE_OK && k <= END; k += 4)
        r = put_offset(doc, c, hk_header_at(&root, 0) + k, size, err);
    for (uint64_t i = 1; r == LATHE_OK && i < sections; i++) {
        uint64_t at = hk_header_at(&root, i) + START;
        uint64_t start = bytes_ld32(rec_part_of(doc, root.part)->data + at, big);
        r = put_offset(doc, c, at, start + size - had, err);
    }
    return r;
}

/* The lengths of data and tables change: the header of the last section says them. What shares data is still to be
 * opened again. */
lathe_result hk_relayout(lathe_doc *doc, uint32_t c, lathe_error *err)
{
    lathe_result r = hk_list_objects(doc, c, err);
    if (r == LATHE_OK)
        r = follow_names(doc, c, err);
    rec_at root = rec_root(doc, c);
    uint64_t head = hk_header_at(&root, (uint64_t)rec_int(&root, "num_sections") - 1);
    uint64_t end = part_size(doc, c, HK_LEAD) + part_size(doc, c, HK_OBJECTS);
    if (r == LATHE_OK)
        r = hk_check_sharing(doc, c, end, err);
    for (int k = 0; r == LATHE_OK && k < 6; k++) {
        r = put_offset(doc, c, head + 0x18 + 4 * (uint64_t)k, end, err);
        if (k < 5)
            end += part_size(doc, c, HK_LOCAL + (hk_part)k);
    }
    return r;
}
