#include "record/form.h"

#include "record/compressed.h"

#include <ctype.h>

/* A text as it was at some moment. */
typedef struct text_then {
    uint8_t *data;
    size_t size;
    uint64_t state, changes; /* of the document then */
    bool there;
    bool whole; /* no edit was open: the document is the same wherever it has that state */
} text_then;

struct rec_formed {
    const rec_form *form;
    void *kept;
    text_then opened, last;
};

static const rec_form *form_of(const lathe_doc *doc)
{
    return doc->containers_n ? doc->containers[0].format->form : NULL;
}

bool rec_in_form(const lathe_doc *doc)
{
    return form_of(doc) && doc->containers[0].param == REC_FORMED;
}

lathe_result rec_no_offsets(lathe_error *err)
{
    return error_set(err, LATHE_ERR_UNSUPPORTED, LATHE_NO_OFFSET,
                     "the file is a text, in which records have no offsets");
}

const char *rec_form_of(const lathe_doc *doc)
{
    const rec_form *form = form_of(doc);
    return !form ? NULL : rec_in_form(doc) ? form->name : form->plain;
}

static struct rec_formed *formed_of(lathe_doc *doc, const rec_form *form)
{
    if (!doc->formed)
        doc->formed = mem_zalloc(&doc->mem, sizeof *doc->formed);
    if (doc->formed)
        doc->formed->form = form;
    return doc->formed;
}

void rec_form_free(lathe_doc *doc)
{
    struct rec_formed *f = doc->formed;
    if (!f)
        return;
    if (f->kept)
        f->form->release(doc, f->kept);
    mem_free(&doc->mem, f->opened.data, f->opened.size);
    mem_free(&doc->mem, f->last.data, f->last.size);
    mem_free(&doc->mem, f, sizeof *f);
    doc->formed = NULL;
}

/* ---- opening ----------------------------------------------------------------------------------- */

/* The bytes of a buffer, no more of them than there are: parts borrow from these. */
static bool take_over(buf *from, uint8_t **data, size_t *size)
{
    uint8_t *exact = mem_resize(from->mem, from->data, from->cap, from->size);
    if (!exact)
        return false;
    *data = exact;
    *size = from->size;
    from->data = NULL;
    from->size = from->cap = 0;
    return true;
}

lathe_result rec_form_read(lathe_doc *doc, const lathe_format *format, lathe_error *err)
{
    const rec_form *form = format->form;
    if (!form || doc->formed || doc->file || !form->is(doc->input, doc->input_size))
        return LATHE_OK;
    struct rec_formed *f = formed_of(doc, form);
    if (!f)
        return rec_no_memory(err);
    buf plain;
    uint8_t *data = NULL;
    size_t size = 0;
    buf_init(&plain, &doc->mem);
    lathe_result r = form->read(doc, format, doc->input, doc->input_size, &plain, &f->kept, err);
    if (r == LATHE_OK && !take_over(&plain, &data, &size))
        r = rec_no_memory(err);
    buf_free(&plain);
    if (r != LATHE_OK)
        return r;
    f->opened = (text_then){doc->input, doc->input_size, doc->state, 0, true, true};
    doc->input = data;
    doc->input_size = size;
    return LATHE_OK;
}

lathe_result rec_form_opened(lathe_doc *doc, lathe_error *err)
{
    struct rec_formed *f = doc->formed;
    if (!f || !f->opened.there)
        return LATHE_OK;
    doc->containers[0].param = REC_FORMED;
    f->opened.changes = doc->changes;
    return f->form->opened(doc, f->kept, err);
}

/* ---- encoding ---------------------------------------------------------------------------------- */

static bool to_buf(void *user, const void *bytes, size_t n)
{
    return buf_put(user, bytes, n);
}

static bool fits(const lathe_doc *doc, const text_then *t)
{
    bool same = t->whole && !doc->journal.n && t->state == doc->state;
    return t->there && (same || t->changes == doc->changes);
}

