#include "havok/animation/maths/uncompressed.h"

#include "base/bytes.h"
#include "base/error.h"

#include <inttypes.h>
#include <math.h>

enum {
    TRANSFORM = 48,      /* an hkQsTransform: three vectors of four floats */
    FRAMES_MAX = 1 << 20 /* where nothing moves the data don't say how many can be: 9 hours */
};

/* An error of a member. */
static lathe_result in_member(const char *member, lathe_result r, lathe_error *err)
{
    if (r != LATHE_OK)
        error_where(err, member);
    return r;
}

static float float_at(const bytes_array *a, bool big, uint64_t i)
{
    float v;
    uint32_t bits = bytes_ld32(a->bytes + 4 * i, big);
    memcpy(&v, &bits, sizeof v);
    return v;
}

static unsigned code_at(const bytes_array *a, bool big, uint64_t i)
{
    return bytes_ld16(a->bytes + 2 * i, big);
}

/* ---- opening --------------------------------------------------------------------------------------- */

static lathe_result tracks_ok(int64_t transform_tracks, int64_t float_tracks, lathe_error *err)
{
    int64_t least = transform_tracks < float_tracks ? transform_tracks : float_tracks;
    if (least >= 0)
        return LATHE_OK;
    error_set(err, LATHE_ERR_INVALID, LATHE_NO_OFFSET, "%" PRId64 " tracks", least);
    return in_member(transform_tracks < 0 ? "number_of_transform_tracks" : "number_of_float_tracks",
                     LATHE_ERR_INVALID, err);
}

/* An array of whole frames; *frames is 0 as long as none has said how many there are. */
static lathe_result frames_ok(const char *name, const bytes_array *a, uint64_t tracks,
                              uint64_t *frames, lathe_error *err)
{
    if (tracks == 0)
        return LATHE_OK;
    if (a->count % tracks != 0 || a->count == 0)
        return error_set(err, LATHE_ERR_INVALID, LATHE_NO_OFFSET,
                         "%" PRIu64 " %s are not a whole number of frames of %" PRIu64 " tracks",
                         a->count, name, tracks);
    if (*frames != 0 && a->count / tracks != *frames)
        return error_set(err, LATHE_ERR_INVALID, LATHE_NO_OFFSET,
                         "%" PRIu64 " frames of %s, but the animation has %" PRIu64,
                         a->count / tracks, name, *frames);
    *frames = a->count / tracks;
    return LATHE_OK;
}

lathe_result hk_interleaved_open(hk_uncompressed *u, const hk_interleaved_facts *f,
                                 lathe_error *err)
{
    *u = (hk_uncompressed){
        .big = f->big, .duration = f->duration, .transforms = f->transforms, .floats = f->floats};
    lathe_result r = tracks_ok(f->transform_tracks, f->float_tracks, err);
    if (r != LATHE_OK)
        return r;
    u->transform_tracks = (uint64_t)f->transform_tracks;
    u->float_tracks = (uint64_t)f->float_tracks;
    r = in_member("transforms",
                  frames_ok("transforms", &u->transforms, u->transform_tracks, &u->frames, err),
                  err);
    if (r == LATHE_OK)
        r = in_member("floats", frames_ok("floats", &u->floats, u->float_tracks, &u->frames, err),
                      err);
    if (r == LATHE_OK && u->frames == 0)
        r = error_set(err, LATHE_ERR_INVALID, LATHE_NO_OFFSET, "no tracks, hence no frames");
    return r;
}

/* `codes` of them for each track, of which the first `used` count. */
static lathe_result codes_ok(const hk_uncompressed *u, const char *name, const bytes_array *list,
                             uint64_t codes, uint64_t used, const bytes_array *moving,
                             const bytes_array *fixed, lathe_error *err)
{
    if (moving->count % u->frames != 0)
        return error_set(err, LATHE_ERR_INVALID, LATHE_NO_OFFSET,
                         "%" PRIu64 " dynamic %ss are no whole frames", moving->count, name);
    if (list->count < u->transform_tracks)
        return error_set(err, LATHE_ERR_BOUNDS, LATHE_NO_OFFSET,
                         "%" PRIu64 " tracks, but the codes of %" PRIu64 " %ss",
                         u->transform_tracks, list->count, name);
    for (uint64_t i = 0; i < u->transform_tracks * codes; i++) {
        unsigned code = code_at(list, u->big, i);
        uint64_t there = (code & 3) == 1   ? fixed->count
                         : (code & 3) == 2 ? moving->count / u->frames
                                           : 0;
        if (i % codes < used && (code & 3) != 0 && code >> 2 >= there)
            return error_set(err, LATHE_ERR_BOUNDS, LATHE_NO_OFFSET,
                             "track %" PRIu64 ": %s code 0x%04x, but there are %" PRIu64, i / codes,
                             name, code, there);
    }
    return LATHE_OK;
}

