/* Memory: an allocator passed by pointer, a growable byte buffer, and an arena. */
#ifndef LATHE_BASE_MEM_H
#define LATHE_BASE_MEM_H

#include "lathe.h"

typedef struct mem {
    lathe_alloc fn; /* never NULL: that of mem_default() if the caller gave none */
    void *user;
} mem;

mem mem_default(void);
/* NULL if the allocator fails; the old block then stays valid. */
void *mem_resize(const mem *m, void *ptr, size_t old_size, size_t new_size);
void *mem_alloc(const mem *m, size_t size);  /* not zeroed */
void *mem_zalloc(const mem *m, size_t size); /* zeroed */
void mem_free(const mem *m, void *ptr, size_t size);
/* Grows an array geometrically to hold `need` elements of `elem` bytes. False if memory is short or the size
 * overflows; *ptr and *cap are then unchanged. */
bool mem_reserve(const mem *m, void **ptr, size_t *cap, size_t need, size_t elem);

typedef struct buf {
    const mem *mem;
    uint8_t *data;
    size_t size, cap;
} buf;

void buf_init(buf *b, const mem *m);
void buf_free(buf *b);
bool buf_reserve(buf *b, size_t more);
bool buf_put(buf *b, const void *bytes, size_t n);
bool buf_fill(buf *b, uint8_t byte, size_t n);

/* Allocator for small blocks that are freed together with the arena. */
typedef struct arena_block arena_block;
typedef struct arena {
    const mem *mem;
    arena_block *blocks;
    size_t used, cap; /* of the newest block */
} arena;

void arena_init(arena *a, const mem *m);
void arena_free(arena *a);
void *arena_zalloc(arena *a, size_t size); /* zeroed, with maximum alignment */

#endif
