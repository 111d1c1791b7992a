#include "preview/names.h"

#include <stdlib.h>
#include <string.h>

static int folded(char c)
{
    return c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : (unsigned char)c;
}

static int compare(const char *a, const char *b)
{
    while (*a && folded(*a) == folded(*b)) {
        a++;
        b++;
    }
    return folded(*a) - folded(*b);
}

typedef struct entry {
    const char *name;
    uint32_t bone;
} entry;

/* By name without case, then by name, then by number. */
static int by_name(const void *x, const void *y)
{
    const entry *a = x, *b = y;
    int order = compare(a->name, b->name);
    if (!order)
        order = strcmp(a->name, b->name);
    return order ? order : (a->bone > b->bone) - (a->bone < b->bone);
}

bool preview_names_of(const mem *m, const model_skeleton *skeleton, preview_names *out)
{
    size_t n = skeleton->bone_count;
    entry *list = mem_alloc(m, (n + 1) * sizeof *list);
    *out = (preview_names){.memory = m, .skeleton = skeleton};
    out->order = list ? mem_alloc(m, (n + 1) * sizeof *out->order) : NULL;
    for (size_t i = 0; out->order && i < n; i++) {
        const char *name = skeleton->bones[i].name;
        if (name && *name)
            list[out->count++] = (entry){name, (uint32_t)i};
    }
    if (out->count)
        qsort(list, out->count, sizeof *list, by_name);
    for (size_t i = 0; i < out->count; i++)
        out->order[i] = list[i].bone;
    mem_free(m, list, (n + 1) * sizeof *list);
    return out->order != NULL;
}

void preview_names_free(preview_names *names)
{
    if (names->order)
        mem_free(names->memory, names->order,
                 (names->skeleton->bone_count + 1) * sizeof *names->order);
    *names = (preview_names){.count = 0};
}

/* The first in the order that is not before a name; `exactly`: with its case. */
static size_t place_of(const preview_names *names, const char *name, bool exactly)
{
    size_t low = 0, high = names->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        const char *one = names->skeleton->bones[names->order[middle]].name;
        int order = compare(one, name);
        if (order < 0 || (!order && exactly && strcmp(one, name) < 0))
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

bool preview_names_find(const preview_names *names, const char *name, size_t *bone)
{
    for (int exactly = 1; exactly >= 0; exactly--) {
        size_t at = place_of(names, name, exactly);
        if (at == names->count)
            continue;
        *bone = names->order[at];
        const char *one = names->skeleton->bones[*bone].name;
        if (exactly ? strcmp(one, name) == 0 : compare(one, name) == 0)
            return true;
    }
    return false;
}
