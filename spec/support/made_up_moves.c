/* The formats moves (a skeleton and several animations) and walk (one animation, which is the whole
 * document), for what all formats' skeletons and animations have in common.
 *
 * Keys are in even steps of time; between two of them everything is mixed in a straight line. Tracks
 * of an absolute animation are where the bone is in the model: with a skeleton, its parent's
 * translation is taken off. A track of bone -100 cannot be sampled. */
#include "made_up.h"
#include "scene/clip.h"
#include "scene/clip_verbs.h"
#include "scene/hooks.h"

enum { DAMAGED = -100, MOTION = 4 };

uint64_t made_up_count_keys(const rec_at *at)
{
    return (uint64_t)rec_int(at, "frame_count") * (uint64_t)rec_int(at, "track_count") * MODEL_POSE;
}

uint64_t made_up_count_motion(const rec_at *at)
{
    return rec_int(at, "has_motion") ? (uint64_t)rec_int(at, "frame_count") * MOTION : 0;
}

/* ---- reading --------------------------------------------------------------------------------------- */

static lathe_result get(lathe_view v, const char *field, lathe_kind kind, lathe_value *out,
                        lathe_error *err)
{
    lathe_result r = lathe_view_get(v, field, out, err);
    if (r == LATHE_OK && out->kind != kind)
        r = error_set(err, LATHE_ERR_TYPE, LATHE_NO_OFFSET, "%s is of another kind", field);
    return r;
}

/* Both kinds of text here end in the file with a NUL. */
static lathe_result get_text(lathe_view v, const char *field, const char **out, lathe_error *err)
{
    lathe_value value;
    lathe_result r = get(v, field, LATHE_KIND_STRING, &value, err);
    if (r == LATHE_OK)
        *out = value.as.s.n ? value.as.s.p : NULL;
    return r;
}

static lathe_result get_bool(lathe_view v, const char *field, bool *out, lathe_error *err)
{
    lathe_value value;
    lathe_result r = get(v, field, LATHE_KIND_BOOL, &value, err);
    if (r == LATHE_OK)
        *out = value.as.b;
    return r;
}

static lathe_result get_count(lathe_view v, const char *field, uint64_t *out, lathe_error *err)
{
    lathe_value value;
    lathe_result r = get(v, field, LATHE_KIND_INT, &value, err);
    if (r == LATHE_OK)
        *out = (uint64_t)value.as.i;
    return r;
}

static lathe_result item(lathe_view v, const char *array, uint64_t i, lathe_view *out,
                         lathe_error *err)
{
    lathe_value value;
    lathe_result r = get(v, array, LATHE_KIND_ARRAY, &value, err);
    if (r != LATHE_OK)
        return r;
    if (i >= lathe_view_count(value.as.v))
        return error_set(err, LATHE_ERR_NAME, LATHE_NO_OFFSET, "unknown element typeent");
    r = lathe_view_item(value.as.v, i, &value, err);
    if (r == LATHE_OK && value.kind != LATHE_KIND_RECORD)
        r = error_set(err, LATHE_ERR_TYPE, LATHE_NO_OFFSET, "no list of records");
    if (r == LATHE_OK)
        *out = value.as.v;
    return r;
}

static lathe_result read_floats(lathe_view v, const char *array, uint64_t from, uint64_t n,
                                float *out, lathe_error *err)
{
    lathe_value value;
    lathe_result r = get(v, array, LATHE_KIND_ARRAY, &value, err);
    return r == LATHE_OK ? lathe_view_read(value.as.v, NULL, from, n, LATHE_ELEM_F32, out, 0, err)
                         : r;
}

/* ---- the skeleton ---------------------------------------------------------------------------------- */

static lathe_result read_bone(lathe_view v, model_bone *out, lathe_error *err)
{
    lathe_value value;
    float pose[MODEL_POSE];
    lathe_result r = get_text(v, "name", &out->name, err);
    if (r == LATHE_OK)
        r = get(v, "parent", LATHE_KIND_INT, &value, err);
    if (r == LATHE_OK) {
        out->parent = (int32_t)value.as.i;
        r = get(v, "mirror", LATHE_KIND_INT, &value, err);
    }
    if (r == LATHE_OK) {
        out->mirror = (int32_t)value.as.i;
        r = read_floats(v, "pose", 0, MODEL_POSE, pose, err);
    }
    for (int i = 0; r == LATHE_OK && i < MODEL_POSE; i++)
        out->pose[i] = pose[i];
    return r;
}

