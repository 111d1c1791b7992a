/* Companion files: other documents that hold part of a document's content, such as geometry files. The caller gave
 * them in the options, or the format opens them on demand. Each is filed under a key that the format chooses. */
#ifndef LATHE_RECORD_COMPANIONS_H
#define LATHE_RECORD_COMPANIONS_H

#include "record/record.h"

/* How companions are opened if the host restricts file access: lathe_doc.opener. It outlives the document. */
struct rec_opener {
    void *user;
    /* the number of running calls; while it is not 0, no document may be edited */
    const unsigned *busy;
    lathe_result (*open)(void *user, const char *path, const lathe_options *options,
                         lathe_doc **doc, lathe_error *err);
    lathe_result (*list)(void *user, const char *folder, bool (*each)(void *to, const char *name),
                         void *to, lathe_error *err);
};

/* Opening only: copies the companions in the options. */
lathe_result rec_companion_begin(lathe_doc *doc, const lathe_options *options, lathe_error *err);
void rec_companion_close(lathe_doc *doc);

/* The companions in the options, *n of them; NULL: none. */
const lathe_geometry *rec_companion_given(const lathe_doc *doc, size_t *n);
/* The document that was filed last under a key; NULL: none. */
lathe_doc *rec_companion_find(const lathe_doc *doc, uint32_t key);
/* The document that was filed under a key before `than`; NULL: none. */
lathe_doc *rec_companion_older(const lathe_doc *doc, uint32_t key, const lathe_doc *than);
/* Opens a file and files it under a key that has no document yet. */
lathe_result rec_companion_open(lathe_doc *doc, uint32_t key, const char *path, lathe_doc **out,
                                lathe_error *err);
/* Files an open document under a key that has none yet; takes a reference to it. */
lathe_result rec_companion_use(lathe_doc *doc, uint32_t key, lathe_doc *other, lathe_error *err);
/* Files a document in front of those that the key already has. The others stay, because rows that an undo restores
 * are in them. */
lathe_result rec_companion_prefer(lathe_doc *doc, uint32_t key, lathe_doc *other, lathe_error *err);
/* Calls `each` with the names in a folder. */
lathe_result rec_companion_list(lathe_doc *doc, const char *folder,
                                bool (*each)(void *user, const char *name), void *user,
                                lathe_error *err);
/* Remembers a failed search for a key for one second, so that repeated reads are cheap. rec_companion_miss stores the
 * error, and rec_companion_missed returns it (LATHE_OK: none is stored). */
lathe_result rec_companion_missed(const lathe_doc *doc, uint32_t key, lathe_error *err);
void rec_companion_miss(lathe_doc *doc, uint32_t key, const lathe_error *err);

#endif
