#include "scene/clip.h"

#include "scene/draft.h"

#include <stdio.h>

/* ---- lists ------------------------------------------------------------------------------------------ */

const scene_hooks *scene_of(const lathe_format *format)
{
    static const scene_hooks none = {0};
    return format->scene ? format->scene : &none;
}

lathe_result scene_count_one(lathe_doc *doc, lathe_list list, uint64_t *n, lathe_error *err)
{
    (void)doc;
    (void)list;
    (void)err;
    *n = 1;
    return LATHE_OK;
}

bool scene_has(const lathe_format *format, lathe_list list)
{
    const scene_hooks *s = scene_of(format);
    switch (list) {
    case LATHE_MESHES: return s->mesh != NULL;
    case LATHE_COLLISION: return s->collision != NULL;
    case LATHE_SKELETONS: return s->skeleton != NULL;
    case LATHE_ANIMATIONS: return s->clips != NULL;
    case LATHE_MATERIALS: return s->material != NULL;
    case LATHE_BODIES: return s->body != NULL;
    case LATHE_GRAPHS:
    case LATHE_EVENTS:
    case LATHE_VARIABLES:
    case LATHE_STATES:
    case LATHE_TRANSITIONS:
    case LATHE_CLIP_GENERATORS:
    case LATHE_ANIMATION_FILES: return s->graph != NULL;
    default: return false;
    }
}

lathe_result scene_count(lathe_doc *doc, lathe_list list, uint64_t *n, lathe_error *err)
{
    const lathe_format *format = doc->containers[0].format;
    *n = 0;
    return scene_has(format, list) ? scene_of(format)->count(doc, list, n, err) : LATHE_OK;
}

/* ---- skeletons ----------------------------------------------------------------------------------- */

static lathe_result read_skeleton(lathe_doc *doc, uint64_t i, model_skeleton *out, lathe_error *err)
{
    const lathe_format *format = doc->containers[0].format;
    const scene_hooks *hooks = scene_of(format);
    if (i == SCENE_LINKED && scene_linked(doc))
        return model_skeleton_copy(out, scene_linked(doc), err);
    if (i == LATHE_NODES && hooks->nodes)
        return hooks->nodes(doc, out, err);
    if (hooks->skeleton)
        return hooks->skeleton(doc, i, out, err);
    return error_set(err, LATHE_ERR_NAME, LATHE_NO_OFFSET, "%s has no skeleton", format->name);
}

lathe_result scene_skeleton(lathe_doc *doc, uint64_t i, model_skeleton *out, lathe_error *err)
{
    lathe_result r = read_skeleton(doc, i, out, err);
    if (r != LATHE_OK)
        model_skeleton_free(out);
    return r;
}

/* ---- materials ----------------------------------------------------------------------------------- */

lathe_result scene_material(lathe_doc *doc, uint64_t i, lathe_view *out, lathe_error *err)
{
    const lathe_format *format = doc->containers[0].format;
    return scene_of(format)->material ? scene_of(format)->material(doc, i, out, err)
                                      : error_set(err, LATHE_ERR_NAME, LATHE_NO_OFFSET,
                                                  "%s has no materials", format->name);
}

lathe_result scene_look(lathe_doc *doc, uint64_t i, lathe_view *out, lathe_error *err)
{
    const scene_hooks *scene = scene_of(doc->containers[0].format);
    out->doc = NULL;
    return scene->look ? scene->look(doc, i, out, err) : LATHE_OK;
}

/* ---- bodies -------------------------------------------------------------------------------------- */

lathe_result scene_body(lathe_doc *doc, uint64_t i, lathe_view *out, lathe_error *err)
{
    const lathe_format *format = doc->containers[0].format;
    return scene_of(format)->body
               ? scene_of(format)->body(doc, i, out, err)
               : error_set(err, LATHE_ERR_NAME, LATHE_NO_OFFSET, "%s has no bodies", format->name);
}

/* ---- a skeleton as an option ----------------------------------------------------------------------- */

