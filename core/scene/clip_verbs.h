/* Verbs of animations that all formats share whose clips can be written. */
#ifndef LATHE_SCENE_CLIP_VERBS_H
#define LATHE_SCENE_CLIP_VERBS_H

#include "record/schema.h"

/* The last one has no name. All are marked by .clips. */
extern const rec_verb scene_clip_verbs[];

#endif
