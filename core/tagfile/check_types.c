/* Checks the types of a tagfile: whether sizes, members and parents are consistent. */
#include "tagfile/check.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

static void type_finding(const tag_checker *k, lathe_level level, uint32_t id, const char *fmt, ...)
    ERROR_PRINTF(4, 5);

static void type_finding(const tag_checker *k, lathe_level level, uint32_t id, const char *fmt, ...)
{
    char text[200], label[TAG_LABEL], where[32];
    va_list args;
    va_start(args, fmt);
    vsnprintf(text, sizeof text, fmt, args);
    va_end(args);
    snprintf(where, sizeof where, "types[%u]", id);
    tag_finding(k, level, k->type.at + k->types->all[id].at, where, "TBOD: %s: %s",
                tag_label(k->types, id, label), text);
}

/* ---- members --------------------------------------------------------------------------------------------- */

static int by_offset(const void *a, const void *b)
{
    const tag_member *x = *(const tag_member *const *)a, *y = *(const tag_member *const *)b;
    if (x->offset != y->offset)
        return x->offset < y->offset ? -1 : 1;
    return x < y ? -1 : x > y;
}

static uint64_t end_of(const tag_types *types, const tag_member *m)
{
    return (uint64_t)m->offset + types->all[m->type].is.size;
}

static void check_sorted(const tag_checker *k, uint32_t id, const tag_member **sorted, uint64_t end)
{
    const tag_type *t = &k->types->all[id];
    const tag_member *before = NULL;
    char label[TAG_LABEL];
    for (uint32_t i = 0; i < t->members_n && !k->report->stopped; i++) {
        const tag_member *m = sorted[i];
        const tag_type *of = &k->types->all[m->type];
        uint64_t to = end_of(k->types, m);
        if (!of->is.has_size)
            type_finding(k, LATHE_LEVEL_ERROR, id, "its member %.60s is of %s, which has no size",
                         m->name, tag_label(k->types, m->type, label));
        else if (to > t->is.size)
            type_finding(k, LATHE_LEVEL_ERROR, id, "its member %.60s takes bytes %u to %llu of %u",
                         m->name, m->offset, (unsigned long long)to, t->is.size);
        else if (of->is.size && m->offset < end && before)
            type_finding(k, LATHE_LEVEL_WARNING, id,
                         "its member %.60s at %u overlaps %.60s, which ends at %llu", m->name,
                         m->offset, before->name, (unsigned long long)end);
        else if (of->is.size && m->offset < end)
            type_finding(k, LATHE_LEVEL_WARNING, id,
                         "its member %.60s at %u overlaps those of its parent, which end at %llu",
                         m->name, m->offset, (unsigned long long)end);
        if (to > end) {
            end = to;
            before = m;
        }
    }
}

/* Checks members. ends[]: end of the members of each checked type, including those of its parents; parents
 * come first. */
static bool check_members(const tag_checker *k, uint32_t id, uint64_t *ends)
{
    const tag_type *t = &k->types->all[id];
    uint64_t end = t->parent ? ends[t->parent] : 0;
    const tag_member **sorted;
    ends[id] = end;
    if (!t->members_n || !t->is.has_size)
        return true;
    sorted = mem_alloc(&k->doc->mem, t->members_n * sizeof *sorted);
    if (!sorted)
        return false;
    for (uint32_t i = 0; i < t->members_n; i++) {
        sorted[i] = &t->members[i];
        uint64_t to = end_of(k->types, sorted[i]);
        ends[id] = to > ends[id] && to <= t->is.size ? to : ends[id];
    }
    qsort(sorted, t->members_n, sizeof *sorted, by_offset);
    check_sorted(k, id, sorted, end);
    mem_free(&k->doc->mem, sorted, t->members_n * sizeof *sorted);
    return true;
}

/* ---- sizes ------------------------------------------------------------------------------------------------ */

static void check_array(const tag_checker *k, uint32_t id)
{
    const tag_type *t = &k->types->all[id], *sub = &k->types->all[t->is.sub_type];
    uint64_t n = t->is.format >> 8;
    char label[TAG_LABEL];
    if (!sub->is.has_size)
        type_finding(k, LATHE_LEVEL_ERROR, id, "its elements are of %s, which has no size",
                     tag_label(k->types, t->is.sub_type, label));
    else if (n * sub->is.size != t->is.size)
        type_finding(k, LATHE_LEVEL_ERROR, id, "%llu elements of %u bytes in %u bytes",
                     (unsigned long long)n, sub->is.size, t->is.size);
}