lathe_value scene_skeleton_value(lathe_doc *doc, uint32_t i)
{
    lathe_value value = {.kind = LATHE_KIND_RECORD, .as.v = lathe_doc_root(doc)};
    value.as.v.flags = SCENE_VIEW_SKELETON;
    value.as.v.index = i;
    return value;
}

/* A nested value that is converted to a skeleton. */
typedef struct reader {
    const lathe_source *source;
    model_skeleton *out;
    lathe_error *err;
    size_t bone;
} reader;

/* A value in a node: kind NONE if absent; *child if nested. */
static lathe_value ask(const lathe_source *s, const void *node, const char *name, uint64_t i,
                       const void **child)
{
    lathe_value leaf = {.kind = LATHE_KIND_NONE};
    *child = NULL;
    if (!s->get(s->user, node, name, i, &leaf, child))
        leaf.kind = LATHE_KIND_NONE;
    return leaf;
}

static lathe_result wrong(const reader *in, const char *field, const char *what)
{
    return error_set(in->err, LATHE_ERR_TYPE, LATHE_NO_OFFSET, "%s of bone %zu: %s expected", field,
                     in->bone, what);
}

static lathe_result read_bone_number(const reader *in, const char *field, const lathe_value *leaf,
                                     int32_t *out)
{
    double number;
    if (!rec_number(leaf, &number) || !(number >= -1 && number <= INT32_MAX) ||
        (double)(int32_t)number != number)
        return wrong(in, field, "a bone's number, from 0, or -1");
    *out = (int32_t)number;
    return LATHE_OK;
}

static lathe_result read_text(const reader *in, const lathe_value *leaf, const char **out)
{
    if (leaf->kind != LATHE_KIND_STRING)
        return error_set(in->err, LATHE_ERR_TYPE, LATHE_NO_OFFSET, "a name is a string");
    *out = model_skeleton_text(in->out, leaf->as.s.p, leaf->as.s.n);
    return *out ? LATHE_OK : rec_no_memory(in->err);
}

/* Reads `t`, `q` or `s` of a pose: n numbers. *out is unchanged if it is not given. */
static lathe_result read_numbers(const reader *in, const void *pose, const char *name, uint64_t n,
                                 const char *what, double *out)
{
    const lathe_source *s = in->source;
    const void *list, *child;
    lathe_value leaf = ask(s, pose, name, 0, &list);
    if (leaf.kind == LATHE_KIND_NONE)
        return LATHE_OK;
    if (!list || s->count(s->user, list) != n)
        return wrong(in, name, what);
    for (uint64_t i = 0; i < n; i++) {
        leaf = ask(s, list, NULL, i, &child);
        if (!rec_number(&leaf, &out[i]))
            return wrong(in, name, what);
    }
    return LATHE_OK;
}

static lathe_result read_pose(const reader *in, const void *bone, double *pose)
{
    const void *child;
    lathe_value leaf = ask(in->source, bone, "pose", 0, &child);
    if (leaf.kind == LATHE_KIND_NONE)
        return LATHE_OK;
    if (!child)
        return wrong(in, "pose", "{t =, q =, s =}");
    lathe_result r = read_numbers(in, child, "t", 3, "{x, y, z}", pose);
    if (r == LATHE_OK)
        r = read_numbers(in, child, "q", 4, "{x, y, z, w}", pose + 3);
    return r == LATHE_OK ? read_numbers(in, child, "s", 3, "{x, y, z}", pose + 7) : r;
}

static lathe_result read_bone(const reader *in, const void *node, model_bone *out)
{
    const void *child;
    lathe_result r = LATHE_OK;
    lathe_value leaf = ask(in->source, node, "parent", 0, &child);
    if (leaf.kind != LATHE_KIND_NONE)
        r = read_bone_number(in, "parent", &leaf, &out->parent);
    leaf = ask(in->source, node, "mirror", 0, &child);
    if (r == LATHE_OK && leaf.kind != LATHE_KIND_NONE)
        r = read_bone_number(in, "mirror", &leaf, &out->mirror);
    leaf = ask(in->source, node, "name", 0, &child);
    if (r == LATHE_OK && leaf.kind != LATHE_KIND_NONE)
        r = read_text(in, &leaf, &out->name);
    return r == LATHE_OK ? read_pose(in, node, out->pose) : r;
}

