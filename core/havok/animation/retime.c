/* Animations made faster or slower. Their frames are evenly spaced, so that all there is to
 * change are the times: no spline is touched. */
#include "havok/animation/retime.h"

#include "havok/objects/objects.h"

#include <math.h>

typedef struct retiming {
    model_retime how;
    double factor; /* of the animation at hand */
    lathe_report *report;
} retiming;

#define SPLINE "hkaSplineCompressedAnimation"
#define INTERLEAVED "hkaInterleavedUncompressedAnimation"

static bool is_animation(const rec_at *at)
{
    return hk_is(at, SPLINE) || hk_is(at, INTERLEAVED) ||
           hk_is(at, "hkaLosslessCompressedAnimation");
}

/* A class that lacks the member has no such time. */
static lathe_result set_number(const rec_at *at, const char *name, double to, lathe_error *err)
{
    lathe_value v = {.kind = LATHE_KIND_REAL, .as.f = to};
    return rec_slot_find(at->layout, name) == REC_NO_SLOT ? LATHE_OK
                                                          : rec_set_name(at, name, &v, err);
}

static lathe_result multiply(const rec_at *at, const char *name, double factor, lathe_error *err)
{
    return set_number(at, name, hk_number(at, name) * factor, err);
}

/* What the frames are counted in, where it is stored. */
static double frames_of(const rec_at *at)
{
    int64_t tracks = rec_int(at, "number_of_transform_tracks");
    if (!hk_is(at, INTERLEAVED))
        return hk_number(at, "num_frames");
    return tracks > 0 ? (double)(hk_length(at, "transforms") / (uint64_t)tracks) : 0;
}

static lathe_result factor_for(retiming *t, const rec_at *at, lathe_error *err)
{
    double duration = hk_number(at, "duration"), frames = frames_of(at);
    model_retime how = t->how;
    if (how.kind == MODEL_FPS)
        how = (model_retime){MODEL_DURATION, (frames - 1) / t->how.value};
    if (how.kind == MODEL_DURATION && how.value <= 0) { /* one frame, at any rate */
        t->factor = 1;
        return LATHE_OK;
    }
    return model_retime_factor(&how, duration, &t->factor, err);
}

static lathe_result retime_annotations(const retiming *t, const rec_at *at, lathe_error *err)
{
    uint32_t tracks, list;
    uint64_t n, events = 0;
    lathe_result r = hk_find_records(at, "annotation_tracks", &tracks, &n, err);
    for (uint64_t i = 0; r == LATHE_OK && i < n; i++) {
        rec_at track, one;
        r = rec_sub(at, tracks, i, &track, err);
        if (r == LATHE_OK)
            r = hk_find_records(&track, "annotations", &list, &events, err);
        for (uint64_t k = 0; r == LATHE_OK && k < events; k++) {
            r = rec_sub(&track, list, k, &one, err);
            if (r == LATHE_OK)
                r = multiply(&one, "time", t->factor, err);
        }
    }
    return r;
}

/* Root motion lasts as long as its animation. */
static lathe_result retime_motion(const rec_at *at, double duration, lathe_error *err)
{
    uint32_t part = hk_target(at, "extracted_motion", 0);
    if (part == REC_NO_PART || !hk_object_is(at->doc, part, "hkaDefaultAnimatedReferenceFrame"))
        return LATHE_OK;
    rec_at motion = hk_object(at->doc, part);
    return set_number(&motion, "duration", duration, err);
}

static lathe_result retime_one(retiming *t, const rec_at *at, lathe_error *err)
{
    static const char *const times[] = {"block_duration", "frame_duration"};
    double duration = hk_number(at, "duration");
    lathe_result r = factor_for(t, at, err);
    bool splines = hk_is(at, SPLINE);
    if (r == LATHE_OK)
        r = set_number(at, "duration", duration * t->factor, err);
    for (size_t i = 0; r == LATHE_OK && splines && i < 2; i++)
        r = multiply(at, times[i], t->factor, err);
    if (r == LATHE_OK && splines)
        r = multiply(at, "block_inverse_duration", 1 / t->factor, err);
    if (r == LATHE_OK)
        r = retime_annotations(t, at, err);
    if (r == LATHE_OK)
        r = retime_motion(at, duration * t->factor, err);
    if (r == LATHE_OK && t->report)
        t->report->changed++;
    return r;
}

lathe_result hk_retime(lathe_view self, const lathe_source *args, lathe_report *report,
                       lathe_error *err)
{
    lathe_doc *doc = self.doc;
    rec_at at;
    uint32_t none;
    uint64_t n;
    retiming t = {.report = report};
    lathe_result r = model_retime_args(args, &t.how, err);
    if (r == LATHE_OK)
        r = rec_enter(&self, &at, &none, err);
    if (r != LATHE_OK)
        return r;
    if (is_animation(&at))
        return retime_one(&t, &at, err);
    uint32_t c = at.layout->container;
    hk_object_list(doc, c, &n);
    for (uint64_t i = 0; r == LATHE_OK && i < n; i++) { /* edits may move the list */
        bool opens;
        rec_at object = hk_object(doc, hk_object_list(doc, c, &n)[i]);
        object.slot = REC_NO_SLOT;
        r = hk_object_look(doc, object.part, &opens, err);
        if (r == LATHE_OK && opens && is_animation(&object))
            r = retime_one(&t, &object, err);
    }
    return r;
}

const rec_param *const hk_retime_params[] = {&model_retime_speed, &model_retime_duration,
                                             &model_retime_fps, NULL};
