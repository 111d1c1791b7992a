/* What a format says of the scene that its documents hold: meshes, skeletons, materials, bodies, animations. Who asks uses
 * clip.h, rigs.h and annotations.h, which check what is asked for. */
#ifndef LATHE_SCENE_HOOKS_H
#define LATHE_SCENE_HOOKS_H

#include "model/clip.h"
#include "model/mesh.h"
#include "model/skeleton.h"
#include "record/schema.h"

struct model_motion;
struct scene_precision;

/* The animations of a document, read on demand. Transforms are 10 floats: translation 3, rotation
 * x y z w, scale 3. Who calls checks the numbers first (clip.h): tracks and frames exist, a
 * time is in 0 .. duration, a skeleton's parents lead to roots. */
typedef struct scene_clips {
    /* Facts of clip number i, and what it is a view of; LATHE_ERR_NAME past the last. */
    lathe_result (*open)(lathe_doc *doc, uint64_t i, model_clip *clip, lathe_view *source,
                         lathe_error *err);
    lathe_result (*track)(lathe_view source, uint64_t i, model_track *track, lathe_error *err);
    /* Refuses a clip whose numbers or data do not stand for poses, before room is made for any and before
     * the hooks below are asked. Its facts are what can be said all the same. NULL: there are none such. */
    lathe_result (*ready)(lathe_view source, lathe_error *err);
    /* What binds the clip to a skeleton, or .doc NULL. NULL: nothing does. */
    lathe_result (*binding)(lathe_view source, lathe_view *out, lathe_error *err);
    /* Tracks first .. first + n into `out`, n rows. With a skeleton the rows are relative to their
     * parents, whatever the file stores; NULL: as the file has them (model_clip.absolute). */
    lathe_result (*sample)(lathe_view source, const model_when *when,
                           const model_skeleton *skeleton, uint64_t first, uint64_t n, float *out,
                           lathe_error *err);
    /* Frames from .. from + n of all tracks, frame by frame; track_count rows each. NULL: `sample`,
     * called for each of them. */
    lathe_result (*decode)(lathe_view source, const model_skeleton *skeleton, uint64_t from,
                           uint64_t n, float *out, lathe_error *err);
    /* Tracks of single numbers: as `track`, `sample` and `decode`, one float each. NULL where no clip has
     * any. */
    lathe_result (*float_track)(lathe_view source, uint64_t i, model_float_track *track,
                                lathe_error *err);
    lathe_result (*floats)(lathe_view source, const model_when *when, uint64_t first, uint64_t n,
                           float *out, lathe_error *err);
    lathe_result (*decode_floats)(lathe_view source, uint64_t from, uint64_t n, float *out,
                                  lathe_error *err);
    /* Gives all annotations to `each`, in any order, until it returns false: then LATHE_ERR_MEMORY.
     * NULL where no clip has any. */
    lathe_result (*annotations)(lathe_view source,
                                bool (*each)(void *user, const model_annotation *one), void *user,
                                lathe_error *err);
    /* What the record out->source says of an annotation: time and text, and not its track. Needed where there are
     * annotations. */
    lathe_result (*annotation)(lathe_view source, model_annotation *out, lathe_error *err);
    /* Inside an edit; the time is in the clip, the track is one of it, the text holds no NUL. Changes the record of
     * *was so that it says *now, or removes it and makes another: *stored is then that one. The annotations of a track stay in
     * time order. NULL: they are not stored as such. */
    lathe_result (*annotation_set)(lathe_view source, const model_annotation *was,
                                   const model_annotation *now, lathe_view *stored,
                                   lathe_error *err);
    lathe_result (*annotation_add)(lathe_view source, const model_annotation *now,
                                   lathe_view *stored, lathe_error *err);
    lathe_result (*annotation_remove)(lathe_view source, const model_annotation *was,
                                      lathe_error *err);
    bool by_track; /* `annotations` gives them track by track, else in time order */
    /* x, y, z and the angle about the up axis (radians) of all n frames. NULL where no clip has
     * it. */
    lathe_result (*motion)(lathe_view source, uint64_t n, float *out, lathe_error *err);
    /* The times of all n frames, s from the clip's start. NULL: they are evenly spaced over the duration. */
    lathe_result (*times)(lathe_view source, uint64_t n, double *out, lathe_error *err);
    /* The axes of root motion, of length 1. NULL: model_motion_alloc's. */
    lathe_result (*axes)(lathe_view source, double up[3], double forward[3], lathe_error *err);
    /* Whether records of the type are animations. NULL: the root record is one. */
    bool (*is)(const rec_type *type);
    /* Inside an edit: the clip becomes `m`: what differs from what is stored is written, and nothing else. `how` is for
     * formats that compress; what is coarser than it asks for goes to `report` (may be NULL). NULL: clips are
     * read-only. */
    lathe_result (*write)(lathe_view source, const struct model_motion *m,
                          const struct scene_precision *how, lathe_report *report,
                          lathe_error *err);
} scene_clips;

