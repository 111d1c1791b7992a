/* Animations of splines made larger or smaller (scale_clip.c). */
#ifndef LATHE_HAVOK_ANIMATION_SCALE_CLIP_H
#define LATHE_HAVOK_ANIMATION_SCALE_CLIP_H

#include "scene/scale.h"

/* The translations of its tracks. What cannot be read is told, stays and is not *done. */
lathe_result hk_scale_spline(scene_scaling *s, const rec_at *animation, bool *done,
                             lathe_error *err);

#endif
