/* How exactly samples of animations are written: the options of all that write them. */
#ifndef LATHE_SCENE_PRECISION_H
#define LATHE_SCENE_PRECISION_H

#include "record/table.h"
#include "scene/motion.h"

extern const lathe_param scene_param_tolerance, scene_param_quantization, scene_param_block;

/* `tolerance`, `quantization` and `max_frames_per_block` of a table, for so many tracks and float tracks. Lists of tolerances are kept in
 * `lists`, which the caller opened and frees. Errors name the option. */
lathe_result scene_precision_args(const rec_table *t, uint64_t tracks, uint64_t floats, buf *lists,
                                  scene_precision *out, lathe_error *err);

#endif
