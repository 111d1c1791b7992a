/* Opens a Phive shape: reads the header, determines the variant, and makes the parts. The tagfile itself is
 * opened on first use. */
#include "phive/phive.h"

#include <string.h>

static const uint8_t magic[] = {'P', 'h', 'i', 'v', 'e', 0};

int phive_sniff(const uint8_t *bytes, size_t n)
{
    if (n < PHIVE_HEADER) /* too short: the file name may still decide, and opening reports the
                           * problem */
        return n < sizeof magic || memcmp(bytes, magic, sizeof magic) == 0 ? REC_SNIFF_MAYBE
                                                                           : REC_SNIFF_NO;
    return memcmp(bytes, magic, sizeof magic) == 0 ? REC_SNIFF_SURE : REC_SNIFF_NO;
}

typedef struct opener {
    lathe_doc *doc;
    uint32_t c, part;
    const uint8_t *p;
    uint64_t size, start;
    uint64_t offsets[PHIVE_SECTIONS], sizes[PHIVE_SECTIONS];
    uint64_t tag_size; /* of the tagfile without padding */
    lathe_error *err;
} opener;

/* ---- the header ------------------------------------------------------------------------------------------ */

static lathe_result check_marks(const opener *o)
{
    static const char *const kinds[] = {"Shape", "NavMesh", "StaticCompound", "Cloth"};
    uint64_t at = o->start;
    if (o->size < PHIVE_HEADER)
        return error_set(o->err, LATHE_ERR_BOUNDS, at,
                         o->size ? "too short for a Phive header (%llu of %d bytes)"
                                 : "too short for a Phive header (%llu bytes)",
                         (unsigned long long)o->size, PHIVE_HEADER);
    if (memcmp(o->p, magic, sizeof magic) != 0)
        return error_set(o->err, LATHE_ERR_FORMAT, at, "not a Phive file");
    unsigned order = bytes_ld16(o->p + 8, false), type = o->p[10], capacity = o->p[11];
    if (order != 0xFEFF)
        return error_set(o->err, LATHE_ERR_UNSUPPORTED, at + 8,
                         "unsupported byte order: the mark is 0x%04X, 0xFEFF expected", order);
    if (type)
        return error_set(o->err, LATHE_ERR_UNSUPPORTED, at + 10,
                         "Phive file type %u (%s), not a shape", type,
                         type < REC_COUNT_OF(kinds) ? kinds[type] : "unknown");
    if (capacity != PHIVE_SECTIONS)
        return error_set(o->err, LATHE_ERR_UNSUPPORTED, at + 11,
                         "the header has room for %u sections, that of a shape for %d", capacity,
                         PHIVE_SECTIONS);
    return LATHE_OK;
}

/* Checks that sections are inside the file and in order. */
static lathe_result check_sections(opener *o)
{
    static const char *const names[] = {"tagfile", "material table", "hit-mask table"};
    uint64_t end = PHIVE_HEADER;
    for (unsigned i = 0; i < PHIVE_SECTIONS; i++) {
        o->offsets[i] = bytes_ld32(o->p + 12 + 4 * i, false);
        o->sizes[i] = bytes_ld32(o->p + 28 + 4 * i, false);
    }
    for (unsigned i = 0; i < REC_COUNT_OF(names); i++) {
        uint64_t offset = o->offsets[i], size = o->sizes[i];
        if (offset > o->size)
            return error_set(o->err, LATHE_ERR_BOUNDS, o->start + 12 + 4 * i,
                             "%s offset 0x%llx outside the file of 0x%llx bytes", names[i],
                             (unsigned long long)offset, (unsigned long long)o->size);
        if (offset < end)
            return error_set(o->err, LATHE_ERR_UNSUPPORTED, o->start + 12 + 4 * i,
                             "%s offset 0x%llx: what is in front of it ends at 0x%llx", names[i],
                             (unsigned long long)offset, (unsigned long long)end);
        if (size > o->size - offset)
            return error_set(o->err, LATHE_ERR_BOUNDS, o->start + 28 + 4 * i,
                             "%s runs past the end of the file: 0x%llx bytes at 0x%llx of 0x%llx",
                             names[i], (unsigned long long)size, (unsigned long long)offset,
                             (unsigned long long)o->size);
        end = offset + size;
    }
    return LATHE_OK;
}

/* Size of the tagfile in its section: from its own header, if that is possible. */
static uint64_t tag_size(const opener *o)
{
    const uint8_t *p = o->p + o->offsets[0];
    uint64_t have = o->sizes[0];
    uint64_t says = have >= TAG_HEADER ? bytes_ld32(p, true) & 0x3FFFFFFF : 0;
    bool tag = have >= TAG_HEADER && memcmp(p + 4, "TAG0", 4) == 0;
    return tag && says >= TAG_HEADER && says <= have ? says : have;
}

/* ---- the variant ------------------------------------------------------------------------------------------ */

/* True if a text is one of the NUL-terminated strings in a string table. */
static bool has_text(const uint8_t *p, uint64_t size, const char *text)
{
    size_t n = strlen(text) + 1;
    for (uint64_t at = 0; at + n <= size;) {
        if (memcmp(p + at, text, n) == 0)
            return true;
        const uint8_t *end = memchr(p + at, 0, (size_t)(size - at));
        if (!end)
            return false;
        at = (uint64_t)(end - p) + 1;
    }
    return false;
}

