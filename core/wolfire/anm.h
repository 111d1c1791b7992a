#ifndef LATHE_WOLFIRE_ANM_H
#define LATHE_WOLFIRE_ANM_H

#include "gen/wolfire_types.h"
#include "record/types.h"
#include "scene/hooks.h"
#include "wolfire/wolfire.h"

/* What the file says or, in versions that do not store it, what the game takes. Times are ms, in the
 * base of the key frames' times: the clip runs from start to end. */
typedef struct anm_facts {
    int64_t version, start, end;
    uint64_t frames;
    bool centered, looping, stores_start;
} anm_facts;

anm_facts anm_facts_of(lathe_doc *doc);
/* Inside an edit. Stores them: where there is no start it must be 0. */
lathe_result anm_set_start(lathe_doc *doc, int64_t start, lathe_error *err);
lathe_result anm_set_end(lathe_doc *doc, int64_t end, lathe_error *err);
/* Key frame number i. */
lathe_result anm_frame_at(lathe_doc *doc, uint64_t i, rec_at *frame, lathe_error *err);

/* Inside an edit: heading and offset go back into the poses, and `centered` becomes 0. Nothing where
 * it is. */
lathe_result anm_uncentre(lathe_doc *doc, lathe_report *report, lathe_error *err);

void anm_check(lathe_doc *doc, uint32_t c, rec_report *report);

/* Verbs with maths of their own: anm_centre.c, anm_edit.c, anm_mirror.c. */
lathe_result anm_verb_centre(lathe_view self, const lathe_source *args, lathe_report *report,
                             lathe_error *err);
lathe_result anm_verb_uncentre(lathe_view self, const lathe_source *args, lathe_report *report,
                               lathe_error *err);
lathe_result anm_verb_trim(lathe_view self, const lathe_source *args, lathe_report *report,
                           lathe_error *err); /* t0, t1 */
lathe_result anm_verb_reverse(lathe_view self, const lathe_source *args, lathe_report *report,
                              lathe_error *err);
lathe_result anm_verb_resample(lathe_view self, const lathe_source *args, lathe_report *report,
                               lathe_error *err); /* fps, skeleton */
lathe_result anm_verb_mirror(lathe_view self, const lathe_source *args, lathe_report *report,
                             lathe_error *err); /* skeleton */

extern const scene_clips anm_clips;

/* Inside an edit: another version, 0 to ANM_NEWEST. Tells what is dropped; a centered file is
 * uncentered where the version knows no such thing. */
lathe_result anm_set_version(lathe_doc *doc, int64_t version, lathe_report *report,
                             lathe_error *err);
/* The verb. */
lathe_result anm_version_verb(lathe_view self, const lathe_source *args, lathe_report *report,
                              lathe_error *err);

extern const rec_verb anm_verbs[];

#endif
