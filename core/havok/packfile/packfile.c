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
