/* Documents: opening, making, encoding, saving and closing them. */
#include "base/os.h"
#include "record/companions.h"
#include "record/compressed.h"
#include "record/form.h"
#include "record/index.h"
#include "record/record.h"
#include "record/upper.h"

#include <ctype.h>

static lathe_options options_of(const lathe_options *given)
{
    lathe_options o = {.size = sizeof o};
    if (given) { /* the struct of an older caller is shorter, that of a newer one longer */
        size_t n = given->size < sizeof o ? given->size : sizeof o;
        memcpy(&o, given, n);
        o.size = sizeof o;
    }
    return o;
}

static mem mem_of(const lathe_options *o)
{
    return o->alloc ? (mem){o->alloc, o->alloc_user} : mem_default();
}

/* ---- life -------------------------------------------------------------------------------------- */

lathe_result rec_doc_new(const lathe_options *options, uint8_t *input, size_t size,
                         const char *path, lathe_doc **out, lathe_error *err)
{
    lathe_options o = options_of(options);
    mem m = mem_of(&o);
    lathe_doc *doc = mem_zalloc(&m, sizeof *doc);
    if (!doc) {
        mem_free(&m, input, size);
        return rec_no_memory(err);
    }
    doc->mem = m;
    doc->input = input;
    doc->input_size = size;
    doc->history = o.history;
    doc->extra = o.extra;
    doc->next_state = 1;
    arena_init(&doc->arena, &doc->mem);
    buf_init(&doc->text, &doc->mem);
    buf_init(&doc->held, &doc->mem);
    buf_init(&doc->journal.data, &doc->mem);
    if (path) {
        doc->path_size = strlen(path) + 1;
        doc->path = mem_alloc(&doc->mem, doc->path_size);
        if (!doc->path) {
            lathe_doc_close(doc);
            return rec_no_memory(err);
        }
        memcpy(doc->path, path, doc->path_size);
    }
    lathe_result r = rec_companion_begin(doc, &o, err);
    if (r == LATHE_OK)
        r = rec_upper_floor.begin(doc, &o, err);
    if (r == LATHE_OK)
        *out = doc;
    else
        lathe_doc_close(doc);
    return r;
}

/* ---- caches of formats ----------------------------------------------------------------------------- */

static rec_cached **cached_in(lathe_doc *doc, uint32_t container, const rec_cache *cache)
{
    rec_cached **link = &doc->containers[container].cached;
    while (*link && (*link)->cache != cache)
        link = &(*link)->next;
    return link;
}

static void drop_cached(lathe_doc *doc, rec_cached **link)
{
    rec_cached *what = *link;
    *link = what->next;
    what->cache->release(doc, what);
}

void rec_cache_drop(lathe_doc *doc, uint32_t container, const rec_cache *cache)
{
    rec_cached **link = cached_in(doc, container, cache);
    if (*link)
        drop_cached(doc, link);
}

void *rec_cache_find(lathe_doc *doc, uint32_t container, const rec_cache *cache)
{
    rec_cached **link = cached_in(doc, container, cache);
    if (*link && (!cache->lasts || REC_FORGETS) && (*link)->at != doc->changes)
        drop_cached(doc, link);
    else if (*link)
        return *link;
    return NULL;
}

void rec_cache_put(lathe_doc *doc, uint32_t container, const rec_cache *cache, rec_cached *what)
{
    rec_cache_drop(doc, container, cache);
    rec_container *c = &doc->containers[container];
    what->next = c->cached;
    what->cache = cache;
    what->at = doc->changes;
    c->cached = what;
}

void rec_part_free(lathe_doc *doc, uint32_t part)
{
    rec_part *p = &doc->parts[part];
    if (p->owned)
        mem_free(&doc->mem, p->data, (size_t)p->cap);
    mem_free(&doc->mem, p->log, p->log_cap * sizeof *p->log);
    mem_free(&doc->mem, p->kids, p->kids_cap * sizeof *p->kids);
}

