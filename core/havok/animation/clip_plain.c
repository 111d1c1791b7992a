/* Samples written as they are: interleaved, and Fallout 4's own lossless form. Reference: formats/hkx-animation.md#3. */
#include "havok/animation/clip_write.h"

#include <string.h>

/* ---- interleaved ----------------------------------------------------------------------------------------- */

/* A row over the 12 floats of an hkQsTransform, whose two unused lanes stay. */
static void put_transform(uint8_t *p, const float *row, bool big)
{
    static const uint8_t lanes[MODEL_POSE] = {0, 1, 2, 4, 5, 6, 7, 8, 9, 10};
    for (unsigned i = 0; i < MODEL_POSE; i++) {
        uint32_t bits;
        memcpy(&bits, &row[i], sizeof bits);
        bytes_st32(p + 4 * lanes[i], bits, big);
    }
}

/* The frames as they are read now, where the clip has the same tracks; an empty buffer else. What reads as it did keeps
 * its bytes: rotations are read with length 1, and need not be stored so. */
static lathe_result read_old(const rec_at *at, const model_motion *m, buf *rows, lathe_error *err)
{
    hk_poses poses;
    lathe_result r = hk_poses_open(at, &poses, err);
    buf_init(rows, &at->doc->mem);
    if (r != LATHE_OK)
        return r == LATHE_ERR_MEMORY ? r : LATHE_OK; /* all of it is written anew */
    const hk_uncompressed *u = &poses.as.plain;
    uint64_t n = u->frames < m->frame_count ? u->frames : m->frame_count;
    if (u->transform_tracks != m->track_count)
        return LATHE_OK;
    size_t size = (size_t)(n * m->track_count) * MODEL_POSE * sizeof(float);
    if (!buf_fill(rows, 0, size))
        return rec_no_memory(err);
    hk_uncompressed_decode(u, 0, n, (float *)(void *)rows->data);
    return LATHE_OK;
}

lathe_result hk_write_interleaved(const rec_at *at, const model_motion *m, lathe_error *err)
{
    bytes_array old;
    buf bytes, rows;
    bool big = hk_is_big(at);
    uint64_t n = m->frame_count * m->track_count;
    size_t row = MODEL_POSE * sizeof(float);
    lathe_result r = read_old(at, m, &rows, err);
    if (r == LATHE_OK)
        r = hk_transforms(at, "transforms", &old, err);
    buf_init(&bytes, &at->doc->mem);
    if (r == LATHE_OK &&
        (n > SIZE_MAX / HK_TRANSFORM_SIZE || !buf_fill(&bytes, 0, (size_t)n * HK_TRANSFORM_SIZE)))
        r = rec_no_memory(err);
    uint64_t kept = rows.size / row;
    if (r == LATHE_OK && kept)
        memcpy(bytes.data, old.bytes, (size_t)kept * HK_TRANSFORM_SIZE);
    for (uint64_t i = 0; r == LATHE_OK && i < n; i++)
        if (i >= kept || memcmp(rows.data + i * row, m->rows + i * MODEL_POSE, row) != 0)
            put_transform(bytes.data + i * HK_TRANSFORM_SIZE, m->rows + i * MODEL_POSE, big);
    if (r == LATHE_OK)
        r = hk_put_array(at, "transforms", HK_TRANSFORM_SIZE, n, bytes.data, err);
    buf_free(&rows);
    buf_free(&bytes);
    if (r == LATHE_OK)
        r = hk_put_integer(at, "number_of_transform_tracks", (int64_t)m->track_count, err);
    if (r == LATHE_OK)
        r = hk_put_integer(at, "number_of_float_tracks", (int64_t)m->float_count, err);
    return r == LATHE_OK
               ? hk_put_floats(at, "floats", 1, m->frame_count * m->float_count, m->floats, err)
               : r;
}

/* ---- lossless -------------------------------------------------------------------------------------------- */

enum { IDENTITY, STATIC, DYNAMIC };

/* One of the three channels: what its lanes (or rotations) are, and the values that are not at rest. */
typedef struct channel {
    const char *dynamics, *statics, *codes;
    unsigned first, lanes; /* in a row */
    unsigned each;         /* floats of one value: 1 of a lane, 4 of a rotation */
    float rest;
    uint16_t *code; /* of each lane of each track; 4 a track where lanes have codes of their own */
    uint64_t statics_n, dynamics_n;
} channel;

static const float *value_of(const model_motion *m, const channel *c, uint64_t frame,
                             uint64_t track, unsigned lane)
{
    return model_motion_row(m, frame, track) + c->first + lane;
}

static int kind_of(const model_motion *m, const channel *c, uint64_t track, unsigned lane)
{
    static const float none[4] = {0, 0, 0, 1};
    const float *at = value_of(m, c, 0, track, lane);
    size_t size = c->each * sizeof *at;
    for (uint64_t f = 1; f < m->frame_count; f++)
        if (memcmp(value_of(m, c, f, track, lane), at, size) != 0)
            return DYNAMIC;
    return memcmp(at, c->each == 4 ? none : &c->rest, size) == 0 ? IDENTITY : STATIC;
}

