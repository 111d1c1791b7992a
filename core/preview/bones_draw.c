/* Bones as drawings: shapes that taper from parent to child, joints, names. */
#include "preview/bones.h"

#include "base/error.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct drawn {
    size_t bone;
    double distance; /* of its middle */
    vec3 from, to;   /* in the picture; equal for a bone without a parent */
} drawn;

/* From far to near; of equally far ones in the order of the skeleton, so that every qsort agrees. */
static int by_distance(const void *a, const void *b)
{
    const drawn *x = a, *y = b;
    if (x->distance != y->distance)
        return x->distance > y->distance ? -1 : 1;
    return x->bone < y->bone ? -1 : x->bone > y->bone;
}

static bool project(const preview_bones *b, const picture_camera *camera, frame_rect box, size_t i,
                    vec3 *out)
{
    vec3 point;
    if (!preview_bones_point(b, i, &point) || !picture_project(camera, point, out))
        return false;
    out->x += box.x;
    out->y += box.y;
    return true;
}

static void draw_bone(picture_canvas *canvas, const drawn *d, picture_color color)
{
    double dx = d->to.x - d->from.x, dy = d->to.y - d->from.y;
    double length = sqrt(dx * dx + dy * dy);
    double half = length * 0.07 < 1.2 ? 1.2 : length * 0.07 > 6 ? 6 : length * 0.07;
    if (isfinite(length) && length > 0.5) {
        double nx = -dy / length * half, ny = dx / length * half;
        double x = d->from.x + dx * 0.15, y = d->from.y + dy * 0.15;
        const double shape[8] = {d->from.x, d->from.y, x + nx, y + ny,
                                 d->to.x,   d->to.y,   x - nx, y - ny};
        const double outline[10] = {shape[0], shape[1], shape[2], shape[3], shape[4],
                                    shape[5], shape[6], shape[7], shape[0], shape[1]};
        picture_polygon(canvas, shape, 4, (color & 0xffffff00) | 0xa0);
        picture_polyline(canvas, outline, 5, 1, color);
    }
    picture_disc(canvas, d->to.x, d->to.y, half < 2 ? 2 : half > 3.5 ? 3.5 : half, color);
}

static bool overlap(frame_rect a, frame_rect b)
{
    return a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height &&
           b.y < a.y + a.height;
}

static bool is_free(frame_rect label, const frame_rect *taken, size_t n, frame_rect box)
{
    if (label.x < box.x || label.y < box.y || label.x + label.width > box.x + box.width ||
        label.y + label.height > box.y + box.height)
        return false;
    for (size_t i = 0; i < n; i++)
        if (overlap(label, taken[i]))
            return false;
    return true;
}

enum { LABEL_LIMIT = 400 }; /* a picture with more is not read */

/* Puts names right of their joints, else left, above or below; none where all four are taken. */
static size_t draw_names(picture_canvas *canvas, const preview_bones *b,
                         const picture_camera *camera, frame_rect box)
{
    const double size = 11, gap = 5;
    frame_rect taken[LABEL_LIMIT];
    size_t count = 0, hidden = 0;
    for (size_t i = 0; i < b->count && i < PREVIEW_BONES; i++) {
        const char *name = b->skeleton->bones[i].name;
        vec3 at;
        if (!name || !*name || !project(b, camera, box, i, &at))
            continue;
        double width = picture_text_width(size, name, strlen(name));
        const double corners[4][2] = {{at.x + gap, at.y - size / 2},
                                      {at.x - gap - width, at.y - size / 2},
                                      {at.x - width / 2, at.y - gap - size},
                                      {at.x - width / 2, at.y + gap}};
        unsigned k = 0;
        frame_rect label = {0, 0, width, size};
        for (; k < 4 && count < LABEL_LIMIT; k++) {
            label.x = corners[k][0];
            label.y = corners[k][1];
            if (is_free(label, taken, count, box))
                break;
        }
        if (k == 4 || count == LABEL_LIMIT) {
            hidden++;
            continue;
        }
        taken[count++] = label;
        picture_text(canvas, label.x, label.y + size * 0.8, size, PICTURE_LEFT,
                     frame_colors[FRAME_TEXT], name, strlen(name));
    }
    return hidden;
}

lathe_result preview_bones_draw(const mem *m, picture_canvas *canvas, const preview_bones *bones,
                                const picture_camera *camera, frame_rect box, bool names,
                                size_t *hidden_names, lathe_error *err)
{
    size_t count = 0, most = bones->count < PREVIEW_BONES ? bones->count : PREVIEW_BONES;
    if (hidden_names)
        *hidden_names = 0;
    if (most == 0)
        return LATHE_OK;
    drawn *list = mem_alloc(m, most * sizeof *list);
    if (!list)
        return error_set(err, LATHE_ERR_MEMORY, LATHE_NO_OFFSET, "out of memory");
    for (size_t i = 0; i < most; i++) {
        drawn *d = &list[count];
        if (!project(bones, camera, box, i, &d->to))
            continue;
        d->bone = i;
        d->from = d->to;
        if (bones->parents[i] >= 0 &&
            !project(bones, camera, box, (size_t)bones->parents[i], &d->from))
            d->from = d->to;
        d->distance = (d->from.z + d->to.z) / 2;
        count++;
    }
    qsort(list, count, sizeof *list, by_distance);
    picture_clip(canvas, box.x, box.y, box.width, box.height);
    for (size_t i = 0; i < count; i++) {
        preview_side side = preview_side_of(bones->skeleton->bones[list[i].bone].name);
        bool marked = bones->marks && bones->marks[list[i].bone];
        draw_bone(canvas, &list[i], marked ? PREVIEW_MARK : preview_side_keys[side].color);
    }
    picture_clip_end(canvas);
    mem_free(m, list, most * sizeof *list);
    size_t hidden = names ? draw_names(canvas, bones, camera, box) : 0;
    if (hidden_names)
        *hidden_names = hidden;
    return LATHE_OK;
}