void rec_container_drop(lathe_doc *doc)
{
    rec_index_drop(doc); /* indexes contain pointers to layouts */
    const lathe_format *format = doc->containers[doc->containers_n - 1].format;
    if (format->close)
        format->close(doc, (uint32_t)doc->containers_n - 1);
    rec_container *c = &doc->containers[--doc->containers_n];
    mem_free(&doc->mem, c->layouts, c->layouts_cap * sizeof *c->layouts);
    mem_free(&doc->mem, c->variants, c->variants_cap * sizeof *c->variants);
    mem_free(&doc->mem, c->index, c->index_size);
    while (c->cached)
        drop_cached(doc, &c->cached);
}

/* Frees everything that a failed attempt to open made, so that the next format can be tried. */
static void forget_contents(lathe_doc *doc)
{
    rec_offset_cache_free(doc);
    rec_index_drop(doc);
    for (size_t i = 0; i < doc->parts_n; i++)
        rec_part_free(doc, (uint32_t)i);
    while (doc->containers_n)
        rec_container_drop(doc);
    doc->parts_n = 0;
    doc->order_good = false;
    arena_free(&doc->arena);
    arena_init(&doc->arena, &doc->mem);
}

void lathe_doc_close(lathe_doc *doc)
{
    if (!doc || (doc->holders && doc->holders--))
        return;
    mem m = doc->mem;
    rec_leave(doc);
    rec_upper_floor.over(doc);
    forget_contents(doc);
    rec_companion_close(doc);
    rec_upper_floor.free(doc);
    rec_compressed_free(doc);
    rec_form_free(doc);
    arena_free(&doc->arena);
    rec_history_free(doc);
    rec_journal_free(doc, &doc->journal);
    buf_free(&doc->text);
    buf_free(&doc->held);
    mem_free(&m, doc->parts, doc->parts_cap * sizeof *doc->parts);
    mem_free(&m, doc->containers, doc->containers_cap * sizeof *doc->containers);
    mem_free(&m, doc->order, doc->order_cap * sizeof *doc->order);
    mem_free(&m, doc->derived, doc->derived_cap * sizeof *doc->derived);
    mem_free(&m, doc->by_place, doc->by_place_cap * sizeof *doc->by_place);
    mem_free(&m, doc->path, doc->path_size);
    mem_free(&m, doc->input, doc->input_size);
    os_file_close(doc->file);
    mem_free(&m, doc, sizeof *doc);
}

void lathe_free(lathe_doc *doc, void *bytes)
{
    if (bytes)
        mem_free(&doc->mem, bytes, 0);
}

/* ---- opening ----------------------------------------------------------------------------------- */

uint32_t rec_container_add(lathe_doc *doc, const lathe_format *format, uint32_t root,
                           uint32_t outer)
{
    void *list = doc->containers;
    if (!mem_reserve(&doc->mem, &list, &doc->containers_cap, doc->containers_n + 1,
                     sizeof *doc->containers))
        return UINT32_MAX;
    doc->containers = list;
    doc->has_own = doc->has_own || format->own_type;
    doc->containers[doc->containers_n] = (rec_container){
        .format = format, .root = root, .outer = outer, .big = format->big, .pointer = 8};
    return (uint32_t)doc->containers_n++;
}

lathe_result rec_arrange(lathe_doc *doc, uint32_t container, bool big, uint8_t pointer,
                         int64_t version, lathe_error *err)
{
    rec_container *c = &doc->containers[container];
    c->big = big;
    c->pointer = pointer;
    c->version = version;
    mem_free(&doc->mem, c->layouts, c->layouts_cap * sizeof *c->layouts);
    c->layouts = NULL;
    c->layouts_n = c->layouts_cap = 0;
    mem_free(&doc->mem, c->variants, c->variants_cap * sizeof *c->variants);
    c->variants = NULL;
    c->variants_n = c->variants_cap = 0;
    doc->parts[c->root].root = rec_layout_of(doc, container, c->format->root);
    rec_forget(doc, c->root, 0);
    return doc->parts[c->root].root ? LATHE_OK : rec_no_memory(err);
}

