/* doc:scale of packfiles: one walk over all objects that multiplies what their rows mark with a power. */
#include "havok/scale.h"
#include "gen/animation_types.h"

#include "havok/animation/mapper.h"
#include "havok/animation/scale_clip.h"
#include "havok/animation/types.h"
#include "havok/named/classes.h"
#include "havok/packfile/packfile.h"
#include "havok/physics/convex.h"
#include "havok/physics/joint.h"
#include "havok/physics/packed.h"
#include "havok/physics/scale_axes.h"
#include "havok/physics/types.h"
#include "scene/scale.h"

#include <math.h>
#include <stdio.h>

enum { MOST_TOLD = 32 };

typedef struct scaling {
    scene_scaling walk;
    const model_scale *how;
    hk_axes axes; /* where their factors differ */
    uint32_t container;
    uint8_t *of_ragdoll; /* of each part, whether it is the skeleton of one */
    size_t parts;
    const char *told[MOST_TOLD]; /* classes that nobody knows, and that were told */
    size_t told_count;
} scaling;

/* ---- what no row says --------------------------------------------------------------------------------------- */

/* Whether rows of a type are masses of moving bodies: each is looked at. */
static bool is_of_mass(const rec_type *type)
{
    return type == &hknp_motion_cinfo || type == &hk_vector4_inverses;
}

/* What the masses of moving bodies go by is chosen; those of shapes are always those of density 1. */
static int power_of(const scaling *s, const rec_at *at, const rec_field *row, int outer)
{
    int power = scene_scale_power(row, outer);
    if (at->layout->type == &hkp_linked_collidable && power &&
        hk_number(at, "allowed_penetration_depth") < 0)
        return 0; /* the game chooses it */
    if (!s->how->keep_mass || !is_of_mass(at->layout->type))
        return power;
    if (strcmp(rec_row_name(row), "mass_factor") == 0) /* a density, of what has any mass */
        return rec_slot_real(at, rec_slot_find(at->layout, "inverse_mass")) != 0 ? -3 : 0;
    return power <= -3 ? power + 3 : power;
}

/* Planes that fill up a multiple of four may be anything. */
static uint64_t most_of(const rec_at *at, const rec_field *row)
{
    rec_loc faces;
    uint32_t slot;
    if (rec_row_type(row) != &hknp_convex_plane)
        return UINT64_MAX;
    slot = rec_slot_find(at->layout, "faces");
    return rec_find(at, slot, &faces, NULL) == LATHE_OK && faces.present ? faces.count : 0;
}

static bool turn_packed(const uint8_t *from, uint8_t *to, const double *by, bool big)
{
    uint16_t packed[4];
    double v[3];
    bool finite = true;
    for (int i = 0; i < 4; i++)
        packed[i] = bytes_ld16(from + 2 * i, big);
    hk_unpack_vector3(packed, v);
    for (int i = 0; i < 3; i++) {
        finite = finite && isfinite(v[i]);
        v[i] *= by[0];
    }
    if (!finite || (v[0] == 0 && v[1] == 0 && v[2] == 0))
        return true; /* stays */
    if (!hk_pack_vector3(v, packed))
        return false;
    for (int i = 0; i < 4; i++)
        bytes_st(to + 2 * i, packed[i], 2, big);
    return true;
}

/* Whether any row of a type, or below, is scaled. Types hold each other to a small depth. */
static bool scales(const rec_type *type, int depth)
{
    if (depth > 8 || is_of_mass(type))
        return true;
    for (uint32_t i = 0; i < rec_row_count(type); i++) {
        const rec_field *row = rec_row(type, i);
        if (row->power || (row->kind == REC_RECORD && row->type && !rec_unstored(row) &&
                           scales(rec_row_type(row), depth + 1)))
            return true;
    }
    return false;
}

