/* zstd (RFC 8878), packed and unpacked whole. Without libzstd (make ZSTD=no) every call that needs it says so. Working
 * memory of libzstd itself is its own: about 150 KB to unpack, whatever a frame's header asks for, and at most some 100
 * MB to pack. */
#ifndef LATHE_BASE_ZSTD_H
#define LATHE_BASE_ZSTD_H

#include "base/mem.h"

typedef struct zstd_bytes {
    const uint8_t *data; /* borrowed */
    size_t size;         /* 0: none */
} zstd_bytes;

/* How bytes were packed: taken from the first frame, and written again. */
typedef struct zstd_how {
    bool checksum;   /* the frame ends in one of its content */
    bool dictionary; /* it was packed with the dictionary that was given */
} zstd_how;

bool zstd_built_in(void);
/* Whether they begin with a zstd frame. */
bool zstd_is(const uint8_t *bytes, size_t n);

/* What n packed bytes may become where nobody chose a limit: a file of 64 MB or of 1,000 times their size, whichever is
 * more, and at most 2^31 bytes. */
uint64_t zstd_limit(size_t n);

/* Unpacks all frames of `from`, one behind the other, into memory of m: *to, of *size bytes (NULL where that is 0), is the
 * caller's. Skippable frames are left out. `limit` 0: zstd_limit. Memory grows with what comes out, and is never taken
 * because a header says so. Errors have offsets in `from`; the messages name the frame. */
lathe_result zstd_unpack(const mem *m, zstd_bytes from, zstd_bytes dictionary, uint64_t limit,
                         uint8_t **to, size_t *size, zstd_how *how, lathe_error *err);
/* Packs `from` at level 19 into one frame that says its content's size; *to as above. `dictionary` counts where
 * how->dictionary says so. */
lathe_result zstd_pack(const mem *m, zstd_bytes from, zstd_bytes dictionary, const zstd_how *how,
                       uint8_t **to, size_t *size, lathe_error *err);

#endif
