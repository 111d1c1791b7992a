/* Finds the members of a mesh shape in the types of a file. */
#include "phive/layout.h"

#include <stddef.h>
#include <string.h>

enum { SHAPE, TAG, NODE, SECTION, BOX_NODE, RECORDS };

/* A member to find: its record, its name and that of a member in it, its size, and where to store its offset. */
typedef struct wanted {
    uint8_t of;
    bool may_miss;
    const char *member, *inner;
    uint32_t size;
    size_t to;
} wanted;

/* clang-format off */
#define AT(field) offsetof(phive_layout, field)
#define LANE(field, i) (offsetof(phive_layout, field) + (i) * sizeof(uint32_t))

static const wanted members[] = {
    {SHAPE, false, "type", NULL, 1, AT(type)},
    {SHAPE, false, "dispatchType", NULL, 1, AT(dispatch_type)},
    {SHAPE, false, "flags", NULL, 2, AT(flags)},
    {SHAPE, false, "numShapeKeyBits", NULL, 1, AT(key_bits)},
    {SHAPE, false, "convexRadius", NULL, 4, AT(convex_radius)},
    {SHAPE, false, "userData", NULL, 8, AT(user_data)},
    {SHAPE, false, "properties", NULL, 16, AT(properties)},
    {SHAPE, false, "shapeTagCodecInfo", NULL, 4, AT(codec_info)},
    {SHAPE, false, "vertexConversionUtil", "bitScale16", 16, AT(scale)},
    {SHAPE, false, "vertexConversionUtil", "bitScale16Inv", 16, AT(scale_inv)},
    {SHAPE, false, "shapeTagTable", NULL, 8, AT(tags)},
    {SHAPE, false, "topLevelTree", "nodes", 16, AT(nodes)},
    {SHAPE, true, "topLevelTree", "firstFreeIndex", 4, AT(first_free)},
    {SHAPE, false, "topLevelTree", "isCompact", 1, AT(compact)},
    {SHAPE, false, "geometrySections", NULL, 8, AT(sections)},
    {SHAPE, true, "primitiveMapping", NULL, 8, AT(mapping)},
    {TAG, false, "meshPrimitiveKey", NULL, 4, AT(tag_key)},
    {TAG, false, "shapeTag", NULL, 2, AT(tag_tag)},
    {NODE, false, "lx", NULL, 16, LANE(lanes, 0)},
    {NODE, false, "hx", NULL, 16, LANE(lanes, 1)},
    {NODE, false, "ly", NULL, 16, LANE(lanes, 2)},
    {NODE, false, "hy", NULL, 16, LANE(lanes, 3)},
    {NODE, false, "lz", NULL, 16, LANE(lanes, 4)},
    {NODE, false, "hz", NULL, 16, LANE(lanes, 5)},
    {NODE, false, "data", NULL, 16, AT(node_data)},
    {NODE, true, "isLeaf", NULL, 1, AT(leaf)},
    {NODE, true, "filterMasks", NULL, 4, AT(masks)},
    {NODE, true, "flags", NULL, 1, AT(node_flags)},
    {NODE, true, "maxDepth", NULL, 1, AT(depth)},
    {NODE, true, "parent", NULL, 4, AT(parent)},
    {NODE, true, "numLeaves", NULL, 4, AT(leaves)},
    {SECTION, false, "sectionBvh", NULL, 8, AT(bvh)},
    {SECTION, false, "primitives", NULL, 8, AT(primitives)},
    {SECTION, true, "quantizedVertices", NULL, 8, AT(vertices)},
    {SECTION, true, "vertexBuffer", NULL, 8, AT(vertices)},
    {SECTION, false, "interiorPrimitiveBitField", NULL, 8, AT(bits)},
    {SECTION, false, "sectionOffset", NULL, 12, AT(origin)},
    {SECTION, false, "bitScale8Inv", NULL, 12, AT(cell)},
    {SECTION, false, "bitOffset", NULL, 6, AT(cell_origin)},
    {BOX_NODE, false, "lx", NULL, 4, LANE(bytes, 0)},
    {BOX_NODE, false, "hx", NULL, 4, LANE(bytes, 1)},
    {BOX_NODE, false, "ly", NULL, 4, LANE(bytes, 2)},
    {BOX_NODE, false, "hy", NULL, 4, LANE(bytes, 3)},
    {BOX_NODE, false, "lz", NULL, 4, LANE(bytes, 4)},
    {BOX_NODE, false, "hz", NULL, 4, LANE(bytes, 5)},
    {BOX_NODE, false, "data", NULL, 4, AT(box_data)},
};
/* clang-format on */

static const tag_member *member_in(const tag_types *types, uint32_t id, const char *name)
{
    uint32_t steps = 0; /* parents have no cycles: reading the types checks that */
    for (; id && steps < types->count; id = types->all[id].parent, steps++)
        for (uint32_t i = 0; i < types->all[id].members_n; i++)
            if (strcmp(types->all[id].members[i].name, name) == 0)
                return &types->all[id].members[i];
    return NULL;
}

typedef struct reader {
    const tag_types *types;
    phive_layout *out;
    uint32_t records[RECORDS]; /* their types */
    lathe_error *err;
} reader;

static lathe_result bad(const reader *r, uint32_t id, const char *member, const char *what,
                        unsigned expected, unsigned there)
{
    return error_set(r->err, LATHE_ERR_UNSUPPORTED, LATHE_NO_OFFSET,
                     "TYPE: type %u (%.60s), %s: %s (%u expected, %u there)", id,
                     r->types->all[id].name, member, what, expected, there);
}

