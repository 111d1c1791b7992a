/* Reads the options of animation verbs. */
#include "scene/clip_verbs_part.h"
#include "scene/motion_verbs.h"
#include "scene/rigs.h"

#include <stdio.h>

bool clip_flag(const lathe_source *args, const char *name)
{
    lathe_value v;
    return rec_arg(args, name, &v) && v.kind == LATHE_KIND_BOOL && v.as.b;
}

/* ---- skeletons and animations ---------------------------------------------------------------------- */

/* The linked skeleton, or the first one of the document. */
static lathe_result own_skeleton(clip_job *job, clip_rig *out, lathe_error *err)
{
    uint64_t n;
    if (scene_linked(job->doc))
        return scene_rig(job->doc, SCENE_LINKED, &out->is, err);
    lathe_result r = scene_count(job->doc, LATHE_SKELETONS, &n, err);
    if (r == LATHE_OK && n)
        r = scene_rig(job->doc, 0, &out->is, err);
    return r == LATHE_OK && n ? model_skeleton_check(out->is, err) : r;
}

static bool are_others(const char *a, const char *b)
{
    return a && b && a[0] && b[0] && strcmp(a, b) != 0;
}

/* Checks that a skeleton fits the tracks, whose bones are identified by name, or by number if they have no names.
 * Reports bones that are missing; fails if tracks have no names and the verb needs the bones. */
static lathe_result check_bones(clip_job *job, const model_skeleton *skeleton, bool needed,
                                lathe_error *err)
{
    const char *said = job->clip.facts.skeleton_name;
    const model_track *t = job->m.tracks;
    uint64_t i = 0;
    if (are_others(said, skeleton->name))
        motion_note(job->report,
                    "the animation is made for the skeleton '%.100s': this one is called '%.100s'",
                    said, skeleton->name);
    while (i < job->m.track_count &&
           (t[i].bone || t[i].bone_index < 0 || (size_t)t[i].bone_index < skeleton->bone_count))
        i++;
    if (i == job->m.track_count)
        return LATHE_OK;
    if (needed)
        return error_set(err, LATHE_ERR_INVALID, LATHE_NO_OFFSET,
                         "tracks[%llu] moves bone %ld: the skeleton has bones 0 to %lld",
                         (unsigned long long)i + 1, (long)t[i].bone_index,
                         (long long)skeleton->bone_count - 1);
    motion_note(job->report, "tracks[%llu] moves bone %ld: the skeleton has bones 0 to %lld",
                (unsigned long long)i + 1, (long)t[i].bone_index,
                (long long)skeleton->bone_count - 1);
    return LATHE_OK;
}

lathe_result clip_skeleton(clip_job *job, const char *name, bool needed, clip_rig *out,
                           lathe_error *err)
{
    bool is;
    out->is = NULL;
    lathe_result r = scene_skeleton_arg(job->doc, job->args, name, &out->given, &is, err);
    if (r == LATHE_OK && is)
        out->is = &out->given;
    else if (r == LATHE_OK)
        r = own_skeleton(job, out, err);
    if (r == LATHE_OK && !out->is && needed)
        r = error_set(err, LATHE_ERR_INVALID, LATHE_NO_OFFSET,
                      "%s needs a skeleton: give the option '%s', or open the animation with one",
                      job->verb, name);
    if (r == LATHE_OK && out->is) {
        r = check_bones(job, out->is, needed, err);
        if (r != LATHE_OK)
            clip_skeleton_free(out);
    }
    return r;
}

void clip_skeleton_free(clip_rig *rig)
{
    model_skeleton_free(&rig->given);
}

lathe_value scene_clip_value(lathe_doc *doc, uint32_t i)
{
    lathe_value value = {.kind = LATHE_KIND_RECORD, .as.v = lathe_doc_root(doc)};
    value.as.v.flags = SCENE_VIEW_CLIP;
    value.as.v.index = i;
    return value;
}

/* The animation that a view shows; of a document, its first one. */
static lathe_result clip_of_view(lathe_view view, scene_clip *out, lathe_error *err)
{
    if (view.flags & SCENE_VIEW_CLIP)
        return scene_clip_open(view.doc, view.index, out, err);
    if (lathe_view_same(view, lathe_doc_root(view.doc)))
        return scene_clip_open(view.doc, 0, out, err);
    return scene_clip_of(view, out, err);
}

/* Reads the option `name` as an animation: an animation, a document (its first one), or its record. LATHE_ERR_TYPE:
 * it is something else. LATHE_ERR_INVALID: it no longer exists. */
