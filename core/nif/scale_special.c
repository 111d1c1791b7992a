/* Exceptions in scaling that the tables cannot express. Reference: formats/nif.md#82 */
#include "gen/nif_types.h"
#include "nif/scale.h"

/* ---- vectors with lengths in some values only ----------------------------------------------------------- */

#define XYZ 0x7u
#define W 0x8u
/* Bits of vec4 number i of a field. */
#define PIVOT(i) ((uint64_t)XYZ << 4 * (i))

typedef struct special {
    const rec_type *type;
    const char *row;
    unsigned period;
    uint64_t up, down;
} special;

static const special specials[] = {
    {&nif_bhkMoppBvTreeShape, "mopp_offset", 4, XYZ, W},
    {&nif_bhkConvexVerticesShape, "normals", 4, W, 0},
    {&nif_bhkCompressedMeshShapeData, "aabb_min", 4, XYZ, 0},
    {&nif_bhkCompressedMeshShapeData, "aabb_max", 4, XYZ, 0},
    {&nif_bhkCompressedMeshShapeData, "big_verts", 4, XYZ, 0},
    {&nif_CMSTransform, "translation", 4, XYZ, 0},
    {&nif_BSDynamicTriShape, "dynamic_vertices", 4, XYZ, 0},
    {&nif_NiBV, "plane", 4, W, 0},
    {&nif_NiTextureEffect, "plane", 4, W, 0},
    {&nif_RagdollC, "frames", 24, PIVOT(0) | PIVOT(3), 0},
    {&nif_RagdollC, "frames8", 32, PIVOT(3) | PIVOT(7), 0},
    {&nif_LimitedHingeC, "frames", 28, PIVOT(0) | PIVOT(4), 0},
    {&nif_LimitedHingeC, "frames8", 32, PIVOT(3) | PIVOT(7), 0},
    {&nif_HingeC, "frames", 20, PIVOT(0) | PIVOT(3), 0},
    {&nif_HingeC, "frames8", 32, PIVOT(3) | PIVOT(7), 0},
    {&nif_PrismaticC, "frames8", 32, PIVOT(3) | PIVOT(7), 0},
    {&nif_NiPSysEmitter, "motion", 6, 0x3, 0},
    {&nif_BSLagBoneController, "params", 3, 0x4, 0},
    {&nif_BSProceduralLightningController, "params", 7, 0x17,
     0},                                    /* without factors and values of unknown meaning */
    {&nif_NiCamera, "frustum", 6, 0x30, 0}, /* left … top are at distance 1 */
    {&nif_RB550, "translation", 4, XYZ, 0}, /* w is unused and may be anything */
    {&nif_RB550, "center", 4, XYZ, 0},
    {&nif_RB2010, "translation", 4, XYZ, 0},
    {&nif_RB2010, "center", 4, XYZ, 0},
    {&nif_RB2014, "translation", 4, XYZ, 0},
    {&nif_RB2014, "center", 4, XYZ, 0},
};

static const special matrix = {.period = 16, .up = 0x7000};
static const special transform = {.period = 13, .up = 0xE00}; /* rotation, translation, scale */
/* The geometry of precombined meshes may be shared and is unchanged: instances are scaled. */
static const special placement = {.period = 13, .up = 0x1E00};

static const special *special_of(const rec_type *type, const rec_field *row)
{
    if (rec_row_type(row) == &rec_mat4)
        return &matrix;
    if (rec_row_type(row) == &nif_xform)
        return type == &nif_PackedInstance ? &placement : &transform;
    if (rec_row_type(row) != &rec_vec4 && (row->kind != REC_F32 || !row->n))
        return NULL;
    for (size_t i = 0; i < REC_COUNT_OF(specials); i++)
        if (strcmp(specials[i].row, rec_row_name(row)) == 0 && rec_is_a(type, specials[i].type))
            return &specials[i];
    return NULL;
}

/* Exceptions by version: Oblivion has the frames of a prismatic joint in another order, and the frustum of an
 * orthographic camera has lengths. */
static uint64_t odd_lanes(const rec_at *at, const rec_field *row, uint64_t up)
{
    if (at->layout->type == &nif_PrismaticC && rec_row_type(row) == &rec_vec4 &&
        NIF_AT_V(at) <= 0x14000005)
        return PIVOT(0) | PIVOT(5);
    if (rec_is_a(at->layout->type, &nif_NiCamera) && row->kind == REC_F32 && rec_int(at, "ortho"))
        return 0x3F;
    return up;
}

/* ---- keys ----------------------------------------------------------------------------------------------- */

static bool is(const char *name, const char *with)
{
    return strcmp(name, with) == 0;
}

/* Fields of a key to which the power of its value does not apply. */
static bool is_timing(const rec_field *row)
{
    return is(rec_row_name(row), "time") || is(rec_row_name(row), "tbc");
}

