/* Hooks of the fields in a tagfile's sections, and the format. */
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

bool tag_has_header(const rec_at *at)
{
    return rec_part_of(at->doc, at->part)->size >= TAG_HEADER;
}

/* Counts groups up to the end, or to a type 0. */
uint64_t tag_count_groups(const rec_at *at)
{
    const rec_part *p = rec_part_of(at->doc, at->part);
    uint64_t n = 0, off = TAG_HEADER;
    while (off < p->size && p->size - off >= 8 && bytes_ld32(p->data + off, false)) {
        off += 8 + 4 * (uint64_t)bytes_ld32(p->data + off + 4, false);
        n++;
    }
    return n;
}

lathe_result tag_get_root(const rec_at *at, const rec_field *row, lathe_value *out,
                          lathe_error *err)
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

/* The text of SDKV, wherever it is in front of DATA. */
lathe_result tag_get_version(const rec_at *at, const rec_field *row, lathe_value *out,
                             lathe_error *err)
{
    const rec_part *p = rec_part_of(at->doc, at->part);
    tag_section s;
    (void)row;
    out->kind = LATHE_KIND_NONE;
    for (uint64_t off = TAG_HEADER;
         tag_section_next(p->data, p->size - TAG_HEADER, 0, &off, &s, NULL) == LATHE_OK && s.size;)
        if (tag_section_is(&s, "SDKV")) {
            const char *text = (const char *)p->data + s.at + TAG_HEADER;
            size_t n = (size_t)(s.size - TAG_HEADER);
            const char *end = memchr(text, 0, n);
            return rec_text(at, text, end ? (size_t)(end - text) : n, out, err);
        }
    return LATHE_OK;
}

/* True if empty relative arrays have items, as some writers do. */
lathe_result tag_get_empty_items(const rec_at *at, const rec_field *row, lathe_value *out,
                                 lathe_error *err)
{
    uint32_t c = at->layout->container,
             n = tag_state_of(at->doc, c) ? tag_item_count(at->doc, c) : 0;
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

/* ---- described types ----------------------------------------------------------------------------------- */

static const rec_type *own_type(lathe_doc *doc, uint32_t c, uint64_t i)
{
    const tag_types *types = tag_types_of(doc, c);
    const tag_record *r =
        i < types->records_n ? tag_record_of(doc, c, types->records[i], NULL) : NULL;
    return r ? &r->type : NULL;
}

/* Types for which havok/ computes fields. */
static const rec_type *described_type(size_t i)
{
    return i == 0 ? &hk_rigid_body : NULL;
}

/* Unknown: several games share a version of the SDK. */
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
    const hk_rigids *bodies;
    lathe_result r;
    switch (list) {
    case LATHE_SKELETONS:
    case LATHE_ANIMATIONS: return hk_clip_count(doc, list, n, err);
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

/* Characters of Dark Souls look along -z: toes are 0.28 m from feet that way, and tails the other. */
static lathe_result skeleton(lathe_doc *doc, uint64_t i, model_skeleton *out, lathe_error *err)
{
    out->metres = 1;
    out->front = (vec3){0, 0, -1};
    return hk_skeleton(doc, i, out, err);
}

static const scene_hooks tagfile_scene = {
    .count = count,
    .skeleton = skeleton,
    .skeleton_set = hk_skeleton_set,
    .clips = &hk_clip_hooks,
    .body = hk_rigid,
    .collision = hk_rigid_collision,
};

static const char *const compared_with[] = {"skeleton", NULL};

const lathe_format format_tagfile = {
    .name = "tagfile",
    .doc = "Havok tagfile: objects of classes that the file describes itself",
    .extensions = extensions,
    .games = games,
    .compared_with = compared_with,
    .root = &tag_root,
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
