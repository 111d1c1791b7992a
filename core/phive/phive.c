/* What the rows of a Phive shape's header depend on, and the format. */
#include "phive/edits.h"
#include "phive/mesh.h"
#include "phive/set_mesh.h"
#include "phive/types.h"
#include "scene/hooks.h"

#include <stdio.h>
#include <string.h>

/* ---- what the rows depend on ---------------------------------------------------------------------------- */

lathe_result phive_get_variant(const rec_at *at, const rec_field *row, lathe_value *out,
                               lathe_error *err)
{
    char text[8];
    int n =
        snprintf(text, sizeof text, "v%d", (int)at->doc->containers[at->layout->container].version);
    (void)row;
    return rec_text(at, text, (size_t)n, out, err);
}

/* A new document had it set before its rows are: phive_begin. */
lathe_result phive_set_variant(const rec_at *at, const rec_field *row, const lathe_value *value,
                               lathe_error *err)
{
    uint32_t slot = rec_slot_find(at->layout, rec_row_name(row));
    phive_variant wanted = phive_variant_named(value);
    if (wanted && wanted == at->doc->containers[at->layout->container].version)
        return LATHE_OK;
    return rec_fail(at, slot, at->off, err, LATHE_ERR_READONLY,
                    "read-only: the types of the file say it");
}

lathe_result phive_get_shape(const rec_at *at, const rec_field *row, lathe_value *out,
                             lathe_error *err)
{
    rec_at shape;
    const phive_layout *layout;
    uint32_t container;
    (void)row;
    lathe_result r = phive_shape(at->doc, at->layout->container, &shape, &layout, &container, err);
    if (r == LATHE_ERR_MEMORY)
        return r;
    out->kind = r == LATHE_OK ? LATHE_KIND_RECORD : LATHE_KIND_NONE;
    if (r == LATHE_OK)
        out->as.v = rec_view(&shape);
    return LATHE_OK;
}

/* Whether the types are those that lathe makes, which the game's are not known to be. V21's are the game's. */
lathe_result phive_get_generated(const rec_at *at, const rec_field *row, lathe_value *out,
                                 lathe_error *err)
{
    uint32_t c = at->layout->container, part = phive_part_of(at->doc, c, PHIVE_TAGFILE), types;
    int variant = (int)at->doc->containers[c].version;
    buf own;
    (void)row;
    out->kind = LATHE_KIND_NONE;
    const rec_layout *root =
        variant == PHIVE_V21 || part == REC_NO_PART ? NULL : rec_part_root(at->doc, part);
    if (!root || rec_opaque(at->doc, part, NULL))
        return LATHE_OK;
    buf_init(&own, &at->doc->mem);
    lathe_result r =
        phive_types_bytes(&at->doc->mem, variant, &own) ? LATHE_OK : rec_no_memory(err);
    types = tag_part_of(at->doc, root->container, TAG_TYPES);
    const rec_part *p = rec_part_of(at->doc, types);
    if (r == LATHE_OK && p->size >= own.size && memcmp(p->data, own.data, own.size) == 0)
        *out = (lathe_value){.kind = LATHE_KIND_BOOL, .as.b = true};
    buf_free(&own);
    return r;
}

/* ---- the format ------------------------------------------------------------------------------------------ */

static const char *game(const lathe_doc *doc)
{
    int64_t version = doc->containers_n ? doc->containers[0].version : 0;
    return version == PHIVE_V21   ? "Splatoon 3"
           : version == PHIVE_V22 ? "Tears of the Kingdom"
                                  : NULL;
}

/* clang-format off */
static const rec_verb verbs[] = {
    {.name = "set_mesh", .doc = "Gives the shape other triangles: sections, trees and tags are built anew.", .params = phive_set_mesh_params, .run = phive_set_mesh},
    {.name = "set_materials", .doc = "Gives materials another name or number, as a pattern says.", .params = phive_set_materials_params, .run = phive_set_materials},
    {.name = "set_triangle_materials", .doc = "Says what each triangle is made of.", .params = phive_paint_params, .run = phive_paint},
    {.name = "scale", .doc = "Multiplies lengths, along each axis by another factor if need be. Vertices on the grid stay its steps.", .params = phive_scale_params, .run = phive_scale},
    {.name = "transform", .doc = "Moves all of the shape, by whole steps of its grid; with `scale` it is scaled first.", .params = phive_transform_params, .run = phive_transform},
    {.name = NULL},
};
/* clang-format on */

static const char *const extensions[] = {"bphsh", NULL};
static const char *const games[] = {"Splatoon 3", "Tears of the Kingdom", NULL};

static lathe_result count(lathe_doc *doc, lathe_list list, uint64_t *n, lathe_error *err)
{
    lathe_view body;
    lathe_result r = LATHE_OK;
    *n = list == LATHE_MATERIALS ? phive_counts_of(doc, 0).rows : 1;
    if (list == LATHE_BODIES && (r = phive_body(doc, 0, &body, err)) == LATHE_ERR_NAME)
        *n = 0;
    return r == LATHE_ERR_MEMORY ? r : LATHE_OK;
}

static const scene_hooks bphsh_scene = {
    .count = count,
    .material = phive_material,
    .body = phive_body,
    .collision = phive_collision,
};

const lathe_format format_bphsh = {
    .name = "bphsh",
    .doc = "Phive shape: static collision of Switch games",
    .extensions = extensions,
    .games = games,
    .root = &phive_root,
    .arranges = true,
    .game = game,
    .sniff = phive_sniff,
    .open = phive_open,
    .relayout = phive_relayout,
    .begin = phive_begin,
    .make = phive_make,
    .serialize = phive_serialize,
    .derived = phive_derived,
    .scene = &bphsh_scene,
    .verbs = verbs,
    .check = phive_check,
};
