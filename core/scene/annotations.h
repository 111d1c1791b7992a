/* Annotations of a clip of any format, as a list in time order that is cached until the document changes, and edits
 * of them. Each annotation has an id, which it keeps through all edits, even if it moves to another record. */
#ifndef LATHE_SCENE_ANNOTATIONS_H
#define LATHE_SCENE_ANNOTATIONS_H

#include "scene/clip.h"

/* Selects members of an annotation. */
enum { SCENE_NOTE_TIME = 1, SCENE_NOTE_TEXT = 2, SCENE_NOTE_TRACK = 4 };

lathe_result scene_notes_count(lathe_doc *doc, uint64_t clip, uint64_t *n, lathe_error *err);
/* The id of annotation number i in time order, from 0. LATHE_ERR_NAME: no such annotation. */
lathe_result scene_notes_id(lathe_doc *doc, uint64_t clip, uint64_t i, uint64_t *id,
                            lathe_error *err);
/* Reads an annotation. .source.doc is NULL if no record stores it. LATHE_ERR_REMOVED: it was removed. */
lathe_result scene_note_read(lathe_doc *doc, uint64_t clip, uint64_t id, model_annotation *out,
                             lathe_error *err);

/* One edit each. LATHE_ERR_RANGE: the time is outside of the clip, the track does not exist, or the format cannot
 * store the text. LATHE_ERR_UNSUPPORTED: the format does not store annotations as such. */
lathe_result scene_clip_annotation_set(lathe_doc *doc, uint64_t clip, uint64_t id, unsigned what,
                                       const model_annotation *values, lathe_error *err);
lathe_result scene_clip_annotation_add(lathe_doc *doc, uint64_t clip,
                                       const model_annotation *values, lathe_error *err);
lathe_result scene_clip_annotation_remove(lathe_doc *doc, uint64_t clip, uint64_t id,
                                          lathe_error *err);
void scene_notes_free(lathe_doc *doc);

#endif
