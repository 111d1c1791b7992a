/* Reports findings at a place of the file, an item or a position in the data. */
#include "tagfile/check.h"

#include "tagfile/list.h"

#include <stdarg.h>
#include <stdio.h>

static void finding(const tag_checker *k, lathe_level level, uint64_t at, const char *where,
                    const char *text)
{
    lathe_error e;
    char path[sizeof e.where] = "";
    rec_at root = rec_root(k->doc, k->c);
    size_t n = where ? rec_path(&root, REC_NO_SLOT, REC_NO_ITEM, path, sizeof path) : 0;
    error_set(&e, LATHE_ERR_INVALID, k->start + at, "%s", text);
    if (k->doc->path)
        error_path(&e, k->doc->path);
    if (where && n < sizeof path) { /* in an embedded document: its path comes first */
        snprintf(path + n, sizeof path - n, "%s%s", n ? "." : "", where);
        error_where(&e, path);
    }
    rec_found(k->report, level, &e);
}

void tag_finding(const tag_checker *k, lathe_level level, uint64_t at, const char *where,
                 const char *fmt, ...)
{
    char text[sizeof(lathe_error)];
    va_list args;
    va_start(args, fmt);
    vsnprintf(text, sizeof text, fmt, args);
    va_end(args);
    finding(k, level, at, where, text);
}

void tag_item_finding(const tag_checker *k, lathe_level level, uint32_t item, const char *fmt, ...)
{
    char text[200], all[232], where[48];
    va_list args;
    va_start(args, fmt);
    vsnprintf(text, sizeof text, fmt, args);
    va_end(args);
    snprintf(all, sizeof all, "ITEM: item %u: %s", item, text);
    snprintf(where, sizeof where, "item_section.items[%llu]", (unsigned long long)item + 1);
    finding(k, level, k->items.at + TAG_HEADER + (uint64_t)item * TAG_ITEM_SIZE, where, all);
}

void tag_data_finding(const tag_checker *k, lathe_level level, uint64_t position, const char *fmt,
                      ...)
{
    char text[200], where[48] = "";
    uint32_t part;
    uint64_t off;
    va_list args;
    va_start(args, fmt);
    vsnprintf(text, sizeof text, fmt, args);
    va_end(args);
    if (tag_place(k->doc, k->c, position, &part, &off) &&
        rec_part_of(k->doc, part)->slot == tag_row(TAG_OBJECTS))
        snprintf(where, sizeof where, "objects[%llu]",
                 (unsigned long long)rec_kid_index(k->doc, part) + 1);
    finding(k, level, k->data.at + TAG_HEADER + position, *where ? where : NULL, text);
}

const char *tag_label(const tag_types *types, uint32_t id, char to[TAG_LABEL])
{
    char name[64];
    if (tag_display(types, id, name, sizeof name) >= sizeof name)
        memcpy(name + sizeof name - 4, "...", 4);
    snprintf(to, TAG_LABEL, "type %u (%s)", id, name);
    return to;
}
