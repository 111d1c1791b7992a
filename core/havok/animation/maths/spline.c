#include "havok/animation/maths/spline_track.h"

#include <inttypes.h>
#include <math.h>

/* ---- blocks ---------------------------------------------------------------------------------------- */

static uint64_t tracks_of(const hk_spline_facts *f)
{
    return (uint64_t)f->transform_tracks + (uint64_t)f->float_tracks;
}

static uint32_t u32_at(const hk_spline_facts *f, const bytes_array *list, uint64_t i)
{
    return bytes_ld32(list->bytes + 4 * i, f->tables_big);
}

/* Block b ends where the next one starts. */
hk_reader hk_reader_of(const hk_spline_facts *f, uint64_t b)
{
    bool last = b + 1 == (uint64_t)f->blocks;
    return (hk_reader){.data = f->data,
                       .start = u32_at(f, &f->block_offsets, b),
                       .end = last ? f->size : u32_at(f, &f->block_offsets, b + 1),
                       .big = f->big,
                       .block = b,
                       .kind = "track"};
}

void hk_track_at(const hk_spline *s, hk_reader *r, uint64_t t, hk_track *out)
{
    r->at = s->starts[r->block * tracks_of(&s->facts) + t];
    hk_read_track(r, s->facts.data + r->start + 4 * t, out);
}

void hk_float_at(const hk_spline *s, hk_reader *r, uint64_t t, hk_channel *out)
{
    uint64_t before = (uint64_t)s->facts.transform_tracks;
    r->at = s->starts[r->block * tracks_of(&s->facts) + before + t];
    hk_read_float(r, bytes_ld8(s->facts.data + r->start + 4 * before + t), out);
}

/* ---- opening --------------------------------------------------------------------------------------- */

static lathe_result count_ok(const char *member, const char *name, int64_t n, int64_t least,
                             uint64_t most, lathe_error *err)
{
    lathe_result r = LATHE_OK;
    if (n < least)
        r = error_set(err, LATHE_ERR_INVALID, LATHE_NO_OFFSET, "%" PRId64 " %s", n, name);
    else if ((uint64_t)n > most)
        r = error_set(err, LATHE_ERR_BOUNDS, LATHE_NO_OFFSET,
                      "%" PRId64 " %s, but there is room for at most %" PRIu64, n, name, most);
    if (r != LATHE_OK)
        error_where(err, member);
    return r;
}

static lathe_result counts_ok(const hk_spline_facts *f, lathe_error *err)
{
    if (f->size > UINT32_MAX)
        return error_set(err, LATHE_ERR_LIMIT, 0, "%" PRIu64 " bytes of data", f->size);
    lathe_result r = count_ok("num_blocks", "blocks", f->blocks, 1, f->block_offsets.count, err);
    uint64_t each = r == LATHE_OK ? f->size / (uint64_t)f->blocks : 0; /* bytes a block */
    if (r == LATHE_OK)
        r = count_ok("number_of_transform_tracks", "transform tracks", f->transform_tracks, 0,
                     each / 4, err);
    if (r == LATHE_OK)
        r = count_ok("number_of_float_tracks", "float tracks", f->float_tracks, 0,
                     each - 4 * (uint64_t)f->transform_tracks, err);
    if (r == LATHE_OK && f->float_tracks)
        r = count_ok("num_blocks", "blocks", f->blocks, 1, f->float_block_offsets.count, err);
    if (r == LATHE_OK)
        r = count_ok("mask_and_quantization_size", "bytes of masks", f->mask_size,
                     4 * f->transform_tracks + f->float_tracks, each, err);
    if (r != LATHE_OK)
        return r;
    /* Files have 256 in each block, also where there are fewer frames than that. */
    uint64_t m =
        f->max_frames_per_block > HK_FRAMES_MAX ? HK_FRAMES_MAX : (uint64_t)f->max_frames_per_block;
    r = count_ok("max_frames_per_block", "frames per block", f->max_frames_per_block,
                 f->blocks > 1 ? 2 : 1, f->blocks > 1 ? HK_FRAMES_MAX : UINT64_MAX, err);
    return r == LATHE_OK
               ? count_ok("num_frames", "frames", f->frames, 1, m * (uint64_t)f->blocks, err)
               : r;
}

static lathe_result blocks_ok(const hk_spline_facts *f, lathe_error *err)
{
    uint64_t before = 0;
    for (uint64_t b = 0; b < (uint64_t)f->blocks; b++) {
        uint64_t start = u32_at(f, &f->block_offsets, b);
        if (start > f->size || f->size - start < (uint64_t)f->mask_size)
            return error_set(err, LATHE_ERR_BOUNDS, start,
                             "block %" PRIu64 " and its masks end behind the data, at %" PRIu64, b,
                             f->size);
        if (start < before)
            return error_set(err, LATHE_ERR_INVALID, start,
                             "block %" PRIu64 " starts inside the one before it", b);
        before = start + (uint64_t)f->mask_size;
    }
    return LATHE_OK;
}

