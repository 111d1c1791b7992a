/* Objects that come and go: a part, its record in the table of objects, the name of its class. A new object comes
 * behind the others; one that goes leaves null in the pointers that led to it. */
#include "havok/packfile/object_list.h"
#include "havok/packfile/layout_rules.h"

/* ---- class names ----------------------------------------------------------------------------------------- */

/* The section that names classes: entries of a signature, a 9 and a name, and 0xFF up to its end. */
typedef struct names {
    const uint8_t *data;
    uint64_t size, end; /* of the section, of the entries */
    uint64_t last;      /* where the last entry begins */
    uint64_t found;     /* the name that was looked for; 0: it is not there */
} names;

static names names_of(lathe_doc *doc, uint32_t c, const char *wanted)
{
    names n = {0};
    n.data = (const uint8_t *)hk_class_names(doc, c, &n.size);
    while (n.size - n.end > 5 && n.data[n.end + 4] == HK_NAME_MARK) {
        const char *name = (const char *)n.data + n.end + 5;
        const char *end = memchr(name, 0, (size_t)(n.size - n.end - 5));
        if (!end)
            break;
        if (wanted && !n.found && strcmp(name, wanted) == 0)
            n.found = n.end + 5;
        n.last = n.end;
        n.end = (uint64_t)(end - (const char *)n.data) + 1;
    }
    return n;
}

/* Entries up to `end`, and `size` bytes more behind them. */
static lathe_result put_names(lathe_doc *doc, uint32_t c, const names *n, uint64_t end,
                              const uint8_t *entry, uint64_t size, lathe_error *err)
{
    uint8_t bytes[5 + HK_CLASS_NAME_MOST + HK_ALIGN];
    uint32_t root = doc->containers[c].root;
    uint64_t from = rec_part_of(doc, root)->size - n->size;
    uint64_t pad = (HK_ALIGN - (end + size) % HK_ALIGN) % HK_ALIGN;
    for (uint64_t i = n->end; i < n->size; i++)
        if (n->data[i] != 0xFF)
            return error_set(err, LATHE_ERR_UNSUPPORTED, rec_encoded(doc, root, from + i),
                             "unknown bytes after the class names: lathe cannot add a class");
    if (size)
        memcpy(bytes, entry, (size_t)size);
    memset(bytes + size, 0xFF, (size_t)pad);
    return rec_splice(doc, root, from + end, n->size - end, bytes, size + pad, err);
}

/* Where the name of a class is; it comes behind the others where it is missing. */
static lathe_result name_class(lathe_doc *doc, uint32_t c, const char *class, uint64_t *at,
                               lathe_error *err)
{
    uint8_t entry[5 + HK_CLASS_NAME_MOST];
    names n = names_of(doc, c, class);
    size_t length = strlen(class) + 1;
    const rec_container *own = &doc->containers[c];
    uint32_t signature = hk_signature(own->format, class, own->version);
    lathe_error why;
    *at = n.found ? n.found : n.end + 5;
    if (n.found && !hk_described_as(own->format, class, own->version,
                                    bytes_ld32(n.data + n.found - 5, own->big), &why))
        return error_set(err, LATHE_ERR_UNSUPPORTED, LATHE_NO_OFFSET,
                         "the file has %s of another version", class);
    if (n.found)
        return LATHE_OK;
    if (!signature || length > HK_CLASS_NAME_MOST)
        return error_set(err, LATHE_ERR_UNSUPPORTED, LATHE_NO_OFFSET,
                         "the signature of %s in such files is not known", class);
    bytes_st32(entry, signature, doc->containers[c].big);
    entry[4] = HK_NAME_MARK;
    memcpy(entry + 5, class, length);
    return put_names(doc, c, &n, n.end, entry, 5 + length, err);
}

/* Removes the last name where no object has it any more. In damaged files the name of another object may begin inside of
 * it: then it stays. */
