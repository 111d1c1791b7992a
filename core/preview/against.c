/* Two documents side by side. */
#include "preview/against.h"

#include "preview/changes.h"
#include "preview/flat.h"
#include "preview/shot.h"
#include "record/record.h"
#include "scene/clip.h"

#include <string.h>

enum { LINES = 1 + PREVIEW_CHANGE_COUNT, GAP = 8 };

typedef struct comparison {
    preview_scene scenes[2];
    preview_rig rigs[2];
    const char *names[2];
    preview_frame frame;
    lathe_preview_view view;
    shot_keys keys;
    preview_changes changes;
    char lines[LINES][384];
    size_t line_count;
    /* Of both, for the camera; what they point at belongs to the others. */
    preview_scene both;
    preview_rig both_rig;
    model_skeleton both_skeleton;
    preview_bounds bounds;
    picture_camera camera;
} comparison;

/* ---- both in one --------------------------------------------------------------------------------- */

static lathe_result join_scenes(const preview *p, comparison *d, lathe_error *err)
{
    const preview_scene *a = &d->scenes[0], *b = &d->scenes[1];
    preview_scene *both = &d->both;
    *both = a->known ? *a : *b;
    both->placed = a->placed || b->placed;
    both->count = both->room = a->count + b->count;
    both->parts = mem_alloc(&p->mem, (both->room + 1) * sizeof *both->parts);
    if (!both->parts)
        return rec_no_memory(err);
    for (int side = 0; side < 2; side++)
        if (d->scenes[side].count)
            memcpy(both->parts + (side ? a->count : 0), d->scenes[side].parts,
                   d->scenes[side].count * sizeof *both->parts);
    if (a->known && b->known && a->z_up != b->z_up)
        preview_note(p, "the two have different axes: they are drawn as they are stored");
    return LATHE_OK;
}

static lathe_result join_rigs(const preview *p, comparison *d, lathe_error *err)
{
    size_t n = d->rigs[0].count + d->rigs[1].count, at = 0;
    preview_rig *both = &d->both_rig;
    *both = d->rigs[0].count ? d->rigs[0] : d->rigs[1];
    both->mem = &p->mem;
    both->marks = NULL;
    both->lost = d->rigs[0].lost + d->rigs[1].lost;
    if (both->skeleton)
        d->both_skeleton = *both->skeleton;
    both->skeleton = &d->both_skeleton;
    both->count = n;
    both->worlds = mem_alloc(&p->mem, (n + 1) * sizeof *both->worlds);
    both->parents = mem_alloc(&p->mem, (n + 1) * sizeof *both->parents);
    d->both_skeleton.bones = mem_alloc(&p->mem, (n + 1) * sizeof *d->both_skeleton.bones);
    if (!both->worlds || !both->parents || !d->both_skeleton.bones)
        return rec_no_memory(err);
    for (int side = 0; side < 2; side++)
        for (size_t i = 0; i < d->rigs[side].count; i++, at++) {
            int32_t parent = d->rigs[side].parents[i];
            both->worlds[at] = d->rigs[side].worlds[i];
            both->parents[at] = parent < 0 ? -1 : parent + (side ? (int32_t)d->rigs[0].count : 0);
            d->both_skeleton.bones[at] = d->rigs[side].skeleton->bones[i];
        }
    return LATHE_OK;
}

static void free_all(const preview *p, comparison *d)
{
    size_t n = d->both_rig.count + 1;
    mem_free(&p->mem, d->both.parts,
             d->both.parts ? (d->both.room + 1) * sizeof *d->both.parts : 0);
    mem_free(&p->mem, d->both_rig.worlds, d->both_rig.worlds ? n * sizeof(mat4) : 0);
    mem_free(&p->mem, d->both_rig.parents, d->both_rig.parents ? n * sizeof(int32_t) : 0);
    mem_free(&p->mem, d->both_skeleton.bones, d->both_skeleton.bones ? n * sizeof(model_bone) : 0);
    for (int side = 0; side < 2; side++) {
        preview_rig_free(&d->rigs[side]);
        preview_scene_free(&d->scenes[side]);
    }
    mem_free(&p->mem, d, sizeof *d);
}

/* ---- what differs, in words ---------------------------------------------------------------------- */

static void append_count(char *out, size_t room, uint64_t n)
{
    char number[FRAME_NUMBER];
    frame_number(number, (double)n, 0);
    frame_append(out, room, number);
}

