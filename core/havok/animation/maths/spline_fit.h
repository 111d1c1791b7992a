/* Curves through samples: one part of a track in one block. Internal to core/havok/animation/maths/.
 *
 * Everything is decided by the control points as they are packed, in double, and in one order. */
#ifndef LATHE_HAVOK_SPLINE_FIT_H
#define LATHE_HAVOK_SPLINE_FIT_H

#include "havok/animation/maths/spline_pack.h"

enum {
    HK_POINTS_MAX = HK_FRAMES_MAX, /* a line through all frames is never worse than more of them */
    HK_KNOTS_MAX = HK_POINTS_MAX + HK_DEGREE_MAX + 1
};

typedef struct hk_fit_shape {
    unsigned degree, count;
    uint8_t knots[HK_KNOTS_MAX];
    double points[HK_POINTS_MAX][4]; /* as readers see them */
    uint8_t packed[HK_POINTS_MAX][16];
} hk_fit_shape;

typedef struct hk_fit_target {
    unsigned frames; /* 2 to 256 */
    unsigned lanes;  /* of a vector 1 to 3; of a rotation 4 */
    hk_packing packing;
    double tolerance;                 /* the distance; radians */
    double samples[HK_FRAMES_MAX][4]; /* rotations: of length 1, neighbours in one hemisphere */
    double rest[HK_FRAMES_MAX]; /* of a vector: the square of what the axes that stay are off */
    const double *start;        /* where the block before ended, or NULL */
    float low[3], high[3];      /* of a vector: what is packed lies between */
} hk_fit_target;

/* What fitting works with: about 60 KB. */
typedef struct hk_fitter {
    hk_fit_target target;
    double limit, loose; /* squares: of the distance or chord at frames; of that of 3 tolerances */
    double each[HK_FRAMES_MAX];    /* what measuring found at frames: 1 is the limit */
    double between[HK_FRAMES_MAX]; /* … and half a frame behind */
    double matrix[HK_POINTS_MAX][HK_DEGREE_MAX + 1], right[HK_POINTS_MAX][4];
    hk_fit_shape best, current, trial;
} hk_fitter;

/* Sets limit and loose by the target's packing, tolerance and range. */
void hk_fit_limits(hk_fitter *f);
/* Reads f->target. True: f->best meets the tolerance with the fewest bytes that were found. False: it has all
 * frames and is as near as its packing allows. */
bool hk_fit(hk_fitter *f);
/* How far the samples are from what is packed of them, each on its own: the square of the distance or chord. */
double hk_fit_floor(hk_fitter *f);
/* Bytes of a curve's header, knots and points, without ranges. */
unsigned hk_fit_bytes(const hk_fit_target *t, unsigned degree, unsigned count);

/* ---- inside ---------------------------------------------------------------------------------------- */

/* The degree + 1 functions that are not zero in span s, at u. */
void hk_fit_basis(const hk_fit_shape *c, unsigned s, double u, double out[HK_DEGREE_MAX + 1]);
/* Packs point i of a shape at v. */
void hk_fit_place(const hk_fit_target *t, hk_fit_shape *c, unsigned i, const double v[4]);
/* The control points first .. last, so that the curve is nearest to the samples; the others stay. */
void hk_fit_solve(hk_fitter *f, hk_fit_shape *c, unsigned first, unsigned last);
/* Fills each and between from one frame to another; returns the greatest. */
double hk_fit_measure(hk_fitter *f, const hk_fit_shape *c, unsigned from, unsigned to);
/* Whether none is above `most`; looks around `middle` first. */
bool hk_fit_is_near(hk_fitter *f, const hk_fit_shape *c, unsigned from, unsigned to,
                    unsigned middle, double most);

#endif
