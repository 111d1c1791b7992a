/* Sets material and appearance of a mesh from the properties of its shape, for all games from Morrowind on.
 * formats/nif.md#81 */
#include "gen/nif_types.h"
#include "nif/materials/materials.h"

enum {
    BLENDS = 1 << 0, /* of NiAlphaProperty */
    TESTS = 1 << 9,
    OWN_EMIT = 1 << 22, /* of flags1 */
    TWO_SIDED = 1 << 4, /* of flags2 */
    BOTH_SIDES = 3,     /* of NiStencilProperty */
    SIDES_SHIFT = 10
};
/* The same as hashes of their names, from stream version 132 on. */
static const uint32_t hash_two_sided = 759557230, hash_emit_enabled = 2262553490;

/* ---- texts ------------------------------------------------------------------------------------------------ */

/* Reads a text of a block; false: it is empty or missing. Valid until the next field is read. */
static bool text_of(const rec_at *at, const char *row, uint64_t i, lathe_value *v)
{
    uint32_t slot = rec_slot_find(at->layout, row);
    if (slot == REC_NO_SLOT)
        return false;
    lathe_result r = at->layout->slots[slot].array ? rec_get_item(at, slot, i, false, v, NULL)
                                                   : rec_get(at, slot, false, v, NULL);
    return r == LATHE_OK && v->kind == LATHE_KIND_STRING && v->as.s.n;
}

lathe_result nif_copy_text(const rec_at *at, const char *row, uint64_t i, model_mesh *mesh,
                           const char **out, lathe_error *err)
{
    lathe_value v;
    if (!text_of(at, row, i, &v))
        return LATHE_OK;
    *out = model_mesh_text(mesh, v.as.s.p, v.as.s.n);
    return *out ? LATHE_OK : rec_no_memory(err);
}

static lathe_result put_texture(const rec_at *at, const char *row, uint64_t i, const char *role,
                                model_mesh *mesh, lathe_error *err)
{
    lathe_value v;
    return text_of(at, row, i, &v) ? model_mesh_texture(mesh, role, v.as.s.p, v.as.s.n, err)
                                   : LATHE_OK;
}

/* ---- textures --------------------------------------------------------------------------------------------- */

/* A field of a property, and the use of its texture. */
typedef struct use {
    const char *row, *role;
} use;

static bool inside(const rec_at *at, const char *row, rec_at *out)
{
    rec_loc loc;
    uint32_t slot = rec_slot_find(at->layout, row);
    return slot != REC_NO_SLOT && rec_find(at, slot, &loc, NULL) == LATHE_OK && loc.present &&
           rec_sub(at, slot, 0, out, NULL) == LATHE_OK;
}

static lathe_result put_slots(const rec_at *set, model_mesh *mesh, lathe_error *err)
{
    static const char *const roles[] = {"base_color",  "normal",           "glow", "height",
                                        "environment", "environment_mask", "tint", "specular"};
    lathe_result r = LATHE_OK;
    for (uint64_t i = 0; r == LATHE_OK && i < sizeof roles / sizeof roles[0]; i++) {
        bool palette = i == 3 && NIF_AT_B(set) >= NIF_FALLOUT4;
        r = put_texture(set, "textures", i, palette ? "palette" : roles[i], mesh, err);
    }
    return r;
}

static lathe_result put_paths(const rec_at *shader, model_mesh *mesh, lathe_error *err)
{
    static const use uses[] = {
        {"source_texture", "base_color"},    {"file_name", "base_color"},
        {"normal_texture", "normal"},        {"greyscale_texture", "palette"},
        {"env_map_texture", "environment"},  {"env_mask_texture", "environment_mask"},
        {"reflectance_texture", "specular"}, {"lighting_texture", "lighting"},
    };
    uint32_t set = nif_target(shader, "texture_set", 0);
    if (nif_block_is(shader->doc, set, &nif_BSShaderTextureSet)) {
        rec_at at = nif_at(shader->doc, set);
        return put_slots(&at, mesh, err);
    }
    lathe_result r = LATHE_OK;
    for (size_t i = 0; r == LATHE_OK && i < sizeof uses / sizeof uses[0]; i++)
        r = put_texture(shader, uses[i].row, 0, uses[i].role, mesh, err);
    return r;
}

/* Morrowind and Oblivion: each texture is a record that refers to a block. */
static lathe_result put_sources(const rec_at *property, model_mesh *mesh, lathe_error *err)
{
    static const use uses[] = {
        {"base", "base_color"}, {"normal", "normal"}, {"glow", "glow"},        {"dark", "dark"},
        {"detail", "detail"},   {"gloss", "gloss"},   {"bump", "environment"},
    };
    lathe_result r = LATHE_OK;
    for (size_t i = 0; r == LATHE_OK && i < sizeof uses / sizeof uses[0]; i++) {
        rec_at at;
        if (!inside(property, uses[i].row, &at))
            continue;
        uint32_t source = nif_target(&at, "source", 0);
        if (!nif_block_is(property->doc, source, &nif_NiSourceTexture))
            continue;
        at = nif_at(property->doc, source);
        r = put_texture(&at, "file_name", 0, uses[i].role, mesh, err);
    }
    return r;
}