static lathe_result clip_arg(const lathe_source *args, const char *name, scene_clip *out,
                             bool *given, lathe_error *err)
{
    lathe_value v;
    *given = rec_arg(args, name, &v);
    if (!*given)
        return LATHE_OK;
    if (v.kind != LATHE_KIND_RECORD || (v.as.v.flags & ~(uint32_t)SCENE_VIEW_CLIP) || !v.as.v.doc)
        return error_set(err, LATHE_ERR_TYPE, LATHE_NO_OFFSET,
                         "%s: an animation or a document expected", name);
    lathe_result r = clip_of_view(v.as.v, out, err);
    if (r == LATHE_ERR_NAME)
        return error_set(err, LATHE_ERR_INVALID, LATHE_NO_OFFSET, "%s: %s has no such animation",
                         name, v.as.v.doc->path ? v.as.v.doc->path : "the document");
    return r;
}

lathe_result clip_other(clip_job *job, const char *name, bool as_many, model_motion *out, bool *is,
                        lathe_error *err)
{
    scene_clip clip;
    lathe_result r = clip_arg(job->args, name, &clip, is, err);
    if (r != LATHE_OK || !*is)
        return r;
    r = scene_motion_take(&clip, NULL, out, err);
    const char *own = job->clip.facts.skeleton_name, *others = clip.facts.skeleton_name;
    if (r != LATHE_OK || !are_others(own, others))
        return r;
    if (as_many && out->track_count != job->m.track_count)
        return error_set(err, LATHE_ERR_INVALID, LATHE_NO_OFFSET,
                         "the animation has %llu track%s, for the skeleton '%.100s'; the other has "
                         "%llu, for '%.100s'",
                         (unsigned long long)job->m.track_count, job->m.track_count == 1 ? "" : "s",
                         own, (unsigned long long)out->track_count, others);
    motion_note(job->report,
                "the animation is made for the skeleton '%.100s', the other for '%.100s'", own,
                others);
    return r;
}

/* ---- bones -------------------------------------------------------------------------------------------- */

typedef struct track_names {
    const model_motion *m;
    const model_skeleton *skeleton;
} track_names;

static const char *track_name(const track_names *of, uint64_t i)
{
    const model_track *t = &of->m->tracks[i];
    if (t->bone || !of->skeleton)
        return t->bone;
    bool known = t->bone_index >= 0 && (size_t)t->bone_index < of->skeleton->bone_count;
    return known ? of->skeleton->bones[t->bone_index].name : NULL;
}

static const char *next_track(void *user, size_t i)
{
    const track_names *of = user;
    const char *name = NULL;
    if (i < of->m->track_count)
        name = track_name(of, i);
    return i < of->m->track_count && !name ? "" : name;
}

static lathe_result no_bone(track_names *of, const char *verb, const char *name, lathe_error *err)
{
    const char *near = error_nearest(name, next_track, of);
    bool named = false;
    for (uint64_t i = 0; !named && i < of->m->track_count; i++)
        named = track_name(of, i) != NULL;
    return error_set(err, LATHE_ERR_INVALID, LATHE_NO_OFFSET,
                     near && near[0] ? "%s: no track moves a bone '%.100s'; did you mean '%.100s'?"
                     : named         ? "%s: no track moves a bone '%.100s'"
                             : "%s: no track moves a bone '%.100s': without a skeleton bones have "
                               "numbers alone",
                     verb, name, near);
}

static lathe_result no_number(const track_names *of, const char *verb, int64_t number,
                              lathe_error *err)
{
    const model_motion *m = of->m;
    int32_t least = INT32_MAX, most = -1;
    for (uint64_t i = 0; i < m->track_count; i++) {
        int32_t bone = m->tracks[i].bone_index;
        least = bone >= 0 && bone < least ? bone : least;
        most = bone > most ? bone : most;
    }
    if (most < 0)
        return error_set(err, LATHE_ERR_INVALID, LATHE_NO_OFFSET,
                         "%s: no track moves bone %lld: tracks are bound to no numbers", verb,
                         (long long)number);
    return error_set(err, LATHE_ERR_INVALID, LATHE_NO_OFFSET,
                     "%s: no track moves bone %lld; they move bones %ld to %ld", verb,
                     (long long)number, (long)least, (long)most);
}

lathe_result clip_bone(clip_job *job, const char *name, const model_skeleton *skeleton,
                       int64_t *track, lathe_error *err)
{
    track_names of = {&job->m, skeleton};
    lathe_value v;
    int64_t number = -1;
    char text[256] = "";
    *track = -1;
    if (!rec_arg(job->args, name, &v))
        return LATHE_OK;
    bool named = v.kind == LATHE_KIND_STRING;
    if (!named && !rec_arg_integer(job->args, name, &number))
        return error_set(err, LATHE_ERR_TYPE, LATHE_NO_OFFSET,
                         "'%s' of %s: a bone's name or number expected", name, job->verb);
    for (uint64_t i = 0; i < job->m.track_count; i++) {
        const char *own = named ? track_name(&of, i) : NULL;
        if (named ? own && rec_text_is(&v, own) : job->m.tracks[i].bone_index == number) {
            *track = (int64_t)i;
            return LATHE_OK;
        }
    }
    if (!named)
        return no_number(&of, job->verb, number, err);
    snprintf(text, sizeof text, "%.*s", (int)(v.as.s.n < 200 ? v.as.s.n : 200), v.as.s.p);
    return no_bone(&of, job->verb, text, err);
}

