/* Marks of what is too small to be seen: a cup in a picture of a town, the empty planes of an effect. */
#include "preview/preview.h"

#include <math.h>

enum { MARK = 5 /* pixels: the side of a mark */, MARKS = 20000 };

/* Whether a part covers less than that; then *at is a point of it in the picture. */
static bool is_small(const preview_part *part, const picture_camera *camera, vec3 *at)
{
    bool any = false;
    vec3 first = {0, 0, 0}, q;
    for (size_t i = 0; i < part->mesh->index_count; i++) {
        uint32_t v = part->mesh->indices[i];
        if (v >= part->mesh->vertex_count || !picture_project(camera, preview_vertex(part, v), &q))
            continue;
        if (any && (fabs(q.x - first.x) >= PREVIEW_SEEN || fabs(q.y - first.y) >= PREVIEW_SEEN))
            return false;
        if (!any)
            first = q;
        any = true;
    }
    *at = first;
    return any;
}

size_t preview_marks_count(const preview_scene *scene, const picture_camera *camera)
{
    size_t n = 0;
    vec3 at;
    for (size_t i = 0; i < scene->count; i++) {
        bool small = is_small(&scene->parts[i], camera, &at);
        if (!small && !scene->placed)
            return 0;
        n += small;
    }
    return n;
}

void preview_marks_draw(preview *p, const preview_scene *scene, const picture_camera *camera,
                        double x, double y)
{
    vec3 at;
    size_t left = preview_marks_count(scene, camera);
    if (left > MARKS) {
        preview_skip(p, NULL, "%zu of the squares that mark small meshes: a picture has at most %d",
                     left - MARKS, MARKS);
        left = MARKS;
    }
    for (size_t i = 0; i < scene->count && left; i++) {
        const preview_part *part = &scene->parts[i];
        if (!is_small(part, camera, &at))
            continue;
        picture_rect(p->canvas, floor(x + at.x) - MARK / 2, floor(y + at.y) - MARK / 2, MARK, MARK,
                     preview_part_color(part));
        left--;
    }
}
