/* Bindings of members to variables and properties. */
#include "havok/behavior/check.h"
#include "havok/packfile/members.h"

#include <stdio.h>
#include <string.h>

#define WARN LATHE_LEVEL_WARNING

/* ---- sets -------------------------------------------------------------------------------------------------- */

static const char enable[] = "enable";

static lathe_result check_enable(hk_graph_look *k, const rec_at *set, lathe_error *err)
{
    static const char row[] = "index_of_binding_to_enable";
    rec_at binding;
    uint64_t n, size;
    const char *path;
    int64_t i = rec_int(set, row);
    lathe_result r = hk_read_length(set, "bindings", &n, err);
    if (r != LATHE_OK || i == -1)
        return r;
    if (i < 0 || (uint64_t)i >= n) {
        HK_FINDING(k->report, k->error, set, row, REC_NO_ITEM, "no binding %lld: there are %llu",
                   (long long)i, (unsigned long long)n);
        return r;
    }
    if (!hk_record_at(set, "bindings", (uint64_t)i, &binding))
        return r;
    r = hk_read_text(&binding, "member_path", &path, &size, err);
    if (r == LATHE_OK && (!path || strcmp(path, enable) != 0))
        HK_FINDING(k->report, WARN, set, row, REC_NO_ITEM,
                   "binding %lld is of the member '%.90s', not of '%s'", (long long)i,
                   path ? path : "", enable);
    return r;
}

/* Those to variables are checked with all other ids. */
static void check_properties(hk_graph_look *k, const rec_at *set)
{
    rec_at at;
    for (uint64_t i = 0; k->numbered && hk_record_at(set, "bindings", i, &at); i++) {
        int64_t index = rec_int(&at, "variable_index");
        if (rec_int(&at, "binding_type") == 1 && (index < 0 || (uint64_t)index >= k->properties))
            HK_FINDING(k->report, k->error, &at, "variable_index", REC_NO_ITEM,
                       "no character property %lld: the graph has %llu, from 0", (long long)index,
                       (unsigned long long)k->properties);
    }
}

/* ---- members ------------------------------------------------------------------------------------------------- */

/* A part of a path, as in "bones:2/onGain": a name, and an index or -1. */
typedef struct step {
    const char *name;
    size_t n;
    int64_t index;
    const char *rest; /* NULL: it is the last one */
} step;

static bool read_step(const char *path, step *s)
{
    size_t end = strcspn(path, ":/");
    *s = (step){.name = path, .n = end, .index = -1};
    if (path[end] == ':') {
        size_t digits = strspn(path + end + 1, "0123456789");
        if (!digits || digits > 9)
            return false;
        s->index = 0;
        for (size_t i = 0; i < digits; i++)
            s->index = 10 * s->index + (path[end + 1 + i] - '0');
        end += 1 + digits;
    }
    if (path[end] == '/')
        s->rest = path + end + 1;
    return s->n > 0 && (path[end] == 0 || path[end] == '/');
}

/* The slot of the member with a name of Havok's. */
static uint32_t member_slot(const rec_at *at, const char *name, size_t n)
{
    int64_t version = at->doc->containers[at->layout->container].version;
    for (uint32_t i = 0; i < at->layout->count; i++) {
        hk_member m;
        const rec_slot *slot = &at->layout->slots[i];
        if (!slot->never && hk_member_of(slot->row, version, &m) && strlen(m.name) == n &&
            memcmp(m.name, name, n) == 0)
            return i;
    }
    return REC_NO_SLOT;
}

typedef struct found {
    bool ok;
    char why[160];
} found;

