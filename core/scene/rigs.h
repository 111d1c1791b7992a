/* Cached skeletons and animations: bones and tracks by name, and the linked skeleton, which names bones for formats
 * without names. Caches are valid until the document changes. */
#ifndef LATHE_SCENE_RIGS_H
#define LATHE_SCENE_RIGS_H

#include "scene/clip.h"

typedef struct scene_rigs scene_rigs; /* rigs.c */

/* Opening only: copies the skeleton in the options. */
lathe_result scene_link(lathe_doc *doc, const lathe_options *options, lathe_error *err);
void scene_rigs_free(lathe_doc *doc);

/* Skeleton number i, or the linked one (SCENE_LINKED). Cached; its names are valid until the next write.
 * LATHE_ERR_NAME past the last one. */
lathe_result scene_rig(lathe_doc *doc, uint64_t i, const model_skeleton **out, lathe_error *err);
/* One edit: stores the members `what` (MODEL_BONE_*) of *values in a bone. LATHE_ERR_READONLY: the format computes
 * its skeletons, or the skeleton is a linked one. */
lathe_result scene_bone_set(lathe_doc *doc, uint64_t i, uint64_t bone, unsigned what,
                            const model_bone *values, lathe_error *err);
/* Inside that edit: updates the cached bone to *now. Nothing else has changed since `before`, a value of
 * lathe_doc.changes, so the cache stays valid. Not for renaming, because cached names are borrowed. */
void scene_rig_changed(lathe_doc *doc, uint64_t i, uint64_t bone, const model_bone *now,
                       uint64_t before);
/* The first bone, or track of a clip, with a name. LATHE_ERR_NAME: there is none; the message suggests the nearest
 * name. */
lathe_result scene_rig_bone(lathe_doc *doc, uint64_t i, const char *name, size_t n, uint64_t *bone,
                            lathe_error *err);
lathe_result scene_clip_track_named(lathe_doc *doc, uint64_t clip, bool floats, const char *name,
                                    size_t n, uint64_t *track, lathe_error *err);

#endif
