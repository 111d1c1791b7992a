/* PHXBN (.phxbn): skeleton and skin weights of Overgrowth. Reference: formats/wolfire.md#3. */
#ifndef LATHE_WOLFIRE_PHXBN_H
#define LATHE_WOLFIRE_PHXBN_H

#include "gen/wolfire_types.h"
#include "record/types.h"
#include "wolfire/wolfire.h"

struct model_skeleton;

enum {
    PHXBN_MANY =
        4096 /* maximum number of bones or names that are compared pairwise, which takes quadratic
              * time */
};

/* The parameter of a container. Below version 11: the number of face corners with weights, which the file
 * does not store. Or one of these. */
enum {
    PHXBN_OPAQUE = -1,  /* unknown: everything behind the bones is in `trailing` */
    PHXBN_LAID_OUT = -2 /* only while a document is made: labelled 8 to 10, laid out as 11 */
};

/* ---- number of face corners (phxbn_solve.c) ------------------------------------------------------- */

/* The data behind the bones: weights, weight ids, hierarchy, joints and, in version 10, IK bones. */
typedef struct phxbn_tail {
    const uint8_t *p;
    uint64_t size, bones;
    bool ik;
} phxbn_tail;

typedef enum phxbn_answer { PHXBN_NONE = 0, PHXBN_ONE, PHXBN_SEVERAL } phxbn_answer;

/* Finds the number of corners with which the tail ends at the end of the file. Takes linear time and no
 * memory. A tail that was made to take longer is reported as ambiguous. */
phxbn_answer phxbn_solve(const phxbn_tail *tail, uint64_t *corners);
/* True if this number of corners leaves a valid hierarchy, joints and IK bones. `exact`: which also end at
 * the end of the tail. */
bool phxbn_fits(const phxbn_tail *tail, uint64_t corners, bool exact);
/* The tail of a document that is not opaque, in the layout of its version; weights come first. */
lathe_result phxbn_tail_of(const rec_at *root, phxbn_tail *tail, lathe_error *err);

/* ---- interpretation of a skeleton (phxbn_rig.c) --------------------------------------------------- */

/* The arrays of a document, borrowed until its next write; NULL: not there. */
typedef struct phxbn_rig {
    const uint8_t *points, *point_parents, *ends, *parents, *hier, *mass, *com, *weights, *ids;
    uint64_t point_count, bone_count, corner_count;
} phxbn_rig;

lathe_result phxbn_rig_of(lathe_doc *doc, uint32_t c, phxbn_rig *rig, lathe_error *err);
double phxbn_f32(const uint8_t *array, uint64_t i);
int32_t phxbn_i32(const uint8_t *array, uint64_t i);
/* Start and end of a bone. False: it refers to points that do not exist. */
bool phxbn_ends_of(const phxbn_rig *rig, uint64_t bone, vec3 *start, vec3 *finish);
/* The parent of a bone in the hierarchy that the game uses, or the best substitute: hier_parents,
 * bone_parents, or the bone in `ending` (see below) that ends where this one starts. */
int32_t phxbn_parent(const phxbn_rig *rig, const int32_t *ending, uint64_t bone);
/* True if a bone has at least `count` ancestors. */
bool phxbn_has_above(const phxbn_rig *rig, const int32_t *ending, int32_t bone, int64_t count);
/* For each point the first bone that ends there, or -1: point_count numbers. */
void phxbn_ending(const phxbn_rig *rig, int32_t *ending);
/* For each bone its counterpart on the other side as the game finds it, or -1. The game requires one for
 * every bone. */
void phxbn_symmetry(const phxbn_rig *rig, int32_t *mirror);
/* The matrix that the game gives a bone: right, up, direction, midpoint. */
mat4 phxbn_matrix(vec3 start, vec3 finish);

typedef struct phxbn_ik {
    int32_t bone, chain; /* the tip, and the number of bones from it upwards */
    const char *name;    /* borrowed until the next write */
    size_t size;
} phxbn_ik;

/* IK bone i, from 0; false past the last one. */
bool phxbn_ik_at(lathe_doc *doc, uint32_t c, uint64_t i, phxbn_ik *out);
/* The IK bone that the game uses for a name: the last one of that name. */
bool phxbn_ik_find(lathe_doc *doc, uint32_t c, const char *name, phxbn_ik *out);

lathe_result phxbn_skeleton(lathe_doc *doc, uint64_t i, struct model_skeleton *skeleton,
                            lathe_error *err);

void phxbn_check(lathe_doc *doc, uint32_t c, rec_report *r);
extern const rec_verb phxbn_verbs[];

#endif
