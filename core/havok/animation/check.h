/* doc:check() of skeletons and animations, in containers of any format. */
#ifndef LATHE_HAVOK_ANIMATION_CHECK_H
#define LATHE_HAVOK_ANIMATION_CHECK_H

#include "havok/animation/clip.h"
#include "havok/objects/finding.h"

/* An object, whichever of these it is. */
void hk_check_model(rec_report *report, lathe_doc *doc, uint32_t part, hk_clips *clips);
/* The animations of a document against a skeleton of another file (check_link.c). */
void hk_check_link(lathe_doc *doc, rec_report *report, const hk_clips *clips);

/* Animations and what binds them (check_clip.c). */
void hk_check_animation(rec_report *report, const rec_at *at, const hk_clips *clips);
void hk_check_binding(rec_report *report, const rec_at *at, hk_clips *clips);
void hk_check_motion(rec_report *report, const rec_at *at);
/* Skeletons, and the containers that lead to all else (check_rig.c). */
void hk_check_skeleton(rec_report *report, const rec_at *at);
void hk_check_root(rec_report *report, const rec_at *at);
void hk_check_container(rec_report *report, const rec_at *at);

#endif
