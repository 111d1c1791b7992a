/* From corners in front of the camera to triangles on the grid. */
#include "base/error.h"
#include "picture/raster_parts.h"

#include <math.h>

enum { PLANES = 6, OUTLINE_MAX = 10, ROOM = OUTLINE_MAX + PLANES };
enum { DEPTH_MAX = 0x7fffffff, WEIGHT_ONE = 1 << RASTER_WEIGHT_BITS, UV_ONE = 1 << RASTER_UV_BITS };

raster_corner raster_corner_at(const picture_camera *camera, vec3 point)
{
    raster_corner c = {.distance = -point.z};
    c.w = camera->perspective ? c.distance : 1;
    c.x = camera->scale * point.x;
    c.y = -camera->scale * point.y;
    return c;
}

/* Not negative on the side of the plane that is drawn. */
static double side_of(const picture_camera *camera, int plane, const raster_corner *c)
{
    switch (plane) {
    case 0: return c->distance - camera->near;
    case 1: return camera->far - c->distance;
    case 2: return c->x + (RASTER_GUARD + camera->centre[0]) * c->w;
    case 3: return (RASTER_GUARD - camera->centre[0]) * c->w - c->x;
    case 4: return c->y + (RASTER_GUARD + camera->centre[1]) * c->w;
    default: return (RASTER_GUARD - camera->centre[1]) * c->w - c->y;
    }
}

static double between(double a, double b, double t)
{
    return a + (b - a) * t;
}

/* Where an edge meets a plane, at the share t of its way. From inside to outside, whichever way the edge runs, so that
 * triangles which share it get the same corner. The distance is that of the plane even if those of the ends are so large
 * that nothing is left of it between them. */
static raster_corner cut(const picture_camera *camera, int plane, const raster_corner *in,
                         const raster_corner *out, double t)
{
    raster_corner c = {between(in->x, out->x, t),
                       between(in->y, out->y, t),
                       between(in->w, out->w, t),
                       between(in->distance, out->distance, t),
                       {0},
                       {between(in->uv[0], out->uv[0], t), between(in->uv[1], out->uv[1], t)}};
    for (int i = 0; i < 4; i++)
        c.color[i] = between(in->color[i], out->color[i], t);
    if (plane < 2) {
        c.distance = plane == 0 ? camera->near : camera->far;
        c.w = camera->perspective ? c.distance : 1;
    }
    return c;
}

static size_t clip_at(const picture_camera *camera, int plane, const raster_corner *from, size_t n,
                      raster_corner *to)
{
    size_t made = 0;
    for (size_t i = 0; i < n; i++) {
        const raster_corner *a = &from[i], *b = &from[(i + 1) % n];
        double da = side_of(camera, plane, a), db = side_of(camera, plane, b);
        if (da >= 0)
            to[made++] = *a;
        if (da >= 0 && db < 0)
            to[made++] = cut(camera, plane, a, b, da / (da - db));
        else if (da < 0 && db >= 0)
            to[made++] = cut(camera, plane, b, a, db / (db - da));
    }
    return made;
}

/* Clips the n corners, in place; the number of corners that are left. */
static size_t clip(const picture_camera *camera, raster_corner corners[ROOM], size_t n)
{
    raster_corner other[2 * ROOM];
    for (int plane = 0; plane < PLANES && n; plane++) {
        size_t outside = 0;
        for (size_t i = 0; i < n; i++)
            outside += side_of(camera, plane, &corners[i]) < 0;
        if (outside == n)
            return 0;
        if (!outside)
            continue;
        n = clip_at(camera, plane, corners, n, other);
        if (n > ROOM - PLANES + (size_t)plane + 1) /* rounding made it concave */
            return 0;
        for (size_t i = 0; i < n; i++)
            corners[i] = other[i];
    }
    return n;
}

