/* What all fuzz targets do with a document: look at everything, edit it as the input's last bytes say,
 * and hold the engine to its promises. A broken promise aborts, with the seed of what went wrong in
 * the input. Only the public header is used. */
#ifndef LATHE_FUZZ_H
#define LATHE_FUZZ_H

#include "lathe.h"
#include "promise.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- decisions: the input from its end backwards, then a sequence that follows from it ------------ */

typedef struct fuzz_dice {
    const uint8_t *data;
    size_t left;
    uint64_t state;
} fuzz_dice;

static fuzz_dice fuzz_dice_of(const uint8_t *data, size_t size)
{
    fuzz_dice d = {data, size, 0x9e3779b97f4a7c15u};
    for (size_t i = 0; i < size; i++)
        d.state = (d.state ^ data[i]) * 0x100000001b3u;
    return d;
}

static uint32_t fuzz_roll(fuzz_dice *d, uint32_t n) /* 0 .. n - 1 */
{
    if (n == 0)
        return 0;
    d->state ^= d->state << 13;
    d->state ^= d->state >> 7;
    d->state ^= d->state << 17;
    if (d->left && n <= 256)
        return d->data[--d->left] % n;
    return (uint32_t)(d->state >> 20) % n;
}

/* ---- memory that is counted and runs out on demand -------------------------------------------- */

typedef struct fuzz_memory {
    long until; /* calls that still succeed; negative: all do */
    size_t now, peak;
} fuzz_memory;

enum {
    FUZZ_MOST = 1 << 28
}; /* bytes in one piece: an edit makes 64 MiB from a number, but edits add up */

static void *fuzz_alloc(void *user, void *p, size_t old_size, size_t new_size)
{
    fuzz_memory *m = user;
    if (new_size == 0) {
        m->now -= p ? old_size : 0;
        free(p);
        return NULL;
    }
    if (m->until == 0 || new_size > FUZZ_MOST)
        return NULL;
    if (m->until > 0)
        m->until--;
    m->now += new_size - (p ? old_size : 0);
    m->peak = m->now > m->peak ? m->now : m->peak;
    return realloc(p, new_size);
}

/* ---- bytes ------------------------------------------------------------------------------------------- */

typedef struct fuzz_bytes {
    uint8_t *p;
    size_t n, cap;
} fuzz_bytes;

static bool fuzz_sink(void *user, const void *bytes, size_t n)
{
    fuzz_bytes *b = user;
    if (n > b->cap - b->n) {
        b->cap = 2 * (b->n + n);
        b->p = realloc(b->p, b->cap);
    }
    if (n)
        memcpy(b->p + b->n, bytes, n);
    b->n += n;
    return true;
}

static fuzz_bytes fuzz_encode(lathe_doc *doc)
{
    fuzz_bytes b = {NULL, 0, 0};
    lathe_error err;
    PROMISE(lathe_doc_encode(doc, fuzz_sink, &b, &err) == LATHE_OK);
    PROMISE(lathe_doc_size(doc) == b.n);
    return b;
}

static bool fuzz_same(const fuzz_bytes *a, const fuzz_bytes *b)
{
    return a->n == b->n && (a->n == 0 || memcmp(a->p, b->p, a->n) == 0);
}

/* Whether the document still encodes to these bytes, which it takes. */
static bool fuzz_still(lathe_doc *doc, fuzz_bytes *before)
{
    fuzz_bytes now = fuzz_encode(doc);
    bool same = fuzz_same(&now, before);
    free(now.p);
    free(before->p);
    return same;
}

/* ---- looking ------------------------------------------------------------------------------------------ */

static bool fuzz_finding(void *user, const lathe_error *e)
{
    size_t *n = user;
    char text[64];
    lathe_error_text(e, text, sizeof text);
    return ++*n < 1000;
}

static bool fuzz_is_view(const lathe_value *v)
{
    return v->kind == LATHE_KIND_RECORD || v->kind == LATHE_KIND_ARRAY;
}

/* Where storage overlaps in a damaged file a place has several paths, and the one that is told may lead to another record. */
static bool fuzz_any_path;

/* A view's path leads back to it, and its span lies inside the document. */
static void fuzz_place(lathe_view view)
{
    char path[4096];
    uint64_t off, size;
    lathe_value back;
    lathe_error err;
    size_t n = lathe_view_path(view, NULL, path, sizeof path);
    if (lathe_view_span(view, NULL, &off, &size, &err) != LATHE_OK)
        return; /* removed, or data that do not read */
    if (!lathe_doc_info(view.doc, "compression"))
        PROMISE(off + size <= lathe_doc_size(view.doc));
    if (n >= sizeof path || fuzz_any_path)
        return;
    PROMISE(lathe_view_at(lathe_doc_root(view.doc), path, &back, &err) == LATHE_OK);
    PROMISE(fuzz_is_view(&back) && lathe_view_same(back.as.v, view));
}

