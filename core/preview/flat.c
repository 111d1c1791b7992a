/* Curves of a track: finds it, and lays out its picture. */
#include "preview/flat.h"

#include "preview/changes.h"
#include "preview/plots.h"
#include "scene/rigs.h"

#include <string.h>

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
    lathe_result also = lathe_clip_find(clip, index, LATHE_FLOAT_TRACKS, name, n, track, &other);
    *floats = also == LATHE_OK;
    if (!*floats && also != LATHE_ERR_MEMORY)
        also = preview_skeleton_for(p, clip, &from, &number, &other);
    if (also == LATHE_ERR_MEMORY)
        return error_pass(err, &other);
    if (*floats || also != LATHE_OK)
        return *floats ? LATHE_OK : r;
    r = scene_rig_bone(from, number, name, n, &bone, &other);
    if (r != LATHE_OK)
        return error_pass(err, &other);
    if (!track_of_bone(clip, index, info.tracks, bone, track))
        return error_set(err, LATHE_ERR_NAME, LATHE_NO_OFFSET, "the clip has no track of bone '%s'",
                         name);
    return LATHE_OK;
}

/* ---- the picture --------------------------------------------------------------------------------- */

enum { LINES = 3 };

typedef struct curves_shot {
    preview_track tracks[2];
    const char *names[2];
    preview_curves curves;
    preview_frame frame;
    char title[PREVIEW_TEXT], lines[LINES][PREVIEW_TEXT], hidden[2][96];
    size_t line_count;
} curves_shot;

static void append_number(char *out, size_t room, double n)
{
    char number[FRAME_NUMBER];
    frame_short_number(number, n, 6);
    frame_append(out, room, number);
}

/* Tells where one clip is longer than the other, or has other frames. */
static void tell_lengths(const preview *p, curves_shot *s)
{
    const preview_track *a = &s->tracks[0], *b = &s->tracks[1];
    if (a->frames == b->frames && preview_is_near(a->duration, b->duration, 1e-6))
        return;
    char *line = s->lines[s->line_count++];
    for (int side = 0; side < 2; side++) {
        const preview_track *t = &s->tracks[side];
        frame_append(line, PREVIEW_TEXT, side ? ", " : "");
        frame_append(line, PREVIEW_TEXT, s->names[side]);
        frame_append(line, PREVIEW_TEXT, ": ");
        append_number(line, PREVIEW_TEXT, (double)t->frames);
        frame_append(line, PREVIEW_TEXT, t->frames == 1 ? " frame in " : " frames in ");
        append_number(line, PREVIEW_TEXT, t->duration);
        frame_append(line, PREVIEW_TEXT, " s");
    }
    if (!preview_is_near(a->duration, b->duration, 1e-6))
        frame_append(line, PREVIEW_TEXT, "; compared up to the end of the shorter one");
    frame_note(&s->frame, line);
    preview_note(p, "%s", line);
}

static bool same_event(const model_event *a, const model_event *b)
{
    return preview_is_near(a->time, b->time, 1e-6) && a->length == b->length &&
           (!a->length || memcmp(a->text, b->text, a->length) == 0);
}

static void tell_events(const preview *p, curves_shot *s)
{
    const preview_track *a = &s->tracks[0], *b = &s->tracks[1];
    size_t i = 0, n = a->event_count < b->event_count ? a->event_count : b->event_count;
    while (i < n && same_event(&a->events[i], &b->events[i]))
        i++;
    if (i == a->event_count && i == b->event_count)
        return;
    const model_event *first = i < a->event_count ? &a->events[i] : &b->events[i];
    char *line = s->lines[s->line_count++], text[64];
    size_t length = first->length;
    if (length > sizeof text - 1)
        length = frame_cut(first->text, sizeof text - 1);
    if (length)
        memcpy(text, first->text, length);
    text[length] = 0;
    frame_append(line, PREVIEW_TEXT, "annotations differ from \"");
    frame_append(line, PREVIEW_TEXT, text);
    frame_append(line, PREVIEW_TEXT, "\" at ");
    append_number(line, PREVIEW_TEXT, first->time);
    frame_append(line, PREVIEW_TEXT, " s on; drawn are those of ");
    frame_append(line, PREVIEW_TEXT, s->names[0]);
    frame_note(&s->frame, line);
    preview_note(p, "%s", line);
}

/* Tells for each plot what differs; the plots say it, too. */
static void tell_changes(const preview *p, const curves_shot *s)
{
    plot plots[PLOT_LIMIT];
    char text[PLOT_TEXT];
    unsigned n = plot_list(s->curves.tracks, plots);
    bool differs = false;
    for (unsigned i = 0; i < n; i++) {
        const plot_change change = plot_compare(&plots[i]);
        if (plots[i].values[0] && plots[i].values[1] && !(change.most > 0) && !change.unknown)
            continue;
        differs = true;
        plot_tell(&plots[i], &change, text);
        preview_note(p, "%s: %s", plots[i].name, text);
    }
    if (!differs)
        preview_note(p, "nothing differs: the curves are the same");
}

