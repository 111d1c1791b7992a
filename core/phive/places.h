/* Changes the positions in a mesh shape: edits a copy of its bytes as a whole, then stores it in one step. */
#ifndef LATHE_PHIVE_PLACES_H
#define LATHE_PHIVE_PLACES_H

#include "phive/read.h"

typedef struct phive_places {
    phive_reading from; /* before the edit */
    uint8_t *to;        /* a copy of the part's bytes */
    phive_reading now;  /* the same of the copy; its arrays are at the same offsets */
    uint32_t *order;    /* nodes of the tree over sections, parents before children */
    uint32_t order_n;
} phive_places;

/* Fails for trees with cycles and references outside of their array. Call phive_places_end in any case. */
lathe_result phive_places_begin(lathe_doc *doc, uint32_t c, phive_places *out, lathe_error *err);
void phive_places_end(phive_places *p);
/* Section i of the copy, with arrays that point into the copy. */
lathe_result phive_places_section(const phive_places *p, uint32_t i, phive_section *out,
                                  lathe_error *err);
/* Reads the scale of the copy again after it changed. */
void phive_places_steps(phive_places *p);
/* Inside an edit: stores the copy. Fails if its arrays are no longer at the same offsets, which happens if
 * they overlap. */
lathe_result phive_places_store(const phive_places *p, lathe_error *err);

/* ---- numbers -------------------------------------------------------------------------------------------- */

/* Stores a float. Fails for a value that is not finite, too large, or too small for a normalised float.
 * `what` is its name in messages, followed by `number` if >= 0. */
lathe_result phive_put_length(uint8_t *to, double value, const char *what, int64_t number,
                              lathe_error *err);

/* ---- the tree over sections ------------------------------------------------------------------------------ */

static inline bool phive_is_leaf(const phive_reading *r, const uint8_t *node)
{
    return r->l->leaf != PHIVE_ABSENT ? node[r->l->leaf] != 0 : (node[r->l->node_flags] & 1) != 0;
}

/* What a lane refers to: a section in a leaf, else a node. False: the lane is unused. */
static inline bool phive_lane(const phive_reading *r, const uint8_t *node, unsigned lane,
                              uint32_t *to)
{
    *to = bytes_ld32(node + r->l->node_data + 4 * lane, false);
    return *to != (phive_is_leaf(r, node) ? UINT32_MAX : 0);
}

/* Recomputes the boxes of all lanes of the copy. `move` (may be NULL) changes the box of a lane first;
 * otherwise it is computed from what the lane refers to. A lane that contained it before contains it
 * afterwards: boxes are rounded outwards. */
typedef lathe_result phive_move_lane(void *user, float box[6], uint32_t node, lathe_error *err);
lathe_result phive_places_boxes(phive_places *p, phive_move_lane *move, void *user,
                                lathe_error *err);

#endif