static bool holds_lengths(const rec_type *type, const rec_field *row)
{
    return ((type == &nif_NiPosData || type == &nif_NiFloatData) &&
            is(rec_row_name(row), "data")) ||
           ((type == &nif_NiFloatInterpolator || type == &nif_NiBlendFloatInterpolator) &&
            is(rec_row_name(row), "value"));
}

nif_scale_rule nif_scale_rule_of(const rec_at *at, const rec_field *row, int outer, bool keys)
{
    nif_scale_rule rule = {.power = row->power};
    const special *s = special_of(at->layout->type, row);
    if (s) {
        rule.power = 0;
        rule.period = s->period;
        rule.up = odd_lanes(at, row, s->up);
        rule.down = s->down;
    } else if (row->power)
        return rule;
    else if (outer && (row->kind == REC_F32 || row->kind == REC_F16 || row->kind == REC_RECORD))
        rule.power = is_timing(row) ? 0 : outer;
    else if (keys && holds_lengths(at->layout->type, row))
        rule.power = 1;
    return rule;
}

/* Nesting of types is limited, except for volumes that contain others. */
static bool scales(const rec_type *type, int depth)
{
    if (depth > 8 || type == &nif_NiPosData || type == &nif_NiFloatData ||
        type == &nif_NiFloatInterpolator || type == &nif_NiBlendFloatInterpolator)
        return true;
    for (const rec_type *t = type; t; t = rec_type_base(t))
        for (uint32_t i = 0; i < t->count; i++) {
            const rec_field *row = &rec_type_rows(t)[i];
            if (row->power || special_of(type, row))
                return true;
            if (row->type && rec_row_type(row) != type && scales(rec_row_type(row), depth + 1))
                return true;
        }
    return false;
}

bool nif_scales(const rec_type *type)
{
    return scales(type, 0);
}

/* Blocks whose keys are lengths, as far as determined. */
typedef struct marking {
    lathe_doc *doc;
    uint32_t container;
    uint8_t *marks;
    uint64_t total;
} marking;

/* The block that a field refers to; element i of an array. False: there is no such block. */
static bool number_at(const marking *m, const rec_at *at, const char *row, uint64_t i,
                      uint64_t *number)
{
    uint32_t slot = rec_slot_find(at->layout, row);
    bool there = false;
    return slot != REC_NO_SLOT && rec_present(at, slot, &there, NULL) == LATHE_OK && there &&
           rec_raw(at, slot, i, number, NULL) == LATHE_OK && *number < m->total;
}

static void mark(const marking *m, const rec_at *at, const char *row, uint64_t i)
{
    uint64_t number;
    if (number_at(m, at, row, i, &number))
        m->marks[number] = 1;
}

/* Controllers of lengths refer to interpolators, and these to keys. */
static bool of_lengths(const rec_type *type)
{
    return rec_is_a(type, &nif_NiPSysEmitterInitialRadiusCtlr) ||
           rec_is_a(type, &nif_NiPSysEmitterSpeedCtlr) ||
           rec_is_a(type, &nif_NiPSysGravityStrengthCtlr) ||
           rec_is_a(type, &nif_NiLightRadiusController);
}

/* True if the controller in a sequence entry takes lengths; the entry has its type name, or refers to it. */
static bool drives_lengths(const marking *m, const rec_at *driven)
{
    lathe_value name = {.kind = LATHE_KIND_NONE};
    uint32_t slot = rec_slot_find(driven->layout, "controller_type");
    uint64_t number;
    const rec_type *type = NULL;
    if (number_at(m, driven, "controller", 0, &number)) {
        const rec_layout *l = rec_part_root(m->doc, nif_block(m->doc, m->container, number));
        type = l ? l->type : NULL;
    } else if (slot != REC_NO_SLOT && rec_get(driven, slot, false, &name, NULL) == LATHE_OK &&
               name.kind == LATHE_KIND_STRING) {
        type = nif_block_type(name.as.s.p, name.as.s.n);
    }
    return type && of_lengths(type);
}

/* Marks the interpolators in a list of records: of a sequence those that drive lengths, of a blend all. */
static void mark_each(const marking *m, const rec_at *block, const char *row, bool driven)
{
    uint32_t slot = rec_slot_find(block->layout, row);
    rec_loc loc;
    if (slot == REC_NO_SLOT || rec_find(block, slot, &loc, NULL) != LATHE_OK || !loc.present)
        return;
    for (uint64_t i = 0; i < loc.count; i++) {
        rec_at item;
        if (rec_sub(block, slot, i, &item, NULL) == LATHE_OK &&
            (!driven || drives_lengths(m, &item)))
            mark(m, &item, "interpolator", 0);
    }
}

