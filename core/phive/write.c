/* Writes a shape in the order of known files. Reference: formats/bphsh.md#3.1 to #3.3. */
#include "phive/write.h"

#include <string.h>

enum {
    CHUNK = 1024, /* number of sections whose arrays are contiguous */
    ALIGN = 16,
    OBJECT = 0x10,
    STORAGE = 0x20,
    IS_COMPOSITE = 4, /* of the shape's flags */
    NODE_LEAF = 1     /* of a node's flags since V23 */
};

typedef struct writer {
    const phive_built *b;
    const phive_layout *l;
    buf *data, *items;
    uint64_t sections; /* where the sections begin */
} writer;

static void put_f32(uint8_t *p, float f)
{
    uint32_t bits;
    memcpy(&bits, &f, sizeof bits);
    bytes_st32(p, bits, false);
}

static bool put_item(const writer *w, uint32_t kind, uint32_t type, uint64_t offset, uint64_t count)
{
    uint8_t row[TAG_ITEM_SIZE] = {0};
    bytes_st32(row, kind << 24 | type, false);
    bytes_st32(row + 4, (uint32_t)offset, false);
    bytes_st32(row + 8, (uint32_t)count, false);
    return buf_put(w->items, row, sizeof row);
}

/* Appends `count` zeroed elements and their item, and makes the header at `head` refer to them. */
static bool add_array(const writer *w, uint64_t head, bool wide, phive_element elem, uint64_t count,
                      uint64_t *at)
{
    size_t past = w->data->size % ALIGN;
    if (!buf_fill(w->data, 0, past ? ALIGN - past : 0))
        return false;
    *at = w->data->size;
    if (!buf_fill(w->data, 0, (size_t)count * elem.size) ||
        !put_item(w, STORAGE, elem.type, *at, count))
        return false;
    uint8_t *p = w->data->data + head;
    bytes_st32(p, (uint32_t)(*at - head), false); /* sizes are below 2^30: the caller checks that */
    bytes_st32(p + (wide ? 8 : 4), (uint32_t)count, false);
    return true;
}

/* ---- the shape and its own arrays -------------------------------------------------------------------------- */

/* Default values of a new shape; enumerations of the SDK changed in 2023. */
static void fresh_shape(const writer *w, uint8_t *p)
{
    const phive_layout *l = w->l;
    bool newer = l->variant == PHIVE_V23;
    p[l->type] = newer ? 7 : 8;
    p[l->dispatch_type] = newer ? 2 : 3;
    bytes_st16(p + l->flags, IS_COMPOSITE, false);
    bytes_st32(p + l->codec_info, 0xFFFFFFFF, false);
}

static bool put_shape(const writer *w, const uint8_t *root)
{
    const phive_layout *l = w->l;
    if (!buf_fill(w->data, 0, l->shape.size))
        return false;
    uint8_t *p = w->data->data;
    if (root)
        memcpy(p, root, l->shape.size);
    else
        fresh_shape(w, p);
    p[l->key_bits] = w->b->key_bits;
    for (unsigned i = 0; i < 3; i++) {
        put_f32(p + l->scale + 4 * i, w->b->scale[i]);
        put_f32(p + l->scale_inv + 4 * i, w->b->scale_inv[i]);
    }
    p[l->compact] = 1;
    if (l->first_free != PHIVE_ABSENT) /* of the former nodes */
        bytes_st32(p + l->first_free, 0, false);
    if (l->mapping != PHIVE_ABSENT) /* for the former triangles */
        memset(p + l->mapping, 0, 8);
    return put_item(w, 0, 0, 0, 0) && put_item(w, OBJECT, l->shape.type, 0, 1);
}

static bool put_tags(const writer *w)
{
    uint64_t at;
    if (!add_array(w, w->l->tags, false, w->l->tag, w->b->tag_count, &at))
        return false;
    for (size_t i = 0; i < w->b->tag_count; i++) {
        uint8_t *p = w->data->data + at + i * w->l->tag.size;
        bytes_st32(p + w->l->tag_key, w->b->tags[i].key, false);
        bytes_st16(p + w->l->tag_tag, w->b->tags[i].tag, false);
    }
    return true;
}

static void put_node(const writer *w, const phive_top_node *n, uint8_t *p)
{
    const phive_layout *l = w->l;
    for (unsigned k = 0; k < 6; k++)
        for (unsigned lane = 0; lane < 4; lane++)
            put_f32(p + l->lanes[k] + 4 * lane, n->box[k][lane]);
    for (unsigned lane = 0; lane < 4; lane++)
        bytes_st32(p + l->node_data + 4 * lane, n->data[lane], false);
    if (l->leaf != PHIVE_ABSENT)
        p[l->leaf] = n->leaf;
    if (l->node_flags != PHIVE_ABSENT)
        p[l->node_flags] = n->leaf ? NODE_LEAF : 0;
    if (l->masks != PHIVE_ABSENT) /* known files let everything through if there is anything */
        memset(p + l->masks, 0xFF, n->used);
    if (l->depth != PHIVE_ABSENT)
        p[l->depth] = n->depth;
    if (l->parent != PHIVE_ABSENT)
        bytes_st32(p + l->parent, n->parent, false);
    if (l->leaves != PHIVE_ABSENT)
        bytes_st32(p + l->leaves, n->leaves, false);
}

