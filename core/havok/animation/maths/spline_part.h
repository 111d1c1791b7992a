/* One part of a track in a block (translation, rotation, scale or float): where its bytes lie and what
 * they say. Internal to core/havok/animation/maths/. Reference: formats/hkx-animation.md#6.3-6.4. */
#ifndef LATHE_HAVOK_SPLINE_PART_H
#define LATHE_HAVOK_SPLINE_PART_H

#include "base/bytes.h"
#include "base/error.h"
#include "havok/animation/maths/spline.h"

enum {
    HK_DEGREE_MAX = 3,
};

/* How a control point is packed: rotations have Havok's numbers, vectors follow. */
typedef enum hk_packing {
    HK_POLAR32,
    HK_THREECOMP40,
    HK_THREECOMP48,
    HK_THREECOMP24,
    HK_STRAIGHT16,
    HK_UNCOMPRESSED,
    HK_SCALAR8,
    HK_SCALAR16,
    HK_PACKING_COUNT
} hk_packing;

typedef struct hk_curve {
    const uint8_t *knots;  /* count + degree + 1 of them, rising */
    const uint8_t *points; /* count of them */
    uint32_t count;        /* above degree */
    uint8_t degree, packing;
    uint8_t axes;    /* of a vector: how many of x, y, z move */
    uint8_t axis[3]; /* which: 0 x … */
    bool big;
    float low[4];  /* of x, y, z: the least of those that move, the value of the others; then 0 */
    float step[3]; /* of those that move: value = low + step * packed */
} hk_curve;

typedef struct hk_channel {
    bool moves;
    float value[4]; /* where it does not */
    /* Where it does; of a rotation that does not: packing, points, and 1 or 0 of them. */
    hk_curve curve;
} hk_channel;

/* Reads the tracks of one block in turn. The first failure is kept: in result, and in *err if any. */
typedef struct hk_reader {
    const uint8_t *data;     /* the blob */
    uint64_t start, at, end; /* of the block in the blob */
    bool big;
    bool check; /* knots too, but leave values alone: when opening */
    uint64_t block, track;
    const char *kind; /* "track", "float track" */
    lathe_result result;
    lathe_error *err;
} hk_reader;

typedef struct hk_track {
    hk_channel translation, rotation, scale;
} hk_track;

/* What begins at r->at, by its 4 masks or its mask. False: r->result says why, *out is not to be used. */
bool hk_read_track(hk_reader *r, const uint8_t *masks, hk_track *out);
bool hk_read_float(hk_reader *r, uint8_t mask, hk_channel *out);

/* What control points of a packing have in common (spline_packing.c). */
typedef struct hk_packing_facts {
    uint8_t size;  /* bytes of one; 0: no known layout */
    uint8_t align; /* a run of them begins on a multiple of that */
    const char *name;
} hk_packing_facts;
extern const hk_packing_facts hk_packings[HK_PACKING_COUNT];

/* ---- points and curves --------------------------------------------------------------------------- */

/* Control points first .. first + n of a curve, unpacked; rotations are not yet of length 1. */
void hk_points(const hk_curve *c, uint32_t first, uint32_t n, float (*out)[4]);
void hk_rotations(hk_packing packing, const uint8_t *p, bool big, uint32_t n, float (*out)[4]);

enum { HK_TILE = 64 };
/* The curve at `u` frames into its block; moments outside of its knots are their ends. */
void hk_curve_at(const hk_curve *c, double u, float out[4]);
/* … at the whole frames first .. first + n, n up to HK_TILE. */
void hk_curve_frames(const hk_curve *c, unsigned first, unsigned n, float (*out)[4]);

#endif
