/* Keyed arrays: access to elements by the text in one of their rows. Repeated keys are kept; the schema says which
 * element counts. */
#include "record/index.h"

#include <stdio.h>

bool rec_keyed(const rec_slot *slot)
{
    return rec_row_key(slot->row) != NULL;
}

const char *rec_key_text(rec_key key, char *text, size_t cap)
{
    size_t n = 1;
    text[0] = '"';
    for (size_t i = 0; i < key.n; i++) {
        unsigned char c = (unsigned char)key.p[i];
        char one[8];
        if (c == '"' || c == '\\')
            snprintf(one, sizeof one, "\\%c", c);
        else if (c < 32 || c == 127)
            snprintf(one, sizeof one, "\\x%02x", c);
        else
            snprintf(one, sizeof one, "%c", c);
        if (n + strlen(one) + 5 > cap) { /* for ..." and the NUL */
            memcpy(text + n, "...", 3);
            n += 3;
            break;
        }
        memcpy(text + n, one, strlen(one));
        n += strlen(one);
    }
    snprintf(text + n, cap - n, "\"");
    return text;
}

/* Advances to element i; the next one needs no lookup. */
static lathe_result step_to(const rec_at *at, uint32_t slot, uint64_t i, rec_at *element,
                            lathe_error *err)
{
    uint64_t size;
    bool in_parts = at->layout->slots[slot].row->flags & REC_PART;
    if (in_parts || !element->layout)
        return rec_sub(at, slot, i, element, err);
    lathe_result r = rec_measure(element, &size, err);
    if (r == LATHE_OK)
        *element = rec_child(at, slot, element->layout, element->part, element->off + size, i);
    return r;
}

static bool has_key(const rec_at *element, uint32_t slot, rec_key key, lathe_result *r,
                    lathe_error *err)
{
    lathe_value v;
    *r = rec_get(element, slot, true, &v, err);
    return *r == LATHE_OK && v.kind == LATHE_KIND_STRING && v.as.s.n == key.n &&
           (key.n == 0 || memcmp(v.as.s.p, key.p, key.n) == 0);
}

static lathe_result size_of(const rec_at *at, uint32_t slot, uint64_t *n, lathe_error *err)
{
    rec_loc loc;
    lathe_result r = rec_find(at, slot, &loc, err);
    *n = r == LATHE_OK && loc.present ? loc.count : 0;
    return r;
}

lathe_result rec_key_next(const rec_at *at, uint32_t slot, rec_key key, uint64_t *i,
                          lathe_error *err)
{
    uint64_t n;
    rec_at element = {.layout = NULL};
    lathe_result r = size_of(at, slot, &n, err);
    for (; r == LATHE_OK && *i < n; ++*i) {
        r = step_to(at, slot, *i, &element, err);
        if (r == LATHE_OK && has_key(&element, at->layout->slots[slot].key, key, &r, err))
            break;
    }
    return r;
}

lathe_result rec_key_find(const rec_at *at, uint32_t slot, rec_key key, uint64_t *i,
                          uint64_t *repeats, lathe_error *err)
{
    bool first = at->layout->slots[slot].row->flags & REC_FIRST;
    uint64_t n, k = 0, counts = 0;
    rec_hits hits;
    lathe_result r = size_of(at, slot, &n, err);
    *repeats = 0;
    if (r == LATHE_OK && rec_index_find(at, slot, key, &hits)) {
        *repeats = hits.count;
        *i = !hits.count ? n : first ? hits.first : hits.last;
        return LATHE_OK;
    }
    while (r == LATHE_OK && (r = rec_key_next(at, slot, key, &k, err)) == LATHE_OK && k < n) {
        if (!first || !*repeats)
            counts = k;
        ++*repeats;
        k++;
    }
    *i = *repeats ? counts : n;
    return r;
}

