/* What is found again of skeletons and animations while a document stays as it is: bones and tracks by their names;
 * and the skeleton that the document is linked to, which gives names where its own format has none. */
#ifndef LATHE_SCENE_RIGS_H
#define LATHE_SCENE_RIGS_H

#include "scene/clip.h"

typedef struct scene_rigs scene_rigs; /* rigs.c */

/* Opening only: copies the skeleton that the options name. */
lathe_result scene_link(lathe_doc *doc, const lathe_options *options, lathe_error *err);
void scene_rigs_free(lathe_doc *doc);

/* Skeleton number i, or the linked one (SCENE_LINKED), whose names are good until the next write; LATHE_ERR_NAME past
 * the last. Read once while nothing changes. */
lathe_result scene_rig(lathe_doc *doc, uint64_t i, const model_skeleton **out, lathe_error *err);
/* One edit: stores what `what` (MODEL_BONE_*) names of *values in a bone. LATHE_ERR_READONLY: the format works its
 * skeletons out, or the skeleton is a linked one. */
lathe_result scene_bone_set(lathe_doc *doc, uint64_t i, uint64_t bone, unsigned what,
                            const model_bone *values, lathe_error *err);
/* Inside of that: the bone is now as *now says, and nothing else changed since `before` (lathe_doc.changes), so what was read stays
 * good. Names are borrowed: renaming is no such edit. */
void scene_rig_changed(lathe_doc *doc, uint64_t i, uint64_t bone, const model_bone *now,
                       uint64_t before);
/* The first bone, or track of a clip, of that name. LATHE_ERR_NAME, with the nearest name: there is none. */
lathe_result scene_rig_bone(lathe_doc *doc, uint64_t i, const char *name, size_t n, uint64_t *bone,
                            lathe_error *err);
lathe_result scene_clip_track_named(lathe_doc *doc, uint64_t clip, bool floats, const char *name,
                                    size_t n, uint64_t *track, lathe_error *err);

#endif