/* Checks that the root record ends where the bytes do. */
static lathe_result open_whole(lathe_doc *doc, uint32_t c, lathe_error *err)
{
    rec_at root = rec_root(doc, c);
    uint64_t size = 0, have = doc->parts[root.part].size;
    lathe_result r = rec_measure(&root, &size, err);
    if (r == LATHE_OK && size != have)
        r = rec_fail(&root, REC_NO_SLOT, size, err, LATHE_ERR_INVALID, "%llu bytes after the end",
                     (unsigned long long)(have - size));
    return r;
}

/* Prepares a container, and calls the .open hook. */
static lathe_result open_added(lathe_doc *doc, uint32_t c, lathe_error *err)
{
    const lathe_format *format = doc->containers[c].format;
    uint32_t part = doc->containers[c].root;
    doc->parts[part].root = format->arranges ? NULL : rec_layout_of(doc, c, format->root);
    if (!format->arranges && !doc->parts[part].root)
        return rec_no_memory(err);
    return format->open ? format->open(doc, c, err) : open_whole(doc, c, err);
}

static lathe_result open_container(lathe_doc *doc, const lathe_format *format, uint32_t part,
                                   uint32_t outer, lathe_error *err)
{
    uint32_t c = rec_container_add(doc, format, part, outer);
    if (c == UINT32_MAX)
        return rec_no_memory(err);
    if (outer != UINT32_MAX) { /* it starts where the part did */
        doc->containers[c].start = doc->parts[part].start;
        doc->parts[part].start = 0;
    }
    doc->parts[part].container = c;
    return open_added(doc, c, err);
}

lathe_result rec_embed(lathe_doc *doc, uint32_t part, const lathe_format *format, lathe_error *err)
{
    uint32_t outer = doc->parts[part].container;
    int depth = 0;
    for (uint32_t c = outer; c != UINT32_MAX; c = doc->containers[c].outer)
        depth++;
    if (depth >= REC_DEPTH)
        return error_set(err, LATHE_ERR_LIMIT, rec_encoded(doc, part, 0),
                         "documents nested deeper than %d", REC_DEPTH);
    return open_container(doc, format, part, outer, err);
}

/* The new container gets number 0 before it is opened, because positions refer to the document. */
lathe_result rec_replace(lathe_doc *doc, const void *bytes, size_t n, lathe_error *err)
{
    const lathe_format *format = doc->containers[0].format;
    uint8_t *copy = arena_zalloc(&doc->arena, n ? n : 1);
    uint32_t part = copy ? rec_part_add(doc, 0) : REC_NO_PART;
    uint32_t c =
        part == REC_NO_PART ? UINT32_MAX : rec_container_add(doc, format, part, UINT32_MAX);
    if (c == UINT32_MAX)
        return rec_no_memory(err);
    if (n)
        memcpy(copy, bytes, n);
    doc->parts[part].data = copy;
    doc->parts[part].size = n;
    doc->parts[part].container = c;
    lathe_result r = rec_swap(doc, c, err);
    return r == LATHE_OK ? open_added(doc, 0, err) : r;
}

static lathe_result open_as(lathe_doc *doc, const lathe_format *format, lathe_error *err)
{
    forget_contents(doc);
    lathe_result r = rec_form_read(doc, format, err);
    uint32_t part = r == LATHE_OK ? rec_part_add(doc, 0) : REC_NO_PART;
    if (part == REC_NO_PART)
        return r == LATHE_OK ? rec_no_memory(err) : r;
    doc->parts[part].data = doc->input;
    doc->parts[part].size = doc->input_size;
    doc->head_size = doc->input_size;
    if (format->head) {
        uint64_t head = format->head(doc->input, doc->input_size);
        doc->head_size = head < doc->input_size ? head : doc->input_size;
        doc->parts[part].size = doc->head_size;
    }
    doc->parts[part].alive = true;
    r = open_container(doc, format, part, UINT32_MAX, err);
    return r == LATHE_OK ? rec_form_opened(doc, err) : r;
}

