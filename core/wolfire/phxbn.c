/* PHXBN (.phxbn): the schema, and opening. Reference: formats/wolfire.md#3. */
#include "wolfire/phxbn.h"
#include "scene/hooks.h"

/* ---- what the rows depend on ---------------------------------------------------------------------- */

static const rec_container *container_of(const rec_at *at)
{
    return &at->doc->containers[at->layout->container];
}

static bool opaque(const rec_at *root)
{
    const rec_container *c = container_of(root);
    return c->version < PHXBN_NEWEST && c->param == PHXBN_OPAQUE;
}

/* Whether that stage has weights, a hierarchy and joints. */
static bool stage_weighted(int64_t stage)
{
    return stage == 1 || stage == 2; /* the game takes 2 for 1 */
}

bool phxbn_weighted(const rec_at *root)
{
    return stage_weighted(rec_int(root, "rigging_stage")) && !opaque(root);
}

static bool has_ik(const rec_at *root)
{
    return !opaque(root);
}

static bool never(const rec_at *root)
{
    (void)root;
    return false;
}

static uint64_t stop_count(const rec_at *joint)
{
    int64_t type = rec_int(joint, "type");
    return type == PHXBN_HINGE ? 2 : type == PHXBN_AMOTOR ? 6 : 0;
}

static bool has_stops(const rec_at *joint)
{
    return stop_count(joint) > 0;
}

/* Version 5 stores no version: its first number is the stage. */
static lathe_result get_version(const rec_at *at, const rec_field *row, lathe_value *out,
                                lathe_error *err)
{
    (void)row;
    (void)err;
    *out = (lathe_value){.kind = LATHE_KIND_INT, .as.i = container_of(at)->version};
    return LATHE_OK;
}

static lathe_result get_laid_out_as(const rec_at *at, const rec_field *row, lathe_value *out,
                                    lathe_error *err)
{
    int64_t layout = container_of(at)->version;
    (void)row;
    (void)err;
    *out = (lathe_value){.kind = LATHE_KIND_NONE};
    if (rec_int(at, "version") != layout)
        *out = (lathe_value){.kind = LATHE_KIND_INT, .as.i = layout};
    return LATHE_OK;
}

static lathe_result get_unknown(const rec_at *at, const rec_field *row, lathe_value *out,
                                lathe_error *err)
{
    (void)row;
    (void)err;
    *out = (lathe_value){.kind = LATHE_KIND_NONE};
    if (opaque(at))
        *out = (lathe_value){.kind = LATHE_KIND_BOOL, .as.b = true};
    return LATHE_OK;
}

static lathe_result get_corners(const rec_at *at, const rec_field *row, lathe_value *out,
                                lathe_error *err)
{
    (void)row;
    (void)err;
    *out = (lathe_value){.kind = LATHE_KIND_NONE};
    if (phxbn_weighted(at) && container_of(at)->version < PHXBN_NEWEST)
        *out = (lathe_value){.kind = LATHE_KIND_INT, .as.i = container_of(at)->param};
    return LATHE_OK;
}

static lathe_result set_corners(const rec_at *at, const rec_field *row, const lathe_value *value,
                                lathe_error *err)
{
    (void)row;
    if (opaque(at) && value->as.i == 0)
        return LATHE_OK; /* a maker that was given no weights */
    return rec_set_param(at->doc, at->layout->container, value->as.i, err);
}

/* A stage that would be read as something else. */
static lathe_result may_be_stage(const rec_at *at, const rec_field *row, int64_t stage,
                                 lathe_error *err)
{
    uint32_t slot = rec_slot_find(at->layout, rec_row_name(row));
    rec_loc loc;
    if (container_of(at)->version == PHXBN_OLDEST && stage > PHXBN_OLDEST)
        return rec_fail(at, slot, at->off, err, LATHE_ERR_RANGE,
                        "version 5 has no stage %lld: it would be read as a version",
                        (long long)stage);
    if (opaque(at) && !at->doc->parts[at->part].scratch &&
        rec_find(at, slot, &loc, NULL) == LATHE_OK && rec_int(at, rec_row_name(row)) != stage)
        return rec_fail(at, slot, loc.off, err, LATHE_ERR_UNSUPPORTED,
                        "what follows the bones was not understood and cannot change");
    return LATHE_OK;
}

