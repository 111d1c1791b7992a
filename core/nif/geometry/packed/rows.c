/* Updates the table when objects are copied within a block: copies refer to the same geometry.
 * formats/precombined.md#5 */
#include "nif/geometry/packed/packed.h"

#include <stdlib.h>

enum { ROWS = 32, ROW = 8, HEAD = 36, DESC = 8 };

/* An object without its geometry, and its row in the table. */
typedef struct object_row {
    const uint8_t *object, *row;
    uint64_t size;
} object_row;

static int by_object(const void *a, const void *b)
{
    const object_row *x = a, *y = b;
    if (x->size != y->size)
        return x->size < y->size ? -1 : 1;
    return memcmp(x->object, y->object, (size_t)x->size);
}

static int by_object_and_row(const void *a, const void *b)
{
    int order = by_object(a, b);
    return order ? order : memcmp(((const object_row *)a)->row, ((const object_row *)b)->row, ROW);
}

static object_row object_row_of(const uint8_t *objects, const uint8_t *rows,
                                const nif_packed_place *o, uint64_t i)
{
    return (object_row){objects + o->at, rows + ROWS + ROW * i,
                        HEAD + NIF_INSTANCE * o->instances + DESC};
}

static bool empty(const uint8_t *row)
{
    static const uint8_t zeros[ROW] = {0};
    return memcmp(row, zeros, ROW) == 0;
}

/* The row of all objects equal to this one; NULL: there are none, or they have different rows. */
static const uint8_t *row_of(const object_row *all, size_t n, const object_row *one)
{
    const object_row *found = bsearch(one, all, n, sizeof *all, by_object);
    size_t lo = 0, hi = found ? (size_t)(found - all) : 0;
    while (lo < hi) { /* finds the first of them */
        size_t mid = lo + (hi - lo) / 2;
        if (by_object(&all[mid], one) < 0)
            lo = mid + 1;
        else
            hi = mid;
    }
    const object_row *first = all + lo;
    size_t end = n;
    for (hi = lo; found && hi < end;) { /* behind the last one */
        size_t mid = hi + (end - hi) / 2;
        if (by_object(&all[mid], one) > 0)
            end = mid;
        else
            hi = mid + 1;
    }
    return found && memcmp(first->row, all[hi - 1].row, ROW) == 0 ? first->row : NULL;
}

static bool list_objects(const nif_before *b, const nif_packed_place *was, size_t n, buf *objects)
{
    for (size_t i = 0; i < n; i++) {
        object_row t = object_row_of(b->image.data, b->image.data, &was[i], i);
        if (!buf_put(objects, &t, sizeof t))
            return false;
    }
    qsort(objects->data, n, sizeof(object_row), by_object_and_row);
    return true;
}

/* A new object without a row that is a copy of an existing one gets the same row. */
lathe_result nif_settle_rows(lathe_doc *doc, uint32_t part, const nif_before *before,
                             const buf *was, const buf *now, lathe_error *err)
{
    const nif_packed_place *o = (const nif_packed_place *)(const void *)now->data;
    size_t n = now->size / sizeof *o, was_n = was->size / sizeof *o;
    lathe_result r = LATHE_OK;
    buf objects;
    buf_init(&objects, &doc->mem);
    for (size_t i = 0; r == LATHE_OK && was_n && i < n; i++) {
        const uint8_t *data = doc->parts[part].data;
        object_row one = object_row_of(data, data, &o[i], i);
        if (!empty(one.row) || nif_before_place(before, o[i].at, HEAD) != NIF_NEW)
            continue;
        if (!objects.size &&
            !list_objects(before, (const nif_packed_place *)(const void *)was->data, was_n,
                          &objects))
            r = rec_no_memory(err);
        const uint8_t *row =
            r == LATHE_OK ? row_of((const object_row *)(const void *)objects.data, was_n, &one)
                          : NULL;
        if (row)
            r = rec_splice(doc, part, ROWS + ROW * i, ROW, row, ROW, err);
    }
    buf_free(&objects);
    return r;
}
