/* Blocks as elements of several types: their type names, numbers and sizes in the header. */
#include "gen/nif_types.h"
#include "nif/container/container.h"

#include <stdio.h>

/* ---- types --------------------------------------------------------------------------------------------- */

static int compare(const char *name, size_t n, const char *with)
{
    size_t m = strlen(with);
    int c = memcmp(name, with, n < m ? n : m);
    return c ? c : n < m ? -1 : n > m;
}

const rec_type *nif_block_type(const char *name, size_t n)
{
    size_t lo = 0, hi = nif_block_count;
    while (lo < hi) {
        size_t mid = lo + (hi - lo) / 2;
        int c = compare(name, n, rec_type_name(&nif_unit.types[mid]));
        if (c == 0)
            return &nif_unit.types[mid];
        if (c < 0)
            hi = mid;
        else
            lo = mid + 1;
    }
    return NULL;
}

/* The type name in the file, without a NUL: *n bytes. NULL: the header's number is out of range. */
static const char *name_in_file(lathe_doc *doc, uint32_t part, size_t *n)
{
    uint32_t c = doc->parts[part].container;
    rec_at root = rec_root(doc, c);
    rec_loc item, text;
    if (NIF_AT_V(&root) < 0x05000001) {
        const rec_part *p = rec_part_of(doc, part);
        *n = p->size >= 4 ? bytes_ld32(p->data, false) : 0;
        return *n && *n <= p->size - 4 ? (const char *)p->data + 4 : NULL;
    }
    if (rec_find_item(&root, NIF_BLOCK_TYPE_INDEX, nif_number(doc, part), &item, NULL) != LATHE_OK)
        return NULL;
    const rec_part *p = rec_part_of(doc, item.part);
    uint64_t i = bytes_ld16(p->data + item.off, false) & 0x7FFF;
    if (rec_find_item(&root, NIF_BLOCK_TYPES, i, &text, NULL) != LATHE_OK)
        return NULL;
    *n = (size_t)text.count;
    return (const char *)p->data + text.data;
}

const rec_type *nif_part_type(lathe_doc *doc, uint32_t part)
{
    size_t n;
    const char *name = doc->parts[part].label;
    const rec_type **known = name ? NULL : nif_known_type(doc, part);
    if (known && *known)
        return *known;
    if (name)
        n = strlen(name);
    else
        name = name_in_file(doc, part, &n);
    const rec_type *type = name ? nif_block_type(name, n) : NULL;
    type = type ? type : &nif_opaque;
    if (known)
        *known = type;
    return type;
}

const char *nif_type_name(lathe_doc *doc, uint32_t part)
{
    size_t n;
    rec_part *p = &doc->parts[part];
    const rec_layout *root = rec_part_root(doc, part);
    if (p->label)
        return p->label;
    if (root && root->type != &nif_opaque)
        return rec_type_name(root->type);
    const char *name = p->owner == REC_NO_PART ? NULL : name_in_file(doc, part, &n);
    if (name && ((root && nif_block_type(name, n)) || memchr(name, 0, n)))
        return "?"; /* made in this edit without a type, so the header's number has no meaning; or
                     * the name is empty */
    char *label = name ? arena_zalloc(&doc->arena, n + 1) : NULL;
    if (!label)
        return "?";
    memcpy(label, name, n);
    return p->label = label;
}

/* The label of a new block whose type is not set yet; identified by its address, not its text. */
static const char untold[] = "NiObject";

const rec_type *nif_type_named(lathe_doc *doc, uint32_t part, const char *name, size_t n)
{
    if (!name) {
        doc->parts[part].label = untold;
        return &nif_NiObject;
    }
    const rec_type *type = nif_block_type(name, n);
    char *label = type ? NULL : arena_zalloc(&doc->arena, n + 1);
    if (label)
        memcpy(label, name, n);
    doc->parts[part].label = type ? rec_type_name(type) : label;
    return !type && !label ? NULL : type ? type : &nif_opaque;
}

lathe_result nif_get_type(const rec_at *at, const rec_field *row, lathe_value *out,
                          lathe_error *err)
{
    rec_part *p = rec_part_of(at->doc, at->part);
    const char *name =
        p->scratch ? rec_type_name(at->layout->type) : nif_type_name(at->doc, at->part);
    (void)row;
    return rec_text(at, name, strlen(name), out, err);
}

