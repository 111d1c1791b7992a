/* doc.types: see list.h. */
#include "tagfile/list.h"

#include "tagfile/types_write.h"

/* Flags in `parts` in addition to `opt` of TBOD. */
enum { HAS_BODY = 0x8000, HAS_HASH = 0x4000, HAS_ARGUMENTS = 0x2000, HAS_PROPERTIES = 0x1000 };

static const uint32_t heads[] = {LIST_ARGUMENTS, LIST_MEMBERS, LIST_PROPERTIES, LIST_INTERFACES};

/* ---- filling -------------------------------------------------------------------------------------------- */

typedef struct filler {
    const tag_types *types;
    uint8_t *p;
    uint64_t next, texts; /* where the next array and the first text begin */
} filler;

static uint64_t text_bytes(const tag_types *types, int table)
{
    uint32_t n = types->texts_n[table];
    if (!n)
        return 0;
    const char *last = types->texts[table][n - 1];
    return (uint64_t)(last - types->texts[table][0]) + strlen(last) + 1;
}

static uint64_t array_bytes(const tag_type *t)
{
    return (uint64_t)t->args_n * LIST_ARGUMENT_SIZE +
           ((uint64_t)t->members_n + t->properties_n) * LIST_MEMBER_SIZE +
           (uint64_t)t->interfaces_n * LIST_INTERFACE_SIZE;
}

static void put(uint8_t *p, uint32_t v)
{
    bytes_st32(p, v, false);
}

/* Stores the position of a text. Texts of a table are contiguous in the section, and here too. */
static void put_text(const filler *f, uint8_t *p, int table, const char *text)
{
    uint64_t at = f->texts;
    for (int i = 0; i < table; i++)
        at += text_bytes(f->types, i);
    put(p, text ? (uint32_t)(at + (uint64_t)(text - f->types->texts[table][0])) : 0);
}

static uint8_t *begin_array(filler *f, uint8_t *head, uint32_t n, uint32_t size)
{
    uint8_t *at = f->p + f->next;
    put(head, (uint32_t)f->next);
    put(head + 4, n);
    f->next += (uint64_t)n * size;
    return at;
}

static void put_members(filler *f, uint8_t *head, const tag_member *m, uint32_t n)
{
    uint8_t *p = begin_array(f, head, n, LIST_MEMBER_SIZE);
    for (; n-- > 0; m++, p += LIST_MEMBER_SIZE) {
        put(p + LIST_MEMBER_FLAGS, m->flags);
        put_text(f, p + LIST_MEMBER_NAME, 1, m->name);
        put(p + LIST_MEMBER_EXTRA, m->extra);
        put(p + LIST_MEMBER_OFFSET, m->offset);
        put(p + LIST_MEMBER_TYPE, m->type);
    }
}

static void put_type(filler *f, uint32_t id)
{
    const tag_type *t = &f->types->all[id];
    uint8_t *p = f->p + (uint64_t)(id - 1) * LIST_TYPE_SIZE;
    const uint32_t facts[] = {t->parent, t->format,    t->sub_type, t->version,
                              t->size,   t->alignment, t->flags};
    put_text(f, p + LIST_NAME, 0, t->name);
    put(p + LIST_PARTS, t->opt | (t->body ? HAS_BODY : 0) | (t->hashed ? HAS_HASH : 0) |
                            (t->args_n ? HAS_ARGUMENTS : 0) |
                            (t->properties_n ? HAS_PROPERTIES : 0));
    uint8_t *q = begin_array(f, p + LIST_ARGUMENTS, t->args_n, LIST_ARGUMENT_SIZE);
    for (uint32_t i = 0; i < t->args_n; i++, q += LIST_ARGUMENT_SIZE) {
        bytes_st(q + LIST_VALUE, t->args[i].value, 8, false);
        put_text(f, q + LIST_ARGUMENT_NAME, 0, t->args[i].name);
    }
    for (uint32_t i = 0; i < REC_COUNT_OF(facts); i++)
        put(p + LIST_PARENT + 4 * i, facts[i]);
    put_members(f, p + LIST_MEMBERS, t->members, t->members_n);
    put_members(f, p + LIST_PROPERTIES, t->members ? t->members + t->members_n : NULL,
                t->properties_n);
    q = begin_array(f, p + LIST_INTERFACES, t->interfaces_n, LIST_INTERFACE_SIZE);
    for (uint32_t i = 0; i < t->interfaces_n; i++, q += LIST_INTERFACE_SIZE) {
        put(q, t->interfaces[i].type);
        put(q + 4, t->interfaces[i].offset);
    }
    put_text(f, p + LIST_ATTRIBUTE, 2, t->attribute);
    put(p + LIST_MUTABLE, t->mutable_);
    put(p + LIST_HASH, t->hash);
    put(p + LIST_HASHED, t->hashed);
}

