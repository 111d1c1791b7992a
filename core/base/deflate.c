/* zlib streams. The only file that includes zlib. */
#include "base/deflate.h"

#include "base/error.h"

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
    const deflater *d = user;
    size_t whole = sizeof(head) + (size_t)n * size;
    head *p = mem_alloc(&d->m, whole);
    if (!p)
        return NULL;
    p->size = whole;
    return p + 1;
}

static void give(void *user, void *block)
{
    const deflater *d = user;
    head *p = (head *)block - 1;
    mem_free(&d->m, p, p->size);
}

static lathe_result no_memory(lathe_error *err)
{
    return error_set(err, LATHE_ERR_MEMORY, LATHE_NO_OFFSET, "out of memory");
}

lathe_result deflate_new(const mem *m, deflater **out, lathe_error *err)
{
    deflater *d = mem_zalloc(m, sizeof *d);
    if (!d)
        return no_memory(err);
    d->m = *m;
    d->in.zalloc = d->out.zalloc = take;
    d->in.zfree = d->out.zfree = give;
    d->in.opaque = d->out.opaque = d;
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

#endif
