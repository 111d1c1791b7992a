#include "model/names.h"

#include <stdlib.h>
#include <string.h>

bool model_names_begin(model_names *names, const mem *m, uint64_t room)
{
    *names = (model_names){.mem = m};
    if (room > PTRDIFF_MAX / sizeof *names->list)
        return false;
    names->list = mem_alloc(m, (size_t)room * sizeof *names->list);
    names->room = names->list ? (size_t)room : 0;
    return names->list != NULL;
}

void model_names_add(model_names *names, const char *name, size_t index)
{
    if (name && names->count < names->room)
        names->list[names->count++] = (model_name){name, index};
}

static int compare(const void *a, const void *b)
{
    const model_name *x = a, *y = b;
    int order = strcmp(x->name, y->name);
    return order ? order : (x->index > y->index) - (x->index < y->index);
}

void model_names_sort(model_names *names)
{
    if (names->count > 1)
        qsort(names->list, names->count, sizeof *names->list, compare);
}

int64_t model_names_find(const model_names *names, const char *name)
{
    size_t lo = 0, hi = names->count;
    while (name && lo < hi) {
        size_t middle = lo + (hi - lo) / 2;
        if (strcmp(names->list[middle].name, name) < 0)
            lo = middle + 1;
        else
            hi = middle;
    }
    bool found = name && lo < names->count && strcmp(names->list[lo].name, name) == 0;
    return found ? (int64_t)names->list[lo].index : MODEL_NO_NAME;
}

void model_names_free(model_names *names)
{
    mem_free(names->mem, names->list, names->room * sizeof *names->list);
    names->list = NULL;
    names->count = names->room = 0;
}
