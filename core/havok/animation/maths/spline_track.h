/* The tracks of an open spline. Internal to core/havok/animation/maths/. */
#ifndef LATHE_HAVOK_SPLINE_TRACK_H
#define LATHE_HAVOK_SPLINE_TRACK_H

#include "havok/animation/maths/spline.h"
#include "havok/animation/maths/spline_part.h"

/* Reads block b, which the clip has. */
hk_reader hk_reader_of(const hk_spline_facts *f, uint64_t b);
/* The block of a moment and the frames from its start, 0 to max_frames_per_block - 1. */
uint64_t hk_block_of(const hk_spline_facts *f, const model_when *when, double *u);
/* A track of the reader's block. Cannot fail: opening read them all. */
void hk_track_at(const hk_spline *s, hk_reader *r, uint64_t track, hk_track *out);
void hk_float_at(const hk_spline *s, hk_reader *r, uint64_t track, hk_channel *out);

#endif
