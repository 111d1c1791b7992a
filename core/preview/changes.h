/* What differs between two documents, as far as pictures show it. */
#ifndef LATHE_PREVIEW_CHANGES_H
#define LATHE_PREVIEW_CHANGES_H

#include "preview/pose.h"

/* The kinds of lines that say more than the marks. */
typedef enum preview_change {
    PREVIEW_RENAMED,
    PREVIEW_MATERIALS,
    PREVIEW_TEXTURES,
    PREVIEW_SURFACES,
    PREVIEW_ONLY_LEFT,
    PREVIEW_ONLY_RIGHT,
    PREVIEW_CHANGE_COUNT
} preview_change;

typedef struct preview_changes {
    const char *noun, *nouns;    /* of what is counted: "triangle", "triangles" */
    uint64_t total[2], marks[2]; /* on the left, on the right */
    struct {
        uint64_t count;  /* parts or bones with such a change */
        char first[256]; /* the first of them */
    } lines[PREVIEW_CHANGE_COUNT];
} preview_changes;

/* Marks triangles whose corners are farther apart than `reach`, whose colours or materials differ, or which only one of two
 * scenes has. Parts are matched by name, those of one name in their order; the others by their number of triangles. */
lathe_result preview_mark_parts(const preview *p, preview_scene scenes[2], double reach,
                                preview_changes *out, lathe_error *err);
/* The same for bones: their places and turns in the skeleton's space, and their parents. */
lathe_result preview_mark_bones(const preview *p, preview_rig rigs[2], double reach,
                                preview_changes *out, lathe_error *err);
bool preview_is_changed(const preview_changes *changes);
/* Whether two numbers are equal but for rounding and `reach`; numbers that are none are equal. */
bool preview_is_near(double a, double b, double reach);

/* ---- pairs.c ---- */

/* Something that is to be paired with one of the same name and kind. */
typedef struct preview_named {
    const char *name;
    uint64_t kind;
    size_t index;
} preview_named;

enum { PREVIEW_ALONE = -1 };
/* Pairs the k-th of each name and kind on the left with the k-th of it on the right: pairs[side][index] is the index on the
 * other side. Lists are put into another order. */
void preview_pair(preview_named *lists[2], const size_t counts[2], int64_t *pairs[2]);

/* ---- triangles.c ---- */

/* Marks the triangles of two parts (their marks are there, all 0). LATHE_ERR_MEMORY. */
lathe_result preview_mark_triangles(const mem *m, preview_part *const parts[2], double reach,
                                    lathe_error *err);

#endif
