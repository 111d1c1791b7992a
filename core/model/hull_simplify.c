#include "model/hull_parts.h"

#include "base/error.h"

#include <float.h>
#include <stdlib.h>
#include <string.h>

/* The point that is farthest from the chosen point (rank 1), line (2) or plane (3). */
static size_t farthest(const hull_cloud *c, const double origin[3], const double along[3], int rank,
                       double *distance)
{
    size_t best = 0;
    *distance = -1;
    for (size_t i = 0; i < c->count; i++) {
        double v[3], off = 0;
        hull_sub(v, c->scaled[i], origin);
        if (rank == 3)
            off = fabs(hull_dot(v, along));
        else {
            const double t = rank == 2 ? hull_dot(v, along) : 0;
            for (int k = 0; k < 3; k++)
                v[k] -= rank == 2 ? t * along[k] : 0;
            off = sqrt(hull_dot(v, v));
        }
        if (off > *distance) {
            *distance = off;
            best = i;
        }
    }
    return best;
}

lathe_result hull_spread(const hull_cloud *c, uint32_t corners[4], lathe_error *err)
{
    static const char *const flat[] = {"at one place", "on one line", "in one plane"};
    double along[3] = {0, 0, 0}, side[3], distance;
    const double middle[3] = {0, 0, 0};
    const double enough = 4 * c->flatness;
    corners[0] = (uint32_t)farthest(c, middle, along, 1, &distance);
    const double *origin = c->scaled[corners[0]];
    for (int rank = 1; rank <= 3; rank++) {
        corners[rank] = (uint32_t)farthest(c, origin, along, rank, &distance);
        if (!(distance > enough))
            return error_set(err, LATHE_ERR_INVALID, LATHE_NO_OFFSET, "all points are %s: no hull",
                             flat[rank - 1]);
        hull_sub(side, c->scaled[corners[rank]], origin);
        if (rank == 1)
            memcpy(along, side, sizeof along);
        else if (rank == 2)
            hull_cross(along, (double[3]){along[0], along[1], along[2]}, side);
        if (!hull_unit(along)) /* longer than `enough`, so it has a direction */
            break;
    }
    return LATHE_OK;
}

/* ---- fewer vertices ------------------------------------------------------------------------------ */

/* The vertices of a hull, in order. */
typedef struct corner_set {
    mem mem;
    uint32_t *points; /* index in the hull_cloud */
    double (*scaled)[3];
    bool *chosen;
    size_t count;
} corner_set;

static void corner_set_free(corner_set *set)
{
    mem_free(&set->mem, set->points, set->count * sizeof *set->points);
    mem_free(&set->mem, set->scaled, set->count * sizeof *set->scaled);
    mem_free(&set->mem, set->chosen, set->count * sizeof *set->chosen);
}

static lathe_result corner_set_init(corner_set *set, const hull_loops *loops, const hull_cloud *c,
                                    lathe_error *err)
{
    uint32_t *uses = mem_alloc(&c->mem, c->count * sizeof *uses);
    if (!uses)
        return hull_no_memory(err);
    set->count = hull_count_corners(loops, uses, c->count);
    set->points = mem_alloc(&set->mem, set->count * sizeof *set->points);
    set->scaled = mem_alloc(&set->mem, set->count * sizeof *set->scaled);
    set->chosen = mem_zalloc(&set->mem, set->count * sizeof *set->chosen);
    const bool ok = set->points && set->scaled && set->chosen;
    for (size_t i = 0, n = 0; ok && i < c->count; i++)
        if (uses[i] > 0) {
            set->points[n] = (uint32_t)i;
            memcpy(set->scaled[n++], c->scaled[i], sizeof *set->scaled);
        }
    mem_free(&c->mem, uses, c->count * sizeof *uses);
    return ok ? LATHE_OK : hull_no_memory(err);
}

typedef struct candidate {
    double height; /* height above its face, the largest there */
    size_t corner;
} candidate;

/* Sorts by height, descending; then by order. */
static int by_height(const void *a, const void *b)
{
    const candidate *x = a, *y = b;
    if (x->height != y->height)
        return x->height < y->height ? 1 : -1;
    return (x->corner > y->corner) - (x->corner < y->corner);
}

