/* Members and objects that an animation is written to. */
#include "havok/animation/clip_write.h"

#include "record/build.h"

#include <string.h>

/* New elements come at the end, so that the others keep what is not written, and views of them. */
static lathe_result resize(const rec_at *at, uint32_t slot, uint64_t had, uint64_t n,
                           lathe_error *err)
{
    if (n > had)
        return rec_insert(at, slot, had, n - had, NULL, 0, err);
    return n < had ? rec_remove(at, slot, n, had - n, err) : LATHE_OK;
}

static lathe_result no_array(const rec_at *at, const char *name, lathe_error *err)
{
    return rec_fail(at, REC_NO_SLOT, at->off, err, LATHE_ERR_UNSUPPORTED,
                    "%s has no array '%s' to write to", rec_type_name(at->layout->type), name);
}

lathe_result hk_put_array(const rec_at *at, const char *name, uint64_t size, uint64_t n,
                          const void *bytes, lathe_error *err)
{
    rec_loc loc;
    uint32_t slot = hk_array_row(at, name, size);
    if (slot == REC_NO_SLOT)
        return n ? no_array(at, name, err) : LATHE_OK;
    if (at->layout->slots[slot].row->kind == REC_BYTES) {
        const lathe_value all = {.kind = LATHE_KIND_STRING,
                                 .as.s = {n ? bytes : "", (size_t)(n * size)}};
        return rec_set(at, slot, &all, err);
    }
    lathe_result r = rec_find(at, slot, &loc, err);
    if (r == LATHE_OK)
        r = resize(at, slot, loc.present ? loc.count : 0, n, err);
    if (r != LATHE_OK || !n)
        return r;
    r = rec_find(at, slot, &loc, err);
    return r == LATHE_OK ? rec_put_items(at, slot, &loc, 0, n, bytes, err) : r;
}

static lathe_result put_words(const rec_at *at, const char *name, unsigned lanes, uint64_t n,
                              const uint32_t *words, lathe_error *err)
{
    buf bytes;
    bool big = hk_is_big(at);
    uint64_t all = n * lanes;
    buf_init(&bytes, &at->doc->mem);
    if (all > SIZE_MAX / 4 || !buf_fill(&bytes, 0, (size_t)all * 4))
        return rec_no_memory(err);
    for (uint64_t i = 0; i < all; i++)
        bytes_st32(bytes.data + 4 * i, words[i], big);
    lathe_result r = hk_put_array(at, name, (uint64_t)4 * lanes, n, bytes.data, err);
    buf_free(&bytes);
    return r;
}

lathe_result hk_put_u32s(const rec_at *at, const char *name, uint64_t n, const uint32_t *values,
                         lathe_error *err)
{
    return put_words(at, name, 1, n, values, err);
}

lathe_result hk_put_floats(const rec_at *at, const char *name, unsigned lanes, uint64_t n,
                           const float *values, lathe_error *err)
{
    buf words;
    size_t size = (size_t)n * lanes * sizeof *values;
    buf_init(&words, &at->doc->mem);
    lathe_result r =
        n <= SIZE_MAX / 64 && buf_put(&words, values, size) ? LATHE_OK : rec_no_memory(err);
    if (r == LATHE_OK)
        r = put_words(at, name, lanes, n, (const uint32_t *)(const void *)words.data, err);
    buf_free(&words);
    return r;
}

lathe_result hk_put_i16s(const rec_at *at, const char *name, uint64_t n, const int16_t *values,
                         lathe_error *err)
{
    buf bytes;
    bool big = hk_is_big(at);
    buf_init(&bytes, &at->doc->mem);
    if (n > SIZE_MAX / 2 || !buf_fill(&bytes, 0, (size_t)n * 2))
        return rec_no_memory(err);
    for (uint64_t i = 0; i < n; i++)
        bytes_st16(bytes.data + 2 * i, (uint16_t)values[i], big);
    lathe_result r = hk_put_array(at, name, 2, n, bytes.data, err);
    buf_free(&bytes);
    return r;
}

lathe_result hk_put_number(const rec_at *at, const char *name, double to, lathe_error *err)
{
    const lathe_value v = {.kind = LATHE_KIND_REAL, .as.f = to};
    return rec_slot_find(at->layout, name) == REC_NO_SLOT ? LATHE_OK
                                                          : rec_set_name(at, name, &v, err);
}

lathe_result hk_put_integer(const rec_at *at, const char *name, int64_t to, lathe_error *err)
{
    const lathe_value v = {.kind = LATHE_KIND_INT, .as.i = to};
    return rec_slot_find(at->layout, name) == REC_NO_SLOT ? LATHE_OK
                                                          : rec_set_name(at, name, &v, err);
}

/* ---- objects ------------------------------------------------------------------------------------------- */

/* A table that holds the name of a class, and nothing else. */
static bool get_type(void *user, const void *node, const char *name, uint64_t index,
                     lathe_value *leaf, const void **child)
{
    const char *class_name = user;
    (void)node;
    (void)index;
    *child = NULL;
    if (!name || strcmp(name, "class") != 0)
        return false;
    *leaf = (lathe_value){.kind = LATHE_KIND_STRING, .as.s = {class_name, strlen(class_name)}};
    return true;
}

static uint64_t count_none(void *user, const void *node)
{
    (void)user;
    (void)node;
    return 0;
}

lathe_result hk_add_object(lathe_doc *doc, uint32_t c, const char *class_name, uint32_t *part,
                           lathe_error *err)
{
    uint64_t n;
    bool raw;
    char name[64];
    rec_at root = rec_root(doc, c), object;
    uint32_t slot = hk_object_row(doc, c);
    strncpy(name, class_name, sizeof name - 1);
    name[sizeof name - 1] = '\0';
    const lathe_source only = {
        .size = sizeof only, .user = name, .get = get_type, .count = count_none};
    rec_from from = {.source = &only, .fresh = true};
    hk_object_list(doc, c, &n);
    lathe_result r = rec_insert(&root, slot, n, 1, NULL, 0, err);
    if (r == LATHE_OK)
        r = rec_element_for(&root, slot, n, &from, &object, &raw, err);
    if (r == LATHE_OK && !raw)
        r = rec_build(&object, &from, err);
    if (r == LATHE_OK)
        *part = hk_object_list(doc, c, &n)[n - 1];
    return r;
}

lathe_result hk_remove_object(lathe_doc *doc, uint32_t c, uint32_t part, lathe_error *err)
{
    rec_at root = rec_root(doc, c);
    return rec_remove(&root, hk_object_row(doc, c), rec_kid_index(doc, part), 1, err);
}
