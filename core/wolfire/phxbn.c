/* PHXBN (.phxbn): hooks of its fields, opening and making. Reference: formats/wolfire.md#3. */
#include "wolfire/phxbn.h"
#include "scene/hooks.h"

/* ---- hooks of the fields -------------------------------------------------------------------------- */

static const rec_container *container_of(const rec_at *at)
{
    return &at->doc->containers[at->layout->container];
}

static bool opaque(const rec_at *root)
{
    const rec_container *c = container_of(root);
    return c->version < PHXBN_NEWEST && c->param == PHXBN_OPAQUE;
}

/* True if a stage has weights, a hierarchy and joints. */
static bool stage_weighted(int64_t stage)
{
    return stage == 1 || stage == 2; /* the game treats 2 as 1 */
}

/* True if there are weights, a hierarchy and joints, and they can be parsed. */
bool phxbn_weighted(const rec_at *root)
{
    return stage_weighted(rec_int(root, "rigging_stage")) && !opaque(root);
}

bool phxbn_has_ik(const rec_at *root)
{
    return !opaque(root);
}

bool phxbn_never(const rec_at *root)
{
    (void)root;
    return false;
}

/* Version 5 stores no version: its first number is the stage. */
lathe_result phxbn_get_version(const rec_at *at, const rec_field *row, lathe_value *out,
                               lathe_error *err)
{
    (void)row;
    (void)err;
    *out = (lathe_value){.kind = LATHE_KIND_INT, .as.i = container_of(at)->version};
    return LATHE_OK;
}

lathe_result phxbn_get_laid_out_as(const rec_at *at, const rec_field *row, lathe_value *out,
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

lathe_result phxbn_get_unknown(const rec_at *at, const rec_field *row, lathe_value *out,
                               lathe_error *err)
{
    (void)row;
    (void)err;
    *out = (lathe_value){.kind = LATHE_KIND_NONE};
    if (opaque(at))
        *out = (lathe_value){.kind = LATHE_KIND_BOOL, .as.b = true};
    return LATHE_OK;
}

lathe_result phxbn_get_corners(const rec_at *at, const rec_field *row, lathe_value *out,
                               lathe_error *err)
{
    (void)row;
    (void)err;
    *out = (lathe_value){.kind = LATHE_KIND_NONE};
    if (phxbn_weighted(at) && container_of(at)->version < PHXBN_NEWEST)
        *out = (lathe_value){.kind = LATHE_KIND_INT, .as.i = container_of(at)->param};
    return LATHE_OK;
}

lathe_result phxbn_set_corners(const rec_at *at, const rec_field *row, const lathe_value *value,
                               lathe_error *err)
{
    (void)row;
    if (opaque(at) && value->as.i == 0)
        return LATHE_OK; /* a new document without weights */
    return rec_set_param(at->doc, at->layout->container, value->as.i, err);
}

/* Fails for a stage with which the file would be read differently. */
lathe_result phxbn_may_be_stage(const rec_at *at, const rec_field *row, int64_t stage,
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

/* ---- making --------------------------------------------------------------------------------------- */

static bool given_number(const rec_from *from, const rec_at *root, const char *name, int64_t *out)
{
    lathe_value v;
    const void *child;
    return rec_source_value(from, root, rec_slot_find(root->layout, name), &v, &child) &&
           wolfire_whole(&v, out);
}

static bool given_unknown(const rec_from *from, const rec_at *root)
{
    lathe_value v;
    const void *child;
    return rec_source_value(from, root, rec_slot_find(root->layout, "corners_unknown"), &v,
                            &child) &&
           v.kind == LATHE_KIND_BOOL && v.as.b;
}

/* The value that `rigging_stage` will get, before it is written. */
static bool given_weighted(const rec_from *from, const rec_at *root)
{
    uint32_t slot = rec_slot_find(root->layout, "rigging_stage");
    lathe_value v;
    const void *child;
    uint64_t raw = 0;
    return rec_source_value(from, root, slot, &v, &child) &&
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

/* Fails for joints of an unknown type: the game accepts them, but their size is unknown. */
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

/* Reads the tail as version 11: the add-ons keep the version number of an imported skeleton, but write the
 * new layout. */
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

/* Uses the number of corners that the caller knows from the model. */
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

/* Finds the number of face corners with weights, which versions before 11 do not store. */
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

/* The format has no signature: it is recognised by counts that fit, and by bones that refer to existing
 * points. */
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

/* Fails if an old file would be read differently after saving, because its weights look like bones. */
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

static const char *const compared_with[] = {"corners", NULL};

const lathe_format format_phxbn = {
    .name = "phxbn",
    .doc = "Overgrowth skeleton, skin weights and joints",
    .extensions = extensions,
    .games = games,
    .compared_with = compared_with,
    .root = &phxbn_root,
    .sniff = sniff_phxbn,
    .begin = begin_phxbn,
    .open = open_phxbn,
    .relayout = relayout_phxbn,
    .check = phxbn_check,
    .scene = &phxbn_scene,
    .verbs = phxbn_verbs,
};
