/* Record types that a file describes itself (REC_OWN): search by name, and comparison between documents. */
#include "record/record.h"

const rec_type *rec_doc_own_type(lathe_doc *doc, uint64_t i, uint32_t *container)
{
    for (uint32_t c = 0; c < doc->containers_n; c++) {
        const lathe_format *format = doc->containers[c].format;
        const rec_type *type;
        if (!format->own_type)
            continue;
        for (uint64_t k = 0; (type = format->own_type(doc, c, k)); k++)
            if (i-- == 0) {
                if (container)
                    *container = c;
                return type;
            }
    }
    return NULL;
}

static const rec_type *named_in(lathe_doc *doc, uint32_t c, const char *name)
{
    const lathe_format *format = doc->containers[c].format;
    const rec_type *type;
    if (format->own_type_named)
        return format->own_type_named(doc, c, name);
    for (uint64_t i = 0; format->own_type && (type = format->own_type(doc, c, i)); i++)
        if (strcmp(rec_type_name(type), name) == 0)
            return type;
    return NULL;
}

const rec_type *rec_own_named(lathe_doc *doc, const char *name, uint32_t *container)
{
    for (uint32_t c = 0; c < doc->containers_n; c++) {
        const rec_type *type = named_in(doc, c, name);
        if (type) {
            if (container)
                *container = c;
            return type;
        }
    }
    return NULL;
}

const rec_type *rec_doc_type_find(lathe_doc *doc, const char *name)
{
    const rec_type *found = rec_own_named(doc, name, NULL);
    if (!found && doc->containers_n)
        found = rec_type_of(doc->containers[0].format, name);
    return found ? found : rec_type_find(name);
}

const char *lathe_doc_type(lathe_doc *doc, uint64_t i)
{
    const rec_type *type = rec_doc_own_type(doc, i, NULL);
    return type ? rec_type_name(type) : NULL;
}

bool rec_type_name_taken(const char *name)
{
    static const char *const words[] = {"array",     "buffer", "copy",        "list",
                                        "animation", "track",  "float track", "skeleton"};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (strcmp(name, words[i]) == 0)
            return true;
    return !name[0] || strncmp(name, "lathe.", 6) == 0 ||
           rec_format_find(name, &(const lathe_format *){NULL}, NULL) == LATHE_OK;
}

/* ---- the same type in two documents ------------------------------------------------------------ */

static bool same_text(const char *a, const char *b)
{
    return a == b || (a && b && strcmp(a, b) == 0);
}

/* Compares two rows, except for the types of their records. */
static bool same_row(const rec_field *a, const rec_field *b)
{
    return a->kind == b->kind && a->shown == b->shown && a->flags == b->flags && a->off == b->off &&
           a->n == b->n && a->size == b->size && rec_row_names(a) == rec_row_names(b) &&
           rec_row_codec(a) == rec_row_codec(b) && rec_row_ref(a) == rec_row_ref(b) &&
           rec_row_body(a) == rec_row_body(b) && rec_row_text(a) == rec_row_text(b) &&
           strcmp(rec_row_name(a), rec_row_name(b)) == 0 &&
           same_text(rec_row_by(a), rec_row_by(b)) && same_text(rec_row_key(a), rec_row_key(b)) &&
           same_text(rec_row_value(a), rec_row_value(b)) &&
           same_text(rec_row_group(a), rec_row_group(b)) &&
           same_text(rec_row_column(a), rec_row_column(b)) &&
           same_text(rec_row_tag(a), rec_row_tag(b)) &&
           same_text(rec_row_bits_of(a), rec_row_bits_of(b)) && a->low == b->low &&
           a->bits == b->bits;
}

enum { MOST_PAIRS = 128 };

/* Pairs of types to compare. Each is compared once, which limits time and recursion. */
typedef struct pairs {
    const rec_type *a[MOST_PAIRS], *b[MOST_PAIRS];
    size_t n;
} pairs;

/* Notes a pair of types for comparison. False: they differ in name, size or flags, or there are too many pairs. */
static bool note_pair(pairs *p, const rec_type *a, const rec_type *b)
{
    if (a == b)
        return true;
    if (!a || !b || !(a->flags & b->flags & REC_OWN) || a->flags != b->flags ||
        a->size != b->size || strcmp(rec_type_name(a), rec_type_name(b)) != 0)
        return false;
    for (size_t i = 0; i < p->n; i++)
        if (p->a[i] == a && p->b[i] == b)
            return true;
    if (p->n == MOST_PAIRS)
        return false;
    p->a[p->n] = a;
    p->b[p->n++] = b;
    return true;
}

