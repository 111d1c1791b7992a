/* Formats with a second form of their files, such as XML for a binary format. The document always holds the plain (binary)
 * form: the format converts the text to it when the file is opened, and back when the document is encoded. */
#ifndef LATHE_RECORD_FORM_H
#define LATHE_RECORD_FORM_H

#include "record/record.h"

/* The second form of a format. `plain` names the format's own form, `name` the second one. Documents of the second form
 * have rec_container.param set to REC_FORMED; such formats must not use that member otherwise. */
struct rec_form {
    const char *name, *plain; /* values of lathe_doc_info(doc, "container") */
    const char *const *names; /* both, the plain one first, NULL-terminated */
    const char *extension;    /* file name extension that selects the second form when saving */
    bool (*is)(const uint8_t *bytes, size_t n);
    /* Opening: appends the plain file to `out`. *kept (NULL at first) is what the format remembers of the text, to be
     * released also after a failure. Errors tell offsets in the text. */
    lathe_result (*read)(lathe_doc *doc, const lathe_format *format, const uint8_t *bytes, size_t n,
                         buf *out, void **kept, lathe_error *err);
    /* Called after the plain form was opened and the document has its parts. */
    lathe_result (*opened)(lathe_doc *doc, void *kept, lathe_error *err);
    /* Appends the document as text. kept: NULL if it was not opened from this form. */
    lathe_result (*write)(lathe_doc *doc, const void *kept, buf *out, lathe_error *err);
    /* A warning if rewriting an edited document loses something of the original text, such as comments; else NULL. */
    const char *(*forgets)(const void *kept);
    void (*release)(lathe_doc *doc, void *kept);
};

enum { REC_FORMED = 1 };

/* True if the document was opened from its format's second form. */
bool rec_in_form(const lathe_doc *doc);
/* Fails: the bytes of such a document have no offsets in a file. */
lathe_result rec_no_offsets(lathe_error *err);
/* The name of the document's form; NULL: its format has only one. */
const char *rec_form_of(const lathe_doc *doc);
/* While opening: replaces input of the second form by the plain form. */
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
