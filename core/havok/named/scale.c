/* doc:scale of containers that describe their own classes: rows have their powers by name (facts.h), and what no power
 * says is here by the names of class and member. What nobody knows stays, and is told. */
#include "havok/named/scale.h"
#include "havok/animation/scale_clip.h"
#include "havok/named/facts.h"
#include "havok/objects/objects.h"
#include "model/scale.h"

#include <stdio.h>
#include <string.h>

enum { MOST_TOLD = 32 };

typedef struct told { /* classes and rows that nobody knows, and that were told */
    const void *all[MOST_TOLD];
    size_t n;
} told;

typedef struct scaling {
    scene_scaling walk;
    const model_scale *how;
    uint8_t *of_ragdoll; /* of each part, whether it is the skeleton of one */
    size_t parts;
    told *told;
} scaling;

/* Once for each; only so many. */
static bool is_told(told *t, const void *what)
{
    for (size_t i = 0; i < t->n; i++)
        if (t->all[i] == what)
            return true;
    if (t->n == MOST_TOLD)
        return true;
    t->all[t->n++] = what;
    return false;
}

/* ---- members that are of several powers ------------------------------------------------------------------- */

typedef struct special {
    const char *class_name, *row;
    uint64_t size; /* of an element */
    uint64_t n;    /* how many there must be; 0: any number */
    unsigned period;
    int8_t power[20];
} special;

static const special specials[] = {
    {"hkpMotion", "inertia_and_mass_inv", 16, 0, 4, {-5, -5, -5, -3}},
    /* centre of mass before and now, rotation before and now, local centre of mass */
    {"hkMotionState", "swept_transform", 16, 5, 20, {1, 1, 1, 0, 1, 1, 1, 0, 0, 0,
                                                     0, 0, 0, 0, 0, 0, 1, 1, 1, 0}},
    {"hkpConvexVerticesShape", "plane_equations", 16, 0, 4, {0, 0, 0, 1}},
    {"hkpConvexVerticesShape", "rotated_vertices", 48, 0, 4, {1, 1, 1, 1}},
    {"hkaBoneAttachment",
     "bone_from_attachment",
     64,
     0,
     16,
     {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 0}},
    /* four boxes: w is a lane like the others */
    {"hkcdFourAabb", "lx", 16, 0, 4, {1, 1, 1, 1}},
    {"hkcdFourAabb", "hx", 16, 0, 4, {1, 1, 1, 1}},
    {"hkcdFourAabb", "ly", 16, 0, 4, {1, 1, 1, 1}},
    {"hkcdFourAabb", "hy", 16, 0, 4, {1, 1, 1, 1}},
    {"hkcdFourAabb", "lz", 16, 0, 4, {1, 1, 1, 1}},
    {"hkcdFourAabb", "hz", 16, 0, 4, {1, 1, 1, 1}},
};

static const special *special_of(const rec_at *at, const rec_slot *sl)
{
    for (size_t i = 0; i < REC_COUNT_OF(specials); i++) {
        const special *p = &specials[i];
        if (strcmp(rec_row_name(sl->row), p->row) == 0 && sl->elem == p->size &&
            (!p->n || sl->row->n == p->n) && hk_is(at, p->class_name))
            return p;
    }
    return NULL;
}

/* What forces move weighs as much as before. */
static int mass_kept(const scaling *s, const special *p, int power)
{
    return s->how->keep_mass && strcmp(p->row, "inertia_and_mass_inv") == 0 ? power + 3 : power;
}

static void put_special(const scaling *s, const special *p, scene_scale_row *out)
{
    out->leaf = true;
    out->kind = REC_F32;
    out->lanes = (unsigned)(p->size / 4);
    out->period = p->period;
    for (unsigned i = 0; i < p->period; i++)
        out->by[i] = scene_scale_by(&s->walk, mass_kept(s, p, p->power[i]));
}

/* ---- rows ------------------------------------------------------------------------------------------------- */

/* Rows get a line of documentation with whatever else is known of them. */
static bool is_known(const rec_field *row)
{
    return rec_row_doc(row) && *rec_row_doc(row);
}

static bool is_real(const rec_field *row)
{
    return row->kind == REC_F32 || row->kind == REC_F64 || row->kind == REC_F16 ||
           row->kind == REC_F16_UPPER;
}

static void tell_row(const scaling *s, const rec_at *at, uint32_t slot, const char *why)
{
    if (!is_told(s->told, at->layout->slots[slot].row))
        scene_scale_skip(&s->walk, at, slot, why);
}

