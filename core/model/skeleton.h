/* What every format's skeleton becomes: bones by number, each with its parent and its rest pose. */
#ifndef LATHE_MODEL_SKELETON_H
#define LATHE_MODEL_SKELETON_H

#include "base/mem.h"
#include "base/vec.h"

enum { MODEL_POSE = 10 }; /* numbers of a transform: translation 3, rotation x y z w, scale 3 */

typedef struct model_bone {
    const char *name; /* from model_skeleton_text, borrowed from the document until its next write,
                         or constant; NULL: none */
    int32_t parent;   /* bone number, from 0; -1: root */
    int32_t mirror;   /* bone on the other side, itself on the middle; -1: not known */
    double pose[MODEL_POSE]; /* at rest, relative to the parent */
} model_bone;

/* What of a bone is meant. */
enum {
    MODEL_BONE_NAME = 1,
    MODEL_BONE_PARENT = 2,
    MODEL_BONE_MIRROR = 4,
    MODEL_BONE_T = 8, /* of its pose */
    MODEL_BONE_Q = 16,
    MODEL_BONE_S = 32
};

typedef struct model_skeleton {
    mem mem;
    const char *name;  /* or NULL */
    lathe_view source; /* the record or document that it was read from; .doc NULL: none */
    model_bone *bones;
    size_t bone_count;
    const char **slots; /* names of numbers that are animated beside bones, as those of bones; NULL:
                           there are never any */
    size_t slot_count;
    bool z_up;     /* the space of the root; else y is */
    double metres; /* of a unit; 0: not known */
    arena texts;   /* knows where mem is: a skeleton stays where it was made */
} model_skeleton;

void model_skeleton_init(model_skeleton *skeleton, const mem *m);
/* Room for so many bones: roots without a name, a mirror or a turn. */
lathe_result model_skeleton_alloc(model_skeleton *skeleton, size_t bones, lathe_error *err);
/* Room for the names of so many slots, all "". */
lathe_result model_skeleton_slots(model_skeleton *skeleton, size_t slots, lathe_error *err);
/* A copy that lives as long as the skeleton and ends in a NUL; NULL: out of memory. */
const char *model_skeleton_text(model_skeleton *skeleton, const char *p, size_t n);
/* Makes an empty skeleton the same, with texts of its own. */
lathe_result model_skeleton_copy(model_skeleton *to, const model_skeleton *from, lathe_error *err);
void model_skeleton_free(model_skeleton *skeleton);
/* LATHE_ERR_INVALID where a parent is no bone, or bones are their own ancestors. Takes some memory. */
lathe_result model_skeleton_check(const model_skeleton *skeleton, lathe_error *err);
/* How high it stands: the greatest extent of its bones at rest, along x, y or z of model space. Parents are checked
 * before (motion_rig.c). */
lathe_result model_skeleton_height(const model_skeleton *skeleton, double *out, lathe_error *err);

#endif
