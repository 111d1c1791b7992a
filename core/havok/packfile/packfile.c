/* What rows of the container depend on, and what follows an edit. */
#include "havok/packfile/packfile.h"

enum { VERSION_SIZE = 16, SECTION_2010 = 0x30, SECTION_2014 = 0x40, NAME_SIZE = 0x13 };

/* ---- counts -------------------------------------------------------------------------------------- */

uint64_t hk_count_predicates(const rec_at *at)
{
    int64_t n = rec_int(at, "predicate_array_size");
    return n > 0 && rec_int(at, "file_version") >= HK_2014 ? (uint64_t)n : 0;
}

/* Offset of section header number i in the root part. */
uint64_t hk_header_at(const rec_at *root, uint64_t i)
{
    uint64_t size = rec_int(root, "file_version") >= HK_2014 ? SECTION_2014 : SECTION_2010;
    return HK_FILE_HEADER + hk_count_predicates(root) + i * size;
}

/* Entries of a signature, a 9 and a name, up to the first that has no 9 there. */
uint64_t hk_count_classes(const rec_at *at)
{
    const rec_part *p = rec_part_of(at->doc, at->part);
    uint64_t n = 0, off = hk_header_at(at, (uint64_t)rec_int(at, "num_sections"));
    while (off < p->size && p->size - off > 5 && p->data[off + 4] == HK_NAME_MARK) {
        const uint8_t *end = memchr(p->data + off + 5, 0, (size_t)(p->size - off - 5));
        if (!end)
            break;
        off = (uint64_t)(end - p->data) + 1;
        n++;
    }
    return n;
}

uint64_t hk_count_fixups(const rec_at *at)
{
    const rec_part *p = rec_part_of(at->doc, at->part);
    uint64_t width = at->layout->slots[0].elem, n = p->size / width;
    while (n && bytes_ld32(p->data + (n - 1) * width, false) == UINT32_MAX)
        n--;
    return n;
}

/* ---- types --------------------------------------------------------------------------------------- */

lathe_result hk_get_root(const rec_at *at, const rec_field *row, lathe_value *out, lathe_error *err)
{
    lathe_doc *doc = at->doc;
    uint64_t i =
        hk_object_at(doc, at->layout->container, (uint64_t)rec_int(at, "contents_section_offset"));
    (void)row;
    (void)err;
    out->kind = LATHE_KIND_NULL;
    if (!i)
        return LATHE_OK;
    uint32_t part = rec_kid(doc, at->part, hk_row(HK_OBJECTS), i - 1);
    rec_at object = {.doc = doc, .layout = doc->parts[part].root, .part = part};
    out->kind = LATHE_KIND_RECORD;
    out->as.v = rec_view(&object);
    return LATHE_OK;
}

const char *hk_class_of(lathe_doc *doc, uint32_t part)
{
    uint32_t c = rec_part_of(doc, part)->container;
    const rec_part *p = rec_part_of(doc, doc->containers[c].root);
    rec_at root = rec_root(doc, c);
    hk_fixup f;
    if (!rec_places(doc))
        return NULL;
    if (!hk_fixup_find(doc, c, HK_VIRTUAL, hk_position(doc, part, 0), &f)) {
        const rec_layout *made = rec_part_of(doc, part)->root; /* listed when the edit ends */
        return made && made->type != &hk_opaque ? rec_type_name(made->type) : NULL;
    }
    return (const char *)p->data + hk_header_at(&root, (uint64_t)rec_int(&root, "num_sections")) +
           f.target; /* checked when it was opened */
}

const char *hk_class_names(lathe_doc *doc, uint32_t c, uint64_t *size)
{
    rec_at root = rec_root(doc, c);
    const rec_part *p = rec_part_of(doc, root.part);
    uint64_t start = hk_header_at(&root, (uint64_t)rec_int(&root, "num_sections"));
    *size = p->size - start; /* it opened, so the headers are there */
    return (const char *)p->data + start;
}
<<<<<<< HEAD

/* ---- after an edit ---------------------------------------------------------------------------------------- */

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
=======
>>>>>>> 765ee9d (Let files call downward: what files shared gets a file of its own)
