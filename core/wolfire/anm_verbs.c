/* Verbs of animations without calculations on poses, and the list of all verbs. Reference:
 * formats/wolfire.md#6. */
#include "wolfire/anm.h"

#include "model/retime.h"

#include <math.h>

/* ---- scaling ------------------------------------------------------------------------------------- */

static lathe_result scale(lathe_view self, const lathe_source *args, lathe_report *report,
                          lathe_error *err)
{
    static const scene_scale_rule rules[] = {
        {"frames", 0, 0}, {"bone_matrices", 1, 1},   {"weapon_matrices", 0, 0},
        {"matrix", 1, 1}, {"mobility_matrix", 1, 1}, {"center_offset", 1, 1},
        {NULL, 0, 0}};
    return scene_scale_rules(self, rules, MODEL_ANIMATION, args, report, err);
}

/* ---- renaming ------------------------------------------------------------------------------------ */

static const struct names {
    const char *kind, *count, *array, *field;
} names[] = {
    {"events", "num_events", "events", "name"},
    {"labels", "num_ik_bones", "ik_bones", "label"},
    {"keys", "num_shape_keys", "shape_keys", "label"},
    {"keys", "num_status_keys", "status_keys", "label"},
};

static lathe_result rename_in(const rec_at *frame, const struct names *in,
                              const wolfire_rename *how, lathe_report *report, lathe_error *err)
{
    uint32_t slot = rec_slot_find(frame->layout, in->array);
    int64_t n = wolfire_renames(how, in->kind) ? rec_int(frame, in->count) : 0;
    lathe_result r = LATHE_OK;
    for (int64_t i = 0; r == LATHE_OK && i < n; i++) {
        rec_at at;
        r = rec_sub(frame, slot, (uint64_t)i, &at, err);
        if (r == LATHE_OK)
            r = wolfire_rename_field(how, &at, in->field, report, err);
    }
    return r;
}

static lathe_result rename_names(lathe_view self, const lathe_source *args, lathe_report *report,
                                 lathe_error *err)
{
    lathe_doc *doc = self.doc;
    uint64_t n = anm_facts_of(doc).frames;
    wolfire_rename how;
    lathe_result r = LATHE_OK;
    wolfire_rename_args(args, &how);
    for (uint64_t i = 0; r == LATHE_OK && i < n; i++) {
        rec_at frame;
        r = anm_frame_at(doc, i, &frame, err);
        for (size_t k = 0; r == LATHE_OK && k < sizeof names / sizeof names[0]; k++)
            r = rename_in(&frame, &names[k], &how, report, err);
    }
    return r;
}

/* ---- retiming ------------------------------------------------------------------------------------ */

typedef struct retiming {
    model_retime how;
    double factor;
    anm_facts facts;
    int64_t first[2], last[2]; /* times of the first frame and of the last one so far: old, new */
} retiming;

static lathe_result set_time(const rec_at *at, const char *name, double ms, lathe_error *err)
{
    uint32_t slot = rec_slot_find(at->layout, name);
    if (!(ms >= INT32_MIN && ms <= INT32_MAX))
        return rec_fail(at, slot, at->off, err, LATHE_ERR_RANGE, "%.9g ms does not fit into i32",
                        ms);
    lathe_value v = {.kind = LATHE_KIND_INT, .as.i = (int64_t)ms};
    return rec_set(at, slot, &v, err);
}

static lathe_result retime_frame(retiming *t, const rec_at *frame, uint64_t i, lathe_report *report,
                                 lathe_error *err)
{
    int64_t was = rec_int(frame, "time");
    double start = (double)t->facts.start;
    double now = t->how.kind == MODEL_FPS
                     ? start + round((double)i * 1000 / t->how.value)
                     : start + round((double)(was - t->facts.start) * t->factor);
    lathe_result r = set_time(frame, "time", now, err);
    if (r != LATHE_OK)
        return r;
    if (i > 0 && was != t->last[0] && (int64_t)now == t->last[1] && report && report->skipped) {
        char path[256];
        rec_path(frame, rec_slot_find(frame->layout, "time"), REC_NO_ITEM, path, sizeof path);
        report->skipped(report->user, path, "now at the same time as the frame before it");
    }
    t->last[0] = was;
    t->last[1] = (int64_t)now;
    if (i == 0)
        memcpy(t->first, t->last, sizeof t->first);
    if (report)
        report->changed++;
    return LATHE_OK;
}

/* With fps, the time after the last frame keeps its share of the duration: a loop of evenly spaced frames
 * stays even. */