bool rec_same_type(const rec_type *a, const rec_type *b)
{
    pairs p = {.n = 0};
    if (!note_pair(&p, a, b))
        return false;
    for (size_t k = 0; k < p.n; k++) {
        uint32_t n = rec_row_count(p.a[k]);
        if (n != rec_row_count(p.b[k]))
            return false;
        for (uint32_t i = 0; i < n; i++) {
            const rec_field *one = rec_row(p.a[k], i), *other = rec_row(p.b[k], i);
            if (!same_row(one, other))
                return false;
            /* the target of a reference is no part of the record */
            if (one->kind == REC_RECORD && !note_pair(&p, rec_row_type(one), rec_row_type(other)))
                return false;
        }
    }
    return true;
}

/* ---- copies to another document's type ----------------------------------------------------------- */

bool rec_like_row(const rec_field *a, const rec_field *b)
{
    return a == b || (a->own && b->own && a->kind == b->kind && a->shown == b->shown &&
                      rec_row_codec(a) == rec_row_codec(b) && rec_row_ref(a) == rec_row_ref(b) &&
                      rec_row_names(a) == rec_row_names(b));
}

static const rec_field *row_named(const rec_type *type, const char *name)
{
    for (uint32_t i = 0; i < rec_row_count(type); i++)
        if (strcmp(rec_row_name(rec_row(type, i)), name) == 0)
            return rec_row(type, i);
    return NULL;
}

/* Whether a row can hold all that the row of its name in `from` holds. */
static bool row_fits(const rec_field *to, const rec_field *from, pairs *p)
{
    bool numbers = to && rec_width(to->kind) && rec_width(from->kind) && !to->ref && !from->ref;
    if (!to || to->n != from->n || rec_is_array(to) != rec_is_array(from) ||
        rec_row_codec(to) != rec_row_codec(from) || rec_row_ref(to) != rec_row_ref(from) ||
        (to->kind != from->kind && !numbers))
        return false;
    if (from->kind != REC_RECORD || rec_row_type(to) == rec_row_type(from))
        return true;
    for (size_t i = 0; i < p->n; i++)
        if (p->a[i] == rec_row_type(to) && p->b[i] == rec_row_type(from))
            return true;
    if (p->n == MOST_PAIRS || !(rec_row_type(to)->flags & rec_row_type(from)->flags & REC_OWN))
        return false;
    p->a[p->n] = rec_row_type(to);
    p->b[p->n++] = rec_row_type(from);
    return true;
}

const char *rec_misfit(const rec_type *to, const rec_type *from)
{
    pairs p = {.a = {to}, .b = {from}, .n = 1};
    for (size_t k = 0; k < p.n; k++)
        for (uint32_t i = 0; i < rec_row_count(p.b[k]); i++) {
            const rec_field *row = rec_row(p.b[k], i);
            if (!(row->flags & REC_PAD) && !row_fits(row_named(p.a[k], rec_row_name(row)), row, &p))
                return rec_row_name(row);
        }
    return NULL;
}

bool rec_takes_type(const rec_type *to, const rec_type *from)
{
    return to == from ||
           (to->flags & from->flags & REC_OWN &&
            strcmp(rec_type_name(to), rec_type_name(from)) == 0 && !rec_misfit(to, from));
}

lathe_result rec_not_taken(const rec_at *at, uint32_t slot, const rec_type *to,
                           const rec_type *from, lathe_error *err)
{
    bool own =
        to->flags & from->flags & REC_OWN && strcmp(rec_type_name(to), rec_type_name(from)) == 0;
    const char *row = own ? rec_misfit(to, from) : NULL;
    return row ? rec_fail(at, slot, at->off, err, LATHE_ERR_TYPE,
                          "'%s' of the other document's %s has no place in this one's", row,
                          rec_type_name(from))
               : rec_fail(at, slot, at->off, err, LATHE_ERR_TYPE, "%s expected, got %s",
                          rec_type_name(to), rec_type_name(from));
}