/* clang-format off */
static const rec_name stage_names[] = {
    {"nothing", -1}, {"create_bones", 0}, {"control_joints", 1}, {"animate", 2},
    {"pose_weights", 3}, {0},
};
static const rec_names stages = {"rigging_stage", stage_names};

static const rec_name joint_names[] = {
    {"hinge", PHXBN_HINGE}, {"amotor", PHXBN_AMOTOR}, {"fixed", PHXBN_FIXED}, {0},
};
static const rec_names joint_types = {"joint type", joint_names};

static const rec_field ends_rows[] = {
    {.name = "start", .kind = REC_I32, .doc = "Point where the bone starts, from 0."},
    {.name = "finish", .kind = REC_I32, .doc = "Point where the bone ends, from 0."},
};
static const rec_type phxbn_ends = {
    .name = "phxbn_ends", .doc = "The two points of a bone.", .flags = REC_VECTOR,
    REC_ROWS(ends_rows)};

static const rec_field joint_rows[] = {
    {.name = "type", .original = "joint_type", .kind = REC_I32, .shown = REC_ENUM, .names = &joint_types,
     .range = {PHXBN_HINGE, PHXBN_FIXED}, .doc = "What the joint lets the bones do."},
    {.name = "stop", .original = "stop_angles", .kind = REC_F32, .count = stop_count,
     .when_fn = has_stops, .uses = "type", .unit = "rad",
     .doc = "Limits: hinge min, max; amotor three pairs about the child's Blender axes Y, X, Z."},
    {.name = "bone", .original = "bone_id", .kind = REC_I32, .n = 2,
     .doc = "The two bones, from 0: child, parent."},
    {.name = "axis", .kind = REC_RECORD, .type = &rec_vec3, .when = "type", .when_eq = true,
     .when_value = PHXBN_HINGE, .doc = "What a hinge turns about; length 1."},
};
static const rec_type phxbn_joint = {
    .name = "phxbn_joint", .doc = "How two bones of the ragdoll hang together.",
    REC_ROWS(joint_rows)};

static const rec_field ik_rows[] = {
    {.name = "bone_id", .kind = REC_I32, .doc = "The bone at the tip of the chain, from 0."},
    {.name = "chain_length", .kind = REC_I32, .init = 1,
     .doc = "How many bones the chain has, from the tip upwards."},
    {.name = "name", .kind = REC_STR, .prefix = -4,
     .doc = "What the game knows it by: leftarm, head, tail …; volumes of .fzx find bones by it."},
};
static const rec_type phxbn_ik_bone = {
    .name = "phxbn_ik_bone", .doc = "A chain of bones with a name.", REC_ROWS(ik_rows)};

static const rec_field bone_rows[] = {
    {.name = "ends", .kind = REC_RECORD, .type = &phxbn_ends, .column = "bone_ends",
     .doc = "The points that it lies between."},
    {.name = "parent", .kind = REC_I32, .column = "bone_parents",
     .doc = "Bone whose end it starts from, from 0; -1: none."},
    {.name = "mass", .kind = REC_F32, .column = "bone_mass", .unit = "kg",
     .doc = "What it weighs in the ragdoll."},
    {.name = "com", .kind = REC_RECORD, .type = &rec_vec3, .column = "bone_com", .unit = "m",
     .doc = "Its centre of mass."},
    {.name = "mat", .kind = REC_RECORD, .type = &rec_mat4, .column = "bone_mats",
     .doc = "A matrix that the game does not look at."},
    {.name = "hier_parent", .kind = REC_I32, .column = "hier_parents",
     .doc = "The parent that the game uses, from 0; -1: none."},
};
static const rec_type phxbn_bone = {
    .name = "phxbn_bone", .doc = "All that is stored of one bone.", REC_ROWS(bone_rows)};

