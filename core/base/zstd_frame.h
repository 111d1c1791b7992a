/* Structure of zstd frames (RFC 8878, 3.1): headers and block boundaries, without decompressing anything. */
#ifndef LATHE_BASE_ZSTD_FRAME_H
#define LATHE_BASE_ZSTD_FRAME_H

#include "base/zstd.h"

typedef struct zstd_frame {
    uint64_t at, size; /* offset and size of the whole frame */
    /* the most bytes that its blocks can decompress to; at most the content's size */
    uint64_t most;
    uint64_t content;    /* size of the content, if the header has it … */
    bool sized;          /* … as `sized` says */
    bool checksum;       /* the frame ends with a checksum of its content */
    bool skippable;      /* it holds user data, no content */
    uint32_t dictionary; /* id of the dictionary; 0: none, or not stored */
} zstd_frame;

/* Reads the structure of the frame at `at`, which must be an offset of an existing byte. It reads the header of each
 * block, so it detects truncated frames, and sizes that the blocks cannot have, before anything is decompressed. */
lathe_result zstd_frame_at(zstd_bytes from, uint64_t at, zstd_frame *frame, lathe_error *err);

#endif
