#include "base/zstd_frame.h"

#include "base/bytes.h"
#include "base/error.h"

enum { MAGIC_BYTES = 4, SKIPPABLE_HEAD = 8, BLOCK_HEAD = 3, CHECKSUM = 4 };
#define MAGIC 0xFD2FB528U
#define SKIPPABLE 0x184D2A50U /* the last 4 bits are arbitrary */
#define LARGEST_BLOCK (UINT64_C(128) << 10)

bool zstd_is(const uint8_t *bytes, size_t n)
{
    return n >= MAGIC_BYTES && bytes_ld32(bytes, false) == MAGIC;
}

/* ---- headers ----------------------------------------------------------------------------------- */

typedef struct scan {
    const uint8_t *bytes;
    uint64_t at, end;
    bool failed;
    lathe_error *err;
} scan;

static lathe_result bad(const scan *s, uint64_t at, const char *what)
{
    return error_set(s->err, LATHE_ERR_INVALID, at, "zstd frame: %s", what);
}

/* Returns the next n bytes. NULL: there are fewer, and the error is set. */
static const uint8_t *take(scan *s, uint64_t n)
{
    const uint8_t *p = s->bytes + s->at;
    if (n > s->end - s->at) {
        error_set(s->err, LATHE_ERR_BOUNDS, s->at, "zstd frame: %llu bytes needed, %llu left",
                  (unsigned long long)n, (unsigned long long)(s->end - s->at));
        s->failed = true;
        return NULL;
    }
    s->at += n;
    return p;
}

/* Reads a little-endian number of n bytes. */
static uint64_t number(scan *s, unsigned n)
{
    const uint8_t *p = take(s, n);
    uint64_t value = 0;
    for (unsigned i = 0; p && i < n; i++)
        value |= (uint64_t)p[i] << 8 * i;
    return value;
}

/* The window size: 2^(10 + exponent), plus the given number of eighths of it. */
static uint64_t window_of(uint64_t descriptor)
{
    uint64_t base = UINT64_C(1) << (10 + (descriptor >> 3));
    return base + base / 8 * (descriptor & 7);
}

/* Reads the frame header. *block: the maximum size of its blocks. */
static lathe_result read_head(scan *s, zstd_frame *f, uint64_t *block)
{
    static const uint8_t id_bytes[] = {0, 1, 2, 4}, size_bytes[] = {0, 2, 4, 8};
    uint64_t at = s->at, flags = number(s, 1);
    bool single = flags & 0x20;
    if (!s->failed && flags & 0x08)
        return bad(s, at, "its header sets the reserved bit");
    uint64_t window = single ? 0 : window_of(number(s, 1));
    f->checksum = flags & 0x04;
    f->dictionary = (uint32_t)number(s, id_bytes[flags & 3]);
    unsigned n = flags >> 6 ? size_bytes[flags >> 6] : single;
    f->sized = n != 0;
    f->content = number(s, n) + (n == 2 ? 256 : 0);
    if (single)
        window = f->content;
    *block = window < LARGEST_BLOCK ? window : LARGEST_BLOCK;
    return s->failed ? LATHE_ERR_BOUNDS : LATHE_OK;
}

/* ---- frames ------------------------------------------------------------------------------------ */

static lathe_result read_blocks(scan *s, zstd_frame *f, uint64_t largest)
{
    enum { RAW, RLE, COMPRESSED, RESERVED };
    uint64_t most = 0;
    for (bool last = false; !last;) {
        uint64_t at = s->at, head = number(s, BLOCK_HEAD), size = head >> 3;
        unsigned type = head >> 1 & 3;
        last = head & 1;
        if (!s->failed && type == RESERVED)
            return bad(s, at, "a block of the reserved type");
        if (!s->failed && size > largest)
            return error_set(s->err, LATHE_ERR_INVALID, at,
                             "zstd frame: a block of %llu bytes, where none may exceed %llu",
                             (unsigned long long)size, (unsigned long long)largest);
        take(s, type == RLE ? 1 : size);
        if (s->failed)
            return LATHE_ERR_BOUNDS;
        most += type == COMPRESSED ? largest : size;
    }
    if (f->sized && f->content > most)
        return error_set(s->err, LATHE_ERR_INVALID, f->at,
                         "zstd frame: its header says %llu bytes, but its blocks hold at most %llu",
                         (unsigned long long)f->content, (unsigned long long)most);
    f->most = f->sized ? f->content : most;
    return LATHE_OK;
}

static lathe_result read_frame(scan *s, zstd_frame *f)
{
    uint64_t largest = 0, magic = number(s, MAGIC_BYTES);
    if (s->failed)
        return LATHE_ERR_BOUNDS;
    if ((magic & ~UINT64_C(15)) == SKIPPABLE) {
        f->skippable = true;
        take(s, number(s, SKIPPABLE_HEAD - MAGIC_BYTES));
        return s->failed ? LATHE_ERR_BOUNDS : LATHE_OK;
    }
    if (magic != MAGIC)
        return error_set(s->err, LATHE_ERR_INVALID, f->at, "%llu bytes after the last zstd frame",
                         (unsigned long long)(s->end - f->at));
    lathe_result r = read_head(s, f, &largest);
    if (r == LATHE_OK)
        r = read_blocks(s, f, largest);
    if (r == LATHE_OK && f->checksum)
        take(s, CHECKSUM);
    return s->failed ? LATHE_ERR_BOUNDS : r;
}

lathe_result zstd_frame_at(zstd_bytes from, uint64_t at, zstd_frame *frame, lathe_error *err)
{
    scan s = {.bytes = from.data, .at = at, .end = from.size, .err = err};
    zstd_frame f = {.at = at};
    lathe_result r = read_frame(&s, &f);
    f.size = s.at - at;
    if (r == LATHE_OK)
        *frame = f;
    return r;
}
