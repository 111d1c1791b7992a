/* Splits sets of boxes in two by surface area. The lists are sorted along each axis once, and stay sorted. */
#include "phive/build_parts.h"

enum { DIGIT = 11, DIGITS = 3, VALUES = 1 << DIGIT, FEW = 512, MANY = 4096 };

/* ---- sorting ---------------------------------------------------------------------------------------- */

/* Merge sort for few ids, where radix sort costs more. */
static void sort_few(uint32_t *ids, uint32_t *scratch, size_t n, const uint32_t *keys,
                     size_t stride)
{
    uint32_t *from = ids, *to = scratch;
    for (size_t width = 1; width < n; width *= 2) {
        for (size_t at = 0; at < n; at += 2 * width) {
            const size_t middle = n - at > width ? at + width : n;
            const size_t end = n - at > 2 * width ? at + 2 * width : n;
            size_t i = at, j = middle;
            for (size_t k = at; k < end; k++) {
                const bool second =
                    i == middle || (j < end && keys[from[j] * stride] < keys[from[i] * stride]);
                to[k] = from[second ? j++ : i++];
            }
        }
        uint32_t *swap = from;
        from = to;
        to = swap;
    }
    if (from != ids)
        memcpy(ids, from, n * sizeof *ids);
}

void build_sort(uint32_t *ids, uint32_t *scratch, size_t n, const uint32_t *keys, size_t stride)
{
    if (n <= FEW) {
        sort_few(ids, scratch, n, keys, stride);
        return;
    }
    uint32_t counts[DIGITS][VALUES] = {{0}};
    for (size_t i = 0; i < n; i++) {
        const uint32_t key = keys[ids[i] * stride];
        for (int d = 0; d < DIGITS; d++)
            counts[d][key >> d * DIGIT & (VALUES - 1)]++;
    }
    uint32_t *from = ids, *to = scratch;
    for (int d = 0; d < DIGITS && n > 0; d++) {
        if (counts[d][keys[from[0] * stride] >> d * DIGIT & (VALUES - 1)] == n)
            continue; /* all of them have the same digit */
        uint32_t at = 0;
        for (int v = 0; v < VALUES; v++) {
            const uint32_t count = counts[d][v];
            counts[d][v] = at;
            at += count;
        }
        for (size_t i = 0; i < n; i++)
            to[counts[d][keys[from[i] * stride] >> d * DIGIT & (VALUES - 1)]++] = from[i];
        uint32_t *swap = from;
        from = to;
        to = swap;
    }
    if (from != ids)
        memcpy(ids, from, n * sizeof *ids);
}

/* ---- sets --------------------------------------------------------------------------------------------- */

bool build_sweep_room(build_sweep *s, const mem *m, size_t boxes)
{
    s->room = boxes;
    bool ok = true;
    for (int axis = 0; axis < 3; axis++) {
        s->order[axis] = mem_alloc(m, boxes * sizeof *s->order[axis]);
        ok = ok && s->order[axis];
    }
    s->scratch = mem_alloc(m, boxes * sizeof *s->scratch);
    s->areas = mem_alloc(m, boxes * sizeof *s->areas);
    s->left = mem_zalloc(m, boxes);
    return ok && s->scratch && s->areas && s->left;
}

void build_sweep_free(build_sweep *s, const mem *m)
{
    for (int axis = 0; axis < 3; axis++)
        mem_free(m, s->order[axis], s->room * sizeof *s->order[axis]);
    mem_free(m, s->scratch, s->room * sizeof *s->scratch);
    mem_free(m, s->areas, s->room * sizeof *s->areas);
    mem_free(m, s->left, s->room);
    memset(s, 0, sizeof *s);
}

