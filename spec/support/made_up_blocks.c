/* The format blocks: elements of several types that come and go, in files with their sizes (version 2) and
 * without (version 1); types with a base, rows of some versions, records whose shape is an argument. */
#include "made_up.h"

#include "record/types.h"

enum { KIND_COUNT = 3, KINDS, BLOCK_COUNT, KIND, SIZES, BLOCKS };
enum { PLACE = 1, WIDE = 2, WEIGHT = 4 }; /* what a point has */

static int64_t version_of(const rec_at *at)
{
    return at->doc->containers[at->layout->container].version;
}

/* ---- rows of some versions and arguments ------------------------------------------------------------ */

static bool is_wide(const rec_setting *in)
{
    return (in->arg & (PLACE | WIDE)) == (PLACE | WIDE);
}

static bool is_narrow(const rec_setting *in)
{
    return (in->arg & (PLACE | WIDE)) == PLACE;
}

static bool has_weight(const rec_setting *in)
{
    return in->arg & WEIGHT;
}

uint64_t made_up_weight_place(const rec_setting *in)
{
    return is_wide(in) ? 8 : is_narrow(in) ? 4 : 0;
}

uint64_t made_up_point_size(const rec_setting *in)
{
    return made_up_weight_place(in) + (has_weight(in) ? 2 : 0);
}

uint64_t made_up_extra_bytes(const rec_at *at)
{
    return at->layout->arg == 3 ? 3 : 0;
}

bool made_up_both_set(const rec_at *at)
{
    return rec_slot_int(at, rec_slot_find(at->layout, "left")) &&
           rec_slot_real(at, rec_slot_find(at->layout, "right")) > 0.5;
}

/* ---- a letter for a number ----------------------------------------------------------------------------- */

static lathe_result decode_letter(const rec_at *at, const rec_field *row, uint64_t raw,
                                  lathe_value *out, lathe_error *err)
{
    char letter = (char)('a' + raw % 26);
    (void)row;
    return rec_text(at, &letter, raw == 0xFF ? 0 : 1, out, err);
}

static lathe_result encode_letter(const rec_at *at, const rec_field *row, const lathe_value *value,
                                  uint64_t *raw, lathe_error *err)
{
    if (value->kind != LATHE_KIND_STRING || value->as.s.n > 1)
        return rec_fail(at, rec_slot_find(at->layout, rec_row_name(row)), at->off, err,
                        LATHE_ERR_TYPE, "a letter expected");
    *raw = value->as.s.n ? (uint64_t)(uint8_t)value->as.s.p[0] - 'a' : 0xFF;
    return *raw < 26 || *raw == 0xFF ? LATHE_OK
                                     : rec_fail(at, rec_slot_find(at->layout, rec_row_name(row)),
                                                at->off, err, LATHE_ERR_RANGE, "a to z expected");
}

const rec_codec made_up_letter = {
    .kind = LATHE_KIND_STRING, .none = 0xFF, .decode = decode_letter, .encode = encode_letter};

/* ---- numbers of blocks ----------------------------------------------------------------------------------- */

static lathe_result resolve(const rec_at *at, const rec_field *row, uint64_t raw, lathe_view *out,
                            lathe_error *err)
{
    rec_at root = rec_root(at->doc, at->layout->container), block;
    (void)row;
    lathe_result r = rec_sub(&root, BLOCKS, raw & 0xFF, &block, err);
    if (r == LATHE_OK)
        *out = rec_view(&block);
    return r;
}

static lathe_result store(const rec_at *at, const rec_field *row, lathe_view target, uint64_t *raw,
                          lathe_error *err)
{
    uint32_t slot = rec_slot_find(at->layout, rec_row_name(row));
    if (at->doc->parts[target.part].slot != BLOCKS)
        return rec_fail(at, slot, at->off, err, LATHE_ERR_TYPE, "a block expected");
    *raw = rec_kid_index(at->doc, target.part);
    return LATHE_OK;
}

const rec_ref made_up_block_ref = {.null = 0xFF, .resolve = resolve, .store = store};