lathe_result nif_set_type(const rec_at *at, const rec_field *row, const lathe_value *value,
                          lathe_error *err)
{
    uint32_t slot = rec_slot_find(at->layout, rec_row_name(row));
    bool made = rec_part_of(at->doc, at->part)->scratch;
    if (value->kind != LATHE_KIND_STRING)
        return rec_fail(at, slot, at->off, err, LATHE_ERR_TYPE, "the name of a type expected");
    const char *now = made ? NULL : nif_type_name(at->doc, at->part);
    if (!now || (strlen(now) == value->as.s.n && memcmp(now, value->as.s.p, value->as.s.n) == 0))
        return LATHE_OK;
    if (!nif_block_type(value->as.s.p, value->as.s.n))
        return rec_fail(at, slot, at->off, err, LATHE_ERR_UNSUPPORTED,
                        "no known type has this name, so lathe cannot tell what to keep");
    if (at->layout->type == &nif_opaque)
        return rec_fail(at, slot, at->off, err, LATHE_ERR_UNSUPPORTED,
                        "the type of the block is unknown, so lathe cannot tell what to keep");
    if (rec_opaque(at->doc, at->part, NULL))
        return rec_fail(at, slot, at->off, err, LATHE_ERR_UNSUPPORTED,
                        "the block cannot be parsed, so lathe cannot tell what to keep");
    return rec_retype(at, value->as.s.p, value->as.s.n, err);
}

int64_t nif_no_zero(const rec_at *at)
{
    (void)at;
    return 0;
}

/* ---- blocks in the header ------------------------------------------------------------------------------ */

/* The number of a type name in the header; added if it is missing. */
static lathe_result type_number(const rec_at *root, const char *name, uint64_t *number,
                                lathe_error *err)
{
    rec_loc types, text;
    size_t n = strlen(name);
    lathe_result r = rec_find(root, NIF_BLOCK_TYPES, &types, err);
    for (*number = 0; r == LATHE_OK && *number < types.count; ++*number) {
        r = rec_find_item(root, NIF_BLOCK_TYPES, *number, &text, err);
        const uint8_t *p = rec_part_of(root->doc, root->part)->data;
        if (r == LATHE_OK && text.count == n && memcmp(p + text.data, name, n) == 0)
            return LATHE_OK;
    }
    if (r == LATHE_OK && *number > 0x7FFF)
        return rec_fail(root, NIF_BLOCK_TYPES, 0, err, LATHE_ERR_LIMIT, "more than 32768 types");
    if (r == LATHE_OK)
        r = rec_insert(root, NIF_BLOCK_TYPES, *number, 1, NULL, 0, err);
    lathe_value v = {.kind = LATHE_KIND_STRING, .as.s = {name, n}};
    return r == LATHE_OK ? rec_set_item(root, NIF_BLOCK_TYPES, *number, &v, err) : r;
}

/* Writes the type name in front of a block of Morrowind. */
static lathe_result put_name(const rec_at *root, uint32_t part, const char *label, lathe_error *err)
{
    buf text;
    uint8_t count[4];
    size_t n = strlen(label), was;
    const char *now = name_in_file(root->doc, part, &was);
    buf_init(&text, &root->doc->mem);
    bytes_st(count, n, 4, false);
    lathe_result r =
        buf_put(&text, count, 4) && buf_put(&text, label, n) ? LATHE_OK : rec_no_memory(err);
    if (r == LATHE_OK) /* a new block begins with a text, possibly empty */
        r = rec_splice(root->doc, part, 0, 4 + (now ? was : 0), text.data, 4 + n, err);
    buf_free(&text);
    return r;
}

