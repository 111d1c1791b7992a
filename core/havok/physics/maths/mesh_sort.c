/* One merge sort for all of the builder: no input is slow for it, and equal builds are equal. */
#include "havok/physics/maths/mesh_parts.h"

#include "base/bytes.h"

static bool before(const hk_sorted *a, const hk_sorted *b)
{
    return a->key != b->key ? a->key < b->key : a->then < b->then;
}

static void merge(const hk_sorted *a, const hk_sorted *a_end, const hk_sorted *b,
                  const hk_sorted *b_end, hk_sorted *out)
{
    while (a < a_end && b < b_end)
        *out++ = before(b, a) ? *b++ : *a++;
    while (a < a_end)
        *out++ = *a++;
    while (b < b_end)
        *out++ = *b++;
}

static void insert_all(hk_sorted *items, size_t n)
{
    for (size_t i = 1; i < n; i++) {
        hk_sorted one = items[i];
        size_t k = i;
        for (; k > 0 && before(&one, &items[k - 1]); k--)
            items[k] = items[k - 1];
        items[k] = one;
    }
}

void hk_sort(hk_sorted *items, hk_sorted *scratch, size_t n)
{
    enum { SMALL = 8 };
    hk_sorted *from = items, *to = scratch;
    for (size_t i = 0; i < n; i += SMALL)
        insert_all(items + i, n - i < SMALL ? n - i : SMALL);
    for (size_t width = SMALL; width < n; width *= 2) {
        for (size_t i = 0; i < n; i += 2 * width) {
            size_t middle = n - i < width ? n : i + width;
            size_t end = n - i < 2 * width ? n : i + 2 * width;
            merge(from + i, from + middle, from + middle, from + end, to + i);
        }
        hk_sorted *swap = from;
        from = to;
        to = swap;
    }
    if (from != items)
        memcpy(items, from, n * sizeof *items);
}

uint32_t hk_float_order(float f)
{
    uint32_t bits;
    f += 0.0f; /* -0 becomes 0 */
    memcpy(&bits, &f, sizeof bits);
    return bits & 0x80000000u ? ~bits : bits | 0x80000000u;
}
