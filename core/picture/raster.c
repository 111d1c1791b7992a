/* What callers add: meshes and lines, in space. */
#include "base/error.h"
#include "picture/raster_parts.h"

#include <math.h>

#define TOO_FAR 1e100

static lathe_result no_memory(lathe_error *err)
{
    return error_set(err, LATHE_ERR_MEMORY, LATHE_NO_OFFSET, "out of memory");
}

static bool camera_is_usable(const picture_camera *c)
{
    double sum = c->scale + c->centre[0] + c->centre[1] + c->near + c->far;
    for (int i = 0; i < 16; i++)
        sum += fabs(c->view.m[i / 4][i % 4]);
    return isfinite(sum) && fabs(c->scale) < TOO_FAR && fabs(c->centre[0]) < TOO_FAR &&
           fabs(c->centre[1]) < TOO_FAR && c->near < c->far && (!c->perspective || c->near > 0);
}

lathe_result picture_raster_new(const mem *m, picture_pixels *pixels, const picture_camera *camera,
                                picture_raster **out, lathe_error *err)
{
    *out = NULL;
    if (pixels->width > PICTURE_RASTER_SIDE || pixels->height > PICTURE_RASTER_SIDE)
        return error_set(err, LATHE_ERR_LIMIT, LATHE_NO_OFFSET,
                         "a picture of %lu x %lu pixels: at most %d x %d can be drawn",
                         (unsigned long)pixels->width, (unsigned long)pixels->height,
                         PICTURE_RASTER_SIDE, PICTURE_RASTER_SIDE);
    if (!camera_is_usable(camera))
        return error_set(err, LATHE_ERR_RANGE, LATHE_NO_OFFSET,
                         "the camera's numbers are not finite, or its near is not before its far");
    picture_raster *r = mem_zalloc(m, sizeof *r);
    if (!r)
        return no_memory(err);
    r->m = *m;
    r->pixels = pixels;
    r->camera = *camera;
    *out = r;
    return LATHE_OK;
}

void picture_raster_free(picture_raster *r)
{
    if (!r)
        return;
    mem m = r->m;
    mem_free(&m, r->materials, r->material_cap * sizeof *r->materials);
    mem_free(&m, r->solid.items, r->solid.cap * sizeof *r->solid.items);
    mem_free(&m, r->blended.items, r->blended.cap * sizeof *r->blended.items);
    mem_free(&m, r, sizeof *r);
}

static bool add_material(picture_raster *r, raster_material material, uint32_t *index)
{
    void *items = r->materials;
    if (r->material_count >= UINT32_MAX ||
        !mem_reserve(&r->m, &items, &r->material_cap, r->material_count + 1, sizeof material))
        return false;
    r->materials = items;
    *index = (uint32_t)r->material_count;
    r->materials[r->material_count++] = material;
    return true;
}

static bool within(vec3 p)
{
    return fabs(p.x) < TOO_FAR && fabs(p.y) < TOO_FAR && fabs(p.z) < TOO_FAR;
}

static vec3 point_of(const float *rows, size_t i)
{
    return (vec3){(double)rows[3 * i], (double)rows[3 * i + 1], (double)rows[3 * i + 2]};
}

/* ---- meshes --------------------------------------------------------------------------------- */

/* A mesh on its way to the camera. */
typedef struct source {
    const picture_mesh *mesh;
    mat4 to_camera;
    vec3 normal[3]; /* columns that turn normals: the cofactors of to_camera */
    bool mirrors;
    bool perspective;
} source;

static source source_of(const picture_raster *r, const picture_mesh *mesh)
{
    source s = {.mesh = mesh, .perspective = r->camera.perspective};
    vec3 axis[3];
    s.to_camera = mat4_mul(&r->camera.view, &mesh->transform);
    for (int i = 0; i < 3; i++)
        axis[i] = (vec3){s.to_camera.m[i][0], s.to_camera.m[i][1], s.to_camera.m[i][2]};
    for (int i = 0; i < 3; i++)
        s.normal[i] = vec3_cross(axis[(i + 1) % 3], axis[(i + 2) % 3]);
    s.mirrors = vec3_dot(axis[0], s.normal[0]) < 0;
    return s;
}

/* Makes a vector of any length a unit vector; false if it has no direction. */
static bool unit(vec3 *v)
{
    double largest = fmax(fabs(v->x), fmax(fabs(v->y), fabs(v->z)));
    if (!(largest > 0) || !isfinite(largest))
        return false;
    *v = vec3_normalize((vec3){v->x / largest, v->y / largest, v->z / largest});
    return true;
}

