/* Memory for tests that runs out after so many calls, and a sink that keeps what it gets. */
#ifndef LATHE_SHORT_MEMORY_H
#define LATHE_SHORT_MEMORY_H

typedef struct memory {
    long left; /* calls until one fails; negative: none does */
    long blocks;
} memory;

static void *take(void *user, void *ptr, size_t old_size, size_t new_size)
{
    memory *m = user;
    (void)old_size;
    if (!new_size) {
        m->blocks -= ptr != NULL;
        free(ptr);
        return NULL;
    }
    if (m->left == 0)
        return NULL;
    m->left -= m->left > 0;
    m->blocks += ptr == NULL;
    return realloc(ptr, new_size);
}

typedef struct bytes {
    size_t n;
    uint8_t data[8192];
} bytes;

static inline bool keep(void *user, const void *p, size_t n)
{
    bytes *b = user;
    assert_true(n <= sizeof b->data - b->n);
    memcpy(b->data + b->n, p, n);
    b->n += n;
    return true;
}

#endif
