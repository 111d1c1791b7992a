/* Functions that the files for writing records from nested values share: emit.c and emit_count.c. */
#ifndef LATHE_RECORD_EMIT_H
#define LATHE_RECORD_EMIT_H

#include "record/record.h"

/* Appends the stored number of a scalar row to `part`. A pointer is written as zeros. */
lathe_result rec_emit_raw(const rec_at *at, uint32_t slot, uint64_t raw, uint32_t part,
                          lathe_error *err);
/* Appends one element of such a row: the source's value, or the default. */
lathe_result rec_emit_scalar(const rec_at *at, uint32_t slot, const rec_from *from,
                             const lathe_value *leaf, const void *child, uint32_t part,
                             lathe_error *err);
/* Appends a count row: the number of elements of the arrays that it counts. Fails if these differ. */
lathe_result rec_emit_count(const rec_at *at, uint32_t slot, const rec_from *from, uint32_t part,
                            lathe_error *err);
/* The number of elements that the row will have, from its count. Fails if the source has another number of them. */
lathe_result rec_expected_count(const rec_at *at, uint32_t slot, const rec_from *from, uint64_t *n,
                                lathe_error *err);

#endif
