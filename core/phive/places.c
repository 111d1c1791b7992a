/* Edits a copy of a mesh shape's bytes as a whole. */
#include "phive/places.h"

#include <float.h>
#include <math.h>
#include <stdio.h>

/* ---- the copy ---------------------------------------------------------------------------------------------- */

static lathe_result bad_tree(const phive_reading *r, uint32_t node, uint32_t to, const char *why,
                             lathe_error *err)
{
    return error_set(err, LATHE_ERR_INVALID,
                     rec_encoded(r->doc, r->part, r->nodes.at + (uint64_t)node * r->l->node.size),
                     "tree node %u leads to %u, %s", node, to, why);
}

static const uint8_t *node_at(const phive_reading *r, uint32_t i)
{
    return r->nodes.p + (size_t)i * r->l->node.size;
}

/* Sorts the nodes, parents before children: a node is appended at the first reference to it, so the list is
 * also the work queue. */
static lathe_result sort(phive_places *p, uint8_t *seen, lathe_error *err)
{
    const phive_reading *r = &p->from;
    if (r->nodes.count < 2)
        return LATHE_OK;
    p->order[p->order_n++] = 1;
    seen[1] = 1;
    for (uint32_t k = 0; k < p->order_n; k++) {
        const uint8_t *node = node_at(r, p->order[k]);
        bool leaf = phive_is_leaf(r, node);
        for (unsigned lane = 0; lane < 4; lane++) {
            uint32_t to;
            if (!phive_lane(r, node, lane, &to))
                continue;
            if (to >= (leaf ? r->sections.count : r->nodes.count))
                return bad_tree(r, p->order[k], to,
                                leaf ? "which is no section" : "which is no node", err);
            if (leaf)
                continue;
            if (seen[to])
                return bad_tree(r, p->order[k], to, "which another lane leads to", err);
            seen[to] = 1;
            p->order[p->order_n++] = to;
        }
    }
    return LATHE_OK;
}

/* Makes an array refer to the same offset in the copy. */
static void redirect(const phive_places *p, phive_array *a)
{
    if (a->p)
        a->p = p->to + a->at;
}

lathe_result phive_places_begin(lathe_doc *doc, uint32_t c, phive_places *p, lathe_error *err)
{
    uint64_t vertices, triangles;
    *p = (phive_places){.to = NULL};
    lathe_result r = phive_read(doc, c, &p->from, err);
    if (r == LATHE_OK)
        r = phive_count(&p->from, &vertices, &triangles, err);
    if (r != LATHE_OK)
        return r;
    uint32_t n = p->from.nodes.count;
    p->to = mem_alloc(&doc->mem, (size_t)p->from.size + 1);
    p->order = mem_alloc(&doc->mem, (n + 1) * sizeof *p->order);
    uint8_t *seen = mem_zalloc(&doc->mem, n + 1);
    r = p->to && p->order && seen ? sort(p, seen, err) : rec_no_memory(err);
    mem_free(&doc->mem, seen, n + 1);
    if (r != LATHE_OK)
        return r;
    memcpy(p->to, p->from.data, (size_t)p->from.size);
    p->now = p->from;
    p->now.data = p->to;
    redirect(p, &p->now.tags);
    redirect(p, &p->now.nodes);
    redirect(p, &p->now.sections);
    return LATHE_OK;
}

void phive_places_end(phive_places *p)
{
    if (!p->from.doc)
        return;
    const mem *m = &p->from.doc->mem;
    mem_free(m, p->to, (size_t)p->from.size + 1);
    mem_free(m, p->order, (p->from.nodes.count + 1) * sizeof *p->order);
}

lathe_result phive_places_section(const phive_places *p, uint32_t i, phive_section *out,
                                  lathe_error *err)
{
    return phive_read_section(&p->now, i, out, err);
}

void phive_places_steps(phive_places *p)
{
    for (unsigned k = 0; k < 3; k++)
        p->now.step[k] = phive_f32(p->to + p->now.l->scale_inv + 4 * k);
}

static bool same_bytes(const phive_places *p, uint64_t at, uint64_t n)
{
    return memcmp(p->to + at, p->from.data + at, (size_t)n) == 0;
}

static bool same_heads(const phive_places *p)
{
    const phive_layout *l = p->from.l;
    if (!same_bytes(p, l->tags, 8) || !same_bytes(p, l->nodes, 16) ||
        !same_bytes(p, l->sections, 8))
        return false;
    for (uint32_t i = 0; i < p->from.sections.count; i++) {
        uint64_t at = p->from.sections.at + (uint64_t)i * l->section.size;
        if (!same_bytes(p, at + l->bvh, 8) || !same_bytes(p, at + l->primitives, 8) ||
            !same_bytes(p, at + l->vertices, 8) || !same_bytes(p, at + l->bits, 8))
            return false;
    }
    return true;
}

lathe_result phive_places_store(const phive_places *p, lathe_error *err)
{
    const phive_reading *r = &p->from;
    if (!same_heads(p))
        return error_set(err, LATHE_ERR_UNSUPPORTED, LATHE_NO_OFFSET,
                         "arrays of the shape lie over each other: its lengths cannot change");
    uint64_t from = 0, end = r->size;
    while (from < end && p->to[from] == r->data[from])
        from++;
    while (end > from && p->to[end - 1] == r->data[end - 1])
        end--;
    return from < end ? rec_splice(r->doc, r->part, from, end - from, p->to + from, end - from, err)
                      : LATHE_OK;
}

