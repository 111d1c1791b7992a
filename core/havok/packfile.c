/* The container: header, sections, class names, and the parts that its data are split into. */
#include "havok/clip.h"
#include "havok/serialize.h"

#include <stdio.h>
#include <stdlib.h>

enum {
    MAGIC_SIZE = 8,
    VERSION_SIZE = 16,
    SECTION_2010 = 0x30,
    SECTION_2014 = 0x40,
    NAME_SIZE = 0x13,
    NAME_MARK = 9, /* between a class's signature and its name */
    MOST_SECTIONS = 16
};

#define MAGIC "\x57\xE0\xE0\x57\x10\xC0\xC0\x10"

/* ---- counts -------------------------------------------------------------------------------------- */

static uint64_t count_predicates(const rec_at *at)
{
    int64_t n = rec_int(at, "predicate_array_size");
    return n > 0 && rec_int(at, "file_version") >= HK_2014 ? (uint64_t)n : 0;
}

/* Offset of section header number i in the root part. */
static uint64_t header_at(const rec_at *root, uint64_t i)
{
    uint64_t size = rec_int(root, "file_version") >= HK_2014 ? SECTION_2014 : SECTION_2010;
    return HK_FILE_HEADER + count_predicates(root) + i * size;
}

/* Entries of a signature, a 9 and a name, up to the first that has no 9 there. */
static uint64_t count_classes(const rec_at *at)
{
    const rec_part *p = rec_part_of(at->doc, at->part);
    uint64_t n = 0, off = header_at(at, (uint64_t)rec_int(at, "num_sections"));
    while (off < p->size && p->size - off > 5 && p->data[off + 4] == NAME_MARK) {
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
    {.name = "name", .kind = REC_STR, .size = NAME_SIZE, .doc = "__classnames__, __types__ or __data__."},
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
    {.name = "mark", .kind = REC_U8, .init = NAME_MARK, .flags = REC_PAD | REC_READONLY,
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
    {.name = "magic", .kind = REC_BYTES, .n = MAGIC_SIZE, .flags = REC_READONLY | REC_PAD, .init_bytes = MAGIC,
     .init_size = MAGIC_SIZE, .why = "it shows the format", .doc = "57 E0 E0 57 10 C0 C0 10."},
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
    {.name = "lead", .kind = REC_BYTES, .flags = REC_PART | REC_REST | REC_PAD, .doc = "Data in front of the first object. Kept."},
    {.name = "objects", .kind = REC_RECORD, .type = &hk_opaque, .tag = "class", .type_name = hk_class_of, .flags = REC_PART | REC_REST | REC_READONLY, .why = "objects come and go with what points to them: doc:serialize() of a table",
     .doc = "Every object in file order. lathe.type(object) is its class; of a class that is not described the bytes are kept."},
    {.name = "local_fixups", .kind = REC_RECORD, .type = &local_table, .flags = REC_PART | REC_INSIDE, .doc = "Pointers to data."},
    {.name = "global_fixups", .kind = REC_RECORD, .type = &global_table, .flags = REC_PART | REC_INSIDE, .doc = "Pointers to objects."},
    {.name = "virtual_fixups", .kind = REC_RECORD, .type = &virtual_table, .flags = REC_PART | REC_INSIDE, .doc = "Objects and their classes."},
    {.name = "exports", .kind = REC_BYTES, .flags = REC_PART | REC_REST | REC_PAD, .doc = "Kept."},
    {.name = "imports", .kind = REC_BYTES, .flags = REC_PART | REC_REST | REC_PAD, .doc = "Kept."},
    {.name = "trailing", .kind = REC_BYTES, .flags = REC_PART | REC_REST | REC_PAD, .doc = "Bytes behind the last section. Kept."},
};
static const rec_type root_type = {.name = "hkPackfile", .doc = "A Havok packfile.", REC_ROWS(root_rows)};
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
    if (!rec_places(doc) || !hk_fixup_find(doc, c, HK_VIRTUAL, hk_position(doc, part, 0), &f))
        return NULL;
    return (const char *)p->data + header_at(&root, (uint64_t)rec_int(&root, "num_sections")) +
           f.target; /* checked when it was opened */
}

const char *hk_class_names(lathe_doc *doc, uint32_t c, uint64_t *size)
{
    rec_at root = rec_root(doc, c);
    const rec_part *p = rec_part_of(doc, root.part);
    uint64_t start = header_at(&root, (uint64_t)rec_int(&root, "num_sections"));
    *size = p->size - start; /* it opened, so the headers are there */
    return (const char *)p->data + start;
}

/* ---- opening ---------------------------------------------------------------------------------------- */

static bool begins(const uint8_t *bytes, size_t n, const char *with, size_t size)
{
    return n >= size && memcmp(bytes, with, size) == 0;
}

/* A relative of packfiles: its name, or NULL. */
static const char *relative(const uint8_t *bytes, size_t n)
{
    static const char xml[] = "<hkpackfile";
    if (n >= 8 && memcmp(bytes + 4, "TAG0", 4) == 0)
        return "a Havok tagfile (TAG0), not a packfile: lathe does not read these yet";
    if (begins(bytes, n, "\xCA\xB0\x0D\xCE\x0D\xF0\x11\xD0", 8))
        return "a binary Havok tagfile of 2010..2014, not a packfile: lathe does not read these";
    for (size_t i = 0; i < 512 && i + sizeof xml <= n; i++)
        if (memcmp(bytes + i, xml, sizeof xml - 1) == 0)
            return "an XML packfile: lathe reads binary ones; convert it with Havok's own tools or "
                   "hkxcmd";
    return NULL;
}

static int sniff(const uint8_t *bytes, size_t n)
{
    return begins(bytes, n, MAGIC, MAGIC_SIZE) || relative(bytes, n) ? REC_SNIFF_SURE
                                                                     : REC_SNIFF_NO;
}

typedef struct opener {
    lathe_doc *doc;
    uint32_t c, part; /* the root part, which becomes the header */
    const uint8_t *p; /* the whole file … */
    uint64_t size;
    bool big;
    uint64_t data;               /* where __data__ begins */
    uint64_t ends[HK_PARTS + 1]; /* where the parts behind the data begin; the last one's end */
} opener;

/* Versions, byte order and pointers, before anything else is looked at. */
static lathe_result read_layout(opener *o, lathe_error *err)
{
    const char *other = relative(o->p, (size_t)o->size);
    if (other)
        return error_set(err, LATHE_ERR_UNSUPPORTED, 0, "%s", other);
    if (!begins(o->p, (size_t)o->size, MAGIC, MAGIC_SIZE))
        return error_set(err, LATHE_ERR_FORMAT, 0, "not a Havok packfile");
    if (o->size < HK_FILE_HEADER)
        return error_set(err, LATHE_ERR_BOUNDS, o->size, "the header of a packfile takes %d bytes",
                         HK_FILE_HEADER);
    o->big = o->p[0x11] == 0;
    int64_t version = (int32_t)bytes_ld32(o->p + 0x0C, o->big);
    if (version != HK_2010 && version != HK_2014)
        return error_set(err, LATHE_ERR_UNSUPPORTED, 0x0C,
                         "packfile version %lld (%.16s): lathe reads 8 and 11", (long long)version,
                         o->p[0x28] == 'h' ? (const char *)o->p + 0x28 : "unknown");
    if (o->p[0x10] != 4 && o->p[0x10] != 8)
        return error_set(err, LATHE_ERR_UNSUPPORTED, 0x10, "pointers of %d bytes", o->p[0x10]);
    if (o->p[0x12])
        return error_set(err, LATHE_ERR_UNSUPPORTED, 0x12,
                         "a layout that uses the padding of base classes (PlayStation 4)");
    return rec_arrange(o->doc, o->c, o->big, o->p[0x10], version, err);
}

/* The six offsets of a section header: inside of the section, and in order. */
static lathe_result read_offsets(opener *o, const rec_at *root, uint64_t head, uint64_t start,
                                 bool data, uint64_t *end, lathe_error *err)
{
    uint32_t row = rec_slot_find(root->layout, "sections");
    *end = 0;
    for (uint32_t k = 0; k < 6; k++) {
        uint64_t at = head + 0x18 + 4 * k, offset = bytes_ld32(o->p + at, o->big);
        if (offset < *end || offset > o->size - start)
            return rec_fail(root, row, at, err, LATHE_ERR_BOUNDS,
                            "an offset 0x%llx, outside of a section of 0x%llx bytes or in front of "
                            "0x%llx",
                            (unsigned long long)offset, (unsigned long long)(o->size - start),
                            (unsigned long long)*end);
        *end = offset;
        if (data)
            o->ends[HK_LOCAL + k] = start + offset;
    }
    return LATHE_OK;
}

/* The sections must follow each other: class names, anything, data. */
static lathe_result read_sections(opener *o, uint64_t *names_end, lathe_error *err)
{
    rec_at root = rec_root(o->doc, o->c);
    int64_t n = rec_int(&root, "num_sections");
    uint32_t rows = rec_slot_find(root.layout, "num_sections");
    if (n < 2 || n > MOST_SECTIONS)
        return rec_fail(&root, rows, 0, err, LATHE_ERR_INVALID, "%lld sections, not 2 to %d",
                        (long long)n, MOST_SECTIONS);
    uint64_t at = header_at(&root, (uint64_t)n), size;
    bool last = rec_int(&root, "contents_section_index") == n - 1;
    if (!last || rec_int(&root, "contents_class_name_section_index") != 0)
        return rec_fail(&root, rows + (last ? 3 : 1), 0, err, LATHE_ERR_UNSUPPORTED,
                        "sections in an order that lathe does not know");
    if (at > o->size)
        return rec_fail(&root, rows, 0, err, LATHE_ERR_BOUNDS,
                        "headers up to 0x%llx, behind the end at 0x%llx", (unsigned long long)at,
                        (unsigned long long)o->size);
    for (int64_t i = 0; i < n; i++) {
        uint64_t head = header_at(&root, (uint64_t)i);
        o->data = bytes_ld32(o->p + head + 0x14, o->big);
        if (o->data != at)
            return rec_fail(&root, rec_slot_find(root.layout, "sections"), head + 0x14, err,
                            LATHE_ERR_INVALID, "section %lld at 0x%llx, expected at 0x%llx",
                            (long long)i + 1, (unsigned long long)o->data, (unsigned long long)at);
        lathe_result r = read_offsets(o, &root, head, at, i == n - 1, &size, err);
        if (r != LATHE_OK)
            return r;
        at += size;
        if (i == 0)
            *names_end = at;
    }
    return LATHE_OK;
}

/* A table without the padding beyond a multiple of 16, which becomes a part of its own. */
static lathe_result split_table(opener *o, hk_part table, const rec_type *type, uint32_t width,
                                lathe_error *err)
{
    uint32_t part;
    lathe_result r = rec_split(o->doc, o->part, o->ends[table], hk_row(table), type, &part, err);
    if (r != LATHE_OK)
        return r;
    const rec_part *p = rec_part_of(o->doc, part);
    uint64_t n = 0;
    while (p->size - n * width >= width && bytes_ld32(p->data + n * width, false) != UINT32_MAX)
        n++;
    uint64_t end = n * width + (16 - n * width % 16) % 16;
    if (end > p->size)
        end = p->size;
    for (uint64_t i = n * width; i < end; i++)
        if (p->data[i] != 255)
            end = n * width; /* what stands behind the records is no padding */
    return rec_split_tail(o->doc, part, end, end, 2, err);
}

static lathe_result split_sections(opener *o, uint64_t names_end, lathe_error *err)
{
    lathe_doc *doc = o->doc;
    lathe_result r = rec_split(doc, o->part, o->ends[HK_PARTS], hk_row(HK_PARTS), NULL, NULL, err);
    if (r == LATHE_OK)
        r = rec_split(doc, o->part, o->ends[HK_IMPORTS], hk_row(HK_IMPORTS), NULL, NULL, err);
    if (r == LATHE_OK)
        r = rec_split(doc, o->part, o->ends[HK_EXPORTS], hk_row(HK_EXPORTS), NULL, NULL, err);
    if (r == LATHE_OK)
        r = split_table(o, HK_VIRTUAL, &virtual_table, 12, err);
    if (r == LATHE_OK)
        r = split_table(o, HK_GLOBAL, &global_table, 12, err);
    if (r == LATHE_OK)
        r = split_table(o, HK_LOCAL, &local_table, 8, err);
    if (r == LATHE_OK)
        r = rec_split(doc, o->part, o->data, hk_row(HK_LEAD), NULL, NULL, err);
    if (r == LATHE_OK)
        r = rec_split(doc, o->part, names_end, hk_row(HK_TYPES), NULL, NULL, err);
    return r;
}

/* ---- objects ------------------------------------------------------------------------------------------- */

/* The class name that a virtual fixup leads to, NULL where there is none. */
static const char *name_at(const opener *o, uint64_t target)
{
    rec_at root = rec_root(o->doc, o->c);
    const rec_part *p = rec_part_of(o->doc, root.part);
    uint64_t start = header_at(&root, (uint64_t)rec_int(&root, "num_sections"));
    if (target < 5 || target >= p->size - start || p->data[start + target - 1] != NAME_MARK ||
        !memchr(p->data + start + target, 0, (size_t)(p->size - start - target)))
        return NULL;
    return (const char *)p->data + start + target;
}

/* What does not hold its class's members stays opaque. */
static lathe_result look_at(opener *o, uint32_t part, uint64_t at, const char *class,
                            lathe_error *err)
{
    lathe_doc *doc = o->doc;
    const hk_class *described = hk_class_find(class);
    const rec_layout *opaque = rec_layout_of(doc, o->c, &hk_opaque);
    const rec_layout *layout = described ? rec_layout_of(doc, o->c, described->type) : opaque;
    if (!layout || !opaque)
        return rec_no_memory(err);
    rec_part *p = rec_part_of(doc, part);
    if (layout->size != REC_DYNAMIC && layout->size > p->size) {
        lathe_error *why = arena_zalloc(&doc->arena, sizeof *why);
        if (!why)
            return rec_no_memory(err);
        error_set(why, LATHE_ERR_BOUNDS, rec_encoded(doc, hk_part_of(doc, o->c, HK_LEAD), at),
                  "%s takes %llu bytes, %llu are there", class, (unsigned long long)layout->size,
                  (unsigned long long)p->size);
        p->problem = why;
        layout = opaque;
    }
    p->root = layout;
    return LATHE_OK;
}

/* A part for the object at position `at` of the data, up to `end`. */
static lathe_result add_object(opener *o, uint64_t i, uint64_t at, uint64_t end, const char *class,
                               lathe_error *err)
{
    lathe_doc *doc = o->doc;
    uint32_t part = rec_part_add(doc, o->c);
    if (part == REC_NO_PART)
        return rec_no_memory(err);
    size_t first = rec_first_kid(doc, o->part, hk_row(HK_OBJECTS));
    doc->parts[part].data = doc->parts[hk_part_of(doc, o->c, HK_LEAD)].data + at;
    doc->parts[part].size = end - at;
    if (!rec_part_hang(doc, part, o->part, hk_row(HK_OBJECTS), first + (size_t)i))
        return rec_no_memory(err);
    return look_at(o, part, at, class, err);
}

typedef struct start {
    uint32_t source, target, number;
} start;

static int by_source(const void *a, const void *b)
{
    const start *x = a, *y = b;
    if (x->source != y->source)
        return x->source < y->source ? -1 : 1;
    return x->number < y->number ? -1 : x->number > y->number;
}

/* Every virtual fixup, in the order of the objects. */
static lathe_result read_starts(opener *o, start *starts, uint32_t n, uint64_t have,
                                lathe_error *err)
{
    uint32_t table = hk_part_of(o->doc, o->c, HK_VIRTUAL);
    for (uint32_t i = 0; i < n; i++) {
        hk_fixup f = hk_fixup_get(o->doc, o->c, HK_VIRTUAL, i);
        uint64_t at = rec_encoded(o->doc, table, (uint64_t)i * 12);
        if (f.source >= have)
            return error_set(
                err, LATHE_ERR_BOUNDS, at,
                "virtual fixup %u: an object at 0x%x, outside of the data's %llu bytes", i + 1,
                f.source, (unsigned long long)have);
        if (f.section != 0 || !name_at(o, f.target))
            return error_set(err, LATHE_ERR_INVALID, at,
                             "virtual fixup %u: no class name at 0x%x of section %u", i + 1,
                             f.target, f.section);
        starts[i] = (start){f.source, f.target, i};
    }
    qsort(starts, n, sizeof *starts, by_source);
    for (uint32_t i = 1; i < n; i++)
        if (starts[i].source == starts[i - 1].source)
            return error_set(err, LATHE_ERR_INVALID,
                             rec_encoded(o->doc, table, starts[i].number * (uint64_t)12),
                             "virtual fixup %u: another object at 0x%x, where number %u has one",
                             starts[i].number + 1, starts[i].source, starts[i - 1].number + 1);
    return LATHE_OK;
}

static lathe_result split_objects(opener *o, lathe_error *err)
{
    lathe_doc *doc = o->doc;
    uint32_t n = hk_fixup_count(doc, o->c, HK_VIRTUAL), lead = hk_part_of(doc, o->c, HK_LEAD);
    uint64_t have = doc->parts[lead].size;
    start *starts = mem_alloc(&doc->mem, ((size_t)n + 1) * sizeof *starts);
    if (!starts)
        return rec_no_memory(err);
    lathe_result r = read_starts(o, starts, n, have, err);
    if (r == LATHE_OK && n)
        doc->parts[lead].size = starts[0].source;
    for (uint32_t i = 0; r == LATHE_OK && i < n; i++)
        r = add_object(o, i, starts[i].source, i + 1 < n ? starts[i + 1].source : have,
                       name_at(o, starts[i].target), err);
    mem_free(&doc->mem, starts, ((size_t)n + 1) * sizeof *starts);
    return r;
}

static lathe_result open_hkx(lathe_doc *doc, uint32_t c, lathe_error *err)
{
    uint32_t part = doc->containers[c].root;
    const rec_part *p = rec_part_of(doc, part);
    opener o = {.doc = doc, .c = c, .part = part, .p = p->data, .size = p->size};
    uint64_t names_end = 0, size;
    lathe_result r = read_layout(&o, err);
    if (r == LATHE_OK)
        r = read_sections(&o, &names_end, err);
    if (r == LATHE_OK)
        r = split_sections(&o, names_end, err);
    rec_at root = rec_root(doc, c);
    if (r == LATHE_OK)
        r = rec_measure(&root, &size, err);
    uint64_t have = r == LATHE_OK ? rec_part_of(doc, hk_part_of(doc, c, HK_LEAD))->size : 0;
    if (r == LATHE_OK)
        r = split_objects(&o, err);
    return r == LATHE_OK ? hk_check_sharing(doc, c, have, err) : r;
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

/* Only the lengths of data and tables change: the header of the last section says them. */
static lathe_result relayout(lathe_doc *doc, uint32_t c, lathe_error *err)
{
    rec_at root = rec_root(doc, c);
    uint64_t head = header_at(&root, (uint64_t)rec_int(&root, "num_sections") - 1);
    uint64_t end = part_size(doc, c, HK_LEAD) + part_size(doc, c, HK_OBJECTS);
    lathe_result r = LATHE_OK;
    for (int k = 0; r == LATHE_OK && k < 6; k++) {
        r = put_offset(doc, c, head + 0x18 + 4 * (uint64_t)k, end, err);
        if (k < 5)
            end += part_size(doc, c, HK_LOCAL + (hk_part)k);
    }
    return r;
}

static const char *game(const lathe_doc *doc)
{
    const rec_container *c = &doc->containers[0];
    if (c->version == HK_2014)
        return "Fallout 4";
    return c->pointer == 4 ? "Skyrim LE" : "Skyrim SE";
}

static const char *const extensions[] = {"hkx", NULL};
static const char *const games[] = {"Skyrim LE", "Skyrim SE", "Fallout 4", NULL};

const lathe_format format_hkx = {
    .name = "hkx",
    .doc = "Havok packfile: skeletons, animations and other objects",
    .extensions = extensions,
    .games = games,
    .root = &root_type,
    .types = hk_type,
    .sniff = sniff,
    .open = open_hkx,
    .relayout = relayout,
    .refs = hk_refs,
    .owner = hk_owner,
    .drop = hk_drop,
    .led = hk_led,
    .tidy = hk_tidy,
    .make = hk_make,
    .serialize = hk_serialize,
    .serialize_params = hk_serialize_params,
    .game = game,
    .check = hk_check,
    .skeleton = hk_skeleton,
    .clips = &hk_clip_hooks,
    .verbs = hk_verbs,
};
