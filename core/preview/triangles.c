/* Which triangles of two parts differ. */
#include "preview/changes.h"

#include "base/error.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The roundings of floats that are no difference, as a share of the number; and of colours, from 0 to 1. */
#define ROUNDING 5e-7
#define COLOR 0.002F
/* Stands for numbers that are none, which do not compare. */
#define NONE 1e300

bool preview_is_near(double a, double b, double reach)
{
    if (!isfinite(a) || !isfinite(b))
        return a == b || (isnan(a) && isnan(b));
    return fabs(a - b) <= reach + ROUNDING * fmax(fabs(a), fabs(b));
}

static uint32_t vertex_of(const preview_part *part, size_t triangle, size_t k)
{
    return part->mesh->indices[3 * triangle + k % 3];
}

static vec3 corner_of(const preview_part *part, size_t triangle, size_t k)
{
    uint32_t v = vertex_of(part, triangle, k);
    if (v >= part->mesh->vertex_count)
        return (vec3){NONE, NONE, NONE};
    return preview_vertex(part, v);
}

/* ---- looks --------------------------------------------------------------------------------------- */

static const float *color_of(const preview_part *part, size_t triangle, size_t k)
{
    static const float white[4] = {1, 1, 1, 1};
    uint32_t v = vertex_of(part, triangle, k);
    const float *colors = part->mesh->colors;
    return colors && v < part->mesh->vertex_count ? colors + 4 * (size_t)v : white;
}

/* turns: the corner of each triangle that comes first. */
static bool same_look(preview_part *const parts[2], const size_t triangles[2],
                      const size_t turns[2])
{
    if (strcmp(preview_material_of(parts[0], triangles[0]),
               preview_material_of(parts[1], triangles[1])) != 0)
        return false;
    for (size_t k = 0; k < 3; k++) {
        const float *a = color_of(parts[0], triangles[0], turns[0] + k);
        const float *b = color_of(parts[1], triangles[1], turns[1] + k);
        for (int i = 0; i < 4; i++)
            if (!(fabsf(a[i] - b[i]) <= COLOR) && (a[i] == a[i] || b[i] == b[i]))
                return false;
    }
    return true;
}

/* ---- triangles with the same number -------------------------------------------------------------- */

enum { SAME = 0, DIFFERENT = 1, OPEN = 2 /* not paired yet */ };

static bool same_place(preview_part *const parts[2], size_t triangle, double reach)
{
    for (size_t k = 0; k < 3; k++) {
        vec3 a = corner_of(parts[0], triangle, k), b = corner_of(parts[1], triangle, k);
        if (!preview_is_near(a.x, b.x, reach) || !preview_is_near(a.y, b.y, reach) ||
            !preview_is_near(a.z, b.z, reach))
            return false;
    }
    return true;
}

/* ---- the others: triangles that are in another order, or behind some that were added or removed --- */

typedef struct place {
    double cells[9]; /* the corners on a grid, from the least on */
    size_t triangle, turn;
} place;

static double cell_of(double v, double grid)
{
    double cell = v / grid;
    if (!(fabs(cell) < 1e15))
        return cell != cell ? NONE : cell;
    return (double)(int64_t)cell;
}

static int by_cells(const double *a, const double *b, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (a[i] != b[i])
            return a[i] < b[i] ? -1 : 1;
    return 0;
}

static int by_place(const void *x, const void *y)
{
    const place *a = x, *b = y;
    int order = by_cells(a->cells, b->cells, 9);
    return order ? order : (a->triangle > b->triangle) - (a->triangle < b->triangle);
}

static place place_of(const preview_part *part, size_t triangle, double grid)
{
    double cells[9];
    place out = {.triangle = triangle, .turn = 0};
    for (size_t k = 0; k < 3; k++) {
        vec3 p = corner_of(part, triangle, k);
        cells[3 * k] = cell_of(p.x, grid);
        cells[3 * k + 1] = cell_of(p.y, grid);
        cells[3 * k + 2] = cell_of(p.z, grid);
        if (by_cells(cells + 3 * k, cells + 3 * out.turn, 3) < 0)
            out.turn = k;
    }
    for (size_t k = 0; k < 3; k++)
        memcpy(out.cells + 3 * k, cells + 3 * ((out.turn + k) % 3), 3 * sizeof *cells);
    return out;
}

static place *places_of(const mem *m, const preview_part *part, double grid, size_t *count)
{
    size_t n = 0, at = 0;
    for (size_t t = 0; t < part->mesh->index_count / 3; t++)
        n += part->marks[t] == OPEN;
    *count = n;
    place *list = mem_alloc(m, n ? n * sizeof *list : 1);
    for (size_t t = 0; list && t < part->mesh->index_count / 3; t++) {
        if (part->marks[t] != OPEN)
            continue;
        list[at++] = place_of(part, t, grid);
        part->marks[t] = DIFFERENT;
    }
    if (list && n)
        qsort(list, n, sizeof *list, by_place);
    return list;
}

static lathe_result pair_places(const mem *m, preview_part *const parts[2], double grid,
                                lathe_error *err)
{
    size_t n[2] = {0, 0};
    place *lists[2];
    for (int side = 0; side < 2; side++)
        lists[side] = places_of(m, parts[side], grid, &n[side]);
    bool ok = lists[0] && lists[1];
    for (size_t i = 0, k = 0; ok && i < n[0] && k < n[1];) {
        const place *a = &lists[0][i], *b = &lists[1][k];
        int order = by_cells(a->cells, b->cells, 9);
        const size_t triangles[2] = {a->triangle, b->triangle}, turns[2] = {a->turn, b->turn};
        if (order == 0 && same_look(parts, triangles, turns))
            parts[0]->marks[a->triangle] = parts[1]->marks[b->triangle] = SAME;
        i += order <= 0;
        k += order >= 0;
    }
    for (int side = 0; side < 2; side++)
        mem_free(m, lists[side], !lists[side] ? 0 : n[side] ? n[side] * sizeof *lists[side] : 1);
    return ok ? LATHE_OK : error_set(err, LATHE_ERR_MEMORY, LATHE_NO_OFFSET, "out of memory");
}

lathe_result preview_mark_triangles(const mem *m, preview_part *const parts[2], double reach,
                                    lathe_error *err)
{
    size_t n[2], least;
    for (int side = 0; side < 2; side++) {
        n[side] = parts[side]->mesh->index_count / 3;
        memset(parts[side]->marks, OPEN, n[side]);
    }
    least = n[0] < n[1] ? n[0] : n[1];
    for (size_t t = 0; t < least; t++) {
        const size_t triangles[2] = {t, t}, turns[2] = {0, 0};
        if (same_place(parts, t, reach))
            parts[0]->marks[t] = parts[1]->marks[t] =
                same_look(parts, triangles, turns) ? SAME : DIFFERENT;
    }
    double grid = 2 * reach > 1e-12 ? 2 * reach : 1e-12;
    return pair_places(m, parts, grid, err);
}
