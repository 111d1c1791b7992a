/* Public functions for paths. A path that begins with an item of the scene is resolved here, others by the engine. */
#include "api/api.h"

static const struct {
    lathe_list list;
    const char *name;
} lists[] = {{LATHE_SKELETONS, "skeletons"}, {LATHE_ANIMATIONS, "animations"},
             {LATHE_MATERIALS, "materials"}, {LATHE_BODIES, "bodies"},
             {LATHE_EVENTS, "events"},       {LATHE_VARIABLES, "variables"}};

/* Lists whose numbers are ids, which begin with 0, and whose items are also found by name. */
static bool has_ids(lathe_list list)
{
    return list == LATHE_EVENTS || list == LATHE_VARIABLES;
}

/* Reads the number at *p and the bracket, and moves *p behind it. False: there is none. */
static bool number_at(const char **p, uint64_t *i)
{
    const char *digit = *p + 1;
    for (*i = 0; *digit >= '0' && *digit <= '9' && *i < UINT64_MAX / 16; digit++)
        *i = *i * 10 + (uint64_t)(*digit - '0');
    if (*digit != ']' || digit == *p + 1)
        return false;
    *p = digit + 1;
    return true;
}

/* Reads the name at *p, as in ["Idle"], and gives the number of its item. *found: there was a name. */
static lathe_result name_at(lathe_doc *doc, lathe_list list, const char **p, uint64_t *i,
                            bool *found, lathe_error *err)
{
    buf key;
    const char *after = *p + 1;
    buf_init(&key, &doc->mem);
    *found = (*p)[1] == '"' && rec_path_key(&after, &key);
    lathe_result r = !*found ? LATHE_OK
                             : lathe_list_find(doc, list, key.size ? (const char *)key.data : "",
                                               key.size, i, err);
    buf_free(&key);
    if (*found)
        *p = after;
    return r;
}

/* Whether the document has a list, and its root record no field of that name, which would have precedence. */
static bool has_list(lathe_doc *doc, size_t k)
{
    const rec_at root = rec_root(doc, 0);
    return scene_has(doc->containers[0].format, lists[k].list) &&
           rec_slot_find(root.layout, lists[k].name) == REC_NO_SLOT;
}

/* Resolves "bodies[1]" at the start of a path: moves *p behind it, and sets *place to the item's record. */
static lathe_result enter_item(lathe_doc *doc, const char **p, lathe_value *place, lathe_error *err)
{
    size_t k = 0, n = strcspn(*p, "[");
    const char *after = *p + n;
    while (k < REC_COUNT_OF(lists) &&
           (strlen(lists[k].name) != n || memcmp(lists[k].name, *p, n) != 0))
        k++;
    if (k == REC_COUNT_OF(lists) || !*after || !has_list(doc, k))
        return LATHE_OK;
    lathe_list list = lists[k].list;
    uint64_t count, i = 0, first = has_ids(list) ? 0 : 1;
    bool found = number_at(&after, &i) && i >= first;
    lathe_result r = LATHE_OK;
    if (!found && has_ids(list)) {
        r = name_at(doc, list, &after, &i, &found, err);
        if (r != LATHE_OK)
            return r;
    }
    if (!found || (*after && *after != '.' && *after != '['))
        return LATHE_OK;
    r = lathe_list_count(doc, list, &count, err);
    if (r == LATHE_OK && i - first >= count)
        r = error_set(err, LATHE_ERR_NAME, LATHE_NO_OFFSET, "no %.*s: there are %llu, from %u",
                      (int)(after - *p), *p, (unsigned long long)count, (unsigned)first);
    if (r == LATHE_OK)
        r = lathe_list_item(doc, list, i - first, &place->as.v, err);
    if (r == LATHE_OK)
        *p = after;
    return r;
}

lathe_result lathe_view_at(lathe_view from, const char *path, lathe_value *value, lathe_error *err)
{
    lathe_value place = {.kind = from.flags & REC_VIEW_ARRAY ? LATHE_KIND_ARRAY : LATHE_KIND_RECORD,
                         .as.v = from};
    const char *p = path;
    lathe_result r = LATHE_OK;
    if (*p && strchr("sambev", *p) && lathe_view_same(from, lathe_doc_root(from.doc)))
        r = enter_item(from.doc, &p, &place, err);
    if (r == LATHE_OK)
        r = rec_path_follow(path, p, &place, err);
    if (r == LATHE_OK)
        *value = place;
    return r;
}