static lathe_result moves_skeleton(lathe_doc *doc, uint64_t i, model_skeleton *out,
                                   lathe_error *err)
{
    lathe_view root = lathe_doc_root(doc), v;
    uint64_t n = 0;
    lathe_result r = get_count(root, "bone_count", &n, err);
    if (r == LATHE_OK && (i > 0 || n == 0))
        return error_set(err, LATHE_ERR_NAME, LATHE_NO_OFFSET, "no such skeleton");
    if (r == LATHE_OK)
        r = model_skeleton_alloc(out, (size_t)n, err);
    for (uint64_t k = 0; r == LATHE_OK && k < n; k++) {
        r = item(root, "bones", k, &v, err);
        if (r == LATHE_OK)
            r = read_bone(v, &out->bones[k], err);
    }
    out->name = "rig";
    out->source = root;
    return r;
}

/* ---- animations ------------------------------------------------------------------------------------ */

static lathe_result read_facts(lathe_view v, model_clip *out, lathe_error *err)
{
    lathe_value value;
    lathe_result r = get_text(v, "title", &out->name, err);
    if (r == LATHE_OK)
        r = get_text(v, "rig", &out->skeleton_name, err);
    if (r == LATHE_OK)
        r = get(v, "length", LATHE_KIND_REAL, &value, err);
    if (r == LATHE_OK) {
        out->duration = value.as.f;
        r = get_count(v, "frame_count", &out->frame_count, err);
    }
    if (r == LATHE_OK)
        r = get_count(v, "track_count", &out->track_count, err);
    if (r == LATHE_OK)
        r = get_bool(v, "looping", &out->looping, err);
    if (r == LATHE_OK)
        r = get_bool(v, "absolute", &out->absolute, err);
    if (r == LATHE_OK)
        r = get_bool(v, "has_motion", &out->has_motion, err);
    out->blend_hint = out->looping ? "normal" : NULL;
    return r;
}

static lathe_result moves_open(lathe_doc *doc, uint64_t i, model_clip *clip, lathe_view *source,
                               lathe_error *err)
{
    lathe_result r = item(lathe_doc_root(doc), "clips", i, source, err);
    return r == LATHE_OK ? read_facts(*source, clip, err) : r;
}

static lathe_result walk_open(lathe_doc *doc, uint64_t i, model_clip *clip, lathe_view *source,
                              lathe_error *err)
{
    *source = lathe_doc_root(doc);
    return i == 0 ? read_facts(*source, clip, err)
                  : error_set(err, LATHE_ERR_NAME, LATHE_NO_OFFSET, "only one");
}

static lathe_result track(lathe_view source, uint64_t i, model_track *out, lathe_error *err)
{
    lathe_value value;
    lathe_view v;
    model_bone named = {0};
    lathe_result r = get(source, "bones", LATHE_KIND_ARRAY, &value, err);
    if (r == LATHE_OK)
        r = lathe_view_item(value.as.v, i, &value, err);
    if (r != LATHE_OK)
        return r;
    out->bone_index = (int32_t)value.as.i;
    if (out->bone_index >= 0 &&
        item(lathe_doc_root(source.doc), "bones", (uint64_t)out->bone_index, &v, NULL) ==
            LATHE_OK &&
        get_text(v, "name", &named.name, NULL) == LATHE_OK)
        out->bone = named.name;
    return LATHE_OK;
}

static lathe_result mix(lathe_view source, const model_clip *facts, double frame, uint64_t i,
                        float *out, lathe_error *err)
{
    float next[MODEL_POSE];
    uint64_t f = (uint64_t)frame, at = (f * facts->track_count + i) * MODEL_POSE;
    float part = (float)(frame - (double)f);
    lathe_result r = read_floats(source, "keys", at, MODEL_POSE, out, err);
    if (r != LATHE_OK || part <= 0)
        return r;
    r = read_floats(source, "keys", at + facts->track_count * MODEL_POSE, MODEL_POSE, next, err);
    for (int k = 0; r == LATHE_OK && k < MODEL_POSE; k++)
        out[k] += (next[k] - out[k]) * part;
    return r;
}

/* Takes off where the parent is, if it has a track. */
static lathe_result relate(lathe_view source, const model_clip *facts, double frame, int32_t parent,
                           float *out, lathe_error *err)
{
    for (uint64_t i = 0; i < facts->track_count; i++) {
        model_track t;
        float other[MODEL_POSE];
        lathe_result r = track(source, i, &t, err);
        if (r == LATHE_OK && t.bone_index != parent)
            continue;
        if (r == LATHE_OK)
            r = mix(source, facts, frame, i, other, err);
        for (int k = 0; r == LATHE_OK && k < 3; k++)
            out[k] -= other[k];
        return r;
    }
    return LATHE_OK;
}