enum { CONTROLLERS, BLENDS, INTERPOLATORS, MARK_PASSES };

static void mark_from(const marking *m, const rec_at *block, bool marked, int pass)
{
    const rec_type *type = block->layout->type;
    if (pass == CONTROLLERS && of_lengths(type))
        mark(m, block, "interpolator", 0);
    else if (pass == CONTROLLERS && rec_is_a(type, &nif_NiControllerSequence))
        mark_each(m, block, "blocks", true);
    else if (pass == CONTROLLERS && type == &nif_BSProceduralLightningController)
        for (uint64_t i = 5; i < 9; i++) /* length, its variation, width, arc offset */
            mark(m, block, "interpolators", i);
    else if (pass == BLENDS && marked && type == &nif_NiBlendFloatInterpolator)
        mark_each(m, block, "items", false);
    else if (pass == INTERPOLATORS && marked && type == &nif_NiFloatInterpolator)
        mark(m, block, "data", 0);
    else if (pass == INTERPOLATORS &&
             (rec_is_a(type, &nif_NiPathInterpolator) || rec_is_a(type, &nif_NiPathController)))
        mark(m, block, "path_data", 0);
}

uint8_t *nif_scale_keys(lathe_doc *doc, uint32_t c, uint64_t total)
{
    marking m = {doc, c, mem_alloc(&doc->mem, (size_t)total + 1), total};
    if (!m.marks)
        return NULL;
    memset(m.marks, 0, (size_t)total + 1);
    for (int pass = 0; pass < MARK_PASSES; pass++)
        for (uint64_t i = 0; i < total; i++) {
            rec_at block = nif_at(doc, nif_block(doc, c, i));
            if (block.layout && !rec_opaque(doc, block.part, NULL))
                mark_from(&m, &block, m.marks[i], pass);
        }
    return m.marks;
}

/* ---- kinds of data -------------------------------------------------------------------------------------- */

unsigned nif_scale_family(const rec_type *block)
{
    static const rec_type *const animation[] = {&nif_NiInterpolator, &nif_NiTimeController,
                                                &nif_NiKeyframeData, &nif_NiPosData,
                                                &nif_NiFloatData};
    if (strncmp(rec_type_name(block), "bhk", 3) == 0 || strncmp(rec_type_name(block), "hk", 2) == 0)
        return MODEL_COLLISION;
    if (block == &nif_BSClothExtraData)
        return MODEL_COLLISION | MODEL_GEOMETRY;
    for (size_t i = 0; i < REC_COUNT_OF(animation); i++)
        if (rec_is_a(block, animation[i]))
            return MODEL_ANIMATION;
    return block == &nif_opaque ? MODEL_ALL : MODEL_GEOMETRY;
}

static bool scales_other(const rec_type *type, int depth)
{
    if (depth > 8 || type == &nif_NiBV || type == &nif_xform || type == &nif_BSSkinBone ||
        type == &nif_BoneTranslation)
        return true;
    for (uint32_t i = 0; i < rec_row_count(type); i++) {
        const rec_field *row = rec_row(type, i);
        if (row->type && rec_row_type(row) != type && scales_other(rec_row_type(row), depth + 1))
            return true;
    }
    return false;
}

bool nif_scales_other(const rec_type *type)
{
    return scales_other(type, 0);
}

unsigned nif_scale_family_of(const rec_at *at, const rec_field *row, const rec_type *block,
                             unsigned outer)
{
    const rec_type *type = at->layout->type;
    if (rec_row_type(row) == &nif_NiBV)
        return MODEL_COLLISION;
    if (rec_row_type(row) == &nif_xform && rec_is_a(block, &nif_NiSkinData))
        return MODEL_GEOMETRY | MODEL_SKELETON;
    if (is(rec_row_name(row), "translation") &&
        (rec_is_a(type, &nif_NiNode) || type == &nif_BSSkinBone || type == &nif_BoneTranslation))
        return MODEL_GEOMETRY | MODEL_SKELETON;
    return outer;
}

bool nif_has_system(const rec_type *block)
{
    return block == &nif_bhkPhysicsSystem || block == &nif_bhkRagdollSystem;
}

const char *nif_scale_lacks(const rec_at *at)
{
    const rec_type *block = at->layout->type;
    if (block == &nif_opaque)
        return "nobody knows what is in blocks of this type: they stay as they are";
    if (block == &nif_BSClothExtraData)
        return "a packfile of cloth, which stays as it is";
    return NULL;
}

const char *nif_scale_elsewhere(const rec_at *block)
{
    enum { INTERNAL = 512 }; /* of a shape's flags */
    if (block->layout->type == &nif_BSGeometry && !(rec_int(block, "flags") & INTERNAL))
        return "its meshes lie in other files, which stay as they are";
    return NULL;
}
