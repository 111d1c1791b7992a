/* Checks that PTCH lists exactly the fields that hold an item number, each once. */
#include "tagfile/check.h"
#include "tagfile/patches.h"

#include <stdlib.h>

typedef struct patch {
    uint32_t position, type;
    uint64_t at; /* offset in the file */
} patch;

static void finding(const tag_checker *k, lathe_level level, const patch *p, const char *what)
{
    char label[TAG_LABEL] = "";
    if (p->type < k->types->count)
        tag_label(k->types, p->type, label);
    tag_finding(k, level, p->at, "patch_section", "PTCH: %s: the patch of 0x%x %s",
                *label ? label : "no type", p->position, what);
}

/* ---- groups ------------------------------------------------------------------------------------------------ */

static bool take(const tag_checker *k, uint32_t type, uint64_t at, uint32_t n, buf *out)
{
    const lathe_level warning = LATHE_LEVEL_WARNING;
    patch p = {.type = type}, before = {0};
    for (uint32_t i = 0; i < n; i++, before = p) {
        p.at = at + 4 * (uint64_t)i;
        p.position = bytes_ld32(k->p + p.at, false);
        if (i && p.position < before.position)
            finding(k, warning, &p, "is out of order: it belongs in front of the one before it");
        if (!buf_put(out, &p, sizeof p))
            return false;
    }
    return true;
}

/* Reads groups up to the end, or to a type 0. */
static bool take_groups(const tag_checker *k, buf *out)
{
    uint64_t at = k->patches.at + TAG_HEADER, end = k->patches.end;
    uint32_t before = 0;
    while (end - at >= TAG_GROUP_HEAD && bytes_ld32(k->p + at, false)) {
        uint32_t type = bytes_ld32(k->p + at, false), n = bytes_ld32(k->p + at + 4, false);
        if (n > (end - at - TAG_GROUP_HEAD) / 4)
            break; /* opening fails for this */
        if (type >= k->types->count)
            tag_finding(k, LATHE_LEVEL_ERROR, at, "patch_section",
                        "PTCH: patches of type %u, there are %u", type, k->types->count - 1);
        if (type == before)
            tag_finding(k, LATHE_LEVEL_WARNING, at, "patch_section",
                        "PTCH: a second group of type %u", type);
        else if (type < before)
            tag_finding(k, LATHE_LEVEL_WARNING, at, "patch_section",
                        "PTCH: the group of type %u is out of order: it is behind that of %u", type,
                        before);
        before = type;
        if (!take(k, type, at + TAG_GROUP_HEAD, n, out))
            return false;
        at += TAG_GROUP_HEAD + 4 * (uint64_t)n;
    }
    for (uint64_t i = at; i < end; i++)
        if (k->p[i]) {
            tag_finding(
                k, LATHE_LEVEL_WARNING, at, "patch_section",
                "PTCH: %llu bytes behind the last group: patches of other files, which are kept",
                (unsigned long long)(end - at));
            break;
        }
    return true;
}

/* ---- patches and fields ------------------------------------------------------------------------------------ */

static int by_position(const void *a, const void *b)
{
    const patch *x = a, *y = b;
    if (x->position != y->position)
        return x->position < y->position ? -1 : 1;
    return x->at < y->at ? -1 : x->at > y->at;
}

static uint32_t width_of(const tag_checker *k, uint32_t type)
{
    uint32_t size = type < k->types->count ? k->types->all[type].is.size : 0;
    return size < 4 ? 4 : size;
}

static uint32_t number_at(const tag_checker *k, uint32_t position)
{
    return bytes_ld32(k->p + k->data.at + TAG_HEADER + position, false);
}

/* The problem of a patch; NULL: none. before: the last valid patch in front of it. */
static const char *fault(const tag_checker *k, const patch *p, const patch *before,
                         const tag_field *field, bool whole)
{
    uint64_t data = k->data.end - k->data.at - TAG_HEADER;
    if (p->position > data || data - p->position < 4)
        return "is outside of DATA";
    if (before && before->position == p->position)
        return "is there twice";
    if (before && p->position - before->position < width_of(k, before->type))
        return "overlaps the field of the one in front of it";
    if (!field)
        return whole ? "is where no reference is" : NULL;
    if (field->type != p->type)
        return "is where a field of another type is";
    return number_at(k, p->position) ? NULL : "is where a field leads to nothing";
}

static void missing_finding(const tag_checker *k, const tag_field *f)
{
    char label[TAG_LABEL];
    uint32_t number = number_at(k, f->position);
    if (number)
        tag_data_finding(k, LATHE_LEVEL_ERROR, f->position,
                         "PTCH has no patch for the field at 0x%x, item %u: %s", f->position,
                         number, tag_label(k->types, f->type, label));
}

/* Compares patches and fields, both sorted. A field that occurs twice (overlapping members) may be patched as
 * either. */
static void compare(const tag_checker *k, const patch *patches, size_t n, const tag_fields *fields)
{
    const tag_field *f = (const tag_field *)(const void *)fields->all.data;
    const patch *before = NULL;
    size_t all = fields->all.size / sizeof *f, j = 0;
    for (size_t i = 0; i < n && !k->report->stopped; i++) {
        const patch *p = &patches[i];
        bool again = i && p->position == p[-1].position;
        for (; j < all && f[j].position < p->position; j++)
            missing_finding(k, &f[j]);
        const tag_field *at = j < all && f[j].position == p->position ? &f[j] : NULL;
        for (; !again && j + 1 < all && f[j + 1].position == p->position && f[j].type != p->type;)
            at = &f[++j];
        const char *wrong = fault(k, p, before, at, fields->whole);
        if (wrong)
            finding(k, LATHE_LEVEL_ERROR, p, wrong);
        else
            before = p;
        if (at && !(i + 1 < n && p[1].position == p->position))
            while (j < all && f[j].position == p->position)
                j++;
    }
    for (; j < all && !k->report->stopped; j++)
        missing_finding(k, &f[j]);
}

bool tag_check_patches(const tag_checker *k, const tag_fields *fields)
{
    buf all;
    buf_init(&all, &k->doc->mem);
    bool done = !k->patches.end || take_groups(k, &all);
    size_t n = all.size / sizeof(patch);
    if (done && n)
        qsort(all.data, n, sizeof(patch), by_position);
    if (done)
        compare(k, (const patch *)(const void *)all.data, n, fields);
    buf_free(&all);
    return done;
}
