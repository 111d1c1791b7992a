/* Adding, changing and removing items. Inside an edit. */
#ifndef LATHE_TAGFILE_EDIT_ITEMS_H
#define LATHE_TAGFILE_EDIT_ITEMS_H

#include "tagfile/patches.h"

/* Adds an item; *number is its number. */
lathe_result tag_item_add(lathe_doc *doc, uint32_t c, const tag_item *item, uint32_t *number,
                          lathe_error *err);
lathe_result tag_item_set_offset(lathe_doc *doc, uint32_t c, uint32_t number, uint64_t offset,
                                 lathe_error *err);
lathe_result tag_item_set_count(lathe_doc *doc, uint32_t c, uint32_t number, uint64_t count,
                                lathe_error *err);
/* Marks an item as removed; it is removed at the end of the edit. Nothing may refer to it. */
lathe_result tag_item_kill(lathe_doc *doc, uint32_t c, uint32_t number, lathe_error *err);
/* At the end of the edit: removes the marked items and updates all item numbers. */
lathe_result tag_items_close_up(lathe_doc *doc, uint32_t c, lathe_error *err);

#endif
