#include "havok/animation/maths/spline_encode_check.h"
#include "havok/animation/maths/spline_encode_part.h"
#include "havok/animation/maths/spline_track.h"

#include <inttypes.h>
#include <math.h>

enum { END = 10, BLOCK_ALIGN = 16 }; /* doubles of a track's end: translation, rotation, scale */

typedef struct encoder {
    const hk_samples *s;
    const hk_encode_options *o;
    const mem *m;
    hk_encoded *out;
    hk_encode_report *report;
    lathe_error *err;
    hk_part_writer *w;
    double *ends; /* END for each track, then one for each float track */
    size_t ends_size;
    uint64_t block, first; /* which block, and its first frame */
    bool keeps;            /* old bytes can be kept */
} encoder;

static lathe_result no_memory(lathe_error *err)
{
    return error_set(err, LATHE_ERR_MEMORY, LATHE_NO_OFFSET, "out of memory");
}

/* ---- quantisations ------------------------------------------------------------------------------------ */

static const struct {
    hk_packing packing;
    hk_quantization finer;
    unsigned fineness;
    const char *name;
} quantizations[] = {
    [HK_QUANTIZE_40] = {HK_THREECOMP40, HK_QUANTIZE_48, 1, "40"},
    [HK_QUANTIZE_48] = {HK_THREECOMP48, HK_QUANTIZE_NONE, 2, "48"},
    [HK_QUANTIZE_32] = {HK_POLAR32, HK_QUANTIZE_40, 0, "32"},
    [HK_QUANTIZE_NONE] = {HK_UNCOMPRESSED, HK_QUANTIZE_NONE, 3, "none"},
};

/* ---- samples -------------------------------------------------------------------------------------------- */

static void take_vector(encoder *e, uint64_t track, unsigned from)
{
    uint64_t n = e->s->transform_tracks;
    const float *row = e->s->rows + (e->first * n + track) * HK_ROW + from;
    for (unsigned u = 0; u < e->w->frames; u++, row += n * HK_ROW)
        for (unsigned a = 0; a < 3; a++)
            e->w->samples[u][a] = (double)row[a];
}

static void take_rotation(encoder *e, uint64_t track)
{
    uint64_t n = e->s->transform_tracks;
    const float *row = e->s->rows + (e->first * n + track) * HK_ROW + 3;
    for (unsigned u = 0; u < e->w->frames; u++, row += n * HK_ROW) {
        double sum = 0;
        for (unsigned a = 0; a < 4; a++)
            sum += (double)row[a] * (double)row[a];
        sum = 1 / sqrt(sum);
        for (unsigned a = 0; a < 4; a++)
            e->w->samples[u][a] = (double)row[a] * sum;
    }
}

/* ---- tracks --------------------------------------------------------------------------------------------- */

/* The greatest figure of all of the track's frames. */
static lathe_result too_coarse(encoder *e, uint64_t track, hk_quantization q)
{
    double worst = 0;
    uint64_t frames = e->s->frames;
    for (e->first = 0; e->first < frames; e->first += e->w->frames) {
        uint64_t left = frames - e->first;
        e->w->frames = left < HK_FRAMES_MAX ? (unsigned)left : HK_FRAMES_MAX;
        take_rotation(e, track);
        double floor = hk_rotation_floor(e->w, quantizations[q].packing);
        worst = floor > worst ? floor : worst;
    }
    return error_set(e->err, LATHE_ERR_RANGE, LATHE_NO_OFFSET,
                     "rotation of track %" PRIu64 ": quantization %s comes to %.2g rad, the "
                     "tolerance is %g",
                     track, quantizations[q].name, worst, hk_tolerance_of(&e->o->rotation, track));
}

static lathe_result put_rotation(encoder *e, uint64_t track, double *end, uint8_t *mask,
                                 hk_packing *packing)
{
    hk_quantization q = e->o->quantization;
    double tolerance = hk_tolerance_of(&e->o->rotation, track);
    take_rotation(e, track);
    for (;; q = quantizations[q].finer) {
        *packing = quantizations[q].packing;
        hk_wrote wrote = hk_write_rotation(e->w, *packing, tolerance, end, mask);
        if (wrote == HK_NO_MEMORY)
            return no_memory(e->err);
        if (wrote == HK_WROTE)
            break;
        if (e->o->named || q == HK_QUANTIZE_NONE)
            return too_coarse(e, track, q);
    }
    if (quantizations[q].fineness > quantizations[e->report->quantization].fineness)
        e->report->quantization = q;
    return LATHE_OK;
}

