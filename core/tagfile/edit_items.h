/* Items that come, change and go. Inside an edit. */
#ifndef LATHE_TAGFILE_EDIT_ITEMS_H
#define LATHE_TAGFILE_EDIT_ITEMS_H

#include "tagfile/patches.h"

/* A new item; *number gets its own. */
lathe_result tag_item_add(lathe_doc *doc, uint32_t c, const tag_item *item, uint32_t *number,
                          lathe_error *err);
lathe_result tag_item_set_offset(lathe_doc *doc, uint32_t c, uint32_t number, uint64_t offset,
                                 lathe_error *err);
lathe_result tag_item_set_count(lathe_doc *doc, uint32_t c, uint32_t number, uint64_t count,
                                lathe_error *err);
/* It goes at the end of the edit, when the others close up; until then it is marked. Nothing may lead to it. */
lathe_result tag_item_kill(lathe_doc *doc, uint32_t c, uint32_t number, lathe_error *err);
/* The end of the edit: items that were removed go, and all numbers follow. */
lathe_result tag_items_close_up(lathe_doc *doc, uint32_t c, lathe_error *err);

#endif