static lathe_result forget_class(lathe_doc *doc, uint32_t c, uint64_t at, lathe_error *err)
{
    rec_at root = rec_root(doc, c);
    names n = names_of(doc, c, NULL);
    uint64_t contents = (uint64_t)rec_int(&root, "contents_class_name_section_offset");
    uint32_t first;
    if (n.last + 5 != at || hk_fixup_targets(doc, c, HK_VIRTUAL, n.last, n.size, &first) ||
        (contents >= n.last && contents < n.size))
        return LATHE_OK;
    return put_names(doc, c, &n, n.last, NULL, 0, err);
}

/* ---- objects that come ------------------------------------------------------------------------------------- */

const rec_type *hk_type_named(lathe_doc *doc, uint32_t part, const char *name, size_t n)
{
    char class[HK_CLASS_NAME_MOST];
    const rec_container *c = &doc->containers[rec_part_of(doc, part)->container];
    if (!name || n >= sizeof class)
        return &hk_opaque;
    memcpy(class, name, n);
    class[n] = '\0';
    const rec_type *described = hk_described(c->format, class, c->version);
    return described ? described : &hk_opaque;
}

static lathe_result list_object(lathe_doc *doc, uint32_t c, uint32_t part, lathe_error *err)
{
    const rec_type *type = rec_part_of(doc, part)->root->type;
    uint64_t at = 0;
    if (type == &hk_opaque) {
        const rec_at self = {.doc = doc, .layout = rec_part_of(doc, part)->root, .part = part};
        return rec_fail(&self, REC_NO_SLOT, 0, err, LATHE_ERR_UNSUPPORTED,
                        "it needs a class that is described in such files: { class = \"…\" }");
    }
    lathe_result r = name_class(doc, c, rec_type_name(type), &at, err);
    if (r == LATHE_OK && !hk_ready(doc, c))
        r = rec_no_memory(err);
    return r == LATHE_OK ? hk_fixup_insert(doc, c, HK_VIRTUAL, hk_fixup_count(doc, c, HK_VIRTUAL),
                                           hk_position(doc, part, 0), at, err)
                         : r;
}

/* Zeros at the end of a part of the data. */
static lathe_result pad(lathe_doc *doc, uint32_t part, uint64_t n, lathe_error *err)
{
    return n ? rec_cut_bytes(doc, part, rec_part_of(doc, part)->size, 0, NULL, n, LATHE_NO_OFFSET,
                             err)
             : LATHE_OK;
}

/* The data end on a multiple of 16. */
static lathe_result pad_end(lathe_doc *doc, uint32_t c, uint32_t last, lathe_error *err)
{
    if (!hk_ready(doc, c))
        return rec_no_memory(err);
    uint64_t past = hk_position(doc, last, rec_part_of(doc, last)->size) % HK_ALIGN;
    return pad(doc, last, past ? HK_ALIGN - past : 0, err);
}

lathe_result hk_list_objects(lathe_doc *doc, uint32_t c, lathe_error *err)
{
    uint64_t n, first;
    const uint32_t *objects = rec_kid_list(doc, doc->containers[c].root, hk_row(HK_OBJECTS), &n);
    hk_fixup f;
    lathe_result r = n && !hk_ready(doc, c) ? rec_no_memory(err) : LATHE_OK;
    for (first = n; r == LATHE_OK && first > 0; first--) /* new ones are the last */
        if (hk_fixup_find(doc, c, HK_VIRTUAL, hk_position(doc, objects[first - 1], 0), &f))
            break;
    for (uint64_t i = first; r == LATHE_OK && i < n; i++) {
        if (doc->depth > 1 && rec_part_of(doc, objects[i])->root->type == &hk_opaque)
            return LATHE_OK; /* nobody told yet of what class it is */
        r = list_object(doc, c, objects[i], err);
    }
    return r == LATHE_OK && first < n ? pad_end(doc, c, objects[n - 1], err) : r;
}

/* ---- objects that go --------------------------------------------------------------------------------------- */

static lathe_result fail(const rec_at *at, const char *why, lathe_error *err)
{
    return rec_fail(at, hk_row(HK_OBJECTS), at->off, err, LATHE_ERR_UNSUPPORTED, "%s", why);
}

