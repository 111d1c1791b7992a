/* Hooks by which a format gives access to the meshes, skeletons, materials, bodies and animations of its documents.
 * Callers use clip.h, rigs.h and annotations.h, which check arguments first. */
#ifndef LATHE_SCENE_HOOKS_H
#define LATHE_SCENE_HOOKS_H

#include "model/clip.h"
#include "model/mesh.h"
#include "model/skeleton.h"
#include "record/schema.h"

struct model_motion;
struct scene_precision;

/* Hooks for animations, which are read on demand. A transform is 10 floats: translation 3, rotation x y z w, scale 3.
 * The caller has checked the arguments (clip.h): tracks and frames exist, times are in 0 .. duration, and the parents
 * of a skeleton have no cycles. */
typedef struct scene_clips {
    /* Gives the facts of clip number i, and a view of its record. LATHE_ERR_NAME past the last one. */
    lathe_result (*open)(lathe_doc *doc, uint64_t i, model_clip *clip, lathe_view *source,
                         lathe_error *err);
    lathe_result (*track)(lathe_view source, uint64_t i, model_track *track, lathe_error *err);
    /* Fails if a clip's data cannot be decoded as poses. Called before memory for poses is allocated and before the
     * hooks below. The facts of such a clip may still be read. NULL: all clips can be decoded. */
    lathe_result (*ready)(lathe_view source, lathe_error *err);
    /* The record that binds the clip to a skeleton; .doc is NULL if there is none. NULL hook: there never is. */
    lathe_result (*binding)(lathe_view source, lathe_view *out, lathe_error *err);
    /* Samples the tracks first .. first + n into n rows of `out`. With a skeleton, rows are relative to parents,
     * whatever the file stores. NULL: as in the file (model_clip.absolute). */
    lathe_result (*sample)(lathe_view source, const model_when *when,
                           const model_skeleton *skeleton, uint64_t first, uint64_t n, float *out,
                           lathe_error *err);
    /* Decodes the frames from .. from + n of all tracks, frame by frame, with track_count rows each. NULL: `sample`
     * is called for each frame. */
    lathe_result (*decode)(lathe_view source, const model_skeleton *skeleton, uint64_t from,
                           uint64_t n, float *out, lathe_error *err);
    /* Float tracks: like `track`, `sample` and `decode`, with one float each. NULL if no clip has any. */
    lathe_result (*float_track)(lathe_view source, uint64_t i, model_float_track *track,
                                lathe_error *err);
    lathe_result (*floats)(lathe_view source, const model_when *when, uint64_t first, uint64_t n,
                           float *out, lathe_error *err);
    lathe_result (*decode_floats)(lathe_view source, uint64_t from, uint64_t n, float *out,
                                  lathe_error *err);
    /* Calls `each` with all annotations, in any order, until it returns false, which gives LATHE_ERR_MEMORY. NULL if
     * no clip has any. */
    lathe_result (*annotations)(lathe_view source,
                                bool (*each)(void *user, const model_annotation *one), void *user,
                                lathe_error *err);
    /* Reads the time and text of an annotation from the record out->source, but not its track. Required if there are
     * annotations. */
    lathe_result (*annotation)(lathe_view source, model_annotation *out, lathe_error *err);
    /* Inside an edit: changes the annotation *was to *now. The time is inside the clip, the track exists, and the
     * text has no NUL. *stored is the record that stores it then, which may be a new one. The annotations of a track
     * stay in time order. NULL: annotations are not stored as such. */
    lathe_result (*annotation_set)(lathe_view source, const model_annotation *was,
                                   const model_annotation *now, lathe_view *stored,
                                   lathe_error *err);
    lathe_result (*annotation_add)(lathe_view source, const model_annotation *now,
                                   lathe_view *stored, lathe_error *err);
    lathe_result (*annotation_remove)(lathe_view source, const model_annotation *was,
                                      lathe_error *err);
    bool by_track; /* `annotations` goes track by track, else in time order */
    /* Root motion of all n frames: x, y, z and the angle about the up axis in radians. NULL if no clip has any. */
    lathe_result (*motion)(lathe_view source, uint64_t n, float *out, lathe_error *err);
    /* The times of all n frames in seconds from the start of the clip. NULL: they are evenly spaced over the
     * duration. */
    lathe_result (*times)(lathe_view source, uint64_t n, double *out, lathe_error *err);
    /* The axes of root motion, as unit vectors. NULL: the defaults of model_motion_alloc. */
    lathe_result (*axes)(lathe_view source, double up[3], double forward[3], lathe_error *err);
    /* Whether records of a type are animations. NULL: the root record is the only one. */
    bool (*is)(const rec_type *type);
    /* Inside an edit: writes `m` to the clip, and changes only what differs from the stored data. `how` is for
     * formats that compress. Tracks that exceed its tolerances are reported to `report` (may be NULL). NULL hook:
     * clips are read-only. */
    lathe_result (*write)(lathe_view source, const struct model_motion *m,
                          const struct scene_precision *how, lathe_report *report,
                          lathe_error *err);
} scene_clips;

