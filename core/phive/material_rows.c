/* Inserts and removes rows of materials, and lists the triangles of each. */
#include "phive/edits.h"
#include "phive/tags.h"

/* ---- inserting and removing rows ------------------------------------------------------------------------- */

/* True for a document that is being made: it has no shape yet that could use the rows. */
static bool is_made(const rec_at *at)
{
    uint32_t c = at->layout->container;
    return !phive_state_of(at->doc, c) || phive_part_of(at->doc, c, PHIVE_TAGFILE) == REC_NO_PART;
}

static lathe_result too_many(const rec_at *at, uint64_t n, lathe_error *err)
{
    return rec_fail(at, rec_slot_find(at->layout, "materials"), at->off, err, LATHE_ERR_RANGE,
                    "%llu materials, at most %d: tags have no room for more", (unsigned long long)n,
                    PHIVE_ROWS_MOST);
}

static lathe_result in_use(const rec_at *at, uint32_t row, uint64_t n, lathe_error *err)
{
    char name[96];
    uint32_t c = at->layout->container;
    phive_material_text(at->doc, c, row, name, sizeof name);
    return rec_fail(at, rec_slot_find(at->layout, "materials"), at->off, err, LATHE_ERR_UNSUPPORTED,
                    "material %u (%s) is used by %llu triangle%s", row + 1, name,
                    (unsigned long long)n, n == 1 ? "" : "s");
}

/* Fails if triangles use a row of [i, i + removed); names the first. */
static lathe_result check_unused(const rec_at *at, uint64_t i, uint64_t removed, lathe_error *err)
{
    phive_tags tags;
    uint32_t first = UINT32_MAX;
    uint64_t n = 0;
    lathe_result r = phive_tags_read(at->doc, at->layout->container, &tags, err);
    if (r != LATHE_OK)
        return r;
    for (size_t k = 0; k < tags.n; k++) {
        uint32_t row = phive_tag_row(tags.of[k]);
        if (row < i || row >= i + removed || row > first)
            continue;
        n = row == first ? n + 1 : 1;
        first = row;
    }
    phive_tags_free(&tags);
    return first == UINT32_MAX ? LATHE_OK : in_use(at, first, n, err);
}

lathe_result phive_rows_may(const rec_at *at, const rec_field *row, uint64_t i, uint64_t removed,
                            uint64_t inserted, lathe_error *err)
{
    uint64_t n = phive_counts_of(at->doc, at->layout->container).rows;
    (void)row;
    if (is_made(at) || removed == inserted)
        return LATHE_OK;
    if (inserted && n + inserted > PHIVE_ROWS_MOST)
        return too_many(at, n + inserted, err);
    return removed ? check_unused(at, i, removed, err) : LATHE_OK;
}

/* Updates the tags when rows are inserted or removed. Tags without a row stay so. */
lathe_result phive_rows_follow(const rec_at *at, const rec_field *row, uint64_t i, uint64_t removed,
                               uint64_t inserted, lathe_error *err)
{
    uint32_t c = at->layout->container;
    uint64_t had = phive_counts_of(at->doc, c).rows + removed - inserted;
    phive_tags tags;
    bool changed = false;
    (void)row;
    if (is_made(at))
        return LATHE_OK;
    lathe_result r = phive_tags_read(at->doc, c, &tags, err);
    if (r != LATHE_OK)
        return r;
    for (size_t k = 0; k < tags.n; k++) {
        uint32_t was = phive_tag_row(tags.of[k]);
        if (was < i || was >= had)
            continue;
        tags.of[k] = phive_tag_with(tags.of[k], was + (uint32_t)inserted - (uint32_t)removed);
        changed = true;
    }
    if (changed)
        r = phive_tags_store(at->doc, c, &tags, err);
    phive_tags_free(&tags);
    return r;
}

/* ---- the triangles of each row ------------------------------------------------------------------------------ */

/* Triangles of all rows, computed at once, so that reading them row by row is fast. */
typedef struct listed {
    rec_cached cached;
    uint32_t rows;
    size_t n;
    uint64_t *first;     /* for each row, and one for the end */
    uint32_t *triangles; /* grouped by row */
    mem memory;
} listed;

static void release(lathe_doc *doc, rec_cached *what)
{
    listed *l = (listed *)what;
    mem m = l->memory;
    (void)doc;
    mem_free(&m, l->first, (l->rows + 2) * sizeof *l->first);
    mem_free(&m, l->triangles, (l->n + 1) * sizeof *l->triangles);
    mem_free(&m, l, sizeof *l);
}

static const rec_cache lists = {.release = release};

/* Counting sort of the triangles by row. Counts go to first[row + 2], so that at the end first[row] is where a
 * row begins. */
