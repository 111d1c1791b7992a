#include "havok/physics/maths/mesh_cut.h"

#include "base/error.h"

#include <string.h>

enum { INNER = 1 };

typedef struct cutter {
    const hk_mesh *mesh;
    const uint8_t *cut;
    arena *room;
    hk_mesh *out;
    lathe_error *err;
    uint8_t first[HK_MESH_PRIMITIVES]; /* of the section at hand: a primitive's new number */
} cutter;

static lathe_result no_room(const cutter *c)
{
    return error_set(c->err, LATHE_ERR_MEMORY, LATHE_NO_OFFSET, "out of memory");
}

static bool is_cut(const cutter *c, size_t section, unsigned primitive)
{
    return c->cut[section * HK_MESH_PRIMITIVES + primitive] != 0;
}

/* ---- primitives ------------------------------------------------------------------------------------------ */

static lathe_result cut_primitives(cutter *c, size_t section, hk_packed_section *s,
                                   uint8_t (*to)[4], size_t *at)
{
    const hk_packed_section *was = &c->mesh->sections[section];
    size_t begin = *at;
    for (unsigned p = 0; p < was->n_primitives; p++) {
        const uint8_t *q = c->mesh->primitives[was->first_primitive + p];
        bool two = is_cut(c, section, p);
        if (*at - begin + 1 + two > HK_MESH_PRIMITIVES)
            return error_set(c->err, LATHE_ERR_LIMIT, LATHE_NO_OFFSET,
                             "section %llu would have more than %d primitives",
                             (unsigned long long)section + 1, HK_MESH_PRIMITIVES);
        c->first[p] = (uint8_t)(*at - begin);
        const uint8_t rows[2][4] = {{q[0], q[1], q[2], two ? q[2] : q[3]},
                                    {q[0], q[2], q[3], q[3]}};
        memcpy(to[*at], rows, two ? sizeof rows : sizeof rows[0]);
        *at += 1U + two;
    }
    s->first_primitive = (uint32_t)begin;
    s->n_primitives = (uint8_t)(*at - begin);
    return LATHE_OK;
}

/* ---- the tree ---------------------------------------------------------------------------------------------- */

typedef struct tree {
    uint8_t (*to)[HK_MESH_NODE];
    size_t n, most, seen;
} tree;

static bool put_node(tree *t, const uint8_t *box, unsigned data)
{
    static const uint8_t same[3] = {0};
    if (t->n >= t->most)
        return false;
    memcpy(t->to[t->n], box ? box : same, 3); /* 0: as its parent's */
    t->to[t->n++][3] = (uint8_t)data;
    return true;
}

/* A tree has no more nodes than that, and is no deeper. */
static bool copy_node(const cutter *c, size_t section, const hk_packed_section *was, size_t i,
                      tree *t)
{
    const uint8_t *node = was->nodes + HK_MESH_NODE * i;
    if (i >= was->n_nodes || ++t->seen > 2 * (size_t)HK_MESH_PRIMITIVES)
        return false;
    if (!(node[3] & INNER)) {
        unsigned p = node[3] >> 1, to = p < was->n_primitives ? c->first[p] : 0;
        if (p >= was->n_primitives)
            return false;
        if (!is_cut(c, section, p))
            return put_node(t, node, to << 1);
        return put_node(t, node, 2 | INNER) && put_node(t, NULL, to << 1) &&
               put_node(t, NULL, (to + 1) << 1);
    }
    size_t here = t->n;
    if (!put_node(t, node, INNER) || !copy_node(c, section, was, i + 1, t) || t->n - here > 0xFE)
        return false;
    t->to[here][3] = (uint8_t)((t->n - here) | INNER); /* odd many nodes on its left: even */
    return copy_node(c, section, was, i + (node[3] & 0xFEU), t);
}

static lathe_result cut_tree(const cutter *c, size_t section, hk_packed_section *s)
{
    const hk_packed_section *was = &c->mesh->sections[section];
    tree t = {.most = was->n_nodes + 2U * (unsigned)(s->n_primitives - was->n_primitives)};
    t.to = arena_zalloc(c->room, t.most * HK_MESH_NODE + 1);
    if (!t.to)
        return no_room(c);
    if (s->n_primitives == was->n_primitives) {
        if (was->n_nodes)
            memcpy(t.to, was->nodes, was->n_nodes * HK_MESH_NODE);
        t.n = was->n_nodes;
    } else if (!copy_node(c, section, was, 0, &t) || t.n != t.most) {
        return error_set(c->err, LATHE_ERR_INVALID, LATHE_NO_OFFSET, "section %llu has no tree",
                         (unsigned long long)section + 1);
    }
    s->nodes = t.to[0];
    s->n_nodes = t.n;
    return LATHE_OK;
}