void build_sweep_sort(build_sweep *s, uint32_t *keys, const float (*boxes)[6], size_t first,
                      size_t count)
{
    s->boxes = boxes;
    for (int axis = 0; axis < 3; axis++) {
        uint32_t *order = s->order[axis] + first;
        for (size_t i = 0; i < count; i++) {
            const float *box = boxes[first + i];
            order[i] = (uint32_t)(first + i);
            keys[first + i] = build_float_key(box[2 * axis] + box[2 * axis + 1]);
        }
        build_sort(order, s->scratch, count, keys, 1);
    }
}

/* ---- splitting ---------------------------------------------------------------------------------------- */

/* Half of the surface area. */
static double surface(const float box[6])
{
    const double x = (double)box[1] - (double)box[0], y = (double)box[3] - (double)box[2],
                 z = (double)box[5] - (double)box[4];
    return x * y + y * z + z * x;
}

typedef struct cut {
    double cost;
    size_t at, from_middle;
    int axis;
} cut;

/* Looks for a better split along an axis, between positions `least` and `last` of the set. */
static void try_axis(build_sweep *s, cut *best, int axis, size_t first, size_t count, size_t step,
                     size_t least, size_t last)
{
    const uint32_t *order = s->order[axis] + first;
    float box[6];
    build_box_empty(box);
    for (size_t i = count; i-- > least;) {
        build_box_add(box, s->boxes[order[i]]);
        s->areas[i] = surface(box);
    }
    build_box_empty(box);
    for (size_t i = 1; i <= last; i++) {
        build_box_add(box, s->boxes[order[i - 1]]);
        if (i < least || i % step != 0)
            continue;
        const double cost = surface(box) * (double)i + s->areas[i] * (double)(count - i);
        const size_t from_middle = 2 * i > count ? 2 * i - count : count - 2 * i;
        if (cost < best->cost || (cost <= best->cost && from_middle < best->from_middle))
            *best = (cut){.cost = cost, .at = i, .from_middle = from_middle, .axis = axis};
    }
}

/* The axis with the largest extent of the centres. For many boxes the best split is almost always along it,
 * and testing all three axes takes three times as long. */
static int longest_axis(const build_sweep *s, size_t first, size_t count)
{
    int longest = 0;
    float most = 0;
    for (int axis = 0; axis < 3; axis++) {
        const float *low = s->boxes[s->order[axis][first]] + 2 * axis;
        const float *high = s->boxes[s->order[axis][first + count - 1]] + 2 * axis;
        const float length = (high[0] + high[1]) - (low[0] + low[1]);
        if (length > most) {
            most = length;
            longest = axis;
        }
    }
    return longest;
}

/* Moves the marked boxes to the front, in their order. */
static void part(build_sweep *s, uint32_t *order, size_t count)
{
    size_t lefts = 0, rights = 0;
    for (size_t i = 0; i < count; i++)
        if (s->left[order[i]])
            order[lefts++] = order[i];
        else
            s->scratch[rights++] = order[i];
    memcpy(order + lefts, s->scratch, rights * sizeof *order);
}

size_t build_sweep_cut(build_sweep *s, size_t first, size_t count, size_t step, size_t most)
{
    const size_t least = count > most && count - most > step ? count - most : step;
    const size_t last = most < count - 1 ? most : count - 1;
    cut best = {.cost = INFINITY, .at = least, .from_middle = SIZE_MAX, .axis = 0};
    const int longest = longest_axis(s, first, count);
    for (int axis = 0; axis < 3; axis++)
        if (count <= MANY || axis == longest)
            try_axis(s, &best, axis, first, count, step, least, last);
    const uint32_t *chosen = s->order[best.axis] + first;
    for (size_t i = 0; i < best.at; i++)
        s->left[chosen[i]] = 1;
    for (int axis = 0; axis < 3; axis++)
        if (axis != best.axis)
            part(s, s->order[axis] + first, count);
    for (size_t i = 0; i < best.at; i++)
        s->left[chosen[i]] = 0;
    return best.at;
}

size_t build_tree_room(size_t count)
{
    size_t room = 4;
    while (room < count)
        room *= 4;
    return room;
}
