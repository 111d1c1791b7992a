/* A tagfile's sections as a schema, and the format. */
#include "tagfile/edit_objects.h"
#include "tagfile/heads.h"
#include "tagfile/list.h"
#include "tagfile/order.h"

#include "havok/animation/clip.h"
#include "havok/named/verbs.h"
#include "havok/physics/rigid.h"
#include "havok/physics/rigid_shapes.h"
#include "scene/clip_verbs.h"
#include "scene/hooks.h"

/* ---- types --------------------------------------------------------------------------------------------- */

static bool has_header(const rec_at *at)
{
    return rec_part_of(at->doc, at->part)->size >= TAG_HEADER;
}

/* Groups up to the end, or to a type 0. */
static uint64_t count_groups(const rec_at *at)
{
    const rec_part *p = rec_part_of(at->doc, at->part);
    uint64_t n = 0, off = TAG_HEADER;
    while (off < p->size && p->size - off >= 8 && bytes_ld32(p->data + off, false)) {
        off += 8 + 4 * (uint64_t)bytes_ld32(p->data + off + 4, false);
        n++;
    }
    return n;
}

/* clang-format off */
#define FOLLOWS "it follows from what the file holds"
#define KEPT "it is kept as it was"

#define HEADER(letters, has)                                                                                                  \
    {.name = "section_size", .kind = REC_U32, .flags = REC_BIG | REC_READONLY | REC_INSIDE, .why = FOLLOWS, .when_fn = (has),   \
     .doc = "Bytes of the section with its header; the upper two bits are its kind."},                                       \
    {.name = "section_name", .kind = REC_BYTES, .n = 4, .flags = REC_READONLY | REC_INSIDE, .why = KEPT, .when_fn = (has), \
     .init_bytes = letters, .init_size = 4, .doc = letters "."}

static const rec_field item_rows[] = {
    {.name = "word", .kind = REC_U32, .flags = REC_READONLY | REC_INSIDE, .why = FOLLOWS, .doc = "Type and kind."},
    {.name = "type", .shown = REC_INTEGER, .bits_of = "word", .low = 0, .bits = 24, .flags = REC_READONLY, .why = FOLLOWS, .doc = "Its type, or that of its elements."},
    {.name = "kind", .shown = REC_INTEGER, .bits_of = "word", .low = 24, .bits = 8, .flags = REC_READONLY, .why = FOLLOWS, .doc = "16: an object; 32: the storage of an array or text; 0: none."},
    {.name = "offset", .kind = REC_U32, .unit = "bytes", .flags = REC_READONLY, .why = FOLLOWS, .doc = "Where it lies, from the start of DATA's payload."},
    {.name = "count", .kind = REC_U32, .flags = REC_READONLY, .why = FOLLOWS, .doc = "How many elements it has."},
};
static const rec_type item_type = {.name = "hkTagItem", .doc = "An object, or the storage of an array or text.", REC_ROWS(item_rows)};

static const rec_field items_rows[] = {
    HEADER("ITEM", NULL),
    {.name = "items", .kind = REC_RECORD, .type = &item_type, .flags = REC_REST | REC_READONLY, .why = FOLLOWS, .doc = "The first is none, the second the root."},
};
static const rec_type items_type = {.name = "hkTagItems", .doc = "What lies where in DATA.", REC_ROWS(items_rows)};

static const rec_field group_rows[] = {
    {.name = "type", .kind = REC_U32, .flags = REC_READONLY, .why = FOLLOWS, .doc = "The fields' type."},
    {.name = "count", .kind = REC_U32, .flags = REC_READONLY | REC_INSIDE, .why = FOLLOWS, .doc = "How many there are."},
    {.name = "offsets", .kind = REC_U32, .by = "count", .unit = "bytes", .flags = REC_READONLY, .why = FOLLOWS, .doc = "Where they are, from the start of DATA's payload."},
};
static const rec_type group_type = {.name = "hkTagPatches", .doc = "Fields of a type that hold an item's number.", REC_ROWS(group_rows)};

static const rec_field patches_rows[] = {
    HEADER("PTCH", has_header),
    {.name = "groups", .kind = REC_RECORD, .type = &group_type, .count = count_groups, .flags = REC_READONLY, .why = FOLLOWS, .doc = "In the order of their types."},
    {.name = "external", .kind = REC_BYTES, .flags = REC_REST | REC_PAD | REC_READONLY, .why = KEPT, .doc = "What stands behind a type 0: patches of other files. Kept."},
};
static const rec_type patches_type = {.name = "hkTagPatchTable", .doc = "Which fields hold an item's number.", REC_ROWS(patches_rows)};

