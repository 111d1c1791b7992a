/* How exactly samples of animations are written: the options of all that write them. */
#ifndef LATHE_RECORD_PRECISION_H
#define LATHE_RECORD_PRECISION_H

#include "record/motion.h"
#include "record/table.h"

extern const lathe_param rec_param_tolerance, rec_param_quantization, rec_param_block;

/* `tolerance`, `quantization` and `max_frames_per_block` of a table, for so many tracks and float tracks. Lists of tolerances are kept in
 * `lists`, which the caller opened and frees. Errors name the option. */
lathe_result rec_precision_args(const rec_table *t, uint64_t tracks, uint64_t floats, buf *lists,
                                rec_precision *out, lathe_error *err);

#endif
