/* Objects of packfiles that come and go (object_list.c). Internal to core/havok/. */
#ifndef LATHE_HAVOK_OBJECT_LIST_H
#define LATHE_HAVOK_OBJECT_LIST_H

#include "havok/packfile/packfile.h"

enum { HK_CLASS_NAME_MOST = 128 }; /* with its NUL */

/* The hook lathe_format.type_named. */
const rec_type *hk_type_named(lathe_doc *doc, uint32_t part, const char *name, size_t n);
/* An edit is about to end: new objects come into the table of objects, and their classes among the class names. */
lathe_result hk_list_objects(lathe_doc *doc, uint32_t c, lathe_error *err);

/* The hook lathe_format.copy: an object with all that it leads to, as new objects (object_copy.c). */
lathe_result hk_copy_object(const rec_at *at, uint32_t slot, const rec_at *from, uint64_t *i,
                            lathe_error *err);

/* The verb that drops what nothing leads to (prune.c). */
extern const char hk_prune_doc[];
lathe_result hk_prune(lathe_view self, const lathe_source *args, lathe_report *report,
                      lathe_error *err);

/* Which objects the root leads to. Opened by hk_reached_now. */
typedef struct hk_reached {
    lathe_doc *doc;
    uint8_t *kept; /* for each object, in file order */
    uint64_t n;
} hk_reached;
lathe_result hk_reached_now(lathe_doc *doc, uint32_t c, hk_reached *out, lathe_error *err);
void hk_reached_free(hk_reached *r);
/* Inside an edit that neither made nor removed objects since `before`: removes those that the root led to then and does not
 * lead to any more. */
lathe_result hk_prune_lost(lathe_doc *doc, uint32_t c, const hk_reached *before, lathe_error *err);

#endif