/* Sets the type number or type name of a new block. */
static lathe_result put_type(const rec_at *root, uint32_t part, uint64_t i, lathe_error *err)
{
    const char *label = rec_part_of(root->doc, part)->label;
    rec_loc item;
    size_t n;
    uint64_t number;
    if (label == untold) {
        rec_at block = nif_at(root->doc, part);
        return rec_fail(&block, REC_NO_SLOT, 0, err, LATHE_ERR_INVALID,
                        "a block needs a type: doc.blocks:append { type = \"NiNode\" }");
    }
    const char *now = label ? name_in_file(root->doc, part, &n) : NULL;
    if (!label || (now && strlen(label) == n && memcmp(now, label, n) == 0))
        return LATHE_OK;
    if (NIF_AT_V(root) < 0x05000001)
        return put_name(root, part, label, err);
    lathe_result r = type_number(root, label, &number, err);
    if (r == LATHE_OK)
        r = rec_find_item(root, NIF_BLOCK_TYPE_INDEX, i, &item, err);
    return r == LATHE_OK ? rec_put_raw(root, NIF_BLOCK_TYPE_INDEX, i, number, err) : r;
}

static lathe_result put_size(const rec_at *root, const rec_loc *sizes, uint64_t i, uint64_t size,
                             lathe_error *err)
{
    uint8_t bytes[4];
    uint64_t off = sizes->data + 4 * i;
    if (size > UINT32_MAX)
        return rec_fail(root, NIF_BLOCKS, 0, err, LATHE_ERR_LIMIT, "a block of %llu bytes",
                        (unsigned long long)size);
    bytes_st(bytes, size, 4, false);
    if (memcmp(rec_part_of(root->doc, root->part)->data + off, bytes, 4) == 0)
        return LATHE_OK;
    return rec_splice(root->doc, root->part, off, 4, bytes, 4, err);
}

/* Sets type and size of a block in the header. The type of a new block may be set later: at the end of the
 * whole edit it must be known. */
static lathe_result lay_out_block(const rec_at *root, const rec_loc *sizes, uint32_t part,
                                  lathe_error *err)
{
    uint64_t i = nif_number(root->doc, part);
    lathe_result r = root->doc->depth <= 1 ? put_type(root, part, i, err) : LATHE_OK;
    rec_loc now = *sizes;
    if (r == LATHE_OK && root->doc->depth <= 1)
        r = rec_find(root, NIF_BLOCK_SIZES, &now,
                     err); /* a type name may have been inserted in front of them */
    return r == LATHE_OK && now.present && i < now.count
               ? put_size(root, &now, i, rec_part_whole(root->doc, part), err)
               : r;
}

static lathe_result lay_out_all(const rec_at *root, const rec_loc *sizes, lathe_error *err)
{
    uint32_t c = root->layout->container;
    uint64_t n = nif_total(root->doc, c);
    lathe_result r = LATHE_OK;
    for (uint64_t i = 0; r == LATHE_OK && i < n; i++)
        r = lay_out_block(root, sizes, nif_block(root->doc, c, i), err);
    return r;
}

/* Updates the header for all blocks that the open edit changed: since the last call, or all of them at its
 * end. */
lathe_result nif_relayout(lathe_doc *doc, uint32_t c, lathe_error *err)
{
    rec_at root = rec_root(doc, c);
    rec_loc sizes;
    lathe_result r = doc->depth <= 1 ? nif_packed_rename(&root, err) : LATHE_OK;
    if (r == LATHE_OK)
        r = rec_find(&root, NIF_BLOCK_SIZES, &sizes, err);
    size_t n = doc->journal.n;
    if (r == LATHE_OK && !doc->depth) /* while the document is being made */
        return lay_out_all(&root, &sizes, err);
    doc->stamp++;
    for (size_t k = doc->depth <= 1 ? 0 : doc->laid; r == LATHE_OK && k < n; k++) {
        const rec_edit *e = &doc->journal.edits[k];
        if (!rec_edit_names_part(e)) /* another version, or another file */
            return lay_out_all(&root, &sizes, err);
        uint32_t part = nif_block_around(doc, root.part, e->part);
        if (part == REC_NO_PART || doc->parts[part].stamp == doc->stamp)
            continue;
        doc->parts[part].stamp = doc->stamp;
        r = lay_out_block(&root, &sizes, part, err);
    }
    return r;
}

bool nif_is_packed(const rec_type *block)
{
    return block == &nif_BSPackedCombinedGeomDataExtra ||
           block == &nif_BSPackedCombinedSharedGeomDataExtra;
}
