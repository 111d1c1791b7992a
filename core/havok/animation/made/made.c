/* lathe.new of a skeleton, an animation or both: the objects that the games' files have, in their order, become
 * nested values, of which make.c writes the file. */
#include "havok/animation/made/made.h"
#include "havok/packfile/serialize.h"

typedef struct maker {
    bool old; /* of Skyrim */
    hk_rig rig;
    hk_take take;
    hk_values values;
    hk_node *objects;
    int64_t count; /* of them */
} maker;

static const char *const parts[] = {"skeleton", "animation", NULL};

static const char *next_part(void *user, size_t i)
{
    (void)user;
    return parts[i];
}

/* Whether the table describes a skeleton or an animation, and no list of objects. A misspelt key counts: the message that
 * it then causes suggests the right one. */
static bool is_description(const lathe_source *fields)
{
    lathe_value v;
    const char *name;
    if (!fields || rec_arg(fields, "objects", &v))
        return false;
    if (rec_arg(fields, parts[0], &v) || rec_arg(fields, parts[1], &v))
        return true;
    if (fields->size < sizeof *fields || !fields->name)
        return false;
    for (uint64_t i = 0; (name = fields->name(fields->user, NULL, i)) != NULL; i++)
        if (error_nearest(name, next_part, NULL))
            return true;
    return false;
}

/* ---- objects ------------------------------------------------------------------------------------------- */

static hk_node *put_object(maker *m, const char *class)
{
    hk_node *object = hk_put_table(&m->values, m->objects, NULL);
    hk_put_word(&m->values, object, "class", class);
    m->count++;
    return object;
}

static void put_variant(maker *m, hk_node *list, const char *name, const char *class,
                        int64_t object)
{
    hk_node *one = hk_put_table(&m->values, list, NULL);
    hk_put_word(&m->values, one, "name", name);
    hk_put_word(&m->values, one, "class_name", class);
    hk_put_int(&m->values, one, "variant", object);
}

static void put_pointer(maker *m, hk_node *to, const char *name, int64_t object)
{
    hk_put_int(&m->values, hk_put_list(&m->values, to, name), NULL, object);
}

static void put_text(maker *m, hk_node *to, const char *name, rec_key text)
{
    hk_put_bytes(&m->values, to, name, text.p, text.n);
}

static void put_indices(maker *m, hk_node *to, const char *name, const buf *indices)
{
    hk_node *list = hk_put_list(&m->values, to, name);
    const int16_t *all = (const int16_t *)(const void *)indices->data;
    for (size_t i = 0; i < indices->size / sizeof *all; i++)
        hk_put_int(&m->values, list, NULL, all[i]);
}

static void put_offsets(maker *m, hk_node *to, const char *name, const uint32_t *offsets)
{
    hk_node *list = hk_put_list(&m->values, to, name);
    for (uint32_t i = 0; i < m->take.encoded.blocks; i++)
        hk_put_uint(&m->values, list, NULL, offsets[i]);
}

/* A list for each track, in the games' files without a name; most of them are empty. */
static void put_events(maker *m, hk_node *to)
{
    hk_values *v = &m->values;
    hk_node *tracks = hk_put_list(v, to, "annotation_tracks");
    const hk_event *event = (const hk_event *)(const void *)m->take.events.data;
    size_t n = m->take.events.size / sizeof *event, i = 0;
    for (uint64_t k = 0; k < m->take.tracks; k++) {
        hk_node *track = hk_put_table(v, tracks, NULL), *list = NULL;
        for (; i < n && event[i].track == k; i++) {
            list = list ? list : hk_put_list(v, track, "annotations");
            hk_node *one = hk_put_table(v, list, NULL);
            hk_put_real(v, one, "time", (double)event[i].time);
            put_text(m, one, "text", event[i].text);
        }
    }
}

/* The tools of 2010 kept more of a frame's length than the float that they stored. */
static float block_duration(const maker *m)
{
    const hk_take *take = &m->take;
    float frames = (float)(take->encoded.max_frames_per_block - 1);
    if (!m->old || take->frames == 1)
        return frames * take->frame_duration;
    return (float)((double)take->duration / (double)(take->frames - 1) * (double)frames);
}

static void put_spline(maker *m, hk_node *to)
{
    hk_values *v = &m->values;
    const hk_take *take = &m->take;
    const hk_encoded *e = &take->encoded;
    float block = block_duration(m);
    hk_put_word(v, to, "type", "spline_compressed");
    hk_put_real(v, to, "duration", (double)take->duration);
    hk_put_uint(v, to, "number_of_transform_tracks", take->tracks);
    hk_put_uint(v, to, "number_of_float_tracks", take->floats);
    put_events(m, to);
    hk_put_uint(v, to, "num_frames", take->frames);
    hk_put_uint(v, to, "num_blocks", e->blocks);
    hk_put_uint(v, to, "max_frames_per_block", e->max_frames_per_block);
    hk_put_uint(v, to, "mask_and_quantization_size", e->mask_size);
    hk_put_real(v, to, "block_duration", (double)block);
    hk_put_real(v, to, "block_inverse_duration", (double)(1 / block));
    hk_put_real(v, to, "frame_duration", (double)take->frame_duration);
    put_offsets(m, to, "block_offsets", e->block_offsets);
    put_offsets(m, to, "float_block_offsets", e->float_block_offsets);
    put_text(m, to, "data", (rec_key){(const char *)e->data.data, e->data.size});
}

