#include "havok/animation/maths/spline_encode_check.h"

#include "base/error.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

enum { TRACKS_MAX = 65535 };

static lathe_result tolerance_ok(const hk_tolerance *t, uint64_t n, const char *channel,
                                 const char *kind, lathe_error *err)
{
    for (uint64_t i = 0; i < (t->each ? n : 1); i++) {
        double v = hk_tolerance_of(t, i);
        if (v > 0 && v <= 0x1p1000)
            continue;
        char of[64] = "", is[40] = "not a number";
        if (t->each)
            snprintf(of, sizeof of, " of %s %" PRIu64, kind, i);
        if (v <= 0 || v > 0)
            snprintf(is, sizeof is, "%g", v);
        return error_set(err, LATHE_ERR_RANGE, LATHE_NO_OFFSET,
                         "the tolerance for the %s%s is %s: it has to be above 0", channel, of, is);
    }
    return LATHE_OK;
}

static lathe_result counts_ok(const hk_samples *s, const hk_encode_options *o, lathe_error *err)
{
    if (s->frames < 1 || s->frames > INT32_MAX)
        return error_set(err, LATHE_ERR_RANGE, LATHE_NO_OFFSET,
                         "%" PRIu64 " frames: there are 1 to %" PRId32, s->frames, INT32_MAX);
    if (s->transform_tracks > TRACKS_MAX)
        return error_set(err, LATHE_ERR_RANGE, LATHE_NO_OFFSET,
                         "%" PRIu64 " tracks are too many: %d at most", s->transform_tracks,
                         TRACKS_MAX);
    if (s->float_tracks > TRACKS_MAX)
        return error_set(err, LATHE_ERR_RANGE, LATHE_NO_OFFSET,
                         "%" PRIu64 " float tracks are too many: %d at most", s->float_tracks,
                         TRACKS_MAX);
    uint32_t m = o->max_frames_per_block;
    if (m == 1 || m > HK_FRAMES_MAX)
        return error_set(err, LATHE_ERR_RANGE, LATHE_NO_OFFSET,
                         "%" PRIu32 " frames in a block: there are 2 to %d", m, HK_FRAMES_MAX);
    if (o->quantization > HK_QUANTIZE_NONE)
        return error_set(err, LATHE_ERR_RANGE, LATHE_NO_OFFSET, "no such quantization: %d",
                         (int)o->quantization);
    return LATHE_OK;
}

static lathe_result number_ok(float v, const char *channel, const char *kind, uint64_t track,
                              uint64_t frame, lathe_error *err)
{
    if (v >= -0x1p120f && v <= 0x1p120f)
        return LATHE_OK;
    if (!(v >= -0x1p127f * 2 && v <= 0x1p127f * 2) || v - v != 0)
        return error_set(err, LATHE_ERR_INVALID, LATHE_NO_OFFSET,
                         "%s of %s %" PRIu64 " at frame %" PRIu64 " is not a finite number",
                         channel, kind, track, frame);
    return error_set(err, LATHE_ERR_INVALID, LATHE_NO_OFFSET,
                     "%s of %s %" PRIu64 " at frame %" PRIu64 " is %g, which no track can have",
                     channel, kind, track, frame, (double)v);
}

static lathe_result rotation_ok(const float *q, uint64_t track, uint64_t frame, lathe_error *err)
{
    bool zero = true;
    for (unsigned a = 0; a < 4; a++) {
        if (!isfinite(q[a]))
            return error_set(err, LATHE_ERR_INVALID, LATHE_NO_OFFSET,
                             "rotation of track %" PRIu64 " at frame %" PRIu64
                             " is not a finite number",
                             track, frame);
        zero = zero && q[a] == 0;
    }
    if (zero)
        return error_set(err, LATHE_ERR_INVALID, LATHE_NO_OFFSET,
                         "rotation of track %" PRIu64 " at frame %" PRIu64 " has length 0", track,
                         frame);
    return LATHE_OK;
}

static lathe_result row_ok(const float *row, uint64_t track, uint64_t frame, lathe_error *err)
{
    lathe_result r = LATHE_OK;
    for (unsigned a = 0; r == LATHE_OK && a < 3; a++)
        r = number_ok(row[a], "translation", "track", track, frame, err);
    if (r == LATHE_OK)
        r = rotation_ok(row + 3, track, frame, err);
    for (unsigned a = 7; r == LATHE_OK && a < HK_ROW; a++)
        r = number_ok(row[a], "scale", "track", track, frame, err);
    return r;
}

lathe_result hk_encode_check(const hk_samples *s, const hk_encode_options *o, lathe_error *err)
{
    lathe_result r = counts_ok(s, o, err);
    uint64_t n = s->transform_tracks;
    if (r == LATHE_OK && n)
        r = tolerance_ok(&o->translation, n, "translation", "track", err);
    if (r == LATHE_OK && n)
        r = tolerance_ok(&o->rotation, n, "rotation", "track", err);
    if (r == LATHE_OK && n)
        r = tolerance_ok(&o->scale, n, "scale", "track", err);
    if (r == LATHE_OK && s->float_tracks)
        r = tolerance_ok(&o->value, s->float_tracks, "value", "float track", err);
    for (uint64_t u = 0; r == LATHE_OK && u < s->frames; u++) {
        for (uint64_t i = 0; r == LATHE_OK && i < n; i++)
            r = row_ok(s->rows + (u * n + i) * HK_ROW, i, u, err);
        for (uint64_t i = 0; r == LATHE_OK && i < s->float_tracks; i++)
            r = number_ok(s->values[u * s->float_tracks + i], "value", "float track", i, u, err);
    }
    return r;
}