static vec3 turned_normal(const source *s, vec3 n)
{
    vec3 out = vec3_add(vec3_add(vec3_scale(s->normal[0], n.x), vec3_scale(s->normal[1], n.y)),
                        vec3_scale(s->normal[2], n.z));
    return s->mirrors ? vec3_scale(out, -1) : out;
}

static unsigned channel(uint32_t color, int i)
{
    return color >> (24 - 8 * i) & 0xff;
}

static double clamped(double v)
{
    return v > 0 ? (v < 1 ? v : 1) : 0; /* NaN: 0 */
}

static void color_corner(const picture_mesh *mesh, size_t triangle, size_t vertex, unsigned light,
                         raster_corner *c)
{
    uint32_t own = mesh->triangle_colors ? mesh->triangle_colors[triangle] : 0xffffffff;
    for (int i = 0; i < 4; i++) {
        unsigned v = (channel(mesh->color, i) * channel(own, i) + 127) / 255;
        if (mesh->colors)
            v = (v * (unsigned)(clamped((double)mesh->colors[4 * vertex + (size_t)i]) * 255 + 0.5) +
                 127) /
                255;
        c->color[i] = i < 3 ? (v * light + 127) / 255 : v;
    }
}

static double finite_or_zero(float v)
{
    return isfinite(v) ? (double)v : 0;
}

/* The light of the corners of a triangle whose own normal, which looks to its front, is `face`. */
static void light_corners(const source *s, const uint32_t *index, const vec3 at[3], vec3 face,
                          unsigned light[3])
{
    const picture_mesh *mesh = s->mesh;
    bool behind = s->perspective ? vec3_dot(face, at[0]) > 0 : face.z < 0;
    bool has_face = unit(&face);
    for (int i = 0; i < 3; i++) {
        vec3 n = face;
        if (mesh->normals) {
            n = turned_normal(s, point_of(mesh->normals, index[i]));
            if (!unit(&n))
                n = face;
        }
        if (behind)
            n = vec3_scale(n, -1);
        light[i] = mesh->flat ? 255 : has_face ? raster_light(n) : raster_light((vec3){0, 0, 1});
        if (behind && !mesh->double_sided && !mesh->flat)
            light[i] = light[i] * 5 / 8;
    }
}

typedef enum fate { TAKEN, NOT_FINITE, NO_VERTEX, DEGENERATE } fate;

/* Fills the corners of a triangle, if it can be drawn. */
static fate corners_of(const picture_raster *r, const source *s, size_t triangle,
                       raster_corner corners[3])
{
    const picture_mesh *mesh = s->mesh;
    const uint32_t *index = mesh->indices + 3 * triangle;
    vec3 at[3];
    unsigned light[3];
    for (int i = 0; i < 3; i++)
        if (index[i] >= mesh->vertex_count)
            return NO_VERTEX;
    for (int i = 0; i < 3; i++) {
        vec3 p = point_of(mesh->positions, index[i]);
        at[i] = mat4_point(&s->to_camera, p);
        if (!within(p) || !within(at[i]))
            return NOT_FINITE;
    }
    vec3 face = vec3_cross(vec3_sub(at[1], at[0]), vec3_sub(at[2], at[0]));
    if (face.x == 0 && face.y == 0 && face.z == 0)
        return DEGENERATE;
    light_corners(s, index, at, s->mirrors ? vec3_scale(face, -1) : face, light);
    for (int i = 0; i < 3; i++) {
        corners[i] = raster_corner_at(&r->camera, at[i]);
        color_corner(mesh, triangle, index[i], light[i], &corners[i]);
        if (mesh->uvs) {
            corners[i].uv[0] = finite_or_zero(mesh->uvs[2 * (size_t)index[i]]);
            corners[i].uv[1] = finite_or_zero(mesh->uvs[2 * (size_t)index[i] + 1]);
        }
    }
    return TAKEN;
}

static void count(picture_left_out *left, fate f, bool too_much)
{
    left->drawn += f == TAKEN && !too_much;
    left->too_much += f == TAKEN && too_much;
    left->not_finite += f == NOT_FINITE;
    left->no_vertex += f == NO_VERTEX;
    left->degenerate += f == DEGENERATE;
}

lathe_result picture_raster_mesh(picture_raster *r, const picture_mesh *mesh,
                                 picture_left_out *left, lathe_error *err)
{
    picture_left_out none = {0};
    uint32_t material;
    source s = source_of(r, mesh);
    raster_material looks = {mesh->uvs ? mesh->texture : NULL, mesh->alpha, mesh->cutoff};
    if (looks.texture && looks.texture->level_count == 0)
        looks.texture = NULL;
    if (!left)
        left = &none;
    if (!add_material(r, looks, &material))
        return no_memory(err);
    for (size_t i = 0; i < mesh->triangle_count; i++) {
        raster_corner corners[3] = {0};
        bool too_much = false;
        fate f = corners_of(r, &s, i, corners);
        if (f == TAKEN) {
            lathe_result result = raster_add(r, corners, 3, material, &too_much, err);
            if (result != LATHE_OK)
                return result;
        }
        count(left, f, too_much);
    }
    return LATHE_OK;
}

