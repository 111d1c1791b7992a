/* Options for the precision of animation samples, shared by all verbs that write them. */
#ifndef LATHE_SCENE_PRECISION_H
#define LATHE_SCENE_PRECISION_H

#include "record/table.h"
#include "scene/motion.h"

extern const lathe_param scene_param_tolerance, scene_param_quantization, scene_param_block;

/* Reads `tolerance`, `quantization` and `max_frames_per_block` from a table, for the given numbers of tracks and
 * float tracks. Lists of tolerances are stored in `lists`, which the caller initializes and frees. Errors name the
 * option. */
lathe_result scene_precision_args(const rec_table *t, uint64_t tracks, uint64_t floats, buf *lists,
                                  scene_precision *out, lathe_error *err);

#endif
