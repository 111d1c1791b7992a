/* Pending poses: samples of animations that an open edit changed, and that are encoded when it ends. */
#ifndef LATHE_SCENE_DRAFT_H
#define LATHE_SCENE_DRAFT_H

#include "scene/motion.h"

/* One state of a draft. `older` is the previous state, to which an open edit returns if it fails. There is at most
 * one for each open edit. `made` is the number of the journal entry that created this state. `from` is the number of
 * the entry whose rollback removes it: an earlier one, if this state replaced others to which no open edit can
 * return. */
typedef struct scene_drafted {
    model_motion motion;
    struct scene_drafted *older;
    size_t from, made;
    bool settled; /* the draft is inactive: the document's bytes are current */
} scene_drafted;

typedef struct scene_draft {
    lathe_view source; /* the clip; the only one of its part (rec_part.upper) */
    uint32_t part;
    scene_drafted *now;
    scene_precision how;
    /* memory for the lists in `how`: 3 for each track, then one for each float track */
    double *tolerances;
    size_t tolerances_n;
    /* numbers of tracks and float tracks for which the tolerances were given */
    uint64_t tracks, values;
    bool written; /* the document's bytes agree with it */
    /* The annotations are the document's records, which can be edited. Otherwise the motion has its own ones. */
    bool events_stored;
} scene_draft;

/* Sets the facts of a clip from its draft. */
void scene_motion_shows(const scene_draft *draft, scene_clip *clip);
/* Replaces the motion's annotations by those of the document. */
lathe_result scene_motion_take_events(const scene_clip *clip, model_motion *m, lathe_error *err);
/* Implementations of the functions in clip.h for drafts (motion.c). */
double scene_motion_time(const model_motion *m, const model_when *when);
lathe_result scene_motion_sample(const model_motion *m, const model_when *when,
                                 const model_skeleton *skeleton, uint64_t first, uint64_t n,
                                 float *out, lathe_error *err);
lathe_result scene_motion_events(const model_motion *m,
                                 bool (*each)(void *user, const model_annotation *one), void *user,
                                 lathe_error *err);

/* The draft of a clip; NULL: none. */
scene_draft *scene_draft_of(lathe_doc *doc, const lathe_view *source);
/* Makes the annotations of a clip records of the document, if the open edit gave the draft others. */
lathe_result scene_draft_store_events(scene_clip *clip, lathe_error *err);
/* Inside an edit: encodes the drafts that are not written yet. */
lathe_result scene_drafts_write(lathe_doc *doc, lathe_report *report, lathe_error *err);
/* Inside an edit: the same, and makes the drafts inactive until there are new poses or this is undone. For code that
 * changes the bytes of animations directly. */
lathe_result scene_drafts_settle(lathe_doc *doc, lathe_report *report, lathe_error *err);
/* Encodes the drafts while an edit is open, and updates sizes and offsets, because the bytes are about to be read. */
lathe_result scene_drafts_lay_out(lathe_doc *doc, lathe_error *err);
/* Undoes the change of a journal entry. */
void scene_draft_revert(lathe_doc *doc, const rec_edit *e, const uint8_t *data);
/* Marks drafts as not written, because entries were undone, possibly changes of bytes. */
void scene_drafts_stale(lathe_doc *doc);
/* The outermost edit is over: frees the drafts and removes their entries from the journal. */
void scene_drafts_drop(lathe_doc *doc);

#endif
