/* The edges of collision shapes. */
#include "preview/preview.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Triangles that meet at less than this angle are one face: its cosine, squared. 8 degrees. */
#define FLAT 0.98

typedef struct corner {
    float at[3];
    uint32_t vertex;
} corner;

typedef struct edge {
    uint32_t a, b, triangle; /* a < b: the corners */
} edge;

static int by_place(const void *x, const void *y)
{
    const corner *a = x, *b = y;
    for (int k = 0; k < 3; k++)
        if (a->at[k] != b->at[k])
            return a->at[k] < b->at[k] ? -1 : 1;
    return (a->vertex > b->vertex) - (a->vertex < b->vertex);
}

/* For each vertex the first one at its place. Numbers that are none stand for themselves. */
static bool weld(const mem *m, const preview_part *part, uint32_t *first)
{
    size_t n = part->mesh->vertex_count, used = 0;
    const float *positions = preview_positions(part);
    corner *corners = mem_alloc(m, n * sizeof *corners);
    for (size_t i = 0; corners && i < n; i++) {
        const float *p = positions + 3 * i;
        first[i] = (uint32_t)i;
        if (p[0] == p[0] && p[1] == p[1] && p[2] == p[2])
            corners[used++] = (corner){{p[0], p[1], p[2]}, (uint32_t)i};
    }
    if (used)
        qsort(corners, used, sizeof *corners, by_place);
    for (size_t i = 1; i < used; i++) {
        const corner *c = &corners[i], *before = &corners[i - 1];
        if (c->at[0] == before->at[0] && c->at[1] == before->at[1] && c->at[2] == before->at[2])
            first[c->vertex] = first[before->vertex];
    }
    mem_free(m, corners, n * sizeof *corners);
    return corners != NULL;
}

static vec3 normal_of(const preview_part *part, uint32_t triangle)
{
    const float *positions = preview_positions(part);
    vec3 p[3];
    for (int k = 0; k < 3; k++) {
        const float *at =
            positions + 3 * (size_t)part->mesh->indices[3 * (size_t)triangle + (size_t)k];
        p[k] = (vec3){(double)at[0], (double)at[1], (double)at[2]};
    }
    return vec3_normalize(vec3_cross(vec3_sub(p[1], p[0]), vec3_sub(p[2], p[0])));
}

/* Sorts edges by one of their corners, into another list; those of the same corner keep their order. */
static void sort_by_corner(const edge *from, edge *to, size_t n, bool second, size_t *begin,
                           size_t vertices)
{
    memset(begin, 0, (vertices + 1) * sizeof *begin);
    for (size_t i = 0; i < n; i++)
        begin[(second ? from[i].b : from[i].a) + 1]++;
    for (size_t i = 0; i < vertices; i++)
        begin[i + 1] += begin[i];
    for (size_t i = 0; i < n; i++)
        to[begin[second ? from[i].b : from[i].a]++] = from[i];
}

/* Sorts edges by both corners; those of the same ones stay in the order of their triangles. There may be millions: a sort that
 * compares them takes most of the time of a picture. */
static bool sort_edges(const mem *m, edge *list, size_t n, size_t vertices)
{
    size_t *begin = mem_alloc(m, (vertices + 1) * sizeof *begin);
    edge *other = mem_alloc(m, n * sizeof *other);
    bool ok = begin && other;
    if (ok) {
        sort_by_corner(list, other, n, true, begin, vertices);
        sort_by_corner(other, list, n, false, begin, vertices);
    }
    mem_free(m, begin, (vertices + 1) * sizeof *begin);
    mem_free(m, other, n * sizeof *other);
    return ok;
}

static bool is_feature(const preview_part *part, const edge *list, size_t n)
{
    if (n != 2)
        return true;
    if (strcmp(preview_material_of(part, list[0].triangle),
               preview_material_of(part, list[1].triangle)) != 0)
        return true;
    double dot = vec3_dot(normal_of(part, list[0].triangle), normal_of(part, list[1].triangle));
    return !(dot * dot > FLAT);
}

static bool is_marked(const preview_part *part, const edge *list, size_t n)
{
    for (size_t i = 0; part->marks && i < n; i++)
        if (part->marks[list[i].triangle])
            return true;
    return false;
}

