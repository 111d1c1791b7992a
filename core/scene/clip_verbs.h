/* Verbs for animations, shared by all formats whose animations can be written. */
#ifndef LATHE_SCENE_CLIP_VERBS_H
#define LATHE_SCENE_CLIP_VERBS_H

#include "record/schema.h"

/* The last one has no name. Their .is hook is scene_is_clip. */
extern const rec_verb scene_clip_verbs[];

/* The verb `rename`, which changes the texts of annotations: for formats whose own rename hides it. */
extern const rec_param scene_rename_from, scene_rename_to;
extern const rec_param *const scene_rename_params[];
lathe_result scene_rename(lathe_view self, const lathe_source *args, lathe_report *report,
                          lathe_error *err);

#endif