/* ---- numbers ------------------------------------------------------------------------------------------------ */

lathe_result phive_put_length(uint8_t *to, double value, const char *what, int64_t number,
                              lathe_error *err)
{
    uint32_t raw = bytes_f32_narrow(value);
    double now = bytes_f32_widen(raw);
    const char *why = isnan(value)                                ? "which is no number"
                      : !isfinite(now)                            ? "too large for a float"
                      : value != 0 && fabs(now) < (double)FLT_MIN ? "too small for a float"
                                                                  : NULL;
    char place[64] = "";
    if (!why) {
        bytes_st32(to, raw, false);
        return LATHE_OK;
    }
    if (number >= 0)
        snprintf(place, sizeof place, " %lld", (long long)number);
    return error_set(err, LATHE_ERR_RANGE, LATHE_NO_OFFSET, "%s%s would be %.9g, %s", what, place,
                     isnan(value) ? (double)NAN : value, why);
}

/* ---- boxes ---------------------------------------------------------------------------------------------------- */

static void empty(float box[6])
{
    for (unsigned k = 0; k < 6; k++)
        box[k] = k % 2 ? -INFINITY : INFINITY;
}

static void add(float box[6], const float more[6])
{
    for (unsigned k = 0; k < 6; k += 2) {
        box[k] = more[k] < box[k] ? more[k] : box[k];
        box[k + 1] = more[k + 1] > box[k + 1] ? more[k + 1] : box[k + 1];
    }
}

static bool holds(const float box[6], const float other[6])
{
    bool all = true;
    for (unsigned k = 0; k < 6; k += 2)
        all = all && box[k] <= other[k] && box[k + 1] >= other[k + 1];
    return all;
}

static void get_box(const phive_reading *r, uint32_t node, unsigned lane, float box[6])
{
    for (unsigned k = 0; k < 6; k++)
        box[k] = phive_f32(node_at(r, node) + r->l->lanes[k] + 4 * lane);
}

static void section_box(const phive_reading *r, const phive_section *s, float box[6])
{
    enum { AT_ONCE = 64 };
    float rows[3 * AT_ONCE], lo[3], hi[3];
    empty(box);
    for (uint32_t from = 0; from < s->vertex_count; from += AT_ONCE) {
        uint32_t n = s->vertex_count - from < AT_ONCE ? s->vertex_count - from : AT_ONCE;
        phive_vertices(r, s, from, n, rows);
        phive_box(rows, n, lo, hi);
        const float more[6] = {lo[0], hi[0], lo[1], hi[1], lo[2], hi[2]};
        add(box, more);
    }
}

/* The box of what a lane refers to: the vertices of a section, or all used lanes of a node. */
static lathe_result target_box(const phive_reading *r, bool leaf, uint32_t to, float box[6],
                               lathe_error *err)
{
    phive_section s;
    empty(box);
    if (leaf) {
        lathe_result done = phive_read_section(r, to, &s, err);
        if (done == LATHE_OK)
            section_box(r, &s, box);
        return done;
    }
    for (unsigned lane = 0; lane < 4; lane++) {
        float one[6];
        uint32_t unused;
        if (!phive_lane(r, node_at(r, to), lane, &unused))
            continue;
        get_box(r, to, lane, one);
        add(box, one);
    }
    return LATHE_OK;
}

static lathe_result box_lane(phive_places *p, uint32_t node, unsigned lane, uint32_t to,
                             phive_move_lane *move, void *user, lathe_error *err)
{
    float box[6], before[6], after[6], was[6];
    bool leaf = phive_is_leaf(&p->from, node_at(&p->from, node));
    lathe_result r = target_box(&p->now, leaf, to, after, err);
    if (r == LATHE_OK && move)
        r = target_box(&p->from, leaf, to, before, err);
    get_box(&p->from, node, lane, box);
    memcpy(was, box, sizeof was);
    if (r == LATHE_OK && move)
        r = move(user, box, node, err);
    else if (after[0] <= after[1])
        memcpy(box, after, sizeof box);
    if (r == LATHE_OK && move && holds(was, before))
        add(box, after);
    for (unsigned k = 0; r == LATHE_OK && k < 6; k++)
        r = phive_put_length(p->to + p->now.nodes.at + (uint64_t)node * p->now.l->node.size +
                                 p->now.l->lanes[k] + 4 * lane,
                             (double)box[k], "a box of tree node", node, err);
    return r;
}

lathe_result phive_places_boxes(phive_places *p, phive_move_lane *move, void *user,
                                lathe_error *err)
{
    lathe_result r = LATHE_OK;
    for (uint32_t k = p->order_n; r == LATHE_OK && k-- > 0;)
        for (unsigned lane = 0; r == LATHE_OK && lane < 4; lane++) {
            uint32_t to, node = p->order[k];
            if (phive_lane(&p->from, node_at(&p->from, node), lane, &to))
                r = box_lane(p, node, lane, to, move, user, err);
        }
    return r;
}