/* Numbers in a row: sixteen of them are the columns of a rotation and a translation. */
static bool scale_numbers(const scaling *s, const rec_at *at, uint32_t slot, int power,
                          scene_scale_row *out)
{
    const rec_slot *sl = rec_slot_of(at, slot);
    bool columns =
        sl->row->n == 16 && !power && sl->row->unit && strcmp(rec_row_unit(sl->row), "m") == 0;
    if (!power && !columns)
        return false;
    if (sl->row->kind != REC_F32 && sl->row->kind != REC_F16) {
        tell_row(s, at, slot, "numbers of this kind stay as they are");
        return false;
    }
    out->leaf = true;
    out->kind = sl->row->kind;
    out->lanes = 1;
    out->period = columns ? 16 : 1;
    for (unsigned i = 0; i < out->period; i++)
        out->by[i] =
            columns && (i < 12 || i > 14) ? 1 : scene_scale_by(&s->walk, columns ? 1 : power);
    return true;
}

static bool scale_row(const scene_scaling *walk, const rec_at *at, uint32_t slot, int outer,
                      scene_scale_row *out)
{
    const scaling *s = walk->user;
    const rec_slot *sl = rec_slot_of(at, slot);
    const rec_field *row = sl->row;
    int power = scene_scale_power(row, outer);
    bool record = row->kind == REC_RECORD, vector = record && sl->sub && rec_lanes(sl->sub->type);
    const special *p = record || is_real(row) ? special_of(at, sl) : NULL;
    if (p) {
        put_special(s, p, out);
        return true;
    }
    if ((is_real(row) || vector) && !outer && !is_known(row)) {
        tell_row(s, at, slot, "nobody knows what it is: it stays as it is");
        return false;
    }
    if (is_real(row))
        return scale_numbers(s, at, slot, power, out);
    if (!record || !sl->sub)
        return false;
    out->power = power;
    if (power && scene_scale_flat(walk, sl->sub, power, out))
        return out->counted > 0;
    out->leaf = false;
    return !vector || power;
}

/* ---- objects ---------------------------------------------------------------------------------------------- */

static bool begins(const char *name, const char *with)
{
    return strncmp(name, with, strlen(with)) == 0;
}

/* By the first of its bases that is Havok's: games derive classes of their own. */
static unsigned kind_of(const scaling *s, const rec_at *object)
{
    for (const rec_type *t = object->layout->type; t; t = rec_type_base(t)) {
        if (begins(rec_type_name(t), "hknp") || begins(rec_type_name(t), "hkp"))
            return MODEL_COLLISION;
        if (begins(rec_type_name(t), "hcl"))
            return MODEL_COLLISION | MODEL_GEOMETRY;
        if (begins(rec_type_name(t), "hkx"))
            return MODEL_GEOMETRY;
        if (begins(rec_type_name(t), "hkaSkeleton"))
            return s->of_ragdoll[object->part] ? MODEL_COLLISION | MODEL_SKELETON : MODEL_SKELETON;
        if (begins(rec_type_name(t), "hka"))
            return MODEL_ANIMATION;
    }
    return MODEL_ALL;
}

/* Whether more is known of a class than that it is an object. */
static bool is_class_known(const rec_type *type)
{
    hk_known known;
    for (const rec_type *t = type; t; t = rec_type_base(t))
        if (strcmp(rec_type_name(t), "hkReferencedObject") != 0 &&
            hk_known_class(rec_type_name(t), &known))
            return true;
    return false;
}

/* Whether a mesh shape has corners that are floats among bytes, which no row tells of. */
static bool has_float_sections(const rec_at *shape)
{
    enum { NO_GRID = 0x7FFFFFFF };
    uint32_t slot;
    uint64_t n;
    rec_at section;
    bytes_array offset;
    if (!hk_is(shape, "hknpMeshShape") ||
        hk_find_records(shape, "geometry_sections", &slot, &n, NULL) != LATHE_OK)
        return false;
    for (uint64_t i = 0; i < n && rec_sub(shape, slot, i, &section, NULL) == LATHE_OK; i++)
        if (hk_elements(&section, "section_offset", 4, &offset, NULL) == LATHE_OK && offset.count &&
            bytes_ld32(offset.bytes, hk_is_big(&section)) == NO_GRID)
            return true;
    return false;
}

/* Why an object stays; NULL: it can be scaled, or has no lengths. */
static const char *lacks(const rec_at *object, char *text, size_t size)
{
    static const struct {
        const char *class_name, *why;
    } stays[] = {
        {"hkpMoppCode", "hkpMoppCode: a tree over triangles of the old size stays as it is"},
    };
    for (size_t i = 0; i < REC_COUNT_OF(stays); i++)
        if (hk_is(object, stays[i].class_name))
            return stays[i].why;
    if (has_float_sections(object))
        return "a mesh with corners that are floats stays as it is";
    if (is_class_known(object->layout->type))
        return NULL;
    snprintf(text, size, "nobody knows what is in a %.64s: each stays as it is",
             rec_type_name(object->layout->type));
    return text;
}