/* ---- lines ---------------------------------------------------------------------------------- */

enum { CAP = 5, OUTLINE = 2 * CAP };
#define DIAGONAL 0.70710678118654752

static fate line_of(const picture_raster *r, const picture_lines *lines, const mat4 *to_camera,
                    size_t segment, raster_corner ends[2])
{
    const uint32_t *index = lines->segments + 2 * segment;
    vec3 at[2];
    if (index[0] >= lines->point_count || index[1] >= lines->point_count)
        return NO_VERTEX;
    for (int i = 0; i < 2; i++) {
        vec3 p = point_of(lines->points, index[i]);
        at[i] = mat4_point(to_camera, p);
        if (!within(p) || !within(at[i]))
            return NOT_FINITE;
        ends[i] = raster_corner_at(&r->camera, at[i]);
    }
    vec3 d = vec3_sub(at[0], at[1]);
    return d.x == 0 && d.y == 0 && d.z == 0 ? DEGENERATE : TAKEN;
}

/* Puts the outline of a line around its ends: a rectangle that is half its width longer at each end, or half circles. */
static size_t outline_of(const raster_corner ends[2], double width, raster_corner *out)
{
    static const double round[CAP][2] = {
        {0, 1}, {DIAGONAL, DIAGONAL}, {1, 0}, {DIAGONAL, -DIAGONAL}, {0, -1}};
    static const double square[2][2] = {{1, 1}, {1, -1}};
    const double(*shape)[2] = width > 2 ? round : square;
    size_t n = width > 2 ? CAP : 2;
    vec3 way = {ends[1].x / ends[1].w - ends[0].x / ends[0].w,
                ends[1].y / ends[1].w - ends[0].y / ends[0].w, 0};
    if (!unit(&way))
        way = (vec3){1, 0, 0};
    for (size_t i = 0; i < 2 * n; i++) {
        size_t end = i < n;
        double k = (end ? 0.5 : -0.5) * width;
        double along = shape[i % n][0] * k, across = shape[i % n][1] * k;
        out[i] = ends[end];
        out[i].x += (way.x * along - way.y * across) * out[i].w;
        out[i].y += (way.y * along + way.x * across) * out[i].w;
    }
    return 2 * n;
}

static lathe_result add_line(picture_raster *r, const picture_lines *lines, uint32_t color,
                             raster_corner ends[2], const uint32_t material[2], bool *too_much,
                             lathe_error *err)
{
    raster_corner outline[OUTLINE];
    double width = lines->width > 1 ? (lines->width < 64 ? lines->width : 64) : 1;
    double nearer = lines->bias > 0 && lines->bias < 1 ? 1 - lines->bias : 1;
    if (!raster_clip_line(r, ends))
        return LATHE_OK;
    for (int k = 0; k < 2; k++) {
        double distance = ends[k].distance * nearer;
        ends[k].distance = distance > r->camera.near ? distance : r->camera.near;
        for (int i = 0; i < 4; i++)
            ends[k].color[i] = channel(color, i);
    }
    size_t n = outline_of(ends, width, outline);
    return raster_add(r, outline, n, material[(color & 0xff) != 0xff], too_much, err);
}

lathe_result picture_raster_lines(picture_raster *r, const picture_lines *lines,
                                  picture_left_out *left, lathe_error *err)
{
    picture_left_out none = {0};
    uint32_t material[2];
    mat4 to_camera = mat4_mul(&r->camera.view, &lines->transform);
    if (!left)
        left = &none;
    if (!add_material(r, (raster_material){NULL, PICTURE_OPAQUE, 0}, &material[0]) ||
        !add_material(r, (raster_material){NULL, PICTURE_BLEND, 0}, &material[1]))
        return no_memory(err);
    for (size_t i = 0; i < lines->segment_count; i++) {
        raster_corner ends[2] = {0};
        bool too_much = false;
        fate f = line_of(r, lines, &to_camera, i, ends);
        if (f == TAKEN) {
            uint32_t color = lines->colors ? lines->colors[i] : lines->color;
            lathe_result result = add_line(r, lines, color, ends, material, &too_much, err);
            if (result != LATHE_OK)
                return result;
        }
        count(left, f, too_much);
    }
    return LATHE_OK;
}

lathe_result picture_raster_draw(picture_raster *r, lathe_error *err)
{
    return raster_fill(r, 0, err);
}
