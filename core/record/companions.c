/* Companion files: opening, finding and closing them. */
#include "record/companions.h"

#include "base/os.h"

typedef struct opened {
    uint32_t key;
    lathe_doc *doc;
} opened;

typedef struct rec_companions {
    arena given_room;
    lathe_geometry *given;
    size_t given_n;
    buf open; /* list of `opened` */
    uint32_t missed_key;
    double missed_at; /* seconds; negative: no failure is stored */
    lathe_error missed;
} rec_companions;

#define MISS_KEPT 1.0 /* seconds */

static rec_companions *companions_of(lathe_doc *doc, lathe_error *err)
{
    rec_companions *b = doc->companions;
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
    return doc->companions = b;
}

/* ---- options --------------------------------------------------------------------------------------------- */

static bool copy_given(rec_companions *b, const lathe_geometry *from, lathe_geometry *to)
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

lathe_result rec_companion_begin(lathe_doc *doc, const lathe_options *options, lathe_error *err)
{
    size_t n = options->geometry ? options->geometry_count : 0;
    rec_companions *b = n ? companions_of(doc, err) : NULL;
    if (!n)
        return LATHE_OK;
    if (b && n <= SIZE_MAX / sizeof *b->given)
        b->given = arena_zalloc(&b->given_room, n * sizeof *b->given);
    bool room = b && b->given;
    for (size_t i = 0; room && i < n; i++)
        room = copy_given(b, &options->geometry[i], &b->given[i]);
    return room ? LATHE_OK : rec_no_memory(err);
}

const lathe_geometry *rec_companion_given(const lathe_doc *doc, size_t *n)
{
    const rec_companions *b = doc->companions;
    *n = b ? b->given_n : 0;
    return b ? b->given : NULL;
}

void rec_companion_close(lathe_doc *doc)
{
    rec_companions *b = doc->companions;
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
    doc->companions = NULL;
}

/* ---- open companions --------------------------------------------------------------------------------------- */

/* The last document in the list with a key, below index *i. Documents of a key are in the order in which they were
 * filed. */
static lathe_doc *last_below(const rec_companions *b, uint32_t key, size_t *i)
{
    const opened *open = (const opened *)(const void *)b->open.data;
    while ((*i)-- > 0)
        if (open[*i].key == key)
            return open[*i].doc;
    return NULL;
}

static size_t open_count(const rec_companions *b)
{
    return b ? b->open.size / sizeof(opened) : 0;
}

lathe_doc *rec_companion_find(const lathe_doc *doc, uint32_t key)
{
    size_t i = open_count(doc->companions);
    return i ? last_below(doc->companions, key, &i) : NULL;
}

lathe_doc *rec_companion_older(const lathe_doc *doc, uint32_t key, const lathe_doc *than)
{
    size_t i = open_count(doc->companions);
    for (const lathe_doc *one; i && (one = last_below(doc->companions, key, &i)) != NULL;)
        if (one == than)
            return last_below(doc->companions, key, &i);
    return NULL;
}

static lathe_result add(lathe_doc *doc, uint32_t key, lathe_doc *other, lathe_error *err)
{
    rec_companions *b = companions_of(doc, err);
    const opened one = {key, other};
    return b && buf_put(&b->open, &one, sizeof one) ? LATHE_OK : rec_no_memory(err);
}

lathe_result rec_companion_use(lathe_doc *doc, uint32_t key, lathe_doc *other, lathe_error *err)
{
    lathe_result r = add(doc, key, other, err);
    if (r == LATHE_OK)
        other->holders++;
    return r;
}

lathe_result rec_companion_prefer(lathe_doc *doc, uint32_t key, lathe_doc *other, lathe_error *err)
{
    rec_companions *b = doc->companions;
    opened *open = b ? (opened *)(void *)b->open.data : NULL;
    size_t n = open_count(b);
    for (size_t i = 0; i < n; i++)
        if (open[i].key == key && open[i].doc == other) {
            const opened one = open[i];
            memmove(open + i, open + i + 1, (n - 1 - i) * sizeof *open);
            open[n - 1] = one;
            return LATHE_OK;
        }
    return rec_companion_use(doc, key, other, err);
}

lathe_result rec_companion_open(lathe_doc *doc, uint32_t key, const char *path, lathe_doc **out,
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

lathe_result rec_companion_list(lathe_doc *doc, const char *folder,
                                bool (*each)(void *user, const char *name), void *user,
                                lathe_error *err)
{
    const rec_opener *by = doc->opener;
    return by ? by->list(by->user, folder, each, user, err)
              : os_list(folder, &doc->mem, each, user, err);
}

lathe_result rec_companion_missed(const lathe_doc *doc, uint32_t key, lathe_error *err)
{
    const rec_companions *b = doc->companions;
    if (!b || b->missed_at < 0 || b->missed_key != key || os_seconds() - b->missed_at > MISS_KEPT)
        return LATHE_OK;
    return error_pass(err, &b->missed);
}

void rec_companion_miss(lathe_doc *doc, uint32_t key, const lathe_error *err)
{
    rec_companions *b = companions_of(doc, NULL);
    if (!b || err->code == LATHE_ERR_MEMORY)
        return;
    b->missed_at = os_seconds();
    b->missed_key = key;
    b->missed = *err;
}