static lathe_result sample(lathe_view source, const model_when *when,
                           const model_skeleton *skeleton, uint64_t first, uint64_t n, float *out,
                           lathe_error *err)
{
    model_clip facts = {0};
    lathe_result r = read_facts(source, &facts, err);
    double frame = r == LATHE_OK ? model_when_frame(when, &facts) : 0;
    for (uint64_t i = first; r == LATHE_OK && i < first + n; i++, out += MODEL_POSE) {
        model_track t = {0};
        r = track(source, i, &t, err);
        if (r == LATHE_OK && t.bone_index == DAMAGED)
            return error_set(err, LATHE_ERR_INVALID, 77, "a damaged track");
        if (r == LATHE_OK)
            r = mix(source, &facts, frame, i, out, err);
        if (r == LATHE_OK && skeleton && facts.absolute && t.bone_index >= 0 &&
            (size_t)t.bone_index < skeleton->bone_count &&
            skeleton->bones[t.bone_index].parent >= 0)
            r = relate(source, &facts, frame, skeleton->bones[t.bone_index].parent, out, err);
    }
    return r;
}

static lathe_result note_of(lathe_view source, uint64_t i, model_annotation *out, lathe_error *err)
{
    lathe_view v;
    lathe_value time, where, text;
    lathe_result r = item(source, "notes", i, &v, err);
    if (r == LATHE_OK)
        r = get(v, "time", LATHE_KIND_REAL, &time, err);
    if (r == LATHE_OK)
        r = get(v, "track", LATHE_KIND_INT, &where, err);
    if (r == LATHE_OK)
        r = get(v, "text", LATHE_KIND_STRING, &text, err);
    if (r == LATHE_OK)
        *out = (model_annotation){.time = time.as.f,
                                  .text = text.as.s.p,
                                  .length = text.as.s.n,
                                  .track = where.as.i,
                                  .source = v};
    return r;
}

static lathe_result annotations(lathe_view source,
                                bool (*each)(void *user, const model_annotation *one), void *user,
                                lathe_error *err)
{
    uint64_t n = 0;
    lathe_result r = get_count(source, "note_count", &n, err);
    for (uint64_t i = 0; r == LATHE_OK && i < n; i++) {
        model_annotation one;
        r = note_of(source, i, &one, err);
        if (r == LATHE_OK && !each(user, &one))
            r = rec_no_memory(err);
    }
    return r;
}

static lathe_result annotation(lathe_view source, model_annotation *out, lathe_error *err)
{
    lathe_value text, time;
    (void)source;
    lathe_result r = get(out->source, "text", LATHE_KIND_STRING, &text, err);
    if (r == LATHE_OK)
        r = get(out->source, "time", LATHE_KIND_REAL, &time, err);
    if (r != LATHE_OK)
        return r;
    out->text = text.as.s.p;
    out->length = text.as.s.n;
    out->time = time.as.f;
    return LATHE_OK;
}

static lathe_result motion(lathe_view source, uint64_t n, float *out, lathe_error *err)
{
    return read_floats(source, "way", 0, n * MOTION, out, err);
}

/* All keys as they are stored: nothing to mix. */
static lathe_result decode(lathe_view source, const model_skeleton *skeleton, uint64_t from,
                           uint64_t n, float *out, lathe_error *err)
{
    model_clip facts = {0};
    lathe_result r = read_facts(source, &facts, err);
    uint64_t width = facts.track_count * MODEL_POSE;
    if (r == LATHE_OK && !(skeleton && facts.absolute))
        return read_floats(source, "keys", from * width, n * width, out, err);
    for (uint64_t i = 0; r == LATHE_OK && i < n; i++) {
        model_when when = {.at = (double)(from + i)};
        r = sample(source, &when, skeleton, 0, facts.track_count, out + i * width, err);
    }
    return r;
}

static const scene_clips moves_clips = {.open = moves_open,
                                        .track = track,
                                        .sample = sample,
                                        .annotations = annotations,
                                        .annotation = annotation,
                                        .motion = motion};
static const scene_clips walk_clips = {
    .open = walk_open, .track = track, .sample = sample, .decode = decode, .motion = motion};

/* ---- verbs ----------------------------------------------------------------------------------------- */

/* The last frame comes first. */
static lathe_result reverse(lathe_view self, const lathe_source *args, lathe_report *report,
                            lathe_error *err)
{
    model_clip facts = {0};
    lathe_value keys;
    float first[MODEL_POSE], last[MODEL_POSE];
    (void)args;
    lathe_result r = read_facts(self, &facts, err);
    if (r == LATHE_OK)
        r = get(self, "keys", LATHE_KIND_ARRAY, &keys, err);
    for (uint64_t i = 0; r == LATHE_OK && i < facts.frame_count / 2 * facts.track_count; i++) {
        uint64_t frame = facts.frame_count - 1 - i / facts.track_count;
        uint64_t a = i * MODEL_POSE;
        uint64_t b = (frame * facts.track_count + i % facts.track_count) * MODEL_POSE;
        r = read_floats(self, "keys", a, MODEL_POSE, first, err);
        if (r == LATHE_OK)
            r = read_floats(self, "keys", b, MODEL_POSE, last, err);
        if (r == LATHE_OK)
            r = lathe_view_write(keys.as.v, NULL, a, MODEL_POSE, LATHE_ELEM_F32, last, 0, err);
        if (r == LATHE_OK)
            r = lathe_view_write(keys.as.v, NULL, b, MODEL_POSE, LATHE_ELEM_F32, first, 0, err);
        if (report)
            report->changed++;
    }
    return r;
}

