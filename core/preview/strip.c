/* Poses of a clip side by side, in one scale. */
#include "preview/flat.h"

#include "model/motion.h"
#include "preview/bones.h"
#include "preview/pose.h"
#include "record/record.h"

#include <math.h>
#include <string.h>

enum { POSES = 6, NARROWEST = 16, UNDER = 76, FOOT = 22 }; /* pixels: of a cell, axes, times */

typedef struct strip {
    preview_scene scene; /* the meshes of the clip's owner, if they are skinned */
    preview_rig rig;     /* of the pose in hand */
    lathe_doc *clip, *model;
    lathe_clip_info info;
    size_t n;
    bool lacking; /* the skeleton lacks bones of the meshes */
    bool shaded;  /* the scene is drawn, else bones */
    size_t lost;  /* the most bones without a place in one pose */
    mat4 view;    /* common to all poses */
    preview_bounds bounds;
    preview_extent extent;
    preview_frame frame;
    preview_rig_texts told;
    char moved[PREVIEW_TEXT];
} strip;

static double share_of(const strip *s, size_t i)
{
    return s->n > 1 ? (double)i / (double)(s->n - 1) : 0;
}

/* ---- poses ----------------------------------------------------------------------------------------- */

/* Makes pose number i the one in hand. What is wrong with it is told the first time. */
static lathe_result take_pose(preview *p, strip *s, size_t i, bool tell, lathe_error *err)
{
    const model_when when = {true, s->info.duration * share_of(s, i)};
    lathe_report *report = p->report;
    preview_rig_free(&s->rig);
    if (!tell)
        p->report = NULL;
    lathe_result r = preview_pose_of(p, s->clip, &when, &s->rig, err);
    if (r == LATHE_OK && s->shaded)
        r = preview_pose_parts(p, &s->rig, s->model, &s->scene, &s->lacking, err);
    p->report = report;
    return r;
}

static bool rig_point(const void *user, size_t i, vec3 *out)
{
    return preview_rig_point(user, i, out);
}

static void unite(preview_bounds *all, const preview_bounds *one)
{
    if (!all->points) {
        *all = *one;
        return;
    }
    if (!one->points)
        return;
    const vec3 a = all->low, b = one->low, c = all->high, d = one->high;
    all->low = (vec3){a.x < b.x ? a.x : b.x, a.y < b.y ? a.y : b.y, a.z < b.z ? a.z : b.z};
    all->high = (vec3){c.x > d.x ? c.x : d.x, c.y > d.y ? c.y : d.y, c.z > d.z ? c.z : d.z};
    all->points += one->points;
    all->outside = all->outside > one->outside ? all->outside : one->outside;
}

/* Goes through all poses for what they take up together. */
static lathe_result measure(preview *p, strip *s, lathe_error *err)
{
    lathe_result r = LATHE_OK;
    for (size_t i = 0; r == LATHE_OK && i < s->n; i++) {
        preview_bounds one = {.points = 0};
        r = take_pose(p, s, i, i == 0, err);
        if (r != LATHE_OK)
            return r;
        if (!i) {
            const model_skeleton *k = s->rig.skeleton;
            mat4 turn = s->shaded ? preview_turn(s->scene.z_up, s->scene.front)
                                  : preview_turn(k->z_up, k->front);
            s->view = preview_look(&turn, p->options.view);
        }
        const preview_cloud cloud = {rig_point, &s->rig, s->rig.count};
        if (s->shaded) {
            r = preview_measure(p, &s->scene, &s->view, &one, &s->extent, err);
        } else if (s->rig.count) {
            r = preview_bounds_of(&p->mem, &cloud, &one, err);
            preview_extend(&cloud, &one, &s->view, &s->extent);
            one.outside -= s->rig.lost;
        }
        s->lost = s->rig.lost > s->lost ? s->rig.lost : s->lost;
        unite(&s->bounds, &one);
    }
    return r;
}

