/* Checks a mesh shape's own fields, its tag table, and the order of the tagfile's items. */
#include "phive/check.h"

#include <math.h>
#include <stdio.h>

static phive_spot own(uint32_t at, const char *field)
{
    return (phive_spot){at, field, PHIVE_NONE, PHIVE_NONE};
}

static unsigned bits_of(uint64_t n)
{
    unsigned bits = 0;
    for (; n; n >>= 1)
        bits++;
    return bits;
}

/* ---- the SDK's version ----------------------------------------------------------------------------------- */

static void version_finding(const phive_checker *k, const char *text)
{
    uint32_t root = k->doc->containers[k->r.container].root;
    uint64_t at = TAG_HEADER;
    const rec_part *p = rec_part_of(k->doc, root);
    tag_section s = {.size = 0};
    lathe_error e;
    while (at < p->size - TAG_HEADER && /* DATA's header is at the end of the part */
           tag_section_next(p->data, p->size - TAG_HEADER, 0, &at, &s, NULL) == LATHE_OK && s.size)
        if (tag_section_is(&s, "SDKV"))
            break;
    error_set(&e, LATHE_ERR_INVALID, rec_encoded(k->doc, root, s.size ? s.at + TAG_HEADER : 0),
              "%s", text);
    if (k->doc->path)
        error_path(&e, k->doc->path);
    error_where(&e, "tagfile.sdk_version");
    rec_found(k->report, LATHE_LEVEL_WARNING, &e);
}

/* Checks the SDK version against the types, which determine the variant. */
static void check_version(const phive_checker *k)
{
    static const struct {
        int64_t version;
        int variant;
    } known[] = {{20210100, PHIVE_V21}, {20220100, PHIVE_V22}, {20230200, PHIVE_V23}};
    long long version = k->doc->containers[k->r.container].version;
    int variant = (int)k->r.l->variant, of = 0;
    char text[96];
    for (unsigned i = 0; i < REC_COUNT_OF(known); i++)
        of = known[i].version == version ? known[i].variant : of;
    if (of == variant)
        return;
    if (of)
        snprintf(text, sizeof text, "SDK version %lld is that of v%d, the types are those of v%d",
                 version, of, variant);
    else
        snprintf(text, sizeof text, "unknown SDK version %lld: the types are those of v%d", version,
                 variant);
    version_finding(k, text);
}

/* ---- fields ---------------------------------------------------------------------------------------------- */

static void check_type(phive_checker *k)
{
    const phive_layout *l = k->r.l;
    const uint8_t *p = k->r.data;
    bool newer = l->variant == PHIVE_V23;
    unsigned type = p[l->type], dispatch = p[l->dispatch_type],
             flags = bytes_ld16(p + l->flags, false);
    if (type != 7 && type != 8)
        phive_finding(k, LATHE_LEVEL_ERROR, own(l->type, "type"), "shape type %u, not a mesh",
                      type);
    else if (type == 7 && !newer)
        phive_finding(k, LATHE_LEVEL_WARNING, own(l->type, "type"),
                      "shape type 7, a mesh of v%d has 8", (int)l->variant);
    if (dispatch != 3 && !(newer && dispatch == 2))
        phive_finding(k, LATHE_LEVEL_WARNING, own(l->dispatch_type, "dispatch_type"),
                      "dispatch type %u, where 3 (composite) is usual", dispatch);
    if (!(flags & 4))
        phive_finding(k, LATHE_LEVEL_WARNING, own(l->flags, "flags"),
                      "flags 0x%x without that of composite shapes (4)", flags);
}

static void check_others(phive_checker *k)
{
    const phive_layout *l = k->r.l;
    const uint8_t *p = k->r.data;
    uint32_t properties = bytes_ld32(p + l->properties + 8, false),
             codec = bytes_ld32(p + l->codec_info, false);
    if (properties)
        phive_finding(k, LATHE_LEVEL_ERROR, own(l->properties, "properties"),
                      "shape properties are not supported: there are %u", properties);
    if (codec != UINT32_MAX)
        phive_finding(k, LATHE_LEVEL_WARNING, own(l->codec_info, "shape_tag_codec_info"),
                      "shapeTagCodecInfo 0x%x, where 0xFFFFFFFF is usual", codec);
    if (p[l->compact] != 1)
        phive_finding(k, LATHE_LEVEL_WARNING, own(l->compact, "top_level_tree.is_compact"),
                      "the tree is not marked as compact");
}

static void check_scale(phive_checker *k)
{
    static const char field[] = "vertex_conversion_util.bit_scale16_inv";
    const phive_layout *l = k->r.l;
    k->placed = true;
    for (uint32_t i = 0; i < 3; i++) {
        float inv = k->r.step[i], scale = phive_f32(k->r.data + l->scale + 4 * i);
        phive_spot at = own(l->scale_inv + 4 * i, field);
        bool good = phive_finite(inv) && inv > 0;
        k->placed = k->placed && good;
        if (inv == 0) /* values that are not finite are reported elsewhere */
            phive_finding(k, LATHE_LEVEL_WARNING, at, "bitScale16Inv is zero on %c", "xyz"[i]);
        else if (phive_finite(inv) && inv < 0)
            phive_finding(k, LATHE_LEVEL_WARNING, at, "bitScale16Inv is negative on %c: a mirror",
                          "xyz"[i]);
        if (good && !(fabsf(scale * inv - 1) <= 1e-5f))
            phive_finding(k, LATHE_LEVEL_WARNING,
                          own(l->scale + 4 * i, "vertex_conversion_util.bit_scale16"),
                          "bitScale16 times bitScale16Inv is %.9g on %c, 1 expected",
                          (double)(scale * inv), "xyz"[i]);
    }
}