static const rec_field phxbn_rows[] = {
    {.name = "version", .kind = REC_I32, .init = PHXBN_NEWEST, .since = 6, .get = get_version,
     .flags = REC_READONLY, .why = "doc:set_version(n) changes it, and what depends on it",
     .doc = "5 to 11; higher ones are laid out as 11. Version 5 does not store it."},
    {.name = "rigging_stage", .kind = REC_I32, .shown = REC_ENUM, .names = &stages,
     .may = may_be_stage,
     .doc = "How far the rig is: control_joints and animate have weights, hierarchy and joints."},
    {.name = "laid_out_as", .kind = REC_I32, .when_fn = never, .uses = "rigging_stage", .get = get_laid_out_as,
     .flags = REC_READONLY, .why = "the file was written so",
     .doc = "Version that the file is really laid out as, where that is not the one it names."},
    {.name = "corners_unknown", .kind = REC_U8, .shown = REC_BOOL, .when_fn = never, .uses = "rigging_stage",
     .get = get_unknown, .flags = REC_READONLY, .why = "open the file with num_vertices",
     .doc = "True where nothing tells the number of face corners, and `trailing` has the rest."},
    {.name = "num_points", .kind = REC_I32, .doc = "Number of points."},
    {.name = "points", .kind = REC_RECORD, .type = &rec_vec3,
     .by = "num_points", .unit = "m", .renumber = phxbn_renumber_points,
     .doc = "Ends of bones; Y is up, from the middle of the model."},
    {.name = "point_parents", .original = "point_parent_indices", .kind = REC_I32,
     .by = "num_points",
     .since = 8, .init = -1, .doc = "Point that each hangs on, from 0; -1: root."},
    {.name = "num_bones", .kind = REC_I32, .doc = "Number of bones."},
    {.name = "bone_ends", .kind = REC_RECORD, .type = &phxbn_ends,
     .by = "num_bones", .doc = "Points that each bone lies between."},
    {.name = "bone_parents", .original = "bone_parent_indices", .kind = REC_I32, .by = "num_bones", .since = 8, .init = -1,
     .doc = "Bone that each hangs on, from 0; -1: root."},
    {.name = "bone_mass", .original = "bone_masses", .kind = REC_F32, .by = "num_bones",
     .since = 6, .init = 1, .unit = "kg", .doc = "What each bone weighs in the ragdoll."},
    {.name = "bone_com", .kind = REC_RECORD, .type = &rec_vec3,
     .by = "num_bones", .since = 7, .unit = "m", .doc = "Centre of mass of each bone."},
    {.name = "bone_mats", .original = "bones_matrices", .kind = REC_RECORD, .type = &rec_mat4,
     .by = "num_bones", .since = 9,
     .doc = "A matrix for each bone that the game reads and forgets; translation 0."},
    {.name = "num_vertices", .kind = REC_I32, .since = PHXBN_NEWEST,
     .when_fn = phxbn_weighted, .uses = "rigging_stage", .get = get_corners, .set = set_corners,
     .doc = "Face corners of the model: three a triangle. Stored since 11, else worked out."},
    {.name = "weights", .original = "bone_weights", .kind = REC_RECORD, .type = &rec_vec4,
     .by = "num_vertices", .when_fn = phxbn_weighted, .uses = "rigging_stage",
     .doc = "How much each face corner follows up to four bones; 1 in all."},
    {.name = "bone_ids", .kind = REC_RECORD, .type = &rec_vec4,
     .by = "num_vertices", .when_fn = phxbn_weighted, .uses = "rigging_stage",
     .doc = "Those bones, from 0: whole numbers that are stored as floats."},
    {.name = "hier_parents", .kind = REC_I32, .by = "num_bones", .init = -1,
     .when_fn = phxbn_weighted, .uses = "rigging_stage",
     .doc = "Parent of each bone in the hierarchy that the game uses, from 0; -1: root."},
    {.name = "num_joints", .kind = REC_I32, .when_fn = phxbn_weighted, .uses = "rigging_stage",
     .doc = "Number of joints."},
    {.name = "joints", .kind = REC_RECORD, .type = &phxbn_joint, .by = "num_joints",
     .when_fn = phxbn_weighted, .uses = "rigging_stage", .doc = "What holds the ragdoll together."},
    {.name = "num_ik", .kind = REC_I32, .since = 10, .when_fn = has_ik,
     .uses = "rigging_stage", .doc = "Number of IK bones."},
    {.name = "ik_bones", .original = "simple_ik_bones", .kind = REC_RECORD, .type = &phxbn_ik_bone,
     .by = "num_ik", .since = 10, .when_fn = has_ik, .uses = "rigging_stage",
     .doc = "Chains that the game moves by name. Of a name that is there twice the last counts."},
    {.name = "bones", .kind = REC_RECORD, .type = &phxbn_bone, .group = "bone_ends",
     .renumber = phxbn_renumber_bones,
     .doc = "The bones. What counts on their numbers follows when they come and go."},
    {.name = "trailing", .kind = REC_BYTES, .flags = REC_REST | REC_PAD,
     .doc = "Bytes that the game ignores; or all that follows the bones, where it makes no sense."},
};
static const rec_type phxbn_root = {
    .name = "phxbn", .doc = "Skeleton, skin weights and joints of a character.",
    REC_ROWS(phxbn_rows)};
