/* Cached lists of records for the scene, such as materials, that a format finds by reading the whole file. Valid
 * until the document changes. */
#ifndef LATHE_SCENE_LIST_H
#define LATHE_SCENE_LIST_H

#include "record/record.h"

/* The definition of such a list: a `static const` made with SCENE_LIST. */
typedef struct scene_list {
    rec_cache cache;
    /* Appends the items to `list`, one lathe_view each. */
    lathe_result (*fill)(lathe_doc *doc, buf *list, lathe_error *err);
    const char *what; /* "materials", for messages */
} scene_list;

void scene_list_release(lathe_doc *doc, rec_cached *what);
#define SCENE_LIST(fill_list, items)                                                               \
    {                                                                                              \
        {.release = scene_list_release}, fill_list, items                                          \
    }

/* Appends one item. */
lathe_result scene_list_add(buf *list, const rec_at *at, lathe_error *err);
lathe_result scene_list_count(const scene_list *of, lathe_doc *doc, uint64_t *n, lathe_error *err);
/* Item i, from 0. LATHE_ERR_NAME: no such item. */
lathe_result scene_list_item(const scene_list *of, lathe_doc *doc, uint64_t i, lathe_view *out,
                             lathe_error *err);

#endif
