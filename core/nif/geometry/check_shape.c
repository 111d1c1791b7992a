/* Checks shapes against the game of the file, and against the flags of their shaders.
 * formats/nif.md#81-shader-and-alpha-properties */
#include "nif/geometry/check.h"

#include "gen/nif_types.h"

/* Bits of flags1 and flags2, the same in Skyrim and Fallout 4. */
enum {
    SKINNED = 1 << 1,
    VERTEX_ALPHA = 1 << 3,
    MODEL_SPACE_NORMALS = 1 << 12,
    VERTEX_COLORS = 1 << 5
};

typedef struct look {
    rec_report *report;
    rec_at shape;
    unsigned long long number; /* of the shape's block, from 1 */
    rec_at shader, flags;      /* its shader, and the record in it that has the flags */
    unsigned flags1, flags2;
    bool skinned, lit, blended;
} look;

/* True if a reference is not null; an absent field is null. */
static bool refers(const rec_at *at, const char *row)
{
    uint64_t raw;
    uint32_t slot = rec_slot_find(at->layout, row);
    return slot != REC_NO_SLOT && rec_raw(at, slot, 0, &raw, NULL) == LATHE_OK && raw != UINT32_MAX;
}

static void tell(const look *l, lathe_level level, const char *row, const char *what,
                 const char *but)
{
    rec_finding(l->report, level, &l->flags, rec_slot_find(l->flags.layout, row), REC_NO_ITEM,
                "%s, but blocks[%llu] has %s", what, l->number, but);
}

/* Skyrim uses only the flags; in Fallout 4 those of a material file may take precedence. */
static void check_skinned(const look *l)
{
    lathe_level level =
        NIF_AT_B(&l->shape) > NIF_SKYRIM_SE ? LATHE_LEVEL_WARNING : LATHE_LEVEL_ERROR;
    if (l->flags1 & SKINNED && !l->skinned)
        tell(l, level, "flags1", "skinned is set", "no skin");
    if (!(l->flags1 & SKINNED) && l->skinned)
        tell(l, level, "flags1", "skinned is not set", "a skin");
}

/* Skyrim SE derives the contents of a vertex from the flag. */
static void check_colors(const look *l, bool colors)
{
    lathe_level level =
        NIF_AT_B(&l->shape) == NIF_SKYRIM_SE ? LATHE_LEVEL_ERROR : LATHE_LEVEL_WARNING;
    if (l->flags2 & VERTEX_COLORS && !colors)
        tell(l, level, "flags2", "vertex_colors is set", "no vertex colors");
    if (!(l->flags2 & VERTEX_COLORS) && colors)
        tell(l, LATHE_LEVEL_WARNING, "flags2", "vertex_colors is not set", "vertex colors");
    if (l->flags1 & VERTEX_ALPHA && !colors)
        tell(l, LATHE_LEVEL_WARNING, "flags1", "vertex_alpha is set", "no vertex colors");
    else if (l->flags1 & VERTEX_ALPHA && !l->blended)
        tell(l, LATHE_LEVEL_WARNING, "flags1", "vertex_alpha is set", "no alpha_property");
}

/* With model-space normals in a texture, vertices have none: only in Skyrim. */
static void check_normals(const look *l, bool normals)
{
    if (!l->lit || NIF_AT_B(&l->shape) > NIF_SKYRIM_SE)
        return;
    if (l->flags1 & MODEL_SPACE_NORMALS && normals)
        tell(l, LATHE_LEVEL_WARNING, "flags1", "model_space_normals is set", "normals");
    if (!(l->flags1 & MODEL_SPACE_NORMALS) && !normals)
        tell(l, LATHE_LEVEL_WARNING, "flags1", "model_space_normals is not set", "no normals");
}

bool nif_shader_bits(const rec_at *shader, rec_at *body)
{
    enum { HASHES = 132 }; /* from this version on there are lists of hashes instead */
    return NIF_AT_B(shader) < HASHES &&
           rec_sub(shader, rec_slot_find(shader->layout, "body"), 0, body, NULL) == LATHE_OK;
}

/* False: the shape has no shader with flag bits. */
static bool find_flags(look *l)
{
    lathe_doc *doc = l->shape.doc;
    uint32_t shader = nif_target(&l->shape, "shader_property", 0);
    l->lit = nif_block_is(doc, shader, &nif_BSLightingShaderProperty);
    if (!l->lit && !nif_block_is(doc, shader, &nif_BSEffectShaderProperty))
        return false;
    l->shader = nif_at(doc, shader);
    if (!nif_shader_bits(&l->shader, &l->flags))
        return false;
    l->flags1 = (unsigned)rec_int(&l->flags, "flags1");
    l->flags2 = (unsigned)rec_int(&l->flags, "flags2");
    return true;
}

static void check_flags(look *l)
{
    nif_shape s;
    if (!find_flags(l))
        return;
    check_skinned(l);
    if (!nif_shape_find(l->shape.doc, l->shape.part, &s))
        return; /* its vertices are elsewhere, or missing */
    check_colors(l, s.packed.p ? s.layout.color >= 0 : s.colors.p != NULL);
    check_normals(l, s.packed.p ? s.layout.normal >= 0 : s.normals.p != NULL);
}

/* Reports shapes of Skyrim LE in a file of Skyrim SE, which draws the NiTriShape of a distant tree, but crashes
 * on strips and on skinned shapes of these types. */
static void check_old(const look *l, bool tree)
{
    bool strips = rec_is_a(l->shape.layout->type, &nif_NiTriStrips);
    if (NIF_AT_B(&l->shape) != NIF_SKYRIM_SE || (tree && !strips && !l->skinned))
        return;
    rec_finding(l->report, strips || l->skinned ? LATHE_LEVEL_ERROR : LATHE_LEVEL_WARNING,
                &l->shape, REC_NO_SLOT, REC_NO_ITEM,
                "a shape of Skyrim LE%s: Skyrim SE has BSTriShape",
                l->skinned ? " with a skin" : "");
}

static bool any_tree(const nif_checks *k)
{
    for (uint64_t i = 0; i < k->blocks; i++)
        if (rec_is_a(nif_part_type(k->doc, nif_block(k->doc, k->c, i)), &nif_BSTreeNode))
            return true;
    return false;
}

void nif_check_shapes(const nif_checks *k)
{
    bool tree = any_tree(k);
    for (uint64_t i = 0; i < k->blocks && !k->report->stopped; i++) {
        uint32_t part = nif_block(k->doc, k->c, i);
        bool packed = nif_block_is(k->doc, part, &nif_BSTriShape);
        if (!packed && !nif_block_is(k->doc, part, &nif_NiTriBasedGeom))
            continue;
        look l = {.report = k->report, .shape = nif_at(k->doc, part), .number = i + 1};
        l.skinned = refers(&l.shape, packed ? "skin" : "skin_instance");
        l.blended = refers(&l.shape, "alpha_property");
        if (!packed)
            check_old(&l, tree);
        check_flags(&l);
    }
}