static lathe_result missing(const reader *r, uint32_t id, const char *member)
{
    return error_set(r->err, LATHE_ERR_UNSUPPORTED, LATHE_NO_OFFSET,
                     "TYPE: type %u (%.60s) has no member %s", id, r->types->all[id].name, member);
}

/* Finds a member and, if it is a record, a member of it. */
static lathe_result place(const reader *r, const wanted *w)
{
    uint32_t id = r->records[w->of], *to = (uint32_t *)(void *)((char *)r->out + w->to);
    uint32_t have = r->types->all[id].is.size;
    const tag_member *m = member_in(r->types, id, w->member);
    const tag_member *in = m && w->inner ? member_in(r->types, m->type, w->inner) : NULL;
    const char *name = w->inner ? w->inner : w->member;
    if (!m || (w->inner && !in))
        return w->may_miss ? LATHE_OK : missing(r, id, name);
    uint64_t at = (uint64_t)m->offset + (in ? in->offset : 0);
    const tag_type *type = &r->types->all[in ? in->type : m->type];
    if (!type->is.has_size || type->is.size != w->size)
        return bad(r, id, name, "bytes of another size", w->size, type->is.size);
    if (at + w->size > have)
        return bad(r, id, name, "it leaves its record", have, (unsigned)(at + w->size));
    *to = (uint32_t)at;
    return LATHE_OK;
}

static lathe_result place_all(const reader *r, int record)
{
    lathe_result done = LATHE_OK;
    for (size_t i = 0; done == LATHE_OK && i < REC_COUNT_OF(members); i++)
        if (members[i].of == record)
            done = place(r, &members[i]);
    return done;
}

/* Finds the element type of an array member. `size`: expected size; 0: taken from the type. */
static lathe_result element(const reader *r, int record, const char *member, const char *inner,
                            uint32_t size, phive_element *out)
{
    uint32_t id = r->records[record];
    const tag_member *m = member_in(r->types, id, member);
    if (m && inner)
        m = member_in(r->types, m->type, inner);
    if (!m)
        return missing(r, id, inner ? inner : member);
    uint32_t of = r->types->all[m->type].is.sub_type;
    const tag_type *type = &r->types->all[of];
    if (!tag_is_relative(&r->types->all[m->type]) || !of || !type->is.has_size || !type->is.size)
        return bad(r, id, inner ? inner : member, "no relative array of sized elements", 1, 0);
    if (size && type->is.size != size)
        return bad(r, id, inner ? inner : member, "elements of another size", size, type->is.size);
    *out = (phive_element){of, type->is.size};
    return LATHE_OK;
}

static lathe_result read_shape(reader *r, uint32_t shape)
{
    phive_layout *l = r->out;
    r->records[SHAPE] = shape;
    l->shape = (phive_element){shape, r->types->all[shape].is.size};
    lathe_result done = place_all(r, SHAPE);
    if (done == LATHE_OK)
        done = element(r, SHAPE, "shapeTagTable", NULL, 0, &l->tag);
    if (done == LATHE_OK)
        done = element(r, SHAPE, "topLevelTree", "nodes", 0, &l->node);
    if (done == LATHE_OK)
        done = element(r, SHAPE, "geometrySections", NULL, 0, &l->section);
    r->records[TAG] = l->tag.type;
    r->records[NODE] = l->node.type;
    r->records[SECTION] = l->section.type;
    for (int i = TAG; done == LATHE_OK && i <= SECTION; i++)
        done = place_all(r, i);
    return done;
}

static lathe_result read_section(reader *r)
{
    phive_layout *l = r->out;
    bool quantised = member_in(r->types, l->section.type, "quantizedVertices") != NULL;
    l->variant = quantised ? PHIVE_V21 : l->masks != PHIVE_ABSENT ? PHIVE_V23 : PHIVE_V22;
    lathe_result done = element(r, SECTION, "sectionBvh", NULL, 0, &l->box_node);
    if (done == LATHE_OK)
        done = element(r, SECTION, "primitives", NULL, 4, &l->primitive);
    if (done == LATHE_OK)
        done = element(r, SECTION, quantised ? "quantizedVertices" : "vertexBuffer", NULL,
                       quantised ? 6 : 1, &l->vertex);
    if (done == LATHE_OK)
        done = element(r, SECTION, "interiorPrimitiveBitField", NULL, 1, &l->bit);
    r->records[BOX_NODE] = l->box_node.type;
    if (done == LATHE_OK)
        done = place_all(r, BOX_NODE);
    if (done == LATHE_OK && l->leaf == PHIVE_ABSENT && l->node_flags == PHIVE_ABSENT)
        done = missing(r, l->node.type, "isLeaf");
    return done;
}

lathe_result phive_layout_read(const tag_types *types, uint32_t shape, phive_layout *out,
                               lathe_error *err)
{
    reader r = {.types = types, .out = out, .err = err};
    memset(out, 0, sizeof *out);
    for (size_t i = 0; i < REC_COUNT_OF(members); i++)
        *(uint32_t *)(void *)((char *)out + members[i].to) = PHIVE_ABSENT;
    if (!shape || shape >= types->count || strcmp(types->all[shape].name, "hknpMeshShape") != 0)
        return error_set(err, LATHE_ERR_UNSUPPORTED, LATHE_NO_OFFSET,
                         "the root object is of type %u (%.60s), not hknpMeshShape", shape,
                         shape && shape < types->count ? types->all[shape].name : "none");
    lathe_result done = read_shape(&r, shape);
    return done == LATHE_OK ? read_section(&r) : done;
}
