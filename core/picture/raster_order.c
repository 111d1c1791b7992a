/* The orders in which triangles are drawn. Keys are sorted digit by digit: there are millions of them, and those that are equal
 * must keep their order. */
#include "picture/raster_parts.h"

typedef struct keyed {
    uint64_t key;
    uint32_t index;
} keyed;

enum {
    DIGIT_BITS = 11,
    DIGITS = 3,
    VALUES = 1 << DIGIT_BITS
}; /* 33 bits: the sum of three depths */

static uint32_t digit_of(const keyed *k, unsigned digit)
{
    return (uint32_t)(k->key >> digit * DIGIT_BITS) & (VALUES - 1);
}

static void sort_by_digit(const keyed *from, keyed *to, size_t n, unsigned digit)
{
    size_t begin[VALUES + 1] = {0};
    for (size_t i = 0; i < n; i++)
        begin[digit_of(&from[i], digit) + 1]++;
    for (size_t i = 0; i < VALUES; i++)
        begin[i + 1] += begin[i];
    for (size_t i = 0; i < n; i++)
        to[begin[digit_of(&from[i], digit)]++] = from[i];
}

/* Moves each triangle to its place: those of a cycle one after the other. */
static void move_all(raster_triangle *items, keyed *order, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        const raster_triangle first = items[i];
        size_t at = i;
        for (size_t from; (from = order[at].index) != i; at = from) {
            items[at] = items[from];
            order[at].index = (uint32_t)at;
        }
        items[at] = first;
        order[at].index = (uint32_t)at;
    }
}

bool raster_sort_by_depth(const mem *m, raster_list *list)
{
    const size_t n = list->count;
    keyed *keys = n ? mem_alloc(m, 2 * n * sizeof *keys) : NULL;
    if (!keys)
        return n == 0;
    keyed *from = keys, *to = keys + n;
    for (size_t i = 0; i < n; i++) {
        const uint32_t *depth = list->items[i].depth;
        from[i] = (keyed){(uint64_t)depth[0] + depth[1] + depth[2], (uint32_t)i};
    }
    for (unsigned digit = 0; digit < DIGITS; digit++) {
        keyed *swap = to;
        sort_by_digit(from, to, n, digit);
        to = from;
        from = swap;
    }
    move_all(list->items, from, n);
    mem_free(m, keys, 2 * n * sizeof *keys);
    return true;
}

bool raster_sort_by_band(const mem *m, const raster_list *list, uint32_t rows, uint32_t bands,
                         uint32_t *out)
{
    const size_t size = ((size_t)bands + 1) * sizeof(size_t);
    size_t *begin = mem_zalloc(m, size);
    if (!begin)
        return false;
    for (size_t i = 0; i < list->count; i++)
        begin[list->items[i].row / rows + 1]++;
    for (size_t i = 0; i < bands; i++)
        begin[i + 1] += begin[i];
    for (size_t i = 0; i < list->count; i++)
        out[begin[list->items[i].row / rows]++] = (uint32_t)i;
    mem_free(m, begin, size);
    return true;
}