static lathe_result fill(lathe_doc *doc, tag_state *s, lathe_error *err)
{
    const tag_types *types = s->types;
    filler f = {.types = types, .next = (uint64_t)(types->count - 1) * LIST_TYPE_SIZE};
    f.texts = f.next;
    for (uint32_t id = 1; id < types->count; id++)
        f.texts += array_bytes(&types->all[id]);
    uint64_t size = f.texts;
    for (int i = 0; i < 3; i++)
        size += text_bytes(types, i);
    rec_part *p = rec_part_of(doc, s->list);
    if (size > UINT32_MAX || !rec_part_own(doc, p, size ? size : 1))
        return rec_no_memory(err);
    f.p = p->data;
    for (uint32_t id = 1; id < types->count; id++)
        put_type(&f, id);
    for (int i = 0; i < 3; i++) {
        uint64_t n = text_bytes(types, i);
        if (n)
            memcpy(f.p + f.texts, types->texts[i][0], (size_t)n);
        f.texts += n;
    }
    p->size = size;
    return LATHE_OK;
}

lathe_result tag_list_begin(lathe_doc *doc, uint32_t c, lathe_error *err)
{
    tag_state *s = tag_state_of(doc, c);
    const rec_layout *root = rec_layout_of(doc, c, &rec_bytes_part);
    s->list = root ? rec_part_hidden(doc, c) : REC_NO_PART;
    if (s->list == REC_NO_PART)
        return rec_no_memory(err);
    rec_part_of(doc, s->list)->root = root;
    return LATHE_OK;
}

/* ---- headers -------------------------------------------------------------------------------------------- */

static tag_state *state_of(const rec_at *at)
{
    return tag_state_of(at->doc, at->layout->container);
}

static lathe_result count_types(const rec_at *at, const rec_field *row, uint64_t site, uint64_t *n,
                                lathe_error *err)
{
    (void)row;
    (void)site;
    (void)err;
    *n = state_of(at) ? state_of(at)->types->count - 1 : 0;
    return LATHE_OK;
}

static lathe_result locate_types(const rec_at *at, const rec_field *row, uint64_t site, uint64_t n,
                                 uint32_t *part, uint64_t *off, lathe_error *err)
{
    tag_state *s = state_of(at);
    (void)row;
    (void)site;
    (void)n;
    *part = s->list;
    *off = 0;
    return rec_part_of(at->doc, s->list)->size ? LATHE_OK : fill(at->doc, s, err);
}

static lathe_result count_array(const rec_at *at, const rec_field *row, uint64_t site, uint64_t *n,
                                lathe_error *err)
{
    (void)row;
    (void)err;
    *n = bytes_ld32(rec_part_of(at->doc, at->part)->data + site + 4, false);
    return LATHE_OK;
}

static lathe_result locate_array(const rec_at *at, const rec_field *row, uint64_t site, uint64_t n,
                                 uint32_t *part, uint64_t *off, lathe_error *err)
{
    uint32_t v = bytes_ld32(rec_part_of(at->doc, *part)->data + site, false);
    (void)row;
    (void)n;
    (void)err;
    *off = v ? v : LATHE_NO_OFFSET; /* no text */
    return LATHE_OK;
}

static lathe_result fixed(const rec_at *at, const rec_field *row, lathe_error *err)
{
    return rec_fail(at, rec_slot_find(at->layout, rec_row_name(row)), at->off, err,
                    LATHE_ERR_UNSUPPORTED, "types cannot change: objects are parsed with them");
}

static lathe_result place(const rec_at *at, const rec_field *row, uint64_t site, uint64_t *off,
                          lathe_error *err)
{
    (void)site;
    (void)off;
    return fixed(at, row, err);
}

