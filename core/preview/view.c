/* From where a scene is seen. */
#include "preview/preview.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The distance of the viewer from the middle of what is seen, in radii of a ball around it. */
#define AWAY 3.5
/* Points may be this many times farther from the middle than most of them are. */
#define FAR_OUT 1000

mat4 preview_turn(bool z_up, vec3 front)
{
    vec3 up = z_up ? (vec3){0, 0, 1} : (vec3){0, 1, 0}, face = front;
    if (vec3_dot(face, face) == 0)
        face = z_up ? (vec3){0, -1, 0} : (vec3){0, 0, 1};
    const vec3 rows[3] = {vec3_cross(up, face), up, face};
    mat4 out = mat4_identity();
    for (int row = 0; row < 3; row++) {
        out.m[0][row] = rows[row].x;
        out.m[1][row] = rows[row].y;
        out.m[2][row] = rows[row].z;
    }
    return out;
}

/* ---- bounds -------------------------------------------------------------------------------------- */

static bool finite3(vec3 p)
{
    const double most = 1e15; /* beyond it no scale is of use */
    return fabs(p.x) < most && fabs(p.y) < most && fabs(p.z) < most;
}

static int by_size(const void *a, const void *b)
{
    double x, y;
    memcpy(&x, a, sizeof x);
    memcpy(&y, b, sizeof y);
    return (x > y) - (x < y);
}

enum { SAMPLES = 4096 };

/* What lies between these two is near most points: an axis of some of them, sorted. */
static void usual(double *numbers, size_t n, double *low, double *high)
{
    qsort(numbers, n, sizeof *numbers, by_size);
    double first = numbers[n / 50], last = numbers[n - 1 - n / 50];
    double reach = FAR_OUT * (last - first);
    if (reach == 0)
        reach = 2 * (numbers[n - 1] - numbers[0]);
    if (reach == 0)
        reach = 1e16; /* they tell nothing */
    *low = first - reach;
    *high = last + reach;
}

static void grow(preview_bounds *b, vec3 p)
{
    if (!b->points++) {
        b->low = b->high = p;
        return;
    }
    b->low = (vec3){p.x < b->low.x ? p.x : b->low.x, p.y < b->low.y ? p.y : b->low.y,
                    p.z < b->low.z ? p.z : b->low.z};
    b->high = (vec3){p.x > b->high.x ? p.x : b->high.x, p.y > b->high.y ? p.y : b->high.y,
                     p.z > b->high.z ? p.z : b->high.z};
}

static bool within(vec3 p, vec3 low, vec3 high)
{
    return p.x >= low.x && p.x <= high.x && p.y >= low.y && p.y <= high.y && p.z >= low.z &&
           p.z <= high.z;
}

lathe_result preview_bounds_of(const mem *m, const preview_cloud *cloud, preview_bounds *out,
                               lathe_error *err)
{
    size_t n = 0, step = cloud->count / SAMPLES + 1, size = 3 * SAMPLES * sizeof(double);
    double *axes = mem_alloc(m, size);
    vec3 p, low, high;
    *out = (preview_bounds){.points = 0};
    if (!axes)
        return error_set(err, LATHE_ERR_MEMORY, LATHE_NO_OFFSET, "out of memory");
    while (step > 1 && (step % 2 == 0 || step % 3 == 0))
        step++; /* not always the same corner of a triangle: many begin where the one before did */
    for (size_t i = 0; i < cloud->count && n < SAMPLES; i += step)
        if (cloud->point(cloud->user, i, &p) && finite3(p)) {
            axes[n] = p.x;
            axes[SAMPLES + n] = p.y;
            axes[2 * SAMPLES + n++] = p.z;
        }
    if (n) {
        usual(axes, n, &low.x, &high.x);
        usual(axes + SAMPLES, n, &low.y, &high.y);
        usual(axes + 2 * (size_t)SAMPLES, n, &low.z, &high.z);
        for (size_t i = 0; i < cloud->count; i++) {
            bool there = cloud->point(cloud->user, i, &p);
            if (there && finite3(p) && within(p, low, high))
                grow(out, p);
            else
                out->outside++;
        }
    }
    mem_free(m, axes, size);
    return LATHE_OK;
}

