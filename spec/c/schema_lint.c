/* Runs the schema lint over every format; exit 1 where it has something to say. */
#include "record/record.h"
#include "scene/hooks.h"

#include <stdio.h>

static void say(void *user, const char *problem)
{
    printf("%s: %s\n", (const char *)user, problem);
}

int main(void)
{
    size_t n, problems = 0;
    const lathe_format *const *formats = lathe_formats(&n);
    for (size_t i = 0; i < n; i++) {
        char name[64];
        snprintf(name, sizeof name, "%s", formats[i]->name);
        problems += rec_lint(formats[i], say, name);
        const char *fault = scene_fault(formats[i]);
        if (fault)
            say(name, fault);
        problems += fault != NULL;
    }
    printf("schema lint: %zu formats, %zu problems\n", n, problems);
    return problems ? 1 : 0;
}
