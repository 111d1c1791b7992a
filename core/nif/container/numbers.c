/* Type numbers of blocks that do not follow from their types: numbers out of range, of the second of two
 * types of the same name, with a flag, or of unknown blocks. Shown as text, so that a copy of the document is
 * complete. */
#include "nif/container/container.h"

#include <stdio.h>
#include <stdlib.h>

typedef struct named { /* a type in the header */
    const uint8_t *p;
    uint32_t n, number;
    uint32_t first; /* of this name; NO_NAME: not a possible name of a block */
} named;

#define NO_NAME UINT32_MAX

static int by_name(const void *a, const void *b)
{
    const named *x = a, *y = b;
    uint32_t n = x->n < y->n ? x->n : y->n;
    int c = n ? memcmp(x->p, y->p, n) : 0;
    if (c)
        return c;
    if (x->n != y->n)
        return x->n < y->n ? -1 : 1;
    return x->number < y->number ? -1 : x->number > y->number;
}

static int by_number(const void *a, const void *b)
{
    const named *x = a, *y = b;
    return x->number < y->number ? -1 : x->number > y->number;
}

static bool same_name(const named *a, const named *b)
{
    return a->n == b->n && (!a->n || memcmp(a->p, b->p, a->n) == 0);
}

/* All types in the order of the header. */
static bool read_names(const rec_at *root, buf *out)
{
    rec_loc loc;
    if (rec_find(root, NIF_BLOCK_TYPES, &loc, NULL) != LATHE_OK || !loc.present)
        return false;
    const uint8_t *p = rec_part_of(root->doc, loc.data_part)->data;
    for (uint64_t i = 0, off = loc.data; i < loc.count; i++) {
        uint32_t n = bytes_ld32(p + off, false); /* checked when measured */
        const named one = {p + off + 4, n, (uint32_t)i, (uint32_t)i};
        if (!buf_put(out, &one, sizeof one))
            return false;
        off += 4 + (uint64_t)n;
    }
    size_t count = out->size / sizeof(named);
    named *list = (named *)(void *)out->data;
    if (!count)
        return true;
    qsort(list, count, sizeof *list, by_name);
    for (size_t i = 0; i < count; i++) {
        list[i].first = i && same_name(&list[i], &list[i - 1]) ? list[i - 1].first : list[i].number;
        if (list[i].n && memchr(list[i].p, 0, list[i].n))
            list[i].first = NO_NAME;
    }
    qsort(list, count, sizeof *list, by_number);
    return true;
}

/* Collects the numbers that would be lost if a document were made from the blocks' types alone. */
static bool put_odd(const rec_at *root, const buf *names, buf *text)
{
    rec_loc loc;
    uint64_t known = nif_total(root->doc, root->layout->container);
    size_t count = names->size / sizeof(named);
    const named *list = (const named *)(const void *)names->data;
    if (rec_find(root, NIF_BLOCK_TYPE_INDEX, &loc, NULL) != LATHE_OK || !loc.present)
        return true;
    const uint8_t *p = rec_part_of(root->doc, loc.data_part)->data + loc.data;
    for (uint64_t i = 0; i < loc.count; i++) {
        char word[48];
        uint32_t number = bytes_ld16(p + 2 * i, false);
        uint32_t otherwise = i >= known ? 0 : number < count ? list[number].first : NO_NAME;
        if (number == otherwise)
            continue;
        int n = snprintf(word, sizeof word, "%s%llu=%u", text->size ? " " : "",
                         (unsigned long long)i + 1, number);
        if (!buf_put(text, word, (size_t)n))
            return false;
    }
    return true;
}

lathe_result nif_get_type_numbers(const rec_at *at, const rec_field *row, lathe_value *out,
                                  lathe_error *err)
{
    buf names, text;
    (void)row;
    out->kind = LATHE_KIND_NONE;
    buf_init(&names, &at->doc->mem);
    buf_init(&text, &at->doc->mem);
    lathe_result r = LATHE_OK;
    if (!rec_part_of(at->doc, at->part)->scratch && read_names(at, &names) &&
        put_odd(at, &names, &text) && text.size)
        r = rec_text(at, (const char *)text.data, text.size, out, err);
    buf_free(&names);
    buf_free(&text);
    return r;
}

/* Sets a type number. Fails unless it refers to the block's type, or to none if the type is unknown. */
static lathe_result put_number(const rec_at *root, uint64_t i, uint64_t number, lathe_error *err)
{
    lathe_doc *doc = root->doc;
    uint32_t part = nif_block(doc, root->layout->container, i);
    lathe_result r = rec_put_raw(root, NIF_BLOCK_TYPE_INDEX, i, number, err);
    if (r != LATHE_OK || part == REC_NO_PART)
        return r;
    const rec_layout *is = rec_part_root(doc, part);
    doc->parts[part].label = NULL; /* from now on the header is used */
    if (is && nif_part_type(doc, part) == is->type)
        return LATHE_OK;
    return rec_fail(root, NIF_BLOCK_TYPE_INDEX, 0, err, LATHE_ERR_INVALID,
                    "number %llu is no type of blocks[%llu]", (unsigned long long)number,
                    (unsigned long long)i + 1);
}

/* Parses digits, up to `most`; NULL: none, or larger. */
static const char *digits(const char *p, const char *end, uint64_t most, uint64_t *out)
{
    const char *start = p;
    for (*out = 0; p < end && *p >= '0' && *p <= '9' && *out <= most; p++)
        *out = 10 * *out + (uint64_t)(*p - '0');
    return p == start || *out > most ? NULL : p;
}

lathe_result nif_set_type_numbers(const rec_at *at, const rec_field *row, const lathe_value *value,
                                  lathe_error *err)
{
    uint32_t slot = rec_slot_find(at->layout, rec_row_name(row));
    rec_loc loc;
    lathe_result r = rec_find(at, NIF_BLOCK_TYPE_INDEX, &loc, err);
    if (r == LATHE_OK && (value->kind != LATHE_KIND_STRING || !loc.present))
        return rec_fail(at, slot, at->off, err, LATHE_ERR_TYPE, "a text expected");
    const char *p = value->as.s.p, *end = p + value->as.s.n;
    while (r == LATHE_OK && p < end) {
        uint64_t i = 0, number = 0;
        p = digits(p, end, loc.count, &i);
        p = p && i && p < end && *p == '=' ? digits(p + 1, end, 0xFFFF, &number) : NULL;
        if (!p || (p < end && *p != ' '))
            return rec_fail(at, slot, at->off, err, LATHE_ERR_RANGE,
                            "block=number expected, with a blank between such");
        p += p < end;
        r = put_number(at, i - 1, number, err);
    }
    return r;
}