/* Checks only values that the type states itself: aliases need not repeat them. */
static void check_size(const tag_checker *k, uint32_t id)
{
    const tag_type *t = &k->types->all[id], *parent = &k->types->all[t->parent];
    tag_kind kind = tag_kind_of(t);
    char label[TAG_LABEL];
    if (t->parent && !parent->body)
        type_finding(k, LATHE_LEVEL_ERROR, id, "its parent, %s, has no body",
                     tag_label(k->types, t->parent, label));
    if (!t->is.has_size || !(t->opt & (TAG_SIZE | TAG_FORMAT)))
        return;
    if (kind == TAG_ARRAY && t->is.format & TAG_INLINE)
        check_array(k, id);
    if ((kind == TAG_INT || kind == TAG_BOOL) && t->is.format >> 10 != 8 * t->is.size)
        type_finding(k, LATHE_LEVEL_ERROR, id, "an integer of %u bits in %u bytes",
                     t->is.format >> 10, t->is.size);
    if (t->parent && parent->is.has_size && kind == TAG_RECORD && parent->is.size > t->is.size)
        type_finding(k, LATHE_LEVEL_ERROR, id, "it has %u bytes, its parent %u", t->is.size,
                     parent->is.size);
}

/* ---- records that contain themselves ---------------------------------------------------------------------- */

typedef struct step {
    uint32_t id, next;
} step;

enum { UNSEEN = 0, OPEN, DONE };

/* Type i that is stored inline in a type; false: there are no more. */
static bool inner(const tag_type *t, uint32_t i, uint32_t *id)
{
    if (tag_kind_of(t) == TAG_ARRAY && t->is.format & TAG_INLINE) {
        *id = t->is.sub_type;
        return i == 0;
    }
    if (tag_kind_of(t) != TAG_RECORD || i > t->members_n)
        return false;
    *id = i ? t->members[i - 1].type : t->parent;
    return true;
}

/* Visits all types inlined in `first`, without recursion, because there may be as many levels as types. */
static void check_circles(const tag_checker *k, uint32_t first, uint8_t *seen, step *stack)
{
    uint32_t n = 0, id;
    char label[TAG_LABEL];
    if (seen[first] != UNSEEN)
        return;
    stack[n++] = (step){first, 0};
    seen[first] = OPEN;
    while (n) {
        step *top = &stack[n - 1];
        if (!inner(&k->types->all[top->id], top->next++, &id)) {
            seen[top->id] = DONE;
            n--;
        } else if (seen[id] == OPEN && id == top->id) {
            type_finding(k, LATHE_LEVEL_ERROR, id, "it holds itself in line");
        } else if (seen[id] == OPEN) {
            type_finding(k, LATHE_LEVEL_ERROR, id, "it holds itself in line, by way of %s",
                         tag_label(k->types, top->id, label));
        } else if (seen[id] == UNSEEN) {
            seen[id] = OPEN;
            stack[n++] = (step){id, 0};
        }
    }
}

/* ---- hashes ----------------------------------------------------------------------------------------------- */

static void check_hashes(const tag_checker *k, uint8_t *seen)
{
    char label[TAG_LABEL];
    memset(seen, 0, k->types->count);
    for (uint32_t i = 1; i < k->items_n && !k->report->stopped; i++) {
        tag_item item = tag_checked_item(k, i);
        if (!item.kind || item.type >= k->types->count || seen[item.type])
            continue;
        seen[item.type] = true;
        if (!k->types->all[item.type].hashed)
            tag_item_finding(k, LATHE_LEVEL_WARNING, i, "THSH has no hash of its %s",
                             tag_label(k->types, item.type, label));
    }
}

/* ---- all types -------------------------------------------------------------------------------------------- */

/* Checks parents first; there are at most about 64 (types_read.c). */
static bool check_lineage(const tag_checker *k, uint32_t id, uint64_t *ends, uint8_t *seen)
{
    uint32_t line[80], n = 0;
    for (uint32_t up = id; up && !seen[up] && n < REC_COUNT_OF(line); up = k->types->all[up].parent)
        line[n++] = up;
    while (n-- > 0) {
        seen[line[n]] = true;
        if (!check_members(k, line[n], ends))
            return false;
    }
    return true;
}

void tag_check_types(const tag_checker *k)
{
    uint32_t n = k->types->count;
    uint64_t *ends = mem_zalloc(&k->doc->mem, n * sizeof *ends);
    step *stack = mem_alloc(&k->doc->mem, n * sizeof *stack);
    uint8_t *seen = mem_zalloc(&k->doc->mem, n);
    bool done = ends && stack && seen;
    for (uint32_t id = 1; done && id < n; id++)
        done = check_lineage(k, id, ends, seen);
    if (done)
        memset(seen, UNSEEN, n);
    for (uint32_t id = 1; done && id < n && !k->report->stopped; id++) {
        check_size(k, id);
        check_circles(k, id, seen, stack);
    }
    if (done)
        check_hashes(k, seen);
    mem_free(&k->doc->mem, ends, n * sizeof *ends);
    mem_free(&k->doc->mem, stack, n * sizeof *stack);
    mem_free(&k->doc->mem, seen, n);
}
