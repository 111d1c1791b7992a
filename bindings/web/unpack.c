/* Unpacks what pack.mjs packed: a stream of the format .lzma. A module of its own, which worker/unpack.js runs before
 * lathe's own module is there. Its memory is dropped as a whole afterwards, so nothing is ever freed. */
#include <lzma.h>
#include <stddef.h>
#include <stdint.h>

/* For JavaScript: */
#define EXPORT(name) __attribute__((export_name(#name)))
EXPORT(begin) unsigned char *begin(size_t packed, size_t unpacked);
EXPORT(output) unsigned char *output(void);
EXPORT(more) size_t more(size_t most);

/* ---- the C library, as far as liblzma's decoder calls it --------------------------------------- */

extern unsigned char __heap_base;
static size_t heap;

#define PAGE 65536

void *malloc(size_t size)
{
    if (!heap)
        heap = (size_t)&__heap_base;
    size_t at = (heap + 15) & ~(size_t)15, pages = __builtin_wasm_memory_size(0), end = at + size;
    if (end < at)
        return NULL;
    size_t wanted = (end + PAGE - 1) / PAGE;
    if (wanted > pages && __builtin_wasm_memory_grow(0, wanted - pages) == (size_t)-1)
        return NULL;
    heap = end;
    return (void *)at;
}

void *calloc(size_t n, size_t size) /* memory that was never used is zero */
{
    return size && n > SIZE_MAX / size ? NULL : malloc(n * size);
}

void free(void *p)
{
    (void)p;
}

/* The compiler makes each of these one instruction. */
void *memcpy(void *restrict to, const void *restrict from, size_t n)
{
    return __builtin_memcpy(to, from, n);
}

void *memmove(void *to, const void *from, size_t n)
{
    return __builtin_memmove(to, from, n);
}

void *memset(void *to, int c, size_t n)
{
    return __builtin_memset(to, c, n);
}

/* ---- unpacking ---------------------------------------------------------------------------------- */

static lzma_stream stream = LZMA_STREAM_INIT;
static unsigned char *out;
static size_t left; /* bytes that are still to come */

/* Returns where the `packed` bytes go; NULL: there is not enough memory. */
unsigned char *begin(size_t packed, size_t unpacked)
{
    unsigned char *in = malloc(packed);
    out = malloc(unpacked);
    if (!in || !out || lzma_alone_decoder(&stream, UINT64_MAX) != LZMA_OK)
        return NULL;
    stream.next_in = in;
    stream.avail_in = packed;
    stream.next_out = out;
    left = unpacked;
    return in;
}

/* Where the unpacked bytes are. */
unsigned char *output(void)
{
    return out;
}

/* Unpacks at most so many bytes more, and returns how many. 0: the bytes are damaged. */
size_t more(size_t most)
{
    size_t wanted = most < left ? most : left;
    stream.avail_out = wanted;
    lzma_ret done = lzma_code(&stream, LZMA_RUN);
    size_t came = wanted - stream.avail_out;
    left -= came;
    return done == LZMA_OK || (done == LZMA_STREAM_END && left == 0) ? came : 0;
}