/* So does the span of a field, where it has one. */
static void fuzz_field(lathe_view record, const char *name)
{
    uint64_t off, size;
    lathe_error err;
    if (lathe_view_span(record, name, &off, &size, &err) == LATHE_OK &&
        !lathe_doc_info(record.doc, "compression"))
        PROMISE(off <= lathe_doc_size(record.doc) && size <= lathe_doc_size(record.doc) - off);
}

static void fuzz_walk(lathe_view view, bool array, int depth, int *budget)
{
    uint64_t n = lathe_view_count(view);
    fuzz_place(view);
    for (uint64_t i = 0; i < n && --*budget > 0; i++) {
        lathe_field_info info = {.size = sizeof info};
        lathe_value v;
        lathe_error err;
        lathe_result r;
        if (array) {
            r = lathe_view_item(view, i, &v, &err);
        } else {
            PROMISE(lathe_view_describe(view, i, &info));
            fuzz_field(view, info.name);
            r = lathe_view_get(view, info.name, &v, &err);
        }
        if (r == LATHE_OK && v.kind == LATHE_KIND_STRING) { /* every byte of it is there */
            uint8_t sum = 0;
            for (size_t k = 0; k < v.as.s.n; k++)
                sum = (uint8_t)(sum + (uint8_t)v.as.s.p[k]);
            *budget -= sum == 0; /* used, so that reading is not optimised away */
        } else if (r == LATHE_OK && fuzz_is_view(&v) && depth < 24) {
            fuzz_walk(v.as.v, v.kind == LATHE_KIND_ARRAY, depth + 1, budget);
        }
    }
}

static void fuzz_look(lathe_doc *doc)
{
    int budget = 400;
    size_t findings = 0;
    lathe_doc_check(doc, fuzz_finding, &findings);
    fuzz_walk(lathe_doc_root(doc), false, 0, &budget);
    uint64_t size = lathe_doc_size(doc), step = size / 12 + 1;
    for (uint64_t off = 0; off < size; off += step) {
        lathe_view view;
        const char *field;
        lathe_error err;
        if (lathe_doc_at(doc, off, &view, &field, &err) == LATHE_OK)
            fuzz_place(view);
    }
}

/* ---- places and values --------------------------------------------------------------------- */

typedef struct fuzz_spot { /* a field of a record, or element `index` of an array */
    lathe_view view;
    bool array;
    uint64_t index;
    lathe_field_info info;
} fuzz_spot;

static lathe_result fuzz_get(const fuzz_spot *s, lathe_value *v)
{
    lathe_error err;
    return s->array ? lathe_view_item(s->view, s->index, v, &err)
                    : lathe_view_get(s->view, s->info.name, v, &err);
}

static fuzz_spot fuzz_pick_below(fuzz_dice *d, lathe_view record)
{
    fuzz_spot s = {.view = record};
    for (int depth = 0;; depth++) {
        lathe_value v;
        uint64_t n = lathe_view_count(s.view);
        s.index = fuzz_roll(d, n < 256 ? (uint32_t)n : 256);
        s.info = (lathe_field_info){.size = sizeof s.info};
        lathe_view_describe(s.view, s.array ? 0 : s.index, &s.info);
        if (n == 0 || depth > 12 || fuzz_get(&s, &v) != LATHE_OK || !fuzz_is_view(&v) ||
            fuzz_roll(d, 8) == 0)
            return s;
        s.view = v.as.v;
        s.array = v.kind == LATHE_KIND_ARRAY;
    }
}

static fuzz_spot fuzz_pick(fuzz_dice *d, lathe_doc *doc)
{
    return fuzz_pick_below(d, lathe_doc_root(doc));
}

/* Any array, reached the same way; false where the way ended at something else. */
static bool fuzz_pick_array(fuzz_dice *d, lathe_doc *doc, lathe_view *array)
{
    for (int tries = 0; tries < 4; tries++) {
        fuzz_spot s = fuzz_pick(d, doc);
        lathe_value v;
        *array = s.view;
        if (s.array)
            return true;
        if (lathe_view_count(s.view) && fuzz_get(&s, &v) == LATHE_OK &&
            v.kind == LATHE_KIND_ARRAY) {
            *array = v.as.v;
            return true;
        }
    }
    return false;
}

