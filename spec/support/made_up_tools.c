/* What tests of the engine need in C: nested values from text, copies, memory that runs out. */
#include "made_up.h"

#include <stdlib.h>

uint64_t made_up_random(uint64_t *state)
{
    *state += UINT64_C(0x9e3779b97f4a7c15);
    uint64_t x = *state;
    x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
    return x ^ x >> 31;
}

/* ---- memory -------------------------------------------------------------------------------------- */

typedef union block {
    size_t size;
    max_align_t align;
} block;

void *made_up_alloc(void *memory, void *ptr, size_t old_size, size_t new_size)
{
    made_up_memory *m = memory;
    block *b = ptr ? (block *)ptr - 1 : NULL;
    if (b && b->size != old_size && old_size) /* lathe_free does not know: 0 */
        m->wrong_size = true;
    size_t had = b ? b->size : 0;
    if (new_size) {
        m->calls++;
        if (m->fail_at && (m->calls == m->fail_at || (m->fail_on && m->calls > m->fail_at)))
            return NULL;
    }
    /* Always another block, so that a pointer kept too long is noticed. */
    block *fresh = new_size ? malloc(sizeof *fresh + new_size) : NULL;
    if (new_size && !fresh)
        return NULL;
    if (fresh) {
        fresh->size = new_size;
        if (b)
            memcpy(fresh + 1, b + 1, had < new_size ? had : new_size);
    }
    m->bytes += new_size - had;
    m->blocks += (size_t)(fresh != NULL) - (size_t)(b != NULL);
    free(b);
    return fresh ? fresh + 1 : NULL;
}

/* ---- encoding ------------------------------------------------------------------------------------ */

typedef struct gathered {
    uint8_t *bytes;
    size_t n;
} gathered;

static bool gather(void *user, const void *bytes, size_t n)
{
    gathered *g = user;
    memcpy(g->bytes + g->n, bytes, n);
    g->n += n;
    return true;
}

uint8_t *made_up_encode(lathe_doc *doc, size_t *n)
{
    size_t size = (size_t)lathe_doc_size(doc);
    gathered g = {malloc(size + 1), 0};
    if (!g.bytes || lathe_doc_encode(doc, gather, &g, NULL) != LATHE_OK || g.n != size) {
        free(g.bytes);
        return NULL;
    }
    *n = g.n;
    return g.bytes;
}

/* ---- nested values from text ----------------------------------------------------------------------- */

struct made_up_node {
    lathe_value leaf;   /* RECORD: a table */
    const char *name;   /* in the table around it, or NULL: an element */
    size_t first, next; /* node numbers; 0: none */
};

typedef struct reader {
    const char *p;
    made_up_text *out;
    int depth;
    bool bad;
} reader;

static void skip_blanks(reader *r)
{
    while (*r->p == ' ' || *r->p == '\n' || *r->p == ',')
        r->p++;
}

static size_t new_node(reader *r)
{
    made_up_text *t = r->out;
    if (t->n == t->cap) {
        r->bad = true; /* there is one node a byte at most: see made_up_text_read */
        return 0;
    }
    memset(&t->nodes[t->n], 0, sizeof t->nodes[0]);
    return t->n++;
}

static const char *keep(reader *r, const char *p, size_t n)
{
    char *to = r->out->strings + r->out->strings_n;
    memcpy(to, p, n);
    to[n] = 0;
    r->out->strings_n += n + 1;
    return to;
}

static void read_string(reader *r, lathe_value *v)
{
    char *to = r->out->strings + r->out->strings_n, *end = to;
    for (r->p++; *r->p && *r->p != '"'; r->p++) {
        char c = *r->p;
        if (c == '\\' && r->p[1]) {
            c = *++r->p;
            c = (char)(c == 'n' ? '\n' : c == '0' ? 0 : c);
        }
        *end++ = c;
    }
    r->bad = r->bad || *r->p != '"';
    r->p += *r->p == '"';
    *end = 0;
    v->kind = LATHE_KIND_STRING;
    v->as.s.p = to;
    v->as.s.n = (size_t)(end - to);
    r->out->strings_n += v->as.s.n + 1;
}