static lathe_result index_floats(const hk_spline_facts *f, hk_reader *r, const uint8_t *masks,
                                 uint32_t *starts)
{
    hk_channel part;
    uint64_t offset = u32_at(f, &f->float_block_offsets, r->block);
    if (offset > r->end - r->start)
        return error_set(r->err, LATHE_ERR_BOUNDS, r->start,
                         "block %" PRIu64 ": its float tracks start behind it, at %" PRIu64,
                         r->block, offset);
    r->kind = "float track";
    r->at = r->start + offset;
    for (uint64_t i = 0; i < (uint64_t)f->float_tracks; i++) {
        r->track = i;
        starts[i] = (uint32_t)r->at;
        if (!hk_read_float(r, bytes_ld8(masks + i), &part))
            return r->result;
    }
    return LATHE_OK;
}

static lathe_result index_block(const hk_spline_facts *f, uint64_t b, uint32_t *starts,
                                lathe_error *err)
{
    hk_track track;
    hk_reader r = hk_reader_of(f, b);
    const uint8_t *masks = f->data + r.start;
    uint64_t n = (uint64_t)f->transform_tracks;
    r.at = r.start + (uint64_t)f->mask_size;
    r.check = true;
    r.err = err;
    for (uint64_t i = 0; i < n; i++) {
        r.track = i;
        starts[i] = (uint32_t)r.at;
        if (!hk_read_track(&r, masks + 4 * i, &track))
            return r.result;
    }
    return f->float_tracks ? index_floats(f, &r, masks + 4 * n, starts + n) : LATHE_OK;
}

lathe_result hk_spline_open(hk_spline *s, const hk_spline_facts *facts, const mem *m,
                            lathe_error *err)
{
    *s = (hk_spline){.facts = *facts, .mem = *m};
    lathe_result r = counts_ok(facts, err);
    if (r == LATHE_OK)
        r = blocks_ok(facts, err);
    if (r != LATHE_OK)
        return r;
    /* No more than the data has bytes, for each has a mask there. */
    uint64_t n = (uint64_t)facts->blocks * tracks_of(facts);
    s->starts_size = (size_t)n * sizeof *s->starts;
    s->starts = n <= SIZE_MAX / sizeof *s->starts ? mem_alloc(m, s->starts_size) : NULL;
    if (!s->starts)
        return error_set(err, LATHE_ERR_MEMORY, LATHE_NO_OFFSET, "out of memory");
    for (uint64_t b = 0; r == LATHE_OK && n > 0 && b < (uint64_t)facts->blocks; b++)
        r = index_block(facts, b, s->starts + b * tracks_of(facts), err);
    if (r != LATHE_OK)
        hk_spline_free(s);
    return r;
}

void hk_spline_free(hk_spline *s)
{
    mem_free(&s->mem, s->starts, s->starts_size);
    s->starts = NULL;
    s->starts_size = 0;
}

/* ---- moments --------------------------------------------------------------------------------------- */

static double between(double v, double low, double high)
{
    return v > low ? v < high ? v : high : low; /* not a number: low */
}

/* The block of a moment and the frames from its start. Reference: formats/hkx-animation.md#6.1. */
uint64_t hk_block_of(const hk_spline_facts *f, const model_when *when, double *u)
{
    double last = (double)(f->blocks - 1), length = (double)(f->max_frames_per_block - 1), b;
    if (when->is_time) {
        b = between(floor(when->at * f->block_inverse_duration), 0, last);
        *u = between((when->at - b * f->block_duration) / f->frame_duration, 0, length);
    } else {
        double frame = between(when->at, 0, (double)(f->frames - 1));
        b = length > 0 ? between(floor(frame / length), 0, last) : 0;
        *u = frame - b * length;
    }
    return (uint64_t)b;
}

/* ---- samples --------------------------------------------------------------------------------------- */

static void part_at(const hk_channel *p, double u, float out[4])
{
    if (p->moves)
        hk_curve_at(&p->curve, u, out);
    else
        memcpy(out, p->value, sizeof p->value);
}

static void row_at(const hk_track *track, double u, float *row)
{
    float t[4], q[1][4], s[4];
    part_at(&track->translation, u, t);
    part_at(&track->rotation, u, q[0]);
    part_at(&track->scale, u, s);
    if (track->rotation.moves)
        hk_unit(q, 1);
    memcpy(row, t, 3 * sizeof *row);
    memcpy(row + 3, q, sizeof q);
    memcpy(row + 7, s, 3 * sizeof *row);
}

void hk_spline_sample(const hk_spline *s, const model_when *when, uint64_t first, uint64_t n,
                      float *rows)
{
    double u;
    hk_track track;
    hk_reader r = hk_reader_of(&s->facts, hk_block_of(&s->facts, when, &u));
    for (uint64_t i = 0; i < n; i++, rows += HK_ROW) {
        hk_track_at(s, &r, first + i, &track);
        row_at(&track, u, rows);
    }
}

void hk_spline_floats_sample(const hk_spline *s, const model_when *when, uint64_t first, uint64_t n,
                             float *values)
{
    double u;
    float value[4];
    hk_channel part;
    hk_reader r = hk_reader_of(&s->facts, hk_block_of(&s->facts, when, &u));
    for (uint64_t i = 0; i < n; i++) {
        hk_float_at(s, &r, first + i, &part);
        part_at(&part, u, value);
        values[i] = value[0];
    }
}
