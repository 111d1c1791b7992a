/* Compression and decompression of zlib streams. In a build without zlib (make ZLIB=no) every call fails with an error
 * that says so, except for those of deflate_stream. */
#ifndef LATHE_BASE_DEFLATE_H
#define LATHE_BASE_DEFLATE_H

#include "base/mem.h"

/* Keeps zlib's state between calls, because making it costs more than a short stream. */
typedef struct deflater deflater;

bool deflate_built_in(void);
lathe_result deflate_new(const mem *m, deflater **out, lathe_error *err);
void deflate_free(deflater *d); /* NULL is allowed */
/* Decompresses one stream into `to`, which has room for `cap` bytes. *size is the number of bytes written, *used the
 * number of bytes read. LATHE_ERR_INVALID: the stream is damaged, ends early, or has more than `cap` bytes. The error
 * has no place. */
lathe_result deflate_unpack(deflater *d, const void *from, size_t n, void *to, size_t cap,
                            size_t *size, size_t *used, lathe_error *err);
/* The maximum size of n bytes after compression. */
size_t deflate_bound(size_t n);
/* Compresses n bytes at level 6, as the games' tools do, into `to`, which has room for deflate_bound(n) bytes. */
lathe_result deflate_pack(deflater *d, const void *from, size_t n, void *to, size_t *size,
                          lathe_error *err);

/* Makes one zlib stream of bytes that come piece by piece, and hands it to a sink, in pieces of at most 32 KiB. In a
 * build without zlib the stream is valid, too, but not compressed. */
typedef struct deflate_stream deflate_stream;

lathe_result deflate_stream_new(const mem *m, lathe_sink sink, void *user, deflate_stream **out,
                                lathe_error *err);
/* LATHE_ERR_IO: the sink refused; then the stream can only be freed. */
lathe_result deflate_stream_put(deflate_stream *s, const void *bytes, size_t n, lathe_error *err);
lathe_result deflate_stream_end(deflate_stream *s, lathe_error *err);
void deflate_stream_free(deflate_stream *s); /* NULL is allowed */

#endif
