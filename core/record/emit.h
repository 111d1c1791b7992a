/* Between the files that write records from nested values: emit.c and emit_count.c. */
#ifndef LATHE_RECORD_EMIT_H
#define LATHE_RECORD_EMIT_H

#include "record/record.h"

/* The stored number of a row that is neither record nor bytes; of a pointer zeros. */
lathe_result rec_emit_raw(const rec_at *at, uint32_t slot, uint64_t raw, uint32_t part,
                          lathe_error *err);
/* One value, given or default, as one element of such a row. */
lathe_result rec_emit_scalar(const rec_at *at, uint32_t slot, const rec_from *from,
                             const lathe_value *leaf, const void *child, uint32_t part,
                             lathe_error *err);
/* A count row holds what the arrays that it counts have; they must agree. */
lathe_result rec_emit_count(const rec_at *at, uint32_t slot, const rec_from *from, uint32_t part,
                            lathe_error *err);
/* How many elements the row will have: what its count says, which must be what is given. */
lathe_result rec_expected_count(const rec_at *at, uint32_t slot, const rec_from *from, uint64_t *n,
                                lathe_error *err);

#endif