static lathe_result get_root(const rec_at *at, const rec_field *row, lathe_value *out, lathe_error *err)
{
    uint32_t c = at->layout->container, part;
    tag_item item = tag_item_get(at->doc, c, 1);
    uint64_t i = item.kind & TAG_OBJECT ? tag_object_at(at->doc, c, item.offset) : 0;
    (void)row;
    out->kind = LATHE_KIND_NULL;
    if (!i)
        return LATHE_OK;
    part = rec_kid(at->doc, at->part, tag_row(TAG_OBJECTS), i - 1);
    rec_at object = {.doc = at->doc, .layout = rec_part_root(at->doc, part), .part = part};
    if (!object.layout)
        return rec_no_memory(err);
    out->kind = LATHE_KIND_RECORD;
    out->as.v = rec_view(&object);
    return LATHE_OK;
}

/* The text of SDKV, wherever that is among what stands in front of DATA. */
static lathe_result get_version(const rec_at *at, const rec_field *row, lathe_value *out, lathe_error *err)
{
    const rec_part *p = rec_part_of(at->doc, at->part);
    tag_section s;
    (void)row;
    out->kind = LATHE_KIND_NONE;
    for (uint64_t off = TAG_HEADER; tag_section_next(p->data, p->size - TAG_HEADER, 0, &off, &s, NULL) == LATHE_OK && s.size;)
        if (tag_section_is(&s, "SDKV")) {
            const char *text = (const char *)p->data + s.at + TAG_HEADER;
            size_t n = (size_t)(s.size - TAG_HEADER);
            const char *end = memchr(text, 0, n);
            return rec_text(at, text, end ? (size_t)(end - text) : n, out, err);
        }
    return LATHE_OK;
}

/* Some writers list what is empty. */
static lathe_result get_empty_items(const rec_at *at, const rec_field *row, lathe_value *out, lathe_error *err)
{
    uint32_t c = at->layout->container, n = tag_state_of(at->doc, c) ? tag_item_count(at->doc, c) : 0;
    (void)row;
    (void)err;
    out->kind = LATHE_KIND_NONE;
    for (uint32_t i = 1; i < n && out->kind == LATHE_KIND_NONE; i++) {
        tag_item item = tag_item_get(at->doc, c, i);
        if (item.kind & TAG_STORAGE && !item.count) {
            out->kind = LATHE_KIND_BOOL;
            out->as.b = true;
        }
    }
    return LATHE_OK;
}

#define BYTES(row, what) {.name = row, .kind = REC_BYTES, .flags = REC_PART | REC_REST | REC_PAD | REC_READONLY | REC_INSIDE, .why = KEPT, .doc = what}

#define SHOWN(row, what) {.name = row, .kind = REC_BYTES, .flags = REC_PART | REC_REST | REC_PAD | REC_READONLY, .why = KEPT, .doc = what}

#define AROUND(row, where, what) {.name = row, .kind = REC_BYTES, .body = &(where), .flags = REC_READONLY | REC_PAD, .why = KEPT, .doc = what}

static const rec_field root_rows[] = {
    HEADER("TAG0", NULL),
    {.name = "front", .kind = REC_BYTES, .flags = REC_REST | REC_READONLY | REC_INSIDE, .why = KEPT, .doc = "Sections in front of DATA (SDKV), and its header."},
    {.name = "sdk_version", .shown = REC_TEXT, .flags = REC_READONLY | REC_COPIED, .why = KEPT, .get = get_version, .doc = "Of the SDK that wrote it: \"20150100\"."},
    {.name = "empty_items", .shown = REC_BOOL, .flags = REC_READONLY | REC_COPIED, .why = FOLLOWS, .get = get_empty_items,
     .doc = "Whether empty arrays that count from themselves have items, too: there where they have."},
    {.name = "root", .type = &tag_opaque, .get = get_root, .doc = "The object that leads to all others."},
    {.name = "lead", .kind = REC_BYTES, .flags = REC_PART | REC_REST | REC_PAD | REC_READONLY, .why = KEPT, .doc = "Data in front of the first object. Kept."},
    {.name = "objects", .kind = REC_RECORD, .type = &tag_opaque, .tag = "class", .type_name = tag_class_of,
     .flags = REC_PART | REC_LAZY | REC_REST | REC_KEEPS_TYPE, .resizes = tag_may_resize, .doc = "Every object in file order. lathe.type(object) is its class, as the file describes it."},
    BYTES("data_end", "Padding behind the last object."),
    BYTES("type_section", "TYPE, and all up to ITEM."),
    {.name = "item_section", .kind = REC_RECORD, .type = &items_type, .flags = REC_PART | REC_INSIDE, .doc = "What lies where in DATA."},
    SHOWN("between", "What stands between ITEM and PTCH."),
    {.name = "patch_section", .kind = REC_RECORD, .type = &patches_type, .flags = REC_PART | REC_INSIDE, .doc = "Which fields hold an item's number."},
    SHOWN("index_rest", "What stands behind PTCH in INDX."),
    SHOWN("rest", "Sections behind INDX."),
    SHOWN("trailing", "Bytes behind the last section."),
    {.name = "types", .kind = REC_RECORD, .type = &tag_list_type, .body = &tag_list_body, .flags = REC_READONLY, .why = "objects are read by them",
     .doc = "The types of the file, by their numbers; classes among them."},
    {.name = "type_bytes", .kind = REC_BYTES, .body = &tag_list_bytes_body, .flags = REC_READONLY | REC_PAD, .why = "it stands for types",
     .doc = "TYPE as it is, where Havok's SDK would write its types otherwise: in another order, say."},
    AROUND("front_sections", tag_kept_front, "Sections in front of DATA, where there are others than SDKV."),
    AROUND("before_types", tag_kept_before_types, "Sections between DATA and TYPE."),
    AROUND("behind_types", tag_kept_behind_types, "Sections and padding between TYPE and INDX."),
    AROUND("before_items", tag_kept_before_items, "Sections in front of ITEM in INDX."),
    AROUND("external_patches", tag_kept_external, "What stands behind the groups of PTCH: patches of other files."),
};
static const rec_type root_type = {.name = "hkTagfile", .doc = "A Havok tagfile.", REC_ROWS(root_rows)};
/* clang-format on */