/* ---- what blocks are --------------------------------------------------------------------------------------- */

static const rec_type *const types[7];
/* The name in the file: not ended by a NUL. NULL: the number is of nobody. */
static const char *name_in_file(lathe_doc *doc, uint32_t part, size_t *n)
{
    rec_at root = rec_root(doc, doc->parts[part].container);
    rec_loc kind, name;
    const uint8_t *p = rec_part_of(doc, root.part)->data;
    if (rec_find_item(&root, KIND, rec_kid_index(doc, part), &kind, NULL) != LATHE_OK ||
        rec_find_item(&root, KINDS, p[kind.off], &name, NULL) != LATHE_OK)
        return NULL;
    *n = (size_t)name.count;
    return (const char *)p + name.data;
}

static const rec_type *described(const char *name, size_t n)
{
    for (size_t i = 0; name && types[i]; i++)
        if (strlen(rec_type_name(types[i])) == n && memcmp(rec_type_name(types[i]), name, n) == 0)
            return types[i];
    return &made_up_opaque;
}

const char *made_up_block_type_name(lathe_doc *doc, uint32_t part)
{
    size_t n;
    if (doc->parts[part].label)
        return doc->parts[part].label;
    const char *name = doc->parts[part].alive ? name_in_file(doc, part, &n) : NULL;
    char *label = name ? arena_zalloc(&doc->arena, n + 1) : NULL;
    if (!label)
        return "?";
    memcpy(label, name, n);
    return doc->parts[part].label = label;
}

static const rec_type *part_type(lathe_doc *doc, uint32_t part)
{
    size_t n = 0;
    const char *name = doc->parts[part].label;
    if (name)
        n = strlen(name);
    else
        name = name_in_file(doc, part, &n);
    return described(name, n);
}

static const rec_type *type_named(lathe_doc *doc, uint32_t part, const char *name, size_t n)
{
    if (!name) /* nobody said */
        name = "thing", n = 5;
    char *label = arena_zalloc(&doc->arena, n + 1);
    if (!label)
        return NULL;
    memcpy(label, name, n);
    doc->parts[part].label = label;
    return described(name, n);
}

lathe_result made_up_get_block_type(const rec_at *at, const rec_field *row, lathe_value *out,
                                    lathe_error *err)
{
    const char *name = at->doc->parts[at->part].scratch
                           ? rec_type_name(at->layout->type)
                           : made_up_block_type_name(at->doc, at->part);
    (void)row;
    return rec_text(at, name, strlen(name), out, err);
}

lathe_result made_up_set_block_type(const rec_at *at, const rec_field *row,
                                    const lathe_value *value, lathe_error *err)
{
    (void)row;
    if (value->kind != LATHE_KIND_STRING)
        return rec_fail(at, 0, at->off, err, LATHE_ERR_TYPE, "the name of a type expected");
    return rec_retype(at, value->as.s.p, value->as.s.n, err);
}

/* ---- blocks come and go -------------------------------------------------------------------------------------- */

lathe_result made_up_blocks_resize(const rec_at *at, const rec_field *row, uint64_t i,
                                   uint64_t removed, uint64_t inserted, lathe_error *err)
{
    uint64_t locked = (uint64_t)rec_int(at, "locked");
    (void)row, (void)inserted;
    return !locked || (i >= locked && !(removed && i < locked))
               ? LATHE_OK
               : rec_fail(at, BLOCKS, at->off, err, LATHE_ERR_UNSUPPORTED,
                          "the first %llu stay where they are", (unsigned long long)locked);
}

