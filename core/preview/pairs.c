/* Pairs things of two documents by their names. */
#include "preview/changes.h"

#include <stdlib.h>
#include <string.h>

static int by_name(const preview_named *a, const preview_named *b)
{
    if (a->kind != b->kind)
        return a->kind < b->kind ? -1 : 1;
    return strcmp(a->name, b->name);
}

static int by_name_and_index(const void *x, const void *y)
{
    const preview_named *a = x, *b = y;
    int order = by_name(a, b);
    return order ? order : (a->index > b->index) - (a->index < b->index);
}

void preview_pair(preview_named *lists[2], const size_t counts[2], int64_t *pairs[2])
{
    for (int side = 0; side < 2; side++)
        if (counts[side])
            qsort(lists[side], counts[side], sizeof *lists[side], by_name_and_index);
    for (size_t i = 0, k = 0; i < counts[0] && k < counts[1];) {
        const preview_named *a = &lists[0][i], *b = &lists[1][k];
        int order = by_name(a, b);
        if (order == 0) {
            pairs[0][a->index] = (int64_t)b->index;
            pairs[1][b->index] = (int64_t)a->index;
        }
        i += order <= 0;
        k += order >= 0;
    }
}
