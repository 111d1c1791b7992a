/* doc.objects:copy: copies an object and everything it points to, from this document or another one. The objects are
 * first written as a file of their own in this document's layout (from_doc.c), and then appended to this document. */
#include "havok/packfile/object_list.h"
#include "havok/packfile/serialize.h"

typedef struct copying {
    rec_at root; /* of the target document */
    lathe_doc *doc;
    uint32_t c;
    uint64_t first; /* number of the first new object, from 0 */
    uint64_t base;  /* its position */
} copying;

/* ---- class names ----------------------------------------------------------------------------------------- */

/* Finds the classes that the target document already names. */
static lathe_result find_names(const copying *to, hk_writer *w, uint64_t *end, lathe_error *err)
{
    uint64_t size, at = 0;
    const uint8_t *names = (const uint8_t *)hk_class_names(to->doc, to->c, &size);
    bool big = to->doc->containers[to->c].big;
    while (size - at > 5 && names[at + 4] == HK_NAME_MARK) {
        const char *name = (const char *)names + at + 5;
        const char *past = memchr(name, 0, (size_t)(size - at - 5));
        if (!past)
            break;
        hk_kind *k = hk_kind_of(w, name, (size_t)(past - name));
        if (!k)
            return rec_no_memory(err);
        uint32_t known = k->offset ? bytes_ld32(w->names.data + k->offset - 5, w->head->big) : 0;
        if (k->offset && known != bytes_ld32(names + at, big))
            return error_set(err, LATHE_ERR_UNSUPPORTED, LATHE_NO_OFFSET,
                             "the files have different versions of %.64s", k->name);
        if (!k->there)
            k->there = (uint32_t)at + 5;
        at = (uint64_t)(past + 1 - (const char *)names);
    }
    *end = at;
    for (uint64_t i = at; i < size; i++)
        if (names[i] != 0xFF)
            return error_set(err, LATHE_ERR_UNSUPPORTED, rec_encoded(to->doc, to->root.part, 0),
                             "unknown bytes after the class names: lathe cannot add a class");
    return LATHE_OK;
}

static const char *name_of(const hk_writer *w, size_t i, uint32_t *start)
{
    uint32_t v[2];
    memcpy(v, w->virtuals.data + i * sizeof v, sizeof v);
    *start = v[0];
    return (const char *)w->names.data + v[1];
}

/* Appends the names of the other classes, in the order of the objects. */
static lathe_result add_names(const copying *to, hk_writer *w, lathe_error *err)
{
    uint64_t end = 0, size;
    uint32_t start;
    buf more;
    buf_init(&more, &to->doc->mem);
    lathe_result r = find_names(to, w, &end, err);
    bool ok = true;
    for (size_t i = 0; r == LATHE_OK && ok && i < w->virtuals.size / 8; i++) {
        const char *name = name_of(w, i, &start);
        hk_kind *k = hk_kind_of(w, name, strlen(name));
        if (!k || k->there) {
            ok = k != NULL;
            continue;
        }
        k->there = (uint32_t)(end + more.size + 5);
        ok = buf_put(&more, name - 5, strlen(name) + 6);
    }
    hk_class_names(to->doc, to->c, &size);
    if (r == LATHE_OK && ok && more.size) {
        uint64_t from = rec_part_of(to->doc, to->root.part)->size - size;
        uint64_t pad = (HK_ALIGN - (end + more.size) % HK_ALIGN) % HK_ALIGN;
        ok = buf_fill(&more, 0xFF, (size_t)pad);
        r = ok ? rec_splice(to->doc, to->root.part, from + end, size - end, more.data, more.size,
                            err)
               : r;
    }
    buf_free(&more);
    return ok ? r : rec_no_memory(err);
}

/* ---- objects ----------------------------------------------------------------------------------------------- */

static lathe_result add_object(const copying *to, const hk_writer *w, size_t i, lathe_error *err)
{
    lathe_doc *doc = to->doc;
    const rec_part *data = &w->maker->parts[w->data];
    uint32_t start, end = (uint32_t)data->size, part = rec_new_part(&to->root, hk_row(HK_OBJECTS));
    const char *name = name_of(w, i, &start);
    if (i + 1 < w->virtuals.size / 8)
        name_of(w, i + 1, &end);
    if (part == REC_NO_PART || !rec_part_own(doc, &doc->parts[part], end - start))
        return rec_no_memory(err);
    memcpy(doc->parts[part].data, data->data + start, end - start);
    doc->parts[part].size = end - start;
    lathe_result r = hk_look_at(doc, to->c, part, to->base + start, name,
                                bytes_ld32((const uint8_t *)name - 5, w->head->big), err);
    return r == LATHE_OK
               ? rec_part_insert(doc, part, to->root.part, hk_row(HK_OBJECTS), to->first + i, err)
               : r;
}

/* ---- tables ------------------------------------------------------------------------------------------------- */

