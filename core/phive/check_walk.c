/* Visits each node of a tree in a file once, so that neither cycles nor shared nodes take long. */
#include "phive/check.h"

enum { UNSEEN, ON_PATH, DONE };

static void enter(phive_walk *w, uint32_t node, uint32_t parent, uint32_t *depth)
{
    w->state[node] = ON_PATH;
    w->stack[(*depth)++] = (phive_step){node, 0};
    w->enter(w->user, node, parent);
}

void phive_walk_from(phive_walk *w, uint32_t root)
{
    uint32_t depth = 0;
    enter(w, root, PHIVE_NONE, &depth);
    while (depth) {
        phive_step *top = &w->stack[depth - 1];
        if (top->lane == PHIVE_LANES) {
            w->state[top->node] = DONE;
            if (w->leave)
                w->leave(w->user, top->node);
            depth--;
            continue;
        }
        unsigned lane = top->lane++;
        uint32_t child = w->child(w->user, top->node, lane);
        if (child == PHIVE_NONE)
            continue;
        if (w->state[child] == UNSEEN)
            enter(w, child, top->node, &depth);
        else
            w->again(w->user, top->node, lane, child, w->state[child] == ON_PATH);
    }
}
