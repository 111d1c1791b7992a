#ifndef LATHE_WOLFIRE_ANM_H
#define LATHE_WOLFIRE_ANM_H

#include "gen/wolfire_types.h"
#include "record/types.h"
#include "scene/hooks.h"
#include "wolfire/wolfire.h"

/* Properties of a clip: as stored or, in versions that do not store them, as the game assumes them. Times are
 * in ms on the time line of the key frames: the clip runs from start to end. */
typedef struct anm_facts {
    int64_t version, start, end;
    uint64_t frames;
    bool centered, looping, stores_start;
} anm_facts;

anm_facts anm_facts_of(lathe_doc *doc);
/* Inside an edit: store them. In versions without a start it must be 0. */
lathe_result anm_set_start(lathe_doc *doc, int64_t start, lathe_error *err);
lathe_result anm_set_end(lathe_doc *doc, int64_t end, lathe_error *err);
/* Key frame i, from 0. */
lathe_result anm_frame_at(lathe_doc *doc, uint64_t i, rec_at *frame, lathe_error *err);

/* Inside an edit: puts heading and offset back into the poses and sets `centered` to 0. Does nothing if it is
 * 0. */
lathe_result anm_uncentre(lathe_doc *doc, lathe_report *report, lathe_error *err);

void anm_check(lathe_doc *doc, uint32_t c, rec_report *report);

/* Verbs with calculations of their own: anm_centre.c, anm_edit.c, anm_mirror.c. */
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

/* Inside an edit: converts to another version, 0 to ANM_NEWEST. Reports what is dropped. Uncentres a centred
 * file if the version does not support it. */
lathe_result anm_set_version(lathe_doc *doc, int64_t version, lathe_report *report,
                             lathe_error *err);
/* The verb. */
lathe_result anm_version_verb(lathe_view self, const lathe_source *args, lathe_report *report,
                              lathe_error *err);

extern const rec_verb anm_verbs[];

#endif
