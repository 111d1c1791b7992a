/* SHA-256 (FIPS 180-4): identifies the contents of files. */
#ifndef LATHE_BASE_SHA256_H
#define LATHE_BASE_SHA256_H

#include "lathe.h"

enum { SHA256_SIZE = 32, SHA256_BLOCK = 64 };

typedef struct sha256 {
    uint32_t state[8];
    uint64_t size;               /* bytes so far */
    uint8_t block[SHA256_BLOCK]; /* the last size % SHA256_BLOCK bytes */
} sha256;

void sha256_begin(sha256 *s);
void sha256_put(sha256 *s, const void *bytes, size_t n);
/* Ends the message. For another one, call sha256_begin again. */
void sha256_end(sha256 *s, uint8_t digest[SHA256_SIZE]);

#endif