/* ---- cameras ------------------------------------------------------------------------------------- */

/* The rows of a view from a place: to the right, up, and to the viewer, in the space that preview_turn leads to. */
static const vec3 views[LATHE_PREVIEW_VIEW_COUNT][3] = {
    /* The viewer is at (0.48, 0.36, 0.8). */
    [LATHE_PREVIEW_ISO] = {{0.857492925712544, 0, -0.514495755427527},
                           {-0.185218471953909, 0.932952606427385, -0.308697453256516},
                           {0.48, 0.36, 0.8}},
    [LATHE_PREVIEW_FRONT] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
    [LATHE_PREVIEW_SIDE] = {{0, 0, -1}, {0, 1, 0}, {1, 0, 0}},
    [LATHE_PREVIEW_TOP] = {{1, 0, 0}, {0, 0, -1}, {0, 1, 0}},
};

/* Moves and scales the picture so that the points fill it. */
static void fill(const preview_cloud *cloud, const preview_bounds *b, double width, double height,
                 picture_camera *camera)
{
    double low[2] = {0, 0}, high[2] = {0, 0};
    bool any = false;
    vec3 p, q;
    for (size_t i = 0; i < cloud->count; i++) {
        if (!cloud->point(cloud->user, i, &p) || !within(p, b->low, b->high) ||
            !picture_project(camera, p, &q))
            continue;
        const double at[2] = {q.x, q.y};
        for (int k = 0; k < 2; k++) {
            low[k] = !any || at[k] < low[k] ? at[k] : low[k];
            high[k] = !any || at[k] > high[k] ? at[k] : high[k];
        }
        any = true;
    }
    double wide = high[0] - low[0], tall = high[1] - low[1], least = 1e-9 * camera->scale;
    double x = wide > least ? 0.94 * width / wide : 0, y = tall > least ? 0.94 * height / tall : 0;
    double factor = x > 0 && (y == 0 || x < y) ? x : y > 0 ? y : 1;
    camera->scale *= factor;
    camera->centre[0] = width / 2 - factor * (low[0] + high[0]) / 2;
    camera->centre[1] = height / 2 - factor * (low[1] + high[1]) / 2;
}

mat4 preview_look(const mat4 *turn, lathe_preview_view view)
{
    mat4 look = mat4_identity();
    for (int row = 0; row < 3; row++) {
        look.m[0][row] = views[view][row].x;
        look.m[1][row] = views[view][row].y;
        look.m[2][row] = views[view][row].z;
    }
    return mat4_mul(&look, turn);
}

void preview_extend(const preview_cloud *cloud, const preview_bounds *bounds, const mat4 *view,
                    preview_extent *extent)
{
    vec3 p;
    for (size_t i = 0; bounds->points && i < cloud->count; i++) {
        if (!cloud->point(cloud->user, i, &p) || !within(p, bounds->low, bounds->high))
            continue;
        vec3 q = mat4_point(view, p);
        const double at[3] = {q.x, q.y, q.z};
        for (int k = 0; k < 3; k++) {
            extent->low[k] = !extent->any || at[k] < extent->low[k] ? at[k] : extent->low[k];
            extent->high[k] = !extent->any || at[k] > extent->high[k] ? at[k] : extent->high[k];
        }
        extent->any = true;
    }
}

void preview_camera_of(const preview_cloud *cloud, const preview_bounds *bounds, const mat4 *turn,
                       lathe_preview_view view, double width, double height, picture_camera *out)
{
    vec3 middle = vec3_scale(vec3_add(bounds->low, bounds->high), 0.5);
    double radius = vec3_length(vec3_sub(bounds->high, bounds->low)) / 2;
    if (!(radius > 0))
        radius = 1;
    mat4 place = mat4_identity(), look = preview_look(turn, view);
    place.m[3][0] = -middle.x;
    place.m[3][1] = -middle.y;
    place.m[3][2] = -middle.z;
    *out = (picture_camera){.view = mat4_mul(&look, &place),
                            .perspective = view == LATHE_PREVIEW_ISO,
                            .near = radius * (AWAY - 1.1),
                            .far = radius * (AWAY + 1.1),
                            .scale = 1 / radius};
    if (out->perspective)
        out->scale = 1;
    out->view.m[3][2] -= AWAY * radius;
    fill(cloud, bounds, width, height, out);
}