enum {
    BEHIND_PARTS = 7
}; /* rows behind those of the parts, which take no bytes: what they list lies elsewhere */

uint32_t tag_row(tag_part which)
{
    return REC_COUNT_OF(root_rows) - BEHIND_PARTS - TAG_PARTS + which;
}

/* ---- types of its own ---------------------------------------------------------------------------------- */

static const rec_type *own_type(lathe_doc *doc, uint32_t c, uint64_t i)
{
    const tag_types *types = tag_types_of(doc, c);
    const tag_record *r =
        i < types->records_n ? tag_record_of(doc, c, types->records[i], NULL) : NULL;
    return r ? &r->type : NULL;
}

/* Of what havok/ works out. */
static const rec_type *described_type(size_t i)
{
    return i == 0 ? &hk_rigid_body : NULL;
}

/* Games share versions of the SDK: a file does not tell whose it is. */
static const char *game(const lathe_doc *doc)
{
    (void)doc;
    return NULL;
}

static const char *const extensions[] = {"hkx", "tagfile", NULL};
static const char *const games[] = {"Dark Souls Remastered", NULL};

static lathe_result count(lathe_doc *doc, lathe_list list, uint64_t *n, lathe_error *err)
{
    const hk_leaves *leaves;
    const hk_clips *clips;
    const hk_rigids *bodies;
    lathe_result r;
    switch (list) {
    case LATHE_SKELETONS:
    case LATHE_ANIMATIONS:
        clips = hk_clips_of(doc, 0, err);
        if (!clips)
            return LATHE_ERR_MEMORY;
        *n = list == LATHE_ANIMATIONS ? clips->count : clips->skeleton_count;
        return LATHE_OK;
    case LATHE_BODIES:
        bodies = hk_rigids_of(doc, 0, err);
        if (!bodies)
            return LATHE_ERR_MEMORY;
        *n = bodies->count;
        return LATHE_OK;
    case LATHE_COLLISION:
        r = hk_rigid_leaves(doc, 0, &leaves, err);
        if (r == LATHE_OK)
            *n = leaves->count;
        return r;
    default: return LATHE_OK;
    }
}

static const scene_hooks tagfile_scene = {
    .count = count,
    .skeleton = hk_skeleton,
    .skeleton_set = hk_skeleton_set,
    .clips = &hk_clip_hooks,
    .body = hk_rigid,
    .collision = hk_rigid_collision,
};

const lathe_format format_tagfile = {
    .name = "tagfile",
    .doc = "Havok tagfile: objects of classes that the file describes itself",
    .extensions = extensions,
    .games = games,
    .root = &root_type,
    .own_type = own_type,
    .arranges = true,
    .game = game,
    .sniff = tag_sniff,
    .open = tag_open,
    .close = tag_close,
    .part_type = tag_part_type,
    .part_arg = tag_part_arg,
    .type_named = tag_type_named,
    .owner = tag_owner,
    .refs = tag_refs,
    .drop = tag_drop,
    .relayout = tag_relayout,
    .make = tag_make,
    .serialize = tag_serialize,
    .types = described_type,
    .check = tag_check,
    .scene = &tagfile_scene,
    .shared = scene_clip_verbs,
    .verbs = hk_named_verbs,
};
