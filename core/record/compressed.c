#include "record/compressed.h"

#include "base/zstd.h"

/* The compressed form of one state of the document. */
typedef struct packed {
    uint8_t *data;
    size_t size;
    uint64_t state, changes; /* of the document at that time */
    bool there;
    bool whole; /* no edit was open: valid whenever the document returns to that state */
} packed;

struct rec_compressed {
    bool on, saved; /* whether encoding compresses; whether the saved file is compressed */
    zstd_how how;
    uint8_t *dictionary;
    size_t dictionary_size;
    packed opened, last;
};

static const char NAME[] = "zstd";

static struct rec_compressed *compressed_of(lathe_doc *doc)
{
    if (!doc->compressed)
        doc->compressed = mem_zalloc(&doc->mem, sizeof *doc->compressed);
    return doc->compressed;
}

void rec_compressed_free(lathe_doc *doc)
{
    struct rec_compressed *c = doc->compressed;
    if (!c)
        return;
    mem_free(&doc->mem, c->opened.data, c->opened.size);
    mem_free(&doc->mem, c->last.data, c->last.size);
    mem_free(&doc->mem, c->dictionary, c->dictionary_size);
    mem_free(&doc->mem, c, sizeof *c);
    doc->compressed = NULL;
}

/* ---- opening ----------------------------------------------------------------------------------- */

static lathe_result keep_dictionary(lathe_doc *doc, zstd_bytes dictionary, lathe_error *err)
{
    struct rec_compressed *c = compressed_of(doc);
    uint8_t *copy = c ? mem_alloc(&doc->mem, dictionary.size) : NULL;
    if (!copy)
        return rec_no_memory(err);
    memcpy(copy, dictionary.data, dictionary.size);
    c->dictionary = copy;
    c->dictionary_size = dictionary.size;
    c->how.dictionary = true;
    return LATHE_OK;
}

lathe_result rec_uncompress(lathe_doc *doc, const lathe_options *options, bool made,
                            lathe_error *err)
{
    const zstd_bytes from = {doc->input, doc->input_size};
    const zstd_bytes dictionary = {options->dictionary,
                                   options->dictionary ? options->dictionary_size : 0};
    uint8_t *content = NULL;
    size_t size = 0;
    lathe_result r = dictionary.size ? keep_dictionary(doc, dictionary, err) : LATHE_OK;
    if (r != LATHE_OK || made || doc->file || !zstd_is(from.data, from.size))
        return r;
    struct rec_compressed *c = compressed_of(doc);
    if (!c)
        return rec_no_memory(err);
    r = zstd_unpack(&doc->mem, from, dictionary, options->limit, &content, &size, &c->how, err);
    if (r != LATHE_OK)
        return r;
    c->on = c->saved = true;
    c->opened = (packed){doc->input, doc->input_size, doc->state, doc->changes, true, true};
    doc->input = content;
    doc->input_size = size;
    return LATHE_OK;
}

/* ---- encoding ---------------------------------------------------------------------------------- */

bool rec_compresses(const lathe_doc *doc)
{
    return doc->compressed && doc->compressed->on;
}

bool rec_compression_changed(const lathe_doc *doc)
{
    return doc->compressed && doc->compressed->on != doc->compressed->saved;
}

void rec_compression_saved(lathe_doc *doc)
{
    if (doc->compressed)
        doc->compressed->saved = doc->compressed->on;
}

static bool to_buf(void *user, const void *bytes, size_t n)
{
    return buf_put(user, bytes, n);
}

static bool fits(const lathe_doc *doc, const packed *p)
{
    bool same = p->whole && !doc->journal.n && p->state == doc->state;
    return p->there && (same || p->changes == doc->changes);
}

static lathe_result pack(lathe_doc *doc, lathe_error *err)
{
    struct rec_compressed *c = doc->compressed;
    const zstd_bytes dictionary = {c->dictionary, c->dictionary_size};
    packed now = {.state = doc->state, .there = true, .whole = !doc->journal.n};
    uint64_t size = rec_content_size(doc);
    buf plain;
    buf_init(&plain, &doc->mem);
    lathe_result r = size <= SIZE_MAX && buf_reserve(&plain, (size_t)size)
                         ? rec_encode_content(doc, to_buf, &plain, err)
                         : rec_no_memory(err);
    if (r == LATHE_OK)
        r = zstd_pack(&doc->mem, (zstd_bytes){plain.data, plain.size}, dictionary, &c->how,
                      &now.data, &now.size, err);
    buf_free(&plain);
    if (r != LATHE_OK)
        return r;
    mem_free(&doc->mem, c->last.data, c->last.size);
    now.changes = doc->changes;
    c->last = now;
    return LATHE_OK;
}

lathe_result rec_compress(lathe_doc *doc, const uint8_t **bytes, size_t *n, lathe_error *err)
{
    struct rec_compressed *c = doc->compressed;
    lathe_result r = rec_make_ready(doc, err);
    const packed *found = r != LATHE_OK           ? NULL
                          : fits(doc, &c->opened) ? &c->opened
                          : fits(doc, &c->last)   ? &c->last
                                                  : NULL;
    if (r == LATHE_OK && !found) {
        r = pack(doc, err);
        found = &c->last;
    }
    if (r != LATHE_OK) {
        error_path(err, doc->path);
        return r;
    }
    *bytes = found->data;
    *n = found->size;
    return LATHE_OK;
}

lathe_result rec_compress_apart(lathe_doc *doc, buf *bytes, lathe_error *err)
{
    const struct rec_compressed *c = doc->compressed;
    uint8_t *data = NULL;
    size_t size = 0;
    lathe_result r =
        zstd_pack(&doc->mem, (zstd_bytes){bytes->data, bytes->size},
                  (zstd_bytes){c->dictionary, c->dictionary_size}, &c->how, &data, &size, err);
    if (r != LATHE_OK)
        return r;
    buf_free(bytes);
    *bytes = (buf){.mem = &doc->mem, .data = data, .size = size, .cap = size};
    return LATHE_OK;
}

/* ---- queries and settings -------------------------------------------------------------------------- */

const char *rec_compression(const lathe_doc *doc)
{
    return rec_compresses(doc) ? NAME : NULL;
}

lathe_result lathe_doc_set_compression(lathe_doc *doc, const char *name, lathe_error *err)
{
    if (name && strcmp(name, NAME) != 0)
        return error_set(err, LATHE_ERR_NAME, LATHE_NO_OFFSET,
                         "no compression '%s': only \"zstd\", or none", name);
    if (rec_in_use(doc))
        return rec_refuse_use(err);
    if (!name && !doc->compressed)
        return LATHE_OK;
    if (name && !zstd_built_in())
        return error_set(err, LATHE_ERR_UNSUPPORTED, LATHE_NO_OFFSET,
                         "it cannot be compressed: this lathe was built without zstd");
    struct rec_compressed *c = compressed_of(doc);
    if (!c)
        return rec_no_memory(err);
    c->on = name != NULL;
    return LATHE_OK;
}