/* ---- the picture ----------------------------------------------------------------------------------- */

static double fit(double pixels, double units)
{
    return units > 0 && isfinite(units) ? pixels / units : 1e9;
}

static picture_camera camera_of(const strip *s, frame_rect cell)
{
    const double margin = cell.width > 60 ? 8 : 2, *low = s->extent.low, *high = s->extent.high;
    double across = fit(cell.width - 2 * margin, high[0] - low[0]);
    double down = fit(cell.height - 2 * margin, high[1] - low[1]), deep = high[2] - low[2];
    picture_camera camera = {.view = s->view, .scale = across < down ? across : down};
    if (camera.scale >= 1e9)
        camera.scale = 1;
    if (!(deep > 0))
        deep = 1;
    camera.centre[0] = cell.width / 2 - (low[0] + high[0]) / 2 * camera.scale;
    camera.centre[1] = cell.height / 2 + (low[1] + high[1]) / 2 * camera.scale;
    camera.view.m[3][2] -= high[2] + deep;
    camera.near = deep / 2;
    camera.far = 2.5 * deep;
    return camera;
}

/* The row of pixels where the ground of the origin is. -1: outside of the cell, or seen from above. */
static int32_t ground_of(const preview *p, const picture_camera *camera, frame_rect cell)
{
    if (p->options.view != LATHE_PREVIEW_FRONT && p->options.view != LATHE_PREVIEW_SIDE)
        return -1;
    vec3 origin = mat4_point(&camera->view, (vec3){0, 0, 0});
    double y = camera->centre[1] - origin.y * camera->scale;
    return y >= 0 && y < cell.height - 1 ? (int32_t)y : -1;
}

static lathe_result draw_meshes(preview *p, strip *s, const picture_camera *camera, frame_rect cell,
                                bool tell, lathe_error *err)
{
    picture_pixels pixels;
    lathe_result r = picture_pixels_new(&p->mem, (uint32_t)cell.width, (uint32_t)cell.height,
                                        frame_colors[FRAME_BACKGROUND], &pixels, err);
    if (r != LATHE_OK)
        return r;
    lathe_report *report = p->report;
    int32_t ground = ground_of(p, camera, cell);
    const picture_color line = frame_colors[FRAME_LINE];
    for (uint32_t x = 4; ground >= 0 && x + 4 < pixels.width; x++)
        for (unsigned k = 0; k < 3; k++)
            pixels.rgba[4 * ((size_t)ground * pixels.width + x) + k] =
                (uint8_t)(line >> (24 - 8 * k));
    if (!tell)
        p->report = NULL;
    r = preview_draw(p, &s->scene, camera, &pixels, err);
    p->report = report;
    if (r == LATHE_OK)
        picture_image(p->canvas, (int32_t)cell.x, (int32_t)cell.y, &pixels);
    picture_pixels_free(&p->mem, &pixels);
    return r;
}

enum { TIME_TEXT = 96, TIME_SIZE = 12 };

/* The time of a pose, and its frame, which may lie between two. */
static void tell_time(const strip *s, size_t i, bool frame, char text[TIME_TEXT])
{
    char number[FRAME_NUMBER];
    double frames = s->info.frames ? (double)(s->info.frames - 1) : 0;
    frame_number(text, s->info.duration * share_of(s, i), 2);
    frame_append(text, TIME_TEXT, " s");
    if (!frame)
        return;
    frame_append(text, TIME_TEXT, ", frame ");
    frame_short_number(number, frames * share_of(s, i), 4);
    frame_append(text, TIME_TEXT, number);
}

/* Whether the frames of all poses have room behind their times. */
static bool frames_fit(const strip *s, double width)
{
    char text[TIME_TEXT];
    for (size_t i = 0; i < s->n; i++) {
        tell_time(s, i, true, text);
        if (picture_text_width(TIME_SIZE, text, strlen(text)) > width - 4)
            return false;
    }
    return true;
}