bool raster_clip_line(const picture_raster *r, raster_corner ends[2])
{
    for (int plane = 0; plane < PLANES; plane++) {
        double a = side_of(&r->camera, plane, &ends[0]), b = side_of(&r->camera, plane, &ends[1]);
        if (a < 0 && b < 0)
            return false;
        if (a < 0)
            ends[0] = cut(&r->camera, plane, &ends[1], &ends[0], b / (b - a));
        else if (b < 0)
            ends[1] = cut(&r->camera, plane, &ends[0], &ends[1], a / (a - b));
    }
    return ends[0].w > 0 && ends[1].w > 0;
}

/* ---- onto the grid -------------------------------------------------------------------------- */

/* The nearest whole number of a value in the guard band; halves go up. */
static int32_t rounded(double v)
{
    const double bias = 2.0 * RASTER_GUARD * RASTER_GRID;
    v = v > -bias ? (v < bias ? v : bias) : -bias;
    return (int32_t)((int64_t)(v + bias + 0.5) - (int64_t)bias);
}

static uint32_t depth_of(const picture_camera *c, double distance)
{
    double share;
    if (c->perspective)
        share = (1 / distance - 1 / c->far) / (1 / c->near - 1 / c->far);
    else
        share = (c->far - distance) / (c->far - c->near);
    share = share > 0 ? (share < 1 ? share : 1) : 0;
    return 1 + (uint32_t)(share * (DEPTH_MAX - 1));
}

static uint32_t color_of(const double color[4])
{
    uint32_t all = 0;
    for (int i = 0; i < 4; i++) {
        double v = color[i] > 0 ? (color[i] < 255 ? color[i] : 255) : 0;
        all = all << 8 | (uint32_t)(v + 0.5);
    }
    return all;
}

/* uv as whole numbers, moved by whole textures so that they begin near 0. What spans more than 2047 textures, where only
 * their average is seen, is cut. */
static void place_uv(const raster_corner *const c[3], int axis, int32_t out[3])
{
    double least = c[0]->uv[axis];
    for (int i = 1; i < 3; i++)
        least = c[i]->uv[axis] < least ? c[i]->uv[axis] : least;
    bool small = fabs(least) < 1e9;
    double whole = small ? (double)((int64_t)(least + 1e9) - (int64_t)1e9) : 0;
    for (int i = 0; i < 3; i++) {
        double v = small ? (c[i]->uv[axis] - whole) * UV_ONE : 0;
        out[i] = (int32_t)(v < 2147483647.0 ? (v > 0 ? v : 0) : 2147483647.0);
    }
}

/* Weights are the reciprocals of the distances. Triangles whose corners differ by less than 1/512 need none: what that
 * moves is a tenth of a pixel in a triangle of 200. */
static void place_weights(const raster_corner *const c[3], uint32_t out[3])
{
    double nearest = c[0]->w, farthest = c[0]->w;
    for (int i = 1; i < 3; i++) {
        nearest = c[i]->w < nearest ? c[i]->w : nearest;
        farthest = c[i]->w > farthest ? c[i]->w : farthest;
    }
    bool plain = !(nearest > 0) || nearest >= farthest * (1 - 1.0 / 512);
    for (int i = 0; i < 3; i++) {
        double weight = plain ? 0 : nearest / c[i]->w * WEIGHT_ONE;
        out[i] = plain ? 0 : weight > 1 ? (uint32_t)weight : 1;
    }
}

static int32_t least_of(const int32_t v[3])
{
    int32_t least = v[0] < v[1] ? v[0] : v[1];
    return least < v[2] ? least : v[2];
}

static int32_t most_of(const int32_t v[3])
{
    int32_t most = v[0] > v[1] ? v[0] : v[1];
    return most > v[2] ? most : v[2];
}

/* The first of the lines through samples that is not below v. They are at equal distances, in rows as in columns. */
static int32_t line_from(int32_t v)
{
    enum { STEP = RASTER_GRID / RASTER_SAMPLES };
    return (v + 2 * RASTER_GUARD * RASTER_GRID - STEP / 2 + STEP - 1) / STEP;
}

static bool meets_samples(int32_t least, int32_t most)
{
    return line_from(least) < line_from(most + 1);
}

