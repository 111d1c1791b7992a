/* The textures of a shader by purpose, wherever the game's shader stores them: in slots of a
 * BSShaderTextureSet, in its own fields, or in a NiSourceTexture. formats/nif.md#8 */
#include "gen/nif_types.h"
#include "nif/materials/materials.h"

enum { NOWHERE = -1 };

typedef struct use {
    const char *name;
    int8_t slot, fallout3, fallout4; /* in a texture set; and in these games, if different */
    const char *rows[3];             /* of the shader; in old ones, records with a `source` */
} use;

#define EXTRA(n)                                                                                   \
    {                                                                                              \
        "slot" #n, n - 1, NOWHERE, n - 1,                                                          \
        {                                                                                          \
            0                                                                                      \
        }                                                                                          \
    }
static const use uses[] = {
    {"diffuse", 0, 0, 0, {"source_texture", "file_name", "base"}},
    {"normal", 1, 1, 1, {"normal_texture", "normal"}},
    {"glow", 2, 2, 2, {"glow"}},
    {"height", 3, 3, NOWHERE, {"parallax"}},
    {"greyscale", NOWHERE, NOWHERE, 3, {"greyscale_texture"}},
    {"environment", 4, 4, 4, {"env_map_texture"}},
    {"environment_mask", 5, 5, 5, {"env_mask_texture"}},
    {"tint", 6, NOWHERE, 6, {0}},
    {"specular", 7, NOWHERE, 7, {0}},
    {"reflectance", NOWHERE, NOWHERE, NOWHERE, {"reflectance_texture"}},
    {"lighting", NOWHERE, NOWHERE, NOWHERE, {"lighting_texture"}},
    {"emit_gradient", NOWHERE, NOWHERE, NOWHERE, {"emit_gradient_texture"}},
    {"dark", NOWHERE, NOWHERE, NOWHERE, {"dark"}},
    {"detail", NOWHERE, NOWHERE, NOWHERE, {"detail"}},
    {"gloss", NOWHERE, NOWHERE, NOWHERE, {"gloss"}},
    {"bump", NOWHERE, NOWHERE, NOWHERE, {"bump"}},
    {"decal0", NOWHERE, NOWHERE, NOWHERE, {"decal0"}},
    {"decal1", NOWHERE, NOWHERE, NOWHERE, {"decal1"}},
    EXTRA(9),
    EXTRA(10),
    EXTRA(11),
    EXTRA(12),
    EXTRA(13),
};

/* Where a text is stored. */
typedef struct place {
    rec_at block, body, at;
    uint32_t slot;
    uint64_t item;
} place;

static const use *use_of(const char *name)
{
    for (size_t i = 0; i < sizeof uses / sizeof uses[0]; i++)
        if (strcmp(uses[i].name, name) == 0)
            return &uses[i];
    return NULL;
}

/* A slot of a texture set, if both exist. */
static bool in_set(const use *u, place *p)
{
    int64_t game = NIF_AT_B(&p->block);
    int slot = game <= NIF_FALLOUT3 ? u->fallout3 : game >= NIF_FALLOUT4 ? u->fallout4 : u->slot;
    uint32_t set = nif_target(&p->body, "texture_set", 0);
    rec_loc loc;
    if (slot == NOWHERE || !nif_block_is(p->block.doc, set, &nif_BSShaderTextureSet))
        return false;
    p->at = nif_at(p->block.doc, set);
    p->slot = rec_slot_find(p->at.layout, "textures");
    p->item = (uint64_t)slot;
    return rec_find(&p->at, p->slot, &loc, NULL) == LATHE_OK && loc.present && p->item < loc.count;
}

/* A field that refers to a NiSourceTexture, which has the path. */
static bool in_source(place *p)
{
    rec_at desc;
    bool present;
    if (rec_sub(&p->body, p->slot, 0, &desc, NULL) != LATHE_OK)
        return false;
    uint32_t source = nif_target(&desc, "source", 0);
    if (!nif_block_is(p->block.doc, source, &nif_NiSourceTexture))
        return false;
    p->at = nif_at(p->block.doc, source);
    p->slot = rec_slot_find(p->at.layout, "file_name");
    return p->slot != REC_NO_SLOT && rec_present(&p->at, p->slot, &present, NULL) == LATHE_OK &&
           present;
}

static bool in_row(const char *name, place *p)
{
    bool present;
    p->at = p->body;
    p->item = REC_NO_ITEM;
    p->slot = rec_slot_find(p->body.layout, name);
    if (p->slot == REC_NO_SLOT || rec_present(&p->body, p->slot, &present, NULL) != LATHE_OK ||
        !present)
        return false;
    const rec_slot *s = rec_slot_of(&p->body, p->slot);
    if (s->sub)
        return rec_row_type(s->row) == &nif_TexDesc && in_source(p);
    return s->row->kind == REC_STR || rec_row_codec(s->row) == &nif_string;
}

/* Finds where the shader of `at` stores a texture; false: it has no place for it. */
static bool find(const rec_at *at, const char *name, place *p)
{
    const use *u = use_of(name);
    bool present = false;
    p->block = p->body = nif_at(at->doc, at->part);
    if (!u || !p->block.layout || rec_opaque(at->doc, at->part, NULL))
        return false;
    uint32_t body = rec_slot_find(p->block.layout, "body");
    if (body != REC_NO_SLOT) {
        if (rec_present(&p->block, body, &present, NULL) != LATHE_OK || !present ||
            rec_sub(&p->block, body, 0, &p->body, NULL) != LATHE_OK)
            return false;
    }
    for (size_t i = 0; i < sizeof u->rows / sizeof u->rows[0] && u->rows[i]; i++)
        if (in_row(u->rows[i], p))
            return true;
    return in_set(u, p);
}

lathe_result nif_get_texture(const rec_at *at, const rec_field *row, lathe_value *out,
                             lathe_error *err)
{
    place p;
    out->kind = LATHE_KIND_NONE;
    if (!find(at, rec_row_name(row), &p))
        return LATHE_OK;
    return p.item == REC_NO_ITEM ? rec_get(&p.at, p.slot, false, out, err)
                                 : rec_get_item(&p.at, p.slot, p.item, false, out, err);
}

lathe_result nif_set_texture(const rec_at *at, const rec_field *row, const lathe_value *value,
                             lathe_error *err)
{
    place p;
    if (!find(at, rec_row_name(row), &p))
        return rec_fail(at, rec_slot_find(at->layout, rec_row_name(row)), at->off, err,
                        LATHE_ERR_STATE, "the shader has no place for this texture");
    return p.item == REC_NO_ITEM ? rec_set(&p.at, p.slot, value, err)
                                 : rec_set_item(&p.at, p.slot, p.item, value, err);
}