/* Reads a list of bones, or of their parents. */
static lathe_result read_bones(reader *in, const void *list)
{
    uint64_t n = in->source->count(in->source->user, list);
    if (n > INT32_MAX)
        return error_set(in->err, LATHE_ERR_LIMIT, LATHE_NO_OFFSET, "%llu bones are too many",
                         (unsigned long long)n);
    lathe_result r = model_skeleton_alloc(in->out, (size_t)n, in->err);
    for (in->bone = 0; r == LATHE_OK && in->bone < n; in->bone++) {
        model_bone *bone = &in->out->bones[in->bone];
        const void *child;
        lathe_value leaf = ask(in->source, list, NULL, in->bone, &child);
        r = child ? read_bone(in, child, bone)
                  : read_bone_number(in, "parent", &leaf, &bone->parent);
    }
    return r;
}

/* Reads a skeleton from a table. Some sources cannot tell a list from a record. */
static lathe_result read_nested(reader *in, const char *option, const void *node)
{
    const void *bones, *child;
    lathe_result r = LATHE_OK;
    lathe_value leaf = ask(in->source, node, "bones", 0, &bones);
    if (leaf.kind == LATHE_KIND_NONE && in->source->count(in->source->user, node))
        return read_bones(in, node);
    if (leaf.kind == LATHE_KIND_NONE || !bones)
        return error_set(in->err, LATHE_ERR_TYPE, LATHE_NO_OFFSET, "%s: no list of bones in it",
                         option);
    leaf = ask(in->source, node, "name", 0, &child);
    if (leaf.kind != LATHE_KIND_NONE)
        r = read_text(in, &leaf, &in->out->name);
    return r == LATHE_OK ? read_bones(in, bones) : r;
}

/* Reads the skeleton that a view shows; of a document, its first one. */
static lathe_result from_view(lathe_view view, const char *option, model_skeleton *out,
                              lathe_error *err)
{
    char where[48];
    bool is_skeleton = view.flags & SCENE_VIEW_SKELETON;
    if (!is_skeleton && !lathe_view_same(view, lathe_doc_root(view.doc)))
        return error_set(err, LATHE_ERR_TYPE, LATHE_NO_OFFSET, "%s: %s%s is no skeleton", option,
                         view.flags & SCENE_VIEW_CLIP ? "an " : "a ",
                         view.flags & SCENE_VIEW_CLIP ? "animation" : lathe_view_type(view));
    uint32_t i = is_skeleton ? view.index : 0;
    lathe_result r = scene_skeleton(view.doc, i, out, err);
    if (r == LATHE_ERR_NAME)
        return error_set(err, LATHE_ERR_INVALID, LATHE_NO_OFFSET, "%s: %s has no skeleton%s",
                         option, view.doc->path ? view.doc->path : "the document",
                         i ? " of that number any more" : "");
    if (r == LATHE_OK)
        r = model_skeleton_check(out, err);
    if (r != LATHE_OK) {
        snprintf(where, sizeof where, "skeletons[%lu]", (unsigned long)i + 1);
        error_where(err, where);
        error_path(err, view.doc->path);
    }
    return r;
}

lathe_result scene_skeleton_arg(lathe_doc *doc, const lathe_source *args, const char *name,
                                model_skeleton *out, bool *given, lathe_error *err)
{
    const void *child = NULL;
    lathe_value leaf = {.kind = LATHE_KIND_NONE};
    lathe_result r;
    model_skeleton_init(out, &doc->mem);
    if (args)
        leaf = ask(args, NULL, name, 0, &child);
    *given = leaf.kind != LATHE_KIND_NONE;
    if (!*given)
        return LATHE_OK;
    if (child) {
        reader in = {.source = args, .out = out, .err = err};
        r = read_nested(&in, name, child);
        if (r == LATHE_OK)
            r = model_skeleton_check(out, err);
    } else if (leaf.kind == LATHE_KIND_RECORD) {
        r = from_view(leaf.as.v, name, out, err);
    } else {
        r = error_set(err, LATHE_ERR_TYPE, LATHE_NO_OFFSET,
                      "%s: a skeleton, a document or a table of bones expected", name);
    }
    if (r != LATHE_OK)
        model_skeleton_free(out);
    return r;
}