static lathe_result put_track(encoder *e, uint64_t track)
{
    uint8_t masks[4] = {0};
    bool small_translation, small_scale;
    hk_packing packing;
    double *end = e->ends + track * END;
    take_vector(e, track, 0);
    if (!hk_write_vector(e->w, 3, 0, hk_tolerance_of(&e->o->translation, track), end, &masks[1],
                         &small_translation))
        return no_memory(e->err);
    lathe_result r = put_rotation(e, track, end + 3, &masks[2], &packing);
    if (r != LATHE_OK)
        return r;
    take_vector(e, track, 7);
    if (!hk_write_vector(e->w, 3, 1, hk_tolerance_of(&e->o->scale, track), end + 7, &masks[3],
                         &small_scale))
        return no_memory(e->err);
    masks[0] = (uint8_t)((small_translation ? 0u : 1u) | (unsigned)packing << 2 |
                         (small_scale ? 0u : 0x40u));
    memcpy(e->out->data.data + e->w->block + 4 * track, masks, sizeof masks);
    return LATHE_OK;
}

/* Games have one number for each; a curve only where that does not do. */
static lathe_result put_value(encoder *e, uint64_t track, uint8_t *curves)
{
    bool is_small;
    uint8_t mask, wrote;
    uint64_t n = e->s->float_tracks, before = e->s->transform_tracks;
    const float *v = e->s->values + e->first * n + track;
    for (unsigned u = 0; u < e->w->frames; u++, v += n)
        e->w->samples[u][0] = (double)*v;
    if (!hk_write_vector(e->w, 1, HUGE_VAL, hk_tolerance_of(&e->o->value, track),
                         e->ends + before * END + track, &wrote, &is_small))
        return no_memory(e->err);
    mask = (uint8_t)(wrote | (is_small ? 0u : 2u));
    if (wrote & 0x10 && !curves[track]) {
        curves[track] = 1;
        e->report->spline_floats++;
    }
    e->out->data.data[e->w->block + 4 * before + track] = mask;
    return LATHE_OK;
}

/* ---- bytes that stay ------------------------------------------------------------------------------------ */

static uint64_t blocks_of(uint64_t frames, uint64_t m)
{
    return frames > m ? (frames - 1 + m - 2) / (m - 1) : 1;
}

/* Parts are padded from their block's start, so they may move only by fours. */
static bool can_keep(const hk_samples *s, const hk_encode_options *o, uint64_t blocks, uint64_t m)
{
    if (!o->old || !o->touched)
        return false;
    const hk_spline_facts *f = &o->old->facts;
    return !f->big && (uint64_t)f->frames == s->frames && (uint64_t)f->blocks == blocks &&
           (uint64_t)f->transform_tracks == s->transform_tracks &&
           (uint64_t)f->float_tracks == s->float_tracks &&
           (blocks == 1 || (uint64_t)f->max_frames_per_block == m);
}

static lathe_result keep_bytes(encoder *e, uint64_t start, uint64_t end)
{
    bool ok = start == end ||
              (buf_put(&e->out->data, e->o->old->facts.data + start, (size_t)(end - start)) &&
               hk_write_pad(e->w, 4));
    return ok ? LATHE_OK : no_memory(e->err);
}

/* Sets *kept where the old track's bytes could be kept. */
static lathe_result keep_track(encoder *e, uint64_t i, bool *kept)
{
    hk_track track;
    hk_channel value;
    const hk_spline *old = e->o->old;
    uint64_t n = e->s->transform_tracks;
    hk_reader r = hk_reader_of(&old->facts, e->block);
    r.check = true;
    if (i < n)
        hk_track_at(old, &r, i, &track);
    else
        hk_float_at(old, &r, i - n, &value);
    uint64_t start = old->starts[e->block * (n + e->s->float_tracks) + i];
    *kept = (start - r.start) % 4 == 0;
    if (!*kept)
        return LATHE_OK;
    uint64_t at = i < n ? 4 * i : 4 * n + (i - n);
    memcpy(e->out->data.data + e->w->block + at, old->facts.data + r.start + at, i < n ? 4 : 1);
    return keep_bytes(e, start, r.at);
}

/* ---- blocks --------------------------------------------------------------------------------------------- */

static lathe_result put_tracks(encoder *e, uint8_t *curves)
{
    uint64_t n = e->s->transform_tracks, all = n + e->s->float_tracks;
    lathe_result r = LATHE_OK;
    for (uint64_t i = 0; r == LATHE_OK && i < all; i++) {
        bool kept = false;
        if (i == n)
            e->out->float_block_offsets[e->block] = (uint32_t)(e->out->data.size - e->w->block);
        if (hk_is_kept(e->o, e->keeps, i))
            r = keep_track(e, i, &kept);
        if (r == LATHE_OK && !kept)
            r = i < n ? put_track(e, i) : put_value(e, i - n, curves);
    }
    if (!e->s->float_tracks)
        e->out->float_block_offsets[e->block] = (uint32_t)(e->out->data.size - e->w->block);
    return r;
}

static bool all_kept(const encoder *e)
{
    uint64_t all = e->s->transform_tracks + e->s->float_tracks;
    for (uint64_t i = 0; i < all; i++)
        if (!hk_is_kept(e->o, e->keeps, i))
            return false;
    return e->keeps;
}

