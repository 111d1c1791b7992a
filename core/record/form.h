/* Documents whose files are another form of what their parts hold: a text, say, that means the same as a binary file. The
 * document holds the binary one, which the format makes of the text when it is opened and turns back when it is encoded. */
#ifndef LATHE_RECORD_FORM_H
#define LATHE_RECORD_FORM_H

#include "record/record.h"

/* What a format has for that. Its own files are of the form `plain`, the others of `name`; in a document of these the
 * parameter of the container (rec_container.param) is REC_FORMED, which formats with a second form have no other use for. */
struct rec_form {
    const char *name, *plain; /* as lathe_doc_info(doc, "container") tells them */
    const char *const *names; /* both, the plain one first, NULL-terminated */
    const char *extension;    /* of the names of files that are saved in it */
    bool (*is)(const uint8_t *bytes, size_t n);
    /* Opening: appends the plain file to `out`. *kept (NULL at first) is what the format remembers of the text, to be
     * released also after a failure. Errors tell offsets in the text. */
    lathe_result (*read)(lathe_doc *doc, const lathe_format *format, const uint8_t *bytes, size_t n,
                         buf *out, void **kept, lathe_error *err);
    /* The plain file was opened: the document has its parts. */
    lathe_result (*opened)(lathe_doc *doc, void *kept, lathe_error *err);
    /* Appends the text of what the document holds. kept: NULL where it was not opened in that form. */
    lathe_result (*write)(lathe_doc *doc, const void *kept, buf *out, lathe_error *err);
    /* A change that is written will not keep something of the text that was opened: what, as a warning; else NULL. */
    const char *(*forgets)(const void *kept);
    void (*release)(lathe_doc *doc, void *kept);
};

enum { REC_FORMED = 1 };

/* Whether the document's file is of its format's second form. */
bool rec_in_form(const lathe_doc *doc);
/* Refuses to tell places in its bytes, which are in no file. */
lathe_result rec_no_offsets(lathe_error *err);
/* The name of the form that its file is of; NULL: its format has but one. */
const char *rec_form_of(const lathe_doc *doc);
/* Opening only: where the input is of the second form, the plain file takes its place. */
lathe_result rec_form_read(lathe_doc *doc, const lathe_format *format, lathe_error *err);
lathe_result rec_form_opened(lathe_doc *doc, lathe_error *err);
void rec_form_free(lathe_doc *doc);
/* What its format keeps of the text that it was opened from, where it is still of that form; else NULL. */
const void *rec_form_kept(const lathe_doc *doc);
/* The text, borrowed until the document changes: the one that was opened, where it is what it was then; else one that is
 * written once for each state that is asked for. */
lathe_result rec_form_text(lathe_doc *doc, const uint8_t **bytes, size_t *n, lathe_error *err);
/* What an edit made go that the text had, where its text is written anew: words of a warning, or NULL. */
const char *rec_form_forgotten(const lathe_doc *doc);
/* The form that a file is saved in: what `as` says, else what the end of its name says, else the document's own (*word is
 * NULL). LATHE_ERR_NAME: there is no such form. */
lathe_result rec_form_asked(const lathe_doc *doc, const char *path, const char *as,
                            const char **word, lathe_error *err);
/* As lathe_doc_encode, in the form of that name; NULL: its own. */
lathe_result rec_encode_as(lathe_doc *doc, const char *word, lathe_sink sink, void *user,
                           lathe_error *err);

#endif