static bool put(const mem *m, preview_edges *out, uint32_t a, uint32_t b, picture_color color)
{
    if (!mem_reserve(m, (void **)&out->segments, &out->room, out->count + 1,
                     2 * sizeof *out->segments) ||
        !mem_reserve(m, (void **)&out->colors, &out->color_room, out->count + 1,
                     sizeof *out->colors))
        return false;
    out->segments[2 * out->count] = a;
    out->segments[2 * out->count + 1] = b;
    out->colors[out->count++] = color;
    return true;
}

static size_t list_edges(const preview_part *part, const uint32_t *first, edge *list)
{
    const model_mesh *mesh = part->mesh;
    size_t n = 0;
    for (size_t t = 0; t < mesh->index_count / 3; t++) {
        const uint32_t *v = mesh->indices + 3 * t;
        if (v[0] >= mesh->vertex_count || v[1] >= mesh->vertex_count || v[2] >= mesh->vertex_count)
            continue;
        for (unsigned k = 0; k < 3; k++) {
            uint32_t a = first[v[k]], b = first[v[(k + 1) % 3]];
            if (a != b)
                list[n++] = (edge){a < b ? a : b, a < b ? b : a, (uint32_t)t};
        }
    }
    return n;
}

lathe_result preview_edges_of(const preview *p, const preview_part *part, preview_edges *out,
                              lathe_error *err)
{
    const model_mesh *mesh = part->mesh;
    size_t vertices = mesh->vertex_count * sizeof(uint32_t);
    size_t room = mesh->index_count * sizeof(edge);
    uint32_t *first = mem_alloc(&p->mem, vertices ? vertices : 1);
    edge *list = mem_alloc(&p->mem, room ? room : 1);
    bool ok = first && list && (!mesh->vertex_count || weld(&p->mem, part, first));
    size_t n = ok ? list_edges(part, first, list) : 0, next;
    if (n)
        ok = sort_edges(&p->mem, list, n, mesh->vertex_count);
    for (size_t i = 0; ok && i < n; i = next) {
        for (next = i + 1; next < n && list[next].a == list[i].a && list[next].b == list[i].b;)
            next++;
        if (is_marked(part, list + i, next - i))
            ok = put(&p->mem, out, list[i].a, list[i].b, PREVIEW_MARK);
        else if (is_feature(part, list + i, next - i))
            ok = put(&p->mem, out, list[i].a, list[i].b,
                     picture_edge_color(preview_material_of(part, list[i].triangle)));
    }
    mem_free(&p->mem, first, vertices ? vertices : 1);
    mem_free(&p->mem, list, room ? room : 1);
    return ok ? LATHE_OK : error_set(err, LATHE_ERR_MEMORY, LATHE_NO_OFFSET, "out of memory");
}

static bool seen_at(const preview_part *part, const picture_camera *camera, uint32_t vertex,
                    vec3 *out)
{
    return picture_project(camera, preview_vertex(part, vertex), out);
}

/* Twice the area of a triangle in the picture; 0 where it is not seen. */
static double area_of(const preview_part *part, const picture_camera *camera, const uint32_t *v)
{
    vec3 p[3];
    for (int k = 0; k < 3; k++)
        if (v[k] >= part->mesh->vertex_count || !seen_at(part, camera, v[k], &p[k]))
            return 0;
    double area =
        fabs((p[1].x - p[0].x) * (p[2].y - p[0].y) - (p[2].x - p[0].x) * (p[1].y - p[0].y));
    return isfinite(area) ? area : 0;
}

uint32_t preview_edges_opacity(const preview_part *part, const preview_edges *edges,
                               const picture_camera *camera)
{
    enum { FEW = 64, LEAST = 12 };
    const double WIDTH = 1.5, SHARE = 0.3; /* of the area that opaque edges may cover */
    double length = 0, area = 0;
    if (edges->count < FEW)
        return 255;
    for (size_t i = 0; i < edges->count; i++) {
        vec3 a, b;
        if (!seen_at(part, camera, edges->segments[2 * i], &a) ||
            !seen_at(part, camera, edges->segments[2 * i + 1], &b))
            continue;
        double one = sqrt((a.x - b.x) * (a.x - b.x) + (a.y - b.y) * (a.y - b.y));
        length += isfinite(one) ? one : 0;
    }
    for (size_t t = 0; t < part->mesh->index_count / 3; t++)
        area += area_of(part, camera, part->mesh->indices + 3 * t) / 2;
    double covered = length * WIDTH;
    if (!(covered > area * SHARE))
        return 255;
    double opacity = 255 * area * SHARE / covered;
    return opacity > LEAST ? (uint32_t)opacity : LEAST;
}