static bool has_motion(const rec_at *object)
{
    return hk_is(object, "hkaSplineCompressedAnimation") ||
           hk_is(object, "hkaInterleavedUncompressedAnimation") ||
           hk_is(object, "hkaLosslessCompressedAnimation");
}

static lathe_result scale_object(scaling *s, uint32_t part, lathe_error *err)
{
    char text[160];
    bool opens;
    rec_at object = hk_object(s->walk.doc, part);
    lathe_result r = hk_object_look(s->walk.doc, part, &opens, err);
    if (r != LATHE_OK)
        return r;
    unsigned kind = kind_of(s, &object);
    if (!(kind & s->walk.wanted) || hk_is(&object, "hkaDefaultAnimatedReferenceFrame"))
        return LATHE_OK;
    const char *reason =
        opens ? lacks(&object, text, sizeof text) : "it does not parse, and stays as it is";
    if (reason && (reason != text || !is_told(s->told, object.layout->type)))
        scene_scale_skip(&s->walk, &object, REC_NO_SLOT, reason);
    if (reason)
        return LATHE_OK;
    bool done = true;
    r = hk_is(&object, "hkaSplineCompressedAnimation")
            ? hk_scale_spline(&s->walk, &object, &done, err)
            : scene_scale_record(&s->walk, &object, kind, err);
    uint32_t motion =
        done && has_motion(&object) ? hk_target(&object, "extracted_motion", 0) : REC_NO_PART;
    if (r != LATHE_OK || motion == REC_NO_PART || !hk_object_opens(object.doc, motion))
        return r;
    object = hk_object(object.doc, motion);
    return scene_scale_record(&s->walk, &object, MODEL_ANIMATION, err);
}

static bool find_ragdolls(scaling *s, uint32_t c)
{
    lathe_doc *doc = s->walk.doc;
    uint64_t n;
    const uint32_t *objects = hk_object_list(doc, c, &n);
    s->parts = doc->parts_n;
    s->of_ragdoll = mem_zalloc(&doc->mem, s->parts);
    for (uint64_t i = 0; s->of_ragdoll && i < n; i++) {
        rec_at object = hk_object(doc, objects[i]);
        uint32_t part = hk_object_is(doc, objects[i], "hkaRagdollInstance")
                            ? hk_target(&object, "skeleton", 0)
                            : REC_NO_PART;
        if (part != REC_NO_PART)
            s->of_ragdoll[part] = 1;
    }
    return s->of_ragdoll != NULL;
}

static lathe_result scale_all(scaling *s, uint32_t c, lathe_error *err)
{
    uint64_t n;
    lathe_result r = LATHE_OK;
    const uint32_t *objects = hk_object_list(s->walk.doc, c, &n);
    for (uint64_t i = 0; r == LATHE_OK && i < n; i++)
        r = scale_object(s, objects[i], err);
    return r == LATHE_OK ? scene_scale_write(&s->walk, err) : r;
}

lathe_result hk_scale_named(lathe_view self, const lathe_source *args, lathe_report *report,
                            lathe_error *err)
{
    model_scale how;
    told list = {.n = 0};
    const rec_layout *root = self.type;
    lathe_result r = model_scale_args(args, &how, err);
    if (r == LATHE_OK && how.uneven)
        return error_set(err, LATHE_ERR_UNSUPPORTED, LATHE_NO_OFFSET,
                         "collision of this format is scaled by one factor alone");
    if (r != LATHE_OK)
        return r;
    scaling s = {.walk = {.doc = self.doc,
                          .report = report,
                          .wanted = how.wanted,
                          .none = 0x1.FFFFDCp127, /* of what has no limit */
                          .row = scale_row},
                 .how = &how,
                 .told = &list};
    s.walk.user = &s;
    if (!find_ragdolls(&s, root->container))
        return rec_no_memory(err);
    scene_scale_begin(&s.walk, how.factor);
    r = scale_all(&s, root->container, err);
    scene_scale_end(&s.walk);
    mem_free(&self.doc->mem, s.of_ragdoll, s.parts);
    return r;
}

static const rec_param what = {
    .name = "what",
    .doc = "What is scaled. collision: bodies, shapes, joints and the skeletons of ragdolls. "
           "skeleton: rest poses of all skeletons, and what maps them. animation: "
           "translations of all tracks, with their root motion. geometry: nothing. Default: all.",
    .kind = LATHE_PARAM_TEXT,
    .values = model_scale_words};
const rec_param *const hk_scale_params[] = {&model_scale_param_factor, &what,
                                            &model_scale_param_mass, NULL};

const char hk_scale_doc[] =
    "Multiplies lengths; masses and inertia follow. What cannot be scaled is told.";