static size_t records_in(const hk_writer *w, hk_part table)
{
    return table == HK_LOCAL    ? w->locals.size / 8
           : table == HK_GLOBAL ? w->globals.size / sizeof(hk_global)
                                : w->virtuals.size / 8;
}

static hk_fixup record_of(const copying *to, hk_writer *w, hk_part table, size_t i)
{
    uint32_t v[2];
    hk_global g;
    hk_fixup f = {.number = 0};
    if (table == HK_GLOBAL) {
        memcpy(&g, w->globals.data + i * sizeof g, sizeof g);
        v[0] = g.source;
        v[1] = w->starts[g.object] - 1;
        f.section = (uint32_t)rec_int(&to->root, "contents_section_index");
    } else {
        memcpy(v, (table == HK_LOCAL ? w->locals : w->virtuals).data + i * sizeof v, sizeof v);
    }
    f.source = (uint32_t)(to->base + v[0]);
    f.target = (uint32_t)(to->base + v[1]);
    if (table == HK_VIRTUAL) {
        const char *name = name_of(w, i, &v[0]);
        f.target = hk_kind_of(w, name, strlen(name))->there; /* set by find_names or add_names */
        f.section = (uint32_t)rec_int(&to->root, "contents_class_name_section_index");
    }
    return f;
}

static lathe_result add_records(const copying *to, hk_writer *w, hk_part table, lathe_error *err)
{
    size_t n = records_in(w, table), size = (n + 1) * sizeof(hk_fixup);
    hk_fixup *records = mem_alloc(&to->doc->mem, size);
    if (!records)
        return rec_no_memory(err);
    for (size_t i = 0; i < n; i++)
        records[i] = record_of(to, w, table, i);
    lathe_result r = n ? hk_fixups_put(to->doc, to->c, table, hk_fixup_count(to->doc, to->c, table),
                                       records, (uint32_t)n, err)
                       : LATHE_OK;
    mem_free(&to->doc->mem, records, size);
    return r;
}

/* ---- the hook ------------------------------------------------------------------------------------------------ */

static lathe_result take_over(void *user, hk_writer *w, lathe_error *err)
{
    copying *to = user;
    lathe_doc *doc = to->doc;
    uint32_t row = hk_row(HK_OBJECTS);
    lathe_result r =
        hk_may_resize(&to->root, to->root.layout->slots[row].row, to->first, 0, 1, err);
    if (r == LATHE_OK && !hk_ready(doc, to->c))
        r = rec_no_memory(err);
    if (r != LATHE_OK)
        return r;
    uint32_t last = to->first ? rec_kid(doc, to->root.part, row, to->first - 1)
                              : hk_part_of(doc, to->c, HK_LEAD);
    to->base = hk_position(doc, last, rec_part_of(doc, last)->size);
    if (to->base + hk_size(w) >= UINT32_MAX)
        return error_set(err, LATHE_ERR_LIMIT, LATHE_NO_OFFSET, "a packfile has 32-bit positions");
    r = add_names(to, w, err);
    for (size_t i = 0; r == LATHE_OK && i < w->virtuals.size / 8; i++)
        r = add_object(to, w, i, err);
    for (hk_part table = HK_LOCAL; r == LATHE_OK && table <= HK_VIRTUAL; table++)
        r = add_records(to, w, table, err);
    return r;
}

static lathe_result check_game(const copying *to, const rec_at *from, lathe_error *err)
{
    const rec_container *a = &to->doc->containers[to->c];
    const rec_container *b = &from->doc->containers[from->layout->container];
    const char *here = hk_game_of(a->version, a->pointer),
               *there = hk_game_of(b->version, b->pointer);
    if (a->version == b->version)
        return LATHE_OK;
    return rec_fail(from, REC_NO_SLOT, from->off, err, LATHE_ERR_UNSUPPORTED,
                    "an object of %s cannot be copied to a file of %s: convert its document first",
                    there ? there : "another version", here ? here : "this version");
}

lathe_result hk_copy_object(const rec_at *at, uint32_t slot, const rec_at *from, uint64_t *i,
                            lathe_error *err)
{
    lathe_doc *doc = at->doc;
    copying to = {.root = *at, .doc = doc, .c = at->layout->container};
    uint32_t c = from->layout->container;
    const rec_container *own = &doc->containers[to.c], *other = &from->doc->containers[c];
    const rec_part *p = rec_part_of(from->doc, from->part);
    if (slot != hk_row(HK_OBJECTS) || other->format != own->format || from->off ||
        from->layout != p->root || p->owner != other->root || p->slot != slot)
        return rec_fail(at, slot, at->off, err, LATHE_ERR_TYPE, "an object of a packfile expected");
    lathe_result r = check_game(&to, from, err);
    if (r != LATHE_OK)
        return r;
    hk_head head = {.version = own->version, .pointer = own->pointer, .big = own->big};
    uint64_t number = rec_kid_index(from->doc, from->part);
    *i = to.first = rec_kids(doc, at->part, slot);
    return hk_write_from(from->doc, c, number, &head, take_over, &to, err);
}
