/* Headers of arrays, texts and pointers: shared by the files that read and change them. A header is the value
 * in the object: an item number or an offset. */
#ifndef LATHE_TAGFILE_HEADS_H
#define LATHE_TAGFILE_HEADS_H

#include "tagfile/tagfile.h"

/* The slot of a field, and the item number stored at a place. */
uint32_t tag_slot_of(const rec_at *at, const rec_field *row);
uint32_t tag_number_at(lathe_doc *doc, uint32_t part, uint64_t site);

/* Fails if other headers refer to the same storage, or if PTCH does not list this one. */
lathe_result tag_owned_alone(const rec_at *at, uint32_t slot, uint64_t site, lathe_error *err);

/* The same, but only for storage so large that visiting it for each reference would take too long. Small
 * storage may be shared. */
enum { TAG_SHARED_MOST = 256 };
lathe_result tag_large_alone(const rec_at *at, uint32_t slot, uint64_t site, uint64_t bytes,
                             lathe_error *err);

/* Convert stored references of either kind to objects and back. */
lathe_result tag_resolve(const rec_at *at, const rec_field *row, uint64_t raw, lathe_view *out,
                         lathe_error *err);
lathe_result tag_store(const rec_at *at, const rec_field *row, lathe_view target, uint64_t *raw,
                       lathe_error *err);

bool tag_owner(lathe_doc *doc, uint32_t part, uint64_t off, uint32_t k, uint32_t *from,
               uint64_t *site);
/* The same for relative arrays only (relative.c). */
bool tag_relative_owner(lathe_doc *doc, uint32_t part, uint64_t off, uint32_t k, uint32_t *from,
                        uint64_t *site);

/* The item of an object. An object that was made in this edit gets its item now. */
lathe_result tag_item_for(lathe_doc *doc, uint32_t part, uint32_t *item, lathe_error *err);

/* ---- edits (edit.c) ---------------------------------------------------------------------------------- */

lathe_result tag_place_data(const rec_at *at, const rec_field *row, uint64_t site, uint64_t *off,
                            lathe_error *err);
lathe_result tag_point_array(const rec_at *at, const rec_field *row, uint64_t site, uint64_t off,
                             lathe_error *err);
lathe_result tag_point_text(const rec_at *at, const rec_field *row, uint64_t site, uint64_t off,
                            lathe_error *err);
lathe_result tag_clear(const rec_at *at, const rec_field *row, uint64_t site, lathe_error *err);
lathe_result tag_recount(const rec_at *at, const rec_field *row, uint64_t site, uint64_t n,
                         lathe_error *err);
lathe_result tag_put_pointer(const rec_at *at, const rec_field *row, uint32_t part, uint64_t site,
                             uint64_t raw, lathe_error *err);
lathe_result tag_point_relative(const rec_at *at, const rec_field *row, uint64_t site, uint64_t off,
                                lathe_error *err);
lathe_result tag_clear_relative(const rec_at *at, const rec_field *row, uint64_t site,
                                lathe_error *err);
lathe_result tag_recount_relative(const rec_at *at, const rec_field *row, uint64_t site, uint64_t n,
                                  lathe_error *err);
lathe_result tag_put_relative(const rec_at *at, const rec_field *row, uint32_t part, uint64_t site,
                              uint64_t raw, lathe_error *err);
lathe_result tag_data_shared(lathe_doc *doc, uint32_t part, uint64_t off, uint64_t end,
                             bool *shared, lathe_error *err);
uint64_t tag_data_room(lathe_doc *doc, uint32_t part, uint64_t end);

#endif
