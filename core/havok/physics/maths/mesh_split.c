/* Primitives to sections that fit their limits: cut in two where the boxes of both sides, weighed by
 * the sections that they will take, have the least surface. */
#include "havok/physics/maths/mesh_parts.h"

#include <math.h>
#include <string.h>

enum { BINS = 16 };

typedef struct splitter {
    const hk_soup *soup;
    hk_primitive *primitives;
    hk_sorted *items, *scratch; /* `then` is the primitive */
    hk_box *boxes;
    uint32_t *stamps; /* of each vertex: which count saw it last */
    uint32_t stamp;
    uint32_t *ends, n_sections;
} splitter;

typedef struct place {
    double cost; /* INFINITY: there is none */
    unsigned axis;
    uint32_t left;
} place;

static float middle(const hk_box *b, unsigned axis)
{
    return (float)(((double)b->min[axis] + (double)b->max[axis]) / 2);
}

static bool fits(splitter *s, uint32_t first, uint32_t n)
{
    if (n > HK_MESH_PRIMITIVES)
        return false;
    unsigned vertices = 0;
    s->stamp++;
    for (uint32_t i = first; i < first + n; i++) {
        const hk_primitive *p = &s->primitives[s->items[i].then];
        for (unsigned k = 0; k < 4; k++) {
            vertices += s->stamps[p->corner[k]] != s->stamp;
            s->stamps[p->corner[k]] = s->stamp;
        }
    }
    return vertices <= HK_MESH_VERTICES;
}

static double cost_of(const hk_box *box, uint32_t n)
{
    return hk_box_area(box) * ((n + HK_MESH_PRIMITIVES - 1) / HK_MESH_PRIMITIVES);
}

static unsigned bin_of(float at, float min, float max)
{
    double d = ((double)at - (double)min) / ((double)max - (double)min) * BINS;
    return d < BINS - 1 ? (unsigned)d : BINS - 1;
}

/* The best cut between two bins of an axis that leaves a quarter on either side. */
static void try_axis(const splitter *s, uint32_t first, uint32_t n, unsigned axis,
                     const hk_box *middles, place *best)
{
    hk_box bins[BINS], left = hk_box_none(), right[BINS + 1];
    uint32_t counts[BINS] = {0}, n_left = 0;
    float min = middles->min[axis], max = middles->max[axis];
    if (!(min < max))
        return;
    for (unsigned i = 0; i < BINS; i++)
        bins[i] = hk_box_none();
    for (uint32_t i = first; i < first + n; i++) {
        const hk_box *box = &s->boxes[s->items[i].then];
        unsigned bin = bin_of(middle(box, axis), min, max);
        hk_box_join(&bins[bin], box);
        counts[bin]++;
    }
    right[BINS] = hk_box_none();
    for (unsigned i = BINS; i-- > 0;) {
        right[i] = right[i + 1];
        hk_box_join(&right[i], &bins[i]);
    }
    for (unsigned i = 0; i + 1 < BINS; i++) {
        hk_box_join(&left, &bins[i]);
        n_left += counts[i];
        double cost = cost_of(&left, n_left) + cost_of(&right[i + 1], n - n_left);
        if (n_left >= n / 4 && n - n_left >= n / 4 && n_left > 0 && n_left < n && cost < best->cost)
            *best = (place){cost, axis, n_left};
    }
}

static unsigned widest(const hk_box *b)
{
    unsigned axis = 0;
    for (unsigned i = 1; i < 3; i++)
        if ((double)b->max[i] - (double)b->min[i] > (double)b->max[axis] - (double)b->min[axis])
            axis = i;
    return axis;
}

/* Sorts a range so that its left part is what should become sections first; how many that are. */
static uint32_t cut(splitter *s, uint32_t first, uint32_t n)
{
    hk_box middles = hk_box_none();
    for (uint32_t i = first; i < first + n; i++) {
        const hk_box *b = &s->boxes[s->items[i].then];
        float m[3] = {middle(b, 0), middle(b, 1), middle(b, 2)};
        hk_box_add(&middles, m);
    }
    place best = {.cost = INFINITY, .axis = widest(&middles), .left = n / 2};
    for (unsigned axis = 0; axis < 3; axis++)
        try_axis(s, first, n, axis, &middles, &best);
    for (uint32_t i = first; i < first + n; i++)
        s->items[i].key = hk_float_order(middle(&s->boxes[s->items[i].then], best.axis));
    hk_sort(s->items + first, s->scratch, n);
    return best.left;
}

/* A quarter goes to either side, or half: recursion is at most 75 deep. */
static void split(splitter *s, uint32_t first, uint32_t n)
{
    if (fits(s, first, n)) {
        s->ends[s->n_sections++] = first + n;
        return;
    }
    uint32_t left = cut(s, first, n);
    split(s, first, left);
    split(s, first + left, n - left);
}

static void box_all(splitter *s, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        s->items[i].then = i;
        s->boxes[i] = hk_box_none();
        for (unsigned k = 0; k < 4; k++)
            hk_box_add(&s->boxes[i], s->soup->positions[s->primitives[i].corner[k]]);
    }
}

bool hk_mesh_split(const hk_soup *soup, const mem *m, hk_primitive *primitives, uint32_t n,
                   uint32_t *ends, uint32_t *n_sections)
{
    arena scratch;
    arena_init(&scratch, m);
    splitter s = {.soup = soup,
                  .primitives = primitives,
                  .items = arena_zalloc(&scratch, n * sizeof *s.items),
                  .scratch = arena_zalloc(&scratch, n * sizeof *s.scratch),
                  .boxes = arena_zalloc(&scratch, n * sizeof *s.boxes),
                  .stamps = arena_zalloc(&scratch, soup->n_positions * sizeof *s.stamps),
                  .ends = ends};
    hk_primitive *sorted = arena_zalloc(&scratch, n * sizeof *sorted);
    bool ok = s.items && s.scratch && s.boxes && s.stamps && sorted;
    if (ok) {
        box_all(&s, n);
        split(&s, 0, n);
        for (uint32_t i = 0; i < n; i++)
            sorted[i] = primitives[s.items[i].then];
        memcpy(primitives, sorted, n * sizeof *sorted);
        *n_sections = s.n_sections;
    }
    arena_free(&scratch);
    return ok;
}
