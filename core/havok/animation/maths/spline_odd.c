/* Rotations that lead nowhere: what samples take for 0 0 0 1, and doc:check() tells of. */
#include "havok/animation/maths/spline_track.h"

static bool is_odd(const uint8_t *p, bool big)
{
    double sum = 0;
    for (unsigned lane = 0; lane < 4; lane++) {
        double v = bytes_f32_widen(bytes_ld32(p + 4 * lane, big));
        sum += v * v;
    }
    return !(sum > 0 && sum <= 0x1p1000);
}

/* Packed ones always have a direction. *at is where the last one was found; its offset is 0 where none
 * was. */
bool hk_spline_odd(const hk_spline *s, hk_odd *at)
{
    const hk_spline_facts *f = &s->facts;
    uint64_t first = at->offset ? at->point + 1 : 0;
    for (uint64_t b = at->block; b < (uint64_t)f->blocks; b++) {
        hk_reader r = hk_reader_of(f, b);
        r.check = true;
        for (uint64_t t = b == at->block ? at->track : 0; t < (uint64_t)f->transform_tracks; t++) {
            hk_track track;
            hk_track_at(s, &r, t, &track);
            const hk_curve *c = &track.rotation.curve;
            for (uint64_t i = first; c->packing == HK_UNCOMPRESSED && i < c->count; i++)
                if (is_odd(c->points + 16 * i, r.big)) {
                    *at = (hk_odd){b, t, i, (uint64_t)(c->points + 16 * i - f->data)};
                    return true;
                }
            first = 0;
        }
    }
    return false;
}
