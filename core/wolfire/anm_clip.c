/* A .anm as an animation: one clip, the document itself. Reference: formats/wolfire.md#2. */
#include "wolfire/anm_pose.h"

#include <stdlib.h>

/* ---- facts --------------------------------------------------------------------------------------- */

static lathe_result open_clip(lathe_doc *doc, uint64_t i, model_clip *clip, lathe_view *source,
                              lathe_error *err)
{
    anm_facts facts = anm_facts_of(doc);
    anm_items items = {.count = 0};
    rec_at frame;
    lathe_result r = LATHE_OK;
    if (i > 0)
        return error_set(err, LATHE_ERR_NAME, LATHE_NO_OFFSET, "there is one animation");
    *source = lathe_doc_root(doc);
    *clip = (model_clip){.duration = (double)(facts.end - facts.start) / 1000,
                         .frame_count = facts.frames,
                         .looping = facts.looping,
                         .absolute = true,
                         .has_motion = facts.centered};
    for (uint64_t k = 0; r == LATHE_OK && k < facts.frames; k++) {
        r = anm_frame_at(doc, k, &frame, err);
        if (r == LATHE_OK && k == 0) {
            r = anm_items_of(&frame, "bone_matrices", &items, err);
            clip->track_count = items.count;
            clip->has_motion = facts.centered || rec_int(&frame, "use_mobility") != 0;
        }
        clip->annotation_count += (uint64_t)rec_int(&frame, "num_events");
    }
    return r;
}

static lathe_result track(lathe_view source, uint64_t i, model_track *out, lathe_error *err)
{
    (void)source;
    (void)err;
    *out = (model_track){.bone_index = (int32_t)i};
    return LATHE_OK;
}

/* ---- poses --------------------------------------------------------------------------------------- */

static void put_pose(const anm_pose *pose, float *out)
{
    const double numbers[MODEL_POSE] = {pose->t.x, pose->t.y, pose->t.z, pose->q.x, pose->q.y,
                                        pose->q.z, pose->q.w, pose->s.x, pose->s.y, pose->s.z};
    for (int k = 0; k < MODEL_POSE; k++)
        out[k] = (float)numbers[k];
}

/* Between keys quaternions have the length that the game's blending gives them, not 1. */
static lathe_result sample(lathe_view source, const model_when *when,
                           const model_skeleton *skeleton, uint64_t first, uint64_t n, float *out,
                           lathe_error *err)
{
    lathe_doc *doc = source.doc;
    anm_facts facts = anm_facts_of(doc);
    anm_moment moment = {.p = 0};
    anm_four four;
    lathe_result r = LATHE_OK;
    if (when->is_time)
        r = anm_moment_at(doc, &facts, when->at * 1000, &moment, err);
    else
        moment = anm_moment_of(&facts, when->at);
    if (r == LATHE_OK && skeleton) {
        anm_items bones;
        rec_at frame;
        r = anm_frame_at(doc, 0, &frame, err);
        if (r == LATHE_OK)
            r = anm_items_of(&frame, "bone_matrices", &bones, err);
        if (r == LATHE_OK)
            r = anm_fits(skeleton, bones.count, err);
    }
    if (r == LATHE_OK)
        r = anm_four_of(doc, &moment, "bone_matrices", skeleton ? skeleton->bone_count : first + n,
                        &four, err);
    for (uint64_t i = 0; r == LATHE_OK && i < n; i++) {
        uint64_t b = first + i;
        anm_pose pose = anm_four_pose(&four, b, skeleton ? skeleton->bones[b].parent : -1);
        put_pose(&pose, out + i * MODEL_POSE);
    }
    return r;
}

/* ---- annotations ---------------------------------------------------------------------------------- */

typedef struct timed { /* the events of a frame */
    int64_t time;
    uint64_t frame, events;
} timed;

static int by_time(const void *a, const void *b)
{
    const timed *x = a, *y = b;
    if (x->time != y->time)
        return x->time < y->time ? -1 : 1;
    return x->frame < y->frame ? -1 : x->frame > y->frame;
}

static lathe_result events_of(lathe_doc *doc, uint64_t i, timed *out, lathe_error *err)
{
    rec_at frame;
    lathe_result r = anm_frame_at(doc, i, &frame, err);
    if (r == LATHE_OK)
        *out = (timed){rec_int(&frame, "time"), i, (uint64_t)rec_int(&frame, "num_events")};
    return r;
}

/* The frame that holds event *i of all, and its number there. Frames in order of time, as nearly all
 * files have them, are walked as they are. LATHE_ERR_NAME past the last event. */
