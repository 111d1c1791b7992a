/* Strings that blocks refer to by number. The header's table only grows. */
#include "nif/container/container.h"
#include "record/index.h"

#define NO_STRING UINT32_MAX

/* String i of the header; false if it does not exist. */
static bool string_at(const rec_at *at, uint64_t i, const char **p, size_t *n)
{
    rec_at root = rec_root(at->doc, at->layout->container);
    rec_loc text;
    if (rec_find_item(&root, NIF_STRINGS, i, &text, NULL) != LATHE_OK)
        return false;
    *p = (const char *)rec_part_of(at->doc, text.part)->data + text.data;
    *n = (size_t)text.count;
    return true;
}

/* Shows a string by number; an invalid number is shown as it is. */
static lathe_result decode(const rec_at *at, const rec_field *row, uint64_t raw, lathe_value *out,
                           lathe_error *err)
{
    (void)row;
    (void)err;
    out->kind = LATHE_KIND_NULL;
    if (raw == NO_STRING)
        return LATHE_OK;
    out->kind = LATHE_KIND_STRING;
    if (!string_at(at, raw, &out->as.s.p, &out->as.s.n)) {
        out->kind = LATHE_KIND_UINT;
        out->as.u = raw;
    }
    return LATHE_OK;
}

/* The number of a string in the table; the size of the table if it is missing. */
static uint64_t find(const rec_at *root, const rec_loc *strings, const lathe_value *v)
{
    rec_hits hits;
    if (rec_index_find(root, NIF_STRINGS, (rec_key){v->as.s.p, v->as.s.n}, &hits))
        return hits.count ? hits.first : strings->count;
    const uint8_t *p = rec_part_of(root->doc, strings->data_part)->data + strings->data;
    uint64_t i = 0;
    for (; i < strings->count; i++) {
        uint32_t n = bytes_ld32(p, false); /* checked when measured */
        if (n == v->as.s.n && (!n || memcmp(p + 4, v->as.s.p, n) == 0))
            break;
        p += 4 + (size_t)n;
    }
    return i;
}

static lathe_result add(const rec_at *at, uint64_t i, const lathe_value *v, lathe_error *err)
{
    rec_at root = rec_root(at->doc, at->layout->container);
    buf copy; /* it may point to memory that is about to move */
    buf_init(&copy, &at->doc->mem);
    if (!buf_put(&copy, v->as.s.p, v->as.s.n))
        return rec_no_memory(err);
    lathe_value text = {.kind = LATHE_KIND_STRING,
                        .as.s = {v->as.s.n ? (const char *)copy.data : "", v->as.s.n}};
    lathe_result r = rec_insert(&root, NIF_STRINGS, i, 1, NULL, 0, err);
    if (r == LATHE_OK)
        r = rec_set_item(&root, NIF_STRINGS, i, &text, err);
    buf_free(&copy);
    return r;
}

/* Numbers in place of strings come from a document (unsigned), or from the table of a whole document, which
 * has the header's strings. There an invalid number is what the file contains. */
static bool is_number(const rec_at *at, const lathe_value *v, uint64_t *raw)
{
    const char *p;
    size_t n;
    if (v->kind == LATHE_KIND_UINT && v->as.u <= NO_STRING) {
        *raw = v->as.u;
        return true;
    }
    if (v->kind != LATHE_KIND_INT || v->as.i < 0 || v->as.i > NO_STRING ||
        at->doc->containers[at->layout->container].param != NIF_ALL_STRINGS)
        return false;
    *raw = (uint64_t)v->as.i;
    return !string_at(at, *raw, &p, &n);
}

static lathe_result encode(const rec_at *at, const rec_field *row, const lathe_value *v,
                           uint64_t *raw, lathe_error *err)
{
    rec_at root = rec_root(at->doc, at->layout->container);
    rec_loc strings;
    uint32_t slot = rec_slot_find(at->layout, rec_row_name(row));
    *raw = NO_STRING;
    if (v->kind == LATHE_KIND_NULL || v->kind == LATHE_KIND_NONE ||
        (v->kind == LATHE_KIND_BOOL && !v->as.b))
        return LATHE_OK;
    if (is_number(at, v, raw))
        return LATHE_OK;
    *raw = NO_STRING;
    if (v->kind != LATHE_KIND_STRING)
        return rec_wrong_type(at, slot, v, err);
    lathe_result r = rec_find(&root, NIF_STRINGS, &strings, err);
    if (r == LATHE_OK)
        *raw = find(&root, &strings, v);
    return r == LATHE_OK && *raw == strings.count ? add(at, strings.count, v, err) : r;
}

const rec_codec nif_string = {.kind = LATHE_KIND_STRING,
                              .none = NO_STRING,
                              .inside = true,
                              .decode = decode,
                              .encode = encode};

bool nif_named(const rec_at *at)
{
    lathe_value v;
    return rec_get(at, rec_slot_find(at->layout, "name"), false, &v, NULL) == LATHE_OK &&
           v.kind == LATHE_KIND_STRING && v.as.s.n;
}