static void count_line(const preview_changes *c, char *out, size_t room)
{
    if (!c->marks[0] && !c->marks[1]) {
        frame_append(out, room, preview_is_changed(c) ? "no " : "nothing differs: no ");
        frame_append(out, room, c->noun);
        frame_append(out, room, " moved or looks different");
        return;
    }
    bool same = c->marks[0] == c->marks[1] && c->total[0] == c->total[1];
    for (int side = 0; side < (same ? 1 : 2); side++) {
        frame_append(out, room, side ? ", " : "");
        append_count(out, room, c->marks[side]);
        frame_append(out, room, " of ");
        append_count(out, room, c->total[side]);
        frame_append(out, room, " ");
        frame_append(out, room, c->total[side] == 1 ? c->noun : c->nouns);
        if (!same)
            frame_append(out, room, side ? " on the right" : " on the left");
    }
    frame_append(out, room, same && c->marks[0] == 1 ? " differs" : " differ");
}

static bool has_bones(const comparison *d)
{
    return !d->both.count && d->both_rig.count;
}

static void describe(const preview *p, comparison *d)
{
    static const char *const titles[PREVIEW_CHANGE_COUNT] = {
        [PREVIEW_RENAMED] = "renamed: ",
        [PREVIEW_MATERIALS] = "materials differ: ",
        [PREVIEW_TEXTURES] = "textures differ: ",
        [PREVIEW_SURFACES] = "the surface differs: ",
        [PREVIEW_ONLY_LEFT] = "only on the left: ",
        [PREVIEW_ONLY_RIGHT] = "only on the right: "};
    const preview_changes *c = &d->changes;
    count_line(c, d->lines[d->line_count++], sizeof d->lines[0]);
    for (int i = 0; i < PREVIEW_CHANGE_COUNT; i++) {
        uint64_t n = c->lines[i].count;
        char *line = d->lines[d->line_count];
        if (!n)
            continue;
        d->line_count++;
        frame_append(line, sizeof d->lines[0], titles[i]);
        frame_append(line, sizeof d->lines[0], c->lines[i].first);
        if (n == 1)
            continue;
        frame_append(line, sizeof d->lines[0], ", and ");
        append_count(line, sizeof d->lines[0], n - 1);
        frame_append(line, sizeof d->lines[0], " more");
    }
    if (d->both_rig.number == LATHE_NODES && has_bones(d))
        preview_note(p, PREVIEW_NODES);
    for (size_t i = 0; i < d->line_count; i++) {
        preview_note(p, "%s", d->lines[i]);
        frame_note(&d->frame, d->lines[i]);
    }
}

/* ---- drawing ------------------------------------------------------------------------------------- */

static frame_rect half_of(frame_rect inside, int side)
{
    double width = (double)(int64_t)((inside.width - GAP) / 2);
    return (frame_rect){side ? inside.x + inside.width - width : inside.x, inside.y, width,
                        inside.height};
}

static lathe_result fit(preview *p, comparison *d, frame_rect half, lathe_error *err)
{
    return has_bones(d) ? preview_rig_fit(p, &d->both_rig, d->view, half.width, half.height,
                                          &d->bounds, &d->camera, err)
                        : preview_fit(p, &d->both, p->options.fit, d->view, half.width, half.height,
                                      &d->bounds, &d->camera, err);
}

/* The distance that makes no difference: a millionth of the size of both. */
static double reach_of(const comparison *d)
{
    return d->bounds.points ? 1e-6 * vec3_length(vec3_sub(d->bounds.high, d->bounds.low)) : 0;
}

/* The room must be known before what differs is: the camera tells how large both are. */
static lathe_result mark(preview *p, comparison *d, lathe_error *err)
{
    const frame_rect any = {0, 0, 100, 100};
    lathe_result r = fit(p, d, any, err);
    if (r == LATHE_OK)
        r = has_bones(d) ? preview_mark_bones(p, d->rigs, reach_of(d), &d->changes, err)
                         : preview_mark_parts(p, d->scenes, reach_of(d), &d->changes, err);
    return r;
}

static lathe_result use_keys(const preview *p, comparison *d, lathe_error *err)
{
    lathe_result r = LATHE_OK;
    if (d->changes.marks[0] || d->changes.marks[1])
        d->keys.keys[d->keys.count++] = (frame_key){frame_string("differs"), PREVIEW_MARK};
    if (has_bones(d))
        for (size_t i = 0; i < preview_side_count(&d->frame, d->both_rig.skeleton); i++)
            d->keys.keys[d->keys.count++] = preview_side_keys[i];
    for (int side = 0; r == LATHE_OK && side < 2; side++)
        r = shot_add_materials(p, &d->scenes[side], &d->keys, err);
    d->frame.keys = d->keys.keys;
    d->frame.key_count = d->keys.count;
    return r;
}

static void draw_name(preview *p, const comparison *d, frame_rect half, int side)
{
    enum { SIZE = 13 };
    picture_text_fit(p->canvas, half.x + half.width / 2, half.y + half.height + SIZE, SIZE,
                     PICTURE_CENTRE, frame_colors[FRAME_TEXT], half.width, d->names[side],
                     strlen(d->names[side]));
}

