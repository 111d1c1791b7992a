#include "havok/xml/order.h"

#include <string.h>

typedef struct frame {
    uint32_t object, left; /* edges that are still to be followed */
} frame;

/* A walk without recursion; no object is entered twice, so that n frames are enough. */
typedef struct walk {
    const mem *mem;
    const hk_xml_graph *graph;
    frame *stack;
    uint32_t depth;
    uint8_t *seen;
} walk;

static bool open_walk(walk *w, const mem *m, const hk_xml_graph *graph)
{
    *w = (walk){.mem = m, .graph = graph};
    w->stack = mem_alloc(m, ((size_t)graph->n + 1) * sizeof *w->stack);
    w->seen = mem_zalloc(m, (size_t)graph->n + 1);
    return w->stack && w->seen;
}

static void close_walk(walk *w)
{
    mem_free(w->mem, w->stack, ((size_t)w->graph->n + 1) * sizeof *w->stack);
    mem_free(w->mem, w->seen, (size_t)w->graph->n + 1);
}

static void enter(walk *w, uint32_t object)
{
    const uint32_t *first = w->graph->first;
    w->seen[object] = 1;
    w->stack[w->depth++] = (frame){object, first[object + 1] - first[object]};
}

/* Depth first from an object on, forwards: each when it is met. */
static uint32_t list_from(walk *w, uint32_t start, uint32_t *list, uint32_t n)
{
    if (w->seen[start])
        return n;
    enter(w, start);
    list[n++] = start;
    while (w->depth) {
        frame *f = &w->stack[w->depth - 1];
        if (!f->left) {
            w->depth--;
            continue;
        }
        uint32_t next = w->graph->to[w->graph->first[f->object + 1] - f->left--];
        if (!w->seen[next]) {
            enter(w, next);
            list[n++] = next;
        }
    }
    return n;
}

/* Depth first backwards: a number when an object is met, its place behind all that it leads to. */
static uint32_t place_from(walk *w, uint32_t start, uint32_t *next, uint32_t *order, uint32_t n,
                           uint32_t *number)
{
    if (w->seen[start])
        return n;
    enter(w, start);
    if (number[start] == UINT32_MAX)
        number[start] = (*next)++;
    while (w->depth) {
        frame *f = &w->stack[w->depth - 1];
        if (!f->left) {
            order[n++] = f->object;
            w->depth--;
            continue;
        }
        uint32_t object = w->graph->to[w->graph->first[f->object] + --f->left];
        if (w->seen[object])
            continue;
        enter(w, object);
        if (number[object] == UINT32_MAX)
            number[object] = (*next)++;
    }
    return n;
}

bool hk_xml_order(const mem *m, const hk_xml_graph *graph, uint32_t top, uint32_t *order,
                  uint32_t *number)
{
    walk w;
    uint32_t n = 0, placed = 0, next = top + 1;
    uint32_t *list = mem_alloc(m, ((size_t)graph->n + 1) * sizeof *list);
    bool ok = open_walk(&w, m, graph) && list;
    if (ok && graph->n)
        n = list_from(&w, graph->root, list, n);
    for (uint32_t i = 0; ok && i < graph->n; i++)
        n = list_from(&w, i, list, n);
    for (uint32_t i = 0; ok && i < graph->n; i++)
        number[i] = i == graph->root ? top : UINT32_MAX;
    if (ok)
        memset(w.seen, 0, graph->n);
    while (ok && n-- > 0)
        placed = place_from(&w, list[n], &next, order, placed, number);
    close_walk(&w);
    mem_free(m, list, ((size_t)graph->n + 1) * sizeof *list);
    return ok;
}

/* New objects that an object leads to, through no others than new ones; those behind them first. */
static uint32_t place_new(walk *w, const uint8_t *is_kept, uint32_t start, uint32_t *order,
                          uint32_t n)
{
    uint32_t bottom = w->depth;
    enter(w, start);
    while (w->depth > bottom) {
        frame *f = &w->stack[w->depth - 1];
        if (!f->left) {
            order[n++] = f->object;
            w->depth--;
            continue;
        }
        uint32_t next = w->graph->to[w->graph->first[f->object + 1] - f->left--];
        if (!w->seen[next] && !is_kept[next])
            enter(w, next);
    }
    return n;
}

bool hk_xml_order_kept(const mem *m, const hk_xml_graph *graph, const uint32_t *kept,
                       uint32_t kept_n, uint32_t next, uint32_t *order, uint32_t *number)
{
    walk w;
    uint32_t n = 0;
    uint8_t *is_kept = mem_zalloc(m, (size_t)graph->n + 1);
    bool ok = open_walk(&w, m, graph) && is_kept;
    for (uint32_t i = 0; ok && i < kept_n; i++)
        is_kept[kept[i]] = 1;
    for (uint32_t i = 0; ok && i < kept_n; i++)
        n = place_new(&w, is_kept, kept[i], order, n);
    for (uint32_t i = 0; ok && i < graph->n; i++)
        if (!w.seen[i])
            n = place_new(&w, is_kept, i, order, n);
    for (uint32_t i = 0; ok && i < n; i++)
        number[order[i]] = is_kept[order[i]] ? UINT32_MAX : next++;
    close_walk(&w);
    mem_free(m, is_kept, (size_t)graph->n + 1);
    return ok;
}