lathe_result scene_skeleton_given(lathe_doc *doc, lathe_doc *from, uint32_t i,
                                  const lathe_source *args, model_skeleton *out, bool *given,
                                  lathe_error *err)
{
    if (!from)
        return scene_skeleton_arg(doc, args, "skeleton", out, given, err);
    model_skeleton_init(out, &doc->mem);
    lathe_result r = from_view(scene_skeleton_value(from, i).as.v, "skeleton", out, err);
    *given = r == LATHE_OK;
    if (r != LATHE_OK)
        model_skeleton_free(out);
    return r;
}

/* ---- animations ---------------------------------------------------------------------------------- */

lathe_result scene_clip_open(lathe_doc *doc, uint64_t i, scene_clip *out, lathe_error *err)
{
    const lathe_format *format = doc->containers[0].format;
    *out = (scene_clip){.hooks = scene_of(format)->clips};
    if (!out->hooks)
        return error_set(err, LATHE_ERR_NAME, LATHE_NO_OFFSET, "%s has no animations",
                         format->name);
    lathe_result r = out->hooks->open(doc, i, &out->facts, &out->source, err);
    const scene_draft *draft = r == LATHE_OK ? scene_draft_of(doc, &out->source) : NULL;
    if (draft && draft->now)
        scene_motion_shows(draft, out);
    return r;
}

bool scene_is_clip(const lathe_format *format, const rec_type *type)
{
    const scene_clips *clips = scene_of(format)->clips;
    return clips && (clips->is ? clips->is(type) : rec_is_a(type, format->root));
}

lathe_result scene_clip_ready(const scene_clip *clip, lathe_error *err)
{
    return clip->hooks->ready && !clip->draft ? clip->hooks->ready(clip->source, err) : LATHE_OK;
}

lathe_result scene_clip_binding(const scene_clip *clip, lathe_view *out, lathe_error *err)
{
    *out = (lathe_view){.doc = NULL};
    return clip->hooks->binding ? clip->hooks->binding(clip->source, out, err) : LATHE_OK;
}

static lathe_result no_track(uint64_t i, uint64_t n, lathe_error *err)
{
    return error_set(err, LATHE_ERR_NAME, LATHE_NO_OFFSET, "no track %llu: there are %llu",
                     (unsigned long long)i, (unsigned long long)n);
}

/* The linked skeleton, if the file has no name; NULL: it has one, or no skeleton is linked. */
static const model_skeleton *linked_for(const scene_clip *clip, const char *name)
{
    return name ? NULL : scene_linked(clip->source.doc);
}

lathe_result scene_clip_track(const scene_clip *clip, uint64_t i, model_track *out,
                              lathe_error *err)
{
    *out = (model_track){.bone_index = -1};
    if (i >= clip->facts.track_count)
        return no_track(i, clip->facts.track_count, err);
    lathe_result r = LATHE_OK;
    if (clip->draft)
        *out = clip->draft->tracks[i];
    else
        r = clip->hooks->track(clip->source, i, out, err);
    const model_skeleton *linked = r == LATHE_OK ? linked_for(clip, out->bone) : NULL;
    if (linked && out->bone_index >= 0 && (size_t)out->bone_index < linked->bone_count)
        out->bone = linked->bones[out->bone_index].name;
    return r;
}

