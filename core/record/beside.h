/* Other files that a document's content lies in: those that its caller gave, and those that are open. They are found by a
 * key, which is what the document knows them by; how, says the format. */
#ifndef LATHE_RECORD_BESIDE_H
#define LATHE_RECORD_BESIDE_H

#include "record/record.h"

/* How a program that decides which files may be touched opens them: lathe_doc.opener, which outlives the document. */
struct rec_opener {
    void *user;
    const unsigned *
        busy; /* how many of these calls run: what they run may be anything but an edit of a document */
    lathe_result (*open)(void *user, const char *path, const lathe_options *options,
                         lathe_doc **doc, lathe_error *err);
    lathe_result (*list)(void *user, const char *folder, bool (*each)(void *to, const char *name),
                         void *to, lathe_error *err);
};

/* Opening only: copies what the options give. */
lathe_result rec_beside_begin(lathe_doc *doc, const lathe_options *options, lathe_error *err);
void rec_beside_close(lathe_doc *doc);

/* What the caller gave; NULL: nothing. */
const lathe_geometry *rec_beside_given(const lathe_doc *doc, size_t *n);
/* The document of a key that came last; NULL: none is open. */
lathe_doc *rec_beside_find(const lathe_doc *doc, uint32_t key);
/* The one that came before that; NULL: none did. */
lathe_doc *rec_beside_older(const lathe_doc *doc, uint32_t key, const lathe_doc *than);
/* Opens a file under a key, which has none. */
lathe_result rec_beside_open(lathe_doc *doc, uint32_t key, const char *path, lathe_doc **out,
                             lathe_error *err);
/* Uses an open document under a key, which has none. */
lathe_result rec_beside_use(lathe_doc *doc, uint32_t key, lathe_doc *other, lathe_error *err);
/* The same in front of those that have it, which stay: rows that an undo brings back are in them. */
lathe_result rec_beside_prefer(lathe_doc *doc, uint32_t key, lathe_doc *other, lathe_error *err);
/* The names in a folder. */
lathe_result rec_beside_list(lathe_doc *doc, const char *folder,
                             bool (*each)(void *user, const char *name), void *user,
                             lathe_error *err);
/* Why nothing was found for a key is remembered for a second, so that asking again and again costs little. LATHE_OK: it is
 * not known. */
lathe_result rec_beside_missed(const lathe_doc *doc, uint32_t key, lathe_error *err);
void rec_beside_miss(lathe_doc *doc, uint32_t key, const lathe_error *err);

#endif
