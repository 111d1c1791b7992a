/* Index of bones and tracks by name, and the linked skeleton. */
#include "scene/rigs.h"

#include "scene/state.h"

#include <stdlib.h>

/* A name with its number, for a list sorted by name. */
typedef struct name_at {
    const char *p; /* NULL: no name */
    size_t n;
    uint64_t i;
} name_at;

typedef struct names {
    name_at *list;
    size_t n;
    bool made;
} names;

/* A cached skeleton. */
typedef struct rig {
    uint64_t number;
    model_skeleton skeleton;
    names names;
} rig;

/* The names of a clip's tracks or float tracks. */
typedef struct tracks {
    uint64_t clip;
    bool floats;
    names names;
} tracks;

struct scene_rigs {
    rig *linked;
    buf rigs;         /* of rig *, whose targets do not move */
    buf tracks;       /* of struct tracks */
    uint64_t kept_at; /* doc->changes when these were read */
};

/* ---- names ----------------------------------------------------------------------------------------- */

static int by_text(const void *a, const void *b)
{
    const name_at *v = a, *w = b;
    size_t n = v->n < w->n ? v->n : w->n;
    int order = n ? memcmp(v->p, w->p, n) : 0;
    if (order)
        return order;
    if (v->n != w->n)
        return v->n < w->n ? -1 : 1;
    return v->i < w->i ? -1 : v->i > w->i;
}

static lathe_result make_names(const mem *m, names *all, size_t n, lathe_error *err)
{
    all->list =
        n < SIZE_MAX / sizeof *all->list ? mem_zalloc(m, (n + 1) * sizeof *all->list) : NULL;
    if (!all->list)
        return rec_no_memory(err);
    all->n = n;
    return LATHE_OK;
}

static void put_name(names *all, size_t i, const char *name)
{
    all->list[i] = (name_at){name, name ? strlen(name) : 0, i};
}

static void free_names(const mem *m, names *all)
{
    if (all->list)
        mem_free(m, all->list, (all->n + 1) * sizeof *all->list);
    *all = (names){NULL, 0, false};
}

static void sort_names(names *all)
{
    qsort(all->list, all->n, sizeof *all->list, by_text);
    all->made = true;
}