static lathe_result point(const rec_at *at, const rec_field *row, uint64_t site, uint64_t off,
                          lathe_error *err)
{
    (void)site;
    (void)off;
    return fixed(at, row, err);
}

static lathe_result clear(const rec_at *at, const rec_field *row, uint64_t site, lathe_error *err)
{
    (void)site;
    return fixed(at, row, err);
}

static lathe_result shared(lathe_doc *doc, uint32_t part, uint64_t off, uint64_t end, bool *out,
                           lathe_error *err)
{
    (void)doc;
    (void)part;
    (void)off;
    (void)end;
    (void)err;
    *out = true;
    return LATHE_OK;
}

const rec_body tag_list_body = {.locate = locate_types,
                                .place = place,
                                .point = point,
                                .clear = clear,
                                .count = count_types,
                                .shared = shared};
const rec_body tag_list_array_body = {.width = 8,
                                      .locate = locate_array,
                                      .place = place,
                                      .point = point,
                                      .clear = clear,
                                      .count = count_array,
                                      .shared = shared};
const rec_body tag_list_text_body = {.width = 4,
                                     .locate = locate_array,
                                     .place = place,
                                     .point = point,
                                     .clear = clear,
                                     .shared = shared};

/* ---- the original section ------------------------------------------------------------------------------- */

/* True if lathe would write the types as exactly this section. */
static bool types_follow(lathe_doc *doc, uint32_t c)
{
    tag_state *s = tag_state_of(doc, c);
    const rec_part *p = rec_part_of(doc, tag_part_of(doc, c, TAG_TYPES));
    buf bytes;
    if (s->follows)
        return s->follows == 1;
    buf_init(&bytes, &doc->mem);
    bool done = tag_types_write(&doc->mem, s->types, doc->containers[c].version, &bytes);
    bool same = done && bytes.size == s->type_size && bytes.size <= p->size - s->type_at &&
                memcmp(bytes.data, p->data + s->type_at, bytes.size) == 0;
    buf_free(&bytes);
    if (done)
        s->follows = same ? 1 : 2;
    return same;
}

static lathe_result count_bytes(const rec_at *at, const rec_field *row, uint64_t site, uint64_t *n,
                                lathe_error *err)
{
    uint32_t c = at->layout->container;
    (void)row;
    (void)site;
    (void)err;
    *n = tag_state_of(at->doc, c) && !types_follow(at->doc, c) ? tag_state_of(at->doc, c)->type_size
                                                               : 0;
    return LATHE_OK;
}

static lathe_result locate_bytes(const rec_at *at, const rec_field *row, uint64_t site, uint64_t n,
                                 uint32_t *part, uint64_t *off, lathe_error *err)
{
    (void)row;
    (void)site;
    (void)n;
    (void)err;
    *part = tag_part_of(at->doc, at->layout->container, TAG_TYPES);
    *off = tag_state_of(at->doc, at->layout->container)->type_at;
    return LATHE_OK;
}

const rec_body tag_list_bytes_body = {.locate = locate_bytes,
                                      .place = place,
                                      .point = point,
                                      .clear = clear,
                                      .count = count_bytes,
                                      .shared = shared};

/* ---- bytes between known sections ----------------------------------------------------------------------- */

typedef enum kept { FRONT, BEFORE_TYPES, BEHIND_TYPES, BEFORE_ITEMS, EXTERNAL } kept;

/* True for nothing but SDKV, in the form that is made from its text. */
static bool is_version_alone(const uint8_t *p, uint64_t n)
{
    uint64_t text = 0;
    if (n < TAG_HEADER || n > TAG_HEADER + 12 ||
        bytes_ld32(p, true) != (0x40000000u | (uint32_t)n) || memcmp(p + 4, "SDKV", 4) != 0)
        return false;
    while (text < n - TAG_HEADER && p[TAG_HEADER + text])
        text++;
    for (uint64_t i = text; i < n - TAG_HEADER; i++)
        if (p[TAG_HEADER + i])
            return false;
    return text && (text + 3) / 4 * 4 == n - TAG_HEADER;
}