static void answer(lathe_report *report, const char *name, lathe_value value)
{
    if (report && report->result)
        report->result(report->user, name, &value);
}

/* What the option `skeleton` is taken for. */
static lathe_result bones_of(lathe_view self, const lathe_source *args, lathe_report *report,
                             lathe_error *err)
{
    model_skeleton skeleton;
    bool given;
    lathe_result r = scene_skeleton_arg(self.doc, args, "skeleton", &skeleton, &given, err);
    if (r != LATHE_OK)
        return r;
    answer(report, "given", (lathe_value){.kind = LATHE_KIND_BOOL, .as.b = given});
    for (size_t i = 0; i < skeleton.bone_count; i++) {
        const model_bone *b = &skeleton.bones[i];
        answer(report, "parents", (lathe_value){.kind = LATHE_KIND_INT, .as.i = b->parent});
        answer(report, "mirrors", (lathe_value){.kind = LATHE_KIND_INT, .as.i = b->mirror});
        answer(report, "x", (lathe_value){.kind = LATHE_KIND_REAL, .as.f = b->pose[0]});
        answer(report, "w", (lathe_value){.kind = LATHE_KIND_REAL, .as.f = b->pose[6]});
        if (b->name)
            answer(report, "names",
                   (lathe_value){.kind = LATHE_KIND_STRING, .as.s = {b->name, strlen(b->name)}});
    }
    if (skeleton.name)
        answer(report, "name",
               (lathe_value){.kind = LATHE_KIND_STRING,
                             .as.s = {skeleton.name, strlen(skeleton.name)}});
    model_skeleton_free(&skeleton);
    return LATHE_OK;
}

static const rec_param skeleton_param = {.name = "skeleton",
                                         .doc = "What is looked at.",
                                         .kind = LATHE_PARAM_SKELETON,
                                         .positional = true};
static const rec_param *const bones_of_params[] = {&skeleton_param, NULL};
static const rec_verb moves_verbs[] = {
    {.name = "reverse", .doc = "Plays it backwards.", .type = &made_up_walk_root, .run = reverse},
    {.name = "bones_of",
     .doc = "Bones of a skeleton.",
     .params = bones_of_params,
     .query = true,
     .run = bones_of},
    {0},
};
static const rec_verb walk_verbs[] = {
    {.name = "reverse", .doc = "Plays it backwards.", .run = reverse},
    {0},
};

/* ---- the formats ----------------------------------------------------------------------------------- */

static int sniff_moves(const uint8_t *bytes, size_t n)
{
    return n >= 4 && memcmp(bytes, "MOVE", 4) == 0 ? REC_SNIFF_SURE : REC_SNIFF_NO;
}

static int sniff_walk(const uint8_t *bytes, size_t n)
{
    return n >= 4 && memcmp(bytes, "WALK", 4) == 0 ? REC_SNIFF_SURE : REC_SNIFF_NO;
}

static const char *const moves_extensions[] = {"moves", NULL};
static const char *const walk_extensions[] = {"walk", NULL};
static const char *const games[] = {NULL};

static lathe_result moves_count(lathe_doc *doc, lathe_list list, uint64_t *n, lathe_error *err)
{
    lathe_view root = lathe_doc_root(doc);
    lathe_result r =
        get_count(root, list == LATHE_ANIMATIONS ? "clip_count" : "bone_count", n, err);
    if (list == LATHE_SKELETONS && *n > 1)
        *n = 1;
    return r;
}

static const scene_hooks made_up_moves_scene = {
    .count = moves_count,
    .skeleton = moves_skeleton,
    .clips = &moves_clips,
};

const lathe_format made_up_moves = {
    .name = "moves",
    .doc = "A skeleton and animations",
    .extensions = moves_extensions,
    .games = games,
    .root = &made_up_moves_root,
    .sniff = sniff_moves,
    .scene = &made_up_moves_scene,
    .shared = scene_clip_verbs,
    .verbs = moves_verbs,
};

static const scene_hooks made_up_walk_scene = {
    .count = scene_count_one,
    .clips = &walk_clips,
};

const lathe_format made_up_walk = {
    .name = "walk",
    .doc = "One animation",
    .extensions = walk_extensions,
    .games = games,
    .root = &made_up_walk_root,
    .sniff = sniff_walk,
    .scene = &made_up_walk_scene,
    .shared = scene_clip_verbs,
    .verbs = walk_verbs,
};
