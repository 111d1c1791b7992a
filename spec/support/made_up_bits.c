/* The format bits: integers whose bits are rows, and vectors that are worked out from rows of their own. */
#include "made_up.h"

#include <math.h>

/* ---- two numbers of 4 bits in a byte ---------------------------------------------------------------- */

lathe_result made_up_load_pair(const rec_at *at, double *lanes, lathe_error *err)
{
    uint64_t raw = 0;
    lathe_result r = rec_raw(at, rec_slot_find(at->layout, "packed"), 0, &raw, err);
    lanes[0] = (double)(raw & 15);
    lanes[1] = (double)(raw >> 4);
    return r;
}

lathe_result made_up_store_pair(const rec_at *at, const double *lanes, lathe_error *err)
{
    for (uint32_t i = 0; i < 2; i++)
        if (!(lanes[i] >= 0 && lanes[i] <= 15) || lanes[i] != floor(lanes[i]))
            return rec_fail(at, i, at->off, err, LATHE_ERR_RANGE, "%.17g is not in 0 .. 15",
                            lanes[i]);
    return rec_put_raw(at, rec_slot_find(at->layout, "packed"), 0,
                       (uint64_t)lanes[0] | (uint64_t)lanes[1] << 4, err);
}

static int sniff_no(const uint8_t *bytes, size_t n)
{
    (void)bytes;
    (void)n;
    return REC_SNIFF_NO;
}

static const char *const extensions[] = {"bits", NULL};
static const char *const games[] = {NULL};

const lathe_format made_up_bits = {
    .name = "bits",
    .doc = "Numbers in few bits",
    .extensions = extensions,
    .games = games,
    .root = &made_up_bits_root,
    .sniff = sniff_no,
};
