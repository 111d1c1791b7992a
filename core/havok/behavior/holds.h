/* What a node of a graph holds: generators, and objects that hold these (holds.c). */
#ifndef LATHE_HAVOK_GRAPH_HOLDS_H
#define LATHE_HAVOK_GRAPH_HOLDS_H

#include "havok/behavior/graph.h"

/* A pointer to what is held: element `item` of a row. */
typedef struct hk_down {
    rec_at at;
    uint32_t slot;
    uint64_t item;
    uint32_t part; /* REC_NO_PART: null */
} hk_down;

typedef lathe_result hk_each_down(void *user, const hk_down *down, lathe_error *err);

/* Whether objects of a class are generators, or hold them for one: children, states, layers. */
bool hk_holds_generators(const rec_type *type);
/* Calls `each` for all pointers of such an object to others. Transition effects count as held by nobody: they are generators, but
 * run beside the nodes that have them. */
lathe_result hk_down_each(const rec_at *object, hk_each_down *each, void *user, lathe_error *err);

/* Whether a pointer holds its target: not if that is null, a transition effect or of another class than the member's. */
bool hk_is_held(const hk_down *down);
/* Whether object `from` is `to`, or holds it, directly or by others. */
lathe_result hk_leads_to(lathe_doc *doc, uint32_t from, uint32_t to, bool *out, lathe_error *err);

#endif
