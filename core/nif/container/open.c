/* Opens a NIF: the header, and blocks as parts. If the header has no sizes, parses blocks up to the first
 * unknown one. */
#include "nif/container/container.h"

#include <stdio.h>

static const char gamebryo[] = "Gamebryo File Format", netimmerse[] = "NetImmerse File Format";

int nif_sniff(const uint8_t *bytes, size_t n)
{
    return (n >= sizeof gamebryo - 1 && memcmp(bytes, gamebryo, sizeof gamebryo - 1) == 0) ||
                   (n >= sizeof netimmerse - 1 &&
                    memcmp(bytes, netimmerse, sizeof netimmerse - 1) == 0)
               ? REC_SNIFF_SURE
               : REC_SNIFF_NO;
}

/* Reads a number at `at`; 0 if there are not enough bytes. */
static uint32_t number_at(const uint8_t *p, uint64_t size, uint64_t at)
{
    return at <= size && size - at >= 4 ? bytes_ld32(p + at, false) : 0;
}

/* Reads Bethesda's version from the bytes behind the header's version. Missing bytes read as 0 here and are
 * reported by the fields of the header. */
static uint64_t read_bs(const uint8_t *p, uint64_t size, int64_t v)
{
    const uint64_t endian = 1, user_version = 4, num_blocks = 4;
    uint64_t at = nif_has_endian(v) ? endian : 0;
    uint32_t user = nif_has_user(v) ? number_at(p, size, at) : 0;
    at += (nif_has_user(v) ? user_version : 0) + num_blocks;
    return nif_has_bs(v, user) ? number_at(p, size, at) : 0;
}

/* Fails for unsupported versions before any field is read. *v is the version, *bs Bethesda's. */
static lathe_result read_version(const uint8_t *p, uint64_t size, int64_t *v, uint64_t *bs,
                                 lathe_error *err)
{
    enum { LONGEST = 128, OLDEST = 0x04000000 };
    const uint8_t *end = nif_sniff(p, (size_t)size) == REC_SNIFF_NO
                             ? NULL
                             : memchr(p, '\n', size < LONGEST ? (size_t)size : LONGEST);
    if (!end)
        return error_set(err, LATHE_ERR_FORMAT, 0, "not a NIF file");
    uint64_t at = (uint64_t)(end - p) + 1;
    if (size - at < 5)
        return error_set(err, LATHE_ERR_BOUNDS, size, "the header ends after its first line");
    *v = bytes_ld32(p + at, false);
    if (*v >= 0x14000003 && p[at + 4] != 1)
        return error_set(err, LATHE_ERR_UNSUPPORTED, at + 4,
                         p[at + 4] ? "byte order %d: 1 expected"
                                   : "big-endian (byte order %d), as on consoles: lathe reads "
                                     "little-endian files",
                         p[at + 4]);
    if (*v < OLDEST || *v == 0x14030102)
        return error_set(err, LATHE_ERR_UNSUPPORTED, at,
                         "version %d.%d.%d.%d: lathe reads 4.0.0.0 and later", (int)(*v >> 24),
                         (int)(*v >> 16 & 255), (int)(*v >> 8 & 255), (int)(*v & 255));
    *bs = read_bs(p + at + 4, size - at - 4, *v);
    return LATHE_OK;
}

/* ---- with block sizes ---------------------------------------------------------------------------------- */

static uint64_t size_of(void *user, uint64_t i)
{
    const uint8_t *sizes = user;
    return bytes_ld32(sizes + 4 * i, false);
}

static lathe_result split_blocks(const rec_at *root, uint64_t at, uint64_t n, uint64_t *end,
                                 lathe_error *err)
{
    rec_loc sizes;
    lathe_result r = rec_find(root, NIF_BLOCK_SIZES, &sizes, err);
    uint8_t *p = rec_part_of(root->doc, root->part)->data;
    return r == LATHE_OK ? rec_split_sizes(root->doc, root->part, at, NIF_BLOCKS, n, size_of,
                                           p + sizes.data, end, err)
                         : r;
}

/* ---- without block sizes ------------------------------------------------------------------------------- */

/* The type of block i, whose bytes begin at `at`: from the header, or from the name in front of it. */
static const rec_type *type_at(const rec_at *root, uint64_t i, uint64_t at)
{
    const rec_part *p = rec_part_of(root->doc, root->part);
    rec_loc item, text;
    if (NIF_AT_V(root) < 0x05000001) {
        uint64_t left = p->size - at, n = left >= 4 ? bytes_ld32(p->data + at, false) : UINT64_MAX;
        return left >= 4 && n <= left - 4
                   ? nif_block_type((const char *)p->data + at + 4, (size_t)n)
                   : NULL;
    }
    if (rec_find_item(root, NIF_BLOCK_TYPE_INDEX, i, &item, NULL) != LATHE_OK ||
        rec_find_item(root, NIF_BLOCK_TYPES, bytes_ld16(p->data + item.off, false) & 0x7FFF, &text,
                      NULL) != LATHE_OK)
        return NULL;
    return nif_block_type((const char *)p->data + text.data, (size_t)text.count);
}