static bool scale_row(const scene_scaling *walk, const rec_at *at, uint32_t slot, int outer,
                      scene_scale_row *out)
{
    const scaling *s = walk->user;
    const rec_slot *sl = rec_slot_of(at, slot);
    const rec_field *row = sl->row;
    if (s->how->uneven)
        return hk_axes_row(&s->axes, walk, at, slot, outer, out);
    int power = power_of(s, at, row, outer);
    if (row->kind == REC_F32 || rec_row_type(row) == &hk_packed_vector3) {
        out->leaf = true;
        out->kind = REC_F32;
        out->lanes = out->period = 1;
        out->by[0] = scene_scale_by(walk, power);
        if (row->kind != REC_F32) {
            out->turn = turn_packed;
            out->width = 8;
        }
        return power != 0;
    }
    if (row->kind != REC_RECORD || (!power && !scales(rec_row_type(row), 0)))
        return false;
    out->power = power;
    out->most = most_of(at, row);
    if (!is_of_mass(rec_row_type(row)) && scene_scale_flat(walk, sl->sub, power, out))
        return out->counted > 0;
    return true;
}

/* ---- objects ------------------------------------------------------------------------------------------------ */

static bool begins(const char *name, const char *with)
{
    return strncmp(name, with, strlen(with)) == 0;
}

static unsigned kind_of(const scaling *s, const rec_at *object, const char *name)
{
    if (begins(name, "hknp") || begins(name, "hkp") || begins(name, "hkRefCounted"))
        return MODEL_COLLISION;
    if (begins(name, "hcl"))
        return MODEL_COLLISION | MODEL_GEOMETRY;
    if (begins(name, "hkaSkeleton"))
        return s->of_ragdoll[object->part] ? MODEL_COLLISION | MODEL_SKELETON : MODEL_SKELETON;
    return begins(name, "hka") ? MODEL_ANIMATION : MODEL_ALL;
}

static bool is_marked(const rec_at *object)
{
    return hk_lengths_known(rec_type_name(object->layout->type),
                            object->doc->containers[object->layout->container].version);
}

/* What is told of objects that stay; NULL: they can be scaled, or have no lengths. */
static const char *lacks(const rec_at *object, const char *name, char *text, size_t size)
{
    const lathe_error *problem = rec_part_of(object->doc, object->part)->problem;
    bool opaque = object->layout->type == &hk_opaque;
    if (!opaque && is_marked(object))
        return NULL;
    if (begins(name, "hcl"))
        return "cloth, which stays as it is, with all of its kind";
    if (problem && problem->code != LATHE_ERR_UNSUPPORTED)
        return "it does not parse, and stays as it is";
    snprintf(text, size,
             opaque ? "nobody knows what is in a %.64s: each stays as it is"
                    : "lathe does not know the lengths in %.64s: each stays as it is",
             name);
    return text;
}

/* Objects of a class that nobody knows are told once, for all of them. */
static bool is_told(scaling *s, const rec_at *object, const char *name)
{
    const lathe_error *problem = rec_part_of(s->walk.doc, object->part)->problem;
    if (problem && problem->code != LATHE_ERR_UNSUPPORTED)
        return false;
    for (size_t i = 0; i < s->told_count; i++)
        if (strcmp(s->told[i], name) == 0)
            return true;
    if (s->told_count < MOST_TOLD)
        s->told[s->told_count++] = name;
    return false;
}

/* Root motion is as long as the steps of its animation, which may have to stay as they are. */
static lathe_result scale_motion(scaling *s, const rec_at *animation, lathe_error *err)
{
    uint32_t part = hk_target(animation, "extracted_motion", 0);
    if (part == REC_NO_PART)
        return LATHE_OK;
    rec_at motion = hk_object(animation->doc, part);
    return motion.layout->type == &hka_default_animated_reference_frame
               ? scene_scale_record(&s->walk, &motion, MODEL_ANIMATION, err)
               : LATHE_OK;
}

static lathe_result scale_object(scaling *s, uint32_t part, lathe_error *err)
{
    char text[128];
    rec_at object = hk_object(s->walk.doc, part);
    const rec_type *type = object.layout->type;
    const char *name = type == &hk_opaque ? hk_class_of(object.doc, part) : rec_type_name(type);
    if (!name)
        return rec_no_memory(err);
    unsigned kind = kind_of(s, &object, name);
    if (!(kind & s->walk.wanted) || type == &hka_default_animated_reference_frame)
        return LATHE_OK;
    const char *reason = lacks(&object, name, text, sizeof text);
    if (reason && !is_told(s, &object, name))
        scene_scale_skip(&s->walk, &object, REC_NO_SLOT, reason);
    if (reason)
        return LATHE_OK;
    if (s->how->uneven && type == &hknp_shape_mass_properties)
        return LATHE_OK; /* its shape knows more */
    bool moves = type == &hka_spline_compressed_animation ||
                 type == &hka_interleaved_uncompressed_animation ||
                 type == &hka_lossless_compressed_animation,
         done = true;
    lathe_result r = type == &hka_spline_compressed_animation
                         ? hk_scale_spline(&s->walk, &object, &done, err)
                         : scene_scale_record(&s->walk, &object, kind, err);
    if (r == LATHE_OK && s->how->uneven && type == &hknp_convex_polytope_shape)
        return hk_axes_hull(&s->axes, &s->walk, &object, err);
    return r == LATHE_OK && moves && done ? scale_motion(s, &object, err) : r;
}

