/* The container as a schema: header, sections, class names, tables; and what follows an edit. */
#include "havok/packfile/object_list.h"
#include "havok/packfile/serialize.h"

enum { VERSION_SIZE = 16, SECTION_2010 = 0x30, SECTION_2014 = 0x40, NAME_SIZE = 0x13 };

/* ---- counts -------------------------------------------------------------------------------------- */

static uint64_t count_predicates(const rec_at *at)
{
    int64_t n = rec_int(at, "predicate_array_size");
    return n > 0 && rec_int(at, "file_version") >= HK_2014 ? (uint64_t)n : 0;
}

/* Offset of section header number i in the root part. */
uint64_t hk_header_at(const rec_at *root, uint64_t i)
{
    uint64_t size = rec_int(root, "file_version") >= HK_2014 ? SECTION_2014 : SECTION_2010;
    return HK_FILE_HEADER + count_predicates(root) + i * size;
}

/* Entries of a signature, a 9 and a name, up to the first that has no 9 there. */
static uint64_t count_classes(const rec_at *at)
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

static uint64_t count_fixups(const rec_at *at)
{
    const rec_part *p = rec_part_of(at->doc, at->part);
    uint64_t width = at->layout->slots[0].elem, n = p->size / width;
    while (n && bytes_ld32(p->data + (n - 1) * width, false) == UINT32_MAX)
        n--;
    return n;
}

/* ---- types --------------------------------------------------------------------------------------- */

/* clang-format off */
#define FOLLOWS "it follows from what the file holds"
#define KEPT "it is kept as it was"
#define LAYOUT "doc:serialize{game = } makes a file of another layout"

static const rec_field section_rows[] = {
    {.name = "name", .kind = REC_STR, .size = NAME_SIZE, .flags = REC_READONLY, .why = FOLLOWS, .doc = "__classnames__, __types__ or __data__."},
    {.name = "mark", .kind = REC_U8, .init = 255, .flags = REC_PAD, .doc = "255."},
    {.name = "absolute_data_start", .kind = REC_U32, .unit = "bytes", .flags = REC_READONLY,
     .why = FOLLOWS, .doc = "Where the section begins in the file."},
    {.name = "local_fixups_offset", .kind = REC_U32, .unit = "bytes", .flags = REC_READONLY,
     .why = FOLLOWS, .doc = "End of the data, from the section's start."},
    {.name = "global_fixups_offset", .kind = REC_U32, .unit = "bytes", .flags = REC_READONLY,
     .why = FOLLOWS, .doc = "From the section's start."},
    {.name = "virtual_fixups_offset", .kind = REC_U32, .unit = "bytes", .flags = REC_READONLY,
     .why = FOLLOWS, .doc = "From the section's start."},
    {.name = "exports_offset", .kind = REC_U32, .unit = "bytes", .flags = REC_READONLY,
     .why = FOLLOWS, .doc = "From the section's start."},
    {.name = "imports_offset", .kind = REC_U32, .unit = "bytes", .flags = REC_READONLY,
     .why = FOLLOWS, .doc = "From the section's start."},
    {.name = "end_offset", .kind = REC_U32, .unit = "bytes", .flags = REC_READONLY,
     .why = FOLLOWS, .doc = "From the section's start."},
    {.name = "padding", .kind = REC_BYTES, .n = 16, .since = HK_2014, .flags = REC_PAD,
     .init_bytes = "\377\377\377\377\377\377\377\377\377\377\377\377\377\377\377\377",
     .init_size = 16, .doc = "16 times 255."},
};
static const rec_type section = {.name = "hkSectionHeader", .doc = "Where the parts of a section are.",
                                 REC_ROWS(section_rows)};

static const rec_field class_name_rows[] = {
    {.name = "signature", .kind = REC_U32, .doc = "Tells versions of the class apart."},
    {.name = "mark", .kind = REC_U8, .init = HK_NAME_MARK, .flags = REC_PAD | REC_READONLY,
     .why = "names are told from what follows by it", .doc = "9."},
    {.name = "name", .kind = REC_STR, .flags = REC_READONLY, .why = "objects are found by it",
     .doc = "As in Havok's headers."},
};
static const rec_type class_name = {.name = "hkClassName", .doc = "A class that the file names.",
                                    REC_ROWS(class_name_rows)};

static const rec_field local_rows[] = {
    {.name = "source", .kind = REC_U32, .unit = "bytes", .flags = REC_READONLY, .why = FOLLOWS,
     .doc = "Where the pointer is, from the start of __data__."},
    {.name = "target", .kind = REC_U32, .unit = "bytes", .flags = REC_READONLY, .why = FOLLOWS,
     .doc = "What it points to, from the start of __data__."},
};
static const rec_type local = {.name = "hkLocalFixup", .doc = "A pointer to data: an array, a text.",
                               REC_ROWS(local_rows)};

