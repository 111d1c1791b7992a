#include "base/sha256.h"

#include "base/bytes.h"

#include <string.h>

enum {
    ROUNDS = 64,
    SIZE_AT = SHA256_BLOCK - 8
}; /* the last block ends with the size of the message, in bits */

/* The first 32 bits of the fractional parts of the square roots (start) and cube roots (round_add) of the first primes. */
static const uint32_t start[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                  0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};

static const uint32_t round_add[ROUNDS] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
};

static inline uint32_t turn(uint32_t x, unsigned n)
{
    return x >> n | x << (32 - n);
}

/* Extends the 16 words of a block to one for each round. */
static void expand(const uint8_t *block, uint32_t w[ROUNDS])
{
    for (unsigned i = 0; i < 16; i++)
        w[i] = bytes_ld32(block + 4 * i, true);
    for (unsigned i = 16; i < ROUNDS; i++) {
        uint32_t a = w[i - 15], b = w[i - 2];
        w[i] = w[i - 16] + (turn(a, 7) ^ turn(a, 18) ^ a >> 3) + w[i - 7] +
               (turn(b, 17) ^ turn(b, 19) ^ b >> 10);
    }
}

/* One round. Instead of moving all eight words, it computes the two that change; the caller turns the names. */
#define ROUND(a, b, c, d, e, f, g, h, i)                                                           \
    do {                                                                                           \
        uint32_t t = (h) + (turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)) +                              \
                     ((g) ^ ((e) & ((f) ^ (g)))) + round_add[i] + w[i];                            \
        (d) += t;                                                                                  \
        (h) = t + (turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) + (((a) & (b)) | ((c) & ((a) | (b))));  \
    } while (0)

static void add_block(uint32_t s[8], const uint8_t *block)
{
    uint32_t w[ROUNDS];
    uint32_t a = s[0], b = s[1], c = s[2], d = s[3], e = s[4], f = s[5], g = s[6], h = s[7];
    expand(block, w);
    for (unsigned i = 0; i < ROUNDS; i += 8) {
        ROUND(a, b, c, d, e, f, g, h, i);
        ROUND(h, a, b, c, d, e, f, g, i + 1);
        ROUND(g, h, a, b, c, d, e, f, i + 2);
        ROUND(f, g, h, a, b, c, d, e, i + 3);
        ROUND(e, f, g, h, a, b, c, d, i + 4);
        ROUND(d, e, f, g, h, a, b, c, i + 5);
        ROUND(c, d, e, f, g, h, a, b, i + 6);
        ROUND(b, c, d, e, f, g, h, a, i + 7);
    }
    s[0] += a;
    s[1] += b;
    s[2] += c;
    s[3] += d;
    s[4] += e;
    s[5] += f;
    s[6] += g;
    s[7] += h;
}

void sha256_begin(sha256 *s)
{
    memcpy(s->state, start, sizeof start);
    s->size = 0;
}

void sha256_put(sha256 *s, const void *bytes, size_t n)
{
    const uint8_t *p = bytes;
    size_t used = (size_t)(s->size % SHA256_BLOCK);
    s->size += n;
    if (used > 0 && n >= SHA256_BLOCK - used) {
        size_t part = SHA256_BLOCK - used;
        memcpy(s->block + used, p, part);
        add_block(s->state, s->block);
        p += part;
        n -= part;
        used = 0;
    }
    for (; n >= SHA256_BLOCK; p += SHA256_BLOCK, n -= SHA256_BLOCK)
        add_block(s->state, p);
    if (n > 0)
        memcpy(s->block + used, p, n);
}

void sha256_end(sha256 *s, uint8_t digest[SHA256_SIZE])
{
    size_t used = (size_t)(s->size % SHA256_BLOCK);
    s->block[used++] = 0x80;
    if (used > SIZE_AT) {
        memset(s->block + used, 0, SHA256_BLOCK - used);
        add_block(s->state, s->block);
        used = 0;
    }
    memset(s->block + used, 0, SIZE_AT - used);
    bytes_st64(s->block + SIZE_AT, s->size * 8, true);
    add_block(s->state, s->block);
    for (unsigned i = 0; i < 8; i++)
        bytes_st32(digest + 4 * i, s->state[i], true);
}