/* ---- bits ----------------------------------------------------------------------------------------------------- */

static bool bit_of(const hk_mesh_bits *bits, size_t i)
{
    return bits->bits > 0 && i < (size_t)bits->bits && i / 32 < bits->n_words &&
           bits->words[i / 32] >> i % 32 & 1;
}

static uint32_t *make_bits(const cutter *c, hk_mesh_bits *bits, uint32_t n)
{
    uint32_t *words = arena_zalloc(c->room, ((size_t)n / 32 + 1) * sizeof *words);
    *bits = (hk_mesh_bits){words, (n + 31U) / 32, (int32_t)n};
    return words;
}

static void carry(const hk_mesh_bits *from, size_t i, uint32_t *to, size_t k)
{
    if (bit_of(from, i))
        to[k / 32] |= (uint32_t)1 << k % 32;
}

/* Of a triangle: whether it is inside. Of a primitive: whether it is flat, which triangles do not say. */
static void carry_section(const cutter *c, size_t section, uint32_t *flat, uint32_t *interior)
{
    const hk_packed_section *was = &c->mesh->sections[section];
    size_t base = section * HK_MESH_PRIMITIVES, to = base;
    for (unsigned p = 0; p < was->n_primitives; p++, to++) {
        bool two = is_cut(c, section, p);
        size_t from = base + p;
        carry(&c->mesh->interior, 2 * from, interior, 2 * to);
        carry(&c->mesh->interior, 2 * from + 1, interior, two ? 2 * to + 2 : 2 * to + 1);
        if (!two)
            carry(&c->mesh->flat, from, flat, to);
        to += two;
    }
}

static unsigned length_of(uint32_t n)
{
    unsigned bits = 0;
    for (; n; n >>= 1)
        bits++;
    return bits;
}

static lathe_result cut_bits(const cutter *c)
{
    hk_mesh *out = c->out;
    const hk_packed_section *last = &out->sections[out->n_sections - 1];
    const uint8_t *q = out->primitives[last->first_primitive + last->n_primitives - 1U];
    uint32_t end =
        (uint32_t)(out->n_sections << 8); /* keys of sections, so that every key has room */
    uint32_t *flat = make_bits(c, &out->flat, end / 2),
             *interior = flat ? make_bits(c, &out->interior, end) : NULL;
    if (!interior)
        return no_room(c);
    for (size_t s = 0; s < out->n_sections; s++)
        carry_section(c, s, flat, interior);
    out->max_key = (uint32_t)((out->n_sections - 1) << 8) |
                   (uint32_t)(last->n_primitives - 1) << 1 | (q[2] != q[3]);
    out->bits_per_key = (int32_t)length_of(out->max_key + 1);
    out->flat.bits = (int32_t)((out->max_key + 2) / 2);
    out->interior.bits = (int32_t)(out->max_key + 1);
    out->flat.n_words = ((size_t)out->flat.bits + 31) / 32;
    out->interior.n_words = ((size_t)out->interior.bits + 31) / 32;
    return LATHE_OK;
}

/* ---- all of it --------------------------------------------------------------------------------------------------- */

lathe_result hk_mesh_cut(const hk_mesh *mesh, const uint8_t *cut, arena *room, hk_mesh *out,
                         lathe_error *err)
{
    cutter c = {.mesh = mesh, .cut = cut, .room = room, .out = out, .err = err};
    size_t most = 0, n = 0;
    lathe_result r = LATHE_OK;
    *out = *mesh;
    for (size_t s = 0; s < mesh->n_sections; s++)
        most += 2U * mesh->sections[s].n_primitives;
    uint8_t(*primitives)[4] = arena_zalloc(room, most * sizeof *primitives + 1);
    hk_packed_section *sections = arena_zalloc(room, mesh->n_sections * sizeof *sections + 1);
    if (!primitives || !sections)
        return no_room(&c);
    for (size_t s = 0; r == LATHE_OK && s < mesh->n_sections; s++) {
        sections[s] = mesh->sections[s];
        r = cut_primitives(&c, s, &sections[s], primitives, &n);
        if (r == LATHE_OK)
            r = cut_tree(&c, s, &sections[s]);
    }
    out->sections = sections;
    out->primitives = (const uint8_t(*)[4])primitives;
    out->n_primitives = n;
    if (r == LATHE_OK && (!mesh->n_sections || !sections[mesh->n_sections - 1].n_primitives))
        return error_set(err, LATHE_ERR_INVALID, LATHE_NO_OFFSET, "the last section is empty");
    return r == LATHE_OK ? cut_bits(&c) : r;
}
