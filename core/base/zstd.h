/* Compression and decompression of whole zstd data (RFC 8878). In a build without libzstd (make ZSTD=no) every call
 * that needs it fails with an error that says so. libzstd allocates its working memory itself: about 150 KB to
 * decompress, whatever a frame's header asks for, and at most about 100 MB to compress. */
#ifndef LATHE_BASE_ZSTD_H
#define LATHE_BASE_ZSTD_H

#include "base/mem.h"

typedef struct zstd_bytes {
    const uint8_t *data; /* borrowed */
    size_t size;         /* 0: none */
} zstd_bytes;

/* Parameters of the compression: read from the first frame, and used again for writing. */
typedef struct zstd_how {
    bool checksum;   /* frames end with a checksum of the content */
    bool dictionary; /* frames were compressed with the given dictionary */
} zstd_how;

bool zstd_built_in(void);
/* Whether bytes start with a zstd frame. */
bool zstd_is(const uint8_t *bytes, size_t n);

/* The default limit for the decompressed size of n bytes: the larger of 64 MB and 1,000 times their size, but at most
 * 2^31 bytes. */
uint64_t zstd_limit(size_t n);

/* Decompresses all frames of `from` into memory of m, which the caller frees (*to, *size; NULL if size is 0). Skips
 * skippable frames. `limit` 0: zstd_limit. Memory grows with the output and is never allocated from the size in a
 * header. Errors have offsets in `from`, and name the frame. */
lathe_result zstd_unpack(const mem *m, zstd_bytes from, zstd_bytes dictionary, uint64_t limit,
                         uint8_t **to, size_t *size, zstd_how *how, lathe_error *err);
/* Compresses `from` at level 19 into one frame whose header has the content's size; *to as above. `dictionary` is
 * used only if how->dictionary is set. */
lathe_result zstd_pack(const mem *m, zstd_bytes from, zstd_bytes dictionary, const zstd_how *how,
                       uint8_t **to, size_t *size, lathe_error *err);

#endif