static lathe_result write_text(lathe_doc *doc, struct rec_formed *f, lathe_error *err)
{
    text_then now = {.state = doc->state, .there = true, .whole = !doc->journal.n};
    buf out;
    buf_init(&out, &doc->mem);
    lathe_result r = f->form->write(doc, f->kept, &out, err);
    if (r == LATHE_OK && !take_over(&out, &now.data, &now.size))
        r = rec_no_memory(err);
    buf_free(&out);
    if (r != LATHE_OK)
        return r;
    mem_free(&doc->mem, f->last.data, f->last.size);
    now.changes = doc->changes;
    f->last = now;
    return LATHE_OK;
}

lathe_result rec_form_text(lathe_doc *doc, const uint8_t **bytes, size_t *n, lathe_error *err)
{
    struct rec_formed *f = formed_of(doc, form_of(doc));
    if (!f)
        return rec_no_memory(err);
    const text_then *found = fits(doc, &f->opened) ? &f->opened
                             : fits(doc, &f->last) ? &f->last
                                                   : NULL;
    if (!found) {
        lathe_result r = write_text(doc, f, err);
        if (r != LATHE_OK)
            return r;
        found = &f->last;
    }
    *bytes = found->data;
    *n = found->size;
    return LATHE_OK;
}

const void *rec_form_kept(const lathe_doc *doc)
{
    return rec_in_form(doc) && doc->formed ? doc->formed->kept : NULL;
}

const char *rec_form_forgotten(const lathe_doc *doc)
{
    const struct rec_formed *f = doc->formed;
    bool written = rec_in_form(doc) && f && f->kept && !fits(doc, &f->opened);
    return written ? f->form->forgets(f->kept) : NULL;
}

/* ---- saving as another form -------------------------------------------------------------------- */

/* Whether the last n bytes of a path, whatever their case, are a dot and that extension. */
static bool ends_in(const char *path, const char *extension)
{
    size_t n = strlen(path), size = strlen(extension);
    if (n <= size || path[n - size - 1] != '.')
        return false;
    for (size_t i = 0; i < size; i++)
        if (tolower((unsigned char)path[n - size + i]) != extension[i])
            return false;
    return true;
}

lathe_result rec_form_asked(const lathe_doc *doc, const char *path, const char *as,
                            const char **word, lathe_error *err)
{
    const rec_form *form = form_of(doc);
    *word = NULL;
    if (as && !form)
        return error_set(err, LATHE_ERR_NAME, LATHE_NO_OFFSET,
                         "files of %s have one container only, and take no `as`",
                         doc->containers[0].format->name);
    if (as && strcmp(as, form->name) != 0 && strcmp(as, form->plain) != 0)
        return error_set(err, LATHE_ERR_NAME, LATHE_NO_OFFSET,
                         "no container '%s': \"%s\" or \"%s\"", as, form->name, form->plain);
    if (as)
        *word = strcmp(as, form->name) == 0 ? form->name : form->plain;
    else if (form && path && ends_in(path, form->extension))
        *word = form->name;
    return LATHE_OK;
}

lathe_result rec_encode_as(lathe_doc *doc, const char *word, lathe_sink sink, void *user,
                           lathe_error *err)
{
    const rec_form *form = form_of(doc);
    bool formed = word && form && strcmp(word, form->name) == 0;
    if (!word || !form || formed == rec_in_form(doc))
        return lathe_doc_encode(doc, sink, user, err);
    buf out;
    buf_init(&out, &doc->mem);
    lathe_result r = rec_make_ready(doc, err);
    if (r == LATHE_OK)
        r = formed ? form->write(doc, NULL, &out, err) : rec_encode_parts(doc, to_buf, &out, err);
    if (r == LATHE_OK && rec_compresses(doc))
        r = rec_compress_apart(doc, &out, err);
    if (r == LATHE_OK && !sink(user, out.data, out.size))
        r = error_set(err, LATHE_ERR_IO, LATHE_NO_OFFSET, "the sink refused the bytes");
    buf_free(&out);
    return r;
}