static lathe_value fuzz_value(fuzz_dice *d, lathe_doc *doc, lathe_kind kind)
{
    static const int64_t whole[] = {0,      1,          -1,         2,         7,        127,
                                    128,    255,        256,        32767,     32768,    65535,
                                    -32768, 2147483647, 4294967295, INT64_MAX, INT64_MIN};
    static const double real[] = {0.0, 1.0, -0.5, 1e-45, 3.4e38, 1e300, 0.1, 65504.0, 1e-310};
    static const char *const text[] = {"",  "x",   "head", "Thigh",
                                       "l", "box", "m",    "a longer text of no use"};
    static char any[300];
    lathe_value v = {.kind = fuzz_roll(d, 16) ? kind : (lathe_kind)fuzz_roll(d, LATHE_KIND_COUNT)};
    uint32_t k = fuzz_roll(d, 32);
    switch (v.kind) {
    case LATHE_KIND_BOOL: v.as.b = k % 2 == 0; break;
    case LATHE_KIND_INT: v.as.i = whole[k % (sizeof whole / sizeof *whole)]; break;
    case LATHE_KIND_UINT: v.as.u = (uint64_t)whole[k % (sizeof whole / sizeof *whole)]; break;
    case LATHE_KIND_REAL: v.as.f = real[k % (sizeof real / sizeof *real)]; break;
    case LATHE_KIND_STRING:
        v.as.s.p = text[k % 8];
        v.as.s.n = strlen(text[k % 8]);
        if (k >= 16) {
            memset(any, (int)k, sizeof any);
            v.as.s.p = any;
            v.as.s.n = fuzz_roll(d, k >= 30 ? 300 : 24);
        }
        break;
    case LATHE_KIND_RECORD:
    case LATHE_KIND_ARRAY: {
        fuzz_spot s = fuzz_pick(d, doc);
        v.kind = s.array ? LATHE_KIND_ARRAY : LATHE_KIND_RECORD;
        v.as.v = s.view;
        break;
    }
    default: break;
    }
    return v;
}

/* A view as a source: reads a record or array value by value, as a host's own data would come. */
enum { FUZZ_NODES = 256 };
typedef struct fuzz_source {
    lathe_value nodes[FUZZ_NODES];
    size_t n;
} fuzz_source;

static const lathe_value *fuzz_node(fuzz_source *s, const void *node)
{
    return node ? node : &s->nodes[0];
}

static bool fuzz_source_get(void *user, const void *node, const char *name, uint64_t index,
                            lathe_value *leaf, const void **child)
{
    fuzz_source *s = user;
    const lathe_value *at = fuzz_node(s, node);
    lathe_error err;
    lathe_result r = name ? lathe_view_get(at->as.v, name, leaf, &err)
                          : lathe_view_item(at->as.v, index, leaf, &err);
    if (r != LATHE_OK || leaf->kind == LATHE_KIND_NONE || s->n == FUZZ_NODES) {
        leaf->kind = LATHE_KIND_NONE;
        return false;
    }
    if (fuzz_is_view(leaf)) {
        s->nodes[s->n] = *leaf;
        *child = &s->nodes[s->n++];
    }
    return true;
}

static uint64_t fuzz_source_count(void *user, const void *node)
{
    const lathe_value *at = fuzz_node(user, node);
    return at->kind == LATHE_KIND_ARRAY ? lathe_view_count(at->as.v) : 0;
}

/* The number that verbs ask for, under whatever name. */
static bool fuzz_args_get(void *user, const void *node, const char *name, uint64_t index,
                          lathe_value *leaf, const void **child)
{
    (void)node;
    (void)index;
    (void)child;
    if (!name || (strcmp(name, "factor") != 0 && strcmp(name, "version") != 0))
        return false;
    *leaf = *(const lathe_value *)user;
    return true;
}

static uint64_t fuzz_args_count(void *user, const void *node)
{
    (void)user;
    (void)node;
    return 0;
}

static void fuzz_skipped(void *user, const char *path, const char *reason)
{
    (void)user;
    PROMISE(path && reason);
}

/* ---- edits -------------------------------------------------------------------------------------------- */

static lathe_result fuzz_set(fuzz_dice *d, lathe_doc *doc, lathe_error *err)
{
    fuzz_spot s = fuzz_pick(d, doc);
    lathe_value v = fuzz_value(
        d, doc, s.info.flags & LATHE_FIELD_ARRAY && !s.array ? LATHE_KIND_ARRAY : s.info.kind);
    if (!s.array && !s.info.name)
        return LATHE_OK;
    return s.array ? lathe_view_set_item(s.view, s.index, &v, err)
                   : lathe_view_set(s.view, s.info.name, &v, err);
}

