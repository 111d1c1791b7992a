/* Which skeletons and animations a packfile has, and what binds them: worked out once, and kept until the
 * document changes. */
#include "gen/animation_types.h"
#include "havok/animation/clip.h"
#include "havok/animation/types.h"

#include <string.h>

/* ---- classes ------------------------------------------------------------------------------------------- */

bool hk_is_skeleton(lathe_doc *doc, uint32_t part)
{
    const char *class = hk_object_class(doc, part);
    return class && strcmp(class, "hkaSkeleton") == 0;
}

/* Havok's names for them: hkaSplineCompressedAnimation, hkaQuantizedAnimation … */
static bool names_animation(const char *class)
{
    static const char end[] = "Animation";
    size_t n = strlen(class), tail = sizeof end - 1;
    return n > tail && strncmp(class, "hka", 3) == 0 && strcmp(class + n - tail, end) == 0;
}

bool hk_type_is_animation(const rec_type *type)
{
    return names_animation(rec_type_name(type)) || hk_type_is(type, "hkaAnimation");
}

bool hk_is_animation(lathe_doc *doc, uint32_t part)
{
    const char *class = hk_object_class(doc, part);
    return class && names_animation(class);
}

bool hk_animation_at(lathe_doc *doc, uint32_t part, rec_at *at)
{
    *at = hk_object(doc, part);
    if (!at->layout)
        return false;
    if (hk_object_described(doc, part) || hk_describes_classes(doc, at->layout->container))
        return hk_object_opens(doc, part);
    at->layout = rec_layout_of(doc, at->layout->container, &hka_animation);
    return at->layout && at->layout->size != REC_DYNAMIC &&
           at->layout->size <= doc->parts[part].size;
}

/* ---- the lists ----------------------------------------------------------------------------------------- */

typedef struct lister {
    lathe_doc *doc;
    hk_clips *clips;
    const uint32_t *objects;
    uint64_t n;
    enum { OTHER, SKELETON, ANIMATION, LISTED } * roles; /* of each part */
    bool short_of_memory; /* so the lists are not what they would be */
} lister;

static void take(lister *l, uint32_t part)
{
    hk_clips *clips = l->clips;
    if (l->roles[part] == SKELETON) {
        clips->skeletons[clips->skeleton_count++] = part;
    } else if (l->roles[part] == ANIMATION) {
        clips->list[clips->count++] =
            (hk_clip){.part = part, .binding = REC_NO_PART, .skeleton = REC_NO_PART};
        clips->numbers[part] = (uint32_t)clips->count;
    }
    l->roles[part] = LISTED;
}

/* Those that an hkaAnimationContainer lists, in its order. */
static void take_listed(lister *l, const rec_at *container, const char *name, int role)
{
    uint64_t n;
    lathe_result r = hk_read_length(container, name, &n, NULL);
    for (uint64_t i = 0; r != LATHE_ERR_MEMORY && i < n; i++) {
        uint32_t part;
        r = hk_read_target(container, name, i, &part, NULL);
        if (part != REC_NO_PART && (int)l->roles[part] == role)
            take(l, part);
    }
    l->short_of_memory = l->short_of_memory || r == LATHE_ERR_MEMORY;
}

static void list_objects(lister *l)
{
    for (uint64_t i = 0; i < l->n; i++) {
        if (!hk_object_is(l->doc, l->objects[i], "hkaAnimationContainer"))
            continue;
        rec_at container = hk_object(l->doc, l->objects[i]);
        take_listed(l, &container, "skeletons", SKELETON);
        take_listed(l, &container, "animations", ANIMATION);
    }
    for (uint64_t i = 0; i < l->n; i++)
        take(l, l->objects[i]);
}

static void bind(lister *l)
{
    for (uint64_t i = 0; i < l->n; i++) {
        if (!hk_object_is(l->doc, l->objects[i], "hkaAnimationBinding"))
            continue;
        rec_at binding = hk_object(l->doc, l->objects[i]);
        uint32_t part;
        l->short_of_memory =
            hk_read_target(&binding, "animation", 0, &part, NULL) == LATHE_ERR_MEMORY ||
            l->short_of_memory;
        uint32_t number = part == REC_NO_PART ? 0 : l->clips->numbers[part];
        if (number && l->clips->list[number - 1].binding == REC_NO_PART)
            l->clips->list[number - 1].binding = l->objects[i];
    }
}

