/* Encoding and saving documents. */
#include "base/os.h"
#include "base/sha256.h"
#include "record/compressed.h"
#include "record/form.h"
#include "record/upper.h"

/* Collects output. Parts that are adjacent in memory, such as unedited ones, are written in one call. Small pieces
 * are buffered, since a sink may make a system call each time. */
typedef struct out {
    lathe_sink sink;
    void *user;
    const uint8_t *run;
    size_t run_n, small_n;
    uint8_t small[16384];
} out;

static bool flush_run(out *o)
{
    size_t n = o->run_n;
    o->run_n = 0;
    if (n <= sizeof o->small - o->small_n) {
        if (n)
            memcpy(o->small + o->small_n, o->run, n);
        o->small_n += n;
        return true;
    }
    size_t small = o->small_n;
    o->small_n = 0;
    return (!small || o->sink(o->user, o->small, small)) && o->sink(o->user, o->run, n);
}

static bool put_part(out *o, const rec_part *p)
{
    if (o->run_n && o->run + o->run_n == p->data) {
        o->run_n += (size_t)p->size;
        return true;
    }
    if (!flush_run(o))
        return false;
    o->run = p->data;
    o->run_n = (size_t)p->size;
    return true;
}

/* Does what an open edit postpones to its end. Skipped if the edit changed nothing, because `ready` may fail on
 * damage that does not matter for unchanged bytes. */
lathe_result rec_make_ready(lathe_doc *doc, lathe_error *err)
{
    lathe_result r = rec_upper_floor.lay_out(doc, err);
    const rec_container *c = &doc->containers[0];
    bool asked = doc->depth && (c->dirty || c->dirty_inside) && c->format->ready;
    return r == LATHE_OK && asked ? c->format->ready(doc, 0, err) : r;
}

static lathe_result refused(lathe_error *err)
{
    return error_set(err, LATHE_ERR_IO, LATHE_NO_OFFSET, "the sink refused the bytes");
}

lathe_result rec_encode_parts(lathe_doc *doc, lathe_sink sink, void *user, lathe_error *err)
{
    out o = {.sink = sink, .user = user};
    bool ok = true;
    if (!rec_order(doc))
        return rec_no_memory(err);
    for (size_t i = 0; ok && i < doc->order_n; i++)
        if (doc->parts[doc->order[i]].size)
            ok = put_part(&o, &doc->parts[doc->order[i]]);
    ok = ok && flush_run(&o) && (!o.small_n || sink(user, o.small, o.small_n));
    if (!ok)
        return refused(err);
    const lathe_format *f = doc->containers[0].format;
    lathe_result r = f->rest ? f->rest(doc, 0, sink, user, err) : LATHE_OK;
    if (r != LATHE_OK)
        error_path(err, doc->path);
    return r;
}

lathe_result rec_encode_content(lathe_doc *doc, lathe_sink sink, void *user, lathe_error *err)
{
    const uint8_t *bytes;
    size_t n;
    lathe_result r = rec_make_ready(doc, err);
    if (r != LATHE_OK || !rec_in_form(doc))
        return r == LATHE_OK ? rec_encode_parts(doc, sink, user, err) : r;
    r = rec_form_text(doc, &bytes, &n, err);
    if (r != LATHE_OK)
        error_path(err, doc->path);
    return r == LATHE_OK && !sink(user, bytes, n) ? refused(err) : r;
}

uint64_t rec_content_size(lathe_doc *doc)
{
    const lathe_format *f = doc->containers[0].format;
    const uint8_t *bytes;
    size_t n;
    if (rec_make_ready(doc, NULL) != LATHE_OK || !rec_places(doc))
        return 0;
    if (rec_in_form(doc))
        return rec_form_text(doc, &bytes, &n, NULL) == LATHE_OK ? n : 0;
    return doc->size + (f->rest_size ? f->rest_size(doc, 0) : 0);
}

lathe_result lathe_doc_encode(lathe_doc *doc, lathe_sink sink, void *user, lathe_error *err)
{
    const uint8_t *bytes;
    size_t n;
    if (!rec_compresses(doc))
        return rec_encode_content(doc, sink, user, err);
    lathe_result r = rec_compress(doc, &bytes, &n, err);
    return r == LATHE_OK && !sink(user, bytes, n) ? refused(err) : r;
}

uint64_t lathe_doc_size(lathe_doc *doc)
{
    const uint8_t *bytes;
    size_t n;
    if (!rec_compresses(doc))
        return rec_content_size(doc);
    return rec_compress(doc, &bytes, &n, NULL) == LATHE_OK ? n : 0;
}

