/* Where a mesh shape is: a copy of its bytes is changed as a whole, and put back in one piece. */
#ifndef LATHE_PHIVE_PLACES_H
#define LATHE_PHIVE_PLACES_H

#include "phive/read.h"

typedef struct phive_places {
    phive_reading from; /* as it was */
    uint8_t *to;        /* a copy of the part's bytes */
    phive_reading now;  /* the same of the copy: both have their arrays at the same places */
    uint32_t *order;    /* nodes of the tree over sections, each in front of its children */
    uint32_t order_n;
} phive_places;

/* Refuses trees with cycles, and what leads out of its array. To be ended in either case. */
lathe_result phive_places_begin(lathe_doc *doc, uint32_t c, phive_places *out, lathe_error *err);
void phive_places_end(phive_places *p);
/* Section number i of the copy: its arrays lie there. */
lathe_result phive_places_section(const phive_places *p, uint32_t i, phive_section *out,
                                  lathe_error *err);
/* Reads steps and units of the copy again, once they are others. */
void phive_places_steps(phive_places *p);
/* Inside an edit. Refuses a copy whose arrays are no longer where they were: they lie over each other. */
lathe_result phive_places_store(const phive_places *p, lathe_error *err);

/* ---- numbers -------------------------------------------------------------------------------------------- */

/* Stores a float, unless it would be none: refuses what is no finite number, and a length that would be too large, or
 * smaller than the least that has all its digits. `what`: its name, with a number where `number` is >= 0. */
lathe_result phive_put_length(uint8_t *to, double value, const char *what, int64_t number,
                              lathe_error *err);

/* ---- the tree over sections ------------------------------------------------------------------------------ */

static inline bool phive_is_leaf(const phive_reading *r, const uint8_t *node)
{
    return r->l->leaf != PHIVE_ABSENT ? node[r->l->leaf] != 0 : (node[r->l->node_flags] & 1) != 0;
}

/* What a lane leads to: a section of a leaf, else a node. False: the lane is not used. */
static inline bool phive_lane(const phive_reading *r, const uint8_t *node, unsigned lane,
                              uint32_t *to)
{
    *to = bytes_ld32(node + r->l->node_data + 4 * lane, false);
    return *to != (phive_is_leaf(r, node) ? UINT32_MAX : 0);
}

/* Gives each lane of the copy a box. `move` (may be NULL) changes a lane's own one first, else it is made of what the lane
 * leads to; a lane that held that before holds it afterwards, rounded outwards. */
typedef lathe_result phive_move_lane(void *user, float box[6], uint32_t node, lathe_error *err);
lathe_result phive_places_boxes(phive_places *p, phive_move_lane *move, void *user,
                                lathe_error *err);

#endif
