#include "base/mem.h"

#include <stdalign.h>
#include <stdlib.h>
#include <string.h>

/* The maximum size of a block, so that differences of pointers into it do not overflow. */
#define SIZE_LIMIT ((size_t)PTRDIFF_MAX)

static void *default_alloc(void *user, void *ptr, size_t old_size, size_t new_size)
{
    (void)user;
    (void)old_size;
    if (new_size == 0) {
        free(ptr);
        return NULL;
    }
    return new_size > SIZE_LIMIT ? NULL : realloc(ptr, new_size);
}

mem mem_default(void)
{
    return (mem){.fn = default_alloc, .user = NULL};
}

void *mem_resize(const mem *m, void *ptr, size_t old_size, size_t new_size)
{
    return m->fn(m->user, ptr, ptr ? old_size : 0, new_size);
}

/* Allocators return NULL for 0 bytes, which would look like a failure. So an empty block has one byte, for mem_free
 * as well. */
static size_t at_least_one(size_t size)
{
    return size > 0 ? size : 1;
}

void *mem_alloc(const mem *m, size_t size)
{
    return m->fn(m->user, NULL, 0, at_least_one(size));
}

void *mem_zalloc(const mem *m, size_t size)
{
    void *ptr = mem_alloc(m, size);
    if (ptr)
        memset(ptr, 0, size);
    return ptr;
}

void mem_free(const mem *m, void *ptr, size_t size)
{
    if (ptr)
        m->fn(m->user, ptr, at_least_one(size), 0);
}

bool mem_reserve(const mem *m, void **ptr, size_t *cap, size_t need, size_t elem)
{
    if (need <= *cap)
        return true;
    if (elem == 0 || need > SIZE_LIMIT / elem)
        return false;
    size_t most = SIZE_LIMIT / elem, least = 64 / elem;
    size_t next = *cap > most - *cap / 2 ? most : *cap + *cap / 2;
    if (next < least)
        next = least;
    if (next < need)
        next = need;
    void *grown = mem_resize(m, *ptr, *cap * elem, next * elem);
    if (!grown && next > need) { /* the allocator may be limited to less */
        next = need;
        grown = mem_resize(m, *ptr, *cap * elem, next * elem);
    }
    if (!grown)
        return false;
    *ptr = grown;
    *cap = next;
    return true;
}

void buf_init(buf *b, const mem *m)
{
    *b = (buf){.mem = m};
}

void buf_free(buf *b)
{
    mem_free(b->mem, b->data, b->cap);
    buf_init(b, b->mem);
}

bool buf_reserve(buf *b, size_t more)
{
    if (more > SIZE_LIMIT - b->size)
        return false;
    void *data = b->data;
    if (!mem_reserve(b->mem, &data, &b->cap, b->size + more, 1))
        return false;
    b->data = data;
    return true;
}

bool buf_put(buf *b, const void *bytes, size_t n)
{
    if (!buf_reserve(b, n))
        return false;
    if (n > 0)
        memcpy(b->data + b->size, bytes, n);
    b->size += n;
    return true;
}

bool buf_fill(buf *b, uint8_t byte, size_t n)
{
    if (!buf_reserve(b, n))
        return false;
    if (n > 0)
        memset(b->data + b->size, byte, n);
    b->size += n;
    return true;
}

struct arena_block {
    arena_block *next;
    size_t size; /* of the whole block, as allocated */
    alignas(max_align_t) uint8_t data[];
};

#define ARENA_FIRST ((size_t)1024)
#define ARENA_LARGEST ((size_t)64 * 1024)

void arena_init(arena *a, const mem *m)
{
    *a = (arena){.mem = m};
}

void arena_free(arena *a)
{
    for (arena_block *b = a->blocks, *next; b; b = next) {
        next = b->next;
        mem_free(a->mem, b, b->size);
    }
    arena_init(a, a->mem);
}

static arena_block *block_new(arena *a, size_t data_size)
{
    size_t size = offsetof(arena_block, data) + data_size;
    arena_block *b = mem_alloc(a->mem, size);
    if (b)
        *b = (arena_block){.next = NULL, .size = size};
    return b;
}

/* Allocates a separate block for a large size. It is linked behind the newest block, which stays in use. */
static void *take_own_block(arena *a, size_t size)
{
    arena_block *b = block_new(a, size);
    if (!b)
        return NULL;
    arena_block **at = a->blocks ? &a->blocks->next : &a->blocks;
    b->next = *at;
    *at = b;
    return memset(b->data, 0, size);
}

void *arena_zalloc(arena *a, size_t size)
{
    const size_t align = alignof(max_align_t);
    if (size > SIZE_LIMIT - sizeof(arena_block) - align)
        return NULL;
    size = (at_least_one(size) + align - 1) / align * align;
    if (size > a->cap - a->used) {
        size_t next = a->cap < ARENA_FIRST / 2 ? ARENA_FIRST : a->cap * 2;
        if (next > ARENA_LARGEST)
            next = ARENA_LARGEST;
        if (size > next / 4)
            return take_own_block(a, size);
        arena_block *b = block_new(a, next);
        if (!b)
            return NULL;
        b->next = a->blocks;
        a->blocks = b;
        a->used = 0;
        a->cap = next;
    }
    void *ptr = a->blocks->data + a->used;
    a->used += size;
    return memset(ptr, 0, size);
}