lathe_result made_up_renumber_blocks(const rec_at *at, const rec_field *row, uint64_t i,
                                     uint64_t removed, uint64_t inserted, lathe_error *err)
{
    lathe_result r = LATHE_OK;
    (void)row;
    for (uint64_t k = 0; r == LATHE_OK && k < rec_kids(at->doc, at->part, BLOCKS); k++) {
        rec_at block;
        rec_loc loc;
        r = rec_sub(at, BLOCKS, k, &block, err);
        if (r != LATHE_OK || !block.layout->has_references)
            continue;
        uint32_t slot = rec_slot_find(block.layout, "links");
        if (slot == REC_NO_SLOT || rec_find(&block, slot, &loc, NULL) != LATHE_OK || !loc.present)
            continue;
        for (uint64_t n = 0; r == LATHE_OK && n < loc.count; n++) {
            uint64_t to = at->doc->parts[block.part].data[loc.data + n], now = to;
            if (to != 0xFF && to >= i)
                now = to < i + removed ? 0xFF : to - removed + inserted;
            r = rec_put_raw(&block, slot, n, now, err);
        }
    }
    return r;
}

static const rec_type *const types[7] = {&made_up_thing,
                                         &made_up_blocks_shape,
                                         &made_up_solid,
                                         &made_up_blocks_keys,
                                         &made_up_links,
                                         &made_up_box,
                                         NULL};

/* ---- opening and relayout -------------------------------------------------------------------------------------- */

static uint64_t size_of(void *user, uint64_t i)
{
    return bytes_ld16((const uint8_t *)user + 2 * i, false);
}

/* Without sizes: up to the first block that nobody described or that does not parse. */
static lathe_result walk(const rec_at *at, uint64_t n, uint64_t *end, lathe_error *err)
{
    lathe_doc *doc = at->doc;
    for (uint64_t i = 0; i < n; i++) {
        rec_loc kind, name;
        uint64_t size;
        const uint8_t *p = rec_part_of(doc, at->part)->data;
        if (rec_find_item(at, KIND, i, &kind, NULL) != LATHE_OK ||
            rec_find_item(at, KINDS, p[kind.off], &name, NULL) != LATHE_OK)
            return LATHE_OK;
        const rec_type *type = described((const char *)p + name.data, (size_t)name.count);
        if (type == &made_up_opaque)
            return LATHE_OK;
        const rec_layout *layout = rec_layout_of(doc, at->layout->container, type);
        if (!layout)
            return rec_no_memory(err);
        rec_at block = rec_child(at, BLOCKS, layout, at->part, *end, i);
        lathe_result r = rec_embed_measure(&block, &size, NULL);
        rec_forget(doc, at->part, *end);
        if (r != LATHE_OK)
            return LATHE_OK;
        r = rec_split_one(doc, at->part, *end, BLOCKS, size, layout, err);
        if (r != LATHE_OK)
            return r;
        *end += size;
    }
    return LATHE_OK;
}

static lathe_result open_blocks(lathe_doc *doc, uint32_t c, lathe_error *err)
{
    rec_at at = rec_root(doc, c);
    rec_loc blocks, sizes;
    const rec_part *p = rec_part_of(doc, at.part);
    if (p->size < 5 || memcmp(p->data, "BLKS", 4) != 0)
        return rec_fail(&at, 0, 0, err, LATHE_ERR_FORMAT, "wrong mark");
    if (p->data[4] < 1 || p->data[4] > 2)
        return rec_fail(&at, 1, 4, err, LATHE_ERR_UNSUPPORTED, "version %d", p->data[4]);
    lathe_result r = rec_arrange(doc, c, false, 8, p->data[4], err);
    at = rec_root(doc, c);
    if (r == LATHE_OK)
        r = rec_find(&at, SIZES, &sizes, err);
    if (r == LATHE_OK)
        r = rec_find(&at, BLOCKS, &blocks, err);
    if (r != LATHE_OK)
        return r;
    uint64_t n = (uint64_t)rec_slot_int(&at, BLOCK_COUNT), end = blocks.off;
    uint8_t *data = rec_part_of(doc, at.part)->data;
    r = sizes.present
            ? rec_split_sizes(doc, at.part, end, BLOCKS, n, size_of, data + sizes.data, &end, err)
            : walk(&at, n, &end, err);
    return r == LATHE_OK ? rec_split_tail(doc, at.part, blocks.off, end, BLOCKS + 1, err) : r;
}

