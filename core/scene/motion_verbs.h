/* The verbs that take samples: encode and write. */
#ifndef LATHE_SCENE_MOTION_VERBS_H
#define LATHE_SCENE_MOTION_VERBS_H

#include "scene/precision.h"

/* encode: takes samples (default: the present ones) and the options of precision.h. Encodes all tracks again. The
 * report has max_translation, max_rotation and max_scale: the largest differences to the result. */
lathe_result scene_verb_encode(lathe_view self, const lathe_source *args, lathe_report *report,
                               lathe_error *err);
extern const lathe_param *const scene_encode_params[];
/* write: takes samples and the same options. Tracks with unchanged samples keep their bytes. */
lathe_result scene_verb_write(lathe_view self, const lathe_source *args, lathe_report *report,
                              lathe_error *err);
extern const lathe_param *const scene_write_params[];

/* The clip whose record a view shows; for a document's root, its first clip. */
lathe_result scene_clip_of(lathe_view self, scene_clip *out, lathe_error *err);

#endif
