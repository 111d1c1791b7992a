/* Animations that an open edit changed: their samples, until the document's bytes follow at its end. */
#ifndef LATHE_SCENE_DRAFT_H
#define LATHE_SCENE_DRAFT_H

#include "scene/motion.h"

/* A state of a draft; `older` is the one before, which an open edit goes back to when it fails. One is kept for each open
 * edit. `made` is the entry of the journal that made this state, `from` the one whose rollback removes it: an earlier one
 * where this state has taken the place of others, which no open edit can go back to. */
typedef struct scene_drafted {
    model_motion motion;
    struct scene_drafted *older;
    size_t from, made;
    bool settled; /* nothing: from here on the document's bytes are what the animation is */
} scene_drafted;

typedef struct scene_draft {
    lathe_view source; /* the clip, the one of its part (rec_part.draft) */
    uint32_t part;
    scene_drafted *now;
    scene_precision how;
    double *tolerances; /* what `how` points to: 3 a track, then one a float track */
    size_t tolerances_n;
    uint64_t tracks, values; /* numbers of tracks and of float tracks that the tolerances are for */
    bool written;            /* the document's bytes agree with it */
    /* Its annotations are those of the document, which edits of them change. Else they are the motion's own. */
    bool events_stored;
} scene_draft;

/* What a clip with that draft shows: its facts. */
void scene_motion_shows(const scene_draft *draft, scene_clip *clip);
/* The annotations that the document has take the place of the motion's. */
lathe_result scene_motion_take_events(const scene_clip *clip, model_motion *m, lathe_error *err);
/* What the functions of scene_clip give of a draft (motion.c). */
double scene_motion_time(const model_motion *m, const model_when *when);
lathe_result scene_motion_sample(const model_motion *m, const model_when *when,
                                 const model_skeleton *skeleton, uint64_t first, uint64_t n,
                                 float *out, lathe_error *err);
lathe_result scene_motion_events(const model_motion *m,
                                 bool (*each)(void *user, const model_annotation *one), void *user,
                                 lathe_error *err);

/* The draft of a clip; NULL: there is none. */
scene_draft *scene_draft_of(lathe_doc *doc, const lathe_view *source);
/* The annotations of a clip are records of the document from now on, also where the open edit made others. */
lathe_result scene_draft_store_events(scene_clip *clip, lathe_error *err);
/* Writes those that are not written yet. Inside an edit. */
lathe_result scene_drafts_write(lathe_doc *doc, lathe_report *report, lathe_error *err);
/* The same; then drafts show nothing any more, until there are new ones or this is taken back: for what changes the
 * bytes of animations by itself. Inside an edit. */
lathe_result scene_drafts_settle(lathe_doc *doc, lathe_report *report, lathe_error *err);
/* The same while an edit is open, for who looks at the bytes: lengths that change are laid out, too. */
lathe_result scene_drafts_lay_out(lathe_doc *doc, lathe_error *err);
/* What an entry of the journal changed is taken back. */
void scene_draft_revert(lathe_doc *doc, const rec_edit *e, const uint8_t *data);
/* Some entries were taken back: bytes may have been, too. */
void scene_drafts_stale(lathe_doc *doc);
/* The whole edit is over: drafts go, and the journal forgets them. */
void scene_drafts_drop(lathe_doc *doc);

#endif
