/* Finds rows by content: csg_find_equal.
 *
 * Rows are listed by a hash of their descriptor and counts. The data of a row are read when a row with the
 * same descriptor and counts is requested for the first time, unless it takes less work to read all rows in
 * order. Descriptors are compared by how data are stored: floats or halves. Rows whose data were read are
 * entered in a hash table by their whole content. Both lists stay valid as long as the document only changes
 * by appending rows and compressing chunks. */
#include "nif/geometry/csg/csg.h"
#include "nif/geometry/vertices/vertices.h"

#include <stdlib.h>

/* ---- the hash -------------------------------------------------------------------------------------------- */

/* SipHash-1-3: a file made to have many rows with the same hash must not make the search slow. */
typedef struct sip {
    uint64_t v[4], size;
} sip;

static uint64_t turned(uint64_t x, int by)
{
    return x << by | x >> (64 - by);
}

static void sip_round(uint64_t *v)
{
    v[0] += v[1], v[1] = turned(v[1], 13) ^ v[0], v[0] = turned(v[0], 32);
    v[2] += v[3], v[3] = turned(v[3], 16) ^ v[2];
    v[0] += v[3], v[3] = turned(v[3], 21) ^ v[0];
    v[2] += v[1], v[1] = turned(v[1], 17) ^ v[2], v[2] = turned(v[2], 32);
}

static void sip_word(sip *s, uint64_t word)
{
    s->v[3] ^= word;
    sip_round(s->v);
    s->v[0] ^= word;
}

static sip sip_begin(const uint64_t *secret)
{
    return (sip){.v = {secret[0] ^ 0x736f6d6570736575u, secret[1] ^ 0x646f72616e646f6du,
                       secret[0] ^ 0x6c7967656e657261u, secret[1] ^ 0x7465646279746573u}};
}

/* Adds bytes; their number is a multiple of the word size, except in the last call. */
static void sip_put(sip *s, const uint8_t *p, uint64_t n)
{
    uint64_t last = 0;
    s->size += n;
    for (; n >= 8; n -= 8, p += 8)
        sip_word(s, bytes_ld64(p, false));
    for (uint64_t i = 0; i < n; i++)
        last |= (uint64_t)p[i] << 8 * i;
    if (n)
        sip_word(s, last);
}

static uint64_t sip_end(sip *s)
{
    sip_word(s, s->size);
    s->v[2] ^= 0xFF;
    for (int i = 0; i < 3; i++)
        sip_round(s->v);
    return s->v[0] ^ s->v[1] ^ s->v[2] ^ s->v[3];
}

/* ---- the index ------------------------------------------------------------------------------------------- */

typedef struct head {
    uint64_t key; /* hash of the descriptor and the counts */
    uint32_t row;
    bool read; /* the row is in the table */
} head;

typedef struct entry {
    uint64_t key; /* hash of the whole content */
    uint64_t row; /* number plus 1; 0: none */
} entry;

struct csg_index {
    uint64_t changes; /* doc->changes when it was valid */
    uint64_t secret[2];
    head *heads; /* of the rows that existed when it was made, by key and row */
    size_t heads_n;
    uint64_t rows;   /* those from heads_n up to here are in the table */
    uint64_t picked; /* number of earlier rows that were read individually */
    entry *table;
    size_t table_n, table_cap; /* cap: a power of two */
};

void csg_index_drop(lathe_doc *doc)
{
    csg *g = csg_of(doc);
    struct csg_index *x = g->index;
    if (!x)
        return;
    mem_free(&doc->mem, x->heads, x->heads_n * sizeof *x->heads);
    mem_free(&doc->mem, x->table, x->table_cap * sizeof *x->table);
    mem_free(&doc->mem, x, sizeof *x);
    g->index = NULL;
}

bool csg_index_stands(const lathe_doc *doc)
{
    const struct csg_index *x = csg_of(doc)->index;
    return x && x->changes == doc->changes;
}

void csg_index_keep(lathe_doc *doc, bool stood)
{
    if (stood)
        csg_of(doc)->index->changes = doc->changes;
}

static sip begin_row(const struct csg_index *x, const csg_row *row, uint64_t layout)
{
    sip s = sip_begin(x->secret);
    sip_word(&s, layout);
    sip_word(&s, (uint64_t)row->vertices << 32 | row->indices);
    return s;
}

