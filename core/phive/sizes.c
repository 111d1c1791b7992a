/* Updates the sizes and offsets in the header and the padding when lengths change. */
#include "phive/phive.h"

#include "tagfile/order.h"

#include <string.h>

static uint64_t round_up(uint64_t n)
{
    return (n + PHIVE_ALIGN - 1) / PHIVE_ALIGN * PHIVE_ALIGN;
}

static lathe_result put(lathe_doc *doc, uint32_t part, uint64_t at, uint64_t value,
                        lathe_error *err)
{
    uint8_t bytes[4];
    if (value > UINT32_MAX)
        return error_set(err, LATHE_ERR_LIMIT, LATHE_NO_OFFSET, "a Phive file has 32-bit offsets");
    bytes_st32(bytes, (uint32_t)value, false);
    return memcmp(rec_part_of(doc, part)->data + at, bytes, 4) == 0
               ? LATHE_OK
               : rec_splice(doc, part, at, 4, bytes, 4, err);
}

/* Pads the tagfile to a multiple of 16, as before. */
static lathe_result pad_tagfile(lathe_doc *doc, uint32_t c, uint64_t tag, lathe_error *err)
{
    uint32_t part = phive_part_of(doc, c, PHIVE_PADDING);
    uint64_t have = rec_part_of(doc, part)->size, want = round_up(tag) - tag;
    return (tag + have) % PHIVE_ALIGN ? rec_splice(doc, part, 0, have, NULL, want, err) : LATHE_OK;
}

static lathe_result pad_masks(lathe_doc *doc, uint32_t c, uint64_t *size, lathe_error *err)
{
    uint32_t part = phive_part_of(doc, c, PHIVE_TABLES);
    phive_counts counts = phive_counts_of(doc, c);
    uint64_t front = (uint64_t)counts.rows * PHIVE_MATERIAL + counts.rest;
    uint64_t rows = (uint64_t)counts.rows * phive_mask_size(doc, c),
             all = rec_part_of(doc, part)->size;
    lathe_result r = LATHE_OK;
    *size = all - front;
    if (phive_state_of(doc, c) && phive_state_of(doc, c)->unpadded)
        return r;
    if (*size % PHIVE_ALIGN == 0 || all < front + rows)
        return r;
    r = rec_splice(doc, part, front + rows, *size - rows, NULL, round_up(rows) - rows, err);
    *size = round_up(rows);
    return r;
}

/* Computes the values of the header: four offsets, then three sizes. */
static void sections(uint64_t lead, uint64_t tag, uint64_t padding, uint64_t materials,
                     uint64_t masks, uint64_t out[7])
{
    out[0] = lead;
    out[1] = lead + tag + padding;
    out[2] = out[1] + materials;
    out[3] = out[2] + masks;
    out[4] = round_up(tag);
    out[5] = materials;
    out[6] = masks;
}

lathe_result phive_relayout(lathe_doc *doc, uint32_t c, lathe_error *err)
{
    uint32_t root = doc->containers[c].root, tagfile = phive_part_of(doc, c, PHIVE_TAGFILE);
    uint64_t words[7], masks;
    phive_counts counts = phive_counts_of(doc, c);
    if (tagfile == REC_NO_PART || phive_part_of(doc, c, PHIVE_TABLES) == REC_NO_PART)
        return error_set(err, LATHE_ERR_INVALID, LATHE_NO_OFFSET,
                         "a Phive shape has a tagfile and tables");
    uint64_t tag = rec_part_whole(doc, tagfile);
    lathe_result r = pad_tagfile(doc, c, tag, err);
    if (r == LATHE_OK)
        r = pad_masks(doc, c, &masks, err);
    if (r != LATHE_OK)
        return r;
    sections(rec_part_of(doc, root)->size, tag,
             rec_part_of(doc, phive_part_of(doc, c, PHIVE_PADDING))->size,
             (uint64_t)counts.rows * PHIVE_MATERIAL + counts.rest, masks, words);
    for (unsigned i = 0; r == LATHE_OK && i < REC_COUNT_OF(words); i++)
        r = put(doc, root, 12 + 4 * i, words[i], err);
    return r;
}

lathe_result phive_serialize(lathe_doc *doc, uint32_t c, const lathe_source *args, buf *out,
                             lathe_error *err)
{
    rec_at shape;
    const phive_layout *layout;
    uint32_t tag;
    uint64_t words[7];
    static const uint8_t zeros[PHIVE_ALIGN];
    lathe_result r = phive_shape(doc, c, &shape, &layout, &tag, err);
    if (r != LATHE_OK)
        return r;
    const rec_part *root = rec_part_of(doc, doc->containers[c].root); /* opening adds parts */
    size_t start = out->size, lead = (size_t)root->size;
    r = buf_put(out, root->data, lead) ? tag_serialize(doc, tag, args, out, err)
                                       : rec_no_memory(err);
    if (r != LATHE_OK)
        return r;
    uint64_t size = out->size - start - lead, padding = round_up(size) - size;
    uint32_t tables = phive_part_of(doc, c, PHIVE_TABLES);
    phive_counts counts = phive_counts_of(doc, c);
    uint64_t materials = (uint64_t)counts.rows * PHIVE_MATERIAL + counts.rest;
    sections(lead, size, padding, materials, rec_part_of(doc, tables)->size - materials, words);
    if (words[3] > UINT32_MAX)
        return error_set(err, LATHE_ERR_LIMIT, LATHE_NO_OFFSET, "a Phive file has 32-bit offsets");
    if (!buf_put(out, zeros, (size_t)padding) || !rec_part_bytes(doc, tables, out) ||
        !rec_part_bytes(doc, phive_part_of(doc, c, PHIVE_REST), out))
        return rec_no_memory(err);
    for (unsigned i = 0; i < REC_COUNT_OF(words); i++)
        bytes_st32(out->data + start + 12 + 4 * i, (uint32_t)words[i], false);
    return LATHE_OK;
}