static bool classify(const model_motion *m, channel *c)
{
    unsigned stride = c->each == 4 ? 1 : 4;
    for (uint64_t k = 0; k < m->track_count; k++)
        for (unsigned lane = 0; lane < c->lanes; lane++) {
            int kind = kind_of(m, c, k, lane);
            uint64_t index = kind == DYNAMIC  ? c->dynamics_n++
                             : kind == STATIC ? c->statics_n++
                                              : 0;
            if (index > UINT16_MAX >> 2)
                return false;
            c->code[k * stride + lane] = (uint16_t)(index << 2 | (unsigned)kind);
        }
    return true;
}

/* The values of one kind at a frame, in the order of their codes. */
static bool gather(const model_motion *m, const channel *c, int kind, uint64_t frame, buf *out)
{
    unsigned stride = c->each == 4 ? 1 : 4;
    for (uint64_t k = 0; k < m->track_count; k++)
        for (unsigned lane = 0; lane < c->lanes; lane++)
            if ((c->code[k * stride + lane] & 3) == kind &&
                !buf_put(out, value_of(m, c, frame, k, lane), c->each * sizeof(float)))
                return false;
    return true;
}

static lathe_result put_values(const rec_at *at, const model_motion *m, const channel *c, int kind,
                               lathe_error *err)
{
    buf values;
    uint64_t frames = kind == DYNAMIC ? m->frame_count : 1;
    lathe_result r = LATHE_OK;
    buf_init(&values, &at->doc->mem);
    for (uint64_t f = 0; r == LATHE_OK && f < frames; f++)
        if (!gather(m, c, kind, f, &values))
            r = rec_no_memory(err);
    if (r == LATHE_OK)
        r = hk_put_floats(at, kind == DYNAMIC ? c->dynamics : c->statics, c->each,
                          values.size / (c->each * sizeof(float)),
                          (const float *)(const void *)values.data, err);
    buf_free(&values);
    return r;
}

static lathe_result put_codes(const rec_at *at, const model_motion *m, const channel *c,
                              lathe_error *err)
{
    buf bytes;
    unsigned stride = c->each == 4 ? 1 : 4;
    uint64_t n = m->track_count * stride;
    buf_init(&bytes, &at->doc->mem);
    if (!buf_fill(&bytes, 0, (size_t)n * 2))
        return rec_no_memory(err);
    for (uint64_t i = 0; i < n; i++)
        bytes_st16(bytes.data + 2 * i, c->code[i], hk_is_big(at));
    lathe_result r =
        hk_put_array(at, c->codes, (uint64_t)2 * stride, m->track_count, bytes.data, err);
    buf_free(&bytes);
    return r;
}

static lathe_result put_channel(const rec_at *at, const model_motion *m, channel *c,
                                lathe_error *err)
{
    const mem *memory = &at->doc->mem;
    size_t size = (size_t)m->track_count * 4 * sizeof *c->code;
    c->code = mem_zalloc(memory, size + 1);
    if (!c->code)
        return rec_no_memory(err);
    lathe_result r = classify(m, c) ? LATHE_OK
                                    : rec_fail(at, REC_NO_SLOT, at->off, err, LATHE_ERR_LIMIT,
                                               "%s: more than 16384 values for a frame", c->codes);
    if (r == LATHE_OK)
        r = put_values(at, m, c, DYNAMIC, err);
    if (r == LATHE_OK)
        r = put_values(at, m, c, STATIC, err);
    if (r == LATHE_OK)
        r = put_codes(at, m, c, err);
    mem_free(memory, c->code, size + 1);
    return r;
}

lathe_result hk_write_lossless(const rec_at *at, const model_motion *m, lathe_error *err)
{
    channel channels[] = {
        {"dynamic_translations", "static_translations", "translation_type_and_offsets", 0, 3, 1, 0,
         0, 0, 0},
        {"dynamic_rotations", "static_rotations", "rotation_type_and_offsets", 3, 1, 4, 0, 0, 0, 0},
        {"dynamic_scales", "static_scales", "scale_type_and_offsets", 7, 3, 1, 1, 0, 0, 0},
    };
    buf rows;
    lathe_result r = read_old(at, m, &rows, err);
    size_t all = (size_t)(m->frame_count * m->track_count) * MODEL_POSE * sizeof(float);
    bool same = r == LATHE_OK && all && rows.size == all && memcmp(rows.data, m->rows, all) == 0 &&
                hk_number(at, "num_frames") == (double)m->frame_count;
    buf_free(&rows);
    for (size_t i = 0; r == LATHE_OK && !same && i < REC_COUNT_OF(channels); i++)
        r = put_channel(at, m, &channels[i], err);
    if (r == LATHE_OK)
        r = hk_put_floats(at, "floats", 1, m->frame_count * m->float_count, m->floats, err);
    if (r == LATHE_OK)
        r = hk_put_integer(at, "num_frames", (int64_t)m->frame_count, err);
    if (r == LATHE_OK)
        r = hk_put_integer(at, "number_of_transform_tracks", (int64_t)m->track_count, err);
    return r == LATHE_OK
               ? hk_put_integer(at, "number_of_float_tracks", (int64_t)m->float_count, err)
               : r;
}