/* Reports the bones of each rig that are not drawn. */
static void tell_left_out(preview *p, const comparison *d)
{
    preview_rig_texts texts;
    for (int side = 0; side < 2; side++) {
        p->name = d->names[side];
        preview_rig_left_out(p, &d->rigs[side], &texts);
    }
}

static lathe_result draw_half(preview *p, comparison *d, frame_rect half, int side,
                              lathe_error *err)
{
    p->name = d->names[side];
    if (has_bones(d))
        return preview_rig_draw(p, &d->rigs[side], &d->camera, half, p->options.names, err);
    return shot_shade(p, &d->scenes[side], &d->camera, half, err);
}

static lathe_result draw(preview *p, comparison *d, lathe_error *err)
{
    enum { LEAST_HEIGHT = 120, NAMES = 18 }; /* the names under the two need so much */
    frame_rect inside;
    lathe_result r = use_keys(p, d, err);
    if (r != LATHE_OK)
        return r;
    d->frame.under = d->frame.all.height < LEAST_HEIGHT ? 0 : NAMES;
    describe(p, d);
    if (has_bones(d))
        tell_left_out(p, d);
    d->frame.has_size = d->bounds.points > 0;
    inside = frame_room(&d->frame);
    if (inside.width < 2 * GAP || inside.height < GAP)
        return error_set(err, LATHE_ERR_RANGE, LATHE_NO_OFFSET,
                         "the picture is too small for what stands around it");
    if (d->bounds.points)
        r = fit(p, d, half_of(inside, 0), err);
    if (r != LATHE_OK)
        return r;
    preview_skip_far(p, d->bounds.outside, has_bones(d) ? "bone of both" : "corner of both",
                     has_bones(d) ? "bones of both" : "corners of both");
    const frame_rect halves[2] = {half_of(inside, 0), half_of(inside, 1)};
    if (d->bounds.points) {
        d->frame.metres = has_bones(d) ? d->both_skeleton.metres : d->both.metres;
        shot_measure(&d->frame, &d->bounds, &d->camera);
    }
    for (int side = 0; r == LATHE_OK && side < 2; side++) {
        if (d->bounds.points)
            r = draw_half(p, d, halves[side], side, err);
        if (d->frame.under > 0)
            draw_name(p, d, halves[side], side);
    }
    const double middle = inside.x + inside.width / 2;
    const double line[4] = {middle, inside.y, middle, inside.y + inside.height};
    picture_polyline(p->canvas, line, 2, 1, frame_colors[FRAME_LINE]);
    frame_draw(p->canvas, &d->frame);
    if (!d->bounds.points) {
        frame_say(p->canvas, inside, "no geometry");
        preview_note(p, "no geometry");
    }
    return r;
}

lathe_result preview_against_shot(preview *p, lathe_doc *doc, lathe_doc *other,
                                  const char *other_name, frame_rect box, frame_text title,
                                  lathe_error *err)
{
    lathe_doc *const docs[2] = {doc, other};
    const lathe_preview_what what = p->options.what;
    if (what == LATHE_PREVIEW_TRACK || (what == LATHE_PREVIEW_AUTO && p->options.track))
        return preview_track_shot(p, doc, other, other_name, box, title, err);
    char text[PREVIEW_TEXT] = "";
    lathe_error why;
    comparison *d = mem_zalloc(&p->mem, sizeof *d);
    if (!d)
        return rec_no_memory(err);
    d->names[0] = p->name;
    d->names[1] = other_name;
    frame_append(text, sizeof text, p->name);
    frame_append(text, sizeof text, " and ");
    frame_append(text, sizeof text, other_name);
    d->frame.all = box;
    d->frame.cell = p->sheet;
    d->frame.wide = true;
    d->frame.title = p->options.title ? title : frame_string(text);
    lathe_result r = LATHE_OK;
    for (int side = 0; side < 2; side++)
        preview_scene_init(&d->scenes[side], &p->mem);
    for (int side = 0; r == LATHE_OK && side < 2; side++) {
        p->name = d->names[side];
        bool lacking = false;
        error_clear(&why);
        r = shot_gather(p, docs[side], &d->scenes[side], &d->rigs[side], &lacking, &why);
        if (lacking)
            preview_note(p, PREVIEW_LACKING);
        if (r != LATHE_OK)
            error_set(err, r, LATHE_NO_OFFSET, "%s: %s", p->name, why.message);
    }
    if (r == LATHE_OK)
        r = join_scenes(p, d, err);
    if (r == LATHE_OK)
        r = join_rigs(p, d, err);
    bool above = what == LATHE_PREVIEW_CELL || (what == LATHE_PREVIEW_AUTO && d->both.placed);
    d->view = above ? LATHE_PREVIEW_TOP : p->options.view;
    if (r == LATHE_OK)
        r = mark(p, d, err);
    if (r == LATHE_OK)
        r = draw(p, d, err);
    p->name = d->names[0];
    free_all(p, d);
    return r;
}
