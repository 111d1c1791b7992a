/* What the caller is told. */
#include "preview/preview.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void preview_skip(const preview *p, const char *path, const char *fmt, ...)
{
    char text[PREVIEW_TEXT];
    va_list list;
    if (!p->report || !p->report->skipped)
        return;
    va_start(list, fmt);
    vsnprintf(text, sizeof text, fmt, list);
    va_end(list);
    p->report->skipped(p->report->user, path ? path : p->name, text);
}

static void give(const preview *p, const char *name, const lathe_value *value)
{
    if (p->report && p->report->result)
        p->report->result(p->report->user, name, value);
}

void preview_note(const preview *p, const char *fmt, ...)
{
    char text[PREVIEW_TEXT];
    va_list list;
    int named = p->sheet ? snprintf(text, sizeof text / 2, "%.200s: ", p->name) : 0;
    va_start(list, fmt);
    vsnprintf(text + named, sizeof text - (size_t)named, fmt, list);
    va_end(list);
    give(p, "notes", &(lathe_value){.kind = LATHE_KIND_STRING, .as.s = {text, strlen(text)}});
}

void preview_told(const preview *p)
{
    const struct {
        const char *name;
        uint64_t value;
    } facts[] = {
        {"width", p->options.width}, {"height", p->options.height}, {"triangles", p->triangles}};
    for (size_t i = 0; i < sizeof facts / sizeof *facts; i++)
        give(p, facts[i].name, &(lathe_value){.kind = LATHE_KIND_UINT, .as.u = facts[i].value});
}