static bool find_ragdolls(scaling *s, const uint32_t *objects, uint64_t n)
{
    lathe_doc *doc = s->walk.doc;
    s->parts = doc->parts_n;
    s->of_ragdoll = mem_zalloc(&doc->mem, s->parts);
    for (uint64_t i = 0; s->of_ragdoll && i < n; i++) {
        rec_at object = hk_object(doc, objects[i]);
        bool ragdoll = object.layout->type == &hknp_ragdoll_data ||
                       object.layout->type == &hka_ragdoll_instance;
        uint32_t part = ragdoll ? hk_target(&object, "skeleton", 0) : REC_NO_PART;
        if (part != REC_NO_PART)
            s->of_ragdoll[part] = 1;
    }
    return s->of_ragdoll != NULL;
}

/* Refuses what maps skeletons that are not there, and joints without bodies: nobody could tell what they are scaled
 * with. */
static lathe_result check_links(const scaling *s, const uint32_t *objects, uint64_t n,
                                lathe_error *err)
{
    hk_faults faults = {.tell = hk_fault_refused, .err = err, .result = LATHE_OK};
    for (uint64_t i = 0; faults.result == LATHE_OK && i < n; i++) {
        if ((s->walk.wanted & MODEL_SKELETON) &&
            hk_object_is(s->walk.doc, objects[i], "hkaSkeletonMapper")) {
            rec_at mapper = hk_object(s->walk.doc, objects[i]);
            hk_mapper_faults(&mapper, &faults);
        } else if ((s->walk.wanted & MODEL_COLLISION) &&
                   hk_object_is(s->walk.doc, objects[i], "hkpConstraintInstance")) {
            rec_at joint = hk_object(s->walk.doc, objects[i]);
            hk_joint_faults(&joint, &faults);
        }
    }
    return faults.result;
}

lathe_result hk_scale_objects(lathe_doc *doc, uint32_t c, const model_scale *how,
                              lathe_report *report, lathe_error *err)
{
    uint64_t n;
    lathe_result r = LATHE_OK;
    scaling s = {.walk = {.doc = doc,
                          .report = report,
                          .wanted = how->wanted,
                          .none = 0x1.FFFFDCp127, /* of empty boxes; the largest is next to it */
                          .row = scale_row},
                 .how = how,
                 .container = c};
    const uint32_t *objects = hk_object_list(doc, c, &n);
    s.walk.user = &s;
    r = check_links(&s, objects, n, err);
    if (r != LATHE_OK)
        return r;
    if (!find_ragdolls(&s, objects, n))
        return rec_no_memory(err);
    scene_scale_begin(&s.walk, how->uneven ? 2 : how->factor); /* what is not 1 marks lengths */
    if (how->uneven)
        r = hk_axes_begin(&s.axes, doc, c, how->axes, err);
    for (uint64_t i = 0; r == LATHE_OK && i < n; i++)
        r = scale_object(&s, objects[i], err);
    if (r == LATHE_OK)
        r = scene_scale_write(&s.walk, err);
    scene_scale_end(&s.walk);
    if (how->uneven)
        hk_axes_end(&s.axes);
    mem_free(&doc->mem, s.of_ragdoll, s.parts);
    return r;
}

/* ---- the verb ----------------------------------------------------------------------------------------------- */

lathe_result hk_scale(lathe_view self, const lathe_source *args, lathe_report *report,
                      lathe_error *err)
{
    model_scale how;
    const rec_layout *root = self.type;
    lathe_result r = model_scale_args(args, &how, err);
    return r == LATHE_OK ? hk_scale_objects(self.doc, root->container, &how, report, err) : r;
}