static void release(lathe_doc *doc, rec_cached *what)
{
    hk_clips *clips = (hk_clips *)what;
    for (size_t i = 0; i < HK_OPENED; i++)
        if (clips->opened[i].clip)
            hk_poses_close(&clips->opened[i].poses);
    mem_free(&doc->mem, clips->skeletons, clips->skeleton_room * sizeof *clips->skeletons);
    mem_free(&doc->mem, clips->list, clips->room * sizeof *clips->list);
    mem_free(&doc->mem, clips->numbers, clips->parts_count * sizeof *clips->numbers);
    mem_free(&doc->mem, clips, sizeof *clips);
}

/* Room for what was counted; false: out of memory, and what there is goes with `release`. */
static bool make_room(lister *l, size_t skeletons, size_t animations)
{
    const mem *m = &l->doc->mem;
    hk_clips *clips = l->clips;
    clips->parts_count = l->doc->parts_n;
    clips->skeleton_room = skeletons + 1;
    clips->room = animations + 1;
    clips->skeletons = mem_zalloc(m, clips->skeleton_room * sizeof *clips->skeletons);
    clips->list = mem_zalloc(m, clips->room * sizeof *clips->list);
    clips->numbers = mem_zalloc(m, clips->parts_count * sizeof *clips->numbers);
    return clips->skeletons && clips->list && clips->numbers;
}

static bool make_lists(lister *l)
{
    size_t skeletons = 0, animations = 0;
    for (uint64_t i = 0; i < l->n; i++) {
        uint32_t part = l->objects[i];
        bool opens;
        if (hk_object_look(l->doc, part, &opens, NULL) != LATHE_OK)
            return false;
        l->roles[part] = hk_is_skeleton(l->doc, part)    ? SKELETON
                         : hk_is_animation(l->doc, part) ? ANIMATION
                                                         : OTHER;
        skeletons += l->roles[part] == SKELETON;
        animations += l->roles[part] == ANIMATION;
    }
    if (!make_room(l, skeletons, animations))
        return false;
    list_objects(l);
    bind(l);
    return !l->short_of_memory;
}

static const rec_cache lists = {.release = release};

hk_clips *hk_clips_of(lathe_doc *doc, uint32_t c, lathe_error *err)
{
    hk_clips *cached = rec_cache_find(doc, c, &lists);
    if (cached)
        return cached;
    lister l = {.doc = doc};
    l.objects = hk_object_list(doc, c, &l.n);
    size_t size = doc->parts_n * sizeof *l.roles;
    l.clips = rec_places(doc) ? mem_zalloc(&doc->mem, sizeof *l.clips) : NULL;
    l.roles = l.clips ? mem_zalloc(&doc->mem, size) : NULL;
    bool ok = l.roles && make_lists(&l);
    mem_free(&doc->mem, l.roles, size);
    if (ok) {
        rec_cache_put(doc, c, &lists, &l.clips->cached);
        return l.clips;
    }
    if (l.clips)
        release(doc, &l.clips->cached);
    rec_no_memory(err);
    return NULL;
}

lathe_result hk_clip_count(lathe_doc *doc, lathe_list list, uint64_t *n, lathe_error *err)
{
    const hk_clips *clips = hk_clips_of(doc, 0, err);
    if (!clips)
        return LATHE_ERR_MEMORY;
    *n = list == LATHE_ANIMATIONS ? clips->count : clips->skeleton_count;
    return LATHE_OK;
}

lathe_result hk_clip_of(lathe_view source, hk_clips **clips, hk_clip **clip, lathe_error *err)
{
    *clips = hk_clips_of(source.doc, source.doc->parts[source.part].container, err);
    if (!*clips)
        return LATHE_ERR_MEMORY;
    uint32_t number = source.part < (*clips)->parts_count ? (*clips)->numbers[source.part] : 0;
    if (!number)
        return error_set(err, LATHE_ERR_NAME, LATHE_NO_OFFSET, "the animation was removed");
    *clip = &(*clips)->list[number - 1];
    return LATHE_OK;
}
