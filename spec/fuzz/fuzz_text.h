/* Arguments of a verb that are one text. */
#ifndef LATHE_FUZZ_TEXT_H
#define LATHE_FUZZ_TEXT_H

#include "fuzz.h"

typedef struct text_arg {
    const char *name, *text;
} text_arg;

static bool get_text(void *user, const void *node, const char *name, uint64_t i, lathe_value *leaf,
                     const void **child)
{
    const text_arg *t = user;
    (void)node, (void)i;
    *child = NULL;
    if (!name || strcmp(name, t->name) != 0)
        return false;
    *leaf = (lathe_value){.kind = LATHE_KIND_STRING, .as.s = {t->text, strlen(t->text)}};
    return true;
}

static uint64_t count_text(void *user, const void *node)
{
    (void)user, (void)node;
    return 0;
}

static lathe_source text_source(text_arg *what)
{
    return (lathe_source){
        .size = sizeof(lathe_source), .user = what, .get = get_text, .count = count_text};
}

#endif