/* Hash of what a row's header says of its vertices. A descriptor with float positions hashes like the one with halves:
 * which of them the data have is compared later. */
static uint64_t head_key(const struct csg_index *x, const csg_row *row)
{
    uint64_t desc = NIF_DESCRIPTOR(row->desc);
    sip s = begin_row(x, row, desc & NIF_FULL_PRECISION ? csg_halved(desc) : desc);
    return sip_end(&s);
}

static int by_key(const void *a, const void *b)
{
    const head *p = a, *q = b;
    if (p->key != q->key)
        return p->key < q->key ? -1 : 1;
    return p->row < q->row ? -1 : p->row > q->row;
}

static lathe_result list_rows(lathe_doc *doc, lathe_error *err)
{
    csg *g = csg_of(doc);
    uint64_t n = csg_count(doc);
    struct csg_index *x = mem_zalloc(&doc->mem, sizeof *x);
    csg_row row;
    if (!x)
        return rec_no_memory(err);
    g->index = x;
    x->heads = mem_alloc(&doc->mem, (size_t)n * sizeof *x->heads);
    if (n && !x->heads) {
        csg_index_drop(doc);
        return rec_no_memory(err);
    }
    x->heads_n = (size_t)n;
    x->rows = n;
    x->changes = doc->changes;
    x->secret[0] = (uint64_t)(uintptr_t)x; /* unknown to the author of a file */
    x->secret[1] = (uint64_t)(uintptr_t)&row;
    for (uint64_t i = 0; i < n; i++) {
        csg_load(doc, i, &row);
        x->heads[i] = (head){.key = head_key(x, &row), .row = (uint32_t)i};
    }
    if (n)
        qsort(x->heads, (size_t)n, sizeof *x->heads, by_key);
    return LATHE_OK;
}

/* ---- the table ------------------------------------------------------------------------------------------- */

static entry *place_of(const struct csg_index *x, uint64_t key)
{
    size_t i = (size_t)key & (x->table_cap - 1);
    while (x->table[i].row && x->table[i].key != key)
        i = (i + 1) & (x->table_cap - 1);
    return &x->table[i];
}

static lathe_result make_room(lathe_doc *doc, struct csg_index *x, lathe_error *err)
{
    struct csg_index old = *x;
    if (x->table_n < x->table_cap / 2)
        return LATHE_OK;
    size_t cap = x->table_cap ? 2 * x->table_cap : 64;
    entry *table = mem_zalloc(&doc->mem, cap * sizeof *table);
    if (!table)
        return rec_no_memory(err);
    x->table = table;
    x->table_cap = cap;
    for (size_t i = 0; i < old.table_cap; i++)
        if (old.table[i].row)
            *place_of(x, old.table[i].key) = old.table[i];
    mem_free(&doc->mem, old.table, old.table_cap * sizeof *old.table);
    return LATHE_OK;
}

static lathe_result row_key(lathe_doc *doc, const csg_row *row, uint64_t *key, lathe_error *err)
{
    uint8_t some[4096];
    lathe_result r = LATHE_OK;
    sip s = begin_row(csg_of(doc)->index, row, row->layout);
    for (uint64_t at = 0; r == LATHE_OK && at < row->size; at += sizeof some) {
        uint64_t n = row->size - at < sizeof some ? row->size - at : sizeof some;
        r = csg_read(doc, row->offset + at, some, n, err);
        if (r == LATHE_OK)
            sip_put(&s, some, n);
    }
    *key = sip_end(&s);
    return r;
}

/* Enters a row. Of equal rows the first is entered. An invalid row, or one in a damaged chunk, is equal to
 * none. */
static lathe_result enter_row(lathe_doc *doc, uint64_t i, lathe_error *err)
{
    struct csg_index *x = csg_of(doc)->index;
    csg_row row;
    uint64_t key;
    lathe_result r = make_room(doc, x, err);
    if (r != LATHE_OK)
        return r;
    r = csg_row_at(doc, i, &row, err);
    if (r == LATHE_OK)
        r = row_key(doc, &row, &key, err);
    if (r == LATHE_ERR_INVALID || r == LATHE_ERR_BOUNDS)
        return LATHE_OK;
    if (r != LATHE_OK)
        return r;
    entry *e = place_of(x, key);
    x->table_n += !e->row;
    if (!e->row || i + 1 < e->row)
        *e = (entry){.key = key, .row = i + 1};
    return LATHE_OK;
}