static void read_scalar(reader *r, lathe_value *v)
{
    char *end;
    if (strncmp(r->p, "true", 4) == 0 || strncmp(r->p, "false", 5) == 0) {
        v->kind = LATHE_KIND_BOOL;
        v->as.b = *r->p == 't';
        r->p += *r->p == 't' ? 4 : 5;
        return;
    }
    size_t n = strspn(r->p, "+-0123456789abcdefx.ABCDEF");
    if (!n) {
        r->bad = true;
        return;
    }
    v->kind = LATHE_KIND_INT;
    v->as.i = (int64_t)strtoll(r->p, &end, 0);
    if (end != r->p + n) {
        v->kind = LATHE_KIND_REAL;
        v->as.f = strtod(r->p, &end);
    }
    r->p = end;
}

static size_t read_value(reader *r)
{
    size_t node = new_node(r), last = 0;
    lathe_value *v = &r->out->nodes[node].leaf;
    skip_blanks(r);
    if (*r->p == '"') {
        read_string(r, v);
    } else if (*r->p != '{') {
        read_scalar(r, v);
    } else {
        v->kind = LATHE_KIND_RECORD;
        r->p++;
        skip_blanks(r);
        while (!r->bad && *r->p != '}') {
            const char *name = NULL;
            size_t n = strspn(r->p, "abcdefghijklmnopqrstuvwxyz_0123456789");
            if (n && r->p[n] == ' ' && r->p[n + 1] == '=') {
                name = keep(r, r->p, n);
                r->p += n + 2;
            }
            size_t kid = ++r->depth < 90 ? read_value(r) : 0;
            r->depth--;
            r->bad = r->bad || !*r->p || !kid;
            r->out->nodes[kid].name = name;
            *(last ? &r->out->nodes[last].next : &r->out->nodes[node].first) = kid;
            last = kid;
            skip_blanks(r);
        }
        r->p += *r->p == '}';
    }
    return node;
}

static const made_up_node *table_of(const made_up_text *t, const void *node)
{
    return node ? node : &t->nodes[1];
}

static const made_up_node *next_in(const made_up_text *t, size_t i)
{
    return i ? &t->nodes[i] : NULL;
}

static bool text_get(void *user, const void *node, const char *name, uint64_t index,
                     lathe_value *leaf, const void **child)
{
    const made_up_text *t = user;
    uint64_t i = 0;
    for (const made_up_node *k = next_in(t, table_of(t, node)->first); k; k = next_in(t, k->next))
        if (name ? k->name && strcmp(k->name, name) == 0 : !k->name && i++ == index) {
            *leaf = k->leaf;
            if (leaf->kind == LATHE_KIND_RECORD)
                *child = k;
            return true;
        }
    return false;
}

static uint64_t text_count(void *user, const void *node)
{
    const made_up_text *t = user;
    uint64_t n = 0;
    for (const made_up_node *k = next_in(t, table_of(t, node)->first); k; k = next_in(t, k->next))
        n += !k->name;
    return n;
}

static const char *text_name(void *user, const void *node, uint64_t i)
{
    const made_up_text *t = user;
    for (const made_up_node *k = next_in(t, table_of(t, node)->first); k; k = next_in(t, k->next))
        if (k->name && i-- == 0)
            return k->name;
    return NULL;
}

bool made_up_text_read(made_up_text *out, const char *text)
{
    size_t n = strlen(text);
    memset(out, 0, sizeof *out);
    out->nodes = calloc(n + 2, sizeof *out->nodes);
    out->strings = malloc(2 * n + 2);
    out->cap = n + 2;
    out->n = 1; /* 0 means none */
    reader r = {.p = text, .out = out};
    if (!out->nodes || !out->strings)
        return false;
    read_value(&r);
    skip_blanks(&r);
    out->source = (lathe_source){sizeof out->source, out, text_get, text_count, text_name};
    return !r.bad && !*r.p;
}