static lathe_result find_in_order(lathe_doc *doc, const anm_facts *facts, uint64_t *i, timed *out,
                                  bool *in_order, lathe_error *err)
{
    int64_t before = INT64_MIN;
    lathe_result r = LATHE_OK;
    bool found = false;
    uint64_t left = *i;
    timed now;
    *in_order = true;
    for (uint64_t k = 0; r == LATHE_OK && *in_order && k < facts->frames; k++) {
        r = events_of(doc, k, &now, err);
        if (r != LATHE_OK)
            return r;
        *in_order = now.time >= before;
        before = now.time;
        if (!found && left < now.events) {
            *out = now;
            found = true;
        }
        left -= found ? 0 : now.events;
    }
    *i = left;
    return found ? LATHE_OK : error_set(err, LATHE_ERR_NAME, LATHE_NO_OFFSET, "no such event");
}

static lathe_result find_sorted(lathe_doc *doc, const anm_facts *facts, uint64_t *i, timed *out,
                                lathe_error *err)
{
    size_t n = (size_t)facts->frames, k = 0;
    timed *all = mem_alloc(&doc->mem, n * sizeof *all);
    lathe_result r = all ? LATHE_OK : rec_no_memory(err);
    for (size_t f = 0; r == LATHE_OK && f < n; f++)
        r = events_of(doc, f, &all[f], err);
    if (r == LATHE_OK) {
        qsort(all, n, sizeof *all, by_time);
        while (k < n && *i >= all[k].events)
            *i -= all[k++].events;
        if (k < n)
            *out = all[k];
        else
            r = error_set(err, LATHE_ERR_NAME, LATHE_NO_OFFSET, "no such event");
    }
    mem_free(&doc->mem, all, n * sizeof *all);
    return r;
}

static lathe_result annotation(lathe_view source, uint64_t i, model_annotation *out,
                               lathe_error *err)
{
    lathe_doc *doc = source.doc;
    anm_facts facts = anm_facts_of(doc);
    uint64_t left = i;
    bool in_order;
    timed at = {.time = 0};
    rec_at frame, event;
    lathe_value name;
    lathe_result r = find_in_order(doc, &facts, &left, &at, &in_order, err);
    if (!in_order) {
        left = i;
        r = find_sorted(doc, &facts, &left, &at, err);
    }
    if (r == LATHE_OK)
        r = anm_frame_at(doc, at.frame, &frame, err);
    if (r == LATHE_OK)
        r = anm_item(&frame, "events", left, &event, err);
    if (r == LATHE_OK)
        r = rec_get(&event, rec_slot_find(event.layout, "name"), false, &name, err);
    if (r == LATHE_OK)
        *out = (model_annotation){(double)(at.time - facts.start) / 1000, name.as.s.p, name.as.s.n,
                                  rec_int(&event, "bone")};
    return r;
}

/* ---- motion --------------------------------------------------------------------------------------- */

/* Frames up to `last`; each row is written to `out`, `step` floats behind the one before. Steps and
 * headings build on what came before, so all is walked, whatever is asked for. */
static lathe_result walk(lathe_doc *doc, uint64_t last, float *out, size_t step, lathe_error *err)
{
    bool centered = anm_facts_of(doc).centered, mobile;
    anm_place now = {.rotation = 0};
    vec3 world = {0, 0, 0};
    lathe_result r = LATHE_OK;
    for (uint64_t k = 0; r == LATHE_OK && k <= last; k++, out += step) {
        anm_place before = now;
        rec_at frame;
        r = anm_frame_at(doc, k, &frame, err);
        if (r == LATHE_OK)
            r = centered ? anm_stored_place(&frame, &now, err)
                         : anm_found_place(&frame, k ? &before.rotation : NULL, &now, &mobile, err);
        world = centered && k ? anm_step(world, before.offset, &now) : now.offset;
        out[0] = (float)world.x;
        out[1] = (float)world.y;
        out[2] = (float)world.z;
        out[3] = (float)now.rotation;
    }
    return r;
}

static lathe_result motion(lathe_view source, uint64_t i, float out[4], lathe_error *err)
{
    return walk(source.doc, i, out, 0, err);
}

static lathe_result path(lathe_view source, uint64_t n, float *out, lathe_error *err)
{
    return n ? walk(source.doc, n - 1, out, 4, err) : LATHE_OK;
}

const rec_clips anm_clips = {
    .open = open_clip,
    .track = track,
    .sample = sample,
    .annotation = annotation,
    .motion = motion,
    .path = path,
};