static double new_end(const retiming *t)
{
    double tail = (double)(t->facts.end - t->last[0]);
    int64_t was = t->last[0] - t->first[0], now = t->last[1] - t->first[1];
    if (t->how.kind == MODEL_FPS)
        return (double)t->last[1] + (was > 0 ? round(tail * (double)now / (double)was) : tail);
    return (double)t->facts.start + round((double)(t->facts.end - t->facts.start) * t->factor);
}

static lathe_result retime(lathe_view self, const lathe_source *args, lathe_report *report,
                           lathe_error *err)
{
    lathe_doc *doc = self.doc;
    rec_at root = rec_root(doc, 0);
    retiming t = {.facts = anm_facts_of(doc)};
    lathe_result r = model_retime_args(args, &t.how, err);
    if (r == LATHE_OK && t.how.kind != MODEL_FPS)
        r = model_retime_factor(&t.how, (double)(t.facts.end - t.facts.start) / 1000, &t.factor,
                                err);
    for (uint64_t i = 0; r == LATHE_OK && i < t.facts.frames; i++) {
        rec_at frame;
        r = anm_frame_at(doc, i, &frame, err);
        if (r == LATHE_OK)
            r = retime_frame(&t, &frame, i, report, err);
    }
    return r == LATHE_OK ? set_time(&root, "length", new_end(&t), err) : r;
}

/* ---- the list ------------------------------------------------------------------------------------ */

static const rec_param even_fps = {.name = "fps",
                                   .doc = "New number of key frames per second, at most 1000.",
                                   .unit = "frames/s",
                                   .kind = LATHE_PARAM_NUMBER,
                                   .positional = true,
                                   .needed = true};
static const rec_param t0 = {.name = "t0",
                             .doc = "Start of the part to keep. Default: start of the animation.",
                             .unit = "s",
                             .kind = LATHE_PARAM_NUMBER,
                             .positional = true};
static const rec_param t1 = {.name = "t1",
                             .doc = "End of the part to keep. Default: end of the animation.",
                             .unit = "s",
                             .kind = LATHE_PARAM_NUMBER,
                             .positional = true};
static const rec_param blend = {
    .name = "skeleton",
    .doc = "Blends new frames through its bones' parents, as the game does; else in model space.",
    .kind = LATHE_PARAM_SKELETON};
static const rec_param mirror_by = {.name = "skeleton",
                                    .doc = "Skeleton that supplies bone pairs and the rest pose.",
                                    .kind = LATHE_PARAM_SKELETON,
                                    .needed = true};
static const rec_param version = {.name = "version",
                                  .doc = "The new version. 0 to 11.",
                                  .kind = LATHE_PARAM_INTEGER,
                                  .positional = true,
                                  .needed = true};

static const rec_param *const retime_params[] = {&model_retime_speed, &model_retime_duration,
                                                 &model_retime_fps, NULL};
static const rec_param *const version_params[] = {&version, NULL};
static const rec_param *const trim_params[] = {&t0, &t1, &blend, NULL};
static const rec_param *const resample_params[] = {&even_fps, &blend, NULL};
static const rec_param *const mirror_params[] = {&mirror_by, NULL};

const rec_verb anm_verbs[] = {
    {.name = "scale",
     .doc = "Multiplies all translations: of bones, weapons, mobility and centre.",
     .params = scene_scale_params,
     .run = scale},
    {.name = "rename",
     .counts = "name",
     .doc = "Renames events, labels of chains (labels), shape and status keys (keys) of exactly "
            "that name.",
     .params = wolfire_rename_params,
     .run = rename_names},
    {.name = "retime",
     .doc =
         "Moves key frames in time, by one of speed, duration, fps. With fps they lie evenly from "
         "start on, and what follows the last one keeps its share. Frames that come to lie at one "
         "time are listed.",
     .params = retime_params,
     .run = retime},
    {.name = "set_version",
     .doc = "Another version of the format; what that one cannot hold is dropped and listed.",
     .params = version_params,
     .run = anm_version_verb},
    {.name = "centre",
     .doc =
         "Takes place and heading out of the poses, as the game does when it loads a file; below "
         "version 10 that becomes 10.",
     .run = anm_verb_centre},
    {.name = "uncentre",
     .doc = "Puts place and heading back into the poses.",
     .run = anm_verb_uncentre},
    {.name = "trim",
     .doc =
         "Keeps what lies between two times, from the clip's start, with a key frame at both; the "
         "whole clip stays as it is.",
     .params = trim_params,
     .run = anm_verb_trim},
    {.name = "reverse",
     .doc = "Plays it backwards; what a loop begins with stays there.",
     .run = anm_verb_reverse},
    {.name = "resample",
     .doc = "Even key frames. Events move to the frame at or before them.",
     .params = resample_params,
     .run = anm_verb_resample},
    {.name = "mirror",
     .doc = "Left and right change places.",
     .params = mirror_params,
     .run = anm_verb_mirror},
    {0},
};
