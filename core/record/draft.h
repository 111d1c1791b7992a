/* Animations that an open edit changed: their samples, until the document's bytes follow at its end. */
#ifndef LATHE_RECORD_DRAFT_H
#define LATHE_RECORD_DRAFT_H

#include "record/motion.h"

/* A state of a draft; `older` is the one before, which an open edit goes back to when it fails. One is kept for each open
 * edit. `made` is the entry of the journal that made this state, `from` the one whose rollback removes it: an earlier one
 * where this state has taken the place of others, which no open edit can go back to. */
typedef struct rec_drafted {
    model_motion motion;
    struct rec_drafted *older;
    size_t from, made;
    bool settled; /* nothing: from here on the document's bytes are what the animation is */
} rec_drafted;

typedef struct rec_draft {
    lathe_view source; /* the clip, the one of its part (rec_part.draft) */
    uint32_t part;
    rec_drafted *now;
    rec_precision how;
    double *tolerances; /* what `how` points to: 3 a track, then one a float track */
    size_t tolerances_n;
    uint64_t tracks, values; /* numbers of tracks and of float tracks that the tolerances are for */
    bool written;            /* the document's bytes agree with it */
    /* Its annotations are those of the document, which edits of them change. Else they are the motion's own. */
    bool events_stored;
} rec_draft;

/* What a clip with that draft shows: its facts. */
void rec_motion_shows(const rec_draft *draft, rec_clip *clip);
/* The annotations that the document has take the place of the motion's. */
lathe_result rec_motion_take_events(const rec_clip *clip, model_motion *m, lathe_error *err);
/* What the functions of rec_clip give of a draft (motion.c). */
double rec_motion_time(const model_motion *m, const model_when *when);
lathe_result rec_motion_sample(const model_motion *m, const model_when *when,
                               const model_skeleton *skeleton, uint64_t first, uint64_t n,
                               float *out, lathe_error *err);
lathe_result rec_motion_events(const model_motion *m,
                               bool (*each)(void *user, const model_annotation *one), void *user,
                               lathe_error *err);

/* The draft of a clip; NULL: there is none. */
rec_draft *rec_draft_of(lathe_doc *doc, const lathe_view *source);
/* The annotations of a clip are records of the document from now on, also where the open edit made others. */
lathe_result rec_draft_store_events(rec_clip *clip, lathe_error *err);
/* Writes those that are not written yet. Inside an edit. */
lathe_result rec_drafts_write(lathe_doc *doc, lathe_report *report, lathe_error *err);
/* The same; then drafts show nothing any more, until there are new ones or this is taken back: for what changes the
 * bytes of animations by itself. Inside an edit. */
lathe_result rec_drafts_settle(lathe_doc *doc, lathe_report *report, lathe_error *err);
/* The same while an edit is open, for who looks at the bytes: lengths that change are laid out, too. */
lathe_result rec_drafts_lay_out(lathe_doc *doc, lathe_error *err);
/* What an entry of the journal changed is taken back. */
void rec_draft_revert(lathe_doc *doc, const rec_edit *e, const uint8_t *data);
/* Some entries were taken back: bytes may have been, too. */
void rec_drafts_stale(lathe_doc *doc);
/* The whole edit is over: drafts go, and the journal forgets them. */
void rec_drafts_drop(lathe_doc *doc);

#endif