/* Distinguishes a failure of the writer, which has its own error, from a failure to encode the document. */
typedef struct to_writer {
    os_writer *writer;
    bool refused;
    const rec_save_note *note; /* NULL: the digest is not needed */
    sha256 sum;
} to_writer;

static bool put_writer(void *user, const void *bytes, size_t n)
{
    to_writer *t = user;
    if (t->note)
        sha256_put(&t->sum, bytes, n);
    t->refused = t->refused || !os_writer_put(t->writer, bytes, n);
    return !t->refused;
}

/* Tells the digest of what was written. */
static lathe_result call_note(to_writer *to, lathe_error *err)
{
    uint8_t digest[SHA256_SIZE];
    if (!to->note)
        return LATHE_OK;
    sha256_end(&to->sum, digest);
    return to->note->call(to->note->user, digest, err) ? LATHE_OK : err->code;
}

static lathe_result write_file(lathe_doc *doc, const char *real, const char *path, os_backup backup,
                               const char *form, const rec_save_note *note, lathe_error *err)
{
    os_writer *w = NULL;
    lathe_result r = real ? os_writer_open_real(real, path, &doc->mem, &w, err)
                          : os_writer_open(path, &doc->mem, &w, err);
    if (r != LATHE_OK)
        return r;
    to_writer to = {.writer = w, .note = note};
    lathe_error why = {.code = LATHE_OK};
    sha256_begin(&to.sum);
    r = rec_encode_as(doc, form, put_writer, &to, &why);
    if (r == LATHE_OK)
        r = call_note(&to, &why);
    if (r != LATHE_OK && !to.refused) {
        os_writer_abort(w);
        return error_pass(err, &why);
    }
    bool over = r == LATHE_OK && doc->file && os_file_is(doc->file, path);
    if (over)
        rec_input_leave(doc); /* some systems do not replace an open file */
    r = os_writer_commit(w, backup, err);
    if (over)
        rec_input_return(doc, real, path, r == LATHE_OK);
    return r;
}

static bool keep_path(lathe_doc *doc, const char *path)
{
    size_t size = strlen(path) + 1;
    char *copy = mem_alloc(&doc->mem, size);
    if (!copy)
        return false;
    memcpy(copy, path, size);
    mem_free(&doc->mem, doc->path, doc->path_size);
    doc->path = copy;
    doc->path_size = size;
    return true;
}

lathe_result rec_doc_can_save(const lathe_doc *doc, const char *path, const char **to,
                              lathe_error *err)
{
    *to = path ? path : doc->path;
    if (!*to)
        return error_set(err, LATHE_ERR_STATE, LATHE_NO_OFFSET,
                         "the document came from no file: give a path to save to");
    if (doc->depth)
        return error_set(err, LATHE_ERR_STATE, LATHE_NO_OFFSET, "an edit is still open");
    return LATHE_OK;
}

void rec_doc_saved(lathe_doc *doc, const char *to)
{
    doc->saved = doc->state;
    rec_compression_saved(doc);
    if (!doc->path)
        keep_path(doc, to); /* the file is saved even if its name cannot be remembered */
}

lathe_result rec_doc_save_noted(lathe_doc *doc, const char *real, const char *path,
                                const lathe_save_options *options, const rec_save_note *note,
                                lathe_error *err)
{
    lathe_save_options o = {.size = sizeof o};
    const char *to = NULL, *form = NULL;
    if (options)
        memcpy(&o, options, options->size < sizeof o ? options->size : sizeof o);
    lathe_result r = rec_in_use(doc) ? rec_refuse_use(err) : rec_doc_can_save(doc, path, &to, err);
    if (r == LATHE_OK)
        r = rec_form_asked(doc, to, o.as, &form, err);
    if (r != LATHE_OK)
        return r;
    os_backup backup = !o.backup ? OS_BACKUP_NONE : note ? OS_BACKUP_FIRST : OS_BACKUP_REPLACE;
    r = write_file(doc, real, to, backup, form, note, err);
    if (r != LATHE_OK) {
        error_path(err, to);
        return r;
    }
    rec_doc_saved(doc, to);
    return LATHE_OK;
}

lathe_result rec_doc_save(lathe_doc *doc, const char *real, const char *path,
                          const lathe_save_options *options, lathe_error *err)
{
    return rec_doc_save_noted(doc, real, path, options, NULL, err);
}

lathe_result lathe_doc_save(lathe_doc *doc, const char *path, const lathe_save_options *options,
                            lathe_error *err)
{
    return rec_doc_save(doc, NULL, path, options, err);
}