/* clang-format on */

/* ---- making --------------------------------------------------------------------------------------- */

static bool given_number(const rec_from *from, const rec_at *root, const char *name, int64_t *out)
{
    lathe_value v;
    const void *child;
    return rec_given(from, root, rec_slot_find(root->layout, name), &v, &child) &&
           wolfire_whole(&v, out);
}

static bool given_unknown(const rec_from *from, const rec_at *root)
{
    lathe_value v;
    const void *child;
    return rec_given(from, root, rec_slot_find(root->layout, "corners_unknown"), &v, &child) &&
           v.kind == LATHE_KIND_BOOL && v.as.b;
}

/* What `rigging_stage` will be, before it is written. */
static bool given_weighted(const rec_from *from, const rec_at *root)
{
    uint32_t slot = rec_slot_find(root->layout, "rigging_stage");
    lathe_value v;
    const void *child;
    uint64_t raw = 0;
    return rec_given(from, root, slot, &v, &child) &&
           rec_encode(root, slot, &v, &raw, NULL) == LATHE_OK && stage_weighted((int64_t)raw);
}

static lathe_result begin_phxbn(lathe_doc *doc, uint32_t c, const rec_from *from, lathe_error *err)
{
    rec_at root = rec_root(doc, c);
    int64_t version = PHXBN_NEWEST, layout = 0;
    given_number(from, &root, "version", &version);
    if (version < PHXBN_OLDEST)
        return rec_fail(&root, 0, 0, err, LATHE_ERR_RANGE, "version %lld, the first one is 5",
                        (long long)version);
    lathe_result r = rec_set_version(doc, c, version, err);
    if (r == LATHE_OK && given_number(from, &root, "laid_out_as", &layout) &&
        layout == PHXBN_NEWEST && version >= 8 && version < PHXBN_NEWEST) {
        r = rec_set_param(doc, c, PHXBN_LAID_OUT, err);
        return r == LATHE_OK ? rec_set_version(doc, c, layout, err) : r;
    }
    if (r == LATHE_OK && version < PHXBN_NEWEST && given_weighted(from, &root) &&
        given_unknown(from, &root))
        r = rec_set_param(doc, c, PHXBN_OPAQUE, err);
    return r;
}

/* ---- opening -------------------------------------------------------------------------------------- */

