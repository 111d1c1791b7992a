/* What the caller is told. */
#include "preview/preview.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static void skip(const preview *p, const char *path, const char *text)
{
    if (p->report && p->report->skipped)
        p->report->skipped(p->report->user, path ? path : p->name, text);
}

/* Like vsnprintf, but cut at a whole character. */
ERROR_PRINTF(3, 0)
static void print(char *out, size_t room, const char *fmt, va_list list)
{
    int n = vsnprintf(out, room, fmt, list);
    if (n >= 0 && (size_t)n >= room)
        out[frame_cut(out, room - 1)] = 0;
}

void preview_skip(const preview *p, const char *path, const char *fmt, ...)
{
    char text[PREVIEW_TEXT];
    va_list list;
    va_start(list, fmt);
    print(text, sizeof text, fmt, list);
    va_end(list);
    skip(p, path, text);
}

void preview_skip_count(const preview *p, uint64_t n, const char *one, const char *many)
{
    char text[PREVIEW_TEXT] = "";
    frame_append_count(text, sizeof text, n, one, many);
    if (n)
        skip(p, NULL, text);
}

void preview_skip_far(const preview *p, size_t n, const char *one, const char *many)
{
    char ones[128], manys[128];
    snprintf(ones, sizeof ones, " %s is far from all others or no number, and not in view", one);
    snprintf(manys, sizeof manys, " %s are far from all others or no numbers, and not in view",
             many);
    preview_skip_count(p, n, ones, manys);
}

static void give(const preview *p, const char *name, const lathe_value *value)
{
    if (p->report && p->report->result)
        p->report->result(p->report->user, name, value);
}

void preview_note(const preview *p, const char *fmt, ...)
{
    enum { NAME = 201 };
    char text[PREVIEW_TEXT] = "";
    va_list list;
    if (p->sheet) {
        frame_append(text, NAME, p->name);
        frame_append(text, sizeof text, ": ");
    }
    const size_t named = strlen(text);
    va_start(list, fmt);
    print(text + named, sizeof text - named, fmt, list);
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