static void draw_times(preview *p, const strip *s, frame_rect cell)
{
    char text[TIME_TEXT];
    bool frames = frames_fit(s, cell.width);
    for (size_t i = 0; i < s->n; i++, cell.x += cell.width) {
        tell_time(s, i, frames, text);
        picture_text_fit(p->canvas, cell.x + cell.width / 2, cell.y + cell.height + FOOT - 6,
                         TIME_SIZE, PICTURE_CENTRE, frame_colors[FRAME_TEXT], cell.width - 4, text,
                         strlen(text));
    }
}

static lathe_result draw_poses(preview *p, strip *s, frame_rect cell, picture_camera *camera,
                               lathe_error *err)
{
    lathe_result r = LATHE_OK;
    *camera = camera_of(s, cell);
    for (size_t i = 0; r == LATHE_OK && i < s->n; i++, cell.x += cell.width) {
        int32_t ground = ground_of(p, camera, cell);
        r = take_pose(p, s, i, false, err);
        if (r == LATHE_OK && !s->shaded && ground >= 0)
            picture_rect(p->canvas, cell.x + 4, cell.y + ground, cell.width - 8, 1,
                         frame_colors[FRAME_LINE]);
        if (r == LATHE_OK)
            r = s->shaded ? draw_meshes(p, s, camera, cell, i == 0, err)
                          : preview_rig_draw(p, &s->rig, camera, cell, false, err);
    }
    return r;
}

/* Root motion is not in the poses, else all would be as small as the way is long. */
static lathe_result tell_motion(preview *p, strip *s, lathe_error *err)
{
    if (!s->info.has_motion || !s->info.frames ||
        s->info.frames > SIZE_MAX / (MODEL_MOVE * sizeof(float)))
        return LATHE_OK;
    size_t n = (size_t)s->info.frames * MODEL_MOVE;
    float *moves = mem_alloc(&p->mem, n * sizeof *moves);
    if (!moves)
        return rec_no_memory(err);
    lathe_result r = lathe_clip_motion(s->clip, p->options.clip_index, moves, n, err);
    char number[FRAME_NUMBER];
    bool moved = false;
    s->moved[0] = 0;
    frame_append(s->moved, sizeof s->moved, "all poses stand at the start: root motion (");
    for (unsigned k = 0; r == LATHE_OK && k < MODEL_MOVE; k++) {
        double way = (double)moves[n - MODEL_MOVE + k] - (double)moves[k];
        moved = moved || !(fabs(way) < 1e-4);
        if (k == 3)
            continue; /* a turn has no place among the units */
        frame_short_number(number, fabs(way) < 1e-4 ? 0 : way, 4);
        frame_append(s->moved, sizeof s->moved, k ? ", " : "");
        frame_append(s->moved, sizeof s->moved, number);
    }
    frame_append(s->moved, sizeof s->moved, " units in all) is not applied");
    mem_free(&p->mem, moves, n * sizeof *moves);
    if (moved)
        frame_note(&s->frame, s->moved);
    return r;
}

static void tell_all(preview *p, strip *s)
{
    preview_rig most = s->rig;
    most.lost = s->lost;
    preview_rig_told(p, &most, &s->frame, &s->told);
    s->frame.has_size = true;
    s->frame.metres = s->shaded ? s->scene.metres : s->rig.skeleton->metres;
    if (!s->shaded) {
        s->frame.keys = preview_side_keys;
        s->frame.key_count = preview_side_count(&s->frame, s->rig.skeleton);
    }
    vec3 size = vec3_sub(s->bounds.high, s->bounds.low);
    memcpy(s->frame.size, (const double[3]){size.x, size.y, size.z}, sizeof s->frame.size);
    if (s->lacking)
        frame_note(&s->frame, PREVIEW_LACKING);
    if (s->bounds.outside) {
        preview_skip_far(p, s->bounds.outside, s->shaded ? "corner" : "bone",
                         s->shaded ? "corners" : "bones");
        frame_note(&s->frame, "what is far from all else is not in view");
    }
}