/* Finds the first item with a name. Items without a name are never found. */
static bool find(const names *all, const char *name, size_t n, uint64_t *i)
{
    size_t low = 0, high = all->n;
    const name_at wanted = {name, n, 0};
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (by_text(&all->list[middle], &wanted) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    const name_at *found = &all->list[low];
    if (!n || low == all->n || found->n != n || memcmp(found->p, name, n) != 0)
        return false;
    *i = found->i;
    return true;
}

static const char *next_name(void *user, size_t i)
{
    const names *all = user;
    if (i >= all->n)
        return NULL;
    return all->list[i].p ? all->list[i].p : "";
}

/* The shortest name that begins with a text, such as "NPC Head [Head]" with "NPC Head"; NULL: none. */
static const char *shortest_with(const names *all, const char *text, size_t n)
{
    const name_at *best = NULL;
    for (size_t i = 0; n > 2 && i < all->n; i++) {
        const name_at *one = &all->list[i];
        if (one->p && one->n > n && memcmp(one->p, text, n) == 0 && (!best || one->n < best->n))
            best = one;
    }
    return best ? best->p : NULL;
}

static lathe_result none(names *all, const char *what, const char *name, size_t n, lathe_error *err)
{
    char text[64], shown[48];
    const char *near = NULL;
    bool named = false;
    if (!err) /* the nearest name takes long to find, and nobody would read it */
        return LATHE_ERR_NAME;
    for (size_t i = 0; !named && i < all->n; i++)
        named = all->list[i].p && all->list[i].n;
    if (named && n < sizeof text && !memchr(name, 0, n)) {
        memcpy(text, name, n);
        text[n] = 0;
        near = error_nearest(text, next_name, all);
        if (!near || !*near)
            near = shortest_with(all, name, n);
    }
    rec_key_text((rec_key){name, n}, shown, sizeof shown);
    if (!named)
        return error_set(err, LATHE_ERR_NAME, LATHE_NO_OFFSET, "no %s %s: none has a name", what,
                         shown);
    return error_set(err, LATHE_ERR_NAME, LATHE_NO_OFFSET,
                     near && *near ? "no %s %s; did you mean '%s'?" : "no %s %s", what, shown,
                     near);
}

/* ---- the cache --------------------------------------------------------------------------------------- */

static void free_rig(const mem *m, rig *one)
{
    if (!one)
        return;
    free_names(m, &one->names);
    model_skeleton_free(&one->skeleton);
    mem_free(m, one, sizeof *one);
}

static void forget(lathe_doc *doc)
{
    scene_rigs *all = doc->scene ? doc->scene->rigs : NULL;
    rig **rigs = (rig **)(void *)all->rigs.data;
    tracks *lists = (tracks *)(void *)all->tracks.data;
    for (size_t i = 0; i < all->rigs.size / sizeof *rigs; i++)
        free_rig(&doc->mem, rigs[i]);
    for (size_t i = 0; i < all->tracks.size / sizeof *lists; i++)
        free_names(&doc->mem, &lists[i].names);
    all->rigs.size = all->tracks.size = 0;
    all->kept_at = doc->changes;
}

/* The cache; drops what is stale. */
static scene_rigs *rigs_of(lathe_doc *doc, lathe_error *err)
{
    scene_rigs *all = doc->scene ? doc->scene->rigs : NULL;
    if (!all) {
        all = scene_state_of(doc) ? mem_zalloc(&doc->mem, sizeof *all) : NULL;
        if (!all) {
            rec_no_memory(err);
            return NULL;
        }
        buf_init(&all->rigs, &doc->mem);
        buf_init(&all->tracks, &doc->mem);
        all->kept_at = doc->changes;
        doc->scene->rigs = all;
    }
    if (all->kept_at != doc->changes)
        forget(doc);
    return all;
}

void scene_rigs_free(lathe_doc *doc)
{
    scene_rigs *all = doc->scene ? doc->scene->rigs : NULL;
    if (!all)
        return;
    forget(doc);
    free_rig(&doc->mem, all->linked);
    buf_free(&all->rigs);
    buf_free(&all->tracks);
    mem_free(&doc->mem, all, sizeof *all);
    doc->scene->rigs = NULL;
}

static rig *new_rig(lathe_doc *doc, uint64_t number, lathe_error *err)
{
    rig *one = mem_zalloc(&doc->mem, sizeof *one);
    if (!one) {
        rec_no_memory(err);
        return NULL;
    }
    one->number = number;
    model_skeleton_init(&one->skeleton, &doc->mem);
    return one;
}

/* ---- the linked skeleton ------------------------------------------------------------------------------- */

const model_skeleton *scene_linked(const lathe_doc *doc)
{
    return doc->scene && doc->scene->rigs && doc->scene->rigs->linked
               ? &doc->scene->rigs->linked->skeleton
               : NULL;
}

/* Whether the option is a skeleton. A text is a path, which another layer opens. */
static bool has_skeleton(const lathe_source *extra)
{
    const void *child = NULL;
    lathe_value leaf = {.kind = LATHE_KIND_NONE};
    return extra && extra->get(extra->user, NULL, "skeleton", 0, &leaf, &child) &&
           leaf.kind != LATHE_KIND_NONE && leaf.kind != LATHE_KIND_STRING;
}

lathe_result scene_link(lathe_doc *doc, const lathe_options *options, lathe_error *err)
{
    model_skeleton found;
    bool given = false;
    if (!options->skeleton && !has_skeleton(options->extra))
        return LATHE_OK;
    lathe_result r = scene_skeleton_given(doc, options->skeleton, options->skeleton_index,
                                          options->extra, &found, &given, err);
    if (r != LATHE_OK || !given)
        return r;
    scene_rigs *all = rigs_of(doc, err);
    rig *one = all ? new_rig(doc, SCENE_LINKED, err) : NULL;
    r = one ? model_skeleton_copy(&one->skeleton, &found, err) : LATHE_ERR_MEMORY;
    model_skeleton_free(&found);
    if (r == LATHE_OK)
        all->linked = one;
    else
        free_rig(&doc->mem, one);
    return r;
}

/* ---- skeletons and their bones --------------------------------------------------------------------------- */

static lathe_result rig_of(lathe_doc *doc, uint64_t i, rig **out, lathe_error *err)
{
    scene_rigs *all = rigs_of(doc, err);
    if (!all)
        return LATHE_ERR_MEMORY;
    if (i == SCENE_LINKED && all->linked) {
        *out = all->linked;
        return LATHE_OK;
    }
    rig **list = (rig **)(void *)all->rigs.data;
    for (size_t k = all->rigs.size / sizeof *list; k-- > 0;)
        if (list[k]->number == i) {
            *out = list[k];
            return LATHE_OK;
        }
    rig *one = new_rig(doc, i, err);
    lathe_result r = one ? scene_skeleton(doc, i, &one->skeleton, err) : LATHE_ERR_MEMORY;
    if (r == LATHE_OK && !buf_put(&all->rigs, &one, sizeof(rig *)))
        r = rec_no_memory(err);
    if (r == LATHE_OK)
        *out = one;
    else
        free_rig(&doc->mem, one);
    return r;
}

lathe_result scene_rig(lathe_doc *doc, uint64_t i, const model_skeleton **out, lathe_error *err)
{
    rig *one;
    lathe_result r = rig_of(doc, i, &one, err);
    if (r == LATHE_OK)
        *out = &one->skeleton;
    return r;
}

void scene_rig_changed(lathe_doc *doc, uint64_t i, uint64_t bone, const model_bone *now,
                       uint64_t before)
{
    rig *one;
    scene_rigs *all = doc->scene ? doc->scene->rigs : NULL;
    if (!all || all->kept_at != before)
        return;
    all->kept_at = doc->changes;
    if (rig_of(doc, i, &one, NULL) == LATHE_OK && bone < one->skeleton.bone_count) {
        const char *name = one->skeleton.bones[bone].name;
        one->skeleton.bones[bone] = *now;
        one->skeleton.bones[bone].name = name;
    }
}

lathe_result scene_rig_bone(lathe_doc *doc, uint64_t i, const char *name, size_t n, uint64_t *bone,
                            lathe_error *err)
{
    rig *one = NULL;
    lathe_result r = rig_of(doc, i, &one, err);
    if (r != LATHE_OK)
        return r;
    if (!one->names.made) {
        r = make_names(&doc->mem, &one->names, one->skeleton.bone_count, err);
        if (r != LATHE_OK)
            return r;
        for (size_t k = 0; k < one->names.n; k++)
            put_name(&one->names, k, one->skeleton.bones[k].name);
        sort_names(&one->names);
    }
    return find(&one->names, name, n, bone) ? LATHE_OK : none(&one->names, "bone", name, n, err);
}

/* ---- tracks ---------------------------------------------------------------------------------------------- */

/* Reads the names of tracks. They are borrowed from the document or its linked skeleton, or constant. */
static lathe_result read_tracks(const scene_clip *clip, bool floats, names *all, lathe_error *err)
{
    lathe_result r = LATHE_OK;
    for (size_t i = 0; r == LATHE_OK && i < all->n; i++) {
        model_track track = {.bone = NULL};
        model_float_track number = {.name = NULL};
        r = floats ? scene_clip_float_track(clip, i, &number, err)
                   : scene_clip_track(clip, i, &track, err);
        put_name(all, i, floats ? number.name : track.bone);
    }
    return r;
}

static lathe_result tracks_of(lathe_doc *doc, uint64_t number, bool floats, names **out,
                              lathe_error *err)
{
    scene_clip clip;
    scene_rigs *all = rigs_of(doc, err);
    if (!all)
        return LATHE_ERR_MEMORY;
    tracks *lists = (tracks *)(void *)all->tracks.data;
    for (size_t i = 0; i < all->tracks.size / sizeof *lists; i++)
        if (lists[i].clip == number && lists[i].floats == floats) {
            *out = &lists[i].names;
            return LATHE_OK;
        }
    lathe_result r = scene_clip_open(doc, number, &clip, err);
    if (r != LATHE_OK)
        return r;
    uint64_t n = floats ? clip.facts.float_track_count : clip.facts.track_count;
    if (n > rec_content_size(doc) && (r = scene_clip_ready(&clip, err)) != LATHE_OK)
        return r; /* a damaged count */
    tracks made = {.clip = number, .floats = floats};
    r = n < SIZE_MAX ? make_names(&doc->mem, &made.names, (size_t)n, err) : rec_no_memory(err);
    if (r == LATHE_OK)
        r = read_tracks(&clip, floats, &made.names, err);
    if (r == LATHE_OK) {
        sort_names(&made.names);
        if (!buf_put(&all->tracks, &made, sizeof made))
            r = rec_no_memory(err);
    }
    if (r != LATHE_OK) {
        free_names(&doc->mem, &made.names);
        return r;
    }
    lists = (tracks *)(void *)all->tracks.data;
    *out = &lists[all->tracks.size / sizeof *lists - 1].names;
    return LATHE_OK;
}

lathe_result scene_clip_track_named(lathe_doc *doc, uint64_t clip, bool floats, const char *name,
                                    size_t n, uint64_t *track, lathe_error *err)
{
    names *all = NULL;
    lathe_result r = tracks_of(doc, clip, floats, &all, err);
    if (r != LATHE_OK)
        return r;
    return find(all, name, n, track) ? LATHE_OK
                                     : none(all, floats ? "float track" : "track", name, n, err);
}
