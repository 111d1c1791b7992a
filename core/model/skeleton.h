/* A skeleton of any format: bones with parents and a rest pose. */
#ifndef LATHE_MODEL_SKELETON_H
#define LATHE_MODEL_SKELETON_H

#include "base/mem.h"
#include "base/vec.h"

enum { MODEL_POSE = 10 }; /* numbers of a transform: translation 3, rotation x y z w, scale 3 */

typedef struct model_bone {
    /* from model_skeleton_text, borrowed from the document until its next write, or constant; NULL:
     * none */
    const char *name;
    int32_t parent;          /* index of a bone, from 0; -1: root */
    int32_t mirror;          /* the bone on the other side, or itself in the middle; -1: unknown */
    double pose[MODEL_POSE]; /* rest pose, relative to the parent */
} model_bone;

/* Selects members of a bone. */
enum {
    MODEL_BONE_NAME = 1,
    MODEL_BONE_PARENT = 2,
    MODEL_BONE_MIRROR = 4,
    MODEL_BONE_T = 8, /* translation, rotation and scale of the pose */
    MODEL_BONE_Q = 16,
    MODEL_BONE_S = 32
};

typedef struct model_skeleton {
    mem mem;
    const char *name;  /* or NULL */
    lathe_view source; /* the record or document that it comes from; .doc NULL: none */
    model_bone *bones;
    size_t bone_count;
    /* names of float slots, owned like those of bones; NULL: the format has none */
    const char **slots;
    size_t slot_count;
    bool z_up;     /* up axis of the root's space: z, else y */
    double metres; /* metres in one unit; 0: unknown */
    vec3 front;    /* where the game's characters look to, in the root's space; zero: unknown */
    arena texts;   /* contains the address of `mem`: the struct must not be moved */
} model_skeleton;

void model_skeleton_init(model_skeleton *skeleton, const mem *m);
/* Allocates bones: roots at rest without name and mirror. */
lathe_result model_skeleton_alloc(model_skeleton *skeleton, size_t bones, lathe_error *err);
/* Allocates the names of slots, all "". */
lathe_result model_skeleton_slots(model_skeleton *skeleton, size_t slots, lathe_error *err);
/* Copies a text into memory that is freed with the skeleton, with a NUL; NULL: out of memory. */
const char *model_skeleton_text(model_skeleton *skeleton, const char *p, size_t n);
/* Copies a skeleton, with its texts, into an empty one. */
lathe_result model_skeleton_copy(model_skeleton *to, const model_skeleton *from, lathe_error *err);
void model_skeleton_free(model_skeleton *skeleton);
/* LATHE_ERR_INVALID: a parent is no bone, or bones form a cycle. Allocates temporary memory. */
lathe_result model_skeleton_check(const model_skeleton *skeleton, lathe_error *err);
/* The height of the skeleton: the largest extent of its bones at rest along x, y or z of model space. Parents must be
 * checked (motion_rig.c). */
lathe_result model_skeleton_height(const model_skeleton *skeleton, double *out, lathe_error *err);

#endif
