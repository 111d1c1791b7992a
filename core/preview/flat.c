/* Reads an animation, and lays out its picture. */
#include "preview/flat.h"

#include "preview/bones.h"
#include "preview/pose.h"
#include "preview/track.h"
#include "record/record.h"
#include "scene/rigs.h"

#include <string.h>

enum { STRIP = 6, STRIP_MOST = 64 };

static void note(preview_frame *frame, const char *text)
{
    if (frame->note_count < FRAME_NOTES)
        frame->notes[frame->note_count++] = frame_string(text);
}

/* ---- curves ---------------------------------------------------------------------------------------- */

static lathe_result draw_track(preview *p, const preview_track *track, preview_frame *frame,
                               lathe_error *err)
{
    size_t hidden = 0;
    char text[96] = "", number[FRAME_NUMBER];
    if (track->rows)
        note(frame, "q and \xe2\x80\x93q are one rotation: each has the sign that continues the "
                    "frame before");
    if (track->event_count)
        note(frame, ""); /* its room, before it is known whether texts are left out */
    frame_rect inside = frame_inside(frame);
    lathe_result r = preview_track_draw(p->canvas, track, inside, &hidden, err);
    if (r != LATHE_OK)
        return r;
    if (hidden) {
        frame_number(number, (double)hidden, 0);
        frame_append(text, sizeof text, number);
        frame_append(text, sizeof text, " texts of annotations have no room");
        frame->notes[frame->note_count - 1] = frame_string(text);
        preview_skip(p, NULL, "%s", text);
    }
    frame_draw(p->canvas, frame);
    return r;
}

/* The first track with the number of a bone. */
static bool track_of_bone(lathe_doc *clip, uint64_t index, uint64_t tracks, uint64_t bone,
                          uint64_t *track)
{
    for (uint64_t i = 0; i < tracks; i++) {
        const char *name;
        int64_t number;
        if (lathe_clip_track(clip, index, LATHE_BONE_TRACKS, i, &name, &number, NULL) == LATHE_OK &&
            number >= 0 && (uint64_t)number == bone) {
            *track = i;
            return true;
        }
    }
    return false;
}

/* Finds a track by its own name, or that of its bone in the clip's skeleton; else a float track. */
static lathe_result find_track(const preview *p, lathe_doc *clip, uint64_t *track, bool *floats,
                               lathe_error *err)
{
    const char *name = p->options.track;
    size_t n = strlen(name);
    uint64_t index = p->options.clip_index, number, bone;
    lathe_clip_info info = {.size = sizeof info};
    lathe_doc *from;
    lathe_error other;
    *floats = false;
    lathe_result r = lathe_clip_describe(clip, index, &info, err);
    if (r != LATHE_OK)
        return r;
    r = lathe_clip_find(clip, index, LATHE_BONE_TRACKS, name, n, track, err);
    if (r != LATHE_ERR_NAME)
        return r;
    *floats = lathe_clip_find(clip, index, LATHE_FLOAT_TRACKS, name, n, track, NULL) == LATHE_OK;
    if (*floats || preview_skeleton_for(p, clip, &from, &number, NULL) != LATHE_OK)
        return *floats ? LATHE_OK : r;
    r = scene_rig_bone(from, number, name, n, &bone, &other);
    if (r != LATHE_OK)
        return error_pass(err, &other);
    if (!track_of_bone(clip, index, info.tracks, bone, track))
        return error_set(err, LATHE_ERR_NAME, LATHE_NO_OFFSET, "the clip has no track of bone '%s'",
                         name);
    return LATHE_OK;
}

lathe_result preview_track_shot(preview *p, lathe_doc *doc, frame_rect box, frame_text title,
                                lathe_error *err)
{
    const char *name = p->options.track;
    if (!name)
        return error_set(err, LATHE_ERR_NAME, LATHE_NO_OFFSET, "curves need the name of a track");
    char text[PREVIEW_TEXT] = "";
    frame_append(text, sizeof text, "Track \"");
    frame_append(text, sizeof text, name);
    frame_append(text, sizeof text, "\" of ");
    frame_append(text, sizeof text, title.text ? title.text : "");
    preview_frame frame = {.all = box, .title = frame_string(p->options.title ? title.text : text)};
    preview_track track = {.mem = NULL};
    lathe_doc *clip = p->options.clip ? p->options.clip : doc;
    uint64_t number = 0;
    bool floats = false;
    lathe_result r = find_track(p, clip, &number, &floats, err);
    if (r == LATHE_OK)
        r = preview_track_read(&p->mem, clip, p->options.clip_index, number, floats, &track, err);
    if (r == LATHE_OK && !track.frames)
        r = error_set(err, LATHE_ERR_NAME, LATHE_NO_OFFSET, "the clip has no frames");
    if (r == LATHE_OK)
        r = draw_track(p, &track, &frame, err);
    preview_track_free(&track);
    return r;
}

