/* Cells from above as vectors: the outline that each object has on the ground, the lower ones first. */
#include "preview/preview.h"

#include "record/record.h"

#include <stdlib.h>
#include <string.h>

enum { FOOTPRINTS = 50000 }; /* the most that one picture has */

typedef struct spot {
    double x, y;
} spot;

/* The part with this number, and the distance from the viewer of what is nearest of it. */
typedef struct layer {
    double away;
    size_t part;
} layer;

static int by_place(const void *a, const void *b)
{
    const spot *p = a, *q = b;
    if (p->x != q->x)
        return p->x < q->x ? -1 : 1;
    return (p->y > q->y) - (p->y < q->y);
}

static int by_height(const void *a, const void *b)
{
    const layer *p = a, *q = b;
    if (p->away != q->away)
        return p->away > q->away ? -1 : 1;
    return (p->part > q->part) - (p->part < q->part);
}

/* Where the vertices of a part are in the picture. */
static size_t project(const preview_part *part, const picture_camera *camera, spot *out,
                      double *away)
{
    size_t n = 0;
    vec3 q;
    for (size_t i = 0; i < part->mesh->vertex_count; i++) {
        if (!picture_project(camera, preview_vertex(part, i), &q))
            continue;
        if (!n || q.z < *away)
            *away = q.z;
        out[n++] = (spot){q.x, q.y};
    }
    return n;
}

static double turn(spot a, spot b, spot c)
{
    return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
}

/* The convex outline of n points, which it sorts. `out` has room for n + 1. */
static size_t outline(spot *points, size_t n, spot *out)
{
    size_t count = 0;
    qsort(points, n, sizeof *points, by_place);
    for (size_t i = 0; i < n; i++) { /* one side, from left to right */
        while (count >= 2 && turn(out[count - 2], out[count - 1], points[i]) <= 0)
            count--;
        out[count++] = points[i];
    }
    for (size_t i = n - 1, least = count + 1;
         i-- > 0;) { /* the other one, back to the first point */
        while (count >= least && turn(out[count - 2], out[count - 1], points[i]) <= 0)
            count--;
        out[count++] = points[i];
    }
    return count;
}

static bool is_small(const spot *line, size_t n)
{
    spot low = line[0], high = line[0];
    for (size_t i = 1; i < n; i++) {
        low = (spot){line[i].x < low.x ? line[i].x : low.x, line[i].y < low.y ? line[i].y : low.y};
        high = (spot){line[i].x > high.x ? line[i].x : high.x,
                      line[i].y > high.y ? line[i].y : high.y};
    }
    return high.x - low.x < PREVIEW_SEEN && high.y - low.y < PREVIEW_SEEN;
}

typedef struct footprints {
    preview *p;
    const preview_scene *scene;
    const picture_camera *camera;
    double x, y;
    spot *points, *line;
    layer *layers;
    size_t room, shown;
} footprints;

static void draw_one(footprints *f, const preview_part *part)
{
    double away = 0;
    size_t n = project(part, f->camera, f->points, &away);
    if (n < 2)
        return;
    n = outline(f->points, n, f->line);
    if (is_small(f->line, n))
        return; /* a square marks it */
    for (size_t i = 0; i < n; i++) {
        f->line[i].x += f->x;
        f->line[i].y += f->y;
    }
    picture_color color = preview_part_color(part);
    picture_polygon(f->p->canvas, &f->line[0].x, n, (color & 0xffffff00) | 0x90);
    picture_polyline(f->p->canvas, &f->line[0].x, n, 1, color);
}

static void draw_all(footprints *f)
{
    const preview_scene *scene = f->scene;
    for (size_t i = 0; i < scene->count; i++) {
        f->layers[i] = (layer){0, i};
        project(&scene->parts[i], f->camera, f->points, &f->layers[i].away);
    }
    qsort(f->layers, scene->count, sizeof *f->layers, by_height);
    f->shown = scene->count < FOOTPRINTS ? scene->count : FOOTPRINTS;
    for (size_t i = scene->count - f->shown; i < scene->count; i++) {
        draw_one(f, &scene->parts[f->layers[i].part]);
        f->p->triangles += scene->parts[f->layers[i].part].mesh->index_count / 3;
    }
    if (f->shown < scene->count)
        preview_skip(f->p, NULL, "the %s of the %zu lowest %s: an SVG has at most %d",
                     scene->count - f->shown == 1 ? "outline" : "outlines", scene->count - f->shown,
                     scene->count - f->shown == 1 ? "object" : "objects", FOOTPRINTS);
}

lathe_result preview_footprints(preview *p, const preview_scene *scene,
                                const picture_camera *camera, double x, double y, lathe_error *err)
{
    footprints f = {.p = p, .scene = scene, .camera = camera, .x = x, .y = y};
    for (size_t i = 0; i < scene->count; i++)
        if (scene->parts[i].mesh->vertex_count > f.room)
            f.room = scene->parts[i].mesh->vertex_count;
    const size_t size = (2 * f.room + 1) * sizeof *f.points,
                 layers = (scene->count + 1) * sizeof *f.layers;
    f.points = mem_alloc(&p->mem, size);
    f.layers = mem_alloc(&p->mem, layers);
    f.line = f.points ? f.points + f.room : NULL;
    bool room = f.points && f.layers;
    if (room)
        draw_all(&f);
    mem_free(&p->mem, f.points, f.points ? size : 0);
    mem_free(&p->mem, f.layers, f.layers ? layers : 0);
    return room ? LATHE_OK : rec_no_memory(err);
}