/* ---- a scene ------------------------------------------------------------------------------------- */

typedef struct corners {
    const preview_scene *scene;
    size_t *ends; /* of each part: the number of corners in it and before */
} corners;

static size_t part_of(const corners *c, size_t i)
{
    size_t low = 0, high = c->scene->count - 1;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (i < c->ends[middle])
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

static bool corner(const void *user, size_t i, vec3 *out)
{
    const corners *c = user;
    size_t k = part_of(c, i);
    const preview_part *part = &c->scene->parts[k];
    uint32_t v = part->mesh->indices[i - (k ? c->ends[k - 1] : 0)];
    if (v >= part->mesh->vertex_count)
        return false;
    *out = preview_vertex(part, v);
    return true;
}

static bool is_chosen(const preview_part *part, const char *fit)
{
    const char *name = part->mesh->name;
    if (!fit || strcmp(fit, part->collision ? "collision" : "mesh") == 0)
        return true;
    return name && strcmp(fit, name) == 0;
}

static const char *name_of(void *user, size_t i)
{
    const preview_scene *scene = user;
    if (i >= scene->count)
        return NULL;
    const char *name = scene->parts[i].mesh->name;
    return name ? name : "";
}

static lathe_result no_part(const preview_scene *scene, const char *fit, lathe_error *err)
{
    preview_scene names = *scene;
    const char *near = error_nearest(fit, name_of, &names);
    return near && *near
               ? error_set(err, LATHE_ERR_NAME, LATHE_NO_OFFSET,
                           "nothing that is drawn is named '%s'; did you mean '%s'?", fit, near)
               : error_set(err, LATHE_ERR_NAME, LATHE_NO_OFFSET,
                           "nothing that is drawn is named '%s'", fit);
}

/* The corners that `fit` names, as a cloud; free c->ends. */
static lathe_result corners_of(const preview *p, const preview_scene *scene, const char *fit,
                               corners *c, preview_cloud *cloud, lathe_error *err)
{
    *c = (corners){.scene = scene, .ends = mem_alloc(&p->mem, scene->count * sizeof *c->ends)};
    size_t total = 0;
    if (!c->ends)
        return error_set(err, LATHE_ERR_MEMORY, LATHE_NO_OFFSET, "out of memory");
    for (size_t i = 0; i < scene->count; i++) {
        if (is_chosen(&scene->parts[i], fit))
            total += scene->parts[i].mesh->index_count;
        c->ends[i] = total;
    }
    *cloud = (preview_cloud){corner, c, total};
    return total ? LATHE_OK : no_part(scene, fit, err);
}

lathe_result preview_measure(preview *p, const preview_scene *scene, const mat4 *view,
                             preview_bounds *bounds, preview_extent *extent, lathe_error *err)
{
    corners c;
    preview_cloud cloud;
    *bounds = (preview_bounds){.points = 0};
    lathe_result r = corners_of(p, scene, p->options.fit, &c, &cloud, err);
    if (r == LATHE_OK)
        r = preview_bounds_of(&p->mem, &cloud, bounds, err);
    if (r == LATHE_OK)
        preview_extend(&cloud, bounds, view, extent);
    mem_free(&p->mem, c.ends, scene->count * sizeof *c.ends);
    return r;
}

lathe_result preview_fit(preview *p, const preview_scene *scene, const char *fit,
                         lathe_preview_view view, double width, double height,
                         preview_bounds *bounds, picture_camera *out, lathe_error *err)
{
    corners c;
    preview_cloud cloud;
    *bounds = (preview_bounds){.points = 0};
    if (!scene->count)
        return LATHE_OK;
    lathe_result r = corners_of(p, scene, fit, &c, &cloud, err);
    if (r == LATHE_OK)
        r = preview_bounds_of(&p->mem, &cloud, bounds, err);
    mat4 turn = preview_turn(scene->z_up, scene->front);
    if (r == LATHE_OK && bounds->points)
        preview_camera_of(&cloud, bounds, &turn, view, width, height, out);
    mem_free(&p->mem, c.ends, scene->count * sizeof *c.ends);
    return r;
}