/* ---- strips ---------------------------------------------------------------------------------------- */

typedef struct strip {
    preview_rig rigs[STRIP_MOST];
    preview_pose poses[STRIP_MOST];
    vec3 *points; /* of all poses */
    size_t count, room;
} strip;

static lathe_result pose_all(const preview *p, lathe_doc *clip, const lathe_clip_info *info,
                             strip *s, size_t n, lathe_error *err)
{
    lathe_result r = LATHE_OK;
    for (size_t i = 0; r == LATHE_OK && i < n; i++) {
        double share = n > 1 ? (double)i / (double)(n - 1) : 0;
        const model_when when = {true, info->duration * share};
        s->count++;
        r = preview_pose_of(p, clip, &when, &s->rigs[i], err);
        s->poses[i].time = when.at;
        s->poses[i].frame = info->frames ? (double)(info->frames - 1) * share : 0;
        s->room += s->rigs[i].count;
    }
    s->points = r == LATHE_OK ? mem_alloc(&p->mem, (s->room + 1) * sizeof *s->points) : NULL;
    if (r != LATHE_OK || !s->points)
        return r == LATHE_OK ? rec_no_memory(err) : r;
    vec3 *at = s->points;
    for (size_t i = 0; i < n; i++) {
        const preview_rig *rig = &s->rigs[i];
        s->poses[i].bones = (preview_bones){rig->skeleton, rig->parents, at, rig->count};
        for (size_t k = 0; k < rig->count; k++)
            *at++ = mat4_point(&rig->worlds[k], (vec3){0, 0, 0});
    }
    return r;
}

/* What the camera of all poses is fitted to. */
static bool strip_point(const void *user, size_t i, vec3 *out)
{
    *out = ((const vec3 *)user)[i];
    return true;
}

static lathe_result draw_strip(preview *p, strip *s, size_t n, bool moves, frame_rect box,
                               frame_text title, lathe_error *err)
{
    preview_bounds bounds = {.points = 0};
    picture_camera camera;
    const preview_cloud cloud = {strip_point, s->points, s->room};
    lathe_result r = preview_bounds_of(&p->mem, &cloud, &bounds, err);
    if (r != LATHE_OK)
        return r;
    const model_skeleton *skeleton = s->rigs[0].skeleton;
    vec3 size = vec3_sub(bounds.high, bounds.low);
    preview_frame frame = {.all = box,
                           .title = title,
                           .has_size = true,
                           .size = {size.x, size.y, size.z},
                           .metres = skeleton->metres,
                           .keys = preview_side_keys,
                           .key_count = preview_side_count(skeleton)};
    if (moves)
        note(&frame, "root motion is not applied: all poses stand at the same place");
    frame_rect inside = frame_inside(&frame);
    if (bounds.points) {
        mat4 turn = preview_turn(skeleton->z_up, skeleton->front);
        preview_camera_of(&cloud, &bounds, &turn, p->options.view, inside.width, inside.height,
                          &camera);
        const mat4 view = camera.view;
        r = preview_strip_draw(&p->mem, p->canvas, s->poses, n, &view, inside, &camera, err);
        frame.camera = &camera;
        frame.scale = camera.scale;
    }
    if (r == LATHE_OK)
        frame_draw(p->canvas, &frame);
    return r;
}

lathe_result preview_strip_shot(preview *p, lathe_doc *doc, frame_rect box, frame_text title,
                                lathe_error *err)
{
    lathe_doc *clip = p->options.clip ? p->options.clip : doc;
    size_t n = p->options.frames ? p->options.frames : STRIP;
    if (n > STRIP_MOST)
        return error_set(err, LATHE_ERR_RANGE, LATHE_NO_OFFSET, "a strip has 1 to %d poses",
                         STRIP_MOST);
    lathe_clip_info info = {.size = sizeof info};
    lathe_result r = lathe_clip_describe(clip, p->options.clip_index, &info, err);
    strip *s = mem_zalloc(&p->mem, sizeof *s);
    if (r == LATHE_OK && !s)
        r = rec_no_memory(err);
    if (r == LATHE_OK)
        r = pose_all(p, clip, &info, s, n, err);
    if (r == LATHE_OK)
        r = draw_strip(p, s, n, info.has_motion, box, title, err);
    for (size_t i = 0; s && i < s->count; i++)
        if (s->rigs[i].mem)
            preview_rig_free(&s->rigs[i]);
    if (s)
        mem_free(&p->mem, s->points, s->points ? (s->room + 1) * sizeof *s->points : 0);
    mem_free(&p->mem, s, s ? sizeof *s : 0);
    return r;
}