/* The game takes a joint of any type; here one is refused, because what follows it cannot be told. */
static lathe_result check_joints(const rec_at *root, lathe_error *err)
{
    uint32_t slot = rec_slot_find(root->layout, "joints");
    const rec_part *p = rec_part_of(root->doc, root->part);
    const rec_layout *joint = root->layout->slots[slot].sub;
    int64_t n = rec_int(root, "num_joints");
    rec_loc loc;
    lathe_result r = rec_find(root, rec_slot_find(root->layout, "num_joints"), &loc, err);
    if (r != LATHE_OK || !loc.present)
        return r;
    uint64_t at = loc.off + loc.size;
    for (int64_t i = 0; i < n && at <= p->size && p->size - at >= 4; i++) {
        static const uint8_t sizes[] = {
            [PHXBN_HINGE] = 32, [PHXBN_AMOTOR] = 36, [PHXBN_FIXED] = 12};
        uint32_t type = bytes_ld32(p->data + at, false);
        if (type >= sizeof sizes) {
            rec_at there = rec_child(root, slot, joint, root->part, at, (uint64_t)i);
            return rec_fail(&there, 0, at, err, LATHE_ERR_UNSUPPORTED, "unknown joint type %ld",
                            (long)(int32_t)type);
        }
        at += sizes[type];
    }
    return LATHE_OK;
}

/* Reads the tail as if the file were of version 11: the add-ons keep the number of the skeleton that
 * they imported, but write the new layout. */
static bool try_newest(const rec_at *root, int64_t labelled)
{
    lathe_doc *doc = root->doc;
    uint32_t c = root->layout->container;
    phxbn_tail tail;
    int64_t n;
    if (labelled < 8 || rec_set_version(doc, c, PHXBN_NEWEST, NULL) != LATHE_OK)
        return false;
    if (phxbn_tail_of(root, &tail, NULL) == LATHE_OK && (n = rec_int(root, "num_vertices")) >= 0 &&
        phxbn_fits(&tail, (uint64_t)n, true))
        return true;
    rec_set_version(doc, c, labelled, NULL);
    return false;
}

/* The caller knows the model. */
static lathe_result use_given(const rec_at *root, const phxbn_tail *tail, const lathe_value *given,
                              lathe_error *err)
{
    int64_t version = container_of(root)->version, n;
    if (!wolfire_whole(given, &n) || n < 0 || n > INT32_MAX)
        return rec_fail(root, REC_NO_SLOT, 0, err, LATHE_ERR_RANGE,
                        "num_vertices is the number of the model's face corners");
    if (phxbn_fits(tail, (uint64_t)n, false))
        return rec_set_param(root->doc, root->layout->container, n, err);
    if (try_newest(root, version) && rec_int(root, "num_vertices") == n)
        return LATHE_OK;
    rec_set_version(root->doc, root->layout->container, version, NULL);
    return rec_fail(root, REC_NO_SLOT,
                    (uint64_t)(tail->p - rec_part_of(root->doc, root->part)->data), err,
                    LATHE_ERR_INVALID,
                    "hierarchy and joints make no sense behind %lld face corners", (long long)n);
}

/* Versions before 11 do not say how many face corners have weights. */
static lathe_result find_corners(const rec_at *root, lathe_error *err)
{
    lathe_doc *doc = root->doc;
    uint32_t c = root->layout->container;
    lathe_value given;
    const void *child;
    phxbn_tail tail;
    uint64_t n = 0;
    if (doc->param && *doc->param == PHXBN_LAID_OUT)
        return rec_set_version(doc, c, PHXBN_NEWEST, err);
    if (doc->param)
        return rec_set_param(doc, c, *doc->param, err);
    lathe_result r = phxbn_tail_of(root, &tail, err);
    if (r != LATHE_OK)
        return r;
    if (rec_option(doc, "num_vertices", &given, &child))
        return use_given(root, &tail, &given, err);
    phxbn_answer answer = phxbn_solve(&tail, &n);
    if (answer == PHXBN_ONE)
        return rec_set_param(doc, c, (int64_t)n, err);
    if (answer == PHXBN_NONE && try_newest(root, container_of(root)->version))
        return LATHE_OK;
    return rec_set_param(doc, c, PHXBN_OPAQUE, err);
}

