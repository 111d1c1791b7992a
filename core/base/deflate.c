/* zlib streams. The only file that includes zlib. */
#include "base/deflate.h"

#include "base/error.h"

#include <string.h>

static lathe_result no_memory(lathe_error *err)
{
    return error_set(err, LATHE_ERR_MEMORY, LATHE_NO_OFFSET, "out of memory");
}

static lathe_result refused(lathe_error *err)
{
    return error_set(err, LATHE_ERR_IO, LATHE_NO_OFFSET, "the sink refused the bytes");
}

#if !defined(LATHE_ZLIB)

bool deflate_built_in(void)
{
    return false;
}

lathe_result deflate_new(const mem *m, deflater **out, lathe_error *err)
{
    (void)m, (void)out;
    return error_set(err, LATHE_ERR_UNSUPPORTED, LATHE_NO_OFFSET,
                     "compressed data: this lathe was built without zlib");
}

void deflate_free(deflater *d)
{
    (void)d;
}

lathe_result deflate_unpack(deflater *d, const void *from, size_t n, void *to, size_t cap,
                            size_t *size, size_t *used, lathe_error *err)
{
    (void)from, (void)n, (void)to, (void)cap, (void)size, (void)used;
    return deflate_new(NULL, &d, err);
}

size_t deflate_bound(size_t n)
{
    return n;
}

lathe_result deflate_pack(deflater *d, const void *from, size_t n, void *to, size_t *size,
                          lathe_error *err)
{
    (void)from, (void)n, (void)to, (void)size;
    return deflate_new(NULL, &d, err);
}

/* Blocks of a stream that are stored as they are (RFC 1951, 3.2.4), and its Adler-32 (RFC 1950, 9). */
enum { PIECE = 1 << 15, ADLER = 65521 };

struct deflate_stream {
    mem m;
    lathe_sink sink;
    void *user;
    uint32_t a, b;
    bool begun;
    size_t n;
    uint8_t room[PIECE];
};

static bool start(deflate_stream *s)
{
    s->a = 1;
    return true;
}

static bool flush_block(deflate_stream *s, bool last)
{
    unsigned n = (unsigned)s->n;
    const uint8_t head[] = {
        0x78, 0x01, last, (uint8_t)n, (uint8_t)(n >> 8), (uint8_t)~n, (uint8_t)(~n >> 8)};
    size_t skip = s->begun ? 2 : 0;
    s->begun = true;
    s->n = 0;
    return s->sink(s->user, head + skip, sizeof head - skip) &&
           (n == 0 || s->sink(s->user, s->room, n));
}

lathe_result deflate_stream_put(deflate_stream *s, const void *bytes, size_t n, lathe_error *err)
{
    const uint8_t *p = bytes;
    for (size_t i = 0; i < n; i++) {
        if (s->n == PIECE && !flush_block(s, false))
            return refused(err);
        s->room[s->n++] = p[i];
        s->a = (s->a + p[i]) % ADLER;
        s->b = (s->b + s->a) % ADLER;
    }
    return LATHE_OK;
}

lathe_result deflate_stream_end(deflate_stream *s, lathe_error *err)
{
    const uint8_t sum[] = {(uint8_t)(s->b >> 8), (uint8_t)s->b, (uint8_t)(s->a >> 8),
                           (uint8_t)s->a};
    return flush_block(s, true) && s->sink(s->user, sum, sizeof sum) ? LATHE_OK : refused(err);
}

void deflate_stream_free(deflate_stream *s)
{
    if (!s)
        return;
    mem m = s->m;
    mem_free(&m, s, sizeof *s);
}

#else

#define ZLIB_CONST /* declares its input as const */

#include <limits.h>
#include <zlib.h>

enum { LEVEL = 6 };

struct deflater {
    mem m;
    z_stream in, out;
    bool in_ready, out_ready;
};

bool deflate_built_in(void)
{
    return true;
}

/* Allocation header: zlib does not say how much it frees, so each block begins with its size. */
typedef union head {
    size_t size;
    max_align_t align;
} head;

static void *take(void *user, unsigned n, unsigned size)
{
    const mem *m = user;
    size_t whole = sizeof(head) + (size_t)n * size;
    head *p = mem_alloc(m, whole);
    if (!p)
        return NULL;
    p->size = whole;
    return p + 1;
}

static void give(void *user, void *block)
{
    const mem *m = user;
    head *p = (head *)block - 1;
    mem_free(m, p, p->size);
}

lathe_result deflate_new(const mem *m, deflater **out, lathe_error *err)
{
    deflater *d = mem_zalloc(m, sizeof *d);
    if (!d)
        return no_memory(err);
    d->m = *m;
    d->in.zalloc = d->out.zalloc = take;
    d->in.zfree = d->out.zfree = give;
    d->in.opaque = d->out.opaque = &d->m;
    *out = d;
    return LATHE_OK;
}