/* Whether the first n bytes of a path end in a dot and an extension, which is in lower case. */
static bool ends_in(const char *path, size_t n, const char *extension)
{
    size_t size = strlen(extension);
    if (n <= size || path[n - size - 1] != '.')
        return false;
    for (size_t i = 0; i < size; i++)
        if (tolower((unsigned char)path[n - size + i]) != extension[i])
            return false;
    return true;
}

/* Whether a path has an extension of a format, before that of a compression. */
static bool has_extension(const char *path, const lathe_format *format)
{
    size_t n = path ? strlen(path) : 0;
    n -= ends_in(path, n, "zs") ? 3 : ends_in(path, n, "zst") ? 4 : 0;
    for (const char *const *e = format->extensions; *e; e++)
        if (ends_in(path, n, *e))
            return true;
    return false;
}

const lathe_format *const *lathe_formats(size_t *n)
{
    *n = 0;
    while (rec_formats[*n])
        ++*n;
    return rec_formats;
}

static const char *format_name(void *user, size_t i)
{
    (void)user;
    size_t n;
    const lathe_format *const *all = lathe_formats(&n);
    return i < n ? all[i]->name : NULL;
}

lathe_result rec_format_find(const char *name, const lathe_format **out, lathe_error *err)
{
    for (const lathe_format *const *f = rec_formats; *f; f++)
        if (strcmp((*f)->name, name) == 0) {
            *out = *f;
            return LATHE_OK;
        }
    if (!err) /* nobody reads the message: skip the search for it */
        return LATHE_ERR_NAME;
    const char *near = error_nearest(name, format_name, NULL);
    return error_set(err, LATHE_ERR_NAME, LATHE_NO_OFFSET,
                     near ? "no format '%s'; did you mean '%s'?" : "no format '%s'", name, near);
}

static int sniff(const lathe_doc *doc, const lathe_format *f)
{
    return f->sniff ? f->sniff(doc->input, doc->input_size) : REC_SNIFF_MAYBE;
}

/* Chooses the format: by certain content, then by extension, then by a complete parse. */
static lathe_result open_sniffed(lathe_doc *doc, lathe_error *err)
{
    for (const lathe_format *const *f = rec_formats; *f; f++)
        if (sniff(doc, *f) == REC_SNIFF_SURE)
            return open_as(doc, *f, err);
    for (const lathe_format *const *f = rec_formats; *f; f++)
        if (has_extension(doc->path, *f))
            return open_as(doc, *f, err);
    for (const lathe_format *const *f = rec_formats; *f; f++)
        if (sniff(doc, *f) == REC_SNIFF_MAYBE && open_as(doc, *f, NULL) == LATHE_OK)
            return LATHE_OK;
    return error_set(err, LATHE_ERR_FORMAT, LATHE_NO_OFFSET, "not a file of a known format");
}

static lathe_result open_input(const lathe_options *o, os_file *file, uint8_t *input, size_t size,
                               const char *path, const int64_t *param, lathe_doc **out,
                               lathe_error *err)
{
    lathe_doc *doc = NULL;
    const lathe_format *forced = NULL;
    lathe_result r = rec_doc_new(o, input, size, path, &doc, err);
    if (r == LATHE_OK) {
        doc->param = param;
        doc->file = file;
    } else {
        os_file_close(file);
    }
    if (r == LATHE_OK && o->format)
        r = rec_format_find(o->format, &forced, err);
    if (r == LATHE_OK)
        r = rec_uncompress(doc, o, param != NULL, err);
    if (r == LATHE_OK)
        r = forced ? open_as(doc, forced, err) : open_sniffed(doc, err);
    if (doc) {
        doc->extra = NULL;
        doc->param = NULL;
    }
    if (r != LATHE_OK) {
        error_path(err, path);
        lathe_doc_close(doc);
        return r;
    }
    *out = doc;
    return LATHE_OK;
}