/* ---- colours ---------------------------------------------------------------------------------------------- */

static bool put_floats(const rec_at *at, const char *row, size_t n, float *out)
{
    const uint8_t *p = nif_floats(at, row, n);
    for (size_t k = 0; p && k < n; k++)
        out[k] = nif_float_at(p + 4 * k);
    return p != NULL;
}

/* Hashed flags may be in either of two lists. */
static bool has_hash(const rec_at *at, uint32_t hash)
{
    static const char *const rows[] = {"sf1", "sf2"};
    nif_column list;
    for (size_t k = 0; k < 2; k++)
        if (nif_column_find(at, rows[k], 4, &list))
            for (uint64_t i = 0; i < list.count; i++)
                if (bytes_ld32(list.p + 4 * i, false) == hash)
                    return true;
    return false;
}

static void put_emissive(const rec_at *at, const char *color, const char *factor,
                         model_surface *surface)
{
    float strength = 1;
    if (!put_floats(at, color, 3, surface->emissive))
        return;
    put_floats(at, factor, 1, &strength);
    for (size_t k = 0; k < 3; k++)
        surface->emissive[k] *= strength;
}

static lathe_result put_shader(const rec_at *property, model_mesh *mesh, lathe_error *err)
{
    model_surface *surface = &mesh->surface;
    rec_at at;
    if (!inside(property, "body", &at))
        at = *property;
    surface->known = true;
    put_floats(&at, "base_color", 4, surface->base_color);
    put_floats(&at, "alpha", 1, &surface->base_color[3]);
    if (rec_int(&at, "flags1") & OWN_EMIT || has_hash(&at, hash_emit_enabled))
        put_emissive(&at, "emissive_color", "emissive_multiple", surface);
    if (rec_int(&at, "flags2") & TWO_SIDED || has_hash(&at, hash_two_sided))
        surface->double_sided = true;
    return put_paths(&at, mesh, err);
}

static void put_alpha(const rec_at *property, model_surface *surface)
{
    int64_t flags = rec_int(property, "flags");
    surface->known = true;
    surface->cutoff = (float)rec_int(property, "threshold") / 255;
    surface->alpha = flags & BLENDS  ? MODEL_ALPHA_BLEND
                     : flags & TESTS ? MODEL_ALPHA_MASK
                                     : MODEL_ALPHA_OPAQUE;
}

static void put_material(const rec_at *property, model_surface *surface)
{
    surface->known = true;
    put_floats(property, "diffuse", 3, surface->base_color);
    put_floats(property, "alpha", 1, &surface->base_color[3]);
    put_emissive(property, "emissive", "emissive_mult", surface);
}

static void put_sides(const rec_at *property, model_surface *surface)
{
    const uint8_t *old = nif_floats(property, "old_func_ref_mask_fail_zfail_pass_draw", 7);
    int64_t sides = old ? bytes_ld32(old + 4 * 6, false)
                        : rec_int(property, "flags") >> SIDES_SHIFT & BOTH_SIDES;
    surface->double_sided |= sides == BOTH_SIDES;
}

/* ---- a shape ---------------------------------------------------------------------------------------------- */

/* Sets the shader's name, which in Fallout 4 is the path of the material file. */
static lathe_result put_property(lathe_doc *doc, uint32_t part, model_mesh *mesh, lathe_error *err)
{
    if (part == REC_NO_PART)
        return LATHE_OK;
    rec_at at = nif_at(doc, part);
    const rec_type *type = at.layout->type;
    if (rec_is_a(type, &nif_NiAlphaProperty))
        put_alpha(&at, &mesh->surface);
    else if (rec_is_a(type, &nif_NiMaterialProperty))
        put_material(&at, &mesh->surface);
    else if (rec_is_a(type, &nif_NiStencilProperty))
        put_sides(&at, &mesh->surface);
    else if (rec_is_a(type, &nif_NiTexturingProperty))
        return put_sources(&at, mesh, err);
    if (!rec_is_a(type, &nif_BSShaderProperty))
        return LATHE_OK;
    lathe_result r = put_shader(&at, mesh, err);
    if (r == LATHE_OK && !mesh->material)
        r = nif_copy_text(&at, "name", 0, mesh, &mesh->material, err);
    return r;
}

lathe_result nif_put_surface(const rec_at *shape, model_mesh *mesh, lathe_error *err)
{
    lathe_doc *doc = shape->doc;
    const model_surface *surface = &mesh->surface;
    nif_column old;
    lathe_result r = put_property(doc, nif_target(shape, "shader_property", 0), mesh, err);
    if (r == LATHE_OK)
        r = put_property(doc, nif_target(shape, "alpha_property", 0), mesh, err);
    nif_column_find(shape, "properties", 4, &old);
    for (uint64_t i = 0; r == LATHE_OK && i < old.count; i++)
        r = put_property(doc, nif_target(shape, "properties", i), mesh, err);
    for (size_t i = 0; i < surface->texture_count && !mesh->material; i++)
        if (strcmp(surface->textures[i].role, "base_color") == 0)
            mesh->material = surface->textures[i].path; /* better than no name */
    mesh->surface.known |= surface->texture_count > 0;
    return r;
}
