/* Interprets a skeleton: bones in space, parents, and counterparts on the other side. formats/wolfire.md#3.3 */
#include "wolfire/phxbn.h"

#include "model/skeleton.h"

#include <math.h>

/* ---- the arrays --------------------------------------------------------------------------------- */

static lathe_result array_of(const rec_at *root, const char *name, const uint8_t **p,
                             uint64_t *count, lathe_error *err)
{
    rec_loc loc;
    lathe_result r = rec_find(root, rec_slot_find(root->layout, name), &loc, err);
    if (r != LATHE_OK)
        return r;
    *p = loc.present ? rec_part_of(root->doc, loc.part)->data + loc.data : NULL;
    if (count)
        *count = loc.present ? loc.count : 0;
    return LATHE_OK;
}

lathe_result phxbn_rig_of(lathe_doc *doc, uint32_t c, phxbn_rig *rig, lathe_error *err)
{
    rec_at root = rec_root(doc, c);
    struct {
        const char *name;
        const uint8_t **p;
        uint64_t *count;
    } const arrays[] = {
        {"points", &rig->points, &rig->point_count},
        {"point_parents", &rig->point_parents, NULL},
        {"bone_ends", &rig->ends, &rig->bone_count},
        {"bone_parents", &rig->parents, NULL},
        {"bone_mass", &rig->mass, NULL},
        {"bone_com", &rig->com, NULL},
        {"weights", &rig->weights, &rig->corner_count},
        {"bone_ids", &rig->ids, NULL},
        {"hier_parents", &rig->hier, NULL},
    };
    lathe_result r = LATHE_OK;
    for (size_t i = 0; r == LATHE_OK && i < sizeof arrays / sizeof arrays[0]; i++)
        r = array_of(&root, arrays[i].name, arrays[i].p, arrays[i].count, err);
    return r;
}

int32_t phxbn_i32(const uint8_t *array, uint64_t i)
{
    return (int32_t)bytes_ld32(array + 4 * i, false);
}

double phxbn_f32(const uint8_t *array, uint64_t i)
{
    return bytes_f32_widen(bytes_ld32(array + 4 * i, false));
}

static vec3 vec3_at(const uint8_t *array, uint64_t i)
{
    return (vec3){phxbn_f32(array, 3 * i), phxbn_f32(array, 3 * i + 1),
                  phxbn_f32(array, 3 * i + 2)};
}

/* ---- bones in space ------------------------------------------------------------------------------- */

static bool point_of(const phxbn_rig *rig, uint64_t end, vec3 *out)
{
    int32_t point = phxbn_i32(rig->ends, end);
    if (point < 0 || (uint64_t)point >= rig->point_count)
        return false;
    *out = vec3_at(rig->points, (uint64_t)point);
    return true;
}

bool phxbn_ends_of(const phxbn_rig *rig, uint64_t bone, vec3 *start, vec3 *finish)
{
    return point_of(rig, 2 * bone, start) && point_of(rig, 2 * bone + 1, finish);
}

mat4 phxbn_matrix(vec3 start, vec3 finish)
{
    mat4 m = mat4_identity();
    vec3 middle = vec3_scale(vec3_add(start, finish), 0.5);
    vec3 z = vec3_normalize(vec3_sub(finish, start)), up = {0, 0, 1};
    if (fabs(vec3_dot(up, z)) > 0.95)
        up = (vec3){1, 0, 0};
    vec3 x = vec3_normalize(vec3_cross(up, z)), y = vec3_normalize(vec3_cross(z, x));
    const vec3 columns[4] = {x, y, z, middle};
    for (int i = vec3_length(z) > 0 ? 0 : 3; i < 4; i++) { /* a bone of length 0 has no rotation */
        m.m[i][0] = columns[i].x;
        m.m[i][1] = columns[i].y;
        m.m[i][2] = columns[i].z;
    }
    return m;
}

void phxbn_ending(const phxbn_rig *rig, int32_t *ending)
{
    for (uint64_t i = 0; i < rig->point_count; i++)
        ending[i] = -1;
    for (uint64_t bone = rig->bone_count; bone-- > 0;) {
        int32_t point = phxbn_i32(rig->ends, 2 * bone + 1);
        if (point >= 0 && (uint64_t)point < rig->point_count)
            ending[point] = (int32_t)bone;
    }
}

int32_t phxbn_parent(const phxbn_rig *rig, const int32_t *ending, uint64_t bone)
{
    if (rig->hier)
        return phxbn_i32(rig->hier, bone);
    if (rig->parents)
        return phxbn_i32(rig->parents, bone);
    int32_t start = phxbn_i32(rig->ends, 2 * bone);
    bool there = start >= 0 && (uint64_t)start < rig->point_count;
    return there && ending && ending[start] != (int32_t)bone ? ending[start] : -1;
}

bool phxbn_has_above(const phxbn_rig *rig, const int32_t *ending, int32_t bone, int64_t count)
{
    while (bone >= 0 && (uint64_t)bone < rig->bone_count && count-- > 0)
        bone = phxbn_parent(rig, ending, (uint64_t)bone);
    return bone >= 0 && (uint64_t)bone < rig->bone_count;
}

/* ---- the other side --------------------------------------------------------------------------------- */

/* The game's own tolerance: 1 cm. */
static bool mirrored(vec3 a, vec3 b)
{
    vec3 d = {a.x + b.x, a.y - b.y, a.z - b.z};
    return vec3_dot(d, d) < 0.0001;
}