void deflate_free(deflater *d)
{
    if (!d)
        return;
    if (d->in_ready)
        inflateEnd(&d->in);
    if (d->out_ready)
        deflateEnd(&d->out);
    mem m = d->m;
    mem_free(&m, d, sizeof *d);
}

static lathe_result damaged(lathe_error *err, const char *why)
{
    return error_set(err, LATHE_ERR_INVALID, LATHE_NO_OFFSET, "%s", why);
}

/* Sets the error for a stream that could not be decompressed. */
static lathe_result explain(const z_stream *z, int code, size_t cap, lathe_error *err)
{
    if (code == Z_MEM_ERROR)
        return no_memory(err);
    if (code == Z_DATA_ERROR && z->msg)
        return damaged(err, z->msg);
    if (code == Z_NEED_DICT)
        return damaged(err, "it wants a dictionary");
    if (z->avail_out == 0 && z->avail_in) /* at least the checksum is left */
        return error_set(err, LATHE_ERR_INVALID, LATHE_NO_OFFSET,
                         "it decompresses to more than %llu bytes", (unsigned long long)cap);
    return damaged(err, "it ends early");
}

lathe_result deflate_unpack(deflater *d, const void *from, size_t n, void *to, size_t cap,
                            size_t *size, size_t *used, lathe_error *err)
{
    z_stream *z = &d->in;
    if (n > UINT_MAX || cap > UINT_MAX)
        return damaged(err, "it is too large");
    z->next_in = from;
    z->avail_in = (unsigned)n;
    int code = d->in_ready ? inflateReset(z) : inflateInit(z);
    if (code != Z_OK)
        return no_memory(err);
    d->in_ready = true;
    z->next_out = to;
    z->avail_out = (unsigned)cap;
    code = inflate(z, Z_FINISH);
    *size = cap - z->avail_out;
    *used = n - z->avail_in;
    return code == Z_STREAM_END ? LATHE_OK : explain(z, code, cap, err);
}

size_t deflate_bound(size_t n)
{
    return compressBound((uLong)n);
}

lathe_result deflate_pack(deflater *d, const void *from, size_t n, void *to, size_t *size,
                          lathe_error *err)
{
    z_stream *z = &d->out;
    size_t cap = deflate_bound(n);
    int code = d->out_ready ? deflateReset(z) : deflateInit(z, LEVEL);
    if (code != Z_OK || cap > UINT_MAX)
        return no_memory(err);
    d->out_ready = true;
    z->next_in = from;
    z->avail_in = (unsigned)n;
    z->next_out = to;
    z->avail_out = (unsigned)cap;
    code = deflate(z, Z_FINISH);
    *size = cap - z->avail_out;
    return code == Z_STREAM_END ? LATHE_OK : no_memory(err);
}

enum { PIECE = 1 << 15 };

struct deflate_stream {
    mem m;
    lathe_sink sink;
    void *user;
    z_stream z;
    uint8_t room[PIECE];
};

static bool start(deflate_stream *s)
{
    s->z.zalloc = take;
    s->z.zfree = give;
    s->z.opaque = &s->m;
    return deflateInit(&s->z, LEVEL) == Z_OK;
}

/* Compresses what z->next_in has; hands over full pieces, and with Z_FINISH all of them. */
static lathe_result run(deflate_stream *s, int flush, lathe_error *err)
{
    int code;
    do {
        s->z.next_out = s->room;
        s->z.avail_out = PIECE;
        code = deflate(&s->z, flush);
        size_t n = PIECE - s->z.avail_out;
        if (n && !s->sink(s->user, s->room, n))
            return refused(err);
    } while (s->z.avail_out == 0 || (flush == Z_FINISH && code == Z_OK));
    return LATHE_OK;
}

lathe_result deflate_stream_put(deflate_stream *s, const void *bytes, size_t n, lathe_error *err)
{
    const uint8_t *p = bytes;
    while (n) {
        unsigned some = n < UINT_MAX ? (unsigned)n : UINT_MAX;
        s->z.next_in = p;
        s->z.avail_in = some;
        lathe_result r = run(s, Z_NO_FLUSH, err);
        if (r != LATHE_OK)
            return r;
        p += some;
        n -= some;
    }
    return LATHE_OK;
}

lathe_result deflate_stream_end(deflate_stream *s, lathe_error *err)
{
    s->z.next_in = NULL;
    s->z.avail_in = 0;
    return run(s, Z_FINISH, err);
}

void deflate_stream_free(deflate_stream *s)
{
    if (!s)
        return;
    deflateEnd(&s->z);
    mem m = s->m;
    mem_free(&m, s, sizeof *s);
}

#endif

lathe_result deflate_stream_new(const mem *m, lathe_sink sink, void *user, deflate_stream **out,
                                lathe_error *err)
{
    deflate_stream *s = mem_zalloc(m, sizeof *s);
    if (!s)
        return no_memory(err);
    s->m = *m;
    s->sink = sink;
    s->user = user;
    if (!start(s)) {
        mem_free(m, s, sizeof *s);
        return no_memory(err);
    }
    *out = s;
    return LATHE_OK;
}