/* Enters all rows. Reading one row may cost a whole chunk; reading all in order costs each chunk once. */
static lathe_result enter_all(lathe_doc *doc, lathe_error *err)
{
    struct csg_index *x = csg_of(doc)->index;
    uint64_t chunks = csg_stream_most(doc) / CSG_CHUNK;
    lathe_result r = LATHE_OK;
    if (x->picked <= chunks || x->picked > x->heads_n)
        return LATHE_OK;
    for (uint64_t i = 0; r == LATHE_OK && i < x->heads_n; i++)
        r = enter_row(doc, i, err);
    for (size_t i = 0; r == LATHE_OK && i < x->heads_n; i++)
        x->heads[i].read = true;
    if (r == LATHE_OK)
        x->picked = UINT64_MAX;
    return r;
}

/* Enters all rows that may be equal to this one. */
static lathe_result enter_rows(lathe_doc *doc, const csg_row *like, lathe_error *err)
{
    struct csg_index *x = csg_of(doc)->index;
    lathe_result r = LATHE_OK;
    uint64_t key = head_key(x, like), count = csg_count(doc);
    size_t lo = 0, hi = x->heads_n;
    while (lo < hi) {
        size_t mid = lo + (hi - lo) / 2;
        if (x->heads[mid].key < key)
            lo = mid + 1;
        else
            hi = mid;
    }
    for (; r == LATHE_OK && lo < x->heads_n && x->heads[lo].key == key; lo++)
        if (!x->heads[lo].read && (r = enter_all(doc, err)) == LATHE_OK && !x->heads[lo].read) {
            r = enter_row(doc, x->heads[lo].row, err);
            x->heads[lo].read = r == LATHE_OK;
            x->picked++;
        }
    while (r == LATHE_OK && x->rows < count) {
        r = enter_row(doc, x->rows, err);
        x->rows += r == LATHE_OK;
    }
    return r;
}

/* ---- search ---------------------------------------------------------------------------------------------- */

/* Compares in pieces: a row may be as large as the stream. */
lathe_result csg_row_equals(lathe_doc *doc, const csg_row *row, const uint8_t *data, uint64_t size,
                            bool *equal, lathe_error *err)
{
    uint8_t some[4096];
    *equal = row->size == size;
    for (uint64_t at = 0; *equal && at < size; at += sizeof some) {
        uint64_t n = size - at < sizeof some ? size - at : sizeof some;
        lathe_result r = csg_read(doc, row->offset + at, some, n, err);
        if (r != LATHE_OK)
            return r;
        *equal = memcmp(some, data + at, (size_t)n) == 0;
    }
    return LATHE_OK;
}

static lathe_result none_has_them(lathe_error *err)
{
    return error_set(err, LATHE_ERR_NAME, LATHE_NO_OFFSET, "no row has these data");
}

lathe_result csg_find_equal(lathe_doc *doc, uint64_t desc, uint32_t vertices, uint32_t indices,
                            const uint8_t *data, uint64_t size, csg_row *row, lathe_error *err)
{
    csg_row like = {.desc = desc, .vertices = vertices, .indices = indices, .size = size};
    lathe_result r = LATHE_OK;
    bool equal = false;
    if (!csg_fits(&like))
        return none_has_them(err);
    if (!csg_index_stands(doc)) {
        csg_index_drop(doc);
        r = list_rows(doc, err);
    }
    if (r == LATHE_OK)
        r = enter_rows(doc, &like, err);
    if (r != LATHE_OK)
        return r;
    const struct csg_index *x = csg_of(doc)->index;
    sip s = begin_row(x, &like, like.layout);
    sip_put(&s, data, size);
    uint64_t found = x->table_cap ? place_of(x, sip_end(&s))->row : 0;
    if (found && (r = csg_row_at(doc, found - 1, row, err)) != LATHE_OK)
        return r;
    if (found && row->layout == like.layout && row->vertices == vertices && row->indices == indices)
        r = csg_row_equals(doc, row, data, size, &equal, err);
    return r != LATHE_OK || equal ? r : none_has_them(err);
}