static lathe_result fuzz_resize(fuzz_dice *d, lathe_doc *doc, bool grow, lathe_error *err)
{
    lathe_view array;
    if (!fuzz_pick_array(d, doc, &array))
        return LATHE_OK;
    uint64_t count = lathe_view_count(array);
    uint64_t i = fuzz_roll(d, count < 255 ? (uint32_t)count + 1 : 256), n = fuzz_roll(d, 5);
    if (fuzz_roll(d, 4) == 0)
        return lathe_view_move(array, i, n, err);
    if (fuzz_roll(d, 32) == 0)
        n = UINT64_MAX - fuzz_roll(d, 256); /* what no memory holds */
    return grow ? lathe_view_insert(array, i, n, err) : lathe_view_remove(array, i, n, err);
}

static lathe_result fuzz_build(fuzz_dice *d, lathe_doc *doc, lathe_error *err)
{
    fuzz_spot from = fuzz_pick(d, doc), to = fuzz_pick(d, doc);
    fuzz_source nodes = {.n = 1};
    lathe_source source = {.size = offsetof(lathe_source, name),
                           .user = &nodes,
                           .get = fuzz_source_get,
                           .count = fuzz_source_count};
    nodes.nodes[0].kind = from.array ? LATHE_KIND_ARRAY : LATHE_KIND_RECORD;
    nodes.nodes[0].as.v = from.view;
    return lathe_view_build(to.view, &source, err);
}

static lathe_result fuzz_verb(fuzz_dice *d, lathe_doc *doc, lathe_error *err)
{
    lathe_report report = {.size = sizeof report, .skipped = fuzz_skipped};
    lathe_value factor = fuzz_value(d, doc, LATHE_KIND_REAL);
    lathe_source args = {
        .size = sizeof args, .user = &factor, .get = fuzz_args_get, .count = fuzz_args_count};
    static const char *const verbs[] = {"scale", "bounding_sphere", "rename_all", "upgrade",
                                        "set_version"};
    uint32_t verb = fuzz_roll(d, 5);
    if (verb == 4)
        factor = (lathe_value){.kind = LATHE_KIND_INT, .as.i = 2 + fuzz_roll(d, 4)};
    return lathe_view_call(lathe_doc_root(doc), verbs[verb], &args, &report, err);
}

static lathe_result fuzz_edit(fuzz_dice *d, lathe_doc *doc, int depth);

static lathe_result fuzz_nested(fuzz_dice *d, lathe_doc *doc, int depth, lathe_error *err)
{
    bool keep = fuzz_roll(d, 3) != 0;
    fuzz_bytes before = fuzz_encode(doc);
    lathe_result r = lathe_edit_begin(doc, err);
    for (uint32_t n = r == LATHE_OK ? fuzz_roll(d, 4) : 0; n > 0; n--)
        fuzz_edit(d, doc, depth + 1);
    if (r == LATHE_OK)
        lathe_edit_end(doc, keep, NULL);
    if (r != LATHE_OK || !keep)
        PROMISE(fuzz_still(doc, &before));
    else
        free(before.p);
    return LATHE_OK;
}

/* One edit. What fails has changed nothing. */
static lathe_result fuzz_edit(fuzz_dice *d, lathe_doc *doc, int depth)
{
    lathe_error err;
    lathe_result r = LATHE_OK;
    fuzz_bytes before = fuzz_encode(doc);
    switch (fuzz_roll(d, depth < 3 ? 12 : 9)) {
    case 0:
    case 1:
    case 2: r = fuzz_set(d, doc, &err); break;
    case 3:
    case 4: r = fuzz_resize(d, doc, true, &err); break;
    case 5:
    case 6: r = fuzz_resize(d, doc, false, &err); break;
    case 7: r = fuzz_build(d, doc, &err); break;
    case 8: r = fuzz_verb(d, doc, &err); break;
    case 9: r = fuzz_nested(d, doc, depth, &err); break;
    default:
        if (depth == 0)
            lathe_edit_undo(doc, fuzz_roll(d, 2) ? 1 : -1);
        else
            PROMISE(!lathe_edit_undo(doc, 1)); /* not in the middle of an edit */
        break;
    }
    if (r != LATHE_OK)
        PROMISE(fuzz_still(doc, &before));
    else
        free(before.p);
    return r;
}

/* ---- a document's life ------------------------------------------------------------------------ */

enum { FUZZ_HELD = 6, FUZZ_HISTORY = 64 };

/* The file does not say all that was edited: what was saved need not open. */
static bool fuzz_forgetful;