/* Offset of the bytes behind the groups of PTCH. Zeros do not count. */
static uint64_t external_at(const rec_part *p)
{
    uint64_t at = TAG_HEADER, end;
    while (p->size - at >= 8 && p->size > at && bytes_ld32(p->data + at, false))
        at += 8 + 4 * (uint64_t)bytes_ld32(p->data + at + 4, false);
    for (end = at; end < p->size; end++)
        if (p->data[end])
            return at;
    return p->size;
}

static void find_kept(lathe_doc *doc, uint32_t c, kept which, uint32_t *part, uint64_t *from,
                      uint64_t *to)
{
    const tag_state *s = tag_state_of(doc, c);
    *from = *to = 0;
    *part = which == FRONT      ? doc->containers[c].root
            : which == EXTERNAL ? tag_part_of(doc, c, TAG_PATCHES)
                                : tag_part_of(doc, c, TAG_TYPES);
    if (!s || *part == REC_NO_PART)
        return;
    const rec_part *p = rec_part_of(doc, *part);
    switch (which) {
    case FRONT: /* between the headers of TAG0 and DATA */
        *from = TAG_HEADER;
        *to = p->size > 2 * TAG_HEADER ? p->size - TAG_HEADER : TAG_HEADER;
        *to = is_version_alone(p->data + *from, *to - *from) ? *from : *to;
        break;
    case BEFORE_TYPES: *to = s->type_at; break;
    case BEHIND_TYPES:
        *from = s->type_at + s->type_size;
        *to = s->index_at;
        break;
    case BEFORE_ITEMS:
        *from = s->index_at + TAG_HEADER;
        *to = p->size;
        break;
    case EXTERNAL:
        *to = p->size;
        *from = p->size > TAG_HEADER ? external_at(p) : *to;
        break;
    }
}

#define KEPT_BODY(name, which)                                                                     \
    static lathe_result count_##name(const rec_at *at, const rec_field *row, uint64_t site,        \
                                     uint64_t *n, lathe_error *err)                                \
    {                                                                                              \
        uint32_t part;                                                                             \
        uint64_t from, to;                                                                         \
        (void)row;                                                                                 \
        (void)site;                                                                                \
        (void)err;                                                                                 \
        find_kept(at->doc, at->layout->container, which, &part, &from, &to);                       \
        *n = to - from;                                                                            \
        return LATHE_OK;                                                                           \
    }                                                                                              \
    static lathe_result locate_##name(const rec_at *at, const rec_field *row, uint64_t site,       \
                                      uint64_t n, uint32_t *part, uint64_t *off, lathe_error *err) \
    {                                                                                              \
        uint64_t to;                                                                               \
        (void)row;                                                                                 \
        (void)site;                                                                                \
        (void)n;                                                                                   \
        (void)err;                                                                                 \
        find_kept(at->doc, at->layout->container, which, part, off, &to);                          \
        return LATHE_OK;                                                                           \
    }                                                                                              \
    const rec_body tag_kept_##name = {.locate = locate_##name,                                     \
                                      .place = place,                                              \
                                      .point = point,                                              \
                                      .clear = clear,                                              \
                                      .count = count_##name,                                       \
                                      .shared = shared};

KEPT_BODY(front, FRONT)
KEPT_BODY(before_types, BEFORE_TYPES)
KEPT_BODY(behind_types, BEHIND_TYPES)
KEPT_BODY(before_items, BEFORE_ITEMS)
KEPT_BODY(external, EXTERNAL)

/* ---- rows ----------------------------------------------------------------------------------------------- */

static bool has(const rec_at *at, uint32_t what)
{
    const rec_part *p = rec_part_of(at->doc, at->part);
    return at->off <= p->size && p->size - at->off >= LIST_TYPE_SIZE &&
           bytes_ld32(p->data + at->off + LIST_PARTS, false) & what;
}

#define HAS(name, what)                                                                            \
    bool name(const rec_at *at)                                                                    \
    {                                                                                              \
        return has(at, what);                                                                      \
    }
HAS(tag_has_arguments, HAS_ARGUMENTS)
HAS(tag_has_members, TAG_MEMBERS)
HAS(tag_has_properties, HAS_PROPERTIES)
HAS(tag_has_interfaces, TAG_INTERFACES)