lathe_result hk_lossless_open(hk_uncompressed *u, const hk_lossless_facts *f, lathe_error *err)
{
    *u = (hk_uncompressed){.big = f->big,
                           .is_lossless = true,
                           .duration = f->duration,
                           .floats = f->floats,
                           .lossless = *f};
    lathe_result r = tracks_ok(f->transform_tracks, f->float_tracks, err);
    if (r == LATHE_OK && f->frames < 1)
        r = error_set(err, LATHE_ERR_INVALID, LATHE_NO_OFFSET, "%" PRId64 " frames", f->frames);
    else if (r == LATHE_OK && f->frames > FRAMES_MAX)
        r = error_set(err, LATHE_ERR_LIMIT, LATHE_NO_OFFSET, "%" PRId64 " frames, more than %d",
                      f->frames, FRAMES_MAX);
    if (r != LATHE_OK)
        return in_member("num_frames", r, err);
    u->transform_tracks = (uint64_t)f->transform_tracks;
    u->float_tracks = (uint64_t)f->float_tracks;
    u->frames = (uint64_t)f->frames;
    r = in_member("translation_type_and_offsets",
                  codes_ok(u, "translation", &f->translation_codes, 4, 3, &f->dynamic_translations,
                           &f->static_translations, err),
                  err);
    if (r == LATHE_OK)
        r = in_member("rotation_type_and_offsets",
                      codes_ok(u, "rotation", &f->rotation_codes, 1, 1, &f->dynamic_rotations,
                               &f->static_rotations, err),
                      err);
    if (r == LATHE_OK)
        r = in_member(
            "scale_type_and_offsets",
            codes_ok(u, "scale", &f->scale_codes, 4, 3, &f->dynamic_scales, &f->static_scales, err),
            err);
    if (r == LATHE_OK)
        r = in_member("floats", frames_ok("floats", &f->floats, u->float_tracks, &u->frames, err),
                      err);
    return r;
}

/* ---- whole frames ---------------------------------------------------------------------------------- */

static void interleaved_row(const hk_uncompressed *u, uint64_t frame, uint64_t track, float *row)
{
    bytes_array a = {u->transforms.bytes + (frame * u->transform_tracks + track) * TRANSFORM, 12};
    for (unsigned i = 0; i < 3; i++) {
        row[i] = float_at(&a, u->big, i);
        row[7 + i] = float_at(&a, u->big, 8 + i);
    }
    for (unsigned i = 0; i < 4; i++)
        row[3 + i] = float_at(&a, u->big, 4 + i);
}

/* Where the element of a code lies: its number in *list, which is NULL where the code stands for rest. */
static uint64_t element(const hk_uncompressed *u, unsigned code, const bytes_array *moving,
                        const bytes_array *fixed, uint64_t frame, const bytes_array **list)
{
    *list = (code & 3) == 1 ? fixed : (code & 3) == 2 ? moving : NULL;
    return *list == moving ? frame * (moving->count / u->frames) + (code >> 2) : code >> 2;
}

static void lossless_vector(const hk_uncompressed *u, const bytes_array *codes,
                            const bytes_array *moving, const bytes_array *fixed, float rest,
                            uint64_t frame, uint64_t track, float *out)
{
    for (unsigned i = 0; i < 3; i++) {
        const bytes_array *list;
        unsigned code = code_at(codes, u->big, 4 * track + i);
        uint64_t at = element(u, code, moving, fixed, frame, &list);
        out[i] = list ? float_at(list, u->big, at) : rest;
    }
}

