/* Packed numbers, and the structs that have them. Reference: formats/fo4-collision.md#3.4 and #3.6. */
#include "havok/physics/packed.h"

#include "havok/physics/types.h"

#include <float.h>
#include <math.h>

/* ---- three numbers in 8 bytes ------------------------------------------------------------------------- */

/* Two to the power of k, as the upper half of a float, or of a number that no float is: 0. */
static uint16_t upper_of_power(int k)
{
    if (k < -149 + 16) /* the lower half would have it */
        return 0;
    return (uint16_t)(k < -126 ? 1u << (k + 149 - 16) : (unsigned)(k + 127) << 7);
}

void hk_unpack_vector3(const uint16_t packed[4], double out[3])
{
    double scale = 65536 * bytes_f32_widen((uint32_t)packed[3] << 16);
    for (int i = 0; i < 3; i++)
        out[i] = (int16_t)packed[i] * scale;
}

/* Rounded to nearest, the middle away from zero: where it goes is not known, as no file has one. */
static bool fits(const double v[3], int k, double m[3])
{
    for (int i = 0; i < 3; i++) {
        m[i] = round(ldexp(v[i], -k - 16));
        if (m[i] < -32768 || m[i] > 32767)
            return false;
    }
    return true;
}

bool hk_pack_vector3(const double v[3], uint16_t packed[4])
{
    double most = 0, m[3];
    int k;
    for (int i = 0; i < 3; i++) {
        if (!(fabs(v[i]) <= (double)FLT_MAX))
            return false;
        most = fabs(v[i]) > most ? fabs(v[i]) : most;
    }
    if (most == 0) {
        memset(packed, 0, 3 * sizeof *packed);
        return true;
    }
    frexp(most, &k); /* most is at least 2^(k - 1) */
    k = k - 1 - 30;
    if (k < -149 + 16)
        k = -149 + 16;
    if (!fits(v, k, m) && !fits(v, ++k, m))
        return false;
    if (m[0] == 0 && m[1] == 0 && m[2] == 0) { /* too small for any */
        memset(packed, 0, 3 * sizeof *packed);
        return true;
    }
    for (int i = 0; i < 3; i++)
        packed[i] = (uint16_t)(int16_t)m[i];
    packed[3] = upper_of_power(k);
    return true;
}

/* ---- a rotation in 8 bytes ---------------------------------------------------------------------------- */

enum { QUATERNION_ZERO = 32768, QUATERNION_ONE = 30000 };

/* A unit quaternion x y z w. */
static void unpack_quaternion(const uint16_t packed[4], double out[4])
{
    for (int i = 0; i < 4; i++)
        out[i] = ((int)packed[i] - QUATERNION_ZERO) / (double)QUATERNION_ONE;
}

bool hk_pack_quaternion(const double v[4], uint16_t packed[4])
{
    double m[4];
    for (int i = 0; i < 4; i++) {
        m[i] = round(v[i] * QUATERNION_ONE) + QUATERNION_ZERO;
        if (!(m[i] >= 0 && m[i] <= 65535))
            return false;
    }
    for (int i = 0; i < 4; i++)
        packed[i] = (uint16_t)m[i];
    return true;
}

/* ---- their structs --------------------------------------------------------------------------------------- */

static lathe_result read_packed(const rec_at *at, uint16_t packed[4], lathe_error *err)
{
    uint32_t slot = rec_slot_find(at->layout, "packed");
    lathe_result r = LATHE_OK;
    for (uint64_t i = 0; r == LATHE_OK && i < 4; i++) {
        uint64_t raw = 0;
        r = rec_raw(at, slot, i, &raw, err);
        packed[i] = (uint16_t)raw;
    }
    return r;
}

static lathe_result write_packed(const rec_at *at, const uint16_t packed[4], lathe_error *err)
{
    uint32_t slot = rec_slot_find(at->layout, "packed");
    lathe_result r = LATHE_OK;
    for (uint64_t i = 0; r == LATHE_OK && i < 4; i++)
        r = rec_put_raw(at, slot, i, packed[i], err);
    return r;
}