void made_up_text_free(made_up_text *text)
{
    free(text->nodes);
    free(text->strings);
    memset(text, 0, sizeof *text);
}

/* ---- copies -------------------------------------------------------------------------------------- */

/* A node is a value on the heap that holds the view of a record or an array. */
static bool copy_leaf(made_up_copy *c, lathe_value *leaf, const void **child)
{
    if (leaf->kind != LATHE_KIND_RECORD && leaf->kind != LATHE_KIND_ARRAY)
        return true;
    if (c->n == sizeof c->nodes / sizeof c->nodes[0] || !(c->nodes[c->n] = malloc(sizeof *leaf)))
        return false;
    *c->nodes[c->n] = *leaf;
    *child = c->nodes[c->n++];
    return true;
}

static bool copy_get(void *user, const void *node, const char *name, uint64_t index,
                     lathe_value *leaf, const void **child)
{
    made_up_copy *c = user;
    const lathe_value *from = node ? node : c->nodes[0];
    rec_at at;
    uint32_t slot;
    lathe_view v = from->as.v;
    if (rec_enter(&v, &at, &slot, NULL) != LATHE_OK || (name != NULL) != (slot == REC_NO_SLOT))
        return false;
    if (!name)
        return rec_get_item(&at, slot, index, true, leaf, NULL) == LATHE_OK &&
               copy_leaf(c, leaf, child);
    const char *tag, *type = rec_view_tag(v, &tag);
    if (type && strcmp(tag, name) == 0) {
        *leaf = (lathe_value){.kind = LATHE_KIND_STRING, .as.s = {type, strlen(type)}};
        return true;
    }
    slot = rec_slot_find(at.layout, name);
    if (slot == REC_NO_SLOT || rec_unstored(at.layout->slots[slot].row))
        return false; /* they follow */
    return rec_get(&at, slot, true, leaf, NULL) == LATHE_OK && copy_leaf(c, leaf, child);
}

static uint64_t copy_count(void *user, const void *node)
{
    const made_up_copy *c = user;
    lathe_view view = (node ? (const lathe_value *)node : c->nodes[0])->as.v;
    const rec_layout *layout = view.type;
    return view.flags & REC_VIEW_ARRAY ? lathe_view_count(view) : rec_lanes(layout->type);
}

made_up_copy *made_up_copy_of(lathe_view view)
{
    made_up_copy *c = calloc(1, sizeof *c);
    if (!c || !(c->nodes[0] = malloc(sizeof *c->nodes[0]))) {
        free(c);
        return NULL;
    }
    c->nodes[0]->kind = LATHE_KIND_RECORD;
    c->nodes[0]->as.v = view;
    c->n = 1;
    c->source = (lathe_source){sizeof c->source, c, copy_get, copy_count, NULL};
    return c;
}

void made_up_copy_free(made_up_copy *copy)
{
    while (copy->n)
        free(copy->nodes[--copy->n]);
    free(copy);
}

/* ---- parts ----------------------------------------------------------------------------------------- */

lathe_result made_up_move(lathe_doc *doc, const char *row, uint64_t from, uint64_t to,
                          lathe_error *err)
{
    enum { MOST = 64 };
    uint32_t parts[MOST], moved;
    rec_at root = rec_root(doc, 0);
    uint32_t slot = rec_slot_find(root.layout, row);
    uint64_t n;
    const uint32_t *list = rec_kid_list(doc, root.part, slot, &n);
    if (n > MOST || from >= n || to >= n)
        return error_set(err, LATHE_ERR_BOUNDS, LATHE_NO_OFFSET, "no place to move to");
    moved = list[from];
    for (uint64_t i = 0, k = 0; i < n; i++) {
        if (k == from)
            k++;
        parts[i] = i == to ? moved : list[k++];
    }
    return rec_parts_order(doc, root.part, slot, parts, err);
}
