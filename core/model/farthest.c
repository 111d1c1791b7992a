/* Finds the two most distant points with a hierarchy of bounding boxes. Each point searches a partner only in boxes
 * that extend farther from it than the best pair's distance. */
#include "model/farthest.h"

#include <math.h>
#include <stdlib.h>

enum { LEAF = 8, DEPTH = 64 };

typedef struct point {
    vec3 at;
    size_t i;
} point;

typedef struct
    box { /* bounds points [first, first + n); its halves are the next box and box number `other` */
    vec3 low, high;
    size_t first, n, other;
} box;

typedef struct tree {
    point *points;
    box *boxes;
    size_t used;
} tree;

static double least(double a, double b)
{
    return a < b ? a : b;
}

static double most(double a, double b)
{
    return a > b ? a : b;
}

static int by(double a, double b, const point *p, const point *q)
{
    return a != b ? (a < b ? -1 : 1) : (p->i > q->i) - (p->i < q->i);
}

static int by_x(const void *a, const void *b)
{
    const point *p = a, *q = b;
    return by(p->at.x, q->at.x, p, q);
}

static int by_y(const void *a, const void *b)
{
    const point *p = a, *q = b;
    return by(p->at.y, q->at.y, p, q);
}

static int by_z(const void *a, const void *b)
{
    const point *p = a, *q = b;
    return by(p->at.z, q->at.z, p, q);
}

static int by_all(const void *a, const void *b)
{
    const point *p = a, *q = b;
    if (p->at.x != q->at.x)
        return by_x(a, b);
    return p->at.y != q->at.y ? by_y(a, b) : by_z(a, b);
}

/* Removes points at the same place, except for the first one. */
static size_t keep_different(point *points, size_t n)
{
    size_t kept = 0;
    qsort(points, n, sizeof *points, by_all);
    for (size_t i = 0; i < n; i++) {
        const vec3 *p = &points[i].at, *q = kept ? &points[kept - 1].at : NULL;
        if (!q || p->x != q->x || p->y != q->y || p->z != q->z)
            points[kept++] = points[i];
    }
    return kept;
}

static void build(tree *t, size_t first, size_t n)
{
    size_t me = t->used++;
    box b = {t->points[first].at, t->points[first].at, first, n, 0};
    for (size_t i = first; i < first + n; i++) {
        vec3 p = t->points[i].at;
        b.low = (vec3){least(b.low.x, p.x), least(b.low.y, p.y), least(b.low.z, p.z)};
        b.high = (vec3){most(b.high.x, p.x), most(b.high.y, p.y), most(b.high.z, p.z)};
    }
    if (n > LEAF) {
        vec3 size = vec3_sub(b.high, b.low);
        qsort(t->points + first, n, sizeof *t->points,
              size.x >= size.y && size.x >= size.z ? by_x
              : size.y >= size.z                   ? by_y
                                                   : by_z);
        build(t, first, n / 2);
        b.other = t->used;
        build(t, first + n / 2, n - n / 2);
    }
    t->boxes[me] = b;
}

/* The distance from p to the farthest corner, squared. Computed in the same steps as point distances, so that
 * rounding cannot make it smaller than one to a point in the box. */
static double reach(const box *b, vec3 p)
{
    vec3 d = {most(p.x - b->low.x, b->high.x - p.x), most(p.y - b->low.y, b->high.y - p.y),
              most(p.z - b->low.z, b->high.z - p.z)};
    return vec3_dot(d, d);
}

static void try_pair(const point *p, const point *q, model_far_pair *best)
{
    vec3 d = vec3_sub(p->at, q->at);
    double squared = vec3_dot(d, d);
    size_t a = p->i < q->i ? p->i : q->i, b = p->i < q->i ? q->i : p->i;
    bool earlier = a < best->a || (a == best->a && b < best->b);
    if (squared > best->squared || (squared == best->squared && squared > 0 && earlier))
        *best = (model_far_pair){a, b, squared};
}

static void look(const tree *t, const point *p, model_far_pair *best)
{
    size_t stack[DEPTH], n = 0;
    stack[n++] = 0;
    while (n) {
        const box *b = &t->boxes[stack[--n]];
        double far = reach(b, p->at);
        if (far < best->squared || far == 0)
            continue;
        for (size_t i = b->first; !b->other && i < b->first + b->n; i++)
            try_pair(p, &t->points[i], best);
        if (!b->other)
            continue;
        size_t near = (size_t)(b - t->boxes) + 1, other = b->other;
        bool swap = reach(&t->boxes[near], p->at) > reach(&t->boxes[other], p->at);
        /* the farther half is pushed last, so it is searched first */
        stack[n++] = swap ? other : near;
        stack[n++] = swap ? near : other;
    }
}

bool model_farthest(const mem *memory, const vec3 *points, size_t n, model_far_pair *out)
{
    *out = (model_far_pair){0, 0, 0};
    if (n < 2)
        return true;
    tree t = {mem_alloc(memory, n * sizeof *t.points), mem_alloc(memory, n * sizeof *t.boxes), 0};
    if (t.points && t.boxes) {
        size_t kept = 0;
        for (size_t i = 0; i < n; i++)
            if (isfinite(points[i].x) && isfinite(points[i].y) && isfinite(points[i].z))
                t.points[kept++] = (point){points[i], i};
        kept = keep_different(t.points, kept);
        if (kept)
            build(&t, 0, kept);
        for (size_t i = 0; i < kept; i++)
            look(&t, &t.points[i], out);
    }
    bool ok = t.points && t.boxes;
    mem_free(memory, t.points, n * sizeof *t.points);
    mem_free(memory, t.boxes, n * sizeof *t.boxes);
    return ok;
}
