/* What the floor above the engine keeps with each document (core/scene): edits that wait to be written, and what was read of
 * it. The engine does not know what that is; it asks at these moments. */
#ifndef LATHE_RECORD_UPPER_H
#define LATHE_RECORD_UPPER_H

#include "record/doc.h"

typedef struct rec_upper {
    /* A document is about to be opened or made with these options. */
    lathe_result (*begin)(lathe_doc *doc, const lathe_options *options, lathe_error *err);
    /* Inside an edit that is about to end as a whole: edits that wait go into the bytes. */
    lathe_result (*write)(lathe_doc *doc, lathe_report *report, lathe_error *err);
    /* The same; from here on the bytes alone say what is, as a verb is about to change them. */
    lathe_result (*settle)(lathe_doc *doc, lathe_report *report, lathe_error *err);
    /* The same as `write` while an edit is open, for who looks at the bytes: lengths that change are laid out. */
    lathe_result (*lay_out)(lathe_doc *doc, lathe_error *err);
    /* What an EDIT_UPPER entry of the journal changed is taken back. */
    void (*revert)(lathe_doc *doc, const rec_edit *e, const uint8_t *data);
    /* Some entries were taken back: bytes that had been written may have been, too. */
    void (*stale)(lathe_doc *doc);
    /* The whole edit is over: nothing waits any more, and the journal forgets EDIT_UPPER entries. */
    void (*over)(lathe_doc *doc);
    /* The document is closed. */
    void (*free)(lathe_doc *doc);
    /* The name of list number i that documents of a format have; NULL past the last. */
    const char *(*list)(const lathe_format *format, size_t i);
    /* What a view with REC_VIEW_UPPER is: "a skeleton". */
    const char *(*item)(const lathe_view *view);
    /* What is wrong with a format's hooks of that floor; NULL: nothing. */
    const char *(*fault)(const lathe_format *format);
} rec_upper;

extern const rec_upper rec_upper_floor; /* scene/state.c */

#endif