static int32_t mirror_of(const phxbn_rig *rig, uint64_t bone)
{
    vec3 start, finish, other_start, other_finish;
    if (!phxbn_ends_of(rig, bone, &start, &finish))
        return -1;
    for (uint64_t other = rig->bone_count; other-- > 0;) /* the last match is used */
        if (phxbn_ends_of(rig, other, &other_start, &other_finish) &&
            mirrored(start, other_start) && mirrored(finish, other_finish))
            return (int32_t)other;
    return -1;
}

void phxbn_symmetry(const phxbn_rig *rig, int32_t *mirror)
{
    for (uint64_t bone = 0; bone < rig->bone_count; bone++)
        mirror[bone] = rig->bone_count <= PHXBN_MANY ? mirror_of(rig, bone) : -1;
}

/* ---- IK bones ----------------------------------------------------------------------------------------- */

bool phxbn_ik_at(lathe_doc *doc, uint32_t c, uint64_t i, phxbn_ik *out)
{
    rec_at root = rec_root(doc, c), ik;
    uint32_t slot = rec_slot_find(root.layout, "ik_bones");
    rec_loc loc;
    lathe_value name;
    if (rec_find(&root, slot, &loc, NULL) != LATHE_OK || !loc.present || i >= loc.count ||
        rec_sub(&root, slot, i, &ik, NULL) != LATHE_OK ||
        rec_get(&ik, rec_slot_find(ik.layout, "name"), true, &name, NULL) != LATHE_OK)
        return false;
    *out = (phxbn_ik){.bone = (int32_t)rec_int(&ik, "bone_id"),
                      .chain = (int32_t)rec_int(&ik, "chain_length"),
                      .name = name.as.s.p,
                      .size = name.as.s.n};
    return true;
}

bool phxbn_ik_find(lathe_doc *doc, uint32_t c, const char *name, phxbn_ik *out)
{
    phxbn_ik ik;
    bool found = false;
    for (uint64_t i = 0; phxbn_ik_at(doc, c, i, &ik); i++)
        if (ik.size == strlen(name) && memcmp(ik.name, name, ik.size) == 0) {
            *out = ik;
            found = true;
        }
    return found;
}

/* ---- the skeleton ----------------------------------------------------------------------------------- */

typedef struct work {
    const phxbn_rig *rig;
    int32_t *ending, *mirror;
    model_skeleton *out;
} work;

static void put_pose(model_bone *bone, const mat4 *m)
{
    vec3 t, s;
    quat q;
    mat4_decompose(m, &t, &q, &s);
    const double pose[MODEL_POSE] = {t.x, t.y, t.z, q.x, q.y, q.z, q.w, 1, 1, 1};
    memcpy(bone->pose, pose, sizeof pose);
}

static lathe_result fill_bone(const work *w, uint64_t i, lathe_error *err)
{
    model_bone *bone = &w->out->bones[i];
    vec3 start, finish;
    mat4 m, parent;
    if (!phxbn_ends_of(w->rig, i, &start, &finish))
        return error_set(err, LATHE_ERR_INVALID, LATHE_NO_OFFSET,
                         "bone %llu lies between points that are not there", (unsigned long long)i);
    bone->parent = phxbn_parent(w->rig, w->ending, i);
    bone->mirror = w->mirror[i];
    m = phxbn_matrix(start, finish);
    if (bone->parent >= 0 && (uint64_t)bone->parent < w->rig->bone_count &&
        phxbn_ends_of(w->rig, (uint64_t)bone->parent, &start, &finish)) {
        parent = phxbn_matrix(start, finish);
        if (mat4_invert(&parent, &parent))
            m = mat4_mul(&parent, &m);
    }
    put_pose(bone, &m);
    return LATHE_OK;
}

static lathe_result name_bones(lathe_doc *doc, model_skeleton *out, lathe_error *err)
{
    phxbn_ik ik;
    for (uint64_t i = 0; phxbn_ik_at(doc, 0, i, &ik); i++) {
        if (ik.bone < 0 || (uint64_t)ik.bone >= out->bone_count)
            continue;
        const char *name = model_skeleton_text(out, ik.name, ik.size);
        if (!name)
            return rec_no_memory(err);
        out->bones[ik.bone].name = name;
    }
    return LATHE_OK;
}

lathe_result phxbn_skeleton(lathe_doc *doc, uint64_t i, model_skeleton *skeleton, lathe_error *err)
{
    phxbn_rig rig;
    if (i > 0)
        return error_set(err, LATHE_ERR_NAME, LATHE_NO_OFFSET, "no skeleton %llu of 1",
                         (unsigned long long)i + 1);
    lathe_result r = phxbn_rig_of(doc, 0, &rig, err);
    if (r == LATHE_OK)
        r = model_skeleton_alloc(skeleton, (size_t)rig.bone_count, err);
    if (r != LATHE_OK)
        return r;
    skeleton->source = lathe_doc_root(doc);
    skeleton->metres = 1;
    skeleton->front = (vec3){0, 0, 1}; /* heads and feet point there, and tails away from it */
    size_t size = (size_t)(rig.point_count + rig.bone_count) * sizeof(int32_t);
    int32_t *numbers = mem_alloc(&doc->mem, size ? size : 1);
    if (!numbers)
        return rec_no_memory(err);
    work w = {&rig, numbers, numbers + rig.point_count, skeleton};
    phxbn_ending(&rig, w.ending);
    phxbn_symmetry(&rig, w.mirror);
    for (uint64_t bone = 0; r == LATHE_OK && bone < rig.bone_count; bone++)
        r = fill_bone(&w, bone, err);
    mem_free(&doc->mem, numbers, size ? size : 1);
    return r == LATHE_OK ? name_bones(doc, skeleton, err) : r;
}