/* Hooks for behavior graphs. The lists are those of lathe_list from LATHE_GRAPHS on; .count of scene_hooks counts them. */
typedef struct scene_graph {
    /* The record of item i of a list. LATHE_ERR_NAME past the last one. Of a file: the record that lists it. */
    lathe_result (*item)(lathe_doc *doc, lathe_list list, uint64_t i, lathe_view *out,
                         lathe_error *err);
    /* The name of item i, borrowed until the next write; kind NONE: it has none. */
    lathe_result (*name)(lathe_doc *doc, lathe_list list, uint64_t i, lathe_value *out,
                         lathe_error *err);
    /* The number of the first item with a name. LATHE_ERR_NAME: there is none, or no single one is meant. */
    lathe_result (*find)(lathe_doc *doc, lathe_list list, const char *name, size_t n, uint64_t *i,
                         lathe_error *err);
} scene_graph;

struct scene_hooks {
    /* Gives the number of items in a list. Called only for lists that the format has hooks for. */
    lathe_result (*count)(lathe_doc *doc, lathe_list list, uint64_t *n, lathe_error *err);
    /* Fills mesh number i. LATHE_ERR_NAME past the last one. */
    lathe_result (*mesh)(lathe_doc *doc, uint64_t i, model_mesh *mesh, lathe_error *err);
    /* Fills skeleton number i. LATHE_ERR_NAME past the last one. On failure it may be partly filled. NULL: there are
     * none. */
    lathe_result (*skeleton)(lathe_doc *doc, uint64_t i, model_skeleton *skeleton,
                             lathe_error *err);
    /* Fills a skeleton with the nodes of the document's scene: they place its meshes, or are the bones of other files. It is not
     * one of the list of skeletons. An error says what the document has in place of nodes. NULL: there are none. */
    lathe_result (*nodes)(lathe_doc *doc, model_skeleton *skeleton, lathe_error *err);
    /* Inside an edit: stores the members `what` (MODEL_BONE_*) of an existing bone. *bone then gets the stored
     * values, which may be rounded. Parents have no cycles, and numbers are finite. LATHE_ERR_UNSUPPORTED: the format
     * does not store such a member. NULL: skeletons are computed from other data, which have to be changed instead. */
    lathe_result (*skeleton_set)(lathe_doc *doc, uint64_t i, uint64_t bone_number, unsigned what,
                                 model_bone *bone, lathe_error *err);
    /* The record of material number i. LATHE_ERR_NAME past the last one. Its type has computed rows `kind`, `name`
     * (may be stored) and `source`. NULL: there are none. */
    lathe_result (*material)(lathe_doc *doc, uint64_t i, lathe_view *out, lathe_error *err);
    /* The record that says how material number i is drawn: flags, colours, opacity, lists of textures. .doc is NULL
     * if there is none. NULL hook: the format's materials are never drawn. */
    lathe_result (*look)(lathe_doc *doc, uint64_t i, lathe_view *out, lathe_error *err);
    /* The record of body number i. LATHE_ERR_NAME past the last one. Its type has computed rows `name` and `motion`
     * ("static", "keyframed", "dynamic", or no value). NULL: there are none. */
    lathe_result (*body)(lathe_doc *doc, uint64_t i, lathe_view *out, lathe_error *err);
    /* Fills collision mesh number i like .mesh, including .body, .shape and materials. LATHE_ERR_NAME past the last
     * one. A body may have any number of them. A format with collision meshes has bodies. NULL: there are none. */
    lathe_result (*collision)(lathe_doc *doc, uint64_t i, model_mesh *mesh, lathe_error *err);
    /* For a format that embeds documents of others: the record of this format that owns body number i of the embedded
     * container `c`; .doc is NULL if none does. NULL hook: none ever does. */
    lathe_result (*body_owner)(lathe_doc *doc, uint32_t c, uint64_t i, lathe_view *out,
                               lathe_error *err);
    /* Inside an edit, for a format that embeds documents of others: called when a body of the embedded container `c`
     * becomes dynamic. NULL: nothing to update. */
    lathe_result (*body_moves)(lathe_doc *doc, uint32_t c, lathe_error *err);
    const scene_clips *clips; /* NULL: there are none */
    const scene_graph *graph; /* NULL: files have no behavior graphs */
};
typedef struct scene_hooks scene_hooks;

/* The hooks of a format; all NULL if it has none. */
const scene_hooks *scene_of(const lathe_format *format);
/* The .count hook of formats whose files contain exactly one mesh, skeleton or animation. */
lathe_result scene_count_one(lathe_doc *doc, lathe_list list, uint64_t *n, lathe_error *err);
/* Checks the hooks of a format. Returns what is wrong; NULL: nothing. */
const char *scene_fault(const lathe_format *format);
/* Whether a format has a list. */
bool scene_has(const lathe_format *format, lathe_list list);
/* The number of items in a list of a document; 0 if the format has no such list. */
lathe_result scene_count(lathe_doc *doc, lathe_list list, uint64_t *n, lathe_error *err);
/* Whether records of a type are animations, to which scene_clip_verbs apply, in any format. */
bool scene_is_clip(const lathe_format *format, const rec_type *type);

#endif
