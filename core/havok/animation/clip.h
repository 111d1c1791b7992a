/* Skeletons and animations of a packfile, or of any container of such objects (objects.h): which there are, and their poses on demand. */
#ifndef LATHE_HAVOK_CLIP_H
#define LATHE_HAVOK_CLIP_H

#include "havok/animation/maths/spline.h"
#include "havok/animation/maths/uncompressed.h"
#include "havok/objects/objects.h"
#include "scene/clip.h"

/* An animation object, whatever its class. */
typedef struct hk_clip {
    uint32_t part;
    uint32_t binding, skeleton; /* parts, or REC_NO_PART; the skeleton is there once `known` is */
    bool known;                 /* its facts were looked at */
    model_clip facts;
} hk_clip;

/* An animation's data as they lie in the file, checked. */
typedef struct hk_poses {
    bool is_spline;
    union {
        hk_spline spline;
        hk_uncompressed plain;
    } as;
} hk_poses;

enum { HK_OPENED = 16 }; /* animations whose data stay open */

/* What is cached of a container: its lists, and the animations that were opened last. */
typedef struct hk_clips {
    rec_cached cached;
    uint32_t *skeletons; /* parts */
    hk_clip *list;
    size_t skeleton_count, count, skeleton_room, room;
    uint32_t *numbers; /* of each part: which animation it is, from 1 */
    size_t parts_count;
    struct {
        uint32_t clip, used; /* the animation, from 1; 0: free */
        hk_poses poses;
    } opened[HK_OPENED];
    uint32_t clock;
} hk_clips;

/* The lists of a document; NULL and *err: out of memory. */
hk_clips *hk_clips_of(lathe_doc *doc, uint32_t c, lathe_error *err);
/* How many there are in the document's own container of LATHE_SKELETONS or LATHE_ANIMATIONS. */
lathe_result hk_clip_count(lathe_doc *doc, lathe_list list, uint64_t *n, lathe_error *err);
/* The animation that a view shows. */
lathe_result hk_clip_of(lathe_view source, hk_clips **clips, hk_clip **clip, lathe_error *err);
/* The skeleton that a clip is for: that of the name in its binding, else the first. REC_NO_PART: none. */
uint32_t hk_skeleton_of(lathe_doc *doc, hk_clips *clips, hk_clip *clip);
/* Of hkaSkeleton, described or too short to be. */
bool hk_is_skeleton(lathe_doc *doc, uint32_t part);
/* Of any class that Havok derives from hkaAnimation. */
bool hk_is_animation(lathe_doc *doc, uint32_t part);
bool hk_type_is_animation(const rec_type *type);
/* An object as a record: of an animation of a class that is not described, what all of them have. False
 * where it is too short even for that. */
bool hk_animation_at(lathe_doc *doc, uint32_t part, rec_at *at);

/* ---- poses (poses.c) --------------------------------------------------------------------------------- */

/* Frames and tracks of an animation, 0 where its numbers can't be: without opening splines. */
lathe_result hk_poses_facts(const rec_at *at, model_clip *facts);
/* Opens an animation's data; errors name class, member and offset. */
lathe_result hk_poses_open(const rec_at *at, hk_poses *poses, lathe_error *err);
void hk_poses_close(hk_poses *poses);
/* Gives an error of what lies in a member its place: `where` names the member, offsets count in `data`. */
lathe_result hk_blame(const rec_at *at, const lathe_error *why, lathe_error *err);
/* The open data of an animation of the list, good until the next call. */
lathe_result hk_poses_of(hk_clips *clips, hk_clip *clip, lathe_doc *doc, hk_poses **poses,
                         lathe_error *err);

/* ---- hooks of the format ----------------------------------------------------------------------------- */

extern const scene_clips hk_clip_hooks;
/* … of annotations (annotations.c) */
lathe_result hk_annotations(lathe_view source,
                            bool (*each)(void *user, const model_annotation *one), void *user,
                            lathe_error *err);
lathe_result hk_annotation(lathe_view source, model_annotation *out, lathe_error *err);
lathe_result hk_annotation_set(lathe_view source, const model_annotation *was,
                               const model_annotation *now, lathe_view *stored, lathe_error *err);
lathe_result hk_annotation_add(lathe_view source, const model_annotation *now, lathe_view *stored,
                               lathe_error *err);
lathe_result hk_annotation_remove(lathe_view source, const model_annotation *was, lathe_error *err);
lathe_result hk_skeleton(lathe_doc *doc, uint64_t i, model_skeleton *skeleton, lathe_error *err);
lathe_result hk_skeleton_set(lathe_doc *doc, uint64_t i, uint64_t bone_number, unsigned what,
                             model_bone *bone, lathe_error *err);

#endif
