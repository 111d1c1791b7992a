/* Verbs for animations, shared by all formats whose animations can be written. */
#ifndef LATHE_SCENE_CLIP_VERBS_H
#define LATHE_SCENE_CLIP_VERBS_H

#include "record/schema.h"

/* The last one has no name. Their .is hook is scene_is_clip. */
extern const rec_verb scene_clip_verbs[];

#endif
