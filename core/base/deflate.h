/* zlib streams, packed and unpacked whole. Without zlib (make ZLIB=no) every call says so. */
#ifndef LATHE_BASE_DEFLATE_H
#define LATHE_BASE_DEFLATE_H

#include "base/mem.h"

/* Keeps zlib's state between calls, because making it costs more than a short stream. */
typedef struct deflater deflater;

bool deflate_built_in(void);
lathe_result deflate_new(const mem *m, deflater **out, lathe_error *err);
void deflate_free(deflater *d); /* NULL is fine */
/* Unpacks one stream into `to`, which has room for `cap` bytes: *size bytes came out, *used of the n bytes were read. A
 * stream that would give more than `cap` bytes, ends early or is damaged is LATHE_ERR_INVALID; the message has no
 * place. */
lathe_result deflate_unpack(deflater *d, const void *from, size_t n, void *to, size_t cap,
                            size_t *size, size_t *used, lathe_error *err);
/* Most bytes that n bytes can become. */
size_t deflate_bound(size_t n);
/* Packs n bytes at level 6, the one that the games' tools use, into `to`, which has room for deflate_bound(n). */
lathe_result deflate_pack(deflater *d, const void *from, size_t n, void *to, size_t *size,
                          lathe_error *err);

#endif