/* Fails if a repeated key of a merged array is to be written, because no single element holds it. */
static lathe_result check_single(const rec_at *at, uint32_t slot, rec_key key, uint64_t repeats,
                                 lathe_error *err)
{
    char text[80];
    rec_loc loc;
    if (repeats < 2 || !(at->layout->slots[slot].row->flags & REC_MERGED))
        return LATHE_OK;
    lathe_result r = rec_find(at, slot, &loc, err);
    if (r != LATHE_OK)
        return r;
    return rec_fail(
        at, slot, loc.off, err, LATHE_ERR_INVALID,
        "the key %s is there %llu times, and read merged: use its elements' numbers, or "
        "remove it first",
        rec_key_text(key, text, sizeof text), (unsigned long long)repeats);
}

lathe_result rec_key_get(const rec_at *at, uint32_t slot, rec_key key, lathe_value *out,
                         lathe_error *err)
{
    const rec_slot *s = rec_slot_of(at, slot);
    rec_at element;
    uint64_t i, repeats;
    lathe_result r = rec_key_find(at, slot, key, &i, &repeats, err);
    if (r == LATHE_OK)
        r = check_single(at, slot, key, repeats, err);
    if (r == LATHE_OK && !repeats)
        *out = (lathe_value){.kind = LATHE_KIND_NONE};
    if (r != LATHE_OK || !repeats)
        return r;
    if (s->value == REC_NO_SLOT)
        return rec_get_item(at, slot, i, false, out, err);
    r = rec_sub(at, slot, i, &element, err);
    return r == LATHE_OK ? rec_get(&element, s->value, false, out, err) : r;
}

lathe_result rec_key_store(const rec_at *at, uint32_t slot, uint64_t i, rec_key key,
                           lathe_error *err)
{
    rec_at element;
    lathe_value v = {.kind = LATHE_KIND_STRING, .as.s = {key.p, key.n}};
    lathe_result r = rec_sub(at, slot, i, &element, err);
    return r == LATHE_OK ? rec_set_text(&element, at->layout->slots[slot].key, &v, err) : r;
}

lathe_result rec_key_place(const rec_at *at, uint32_t slot, rec_key key, uint64_t *i, bool *fresh,
                           lathe_error *err)
{
    uint64_t repeats;
    lathe_result r = rec_key_find(at, slot, key, i, &repeats, err);
    if (r == LATHE_OK)
        r = check_single(at, slot, key, repeats, err);
    *fresh = repeats == 0;
    if (r != LATHE_OK || !*fresh)
        return r;
    r = rec_insert(at, slot, *i, 1, NULL, 0, err);
    return r == LATHE_OK ? rec_key_store(at, slot, *i, key, err) : r;
}

lathe_result rec_key_remove(const rec_at *at, uint32_t slot, rec_key key, lathe_error *err)
{
    uint64_t n, i = 0;
    lathe_result r = LATHE_OK;
    for (;;) {
        r = size_of(at, slot, &n, err);
        if (r == LATHE_OK)
            r = rec_key_next(at, slot, key, &i, err);
        if (r != LATHE_OK || i >= n)
            return r;
        r = rec_remove(at, slot, i, 1, err);
        if (r != LATHE_OK)
            return r;
    }
}

lathe_result lathe_view_key(lathe_view array, const char *key, size_t n, lathe_value *value,
                            lathe_error *err)
{
    rec_at at;
    uint32_t slot;
    lathe_value got;
    lathe_result r = rec_enter(&array, &at, &slot, err);
    if (r == LATHE_OK && (slot == REC_NO_SLOT || !rec_keyed(&at.layout->slots[slot])))
        r = error_set(err, LATHE_ERR_TYPE, LATHE_NO_OFFSET, "%s: no array with keys",
                      slot == REC_NO_SLOT ? rec_type_name(at.layout->type)
                                          : at.layout->slots[slot].name);
    if (r == LATHE_OK)
        r = rec_key_get(&at, slot, (rec_key){key, n}, &got, err);
    if (r == LATHE_OK)
        *value = got;
    return r;
}