static void lossless_row(const hk_uncompressed *u, uint64_t frame, uint64_t track, float *row)
{
    const hk_lossless_facts *f = &u->lossless;
    const bytes_array *list;
    unsigned code = code_at(&f->rotation_codes, u->big, track);
    uint64_t at = element(u, code, &f->dynamic_rotations, &f->static_rotations, frame, &list);
    for (unsigned i = 0; i < 4; i++)
        row[3 + i] = list ? float_at(list, u->big, 4 * at + i) : i == 3;
    lossless_vector(u, &f->translation_codes, &f->dynamic_translations, &f->static_translations, 0,
                    frame, track, row);
    lossless_vector(u, &f->scale_codes, &f->dynamic_scales, &f->static_scales, 1, frame, track,
                    row + 7);
}

static void row_of(const hk_uncompressed *u, uint64_t frame, uint64_t track, float *row)
{
    float q[1][4];
    if (u->is_lossless)
        lossless_row(u, frame, track, row);
    else
        interleaved_row(u, frame, track, row);
    memcpy(q, row + 3, sizeof q);
    hk_unit(q, 1);
    memcpy(row + 3, q, sizeof q);
}

/* ---- samples --------------------------------------------------------------------------------------- */

/* The frame before a moment and how far it is on the way to the next: 0 for the last. */
static uint64_t frame_of(const hk_uncompressed *u, const model_when *when, float *t)
{
    double last = (double)(u->frames - 1), at = when->at;
    if (when->is_time)
        at = u->duration > 0 ? at / u->duration * last : 0;
    at = at > 0 ? at < last ? at : last : 0; /* not a number: 0 */
    *t = (float)(at - floor(at));
    return (uint64_t)at;
}

static void blend(float *row, const float *next, float t)
{
    float dot = row[3] * next[3] + row[4] * next[4] + row[5] * next[5] + row[6] * next[6];
    float q[1][4];
    for (unsigned i = 0; i < 4; i++)
        q[0][i] = row[3 + i] + ((dot < 0 ? -next[3 + i] : next[3 + i]) - row[3 + i]) * t;
    hk_unit(q, 1);
    for (unsigned i = 0; i < HK_ROW; i++)
        row[i] = row[i] + (next[i] - row[i]) * t;
    memcpy(row + 3, q, sizeof q);
}

void hk_uncompressed_sample(const hk_uncompressed *u, const model_when *when, uint64_t first,
                            uint64_t n, float *rows)
{
    float t, next[HK_ROW];
    uint64_t frame = frame_of(u, when, &t);
    for (uint64_t i = 0; i < n; i++, rows += HK_ROW) {
        row_of(u, frame, first + i, rows);
        if (t > 0) {
            row_of(u, frame + 1, first + i, next);
            blend(rows, next, t);
        }
    }
}

void hk_uncompressed_decode(const hk_uncompressed *u, uint64_t from, uint64_t n, float *rows)
{
    for (uint64_t f = 0; f < n; f++) {
        uint64_t frame = f < u->frames && from < u->frames - f ? from + f : u->frames - 1;
        for (uint64_t i = 0; i < u->transform_tracks; i++, rows += HK_ROW)
            row_of(u, frame, i, rows);
    }
}

void hk_uncompressed_floats_sample(const hk_uncompressed *u, const model_when *when, uint64_t first,
                                   uint64_t n, float *values)
{
    float t;
    uint64_t at = frame_of(u, when, &t) * u->float_tracks + first;
    for (uint64_t i = 0; i < n; i++) {
        values[i] = float_at(&u->floats, u->big, at + i);
        if (t > 0)
            values[i] += (float_at(&u->floats, u->big, at + i + u->float_tracks) - values[i]) * t;
    }
}

void hk_uncompressed_floats_decode(const hk_uncompressed *u, uint64_t from, uint64_t n,
                                   float *values)
{
    for (uint64_t f = 0; f < n; f++) {
        uint64_t frame = f < u->frames && from < u->frames - f ? from + f : u->frames - 1;
        for (uint64_t i = 0; i < u->float_tracks; i++)
            *values++ = float_at(&u->floats, u->big, frame * u->float_tracks + i);
    }
}
