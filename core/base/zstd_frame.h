/* The outside of zstd frames (RFC 8878, 3.1): headers and where blocks begin, without what is in them. */
#ifndef LATHE_BASE_ZSTD_FRAME_H
#define LATHE_BASE_ZSTD_FRAME_H

#include "base/zstd.h"

typedef struct zstd_frame {
    uint64_t at, size; /* of the whole frame, in the bytes that hold it */
    uint64_t most;    /* bytes that its blocks can hold at most; not more than the content's size */
    uint64_t content; /* size of the content, where the header says it … */
    bool sized;       /* … which it does */
    bool checksum;    /* one of the content ends the frame */
    bool skippable;   /* it holds something else */
    uint32_t dictionary; /* id; 0: none, or not said */
} zstd_frame;

/* The frame at `at`, which is not behind the last byte. Looks at each block's header, so frames that end early and sizes
 * that the blocks cannot hold are told before anything is unpacked. */
lathe_result zstd_frame_at(zstd_bytes from, uint64_t at, zstd_frame *frame, lathe_error *err);

#endif