static lathe_result follow(const rec_at *object, const char *path, found *f, lathe_error *err)
{
    rec_at at = *object;
    step s = {.rest = path};
    rec_loc loc;
    f->ok = false;
    while (s.rest) {
        if (!read_step(s.rest, &s)) {
            snprintf(f->why, sizeof f->why, "'%.60s' is no path of a member", path);
            return LATHE_OK;
        }
        uint32_t slot = member_slot(&at, s.name, s.n);
        if (slot == REC_NO_SLOT) {
            snprintf(f->why, sizeof f->why, "%s has no member '%.*s'",
                     rec_type_name(at.layout->type), (int)(s.n < 60 ? s.n : 60), s.name);
            return LATHE_OK;
        }
        lathe_result r = rec_find(&at, slot, &loc, err);
        if (r != LATHE_OK)
            return r;
        bool array = at.layout->slots[slot].array;
        if (s.index >= 0 && !(array && (uint64_t)s.index < loc.count)) {
            snprintf(f->why, sizeof f->why, "'%.60s': there are %llu", path,
                     (unsigned long long)(array ? loc.count : 1));
            return LATHE_OK;
        }
        if (!s.rest)
            break;
        if (at.layout->slots[slot].row->kind == REC_POINTER)
            break; /* no known file has such paths */
        if (at.layout->slots[slot].row->kind != REC_RECORD || (array && s.index < 0)) {
            snprintf(f->why, sizeof f->why, "'%.60s': %.*s has no members", path,
                     (int)(s.n < 60 ? s.n : 60), s.name);
            return LATHE_OK;
        }
        r = rec_sub(&at, slot, s.index < 0 ? 0 : (uint64_t)s.index, &at, err);
        if (r != LATHE_OK)
            return r;
    }
    f->ok = true;
    return LATHE_OK;
}

static lathe_result check_paths(hk_graph_look *k, const rec_at *node, const rec_at *set,
                                lathe_error *err)
{
    rec_at at;
    found f;
    const char *path;
    uint64_t size;
    lathe_result r = LATHE_OK;
    for (uint64_t i = 0; r == LATHE_OK && hk_record_at(set, "bindings", i, &at); i++) {
        r = hk_read_text(&at, "member_path", &path, &size, err);
        if (r == LATHE_OK)
            r = follow(node, path ? path : "", &f, err);
        if (r == LATHE_OK && !f.ok)
            HK_FINDING(k->report, k->error, &at, "member_path", REC_NO_ITEM, "%s", f.why);
    }
    return r;
}

/* ---- all ----------------------------------------------------------------------------------------------------- */

static lathe_result set_of(const rec_at *node, rec_at *set, lathe_error *err)
{
    uint32_t part;
    lathe_result r = hk_read_target(node, "variable_binding_set", 0, &part, err);
    set->layout = NULL;
    if (r != LATHE_OK || part == REC_NO_PART)
        return r;
    *set = hk_object(node->doc, part);
    if (!set->layout)
        return rec_no_memory(err);
    if (set->layout->type != &hkb_variable_binding_set)
        set->layout = NULL;
    return r;
}

lathe_result hk_is_bound(const rec_at *node, const char *member, bool *out, lathe_error *err)
{
    enum { MOST = 256 }; /* sets have a few, but any number of nodes may share one */
    rec_at set, at;
    *out = false;
    lathe_result r = set_of(node, &set, err);
    for (uint64_t i = 0;
         r == LATHE_OK && set.layout && !*out && i < MOST && hk_record_at(&set, "bindings", i, &at);
         i++) {
        const char *path;
        uint64_t size;
        r = hk_read_text(&at, "member_path", &path, &size, err);
        *out = r == LATHE_OK && path && strcmp(path, member) == 0;
    }
    return r;
}

/* `seen`: sets that were looked at, by part. Of nodes that share one the first is looked at. */
static lathe_result check_object(hk_graph_look *k, uint32_t part, uint8_t *seen, lathe_error *err)
{
    rec_at at = hk_object(k->doc, part), set;
    if (at.layout->type == &hkb_variable_binding_set) {
        check_properties(k, &at);
        return check_enable(k, &at, err);
    }
    if (!rec_is_a(at.layout->type, &hkb_bindable))
        return LATHE_OK;
    lathe_result r = set_of(&at, &set, err);
    if (r != LATHE_OK || !set.layout || seen[set.part])
        return r;
    seen[set.part] = 1;
    return check_paths(k, &at, &set, err);
}

lathe_result hk_check_bindings(hk_graph_look *k, lathe_error *err)
{
    uint64_t n;
    bool opens;
    const uint32_t *objects = hk_object_list(k->doc, k->c, &n);
    size_t parts = k->doc->parts_n;
    uint8_t *seen = mem_zalloc(&k->doc->mem, parts + 1);
    lathe_result r = seen ? LATHE_OK : rec_no_memory(err);
    for (uint64_t i = 0; r == LATHE_OK && i < n && !k->report->stopped; i++) {
        r = hk_object_look(k->doc, objects[i], &opens, err);
        if (r == LATHE_OK && opens)
            r = check_object(k, objects[i], seen, err);
    }
    mem_free(&k->doc->mem, seen, parts + 1);
    return r;
}
