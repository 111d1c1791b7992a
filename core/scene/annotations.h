/* Annotations of a clip of any format as a list in time order, which is read once while nothing changes, and edits of
 * them. Each is known by an id, which it keeps through all edits, whichever record it is stored in. */
#ifndef LATHE_SCENE_ANNOTATIONS_H
#define LATHE_SCENE_ANNOTATIONS_H

#include "scene/clip.h"

/* Which members of an annotation are meant. */
enum { SCENE_NOTE_TIME = 1, SCENE_NOTE_TEXT = 2, SCENE_NOTE_TRACK = 4 };

lathe_result scene_notes_count(lathe_doc *doc, uint64_t clip, uint64_t *n, lathe_error *err);
/* The id of number i in time order, from 0. LATHE_ERR_NAME: there is none of that number. */
lathe_result scene_notes_id(lathe_doc *doc, uint64_t clip, uint64_t i, uint64_t *id,
                            lathe_error *err);
/* What it says; .source.doc NULL: no record stands for it. LATHE_ERR_REMOVED: it was removed. */
lathe_result scene_note_read(lathe_doc *doc, uint64_t clip, uint64_t id, model_annotation *out,
                             lathe_error *err);

/* One edit each. LATHE_ERR_RANGE: a time outside of the clip, a track that is not there, a text that the format can't
 * hold; LATHE_ERR_UNSUPPORTED: the format stores annotations otherwise. */
lathe_result scene_clip_annotation_set(lathe_doc *doc, uint64_t clip, uint64_t id, unsigned what,
                                       const model_annotation *values, lathe_error *err);
lathe_result scene_clip_annotation_add(lathe_doc *doc, uint64_t clip,
                                       const model_annotation *values, lathe_error *err);
lathe_result scene_clip_annotation_remove(lathe_doc *doc, uint64_t clip, uint64_t id,
                                          lathe_error *err);
void scene_notes_free(lathe_doc *doc);

#endif
