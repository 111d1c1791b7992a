/* Opening a packfile: versions and byte order, sections, and the parts that its data are split into. */
#include "havok/packfile/packfile.h"

#include <stdlib.h>

enum { MOST_SECTIONS = 16 };

/* ---- opening ---------------------------------------------------------------------------------------- */

static bool begins(const uint8_t *bytes, size_t n, const char *with, size_t size)
{
    return n >= size && memcmp(bytes, with, size) == 0;
}

/* What does not begin with a tag is not XML, though it may hold such a packfile, as a block of a NIF does. */
bool hk_is_xml(const uint8_t *bytes, size_t n)
{
    static const char name[] = "<hkpackfile";
    enum { FAR = 512, SIZE = sizeof name - 1 };
    size_t at = begins(bytes, n, "\xEF\xBB\xBF", 3) ? 3 : 0;
    while (at < n && at < FAR && memchr(" \t\r\n", bytes[at], 4))
        at++;
    if (at >= n || bytes[at] != '<')
        return false;
    for (; at < FAR && at + SIZE <= n; at++)
        if (memcmp(bytes + at, name, SIZE) == 0)
            return true;
    return false;
}

/* A relative of packfiles: its name, or NULL. */
static const char *relative(const uint8_t *bytes, size_t n)
{
    if (n >= 8 && memcmp(bytes + 4, "TAG0", 4) == 0)
        return "a Havok tagfile (TAG0), not a packfile";
    if (begins(bytes, n, "\xCA\xB0\x0D\xCE\x0D\xF0\x11\xD0", 8) ||
        begins(bytes, n, "\x1E\x0D\xB0\xCA\xCE\xFA\x11\xD0", 8))
        return "a binary Havok tagfile of 2010..2014, not a packfile: lathe does not read these";
    if (hk_is_xml(bytes, n)) /* a file of its own is made into a packfile before this (xml/) */
        return "an XML packfile, which lathe reads as a file of its own, but not inside of another";
    return NULL;
}

