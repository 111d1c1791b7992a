/* doc:check() of packfiles, by what is looked at. */
#ifndef LATHE_HAVOK_CHECK_H
#define LATHE_HAVOK_CHECK_H

#include "havok/animation/clip.h"

/* check_clip.c: animations and what binds them. */
void hk_check_animation(rec_report *report, const rec_at *at, const hk_clips *clips);
void hk_check_binding(rec_report *report, const rec_at *at, hk_clips *clips);
void hk_check_motion(rec_report *report, const rec_at *at);
/* check_rig.c: skeletons, and the containers that lead to all else. */
void hk_check_skeleton(rec_report *report, const rec_at *at);
void hk_check_root(rec_report *report, const rec_at *at);
void hk_check_container(rec_report *report, const rec_at *at);

/* check_link.c: animations against a skeleton of another file. */
void hk_check_link(lathe_doc *doc, rec_report *report, const hk_clips *clips);

/* rel_array.c, physics/check_convex.c: of any object. */
void hk_check_rels(rec_report *report, const rec_at *at);
void hk_check_convex(rec_report *report, const rec_at *at);
/* physics/check_collision.c: what collides in a container, but for convex shapes. */
void hk_check_collision(rec_report *report, lathe_doc *doc, uint32_t c);

/* An object of animation, whichever it is; of containers of any format (objects.h). */
void hk_check_model(rec_report *report, lathe_doc *doc, uint32_t part, hk_clips *clips);
/* … and rigid bodies with their shapes (physics/check_rigid.c). All of both: */
void hk_check_rigid(rec_report *report, lathe_doc *doc, uint32_t c);
void hk_check_models(lathe_doc *doc, uint32_t c, rec_report *report);

/* What is wrong with a rotation: the level, or 0 where nothing is. */
const char *hk_rotation_wrong(const uint8_t *p, bool big, lathe_level *level);
/* Reports at a member. */
#define HK_FINDING(report, level, at, name, item, ...)                                             \
    rec_finding(report, level, at, rec_slot_find((at)->layout, name), item, __VA_ARGS__)

#endif