static bool put_nodes(const writer *w)
{
    uint64_t at;
    if (!add_array(w, w->l->nodes, true, w->l->node, w->b->top_count, &at))
        return false;
    for (size_t i = 0; i < w->b->top_count; i++) /* entry 0 is unused and has empty lanes */
        put_node(w, &w->b->top[i], w->data->data + at + i * w->l->node.size);
    return true;
}

static bool put_sections(writer *w)
{
    const phive_layout *l = w->l;
    if (!add_array(w, l->sections, false, l->section, w->b->section_count, &w->sections))
        return false;
    for (size_t i = 0; i < w->b->section_count; i++) {
        const phive_built_section *s = &w->b->sections[i];
        uint8_t *p = w->data->data + w->sections + i * l->section.size;
        for (unsigned k = 0; k < 3; k++) {
            bytes_st32(p + l->origin + 4 * k, (uint32_t)s->origin[k], false);
            put_f32(p + l->cell + 4 * k, s->cell[k]);
            bytes_st16(p + l->cell_origin + 2 * k, (uint16_t)s->cell_origin[k], false);
        }
    }
    return true;
}

/* ---- arrays of the sections ----------------------------------------------------------------------------------- */

static uint64_t head(const writer *w, size_t section, uint32_t member)
{
    return w->sections + section * w->l->section.size + member;
}

static bool put_boxes(const writer *w, size_t i)
{
    const phive_built_section *s = &w->b->sections[i];
    const phive_layout *l = w->l;
    uint64_t at;
    if (!add_array(w, head(w, i, l->bvh), false, l->box_node, s->node_count, &at))
        return false;
    for (uint32_t k = 0; k < s->node_count; k++) {
        const phive_box_node *n = &w->b->nodes[s->first_node + k];
        uint8_t *p = w->data->data + at + (size_t)k * l->box_node.size;
        for (unsigned side = 0; side < 6; side++)
            memcpy(p + l->bytes[side], n->box[side], 4);
        memcpy(p + l->box_data, n->data, 4);
    }
    return true;
}

static bool put_plain(const writer *w, uint64_t site, phive_element elem, const void *bytes,
                      uint64_t size)
{
    uint64_t at;
    if (!add_array(w, site, false, elem, size / elem.size, &at))
        return false;
    if (size)
        memcpy(w->data->data + at, bytes, (size_t)size);
    return true;
}

static bool put_chunk(const writer *w, size_t from, size_t to)
{
    const phive_layout *l = w->l;
    const phive_built *b = w->b;
    bool done = true;
    for (size_t i = from; done && i < to; i++)
        done = put_boxes(w, i);
    for (size_t i = from; done && i < to; i++)
        done = put_plain(w, head(w, i, l->primitives), l->primitive,
                         b->primitives + b->sections[i].first_primitive,
                         (uint64_t)b->sections[i].primitive_count * l->primitive.size);
    for (size_t i = from; done && i < to; i++)
        done =
            put_plain(w, head(w, i, l->vertices), l->vertex,
                      b->vertices + b->sections[i].first_vertex_byte, b->sections[i].vertex_bytes);
    for (size_t i = from; done && i < to; i++)
        done = put_plain(w, head(w, i, l->bits), l->bit, b->bits + b->sections[i].first_bit_byte,
                         b->sections[i].bit_bytes);
    return done;
}

lathe_result phive_write(const phive_built *built, const phive_layout *layout, const uint8_t *root,
                         tag_ordered *out, lathe_error *err)
{
    writer w = {.b = built, .l = layout, .data = &out->data, .items = &out->items};
    bool done = put_shape(&w, root) && put_tags(&w) && put_nodes(&w) && put_sections(&w);
    for (size_t from = 0; done && from < built->section_count; from += CHUNK) {
        size_t to = built->section_count - from > CHUNK ? from + CHUNK : built->section_count;
        done = put_chunk(&w, from, to) && w.data->size < 1u << 30;
    }
    size_t past = out->data.size % ALIGN;
    done = done && buf_fill(&out->data, 0, past ? ALIGN - past : 0);
    if (!done && out->data.size >= 1u << 30)
        return error_set(err, LATHE_ERR_LIMIT, LATHE_NO_OFFSET,
                         "a section has at most 2^30 - 1 bytes: too many triangles");
    out->objects = 1;
    return done ? LATHE_OK : rec_no_memory(err);
}