static void fuzz_reparse(const char *format, lathe_doc *doc)
{
    fuzz_bytes b = fuzz_encode(doc);
    lathe_options options = {.size = sizeof options, .format = format, .path = "again"};
    lathe_doc *again = NULL;
    lathe_error err;
    char text[1024];
    bool parsed = lathe_doc_parse(b.p, b.n, &options, &again, &err) == LATHE_OK;
    if (!parsed) {
        lathe_error_text(&err, text, sizeof text);
        fprintf(stderr, "%s\n", text);
    }
    PROMISE(parsed || fuzz_forgetful);
    PROMISE(parsed ? fuzz_still(again, &b) : fuzz_still(doc, &b));
    lathe_doc_close(again);
}

/* An edit that runs out of memory somewhere: all of it happens, or nothing. */
static void fuzz_tight(fuzz_dice *d, lathe_doc *doc, fuzz_memory *memory)
{
    fuzz_bytes before = fuzz_encode(doc);
    lathe_error err;
    uint32_t what = fuzz_roll(d, 4);
    memory->until = (long)fuzz_roll(d, 16);
    lathe_result r = what == 0   ? fuzz_set(d, doc, &err)
                     : what == 1 ? fuzz_build(d, doc, &err)
                                 : fuzz_resize(d, doc, what == 2, &err);
    memory->until = -1;
    if (r != LATHE_OK)
        PROMISE(fuzz_still(doc, &before));
    else
        free(before.p);
}

/* Edits while views are held, then all the way back and forth again. */
static void fuzz_life(fuzz_dice *d, const char *format, lathe_doc *doc, fuzz_memory *memory)
{
    fuzz_bytes start = fuzz_encode(doc);
    fuzz_spot held[FUZZ_HELD];
    bool tight = fuzz_roll(d, 8) == 0, modified = lathe_doc_modified(doc);
    uint32_t edits = fuzz_roll(d, 24);
    int steps = 0;
    for (int i = 0; i < FUZZ_HELD; i++)
        held[i] = fuzz_pick(d, doc);
    for (uint32_t i = 0; i < edits; i++) {
        int budget = 30;
        if (tight)
            fuzz_tight(d, doc, memory);
        else
            fuzz_edit(d, doc, 0);
        fuzz_walk(held[i % FUZZ_HELD].view, held[i % FUZZ_HELD].array, 0, &budget);
    }
    while (lathe_edit_undo(doc, -1)) /* an undo may have been the last step */
        ;
    fuzz_reparse(format, doc);
    fuzz_look(doc);
    fuzz_bytes end = fuzz_encode(doc);
    while (steps <= FUZZ_HISTORY && lathe_edit_undo(doc, 1))
        steps++;
    PROMISE(steps <= FUZZ_HISTORY);
    if (!tight) { /* without memory for it, history is forgotten */
        PROMISE(fuzz_still(doc, &start));
        PROMISE(lathe_doc_modified(doc) == modified);
    } else {
        free(start.p);
    }
    PROMISE(steps == 0 || lathe_edit_undo(doc, -steps));
    PROMISE(fuzz_still(doc, &end));
}

/* The target: `made` makes a document of the format from nothing instead of reading the bytes. */
static inline void fuzz_document(const char *format, const uint8_t *data, size_t size, bool made)
{
    fuzz_memory memory = {.until = -1};
    fuzz_dice d = fuzz_dice_of(data, size);
    lathe_options options = {.size = sizeof options,
                             .format = format,
                             .path = "fuzz",
                             .history = FUZZ_HISTORY,
                             .alloc = fuzz_alloc,
                             .alloc_user = &memory};
    lathe_doc *doc = NULL;
    lathe_error err;
    if (!made && size >= 4 && memcmp(data, "\x28\xB5\x2F\xFD", 4) == 0)
        return; /* compressed: fuzz_zstd */
    lathe_result r = made ? lathe_doc_new(format, NULL, &options, &doc, &err)
                          : lathe_doc_parse(data, size, &options, &doc, &err);
    PROMISE(memory.peak <= 64 * 1024 + 64 * size); /* whatever the counts in it say */
    if (r != LATHE_OK) {
        char text[64];
        PROMISE(memory.now == 0);
        PROMISE(!made && err.code == r && err.message[0]);
        PROMISE(err.offset != LATHE_NO_OFFSET && err.offset <= size);
        lathe_error_text(&err, text, sizeof text);
        return;
    }
    if (!made) {
        fuzz_bytes b = {NULL, 0, 0};
        fuzz_sink(&b, data, size);
        PROMISE(fuzz_still(doc, &b));
        fuzz_look(doc);
    }
    fuzz_life(&d, format, doc, &memory);
    lathe_doc_close(doc);
    PROMISE(memory.now == 0);
}

#endif
