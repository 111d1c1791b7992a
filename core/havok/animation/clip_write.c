/* Animations written back: each class has its own way. */
#include "havok/animation/clip_write.h"

#include <string.h>

#define SPLINE "hkaSplineCompressedAnimation"
#define INTERLEAVED "hkaInterleavedUncompressedAnimation"
#define LOSSLESS "hkaLosslessCompressedAnimation"

/* ---- the hook ------------------------------------------------------------------------------------------ */

static lathe_result write_poses(const rec_at *at, const model_motion *m, const scene_precision *how,
                                lathe_report *report, lathe_error *err)
{
    if (hk_is(at, SPLINE))
        return hk_write_splines(at, m, how, report, err);
    if (hk_is(at, INTERLEAVED))
        return hk_write_interleaved(at, m, err);
    if (hk_is(at, LOSSLESS))
        return hk_write_lossless(at, m, err);
    return rec_fail(at, REC_NO_SLOT, at->off, err, LATHE_ERR_UNSUPPORTED,
                    "lathe does not write animations of this class");
}

/* Numbers are floats in files: a duration that reads as the same one stays. */
static lathe_result write_duration(const rec_at *at, const model_motion *m, lathe_error *err)
{
    uint32_t part = hk_target(at, "extracted_motion", 0);
    if ((float)hk_number(at, "duration") == (float)m->duration)
        return LATHE_OK;
    lathe_result r = hk_put_number(at, "duration", m->duration, err);
    if (r != LATHE_OK || part == REC_NO_PART ||
        !hk_object_is(at->doc, part, "hkaDefaultAnimatedReferenceFrame"))
        return r;
    rec_at frame = hk_object(at->doc, part);
    return hk_put_number(&frame, "duration", m->duration, err);
}

/* Frames of a packfile follow each other evenly. */
static lathe_result refuse_uneven(const rec_at *at, const model_motion *m, lathe_error *err)
{
    uint64_t n = m->frame_count;
    if (!n)
        return rec_fail(at, REC_NO_SLOT, at->off, err, LATHE_ERR_RANGE,
                        "an animation needs at least one frame");
    double step = n > 1 ? m->times[n - 1] / (double)(n - 1) : 0;
    for (uint64_t i = 0; i < n; i++) {
        double apart = m->times[i] - step * (double)i;
        if (apart > 1e-4 * step || apart < -1e-4 * step)
            return rec_fail(at, REC_NO_SLOT, at->off, err, LATHE_ERR_UNSUPPORTED,
                            "frame %llu is at %.9g s: frames of this format are evenly spaced",
                            (unsigned long long)i, m->times[i]);
    }
    return LATHE_OK;
}

lathe_result hk_clip_write(lathe_view source, const model_motion *m, const scene_precision *how,
                           lathe_report *report, lathe_error *err)
{
    hk_clips *clips;
    hk_clip *clip;
    rec_at at;
    lathe_result r = hk_clip_of(source, &clips, &clip, err);
    if (r != LATHE_OK)
        return r;
    uint32_t binding = clip->binding; /* the list goes with the first change */
    lathe_doc *doc = source.doc;
    uint32_t part = source.part;
    if (!hk_animation_at(doc, part, &at) || !hk_object_opens(doc, part))
        return error_set(err, LATHE_ERR_UNSUPPORTED, LATHE_NO_OFFSET,
                         "the animation cannot be read");
    r = refuse_uneven(&at, m, err);
    if (r == LATHE_OK)
        r = write_poses(&at, m, how, report, err);
    if (r == LATHE_OK)
        r = write_duration(&at, m, err);
    if (r == LATHE_OK)
        r = hk_write_events(&at, m, err);
    if (r == LATHE_OK && binding != REC_NO_PART)
        r = hk_write_binding(doc, binding, m, err);
    return r == LATHE_OK ? hk_write_moves(&at, m, err) : r;
}