static lathe_result open_phxbn(lathe_doc *doc, uint32_t c, lathe_error *err)
{
    rec_at root = rec_root(doc, c);
    const rec_part *p = rec_part_of(doc, root.part);
    uint64_t size;
    if (p->size < 4)
        return rec_fail(&root, 1, 0, err, LATHE_ERR_BOUNDS, "truncated: %llu bytes",
                        (unsigned long long)p->size);
    int32_t first = (int32_t)bytes_ld32(p->data, false);
    lathe_result r = rec_set_version(doc, c, first > PHXBN_OLDEST ? first : PHXBN_OLDEST, err);
    if (r == LATHE_OK && first < PHXBN_NEWEST && stage_weighted(rec_int(&root, "rigging_stage")))
        r = find_corners(&root, err);
    if (r == LATHE_OK)
        r = check_joints(&root, err);
    return r == LATHE_OK ? rec_measure(&root, &size, err) : r;
}

/* The format has no mark: only counts that fit and bones between points speak for it. */
static int sniff_phxbn(const uint8_t *bytes, size_t n)
{
    int32_t first = n >= 12 ? (int32_t)bytes_ld32(bytes, false) : INT32_MAX;
    if (first < -1 || first > PHXBN_NEWEST || first == 4 || first == 5)
        return REC_SNIFF_NO;
    size_t at = first > PHXBN_OLDEST ? 8 : 4;
    uint32_t points = bytes_ld32(bytes + at, false);
    at += 4;
    if (!points || points > (n - at) / 12)
        return REC_SNIFF_NO;
    at += (size_t)12 * points;
    if (first >= 8 && points > (n - at) / 4)
        return REC_SNIFF_NO;
    at += first >= 8 ? (size_t)4 * points : 0;
    if (n - at < 4)
        return REC_SNIFF_NO;
    uint32_t bones = bytes_ld32(bytes + at, false);
    at += 4;
    if (!bones || bones > (n - at) / 8)
        return REC_SNIFF_NO;
    for (size_t i = 0; i < 2 * (size_t)bones; i++)
        if (bytes_ld32(bytes + at + 4 * i, false) >= points)
            return REC_SNIFF_NO;
    return REC_SNIFF_MAYBE;
}

/* An old file that says something else once it is saved: weights that look like bones. */
static lathe_result relayout_phxbn(lathe_doc *doc, uint32_t c, lathe_error *err)
{
    const rec_container *k = &doc->containers[c];
    rec_at root = rec_root(doc, c);
    phxbn_tail tail;
    uint64_t n;
    if (k->version >= PHXBN_NEWEST || !phxbn_weighted(&root))
        return LATHE_OK;
    lathe_result r = phxbn_tail_of(&root, &tail, err);
    if (r == LATHE_OK && phxbn_solve(&tail, &n) == PHXBN_ONE && (int64_t)n != k->param)
        r = rec_fail(&root, rec_slot_find(root.layout, "weights"),
                     (uint64_t)(tail.p - rec_part_of(doc, root.part)->data), err, LATHE_ERR_INVALID,
                     "saved like this they would be read as those of %llu face corners, not %lld",
                     (unsigned long long)n, (long long)k->param);
    return r;
}

static const char *const extensions[] = {"phxbn", NULL};
static const char *const games[] = {"Overgrowth", NULL};

static const scene_hooks phxbn_scene = {
    .count = scene_count_one,
    .skeleton = phxbn_skeleton,
};

const lathe_format format_phxbn = {
    .name = "phxbn",
    .doc = "Overgrowth skeleton, skin weights and joints",
    .extensions = extensions,
    .games = games,
    .root = &phxbn_root,
    .sniff = sniff_phxbn,
    .begin = begin_phxbn,
    .open = open_phxbn,
    .relayout = relayout_phxbn,
    .check = phxbn_check,
    .scene = &phxbn_scene,
    .verbs = phxbn_verbs,
};
