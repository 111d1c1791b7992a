/* Record types that files describe themselves (REC_OWN): found by name, and compared between documents. */
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
        if (strcmp(type->name, name) == 0)
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
    return type ? type->name : NULL;
}

/* ---- the same type in two documents ------------------------------------------------------------ */

static bool same_text(const char *a, const char *b)
{
    return a == b || (a && b && strcmp(a, b) == 0);
}

/* Rows that such a type can have; the types of its records apart. */
static bool same_row(const rec_field *a, const rec_field *b)
{
    return a->kind == b->kind && a->shown == b->shown && a->flags == b->flags && a->off == b->off &&
           a->n == b->n && a->size == b->size && a->names == b->names && a->codec == b->codec &&
           a->ref == b->ref && a->body == b->body && a->text == b->text &&
           strcmp(a->name, b->name) == 0 && same_text(a->by, b->by) && same_text(a->key, b->key) &&
           same_text(a->value, b->value) && same_text(a->group, b->group) &&
           same_text(a->column, b->column) && same_text(a->tag, b->tag) &&
           same_text(a->bits_of, b->bits_of) && a->low == b->low && a->bits == b->bits;
}

enum { MOST_PAIRS = 128 };

/* Pairs of types that are being compared: each once, so that no nesting takes long or goes too deep. */
typedef struct pairs {
    const rec_type *a[MOST_PAIRS], *b[MOST_PAIRS];
    size_t n;
} pairs;

/* Whether the pair may stand for the same; what it holds is compared later. */
static bool note_pair(pairs *p, const rec_type *a, const rec_type *b)
{
    if (a == b)
        return true;
    if (!a || !b || !(a->flags & b->flags & REC_OWN) || a->flags != b->flags ||
        a->size != b->size || strcmp(a->name, b->name) != 0)
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
            /* What a reference leads to is no part of the record. */
            if (one->kind == REC_RECORD && !note_pair(&p, one->type, other->type))
                return false;
        }
    }
    return true;
}