static uint32_t word_at(const rec_at *at, uint32_t where)
{
    return bytes_ld32(rec_part_of(at->doc, at->part)->data + at->off + where, false);
}

/* Reads the number at .off, if the type has it. */
lathe_result tag_get_fact(const rec_at *at, const rec_field *row, lathe_value *out,
                          lathe_error *err)
{
    static const struct {
        uint32_t where, what;
    } facts[] = {{LIST_PARENT, HAS_BODY},         {LIST_PARENT + 4, TAG_FORMAT},
                 {LIST_PARENT + 8, TAG_SUB_TYPE}, {LIST_PARENT + 12, TAG_VERSION},
                 {LIST_PARENT + 16, TAG_SIZE},    {LIST_PARENT + 20, TAG_SIZE},
                 {LIST_PARENT + 24, TAG_FLAGS},   {LIST_MUTABLE, TAG_MUTABLE},
                 {LIST_HASH, HAS_HASH},           {LIST_HASHED, HAS_HASH}};
    (void)err;
    out->kind = LATHE_KIND_NONE;
    for (size_t i = 0; i < REC_COUNT_OF(facts); i++)
        if (facts[i].where == row->off && has(at, facts[i].what)) {
            out->kind = LATHE_KIND_INT;
            out->as.i = word_at(at, row->off);
        }
    return LATHE_OK;
}

lathe_result tag_get_attribute(const rec_at *at, const rec_field *row, lathe_value *out,
                               lathe_error *err)
{
    const char *text = (const char *)rec_part_of(at->doc, at->part)->data;
    (void)row;
    out->kind = LATHE_KIND_NONE;
    if (!has(at, TAG_ATTRIBUTE))
        return LATHE_OK;
    text += word_at(at, LIST_ATTRIBUTE);
    return rec_text(at, text, strlen(text), out, err);
}

lathe_result tag_get_extra(const rec_at *at, const rec_field *row, lathe_value *out,
                           lathe_error *err)
{
    (void)row;
    (void)err;
    out->kind = LATHE_KIND_NONE;
    if (word_at(at, LIST_MEMBER_FLAGS) & TAG_EXTRA) {
        out->kind = LATHE_KIND_INT;
        out->as.i = word_at(at, LIST_MEMBER_EXTRA);
    }
    return LATHE_OK;
}

lathe_result tag_get_full_name(const rec_at *at, const rec_field *row, lathe_value *out,
                               lathe_error *err)
{
    char name[256];
    (void)row;
    tag_display(state_of(at)->types, (uint32_t)(at->off / LIST_TYPE_SIZE) + 1, name, sizeof name);
    return rec_text(at, name, strlen(name), out, err);
}

/* ---- owners of places ----------------------------------------------------------------------------------- */

bool tag_list_owner(lathe_doc *doc, uint32_t part, uint64_t off, uint32_t k, uint32_t *from,
                    uint64_t *site)
{
    const rec_part *p = rec_part_of(doc, part);
    const tag_state *s = tag_state_of(doc, p->container);
    uint64_t records = (uint64_t)(s->types->count - 1) * LIST_TYPE_SIZE;
    const rec_layout *root = rec_part_of(doc, doc->containers[p->container].root)->root;
    if (part != s->list || k || !p->size)
        return false;
    if (off < records) {
        *from = doc->containers[p->container].root;
        *site = root->slots[rec_slot_find(root, "types")].off;
        return true;
    }
    uint32_t lo = 0,
             hi = s->types->count - 1; /* the last type whose arrays begin at or before the place */
    while (hi - lo > 1) {
        uint32_t mid = lo + (hi - lo) / 2;
        if (bytes_ld32(p->data + (uint64_t)mid * LIST_TYPE_SIZE + LIST_ARGUMENTS, false) <= off)
            lo = mid;
        else
            hi = mid;
    }
    *from = part;
    for (size_t i = 0; i < REC_COUNT_OF(heads); i++) {
        uint64_t head = (uint64_t)lo * LIST_TYPE_SIZE + heads[i];
        uint64_t at = bytes_ld32(p->data + head, false), n = bytes_ld32(p->data + head + 4, false);
        if (i == 0 || (n && at <= off))
            *site = head;
    }
    return true;
}
