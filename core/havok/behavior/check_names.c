/* Names that are there twice. */
#include "havok/behavior/check.h"

#include <stdlib.h>
#include <string.h>

static int compare(uint64_t a, uint64_t b)
{
    return (a > b) - (a < b);
}

static int by_name(const void *a, const void *b)
{
    const hk_named *s = a, *t = b;
    if (s->group != t->group)
        return compare(s->group, t->group);
    int order = strcmp(s->text, t->text);
    return order ? order : compare(s->i, t->i);
}

static int by_number(const void *a, const void *b)
{
    const hk_named *s = a, *t = b;
    return compare(s->i, t->i);
}

void hk_names_again(buf *list, void (*again)(void *user, const hk_named *name), void *user)
{
    hk_named *names = (hk_named *)(void *)list->data;
    size_t n = list->size / sizeof *names, count = 0;
    for (size_t i = 0; i < n; i++) /* those without a text are no names */
        if (names[i].text && *names[i].text)
            names[count++] = names[i];
    if (count < 2)
        return;
    qsort(names, count, sizeof *names, by_name);
    for (size_t i = 0; i < count; i++) {
        bool same = i && names[i].group == names[i - 1].group &&
                    strcmp(names[i].text, names[i - 1].text) == 0;
        names[i].first = same ? names[i - 1].first : names[i].i;
    }
    qsort(names, count, sizeof *names, by_number);
    for (size_t i = 0; i < count; i++)
        if (names[i].first != names[i].i)
            again(user, &names[i]);
}