struct scene_hooks {
    /* How many there are in a list whose hook is below: others are not asked for. */
    lathe_result (*count)(lathe_doc *doc, lathe_list list, uint64_t *n, lathe_error *err);
    /* Fills mesh number i; LATHE_ERR_NAME past the last. */
    lathe_result (*mesh)(lathe_doc *doc, uint64_t i, model_mesh *mesh, lathe_error *err);
    /* Fills skeleton number i; LATHE_ERR_NAME past the last. NULL: there are none. A failure may
     * leave it half filled. */
    lathe_result (*skeleton)(lathe_doc *doc, uint64_t i, model_skeleton *skeleton,
                             lathe_error *err);
    /* Inside an edit: stores what `what` (MODEL_BONE_*) names of a bone that is there, and puts into *bone what is stored
     * then: numbers may have been rounded. The parents lead to roots, numbers are finite. LATHE_ERR_UNSUPPORTED: the
     * format has no such thing. NULL: skeletons are worked out, and what they are worked out from is changed. */
    lathe_result (*skeleton_set)(lathe_doc *doc, uint64_t i, uint64_t bone_number, unsigned what,
                                 model_bone *bone, lathe_error *err);
    /* The record that is material number i; LATHE_ERR_NAME past the last. Its type has computed rows `kind`,
     * `name` (or a stored one) and `source`. NULL: there are none. */
    lathe_result (*material)(lathe_doc *doc, uint64_t i, lathe_view *out, lathe_error *err);
    /* The record that says how material number i is drawn: its flags, colours, opacity, and lists of textures. .doc
     * NULL: no record does. NULL: no material of the format is drawn. */
    lathe_result (*look)(lathe_doc *doc, uint64_t i, lathe_view *out, lathe_error *err);
    /* The record that is body number i, of what collides; LATHE_ERR_NAME past the last. Its type has computed
     * rows `name` and `motion` ("static", "keyframed", "dynamic"; or nothing). NULL: there are none. */
    lathe_result (*body)(lathe_doc *doc, uint64_t i, lathe_view *out, lathe_error *err);
    /* Fills mesh number i of what collides, as .mesh does, with its .body, .shape and materials;
     * LATHE_ERR_NAME past the last. A body may have several, or none. A format that has them has bodies.
     * NULL: there are none. */
    lathe_result (*collision)(lathe_doc *doc, uint64_t i, model_mesh *mesh, lathe_error *err);
    /* The record of this format that owns body number i of container `c`, which lies in a part of it: .doc NULL
     * where none does. Asked by the format of `c`. NULL: none ever does. */
    lathe_result (*body_owner)(lathe_doc *doc, uint32_t c, uint64_t i, lathe_view *out,
                               lathe_error *err);
    /* Inside an edit: forces move a body of container `c` from now on, which lies in a part of this format. NULL:
     * that changes nothing else. */
    lathe_result (*body_moves)(lathe_doc *doc, uint32_t c, lathe_error *err);
    const scene_clips *clips; /* NULL: there are none */
};
typedef struct scene_hooks scene_hooks;

/* Those of a format; all NULL where it has none. */
const scene_hooks *scene_of(const lathe_format *format);
/* A .count of formats whose files are one mesh, skeleton or animation. */
lathe_result scene_count_one(lathe_doc *doc, lathe_list list, uint64_t *n, lathe_error *err);
/* What is wrong with them; NULL: nothing. */
const char *scene_fault(const lathe_format *format);
/* Whether it has a list. */
bool scene_has(const lathe_format *format, lathe_list list);
/* How many items a list of a document has; none where the format has no such list. */
lathe_result scene_count(lathe_doc *doc, lathe_list list, uint64_t *n, lathe_error *err);
/* Whether records of a type are animations: scene_clip_verbs has verbs of them, whatever their format. */
bool scene_is_clip(const lathe_format *format, const rec_type *type);

#endif