/* Samples of zeros, where none are told. */
static void put_motion(maker *m)
{
    hk_values *v = &m->values;
    hk_node *motion = put_object(m, "hkaDefaultAnimatedReferenceFrame");
    hk_put_real(v, motion, "duration", (double)m->take.duration);
    hk_node *list = hk_put_list(v, motion, "reference_frame_samples");
    for (uint64_t i = 0; i < m->take.frames; i++) {
        double lanes[MODEL_MOVE] = {0};
        for (size_t k = 0; m->take.moves.count && k < MODEL_MOVE; k++)
            lanes[k] = (double)rec_table_floats(&m->take.moves)[i * MODEL_MOVE + k];
        hk_put_reals(v, list, NULL, lanes, MODEL_MOVE);
    }
}

static void put_binding(maker *m, int64_t animation)
{
    hk_values *v = &m->values;
    const hk_take *take = &m->take;
    hk_node *binding = put_object(m, "hkaAnimationBinding");
    const char *name = take->rig ? hk_rig_name(take->rig) : NULL;
    if (take->skeleton_name.p)
        put_text(m, binding, "original_skeleton_name", take->skeleton_name);
    else /* without any: that of the game's people, and most of its creatures */
        hk_put_word(v, binding, "original_skeleton_name",
                    name     ? name
                    : m->old ? "NPC Root [Root]"
                             : "Root");
    hk_put_int(v, binding, "animation", animation);
    if (!m->old || !take->identity)
        put_indices(m, binding, "transform_track_to_bone_indices", &take->bones);
    put_indices(m, binding, "float_track_to_float_slot_indices", &take->slots);
    hk_put_word(v, binding, "blend_hint", take->additive ? "additive" : "normal");
}

/* ---- the file ------------------------------------------------------------------------------------------ */

/* Fallout 4's clips have root motion, if only of zeros, and its skeletons no hkMemoryResourceContainer. */
static void put_objects(maker *m)
{
    hk_values *v = &m->values;
    bool motion = m->take.is && (m->take.moves.count || (!m->old && m->take.still));
    m->objects = hk_put_list(v, v->top, "objects");
    hk_node *variants = hk_put_list(v, put_object(m, "hkRootLevelContainer"), "named_variants");
    hk_node *container = put_object(m, "hkaAnimationContainer");
    put_variant(m, variants, "Merged Animation Container", "hkaAnimationContainer", m->count);
    if (m->rig.is) {
        hk_rig_put(&m->rig, v, put_object(m, "hkaSkeleton"));
        put_pointer(m, container, "skeletons", m->count);
    }
    if (m->take.is) {
        hk_node *animation = put_object(m, "hkaSplineCompressedAnimation");
        int64_t number = m->count;
        put_spline(m, animation);
        put_pointer(m, container, "animations", number);
        if (motion) {
            put_motion(m);
            hk_put_int(v, animation, "extracted_motion", m->count);
        }
        put_binding(m, number);
        put_pointer(m, container, "bindings", m->count);
    }
    if (m->take.is || m->old) {
        put_object(m, "hkMemoryResourceContainer");
        put_variant(m, variants, "Resource Data", "hkMemoryResourceContainer", m->count);
    }
}

static lathe_result check_names(const rec_table *top, lathe_error *err)
{
    static const char *const known[] = {"game", "skeleton", "animation", NULL};
    return rec_table_names(top, NULL, "what a file is made of", known, err);
}

static lathe_result read_game(maker *m, const lathe_source *fields, lathe_error *err)
{
    lathe_value v;
    hk_head head = {.version = HK_2014, .pointer = 8};
    if (rec_arg(fields, "game", &v) && !hk_head_of_game(&v, &head)) {
        error_set(err, LATHE_ERR_NAME, LATHE_NO_OFFSET,
                  "no such game: skyrim-le, skyrim-se or fallout4 expected");
        error_where(err, "game");
        return LATHE_ERR_NAME;
    }
    m->old = head.version < HK_2014;
    return LATHE_OK;
}

static lathe_result write(maker *m, const lathe_format *format, lathe_doc *doc,
                          const lathe_source *fields, buf *out, lathe_error *err)
{
    lathe_value game;
    put_objects(m);
    if (rec_arg(fields, "game", &game))
        hk_put_bytes(&m->values, m->values.top, "game", game.as.s.p, game.as.s.n);
    if (m->values.failed)
        return rec_no_memory(err);
    lathe_source source = hk_values_source(&m->values);
    return hk_make(format, doc, &source, out, err);
}

static lathe_result make(const lathe_format *format, lathe_doc *doc, const lathe_source *fields,
                         buf *out, lathe_error *err)
{
    rec_table top;
    maker m = {.old = false};
    rec_table_top(&top, fields);
    hk_rig_open(&m.rig, &doc->mem);
    hk_take_open(&m.take, &doc->mem);
    hk_values_open(&m.values, &doc->mem);
    lathe_result r = check_names(&top, err);
    if (r == LATHE_OK)
        r = read_game(&m, fields, err);
    if (r == LATHE_OK)
        r = hk_rig_read(&m.rig, doc, &top, err);
    if (r == LATHE_OK && m.rig.is)
        r = hk_rig_check(&m.rig, &top, err);
    if (r == LATHE_OK)
        r = hk_take_read(&m.take, doc, &top, &m.rig, err);
    if (r == LATHE_OK)
        r = write(&m, format, doc, fields, out, err);
    hk_values_close(&m.values);
    hk_take_close(&m.take);
    hk_rig_close(&m.rig);
    return r;
}

lathe_result hk_new(const lathe_format *format, lathe_doc *doc, const lathe_source *fields,
                    buf *out, lathe_error *err)
{
    return is_description(fields) ? make(format, doc, fields, out, err)
                                  : hk_make(format, doc, fields, out, err);
}