lathe_result rec_doc_open(const char *real, const char *path, const lathe_options *options,
                          lathe_doc **doc, lathe_error *err)
{
    lathe_options o = options_of(options);
    mem m = mem_of(&o);
    const lathe_format *forced = NULL;
    os_file *file = NULL;
    uint8_t *data = NULL;
    size_t size = 0;
    lathe_result r = o.format ? rec_format_find(o.format, &forced, err) : LATHE_OK;
    if (r == LATHE_OK)
        r = rec_input_open(real, path, forced, o.limit, &m, &file, &data, &size, err);
    if (r == LATHE_OK && !file)
        r = real ? os_read_real(real, path, o.limit, &m, &data, &size, err)
                 : os_read_file(path, o.limit, &m, &data, &size, err);
    if (r != LATHE_OK) {
        error_path(err, path);
        return r;
    }
    return open_input(&o, file, data, size, path, NULL, doc, err);
}

lathe_result lathe_doc_open(const char *path, const lathe_options *options, lathe_doc **doc,
                            lathe_error *err)
{
    return rec_doc_open(NULL, path, options, doc, err);
}

static lathe_result parse(const void *bytes, size_t n, const lathe_options *options,
                          const int64_t *param, lathe_doc **doc, lathe_error *err)
{
    lathe_options o = options_of(options);
    mem m = mem_of(&o);
    if (o.limit && n > o.limit) {
        error_set(err, LATHE_ERR_LIMIT, LATHE_NO_OFFSET, "%llu bytes, more than the limit of %llu",
                  (unsigned long long)n, (unsigned long long)o.limit);
        error_path(err, o.path);
        return LATHE_ERR_LIMIT;
    }
    uint8_t *copy = n ? mem_alloc(&m, n) : NULL;
    if (n && !copy)
        return rec_no_memory(err);
    if (n)
        memcpy(copy, bytes, n);
    return open_input(&o, NULL, copy, n, o.path, param, doc, err);
}

lathe_result lathe_doc_parse(const void *bytes, size_t n, const lathe_options *options,
                             lathe_doc **doc, lathe_error *err)
{
    return parse(bytes, n, options, NULL, doc, err);
}

/* ---- making ------------------------------------------------------------------------------------ */

static bool to_buf(void *user, const void *bytes, size_t n)
{
    return buf_put(user, bytes, n);
}

lathe_result rec_make(lathe_doc *doc, const lathe_format *format, const lathe_source *fields,
                      buf *out, lathe_error *err)
{
    uint32_t part = rec_part_add(doc, 0);
    uint32_t c =
        part == REC_NO_PART ? UINT32_MAX : rec_container_add(doc, format, part, UINT32_MAX);
    if (c == UINT32_MAX)
        return rec_no_memory(err);
    const rec_layout *root = rec_layout_of(doc, c, format->root);
    if (!root)
        return rec_no_memory(err);
    doc->parts[part].alive = doc->parts[part].owned = true;
    doc->parts[part].root = root;
    rec_at at = rec_root(doc, c);
    rec_from from = {.source = fields};
    lathe_result r = format->begin ? format->begin(doc, c, &from, err) : LATHE_OK;
    if (r == LATHE_OK)
        r = rec_emit(&at, &from, err);
    doc->relaying = true;
    for (size_t i = doc->containers_n; r == LATHE_OK && i-- > 0;) { /* embedded containers first */
        const lathe_format *f = doc->containers[i].format;
        if (f->relayout)
            r = f->relayout(doc, (uint32_t)i, err);
    }
    doc->relaying = false;
    if (r == LATHE_OK && lathe_doc_encode(doc, to_buf, out, NULL) != LATHE_OK)
        r = rec_no_memory(err);
    return r;
}