static lathe_result keep_block(encoder *e)
{
    const hk_spline_facts *f = &e->o->old->facts;
    hk_reader r = hk_reader_of(f, e->block);
    if (f->float_tracks)
        e->out->float_block_offsets[e->block] =
            bytes_ld32(f->float_block_offsets.bytes + 4 * e->block, f->tables_big);
    else
        e->out->float_block_offsets[e->block] = (uint32_t)(r.end - r.start);
    return keep_bytes(e, r.start, r.end);
}

static lathe_result put_block(encoder *e, uint8_t *curves, bool whole)
{
    hk_encoded *out = e->out;
    lathe_result r;
    e->w->block = out->data.size;
    e->w->follows = e->block > 0;
    out->block_offsets[e->block] = (uint32_t)out->data.size;
    if (whole) {
        r = keep_block(e);
    } else {
        if (!buf_fill(&out->data, 0, out->mask_size))
            return no_memory(e->err);
        r = put_tracks(e, curves);
    }
    if (r == LATHE_OK && !hk_write_pad(e->w, BLOCK_ALIGN))
        return no_memory(e->err);
    if (r == LATHE_OK && out->data.size > UINT32_MAX)
        return error_set(e->err, LATHE_ERR_RANGE, LATHE_NO_OFFSET,
                         "%zu bytes of data are too many: %" PRIu32 " at most", out->data.size,
                         UINT32_MAX);
    return r;
}

static lathe_result put_blocks(encoder *e, uint8_t *curves)
{
    lathe_result r = LATHE_OK;
    uint64_t m = e->out->max_frames_per_block;
    bool whole = all_kept(e);
    for (e->block = 0; r == LATHE_OK && e->block < e->out->blocks; e->block++) {
        e->first = e->block * (m - 1);
        uint64_t left = e->s->frames - e->first;
        e->w->frames = (unsigned)(left < m ? left : m);
        r = put_block(e, curves, whole);
    }
    return r;
}

/* ---- all ------------------------------------------------------------------------------------------------ */

void hk_encoded_free(hk_encoded *e, const mem *m)
{
    e->data.mem = m; /* not that of the caller, which may be gone */
    buf_free(&e->data);
    mem_free(m, e->block_offsets, e->offsets_room);
    mem_free(m, e->float_block_offsets, e->offsets_room);
    *e = (hk_encoded){.data.mem = m};
}

static bool make_room(encoder *e, uint8_t **curves)
{
    hk_encoded *out = e->out;
    uint64_t n = e->s->transform_tracks * END + e->s->float_tracks;
    e->ends_size = (size_t)n * sizeof *e->ends;
    out->offsets_room = out->blocks * sizeof *out->block_offsets;
    out->block_offsets = mem_zalloc(e->m, out->offsets_room);
    out->float_block_offsets = mem_zalloc(e->m, out->offsets_room);
    e->ends = mem_zalloc(e->m, e->ends_size);
    e->w = mem_zalloc(e->m, sizeof *e->w);
    *curves = mem_zalloc(e->m, (size_t)e->s->float_tracks);
    return out->block_offsets && out->float_block_offsets && e->ends && e->w && *curves;
}

static void set_facts(encoder *e)
{
    hk_encoded *out = e->out;
    uint64_t m = e->o->max_frames_per_block ? e->o->max_frames_per_block : HK_FRAMES_MAX;
    uint64_t masks = 4 * e->s->transform_tracks + e->s->float_tracks;
    buf_init(&out->data, e->m);
    out->max_frames_per_block = (uint32_t)m;
    out->blocks = (uint32_t)blocks_of(e->s->frames, m);
    out->mask_size = (uint32_t)((masks + 3) / 4 * 4);
    e->keeps = can_keep(e->s, e->o, out->blocks, m);
    if (all_kept(e))
        out->mask_size = (uint32_t)e->o->old->facts.mask_size;
}

lathe_result hk_spline_encode(const hk_samples *samples, const hk_encode_options *options,
                              const mem *m, hk_encoded *out, hk_encode_report *report,
                              hk_coarse_fn *coarse, void *user, lathe_error *err)
{
    uint8_t *curves = NULL;
    encoder e = {samples, options, m, out, report, err, NULL, NULL, 0, 0, 0, false};
    lathe_result r = hk_encode_check(samples, options, err);
    *out = (hk_encoded){.data.mem = m};
    *report = (hk_encode_report){.quantization = options->quantization};
    if (r != LATHE_OK)
        return r;
    set_facts(&e);
    r = make_room(&e, &curves) ? LATHE_OK : no_memory(err);
    if (r == LATHE_OK) {
        e.w->out = &out->data;
        r = put_blocks(&e, curves);
    }
    mem_free(m, curves, (size_t)samples->float_tracks);
    mem_free(m, e.w, sizeof *e.w);
    mem_free(m, e.ends, e.ends_size);
    if (r == LATHE_OK)
        r = hk_encode_measure(samples, options, e.keeps, out, m, report, coarse, user, err);
    if (r != LATHE_OK)
        hk_encoded_free(out, m);
    return r;
}
