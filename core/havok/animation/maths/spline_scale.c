/* Reference: formats/hkx-animation.md#6.4. */
#include "havok/animation/maths/spline_scale.h"

#include "havok/animation/maths/spline_track.h"

#include <inttypes.h>
#include <math.h>

/* Where the numbers of a track's translation begin, and how many there are: two of an axis that moves, one of
 * an axis that is fixed. Opening looked at all of it. */
static uint64_t numbers_of(const hk_spline *s, const hk_reader *r, uint64_t track, unsigned *n)
{
    uint64_t tracks = (uint64_t)(s->facts.transform_tracks + s->facts.float_tracks);
    uint64_t at = s->starts[r->block * tracks + track];
    unsigned mask = bytes_ld8(s->facts.data + r->start + 4 * track + 1);
    *n = 0;
    for (unsigned axis = 0; axis < 3; axis++)
        *n += mask >> axis & 0x10 ? 2 : mask >> axis & 1;
    if (!(mask & 0x70))
        return at;
    uint64_t points = bytes_ld16(s->facts.data + at, s->facts.big) + 1u;
    at += 3 + points + bytes_ld8(s->facts.data + at + 2) + 1u;
    return at + (4 - (at - r->start) % 4) % 4;
}

static lathe_result too_large(const hk_reader *r, uint64_t track, uint64_t at, double v,
                              lathe_error *err)
{
    return error_set(err, LATHE_ERR_RANGE, at,
                     "block %" PRIu64 ", track %" PRIu64
                     ": translation would be %g, which no track can have",
                     r->block, track, v);
}

static lathe_result scale_track(const hk_spline *s, const hk_reader *r, uint64_t track,
                                double factor, uint8_t *to, uint64_t *changed, lathe_error *err)
{
    unsigned n;
    uint64_t at = numbers_of(s, r, track, &n);
    *changed += n > 0;
    for (unsigned i = 0; i < n; i++, at += 4) {
        double v = bytes_f32_widen(bytes_ld32(s->facts.data + at, s->facts.big)) * factor;
        if (!(fabs(v) <= 0x1p120)) /* what a reader takes: spline_part.c */
            return too_large(r, track, at, v, err);
        bytes_st32(to + at, bytes_f32_narrow(v), s->facts.big);
    }
    return LATHE_OK;
}

lathe_result hk_spline_scale(const hk_spline *s, double factor, uint8_t *to, uint64_t *changed,
                             lathe_error *err)
{
    lathe_result result = LATHE_OK;
    uint64_t tracks = (uint64_t)s->facts.transform_tracks;
    for (uint64_t b = 0; tracks && b < (uint64_t)s->facts.blocks; b++) {
        hk_reader r = hk_reader_of(&s->facts, b);
        for (uint64_t t = 0; result == LATHE_OK && t < tracks; t++)
            result = scale_track(s, &r, t, factor, to, changed, err);
    }
    return result;
}