/* Checks the bits of keys, which hold the numbers of section, primitive and triangle. */
static void check_keys(phive_checker *k)
{
    uint32_t n = k->r.sections.count;
    unsigned bits = k->r.data[k->r.l->key_bits], sections = n ? bits_of(n - 1) : 0;
    phive_spot at = own(k->r.l->key_bits, "num_shape_key_bits");
    if (bits > 32)
        phive_finding(k, LATHE_LEVEL_ERROR, at, "numShapeKeyBits %u: a key has 32 bits", bits);
    else if (n && bits <= sections)
        phive_finding(
            k, LATHE_LEVEL_ERROR, at,
            "numShapeKeyBits %u: numbers of %u sections take %u, and primitives some more", bits, n,
            sections);
    else if (n && (uint64_t)n << (bits - sections) > UINT32_MAX)
        phive_finding(k, LATHE_LEVEL_ERROR, at,
                      "numShapeKeyBits %u: keys of %u sections overflow 32 bits", bits, n);
}

/* ---- items ----------------------------------------------------------------------------------------------- */

static void check_items(phive_checker *k)
{
    rec_at root = rec_root(k->doc, k->r.container), items;
    uint32_t n = tag_item_count(k->doc, k->r.container), most = 0, before = 0;
    if (rec_sub(&root, tag_row(TAG_ITEMS), 0, &items, NULL) != LATHE_OK)
        return;
    for (uint32_t i = 2, told = 0; i < n && told < PHIVE_MOST_OF_KIND; i++) {
        tag_item item = tag_item_get(k->doc, k->r.container, i);
        if (item.offset < most && item.count) {
            rec_finding(k->report, LATHE_LEVEL_WARNING, &items,
                        rec_slot_find(items.layout, "items"), i,
                        "ITEM: item %u: it lies at 0x%x, in front of item %u at 0x%x", i,
                        item.offset, before, most);
            told++;
        } else if (item.count) {
            most = item.offset;
            before = i;
        }
    }
}

void phive_check_shape(phive_checker *k)
{
    check_version(k);
    check_type(k);
    check_others(k);
    check_scale(k);
    check_keys(k);
    check_items(k);
}

/* ---- the tag table --------------------------------------------------------------------------------------- */

static phive_spot row_at(const phive_checker *k, uint32_t row)
{
    return (phive_spot){k->r.tags.at + (uint64_t)row * k->r.l->tag.size, "shape_tag_table",
                        PHIVE_NONE, row};
}

static void check_row(phive_checker *k, uint32_t row, uint32_t rows)
{
    const phive_reading *r = &k->r;
    uint32_t key = phive_tag_key(r, row), tag = phive_tag(r, row),
             before = row ? phive_tag_key(r, row - 1) : 0;
    if (!row && key && r->sections.count)
        phive_finding(k, LATHE_LEVEL_ERROR, row_at(k, row), "tag table row 0: key 0x%x, 0 expected",
                      key);
    if (row && key < before)
        phive_finding(k, LATHE_LEVEL_ERROR, row_at(k, row),
                      "tag table row %u: key 0x%x behind 0x%x: keys ascend", row, key, before);
    else if (row && key == before)
        phive_finding(k, LATHE_LEVEL_WARNING, row_at(k, row),
                      "tag table row %u: key 0x%x, as the row in front of it", row, key);
    if (row + 1 < r->tags.count && (tag & PHIVE_TAG_MASK) >= rows)
        phive_finding(k, LATHE_LEVEL_WARNING, row_at(k, row),
                      "tag table row %u: shape tag %u has no material row, there are %u", row, tag,
                      rows);
    if (row + 1 == r->tags.count)
        return;
    uint32_t section = key >> r->shift, primitive = (key & ((1u << r->shift) - 1)) >> 1;
    if (section >= r->sections.count)
        phive_finding(k, LATHE_LEVEL_WARNING, row_at(k, row),
                      "tag table row %u: key 0x%x is of section %u, there are %u", row, key,
                      section, r->sections.count);
    else if (k->sections[section].read && primitive >= k->sections[section].primitives)
        phive_finding(k, LATHE_LEVEL_WARNING, row_at(k, row),
                      "tag table row %u: key 0x%x is of section %u primitive %u, it has %u", row,
                      key, section, primitive, k->sections[section].primitives);
}

static void check_last(phive_checker *k)
{
    const phive_reading *r = &k->r;
    uint32_t last = r->tags.count - 1, key = phive_tag_key(r, last), tag = phive_tag(r, last);
    uint32_t should = phive_key(r, r->sections.count, PHIVE_PRIMITIVES - 1, 0);
    if (tag != PHIVE_NO_TAG)
        phive_finding(k, LATHE_LEVEL_ERROR, row_at(k, last),
                      "tag table row %u: no sentinel: the last one has tag %u, 65535 expected",
                      last, tag);
    else if (key != should)
        phive_finding(k, LATHE_LEVEL_WARNING, row_at(k, last),
                      "tag table row %u: the sentinel has key 0x%x, 0x%x expected", last, key,
                      should);
}

void phive_check_tags(phive_checker *k)
{
    uint32_t n = k->r.tags.count, rows = phive_counts_of(k->doc, k->c).rows;
    if (!n) {
        if (k->r.sections.count)
            phive_finding(k, LATHE_LEVEL_ERROR, own(k->r.l->tags, "shape_tag_table"),
                          "empty shape tag table: no primitive has a material");
        return;
    }
    for (uint32_t i = 0; i < n; i++)
        check_row(k, i, rows);
    check_last(k);
}