static void compare(const preview *p, curves_shot *s)
{
    char *line = s->lines[s->line_count++];
    frame_append(line, PREVIEW_TEXT, "thin lines: ");
    frame_append(line, PREVIEW_TEXT, s->names[0]);
    frame_append(line, PREVIEW_TEXT, ", wide pale lines: ");
    frame_append(line, PREVIEW_TEXT, s->names[1]);
    frame_note(&s->frame, line);
    tell_changes(p, s);
    tell_lengths(p, s);
    tell_events(p, s);
}

static void tell_hidden(const preview *p, curves_shot *s, char *text, size_t n, const char *one,
                        const char *many)
{
    if (!n)
        return;
    frame_append_count(text, sizeof s->hidden[0], n, one, many);
    preview_skip(p, NULL, "%s", text);
}

static lathe_result draw_curves(preview *p, curves_shot *s, lathe_error *err)
{
    enum { ENOUGH = 120 };
    preview_frame *frame = &s->frame;
    if (s->tracks[0].rows)
        frame_note(frame, "q and \xe2\x80\x93q are one rotation: signs continue the frame before");
    const size_t texts = frame->note_count;
    if (s->tracks[0].event_count) /* its room, before it is known how many texts are left out */
        frame_note(frame, "1,000 texts of annotations have no room");
    frame_rect inside = frame_room(frame);
    while (frame->note_count && inside.height < ENOUGH) { /* the report has them */
        frame->note_count--;
        inside = frame_inside(frame);
    }
    if (inside.width < 32 || inside.height < 16)
        return error_set(err, LATHE_ERR_RANGE, LATHE_NO_OFFSET,
                         "the picture is too small for what stands around it");
    lathe_result r = preview_track_draw(p->canvas, &s->curves, inside, err);
    if (r != LATHE_OK)
        return r;
    tell_hidden(p, s, s->hidden[0], s->curves.hidden_texts, " text of an annotation has no room",
                " texts of annotations have no room");
    tell_hidden(p, s, s->hidden[1], s->curves.hidden_plots, " plot has no room",
                " plots have no room");
    if (texts < frame->note_count) {
        frame->note_count = texts;
        if (s->curves.hidden_texts)
            frame_note(frame, s->hidden[0]);
    }
    frame_draw(p->canvas, frame);
    return r;
}

static lathe_result read_track(const preview *p, lathe_doc *clip, preview_track *out,
                               lathe_error *err)
{
    uint64_t number = 0;
    bool floats = false;
    lathe_result r = find_track(p, clip, &number, &floats, err);
    if (r == LATHE_OK)
        r = preview_track_read(&p->mem, clip, p->options.clip_index, number, floats, out, err);
    if (r == LATHE_OK && !out->frames)
        r = error_set(err, LATHE_ERR_NAME, LATHE_NO_OFFSET, "the clip has no frames");
    return r;
}

static void title_of(const preview *p, curves_shot *s, frame_text given)
{
    s->frame.title = given;
    if (p->options.title)
        return;
    frame_append(s->title, sizeof s->title, "Track \"");
    frame_append(s->title, sizeof s->title, p->options.track);
    frame_append(s->title, sizeof s->title, "\" of ");
    frame_append(s->title, sizeof s->title, given.text ? given.text : "");
    if (s->names[1]) {
        frame_append(s->title, sizeof s->title, " and ");
        frame_append(s->title, sizeof s->title, s->names[1]);
    }
    s->frame.title = frame_string(s->title);
}

lathe_result preview_track_shot(preview *p, lathe_doc *doc, lathe_doc *other,
                                const char *other_name, frame_rect box, frame_text title,
                                lathe_error *err)
{
    lathe_error why;
    if (!p->options.track)
        return error_set(err, LATHE_ERR_NAME, LATHE_NO_OFFSET, "curves need the name of a track");
    curves_shot *s = mem_zalloc(&p->mem, sizeof *s);
    if (!s)
        return error_set(err, LATHE_ERR_MEMORY, LATHE_NO_OFFSET, "out of memory");
    lathe_doc *const clips[2] = {p->options.clip ? p->options.clip : doc, other};
    s->names[0] = p->name;
    s->names[1] = other_name;
    s->frame.all = box;
    s->frame.cell = p->sheet;
    title_of(p, s, title);
    lathe_result r = LATHE_OK;
    for (int side = 0; r == LATHE_OK && side < 2 && clips[side]; side++) {
        error_clear(&why);
        r = read_track(p, clips[side], &s->tracks[side], &why);
        s->curves.tracks[side] = &s->tracks[side];
        if (r != LATHE_OK && other)
            error_set(err, r, LATHE_NO_OFFSET, "%s: %s", s->names[side], why.message);
        else if (r != LATHE_OK)
            error_pass(err, &why);
    }
    if (r == LATHE_OK && other)
        compare(p, s);
    if (r == LATHE_OK)
        r = draw_curves(p, s, err);
    for (int side = 0; side < 2; side++)
        preview_track_free(&s->tracks[side]);
    mem_free(&p->mem, s, sizeof *s);
    return r;
}
