/* SHA-256 of 64 MB: its speed, and how many times longer it takes than memcpy. */
#include "base/sha256.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { SIZE = 64 << 20, ROUNDS = 3 };

static double seconds(void)
{
    return (double)clock() / CLOCKS_PER_SEC;
}

int main(void)
{
    unsigned char *bytes = malloc(SIZE), *copy = malloc(SIZE), digest[SHA256_SIZE];
    double hashing = 1e9, copying = 1e9;
    if (!bytes || !copy)
        return 1;
    memset(bytes, 7, SIZE);
    memset(copy, 8, SIZE);
    for (int i = 0; i < ROUNDS; i++) {
        sha256 sum;
        double start = seconds();
        sha256_begin(&sum);
        sha256_put(&sum, bytes, SIZE);
        sha256_end(&sum, digest);
        double between = seconds();
        memcpy(copy, bytes, SIZE);
        double end = seconds();
        hashing = between - start < hashing ? between - start : hashing;
        copying = end - between < copying ? end - between : copying;
        bytes[digest[0]] ^= copy[digest[1]];
    }
    printf("sha256: %.0f MB/s, %.1f x memcpy\n", SIZE / 1e6 / hashing, hashing / copying);
    free(bytes);
    free(copy);
    return 0;
}