static lathe_result draw(preview *p, strip *s, lathe_error *err)
{
    enum { LEAST = 60, TIME = 44 }; /* height of a cell; width of a time */
    picture_camera camera;
    lathe_result r = tell_motion(p, s, err);
    if (r == LATHE_OK)
        r = measure(p, s, err);
    if (r != LATHE_OK)
        return r;
    tell_all(p, s);
    frame_rect inside = frame_room(&s->frame);
    if (!s->bounds.points) {
        s->frame.has_size = false;
        frame_draw(p->canvas, &s->frame);
        frame_say(p->canvas, inside, "no geometry");
        preview_note(p, "no geometry");
        return LATHE_OK;
    }
    const double width = floor(inside.width / (double)s->n);
    const bool axes = inside.height >= UNDER + FOOT + LEAST; /* else they stand beside the title */
    const bool times = inside.height >= FOOT + LEAST && width >= TIME;
    frame_rect cell = {inside.x, inside.y, width,
                       inside.height - (axes ? UNDER : 0) - (times ? FOOT : 0)};
    if (cell.width < 1 || cell.height < 1)
        return error_set(err, LATHE_ERR_RANGE, LATHE_NO_OFFSET,
                         "the picture is too small for what stands around it");
    r = draw_poses(p, s, cell, &camera, err);
    if (times)
        draw_times(p, s, cell);
    s->frame.foot = axes;
    s->frame.camera = &camera;
    s->frame.scale = camera.scale;
    if (r == LATHE_OK)
        frame_draw(p->canvas, &s->frame);
    return r;
}

/* The meshes that the clip moves: those of the document that has them, if they are skinned. */
static lathe_result gather(preview *p, lathe_doc *doc, strip *s, lathe_error *err)
{
    s->model = p->options.mesh ? p->options.mesh : doc;
    lathe_result r = preview_gather(p, s->model, LATHE_MESHES, &s->scene, err);
    for (size_t i = 0; i < s->scene.count; i++)
        s->shaded = s->shaded || s->scene.parts[i].posed;
    if (r == LATHE_OK && s->scene.count && !s->shaded) {
        frame_note(&s->frame, "the meshes are not skinned: bones are drawn in their place");
        preview_note(p, "the meshes are not skinned: bones are drawn in their place");
    }
    return r;
}

static lathe_result count_poses(const preview *p, frame_rect box, size_t *n, lathe_error *err)
{
    size_t most = (size_t)(box.width / NARROWEST);
    *n = p->options.frames ? p->options.frames : most < POSES ? most : POSES;
    if (*n > most)
        return error_set(err, LATHE_ERR_RANGE, LATHE_NO_OFFSET,
                         "%zu poses need a wider picture: %d pixels each", *n, NARROWEST);
    return LATHE_OK;
}

lathe_result preview_strip_shot(preview *p, lathe_doc *doc, frame_rect box, frame_text title,
                                lathe_error *err)
{
    strip *s = mem_zalloc(&p->mem, sizeof *s);
    if (!s)
        return rec_no_memory(err);
    preview_scene_init(&s->scene, &p->mem);
    s->frame = (preview_frame){.all = box, .cell = p->sheet, .wide = true, .title = title};
    s->clip = p->options.clip ? p->options.clip : doc;
    s->info.size = sizeof s->info;
    lathe_result r = count_poses(p, box, &s->n, err);
    if (r == LATHE_OK)
        r = lathe_clip_describe(s->clip, p->options.clip_index, &s->info, err);
    if (r == LATHE_OK)
        r = lathe_clip_ready(s->clip, p->options.clip_index, err);
    if (r == LATHE_OK)
        r = gather(p, doc, s, err);
    if (r == LATHE_OK)
        r = draw(p, s, err);
    preview_rig_free(&s->rig);
    preview_scene_free(&s->scene);
    mem_free(&p->mem, s, sizeof *s);
    return r;
}
