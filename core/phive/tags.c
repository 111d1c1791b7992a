/* Decodes and encodes the tag table. */
#include "phive/tags.h"

#include "tagfile/patches.h"
#include "tagfile/relative.h"

enum { LAST_PRIMITIVE = 255 };

void phive_tags_free(phive_tags *tags)
{
    if (tags->of)
        mem_free(tags->memory, tags->of, (tags->n + 1) * sizeof *tags->of);
    tags->of = NULL;
}

/* ---- each triangle ----------------------------------------------------------------------------------------- */

typedef lathe_result each_triangle(void *user, uint64_t key, size_t i, lathe_error *err);

/* Visits all triangles in order with their keys, which may need more than 32 bits in a damaged file. */
static lathe_result walk(const phive_reading *r, each_triangle *each, void *user, lathe_error *err)
{
    phive_section s;
    size_t n = 0;
    lathe_result done = LATHE_OK;
    for (uint32_t i = 0; done == LATHE_OK && i < r->sections.count; i++) {
        done = phive_read_section(r, i, &s, err);
        for (uint32_t p = 0; done == LATHE_OK && p < s.primitives.count; p++) {
            const uint8_t *c = phive_primitive(&s, p);
            uint64_t key = ((uint64_t)i << r->shift) + 2 * p;
            for (unsigned sub = 0; done == LATHE_OK && sub < (c[2] == c[3] ? 1u : 2u); sub++)
                done = each(user, key + sub, n++, err);
        }
    }
    return done;
}

typedef struct reader {
    const phive_reading *from;
    phive_tags *to;
    uint32_t hint;
} reader;

static lathe_result read_one(void *user, uint64_t key, size_t i, lathe_error *err)
{
    reader *r = user;
    (void)err;
    r->to->of[i] = (uint16_t)phive_tag_of(r->from, (uint32_t)key, &r->hint);
    return LATHE_OK;
}

lathe_result phive_tags_read(lathe_doc *doc, uint32_t c, phive_tags *out, lathe_error *err)
{
    phive_reading r;
    uint64_t vertices, triangles = 0;
    *out = (phive_tags){.memory = &doc->mem};
    lathe_result done = phive_read(doc, c, &r, err);
    if (done == LATHE_OK)
        done = phive_count(&r, &vertices, &triangles, err);
    if (done != LATHE_OK)
        return done;
    out->n = (size_t)triangles;
    out->of = mem_alloc(out->memory, (out->n + 1) * sizeof *out->of);
    if (!out->of)
        return rec_no_memory(err);
    reader to = {.from = &r, .to = out};
    done = walk(&r, read_one, &to, err);
    if (done != LATHE_OK)
        phive_tags_free(out);
    return done;
}

/* ---- the table ---------------------------------------------------------------------------------------------- */

typedef struct writer {
    const phive_reading *from;
    const phive_tags *tags;
    buf rows;
    uint64_t last; /* key of the previous triangle */
} writer;

static lathe_result put(writer *w, uint64_t key, uint32_t tag, lathe_error *err)
{
    const phive_layout *l = w->from->l;
    size_t at = w->rows.size;
    if (!buf_fill(&w->rows, 0, l->tag.size))
        return rec_no_memory(err);
    bytes_st32(w->rows.data + at + l->tag_key, (uint32_t)key, false);
    bytes_st16(w->rows.data + at + l->tag_tag, (uint16_t)tag, false);
    return LATHE_OK;
}

static lathe_result put_one(void *user, uint64_t key, size_t i, lathe_error *err)
{
    writer *w = user;
    if (key > UINT32_MAX || (i && key <= w->last))
        return error_set(
            err, LATHE_ERR_UNSUPPORTED, LATHE_NO_OFFSET,
            "triangle %llu has the key 0x%llx, the one before it 0x%llx: with %u bits for "
            "primitives keys do not ascend",
            (unsigned long long)i, (unsigned long long)key, (unsigned long long)w->last,
            w->from->shift);
    w->last = key;
    if (i && w->tags->of[i] == w->tags->of[i - 1])
        return LATHE_OK;
    return put(w, i ? key : 0, w->tags->of[i], err); /* the first row is for all keys */
}

/* Writes the last row: that of the file if it ends the table, else the one that builders write. */
static lathe_result put_end(writer *w, lathe_error *err)
{
    const phive_reading *r = w->from;
    uint64_t key = ((uint64_t)r->sections.count << r->shift) | (LAST_PRIMITIVE << 1);
    uint32_t n = r->tags.count;
    if (n && phive_tag(r, n - 1) == PHIVE_NO_TAG && phive_tag_key(r, n - 1) > w->last)
        key = phive_tag_key(r, n - 1);
    return put(w, key < UINT32_MAX ? key : UINT32_MAX, PHIVE_NO_TAG, err);
}

/* Determines what is shared before it is needed, so that lack of memory is not mistaken for sharing. */
static bool know_sharing(const rec_at *shape)
{
    size_t rels;
    uint32_t n, c = shape->layout->container;
    return rec_places(shape->doc) && tag_rels(shape->doc, shape->part, &rels) &&
           tag_items_by_offset(shape->doc, c, &n) && tag_item_uses(shape->doc, c, &n);
}

static lathe_result store(const rec_at *shape, const buf *rows, uint32_t elem, lathe_error *err)
{
    rec_loc loc;
    uint32_t slot = rec_slot_find(shape->layout, "shape_tag_table");
    if (slot == REC_NO_SLOT)
        return error_set(err, LATHE_ERR_UNSUPPORTED, LATHE_NO_OFFSET,
                         "the shape has no array shape_tag_table");
    if (!know_sharing(shape))
        return rec_no_memory(err);
    uint64_t n = rows->size / elem;
    lathe_result r = rec_find_present(shape, slot, &loc, err);
    if (r == LATHE_OK && n > loc.count)
        r = rec_insert(shape, slot, loc.count, n - loc.count, NULL, 0, err);
    else if (r == LATHE_OK && n < loc.count)
        r = rec_remove(shape, slot, n, loc.count - n, err);
    if (r == LATHE_OK)
        r = rec_find_present(shape, slot, &loc, err);
    return r == LATHE_OK ? rec_put_items(shape, slot, &loc, 0, n, rows->data, err) : r;
}

lathe_result phive_tags_store(lathe_doc *doc, uint32_t c, const phive_tags *tags, lathe_error *err)
{
    rec_at shape;
    phive_reading r;
    const phive_layout *layout;
    uint32_t container;
    lathe_result done = phive_shape(doc, c, &shape, &layout, &container, err);
    if (done == LATHE_OK)
        done = phive_read(doc, c, &r, err);
    if (done != LATHE_OK || !tags->n)
        return done; /* without triangles the table is kept */
    writer w = {.from = &r, .tags = tags};
    buf_init(&w.rows, &doc->mem);
    done = walk(&r, put_one, &w, err);
    if (done == LATHE_OK)
        done = put_end(&w, err);
    if (done == LATHE_OK)
        done = store(&shape, &w.rows, layout->tag.size, err);
    buf_free(&w.rows);
    return done;
}