lathe_result scene_clip_float_track(const scene_clip *clip, uint64_t i, model_float_track *out,
                                    lathe_error *err)
{
    *out = (model_float_track){.slot_index = -1};
    if (i >= clip->facts.float_track_count)
        return no_track(i, clip->facts.float_track_count, err);
    lathe_result r = LATHE_OK;
    if (clip->draft)
        *out = clip->draft->float_tracks[i];
    else
        r = clip->hooks->float_track(clip->source, i, out, err);
    const model_skeleton *linked = r == LATHE_OK ? linked_for(clip, out->name) : NULL;
    if (linked && out->slot_index >= 0 && (size_t)out->slot_index < linked->slot_count)
        out->name = linked->slots[out->slot_index];
    return r;
}

static bool gather(void *user, const model_annotation *one)
{
    return buf_put(user, one, sizeof *one);
}

/* A stable sort. Annotations that are already sorted, the usual case, take linear time. */
static void sort_by_time(model_annotation *list, model_annotation *room, size_t n)
{
    size_t half = n / 2, i = 0, j = half;
    if (n < 2)
        return;
    sort_by_time(list, room, half);
    sort_by_time(list + half, room, n - half);
    if (!(list[half].time < list[half - 1].time))
        return;
    for (size_t k = 0; k < n; k++)
        room[k] = j >= n || (i < half && !(list[j].time < list[i].time)) ? list[i++] : list[j++];
    memcpy(list, room, n * sizeof *list);
}

lathe_result scene_clip_annotations(const scene_clip *clip,
                                    bool (*each)(void *user, const model_annotation *one),
                                    void *user, lathe_error *err)
{
    buf all;
    if (clip->own_events)
        return scene_motion_events(clip->draft, each, user, err);
    if (!clip->hooks->annotations)
        return LATHE_OK;
    buf_init(&all, &clip->source.doc->mem);
    lathe_result r = clip->hooks->annotations(clip->source, gather, &all, err);
    size_t n = all.size / sizeof(model_annotation);
    if (r == LATHE_OK && !buf_reserve(&all, all.size)) /* the second half is a buffer for sorting */
        r = rec_no_memory(err);
    model_annotation *list = (model_annotation *)(void *)all.data;
    if (r == LATHE_OK && n)
        sort_by_time(list, list + n, n);
    for (size_t i = 0; r == LATHE_OK && i < n; i++)
        if (!each(user, &list[i]))
            r = rec_no_memory(err);
    buf_free(&all);
    return r;
}

/* Clamps a time to the clip; a frame must exist. The comparisons fail for NaN, too. */
static lathe_result settle(const model_clip *facts, model_when *when, lathe_error *err)
{
    double last = (double)facts->frame_count - 1;
    if (when->at != when->at)
        return error_set(err, LATHE_ERR_TYPE, LATHE_NO_OFFSET, "%s: a number expected, got NaN",
                         when->is_time ? "time" : "frame");
    if (facts->frame_count == 0)
        return error_set(err, LATHE_ERR_NAME, LATHE_NO_OFFSET, "the animation has no frames");
    if (when->is_time) {
        if (when->at > facts->duration)
            when->at = facts->duration;
        if (!(when->at > 0))
            when->at = 0;
        return LATHE_OK;
    }
    if (when->at >= 0 && when->at <= last)
        return LATHE_OK;
    return error_set(err, LATHE_ERR_NAME, LATHE_NO_OFFSET, "frame %.9g is not in 0 .. %.0f",
                     when->at, last);
}

lathe_result scene_clip_sample(const scene_clip *clip, const model_when *when,
                               const model_skeleton *skeleton, uint64_t first, uint64_t n,
                               float *out, lathe_error *err)
{
    model_when at = *when;
    uint64_t tracks = clip->facts.track_count;
    lathe_result r = scene_clip_ready(clip, err);
    if (r == LATHE_OK && (first > tracks || n > tracks - first))
        r = no_track(first + n - 1, tracks, err);
    if (r == LATHE_OK)
        r = settle(&clip->facts, &at, err);
    if (r != LATHE_OK || n == 0)
        return r;
    if (clip->draft)
        return scene_motion_sample(clip->draft, &at, skeleton, first, n, out, err);
    return clip->hooks->sample(clip->source, &at, skeleton, first, n, out, err);
}