static lathe_result begin_blocks(lathe_doc *doc, uint32_t c, const rec_from *from, lathe_error *err)
{
    rec_at at = rec_root(doc, c);
    lathe_value leaf;
    const void *child;
    bool given = rec_source_value(from, &at, 1, &leaf, &child) && leaf.kind == LATHE_KIND_INT;
    return rec_arrange(doc, c, false, 8, given ? leaf.as.i : 2, err);
}

/* The number of a name, added where it is new. */
static lathe_result kind_number(const rec_at *at, const char *name, uint64_t *i, lathe_error *err)
{
    rec_loc list, item;
    const lathe_value v = {.kind = LATHE_KIND_STRING, .as.s = {name, strlen(name)}};
    lathe_result r = rec_find(at, KINDS, &list, err);
    for (*i = 0; r == LATHE_OK && *i < list.count; ++*i) {
        r = rec_find_item(at, KINDS, *i, &item, err);
        const uint8_t *p = rec_part_of(at->doc, at->part)->data;
        if (r == LATHE_OK && item.count == v.as.s.n && memcmp(p + item.data, name, v.as.s.n) == 0)
            return LATHE_OK;
    }
    if (r == LATHE_OK)
        r = rec_insert(at, KINDS, *i, 1, NULL, 0, err);
    return r == LATHE_OK ? rec_set_item(at, KINDS, *i, &v, err) : r;
}

static lathe_result relayout(lathe_doc *doc, uint32_t c, lathe_error *err)
{
    rec_at at = rec_root(doc, c);
    lathe_result r = LATHE_OK;
    for (uint64_t i = 0; r == LATHE_OK && i < rec_kids(doc, at.part, BLOCKS); i++) {
        uint32_t part = rec_kid(doc, at.part, BLOCKS, i);
        const char *label = doc->parts[part].label;
        size_t n;
        uint64_t number;
        const char *now = name_in_file(doc, part, &n);
        if (label && doc->depth <= 1 &&
            !(now && n == strlen(label) && memcmp(now, label, n) == 0)) {
            r = kind_number(&at, label, &number, err);
            if (r == LATHE_OK)
                r = rec_put_raw(&at, KIND, i, number, err);
        }
        if (r == LATHE_OK && rec_part_whole(doc, part) > UINT16_MAX)
            r = rec_fail(&at, BLOCKS, 0, err, LATHE_ERR_LIMIT, "too long a block");
        if (r == LATHE_OK && version_of(&at) >= 2)
            r = rec_put_raw(&at, SIZES, i, rec_part_whole(doc, part), err);
    }
    return r;
}

static int sniff(const uint8_t *bytes, size_t n)
{
    return n >= 4 && memcmp(bytes, "BLKS", 4) == 0 ? REC_SNIFF_SURE : REC_SNIFF_NO;
}

/* ---- verbs -------------------------------------------------------------------------------------------------------- */

static lathe_result name_it(lathe_view self, const lathe_source *args, lathe_report *report,
                            lathe_error *err)
{
    const lathe_value v = {.kind = LATHE_KIND_STRING, .as.s = {"n", 1}};
    (void)args, (void)report;
    return lathe_view_set(self, "letter", &v, err);
}

static const rec_verb verbs[] = {
    {.name = "name_it",
     .doc = "Gives it the letter n.",
     .type = &made_up_blocks_shape,
     .run = name_it},
    {0},
};

static const rec_type *more_types(size_t i)
{
    static const rec_type *const all[] = {&made_up_blocks_shape, &made_up_solid,
                                          &made_up_blocks_keys,  &made_up_links,
                                          &made_up_box,          &made_up_opaque};
    return i < sizeof all / sizeof all[0] ? all[i] : NULL;
}

static const char *const extensions[] = {"blocks", NULL};
static const char *const games[] = {NULL};

const lathe_format made_up_blocks = {
    .name = "blocks",
    .doc = "Blocks of several types",
    .extensions = extensions,
    .games = games,
    .root = &made_up_blocks_root,
    .types = more_types,
    .sniff = sniff,
    .open = open_blocks,
    .begin = begin_blocks,
    .part_type = part_type,
    .type_named = type_named,
    .relayout = relayout,
    .verbs = verbs,
};