/* Determines the variant by names of types, without reading the types. */
static phive_variant by_types(const uint8_t *p, uint64_t size)
{
    uint64_t at = TAG_HEADER;
    tag_section s;
    bool found = false, members = false;
    phive_variant v = PHIVE_V22;
    while (tag_section_next(p, size, 0, &at, &s, NULL) == LATHE_OK && s.size) {
        const uint8_t *texts = p + s.at + TAG_HEADER;
        uint64_t n = s.size - TAG_HEADER;
        if ((tag_section_is(&s, "TST1") || tag_section_is(&s, "TSTR")) &&
            has_text(texts, n, "hknpMeshShape"))
            found = true;
        if (!tag_section_is(&s, "FST1") && !tag_section_is(&s, "FSTR"))
            continue;
        members = true;
        v = has_text(texts, n, "quantizedVertices") ? PHIVE_V21
            : has_text(texts, n, "filterMasks")     ? PHIVE_V23
                                                    : PHIVE_V22;
    }
    return found && members ? v : PHIVE_NO_VARIANT;
}

/* Determines the variant by the SDK version, if nothing else decides. */
static phive_variant by_version(const uint8_t *p, uint64_t size)
{
    unsigned year = 0;
    for (unsigned i = 0; i < 4 && i < size; i++)
        year = 10 * year + (p[i] >= '0' && p[i] <= '9' ? (unsigned)(p[i] - '0') : 0);
    return year < 2022 ? PHIVE_V21 : year == 2022 ? PHIVE_V22 : PHIVE_V23;
}

static phive_variant variant_of(const opener *o)
{
    const uint8_t *p = o->p + o->offsets[0];
    uint64_t at = TAG_HEADER;
    tag_section s;
    phive_variant v = PHIVE_V22, types = PHIVE_NO_VARIANT;
    while (at < o->tag_size && tag_section_next(p, o->tag_size, 0, &at, &s, NULL) == LATHE_OK &&
           s.size) {
        if (tag_section_is(&s, "SDKV"))
            v = by_version(p + s.at + TAG_HEADER, s.size - TAG_HEADER);
        if (tag_section_is(&s, "TYPE") && types == PHIVE_NO_VARIANT)
            types = by_types(p + s.at, s.size);
    }
    return types != PHIVE_NO_VARIANT ? types : v;
}

/* ---- parts ------------------------------------------------------------------------------------------------ */

/* Number of rows of both tables: that of the shorter one. */
static lathe_result count(opener *o)
{
    uint32_t mask = phive_mask_size(o->doc, o->c);
    uint64_t rows = o->sizes[1] / PHIVE_MATERIAL, masks = o->sizes[2] / mask;
    uint64_t used = rows < masks ? rows : masks;
    phive_state *state = phive_state_of(o->doc, o->c);
    state->unpadded = o->sizes[2] % PHIVE_ALIGN != 0;
    uint64_t rest = o->offsets[2] - o->offsets[1] - used * PHIVE_MATERIAL;
    o->doc->containers[o->c].param = (int64_t)(rest << 32 | used);
    return LATHE_OK;
}

static lathe_result add(opener *o, phive_part which, uint64_t *at, uint64_t end)
{
    const rec_field *row = rec_row(format_bphsh.root, phive_row(which));
    const rec_layout *layout =
        rec_row_rare(row)->embed ? NULL : rec_layout_of(o->doc, o->c, rec_part_type(row));
    if (!layout && !rec_row_rare(row)->embed)
        return rec_no_memory(o->err);
    lathe_result r =
        rec_split_one(o->doc, o->part, *at, phive_row(which), end - *at, layout, o->err);
    *at = end;
    return r;
}

static lathe_result split(opener *o)
{
    uint64_t at = o->offsets[0];
    lathe_result r = add(o, PHIVE_TAGFILE, &at, at + o->tag_size);
    if (r == LATHE_OK)
        r = add(o, PHIVE_PADDING, &at, o->offsets[1]);
    if (r == LATHE_OK)
        r = add(o, PHIVE_TABLES, &at, o->offsets[2] + o->sizes[2]);
    if (r == LATHE_OK)
        r = add(o, PHIVE_REST, &at, o->size);
    rec_part_of(o->doc, o->part)->size = o->offsets[0];
    return r;
}

lathe_result phive_open(lathe_doc *doc, uint32_t c, lathe_error *err)
{
    uint32_t part = doc->containers[c].root;
    const rec_part *p = rec_part_of(doc, part);
    opener o = {.doc = doc, .c = c, .part = part, .p = p->data, .size = p->size, .err = err};
    o.start = rec_encoded(doc, part, 0);
    lathe_result r = check_marks(&o);
    if (r == LATHE_OK)
        r = check_sections(&o);
    if (r != LATHE_OK)
        return r;
    o.tag_size = tag_size(&o);
    phive_variant variant = variant_of(&o);
    r = phive_state_begin(doc, c, variant, err);
    if (r == LATHE_OK)
        r = rec_arrange(doc, c, false, 8, variant, err);
    if (r == LATHE_OK)
        r = count(&o);
    return r == LATHE_OK ? split(&o) : r;
}