/* Assigns each outside vertex to the face that it is highest above. `best`: the highest one of each face. */
static double find_candidates(const corner_set *set, const hull_loops *loops, candidate *best)
{
    double most = 0;
    for (size_t f = 0; f < loops->face_count; f++)
        best[f] = (candidate){0, 0};
    for (size_t i = 0; i < set->count; i++) {
        double height = -DBL_MAX;
        size_t face = 0;
        for (size_t f = 0; f < loops->face_count; f++) {
            const double h = hull_dot(loops->planes[f].n, set->scaled[i]) + loops->planes[f].d;
            if (h > height) {
                height = h;
                face = f;
            }
        }
        most = fmax(most, height);
        if (!set->chosen[i] && height > best[face].height)
            best[face] = (candidate){height, i};
    }
    return most;
}

/* The hull of the chosen vertices; its loops use the set's indices. */
static lathe_result hull_of_chosen(hull_loops *loops, const corner_set *set, size_t chosen,
                                   double flatness, lathe_error *err)
{
    double(*points)[3] = mem_alloc(&set->mem, chosen * sizeof *points);
    uint32_t *numbers = mem_alloc(&set->mem, chosen * sizeof *numbers);
    lathe_result result = points && numbers ? LATHE_OK : hull_no_memory(err);
    if (result == LATHE_OK) {
        for (size_t i = 0, n = 0; i < set->count; i++)
            if (set->chosen[i]) {
                numbers[n] = (uint32_t)i;
                memcpy(points[n++], set->scaled[i], sizeof *points);
            }
        result = hull_find_faces(loops, points, chosen, flatness, err);
        for (size_t i = 0; result == LATHE_OK && i < loops->index_count; i++)
            loops->indices[i] = numbers[loops->indices[i]];
    }
    mem_free(&set->mem, points, chosen * sizeof *points);
    mem_free(&set->mem, numbers, chosen * sizeof *numbers);
    return result;
}

/* Chooses the highest candidates, up to a quarter of the present number. Recomputing the hull after each one would be
 * slightly better and much slower. */
static size_t choose_more(corner_set *set, candidate *best, size_t faces, size_t chosen, size_t max)
{
    const size_t more = chosen / 4;
    qsort(best, faces, sizeof *best, by_height);
    size_t taken = 0;
    for (size_t f = 0; f < faces && taken < more && chosen + taken < max; f++, taken++) {
        if (!(best[f].height > 0))
            break;
        set->chosen[best[f].corner] = true;
    }
    return taken;
}

/* Starts with four vertices, and adds those that are farthest outside of the present hull. */
lathe_result hull_simplify(hull_loops *loops, const hull_cloud *c, size_t max, lathe_error *err)
{
    corner_set set = {.mem = c->mem};
    lathe_result result = corner_set_init(&set, loops, c, err);
    const double outside = loops->outside;
    double lost = 0;
    if (result == LATHE_OK && set.count > max) {
        const hull_cloud corners = {
            .scaled = set.scaled, .count = set.count, .flatness = c->flatness};
        uint32_t first[4];
        result = hull_spread(&corners, first, err);
        for (int i = 0; result == LATHE_OK && i < 4; i++)
            set.chosen[first[i]] = true;
        size_t chosen = 4, more = 1;
        while (result == LATHE_OK && more > 0) {
            result = hull_of_chosen(loops, &set, chosen, c->flatness, err);
            if (result != LATHE_OK)
                break;
            const size_t faces = loops->face_count;
            candidate *best = mem_alloc(&c->mem, faces * sizeof *best);
            if (!best) {
                result = hull_no_memory(err);
                break;
            }
            lost = find_candidates(&set, loops, best);
            more = choose_more(&set, best, faces, chosen, max);
            chosen += more;
            mem_free(&c->mem, best, faces * sizeof *best);
        }
        for (size_t i = 0; result == LATHE_OK && i < loops->index_count; i++)
            loops->indices[i] = set.points[loops->indices[i]];
        loops->outside = outside + lost;
    }
    corner_set_free(&set);
    return result;
}
