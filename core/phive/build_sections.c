/* Splits the primitives into sections. */
#include "phive/build_parts.h"

/* Limits the depth of splits chosen by surface area; deeper sets are halved. So the total time is O(n log n)
 * even if each best split removes only one primitive. */
static unsigned free_cuts(size_t count)
{
    unsigned bits = 0;
    for (; count; count >>= 1)
        bits++;
    return 2 * bits + 8;
}

enum { FLOAT_PRIMITIVES = 4, DEPTH_MAX = 128 }; /* 2 * 28 + 8, and 28 halvings */

/* Number of spots of a set of primitives that fit into one section, or 0. */
static uint32_t count_spots(build *b, size_t first, size_t count)
{
    int32_t low[3] = {INT32_MAX, INT32_MAX, INT32_MAX}, high[3] = {INT32_MIN, INT32_MIN, INT32_MIN};
    uint32_t spots = 0;
    b->stamp++;
    for (size_t i = 0; i < count; i++) {
        const build_primitive *p = &b->primitives[b->sweep.order[0][first + i]];
        for (int corner = 0; corner < 4; corner++) {
            const uint32_t spot = p->corner[corner];
            if (b->stamps[spot] == b->stamp)
                continue;
            b->stamps[spot] = b->stamp;
            spots++;
            for (int k = 0; k < 3; k++) {
                const int32_t q = b->spots[spot][k];
                low[k] = q < low[k] ? q : low[k];
                high[k] = q > high[k] ? q : high[k];
            }
        }
    }
    for (int k = 0; k < 3; k++)
        if (high[k] - low[k] > PHIVE_SECTION_STEPS)
            return 0;
    return spots <= PHIVE_SECTION_VERTICES ? spots : 0;
}

/* Number of different corners of at most four float primitives. */
static uint32_t count_corners(const build *b, size_t first, size_t count)
{
    float seen[FLOAT_PRIMITIVES * 3][3];
    uint32_t n = 0;
    for (size_t i = 0; i < count; i++) {
        const build_primitive *p = &b->primitives[b->sweep.order[0][first + i]];
        for (int corner = 0; corner < 3; corner++) {
            uint32_t k = 0;
            build_corner(b, p, corner, seen[n]);
            while (memcmp(seen[k], seen[n], sizeof seen[n]) != 0)
                k++;
            n += k == n;
        }
    }
    return n;
}

typedef struct range {
    size_t first, count;
    unsigned depth;
    bool of_four; /* part of a set of at most four */
} range;

static bool add_section(build *b, const range *r, uint32_t vertices, bool is_float)
{
    void *list = b->sections;
    const bool ok =
        mem_reserve(&b->mem, &list, &b->section_room, b->section_count + 1, sizeof *b->sections);
    b->sections = list;
    if (ok)
        b->sections[b->section_count++] = (build_section){.first = (uint32_t)r->first,
                                                          .count = (uint32_t)r->count,
                                                          .vertices = vertices,
                                                          .is_float = is_float,
                                                          .leaf_group = r->of_four};
    return ok;
}

/* Number of vertices of a section for a set; 0: the set is too large. */
static uint32_t fits(build *b, const range *r, bool is_float)
{
    if (is_float)
        return r->count <= FLOAT_PRIMITIVES ? count_corners(b, r->first, r->count) : 0;
    return r->count <= PHIVE_SECTION_PRIMITIVES ? count_spots(b, r->first, r->count) : 0;
}

/* Splits a set until each part fits into a section; tries the whole set first. */
static bool cut_up(build *b, size_t first, size_t count, bool is_float)
{
    const unsigned free = free_cuts(count);
    range stack[DEPTH_MAX];
    int n = 0;
    if (count > 0)
        stack[n++] = (range){.first = first, .count = count, .depth = 0, .of_four = is_float};
    while (n > 0) {
        const range r = stack[--n];
        const uint32_t vertices = fits(b, &r, is_float);
        if (vertices) {
            if (!add_section(b, &r, vertices, is_float))
                return false;
            continue;
        }
        const size_t most = r.depth < free ? r.count - 1 : (r.count + 1) / 2;
        const size_t step = is_float ? FLOAT_PRIMITIVES : 1; /* all sections are full except the
                                                              * last */
        const size_t lefts = build_sweep_cut(&b->sweep, r.first, r.count, step, most);
        const bool of_four = is_float || r.count <= 4;
        stack[n++] = (range){r.first + lefts, r.count - lefts, r.depth + 1, of_four};
        stack[n++] = (range){r.first, lefts, r.depth + 1, of_four};
    }
    return true;
}

lathe_result build_find_sections(build *b)
{
    const size_t n = b->primitive_count;
    b->stamps = mem_zalloc(&b->mem, b->spot_room * sizeof *b->stamps);
    b->locals = mem_alloc(&b->mem, b->spot_room);
    uint32_t *keys = mem_alloc(&b->mem, n * sizeof *keys);
    bool ok = build_sweep_room(&b->sweep, &b->mem, n) && b->stamps && b->locals && keys;
    if (ok) {
        const float(*boxes)[6] = (const float(*)[6])b->boxes;
        build_sweep_sort(&b->sweep, keys, boxes, 0, b->grid_count);
        build_sweep_sort(&b->sweep, keys, boxes, b->grid_count, n - b->grid_count);
        ok =
            cut_up(b, 0, b->grid_count, false) && cut_up(b, b->grid_count, n - b->grid_count, true);
    }
    mem_free(&b->mem, keys, n * sizeof *keys);
    if (!ok)
        return build_no_memory(b->err);
    if (b->section_count > PHIVE_SECTIONS_MAX)
        return error_set(b->err, LATHE_ERR_LIMIT, LATHE_NO_OFFSET,
                         "%zu sections, more than %d, which keys have bits for", b->section_count,
                         (int)PHIVE_SECTIONS_MAX);
    return LATHE_OK;
}
