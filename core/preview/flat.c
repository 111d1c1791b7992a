/* Curves of a track: finds it, and lays out its picture. */
#include "preview/flat.h"

#include "preview/pose.h"
#include "preview/track.h"
#include "scene/rigs.h"

#include <string.h>

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