lathe_result hk_packed_load_vector3(const rec_at *at, double *lanes, lathe_error *err)
{
    uint16_t packed[4];
    lathe_result r = read_packed(at, packed, err);
    if (r == LATHE_OK)
        hk_unpack_vector3(packed, lanes);
    return r;
}

lathe_result hk_packed_store_vector3(const rec_at *at, const double *lanes, lathe_error *err)
{
    uint16_t packed[4];
    lathe_result r = read_packed(at, packed, err);
    if (r == LATHE_OK && !hk_pack_vector3(lanes, packed))
        return rec_fail(at, REC_NO_SLOT, at->off, err, LATHE_ERR_RANGE,
                        "(%.9g %.9g %.9g) does not fit into %s", lanes[0], lanes[1], lanes[2],
                        rec_type_name(at->layout->type));
    return r == LATHE_OK ? write_packed(at, packed, err) : r;
}

lathe_result hk_packed_load_quaternion(const rec_at *at, double *lanes, lathe_error *err)
{
    uint16_t packed[4];
    lathe_result r = read_packed(at, packed, err);
    if (r == LATHE_OK)
        unpack_quaternion(packed, lanes);
    return r;
}

lathe_result hk_packed_store_quaternion(const rec_at *at, const double *lanes, lathe_error *err)
{
    uint16_t packed[4];
    if (!hk_pack_quaternion(lanes, packed))
        return rec_fail(at, REC_NO_SLOT, at->off, err, LATHE_ERR_RANGE,
                        "(%.9g %.9g %.9g %.9g) is not a rotation", lanes[0], lanes[1], lanes[2],
                        lanes[3]);
    return write_packed(at, packed, err);
}

/* ---- vertices -------------------------------------------------------------------------------------------- */

/* How many bits x, y and z have, from the lowest. */
static const unsigned short_bits[] = {11, 11, 10}, long_bits[] = {21, 21, 22};

static lathe_result load_vertex(const rec_at *at, const unsigned *bits, double *lanes,
                                lathe_error *err)
{
    uint64_t raw = 0;
    lathe_result r = rec_raw(at, rec_slot_find(at->layout, "packed"), 0, &raw, err);
    for (int i = 0; i < 3; raw >>= bits[i], i++)
        lanes[i] = (double)(raw & ((UINT64_C(1) << bits[i]) - 1));
    return r;
}

static lathe_result store_vertex(const rec_at *at, const unsigned *bits, const double *lanes,
                                 lathe_error *err)
{
    uint64_t raw = 0;
    unsigned shift = 0;
    for (uint32_t i = 0; i < 3; shift += bits[i], i++) {
        double most = (double)((UINT64_C(1) << bits[i]) - 1);
        if (!(lanes[i] >= 0 && lanes[i] <= most))
            return rec_fail(at, i, at->off, err, LATHE_ERR_RANGE, "%.17g is not in 0 .. %.17g",
                            lanes[i], most);
        if (lanes[i] != floor(lanes[i]))
            return rec_fail(at, i, at->off, err, LATHE_ERR_TYPE, "%.17g is not an integer",
                            lanes[i]);
        raw |= (uint64_t)lanes[i] << shift;
    }
    return rec_put_raw(at, rec_slot_find(at->layout, "packed"), 0, raw, err);
}

lathe_result hk_packed_load_short(const rec_at *at, double *lanes, lathe_error *err)
{
    return load_vertex(at, short_bits, lanes, err);
}

lathe_result hk_packed_store_short(const rec_at *at, const double *lanes, lathe_error *err)
{
    return store_vertex(at, short_bits, lanes, err);
}

lathe_result hk_packed_load_long(const rec_at *at, double *lanes, lathe_error *err)
{
    return load_vertex(at, long_bits, lanes, err);
}

lathe_result hk_packed_store_long(const rec_at *at, const double *lanes, lathe_error *err)
{
    return store_vertex(at, long_bits, lanes, err);
}
