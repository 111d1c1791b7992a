/* The format bits: integers whose bits are rows, and vectors that are worked out from rows of their own. */
#include "made_up.h"

#include <math.h>

/* ---- two numbers of 4 bits in a byte ---------------------------------------------------------------- */

static lathe_result load_pair(const rec_at *at, double *lanes, lathe_error *err)
{
    uint64_t raw = 0;
    lathe_result r = rec_raw(at, rec_slot_find(at->layout, "packed"), 0, &raw, err);
    lanes[0] = (double)(raw & 15);
    lanes[1] = (double)(raw >> 4);
    return r;
}

static lathe_result store_pair(const rec_at *at, const double *lanes, lathe_error *err)
{
    for (uint32_t i = 0; i < 2; i++)
        if (!(lanes[i] >= 0 && lanes[i] <= 15) || lanes[i] != floor(lanes[i]))
            return rec_fail(at, i, at->off, err, LATHE_ERR_RANGE, "%.17g is not in 0 .. 15",
                            lanes[i]);
    return rec_put_raw(at, rec_slot_find(at->layout, "packed"), 0,
                       (uint64_t)lanes[0] | (uint64_t)lanes[1] << 4, err);
}

/* clang-format off */
static const rec_field pair_rows[] = {
    {.name = "a", .shown = REC_INTEGER, .doc = "Low bits."},
    {.name = "b", .shown = REC_INTEGER, .doc = "High bits."},
    {.name = "packed", .kind = REC_U8, .doc = "Both."},
    {.name = "beside", .kind = REC_I8, .doc = "Another number."},
};
static const rec_type pair = {.name = "bits_pair", .doc = "Two numbers in one.", .flags = REC_VECTOR,
                              REC_ROWS(pair_rows), .load = load_pair, .store = store_pair};

static const rec_name mode_rows[] = {{"off", 0}, {"slow", 1}, {"fast", 5}, {0}};
static const rec_names modes = {"mode", mode_rows};

static const double pair_init[] = {6, 7};
static const rec_field root_rows[] = {
    {.name = "word", .kind = REC_U32, .init = 1, .doc = "Several things."},
    {.name = "low", .shown = REC_INTEGER, .bits_of = "word", .low = 0, .bits = 12, .doc = "A number."},
    {.name = "mode", .shown = REC_ENUM, .names = &modes, .bits_of = "word", .low = 12, .bits = 3, .doc = "A name."},
    {.name = "loud", .shown = REC_BOOL, .bits_of = "word", .low = 31, .bits = 1, .doc = "Yes or no."},
    {.name = "wide", .kind = REC_U64, .doc = "More of them."},
    {.name = "top", .shown = REC_INTEGER, .bits_of = "wide", .low = 32, .bits = 32, .doc = "The upper half."},
    {.name = "some", .kind = REC_U8, .when = "word", .doc = "Unless that is 0."},
    {.name = "nibble", .shown = REC_INTEGER, .bits_of = "some", .low = 4, .bits = 4, .doc = "Goes with it."},
    {.name = "pair", .kind = REC_RECORD, .type = &pair, .init_lanes = pair_init, .doc = "Two numbers."},
    {.name = "pair_count", .kind = REC_U8, .doc = "Number of pairs."},
    {.name = "pairs", .kind = REC_RECORD, .type = &pair, .by = "pair_count", .doc = "More of them."},
};
static const rec_type root = {.name = "bits", .doc = "Bits by name.", REC_ROWS(root_rows)};
/* clang-format on */

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
    .root = &root,
    .sniff = sniff_no,
};
