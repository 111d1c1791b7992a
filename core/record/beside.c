/* Other files that a document's content lies in. */
#include "record/beside.h"

#include "base/os.h"

typedef struct opened {
    uint32_t key;
    lathe_doc *doc;
} opened;

typedef struct rec_beside {
    arena given_room;
    lathe_geometry *given;
    size_t given_n;
    buf open; /* of opened */
    uint32_t missed_key;
    double missed_at; /* seconds; negative: nothing was missed */
    lathe_error missed;
} rec_beside;

#define MISS_KEPT 1.0 /* seconds */

static rec_beside *beside_of(lathe_doc *doc, lathe_error *err)
{
    rec_beside *b = doc->beside;
    if (b)
        return b;
    b = mem_zalloc(&doc->mem, sizeof *b);
    if (!b) {
        rec_no_memory(err);
        return NULL;
    }
    arena_init(&b->given_room, &doc->mem);
    buf_init(&b->open, &doc->mem);
    b->missed_at = -1;
    return doc->beside = b;
}

/* ---- what is given --------------------------------------------------------------------------------------- */

static bool copy_given(rec_beside *b, const lathe_geometry *from, lathe_geometry *to)
{
    *to = *from;
    if (from->doc) {
        from->doc->holders++;
    } else if (from->path) {
        size_t n = strlen(from->path) + 1;
        char *path = arena_zalloc(&b->given_room, n);
        if (!path)
            return false;
        memcpy(path, from->path, n);
        to->path = path;
    }
    b->given_n++;
    return true;
}

lathe_result rec_beside_begin(lathe_doc *doc, const lathe_options *options, lathe_error *err)
{
    size_t n = options->geometry ? options->geometry_count : 0;
    rec_beside *b = n ? beside_of(doc, err) : NULL;
    if (!n)
        return LATHE_OK;
    if (b && n <= SIZE_MAX / sizeof *b->given)
        b->given = arena_zalloc(&b->given_room, n * sizeof *b->given);
    bool room = b && b->given;
    for (size_t i = 0; room && i < n; i++)
        room = copy_given(b, &options->geometry[i], &b->given[i]);
    return room ? LATHE_OK : rec_no_memory(err);
}

const lathe_geometry *rec_beside_given(const lathe_doc *doc, size_t *n)
{
    const rec_beside *b = doc->beside;
    *n = b ? b->given_n : 0;
    return b ? b->given : NULL;
}

void rec_beside_close(lathe_doc *doc)
{
    rec_beside *b = doc->beside;
    if (!b)
        return;
    const opened *open = (const opened *)(const void *)b->open.data;
    for (size_t i = 0; i < b->open.size / sizeof *open; i++)
        lathe_doc_close(open[i].doc);
    for (size_t i = 0; i < b->given_n; i++)
        lathe_doc_close(b->given[i].doc);
    buf_free(&b->open);
    arena_free(&b->given_room);
    mem_free(&doc->mem, b, sizeof *b);
    doc->beside = NULL;
}

/* ---- what is open ---------------------------------------------------------------------------------------- */

/* A key's documents follow each other in the order in which they came to be used. */
static lathe_doc *last_below(const rec_beside *b, uint32_t key, size_t *i)
{
    const opened *open = (const opened *)(const void *)b->open.data;
    while ((*i)-- > 0)
        if (open[*i].key == key)
            return open[*i].doc;
    return NULL;
}

static size_t open_count(const rec_beside *b)
{
    return b ? b->open.size / sizeof(opened) : 0;
}

lathe_doc *rec_beside_find(const lathe_doc *doc, uint32_t key)
{
    size_t i = open_count(doc->beside);
    return i ? last_below(doc->beside, key, &i) : NULL;
}

lathe_doc *rec_beside_older(const lathe_doc *doc, uint32_t key, const lathe_doc *than)
{
    size_t i = open_count(doc->beside);
    for (const lathe_doc *one; i && (one = last_below(doc->beside, key, &i)) != NULL;)
        if (one == than)
            return last_below(doc->beside, key, &i);
    return NULL;
}

static lathe_result add(lathe_doc *doc, uint32_t key, lathe_doc *other, lathe_error *err)
{
    rec_beside *b = beside_of(doc, err);
    const opened one = {key, other};
    return b && buf_put(&b->open, &one, sizeof one) ? LATHE_OK : rec_no_memory(err);
}

lathe_result rec_beside_use(lathe_doc *doc, uint32_t key, lathe_doc *other, lathe_error *err)
{
    lathe_result r = add(doc, key, other, err);
    if (r == LATHE_OK)
        other->holders++;
    return r;
}

lathe_result rec_beside_prefer(lathe_doc *doc, uint32_t key, lathe_doc *other, lathe_error *err)
{
    rec_beside *b = doc->beside;
    opened *open = b ? (opened *)(void *)b->open.data : NULL;
    size_t n = open_count(b);
    for (size_t i = 0; i < n; i++)
        if (open[i].key == key && open[i].doc == other) {
            const opened one = open[i];
            memmove(open + i, open + i + 1, (n - 1 - i) * sizeof *open);
            open[n - 1] = one;
            return LATHE_OK;
        }
    return rec_beside_use(doc, key, other, err);
}

lathe_result rec_beside_open(lathe_doc *doc, uint32_t key, const char *path, lathe_doc **out,
                             lathe_error *err)
{
    const lathe_options o = {.size = sizeof o, .alloc = doc->mem.fn, .alloc_user = doc->mem.user};
    const rec_opener *by = doc->opener;
    lathe_doc *other = NULL;
    lathe_result r =
        by ? by->open(by->user, path, &o, &other, err) : lathe_doc_open(path, &o, &other, err);
    if (r != LATHE_OK)
        return r;
    r = add(doc, key, other, err);
    if (r == LATHE_OK)
        *out = other;
    else
        lathe_doc_close(other);
    return r;
}

lathe_result rec_beside_list(lathe_doc *doc, const char *folder,
                             bool (*each)(void *user, const char *name), void *user,
                             lathe_error *err)
{
    const rec_opener *by = doc->opener;
    return by ? by->list(by->user, folder, each, user, err)
              : os_list(folder, &doc->mem, each, user, err);
}

lathe_result rec_beside_missed(const lathe_doc *doc, uint32_t key, lathe_error *err)
{
    const rec_beside *b = doc->beside;
    if (!b || b->missed_at < 0 || b->missed_key != key || os_seconds() - b->missed_at > MISS_KEPT)
        return LATHE_OK;
    return error_pass(err, &b->missed);
}

void rec_beside_miss(lathe_doc *doc, uint32_t key, const lathe_error *err)
{
    rec_beside *b = beside_of(doc, NULL);
    if (!b || err->code == LATHE_ERR_MEMORY)
        return;
    b->missed_at = os_seconds();
    b->missed_key = key;
    b->missed = *err;
}
