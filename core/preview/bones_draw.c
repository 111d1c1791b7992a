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

enum { LABELS_MOST = 400 }; /* a picture with more is not read */

/* Puts names right of their joints, else left, above or below; none where all four are taken. */
static size_t draw_names(picture_canvas *canvas, const preview_bones *b,
                         const picture_camera *camera, frame_rect box)
{
    const double size = 11, gap = 5;
    frame_rect taken[LABELS_MOST];
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
        for (; k < 4 && count < LABELS_MOST; k++) {
            label.x = corners[k][0];
            label.y = corners[k][1];
            if (is_free(label, taken, count, box))
                break;
        }
        if (k == 4 || count == LABELS_MOST) {
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
        draw_bone(canvas, &list[i], preview_side_keys[side].color);
    }
    picture_clip_end(canvas);
    mem_free(m, list, most * sizeof *list);
    size_t hidden = names ? draw_names(canvas, bones, camera, box) : 0;
    if (hidden_names)
        *hidden_names = hidden;
    return LATHE_OK;
}

/* ---- strips ------------------------------------------------------------------------------------------ */

typedef struct extent {
    double low[3], high[3];
    bool any;
} extent;

static void extend(extent *e, vec3 at)
{
    const double all[3] = {at.x, at.y, at.z};
    for (unsigned k = 0; k < 3; k++) {
        e->low[k] = !e->any || all[k] < e->low[k] ? all[k] : e->low[k];
        e->high[k] = !e->any || all[k] > e->high[k] ? all[k] : e->high[k];
    }
    e->any = true;
}

static double fit(double pixels, double units)
{
    return units > 0 && isfinite(units) ? pixels / units : 1e9;
}

/* The ground is where the origin is, if one looks at it from the side. */
static void draw_ground(picture_canvas *canvas, const picture_camera *camera, frame_rect cell)
{
    vec3 origin;
    if (!picture_project(camera, (vec3){0, 0, 0}, &origin) || origin.y > cell.height ||
        origin.y < 0)
        return;
    const double line[4] = {cell.x + 4, cell.y + origin.y, cell.x + cell.width - 4,
                            cell.y + origin.y};
    picture_polyline(canvas, line, 2, 1, frame_colors[FRAME_LINE]);
}

static void draw_time(picture_canvas *canvas, const preview_pose *pose, frame_rect cell, double y)
{
    char text[96] = "", number[FRAME_NUMBER];
    frame_number(number, pose->time, 2);
    frame_append(text, sizeof text, number);
    frame_append(text, sizeof text, " s, frame ");
    frame_short_number(number, pose->frame, 4);
    frame_append(text, sizeof text, number);
    picture_text_fit(canvas, cell.x + cell.width / 2, y, 12, PICTURE_CENTRE,
                     frame_colors[FRAME_TEXT], cell.width - 4, text, strlen(text));
}

lathe_result preview_strip_draw(const mem *m, picture_canvas *canvas, const preview_pose *poses,
                                size_t n, const mat4 *view, frame_rect box, picture_camera *camera,
                                lathe_error *err)
{
    const double under = 76; /* axes and scale bar of the frame */
    const double foot = 22 + under, margin = 8;
    extent all = {.any = false};
    vec3 point;
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < poses[i].bones.count; k++)
            if (preview_bones_point(&poses[i].bones, k, &point))
                extend(&all, mat4_point(view, point));
    frame_rect cell = {box.x, box.y, n ? box.width / (double)n : box.width, box.height - foot};
    *camera = (picture_camera){.view = *view};
    double across = fit(cell.width - 2 * margin, all.high[0] - all.low[0]);
    double down = fit(cell.height - 2 * margin, all.high[1] - all.low[1]);
    camera->scale = across < down ? across : down;
    camera->centre[0] = cell.width / 2 - (all.low[0] + all.high[0]) / 2 * camera->scale;
    camera->centre[1] = cell.height / 2 + (all.low[1] + all.high[1]) / 2 * camera->scale;
    camera->near = -all.high[2] - 1 - (all.high[2] - all.low[2]);
    camera->far = -all.low[2] + 1 + (all.high[2] - all.low[2]);
    lathe_result r = LATHE_OK;
    for (size_t i = 0; r == LATHE_OK && i < n; i++, cell.x += cell.width) {
        draw_ground(canvas, camera, cell);
        r = preview_bones_draw(m, canvas, &poses[i].bones, camera, cell, false, NULL, err);
        draw_time(canvas, &poses[i], cell, box.y + box.height - under - 6);
    }
    return r;
}