/* Walks up to the first block that is unknown or cannot be parsed. */
static lathe_result walk_blocks(const rec_at *root, uint64_t at, uint64_t n, uint64_t *end,
                                lathe_error *err)
{
    lathe_doc *doc = root->doc;
    lathe_result r = LATHE_OK;
    *end = at;
    for (uint64_t i = 0; r == LATHE_OK && i < n; i++) {
        const rec_type *type = type_at(root, i, *end);
        const rec_layout *layout =
            type ? rec_layout_for(doc, doc->parts[root->part].container, type,
                                  nif_is_packed(type) ? rec_argument_default(type) : 0)
                 : NULL;
        uint64_t size;
        if (type && !layout)
            return rec_no_memory(err);
        rec_at block = rec_child(root, NIF_BLOCKS, layout, root->part, *end, i);
        if (!layout || rec_embed_measure(&block, &size, NULL) != LATHE_OK)
            break;
        rec_forget(doc, root->part, *end);
        r = rec_split_one(doc, root->part, *end, NIF_BLOCKS, size, layout, err);
        *end += size;
    }
    return r;
}

/* ---- opening ------------------------------------------------------------------------------------------- */

static bool parses(lathe_doc *doc, const rec_at *root, const rec_layout *layout, uint64_t at,
                   uint64_t *size, lathe_error *err)
{
    rec_at footer = rec_child(root, NIF_FOOTER, layout, root->part, at, 0);
    bool ok = rec_measure(&footer, size, err) == LATHE_OK;
    rec_forget(doc, root->part, at);
    return ok;
}

/* Adds what is behind the blocks: the footer, and extra bytes. If blocks were walked, a footer that does not
 * end the file shows that the walk went wrong at an unknown block. */
static lathe_result split_footer(const rec_at *root, uint64_t start, uint64_t at, bool all,
                                 lathe_error *err)
{
    lathe_doc *doc = root->doc;
    const rec_layout *layout = root->layout->slots[NIF_FOOTER].sub;
    uint64_t size = 0;
    lathe_result r = LATHE_OK;
    if (all && parses(doc, root, layout, at, &size, err))
        r = rec_split_one(doc, root->part, at, NIF_FOOTER, size, layout, err);
    else if (all)
        return LATHE_ERR_BOUNDS;
    return r == LATHE_OK ? rec_split_tail(doc, root->part, start, at + size, NIF_REST, err) : r;
}

lathe_result nif_open(lathe_doc *doc, uint32_t c, lathe_error *err)
{
    uint32_t part = doc->containers[c].root;
    const rec_part *p = rec_part_of(doc, part);
    int64_t v = 0;
    rec_loc blocks;
    uint64_t end = 0, bs = 0;
    lathe_result r = read_version(p->data, p->size, &v, &bs, err);
    if (r == LATHE_OK)
        r = rec_arrange(doc, c, false, 8, NIF_VERSIONS(v, bs), err);
    rec_at root = rec_root(doc, c);
    if (r == LATHE_OK)
        r = rec_find(&root, NIF_BLOCKS, &blocks, err);
    if (r != LATHE_OK)
        return r;
    uint64_t n = (uint64_t)rec_slot_int(&root, NIF_NUM_BLOCKS);
    bool sized = v >= 0x14020005;
    if (n >
        p->size) /* a block without bytes still needs its size in the header, or its type name */
        return rec_fail(&root, NIF_NUM_BLOCKS, root.off, err, LATHE_ERR_BOUNDS,
                        "%llu blocks in %llu bytes", (unsigned long long)n,
                        (unsigned long long)p->size);
    r = sized ? split_blocks(&root, blocks.off, n, &end, err)
              : walk_blocks(&root, blocks.off, n, &end, err);
    bool all = rec_kids(doc, part, NIF_BLOCKS) == n;
    return r == LATHE_OK ? split_footer(&root, blocks.off, end, all, err) : r;
}

/* ---- making --------------------------------------------------------------------------------------------------- */

static int64_t given(const rec_at *root, const rec_from *from, const char *name, int64_t otherwise)
{
    lathe_value v;
    const void *child;
    uint32_t slot = rec_slot_find(root->layout, name);
    uint64_t raw;
    return rec_source_value(from, root, slot, &v, &child) &&
                   rec_encode(root, slot, &v, &raw, NULL) == LATHE_OK
               ? (int64_t)raw
               : otherwise;
}

lathe_result nif_begin(lathe_doc *doc, uint32_t c, const rec_from *from, lathe_error *err)
{
    rec_at root = rec_root(doc, c);
    int64_t v = given(&root, from, "version", 0x14020007);
    lathe_value strings;
    const void *child;
    lathe_result r = rec_arrange(
        doc, c, false, 8,
        NIF_VERSIONS(v, given(&root, from, "bs_version", v == 0x14020007 ? NIF_SKYRIM_SE : 0)),
        err);
    doc->containers[c].param =
        r == LATHE_OK && rec_source_value(from, &root, NIF_STRINGS, &strings, &child)
            ? NIF_ALL_STRINGS
            : 0;
    return r;
}