static const rec_field global_rows[] = {
    {.name = "source", .kind = REC_U32, .unit = "bytes", .flags = REC_READONLY, .why = FOLLOWS,
     .doc = "Where the pointer is, from the start of __data__."},
    {.name = "section", .kind = REC_U32, .flags = REC_READONLY, .why = FOLLOWS,
     .doc = "Section of what it points to, from 0."},
    {.name = "target", .kind = REC_U32, .unit = "bytes", .flags = REC_READONLY, .why = FOLLOWS,
     .doc = "What it points to, from that section's start."},
};
static const rec_type global = {.name = "hkGlobalFixup", .doc = "A pointer to an object, or an object's class.",
                                REC_ROWS(global_rows)};

#define TABLE(of, what)                                                                            \
    {.name = "fixups", .kind = REC_RECORD, .type = &(of), .count = count_fixups, .flags = REC_READONLY, .why = FOLLOWS, .doc = what},     \
    {.name = "padding", .kind = REC_BYTES, .flags = REC_REST | REC_PAD | REC_READONLY, .why = FOLLOWS, .doc = "255 up to a multiple of 16."}, \
    {.name = "rest", .kind = REC_BYTES, .flags = REC_PART | REC_PAD | REC_REST | REC_READONLY, .why = KEPT,                    \
     .doc = "What stands behind that. Kept."}

static const rec_field local_table_rows[] = {TABLE(local, "Pointers to data, in the order of the data.")};
static const rec_type local_table = {.name = "hkLocalFixups", .doc = "Pointers to data.",
                                     REC_ROWS(local_table_rows)};
static const rec_field global_table_rows[] = {TABLE(global, "Pointers to objects, by the object they are in.")};
static const rec_type global_table = {.name = "hkGlobalFixups", .doc = "Pointers to objects.",
                                      REC_ROWS(global_table_rows)};
static const rec_field virtual_table_rows[] = {TABLE(global, "Objects, and where the names of their classes are.")};
static const rec_type virtual_table = {.name = "hkVirtualFixups", .doc = "Objects and their classes.",
                                       REC_ROWS(virtual_table_rows)};