static void sort(listed *l, const phive_tags *tags)
{
    for (size_t k = 0; k < tags->n; k++) {
        uint32_t row = phive_tag_row(tags->of[k]);
        if (row < l->rows)
            l->first[row + 2]++;
    }
    for (uint32_t i = 1; i + 1 < l->rows + 2; i++)
        l->first[i + 1] += l->first[i];
    for (size_t k = 0; k < tags->n; k++) {
        uint32_t row = phive_tag_row(tags->of[k]);
        if (row < l->rows)
            l->triangles[l->first[row + 1]++] = (uint32_t)k;
    }
}

static lathe_result list(lathe_doc *doc, uint32_t c, listed **out, lathe_error *err)
{
    phive_tags tags;
    *out = rec_cache_find(doc, c, &lists);
    if (*out)
        return LATHE_OK;
    lathe_result r = phive_tags_read(doc, c, &tags, err);
    if (r != LATHE_OK)
        return r;
    listed *l = mem_zalloc(&doc->mem, sizeof *l);
    if (l) {
        l->memory = doc->mem;
        l->rows = phive_counts_of(doc, c).rows;
        l->n = tags.n;
        l->first = mem_zalloc(&doc->mem, (l->rows + 2) * sizeof *l->first);
        l->triangles = mem_alloc(&doc->mem, (l->n + 1) * sizeof *l->triangles);
    }
    if (l && l->first && l->triangles)
        sort(l, &tags);
    else
        r = rec_no_memory(err);
    phive_tags_free(&tags);
    if (r == LATHE_OK)
        rec_cache_put(doc, c, &lists, &l->cached);
    else if (l)
        release(doc, &l->cached);
    *out = l;
    return r;
}

static uint32_t number_of(const rec_at *at)
{
    return (uint32_t)(at->off / PHIVE_MATERIAL);
}

static bool count_triangles(const rec_at *at, const rec_field *row, uint64_t *n)
{
    listed *l;
    uint32_t i = number_of(at);
    (void)row;
    *n = 0;
    lathe_result r = list(at->doc, at->layout->container, &l, NULL);
    if (r == LATHE_ERR_MEMORY)
        return true; /* reading and writing report it */
    if (r != LATHE_OK || i >= l->rows)
        return false;
    *n = l->first[i + 1] - l->first[i];
    return true;
}

static lathe_result read_triangles(const rec_at *at, const rec_field *row, void *to,
                                   lathe_error *err)
{
    listed *l;
    uint32_t i = number_of(at);
    (void)row;
    lathe_result r = list(at->doc, at->layout->container, &l, err);
    if (r == LATHE_OK && i < l->rows)
        memcpy(to, l->triangles + l->first[i],
               (size_t)(l->first[i + 1] - l->first[i]) * sizeof *l->triangles);
    return r;
}

/* Assigns triangles to a row. All triangles that the row has must be in the list, because they would have no
 * material otherwise. */
static lathe_result give(phive_tags *tags, uint32_t i, uint64_t n, const uint32_t *given,
                         uint8_t *seen, lathe_error *err)
{
    for (uint64_t k = 0; k < n; k++) {
        if (given[k] >= tags->n)
            return error_set(err, LATHE_ERR_RANGE, LATHE_NO_OFFSET,
                             "triangle %u of %llu, from 0, does not exist", given[k],
                             (unsigned long long)tags->n);
        seen[given[k]] = 1;
    }
    for (size_t k = 0; k < tags->n; k++) {
        if (phive_tag_row(tags->of[k]) == i && !seen[k])
            return error_set(err, LATHE_ERR_UNSUPPORTED, LATHE_NO_OFFSET,
                             "triangle %llu would be of no material: give it to another one",
                             (unsigned long long)k);
        if (seen[k] && phive_tag_row(tags->of[k]) != i)
            tags->of[k] = phive_tag_with(tags->of[k], i);
    }
    return LATHE_OK;
}

static lathe_result write_triangles(const rec_at *at, const rec_field *row, uint64_t n,
                                    const void *from, lathe_error *err)
{
    phive_tags tags;
    uint32_t i = number_of(at), c = at->layout->container;
    (void)row;
    if (i >= PHIVE_ROWS_MOST)
        return too_many(at, (uint64_t)i + 1, err);
    lathe_result r = phive_tags_read(at->doc, c, &tags, err);
    if (r != LATHE_OK)
        return r;
    uint8_t *seen = mem_zalloc(&at->doc->mem, tags.n + 1);
    r = seen ? give(&tags, i, n, from, seen, err) : rec_no_memory(err);
    if (r == LATHE_OK)
        r = phive_tags_store(at->doc, c, &tags, err);
    mem_free(&at->doc->mem, seen, tags.n + 1);
    phive_tags_free(&tags);
    return r;
}

const rec_numbers phive_triangle_numbers = {.elem = LATHE_ELEM_U32,
                                            .columns = 1,
                                            .rows = count_triangles,
                                            .read = read_triangles,
                                            .write = write_triangles};