/* Whether a pointer to data leads into [from, to), or out of it. */
static bool shares_data(lathe_doc *doc, uint32_t c, uint64_t from, uint64_t to)
{
    uint32_t first, n = hk_fixup_sources(doc, c, HK_LOCAL, from, to, &first);
    for (uint32_t i = 0; i < n; i++) {
        hk_fixup f = hk_fixup_by_source(doc, c, HK_LOCAL, first + i);
        if (f.target < from || f.target > to)
            return true;
    }
    n = hk_fixup_targets(doc, c, HK_LOCAL, from, to, &first);
    for (uint32_t i = 0; i < n; i++) {
        hk_fixup f = hk_fixup_by_target(doc, c, HK_LOCAL, first + i);
        if (f.source < from || f.source >= to)
            return true;
    }
    return false;
}

/* All records of the tables that tell of [from, to). */
static lathe_result unlist(lathe_doc *doc, uint32_t c, uint64_t from, uint64_t to, lathe_error *err)
{
    hk_fixup object;
    bool listed = hk_fixup_find(doc, c, HK_VIRTUAL, from, &object);
    lathe_result r = hk_fixups_drop(doc, c, HK_LOCAL, from, from, to, err);
    if (r == LATHE_OK && hk_ready(doc, c))
        r = hk_fixups_drop(doc, c, HK_GLOBAL, from, from, to, err);
    if (r == LATHE_OK && hk_ready(doc, c) && listed)
        r = hk_fixup_remove(doc, c, HK_VIRTUAL, object.number, 1, err);
    if (r == LATHE_OK && !hk_ready(doc, c))
        r = rec_no_memory(err);
    return r == LATHE_OK && listed ? forget_class(doc, c, object.target, err) : r;
}

/* An object's bytes go, with all that leads to them. What is behind it moves by a multiple of 16. */
static lathe_result empty_object(const rec_at *at, uint64_t i, lathe_error *err)
{
    lathe_doc *doc = at->doc;
    uint32_t c = at->layout->container, slot = hk_row(HK_OBJECTS);
    uint32_t part = rec_kid(doc, at->part, slot, i);
    uint64_t size = rec_part_of(doc, part)->size, from = hk_position(doc, part, 0);
    if (shares_data(doc, c, from, from + size))
        return fail(at,
                    "data of one object lie in another: serialize() the document first, which "
                    "separates them",
                    err);
    lathe_result r = unlist(doc, c, from, from + size, err);
    if (r == LATHE_OK && i + 1 < rec_kids(doc, at->part, slot) && size % HK_ALIGN)
        r = pad(doc, i ? rec_kid(doc, at->part, slot, i - 1) : hk_part_of(doc, c, HK_LEAD),
                size % HK_ALIGN, err);
    if (r == LATHE_OK && !hk_ready(doc, c))
        r = rec_no_memory(err);
    return r == LATHE_OK && size ? rec_cut_bytes(doc, part, 0, size, NULL, 0, LATHE_NO_OFFSET, err)
                                 : r;
}

lathe_result hk_may_resize(const rec_at *at, const rec_field *row, uint64_t i, uint64_t removed,
                           uint64_t inserted, lathe_error *err)
{
    lathe_doc *doc = at->doc;
    uint32_t c = at->layout->container, slot = hk_row(HK_OBJECTS);
    uint64_t n = rec_kids(doc, at->part, slot);
    (void)row;
    if (!hk_ready(doc, c))
        return rec_no_memory(err);
    if (inserted && i != n)
        return fail(at, "a new object can only be appended", err);
    if (inserted)
        return pad_end(doc, c,
                       n ? rec_kid(doc, at->part, slot, n - 1) : hk_part_of(doc, c, HK_LEAD), err);
    uint64_t root = hk_object_at(doc, c, (uint64_t)rec_int(at, "contents_section_offset"));
    if (root && root - 1 >= i && root - 1 < i + removed)
        return fail(at, "the root object cannot be removed", err);
    lathe_result r = LATHE_OK;
    for (uint64_t k = i + removed; r == LATHE_OK && k-- > i;)
        r = hk_ready(doc, c) ? empty_object(at, k, err) : rec_no_memory(err);
    return r;
}