static lathe_result get_root(const rec_at *at, const rec_field *row, lathe_value *out, lathe_error *err)
{
    lathe_doc *doc = at->doc;
    uint64_t i = hk_object_at(doc, at->layout->container, (uint64_t)rec_int(at, "contents_section_offset"));
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

static const rec_field root_rows[] = {
    {.name = "magic", .kind = REC_BYTES, .n = HK_MAGIC_SIZE, .flags = REC_READONLY | REC_PAD, .init_bytes = HK_MAGIC,
     .init_size = HK_MAGIC_SIZE, .why = "it shows the format", .doc = "57 E0 E0 57 10 C0 C0 10."},
    {.name = "user_tag", .kind = REC_I32, .doc = "0."},
    {.name = "file_version", .kind = REC_I32, .flags = REC_READONLY, .why = LAYOUT, .init = HK_2014,
     .doc = "8 (Skyrim) or 11 (Fallout 4)."},
    {.name = "pointer_size", .kind = REC_U8, .unit = "bytes", .flags = REC_READONLY, .why = LAYOUT, .init = 8,
     .doc = "4 (Skyrim LE) or 8 (Skyrim SE, Fallout 4)."},
    {.name = "little_endian", .kind = REC_U8, .shown = REC_BOOL, .flags = REC_READONLY, .why = LAYOUT, .init = 1,
     .doc = "Byte order; false on PlayStation 3 and Xbox 360."},
    {.name = "reuse_padding", .kind = REC_U8, .shown = REC_BOOL, .flags = REC_READONLY, .why = LAYOUT,
     .doc = "Whether derived classes use the padding of their base."},
    {.name = "empty_base", .kind = REC_U8, .shown = REC_BOOL, .flags = REC_READONLY, .why = LAYOUT, .init = 1,
     .doc = "Whether a base without members takes no room."},
    {.name = "num_sections", .kind = REC_I32, .flags = REC_READONLY | REC_INSIDE, .why = FOLLOWS, .doc = "Number of sections."},
    {.name = "contents_section_index", .kind = REC_I32, .flags = REC_READONLY | REC_INSIDE, .why = FOLLOWS,
     .doc = "Section of the root object, from 0."},
    {.name = "contents_section_offset", .kind = REC_I32, .unit = "bytes", .flags = REC_READONLY | REC_INSIDE, .why = FOLLOWS,
     .doc = "The root object, from that section's start."},
    {.name = "contents_class_name_section_index", .kind = REC_I32, .flags = REC_READONLY | REC_INSIDE, .why = FOLLOWS,
     .doc = "Section of the name of its class."},
    {.name = "contents_class_name_section_offset", .kind = REC_I32, .unit = "bytes", .flags = REC_READONLY | REC_INSIDE,
     .why = FOLLOWS, .doc = "That name, from the section's start."},
    {.name = "contents_version", .kind = REC_STR, .size = VERSION_SIZE, .flags = REC_READONLY, .why = LAYOUT,
     .init_bytes = "hk_2014.1.0-r1\0\377", .init_size = VERSION_SIZE, .doc = "Havok's own version."},
    {.name = "flags", .kind = REC_I32, .doc = "0."},
    {.name = "max_predicate", .kind = REC_I16, .doc = "21 in Fallout 4, else -1."},
    {.name = "predicate_array_size", .kind = REC_I16, .unit = "bytes", .flags = REC_READONLY | REC_INSIDE, .why = FOLLOWS,
     .doc = "Bytes between the file header and the sections, with their padding; below version 11 there are none."},
    {.name = "predicates", .kind = REC_BYTES, .count = count_predicates, .flags = REC_READONLY, .why = LAYOUT,
     .doc = "16-bit numbers; files inside of others mostly have none."},
    {.name = "sections", .kind = REC_RECORD, .type = &section, .by = "num_sections", .flags = REC_INSIDE | REC_READONLY, .why = FOLLOWS,
     .doc = "Class names, types (none in any game's file), data."},
    {.name = "class_names", .flags = REC_READONLY, .why = FOLLOWS, .kind = REC_RECORD, .type = &class_name, .count = count_classes,
     .doc = "The classes of the objects, in the order they first come; in front four of Havok's own."},
    {.name = "class_names_padding", .kind = REC_BYTES, .flags = REC_REST | REC_INSIDE | REC_READONLY, .why = FOLLOWS,
     .doc = "255 up to a multiple of 16."},
    {.name = "root", .type = &hk_opaque, .get = get_root, .doc = "The object that leads to all others."},
    {.name = "types", .kind = REC_BYTES, .flags = REC_PART | REC_REST | REC_PAD | REC_READONLY, .why = KEPT, .doc = "Sections between the class names and the data. Kept."},
    {.name = "lead", .kind = REC_BYTES, .flags = REC_PART | REC_REST | REC_PAD | REC_READONLY, .why = KEPT, .doc = "Data in front of the first object. Kept."},
    {.name = "objects", .kind = REC_RECORD, .type = &hk_opaque, .tag = "class", .type_name = hk_class_of, .flags = REC_PART | REC_REST | REC_KEEPS_TYPE, .resizes = hk_may_resize,
     .doc = "Every object in file order. lathe.type(object) is its class; of a class that is not described the bytes are kept."},
    {.name = "local_fixups", .kind = REC_RECORD, .type = &local_table, .flags = REC_PART | REC_INSIDE, .doc = "Pointers to data."},
    {.name = "global_fixups", .kind = REC_RECORD, .type = &global_table, .flags = REC_PART | REC_INSIDE, .doc = "Pointers to objects."},
    {.name = "virtual_fixups", .kind = REC_RECORD, .type = &virtual_table, .flags = REC_PART | REC_INSIDE, .doc = "Objects and their classes."},
    {.name = "exports", .kind = REC_BYTES, .flags = REC_PART | REC_REST | REC_PAD | REC_READONLY, .why = KEPT, .doc = "Kept."},
    {.name = "imports", .kind = REC_BYTES, .flags = REC_PART | REC_REST | REC_PAD | REC_READONLY, .why = KEPT, .doc = "Kept."},
    {.name = "trailing", .kind = REC_BYTES, .flags = REC_PART | REC_REST | REC_PAD | REC_READONLY, .why = KEPT, .doc = "Bytes behind the last section. Kept."},
};
const rec_type hk_root = {.name = "hkPackfile", .doc = "A Havok packfile.", REC_ROWS(root_rows)};
/* clang-format on */

uint32_t hk_row(hk_part which)
{
    return REC_COUNT_OF(root_rows) - 1 - HK_PARTS + which;
}

uint32_t hk_part_of(lathe_doc *doc, uint32_t c, hk_part which)
{
    return rec_kid(doc, doc->containers[c].root, hk_row(which), 0);
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
                             "pointers among the names of classes: no class can be named");
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