lathe_result scene_clip_decode(const scene_clip *clip, const model_skeleton *skeleton, float *out,
                               lathe_error *err)
{
    uint64_t frames = clip->facts.frame_count, tracks = clip->facts.track_count;
    lathe_result r = scene_clip_ready(clip, err);
    if (r != LATHE_OK || frames == 0 || tracks == 0)
        return r;
    if (clip->draft && !(skeleton && clip->draft->absolute)) {
        memcpy(out, clip->draft->rows, (size_t)(frames * tracks * MODEL_POSE) * sizeof *out);
        return r;
    }
    if (clip->hooks->decode && !clip->draft)
        return clip->hooks->decode(clip->source, skeleton, 0, frames, out, err);
    for (uint64_t i = 0; r == LATHE_OK && i < frames; i++) {
        model_when when = {.at = (double)i};
        float *to = out + i * tracks * MODEL_POSE;
        r = clip->draft ? scene_motion_sample(clip->draft, &when, skeleton, 0, tracks, to, err)
                        : clip->hooks->sample(clip->source, &when, skeleton, 0, tracks, to, err);
    }
    return r;
}

lathe_result scene_clip_floats(const scene_clip *clip, const model_when *when, uint64_t first,
                               uint64_t n, float *out, lathe_error *err)
{
    model_when at = *when;
    uint64_t tracks = clip->facts.float_track_count;
    lathe_result r = scene_clip_ready(clip, err);
    if (r == LATHE_OK && (first > tracks || n > tracks - first))
        r = no_track(first + n - 1, tracks, err);
    if (r == LATHE_OK)
        r = settle(&clip->facts, &at, err);
    if (r != LATHE_OK || n == 0)
        return r;
    if (!clip->draft)
        return clip->hooks->floats(clip->source, &at, first, n, out, err);
    model_motion_floats(clip->draft, scene_motion_time(clip->draft, &at), first, n, out);
    return r;
}

lathe_result scene_clip_decode_floats(const scene_clip *clip, float *out, lathe_error *err)
{
    lathe_result r = scene_clip_ready(clip, err);
    if (r != LATHE_OK || clip->facts.frame_count == 0 || clip->facts.float_track_count == 0)
        return r;
    if (clip->draft) {
        uint64_t n = clip->facts.frame_count * clip->facts.float_track_count;
        memcpy(out, clip->draft->floats, (size_t)n * sizeof *out);
        return r;
    }
    return clip->hooks->decode_floats(clip->source, 0, clip->facts.frame_count, out, err);
}

lathe_result scene_clip_motion(const scene_clip *clip, float *out, lathe_error *err)
{
    uint64_t n = clip->facts.frame_count;
    lathe_result r = scene_clip_ready(clip, err);
    if (r == LATHE_OK && clip->draft)
        memcpy(out, clip->draft->moves, (size_t)n * MODEL_MOVE * sizeof *out);
    return r != LATHE_OK || clip->draft ? r : clip->hooks->motion(clip->source, n, out, err);
}

/* ---- times as options ------------------------------------------------------------------------------ */

lathe_result scene_when_arg(const lathe_source *args, model_when *out, bool *given,
                            lathe_error *err)
{
    static const char *const names[] = {"frame", "time"};
    lathe_value found = {.kind = LATHE_KIND_NONE};
    *given = false;
    for (int i = 0; args && i < 2; i++) {
        const void *child;
        lathe_value leaf = ask(args, NULL, names[i], 0, &child);
        if (leaf.kind == LATHE_KIND_NONE)
            continue;
        if (*given)
            return error_set(err, LATHE_ERR_TYPE, LATHE_NO_OFFSET, "a frame or a time, not both");
        *given = true;
        found = leaf;
        out->is_time = i == 1;
    }
    if (*given && !rec_number(&found, &out->at))
        return error_set(err, LATHE_ERR_TYPE, LATHE_NO_OFFSET, "%s: a number expected",
                         names[out->is_time]);
    return LATHE_OK;
}