int hk_sniff(const uint8_t *bytes, size_t n)
{
    bool tagfile = n >= 8 && memcmp(bytes + 4, "TAG0", 4) == 0; /* which is another format */
    bool mine = begins(bytes, n, HK_MAGIC, HK_MAGIC_SIZE) || (!tagfile && relative(bytes, n));
    return mine ? REC_SNIFF_SURE : REC_SNIFF_NO;
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

/* Versions, byte order and pointers, before anything else is looked at. The packfile may lie in another file. */
static lathe_result read_layout(opener *o, lathe_error *err)
{
    const char *other = relative(o->p, (size_t)o->size);
    const uint64_t start = rec_encoded(o->doc, o->part, 0);
    if (other)
        return error_set(err, LATHE_ERR_UNSUPPORTED, start, "%s", other);
    if (!begins(o->p, (size_t)o->size, HK_MAGIC, HK_MAGIC_SIZE))
        return error_set(err, LATHE_ERR_FORMAT, start, "not a Havok packfile");
    if (o->size < HK_FILE_HEADER)
        return error_set(err, LATHE_ERR_BOUNDS, start + o->size,
                         "the header of a packfile takes %d bytes", HK_FILE_HEADER);
    o->big = o->p[0x11] == 0;
    int64_t version = (int32_t)bytes_ld32(o->p + 0x0C, o->big);
    if (version != HK_2010 && version != HK_2014)
        return error_set(err, LATHE_ERR_UNSUPPORTED, start + 0x0C,
                         "packfile version %lld (%.16s): lathe reads 8 and 11", (long long)version,
                         o->p[0x28] == 'h' ? (const char *)o->p + 0x28 : "unknown");
    if (o->p[0x10] != 4 && o->p[0x10] != 8)
        return error_set(err, LATHE_ERR_UNSUPPORTED, start + 0x10, "pointers of %d bytes",
                         o->p[0x10]);
    if (o->p[0x12])
        return error_set(err, LATHE_ERR_UNSUPPORTED, start + 0x12,
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
    uint64_t at = hk_header_at(&root, (uint64_t)n), size;
    bool last = rec_int(&root, "contents_section_index") == n - 1;
    if (!last || rec_int(&root, "contents_class_name_section_index") != 0)
        return rec_fail(&root, rows + (last ? 3 : 1), 0, err, LATHE_ERR_UNSUPPORTED,
                        "sections in an order that lathe does not know");
    if (at > o->size)
        return rec_fail(&root, rows, 0, err, LATHE_ERR_BOUNDS,
                        "headers up to 0x%llx, behind the end at 0x%llx", (unsigned long long)at,
                        (unsigned long long)o->size);
    for (int64_t i = 0; i < n; i++) {
        uint64_t head = hk_header_at(&root, (uint64_t)i);
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
static lathe_result split_table(opener *o, hk_part table, uint32_t width, lathe_error *err)
{
    const rec_layout *root = rec_part_of(o->doc, o->part)->root;
    uint32_t part;
    lathe_result r = rec_split(o->doc, o->part, o->ends[table], hk_row(table),
                               rec_row_type(root->slots[hk_row(table)].row), &part, err);
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
        r = split_table(o, HK_VIRTUAL, 12, err);
    if (r == LATHE_OK)
        r = split_table(o, HK_GLOBAL, 12, err);
    if (r == LATHE_OK)
        r = split_table(o, HK_LOCAL, 8, err);
    if (r == LATHE_OK)
        r = rec_split(doc, o->part, o->data, hk_row(HK_LEAD), NULL, NULL, err);
    if (r == LATHE_OK)
        r = rec_split(doc, o->part, names_end, hk_row(HK_TYPES), NULL, NULL, err);
    return r;
}

/* ---- objects ------------------------------------------------------------------------------------------- */

/* The class name that a virtual fixup leads to, NULL where there is none. Its signature is in front of it. */
static const char *name_at(const opener *o, uint64_t target)
{
    rec_at root = rec_root(o->doc, o->c);
    const rec_part *p = rec_part_of(o->doc, root.part);
    uint64_t start = hk_header_at(&root, (uint64_t)rec_int(&root, "num_sections"));
    if (target < 5 || target >= p->size - start || p->data[start + target - 1] != HK_NAME_MARK ||
        !memchr(p->data + start + target, 0, (size_t)(p->size - start - target)))
        return NULL;
    return (const char *)p->data + start + target;
}

/* Stores why an object stays opaque. */
static lathe_result keep_problem(lathe_doc *doc, uint32_t c, uint32_t part, uint64_t at,
                                 const lathe_error *why, lathe_error *err)
{
    lathe_error *kept = arena_zalloc(&doc->arena, sizeof *kept);
    if (!kept)
        return rec_no_memory(err);
    *kept = *why;
    kept->offset = rec_encoded(doc, hk_part_of(doc, c, HK_LEAD), at);
    rec_part_of(doc, part)->problem = kept;
    return LATHE_OK;
}

/* What does not hold its class's members stays opaque, and what has others than are known. */
lathe_result hk_look_at(lathe_doc *doc, uint32_t c, uint32_t part, uint64_t at, const char *class,
                        uint32_t signature, lathe_error *err)
{
    const lathe_format *format = doc->containers[c].format;
    lathe_error why = {.code = LATHE_OK};
    const rec_type *described =
        hk_described_as(format, class, doc->containers[c].version, signature, &why);
    const rec_layout *opaque = rec_layout_of(doc, c, &hk_opaque);
    const rec_layout *layout = described ? rec_layout_of(doc, c, described) : opaque;
    if (!layout || !opaque)
        return rec_no_memory(err);
    rec_part *p = rec_part_of(doc, part);
    if (layout->size != REC_DYNAMIC && layout->size > p->size) {
        error_set(&why, LATHE_ERR_BOUNDS, LATHE_NO_OFFSET, "%s takes %llu bytes, %llu are there",
                  class, (unsigned long long)layout->size, (unsigned long long)p->size);
        layout = opaque;
    }
    p->root = layout;
    return why.code == LATHE_OK ? LATHE_OK : keep_problem(doc, c, part, at, &why, err);
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
    if (!rec_part_attach(doc, part, o->part, hk_row(HK_OBJECTS), first + (size_t)i))
        return rec_no_memory(err);
    uint32_t signature = bytes_ld32((const uint8_t *)class - 5, o->big);
    return hk_look_at(doc, o->c, part, at, class, signature, err);
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

/* Pandora's templates have 8 bytes in front of each object, which hold a number of its own and break every offset: where the
 * root's first array has its head at 0 the tables say 8 (formats/havok-xml.md#7). */
static lathe_result refuse_template(const opener *o, lathe_error *err)
{
    lathe_doc *doc = o->doc;
    hk_fixup root;
    if (!hk_fixup_count(doc, o->c, HK_LOCAL) || !hk_fixup_count(doc, o->c, HK_VIRTUAL) ||
        hk_fixup_get(doc, o->c, HK_LOCAL, 0).source != 8)
        return LATHE_OK;
    root = hk_fixup_get(doc, o->c, HK_VIRTUAL, 0);
    const char *name = root.source <= 8 ? name_at(o, root.target) : NULL;
    if (!name || strcmp(name, "hkRootLevelContainer") != 0)
        return LATHE_OK;
    return error_set(err, LATHE_ERR_UNSUPPORTED,
                     rec_encoded(doc, hk_part_of(doc, o->c, HK_LOCAL), 0),
                     "a template of Pandora, with 8 bytes in front of each object: no game reads "
                     "such a file, and neither does lathe");
}

lathe_result hk_open(lathe_doc *doc, uint32_t c, lathe_error *err)
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
    if (r == LATHE_OK)
        r = refuse_template(&o, err);
    uint64_t have = r == LATHE_OK ? rec_part_of(doc, hk_part_of(doc, c, HK_LEAD))->size : 0;
    if (r == LATHE_OK)
        r = split_objects(&o, err);
    return r == LATHE_OK ? hk_check_sharing(doc, c, have, err) : r;
}
