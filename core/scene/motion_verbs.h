/* The two verbs that take samples, for the table of verbs of clips. */
#ifndef LATHE_SCENE_MOTION_VERBS_H
#define LATHE_SCENE_MOTION_VERBS_H

#include "scene/precision.h"

/* encode: samples (left out: those that it has), and the options of precision.h. All tracks are written anew; the report
 * has max_translation, max_rotation, max_scale, measured on what is written then. */
lathe_result scene_verb_encode(lathe_view self, const lathe_source *args, lathe_report *report,
                               lathe_error *err);
extern const lathe_param *const scene_encode_params[];
/* write: samples, and the same options. Tracks whose samples are as they were keep their bytes. */
lathe_result scene_verb_write(lathe_view self, const lathe_source *args, lathe_report *report,
                              lathe_error *err);
extern const lathe_param *const scene_write_params[];

/* The clip whose source a view is; of a document's root its first one. */
lathe_result scene_clip_of(lathe_view self, scene_clip *out, lathe_error *err);

#endif
