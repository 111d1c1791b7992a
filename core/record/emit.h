/* Between the files that write records from nested values: emit.c and emit_count.c. */
#ifndef LATHE_RECORD_EMIT_H
#define LATHE_RECORD_EMIT_H

#include "record/record.h"

/* Appends the stored number of a scalar row to `part`; of a pointer, zeros. */
lathe_result rec_emit_raw(const rec_at *at, uint32_t slot, uint64_t raw, uint32_t part,
                          lathe_error *err);
/* Appends one element of such a row: the given value, or its default. */
lathe_result rec_emit_scalar(const rec_at *at, uint32_t slot, const rec_from *from,
                             const lathe_value *leaf, const void *child, uint32_t part,
                             lathe_error *err);
/* Appends a count row: the number of elements of the arrays that it counts, which must agree. */
lathe_result rec_emit_count(const rec_at *at, uint32_t slot, const rec_from *from, uint32_t part,
                            lathe_error *err);
/* Number of elements that the row will have: what its count says, which must equal the number given. */
lathe_result rec_expected_count(const rec_at *at, uint32_t slot, const rec_from *from, uint64_t *n,
                                lathe_error *err);

#endif