/* Writes the tables of numbers that waited until the new document is open. */
static lathe_result set_pending(lathe_doc *doc, const buf *pending, lathe_error *err)
{
    const rec_pending *list = (const rec_pending *)(const void *)pending->data;
    uint32_t history = doc->history, slot;
    lathe_result r = pending->size ? rec_begin(doc, err) : LATHE_OK;
    if (!pending->size || r != LATHE_OK)
        return r;
    doc->history = 0; /* a new document has nothing to undo */
    for (size_t i = 0; r == LATHE_OK && i < pending->size / sizeof *list; i++) {
        const rec_from from = {.source = list[i].source, .node = list[i].node, .fresh = true};
        lathe_value record = {.kind = LATHE_KIND_RECORD, .as.v = lathe_doc_root(doc)};
        rec_at at;
        r = rec_path_follow(list[i].path, list[i].path, &record, err);
        if (r == LATHE_OK)
            r = rec_enter(&record.as.v, &at, &slot, err);
        if (r == LATHE_OK)
            r = rec_build_numbers(&at, list[i].later, &from, err);
    }
    r = rec_end(doc, r, err);
    doc->history = history;
    return r;
}

lathe_result lathe_doc_new(const char *format, const lathe_source *fields,
                           const lathe_options *options, lathe_doc **out, lathe_error *err)
{
    lathe_options o = options_of(options);
    const lathe_format *f = NULL;
    lathe_doc *maker = NULL, *doc = NULL;
    buf bytes, pending;
    lathe_result r = rec_format_find(format, &f, err);
    if (r == LATHE_OK)
        r = rec_doc_new(&o, NULL, 0, o.path, &maker, err);
    if (r != LATHE_OK)
        return r;
    buf_init(&bytes, &maker->mem);
    buf_init(&pending, &maker->mem);
    maker->pending = f->make ? NULL : &pending;
    maker->verb_report = o.report;
    r = f->make ? f->make(maker, fields, &bytes, err) : rec_make(maker, f, fields, &bytes, err);
    /* The result is opened like any file, so a document never contains what opening would refuse. */
    o.format = format;
    if (r == LATHE_OK)
        r = parse(bytes.data, bytes.size, &o, &maker->containers[0].param, &doc, err);
    if (r == LATHE_OK && (r = set_pending(doc, &pending, err)) != LATHE_OK)
        lathe_doc_close(doc);
    if (r == LATHE_OK)
        *out = doc;
    if (r == LATHE_OK)
        rec_doc_mark_modified(doc);
    else
        error_path(err, o.path);
    buf_free(&bytes);
    buf_free(&pending);
    lathe_doc_close(maker);
    return r;
}

void rec_doc_mark_modified(lathe_doc *doc)
{
    doc->state = doc->next_state++;
}

/* ---- queries ---------------------------------------------------------------------------------- */

bool lathe_doc_modified(const lathe_doc *doc)
{
    return doc->state != doc->saved || doc->journal.n > 0 || rec_compression_changed(doc);
}

const char *lathe_doc_info(const lathe_doc *doc, const char *what)
{
    const lathe_format *f = doc->containers[0].format;
    if (strcmp(what, "format") == 0)
        return f->name;
    if (strcmp(what, "path") == 0)
        return doc->path;
    if (strcmp(what, "compression") == 0)
        return rec_compression(doc);
    if (strcmp(what, "container") == 0)
        return rec_form_of(doc);
    if (strcmp(what, "game") == 0)
        return f->game                                   ? f->game(doc)
               : f->games && f->games[0] && !f->games[1] ? f->games[0]
                                                         : NULL;
    return NULL;
}

const char *lathe_version(void)
{
    return LATHE_VERSION;
}