/* Sets the rows, and *work: about how many pixels it covers. False: no sample can be in it. */
static bool place_rows(const picture_pixels *pixels, int64_t area, raster_triangle *t,
                       uint64_t *work)
{
    int32_t left = least_of(t->x), right = most_of(t->x), top = least_of(t->y),
            bottom = most_of(t->y);
    int32_t width = (int32_t)pixels->width * RASTER_GRID,
            height = (int32_t)pixels->height * RASTER_GRID;
    if (right < 0 || bottom < 0 || left >= width || top >= height || !meets_samples(left, right) ||
        !meets_samples(top, bottom))
        return false;
    left = left > 0 ? left / RASTER_GRID : 0;
    top = top > 0 ? top / RASTER_GRID : 0;
    right = right < width ? right / RASTER_GRID + 1 : width / RASTER_GRID;
    bottom = bottom < height ? bottom / RASTER_GRID + 1 : height / RASTER_GRID;
    uint64_t box = (uint64_t)(right - left) * (uint64_t)(bottom - top);
    uint64_t own =
        (uint64_t)area / (2 * RASTER_GRID * RASTER_GRID) + (uint64_t)(right - left + bottom - top);
    t->row = (uint32_t)top;
    t->end_row = (uint32_t)bottom;
    *work = own < box ? own : box;
    return true;
}

static bool put(picture_raster *r, raster_list *list, const raster_triangle *t)
{
    void *items = list->items;
    if (list->count >= UINT32_MAX ||
        !mem_reserve(&r->m, &items, &list->cap, list->count + 1, sizeof *t))
        return false;
    list->items = items;
    list->items[list->count++] = *t;
    return true;
}

static void place(const picture_raster *r, const raster_corner *const c[3], raster_triangle *t)
{
    const raster_material *material = &r->materials[t->material];
    for (int i = 0; i < 3; i++) {
        t->depth[i] = depth_of(&r->camera, c[i]->distance);
        t->color[i] = color_of(c[i]->color);
    }
    place_weights(c, t->weight);
    if (material->texture) {
        place_uv(c, 0, t->u);
        place_uv(c, 1, t->v);
    }
}

static bool add_triangle(picture_raster *r, const raster_corner *a, const raster_corner *b,
                         const raster_corner *c, uint32_t material)
{
    const raster_corner *corner[3] = {a, b, c};
    raster_triangle t = {.material = material};
    uint64_t work;
    for (int i = 0; i < 3; i++) {
        t.x[i] = rounded((corner[i]->x / corner[i]->w + r->camera.centre[0]) * RASTER_GRID);
        t.y[i] = rounded((corner[i]->y / corner[i]->w + r->camera.centre[1]) * RASTER_GRID);
    }
    int64_t area = (int64_t)(t.x[1] - t.x[0]) * (t.y[2] - t.y[0]) -
                   (int64_t)(t.x[2] - t.x[0]) * (t.y[1] - t.y[0]);
    if (area < 0) {
        int32_t x = t.x[1], y = t.y[1];
        t.x[1] = t.x[2], t.y[1] = t.y[2];
        t.x[2] = x, t.y[2] = y;
        corner[1] = c, corner[2] = b;
        area = -area;
    }
    if (area == 0 || !place_rows(r->pixels, area, &t, &work))
        return true;
    place(r, corner, &t);
    bool blended = r->materials[material].alpha == PICTURE_BLEND;
    r->work += blended ? 3 * work : work;
    return put(r, blended ? &r->blended : &r->solid, &t);
}

lathe_result raster_add(picture_raster *r, const raster_corner *corners, size_t n,
                        uint32_t material, bool *too_much, lathe_error *err)
{
    raster_corner own[ROOM];
    *too_much =
        r->work / 8 > PICTURE_RASTER_WORK / 8 + (uint64_t)r->pixels->width * r->pixels->height;
    if (*too_much)
        return LATHE_OK;
    for (size_t i = 0; i < n; i++)
        own[i] = corners[i];
    n = clip(&r->camera, own, n);
    for (size_t i = 2; i < n; i++)
        if (!add_triangle(r, &own[0], &own[i - 1], &own[i], material))
            return error_set(err, LATHE_ERR_MEMORY, LATHE_NO_OFFSET, "out of memory");
    return LATHE_OK;
}