/* ---- lists -------------------------------------------------------------------------------------------- */

static bool get(const lathe_source *args, const void *node, const char *name, uint64_t i,
                lathe_value *v, const void **child)
{
    *v = (lathe_value){.kind = LATHE_KIND_NONE};
    *child = NULL;
    return args && args->get(args->user, node, name, i, v, child) && v->kind != LATHE_KIND_NONE;
}

lathe_result clip_numbers(const lathe_source *args, const char *name, size_t n, double *out,
                          lathe_error *err)
{
    lathe_value v;
    const void *list, *none;
    if (!get(args, NULL, name, 0, &v, &list))
        return LATHE_OK;
    bool good = list && args->count(args->user, list) == n;
    for (size_t i = 0; good && i < n; i++)
        good = get(args, list, NULL, i, &v, &none) && rec_number(&v, &out[i]);
    return good ? LATHE_OK
                : error_set(err, LATHE_ERR_TYPE, LATHE_NO_OFFSET, "%s: %zu numbers expected", name,
                            n);
}

static lathe_result own_text(clip_job *job, const char *p, size_t n, const char **out,
                             lathe_error *err)
{
    char *text = arena_zalloc(&job->texts, n + 1);
    if (!text)
        return rec_no_memory(err);
    memcpy(text, p, n);
    *out = text;
    return LATHE_OK;
}

static lathe_result text_in(clip_job *job, const void *node, const char *option, const char *name,
                            uint64_t i, const char **out, lathe_error *err)
{
    lathe_value v;
    const void *child;
    if (!get(job->args, node, name, 0, &v, &child) || v.kind != LATHE_KIND_STRING)
        return error_set(err, LATHE_ERR_TYPE, LATHE_NO_OFFSET, "%s[%llu]: no name '%s' in it",
                         option, (unsigned long long)i + 1, name);
    return own_text(job, v.as.s.p, v.as.s.n, out, err);
}

/* Reads {one = "other"}, from sources that can list their names. */
static lathe_result named_pairs(clip_job *job, const void *list, const char *option,
                                model_pair *out, size_t n, lathe_error *err)
{
    const lathe_source *args = job->args;
    lathe_result r = LATHE_OK;
    for (size_t i = 0; r == LATHE_OK && i < n; i++) {
        const char *key = args->name(args->user, list, i);
        lathe_value v;
        const void *child;
        if (!key)
            break;
        r = own_text(job, key, strlen(key), &out[i].left, err);
        if (r == LATHE_OK &&
            (!get(args, list, out[i].left, 0, &v, &child) || v.kind != LATHE_KIND_STRING))
            r = error_set(err, LATHE_ERR_TYPE, LATHE_NO_OFFSET, "%s: '%.100s' has no name", option,
                          out[i].left);
        if (r == LATHE_OK)
            r = own_text(job, v.as.s.p, v.as.s.n, &out[i].right, err);
    }
    return r;
}

lathe_result clip_pairs(clip_job *job, const char *name, const char *left, const char *right,
                        model_pair **out, size_t *n, lathe_error *err)
{
    const lathe_source *args = job->args;
    lathe_value v;
    const void *list, *child;
    lathe_result r = LATHE_OK;
    *out = NULL;
    *n = 0;
    if (!get(args, NULL, name, 0, &v, &list))
        return LATHE_OK;
    if (!list)
        return error_set(err, LATHE_ERR_TYPE, LATHE_NO_OFFSET, "%s: a table expected", name);
    uint64_t count = args->count(args->user, list);
    bool named = !count && args->size >= sizeof *args && args->name;
    while (named && count < UINT32_MAX && args->name(args->user, list, count))
        count++;
    if (count < UINT32_MAX)
        *out = arena_zalloc(&job->texts, (size_t)count * sizeof **out + 1);
    if (!*out)
        return rec_no_memory(err);
    *n = (size_t)count;
    if (named)
        return named_pairs(job, list, name, *out, *n, err);
    for (uint64_t i = 0; r == LATHE_OK && i < count; i++) {
        if (!get(args, list, NULL, i, &v, &child) || !child)
            return error_set(err, LATHE_ERR_TYPE, LATHE_NO_OFFSET,
                             "%s[%llu]: a table with %s and %s expected", name,
                             (unsigned long long)i + 1, left, right);
        r = text_in(job, child, name, left, i, &(*out)[i].left, err);
        if (r == LATHE_OK)
            r = text_in(job, child, name, right, i, &(*out)[i].right, err);
    }
    return r;
}
