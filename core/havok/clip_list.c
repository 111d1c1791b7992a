/* Which skeletons and animations a packfile has, and what binds them: worked out once, and kept until the
 * document changes. */
#include "havok/clip.h"
#include "havok/physics/leaves.h"

#include <string.h>

/* ---- members ------------------------------------------------------------------------------------------- */

rec_at hk_object(lathe_doc *doc, uint32_t part)
{
    return (rec_at){.doc = doc, .layout = doc->parts[part].root, .part = part};
}

double hk_number(const rec_at *at, const char *name)
{
    lathe_value v;
    double number = 0;
    uint32_t slot = rec_slot_find(at->layout, name);
    if (slot == REC_NO_SLOT || rec_get(at, slot, true, &v, NULL) != LATHE_OK ||
        !rec_number(&v, &number))
        return 0;
    return number;
}

const char *hk_text(const rec_at *at, const char *name)
{
    lathe_value v;
    uint32_t slot = rec_slot_find(at->layout, name);
    if (slot == REC_NO_SLOT || rec_get(at, slot, false, &v, NULL) != LATHE_OK ||
        v.kind != LATHE_KIND_STRING)
        return NULL;
    return v.as.s.p; /* texts end in a NUL in the file */
}

uint32_t hk_target(const rec_at *at, const char *name, uint64_t i)
{
    uint64_t raw, n;
    lathe_doc *doc = at->doc;
    uint32_t slot = rec_slot_find(at->layout, name);
    if (slot == REC_NO_SLOT || rec_raw(at, slot, i, &raw, NULL) != LATHE_OK || raw == 0)
        return REC_NO_PART;
    uint32_t root = doc->containers[at->layout->container].root;
    const uint32_t *objects = rec_kid_list(doc, root, hk_row(HK_OBJECTS), &n);
    return raw <= n ? objects[raw - 1] : REC_NO_PART;
}

lathe_result hk_array_of(const rec_at *at, const char *name, hk_array *as, lathe_error *err)
{
    rec_loc loc;
    lathe_result r = rec_find(at, rec_slot_find(at->layout, name), &loc, err);
    *as = (hk_array){NULL, 0};
    if (r == LATHE_OK && loc.present && loc.count)
        *as = (hk_array){at->doc->parts[loc.data_part].data + loc.data, loc.count};
    return r;
}

int32_t hk_index(const rec_at *at, const char *name, uint64_t i)
{
    hk_array numbers;
    if (hk_array_of(at, name, &numbers, NULL) != LATHE_OK || i >= numbers.count)
        return -1;
    return (int16_t)bytes_ld16(numbers.bytes + 2 * i,
                               at->doc->containers[at->layout->container].big);
}

/* ---- classes ------------------------------------------------------------------------------------------- */

static const rec_type *type_of(const lathe_doc *doc, uint32_t part)
{
    return doc->parts[part].root->type;
}

bool hk_is_skeleton(lathe_doc *doc, uint32_t part)
{
    const char *class = type_of(doc, part) == &hk_opaque ? hk_class_of(doc, part) : NULL;
    return type_of(doc, part) == &hka_skeleton || (class && strcmp(class, "hkaSkeleton") == 0);
}

/* Havok's names for them: hkaSplineCompressedAnimation, hkaQuantizedAnimation … */
static bool names_animation(const char *class)
{
    static const char end[] = "Animation";
    size_t n = strlen(class), tail = sizeof end - 1;
    return n > tail && strncmp(class, "hka", 3) == 0 && strcmp(class + n - tail, end) == 0;
}

bool hk_is_animation(lathe_doc *doc, uint32_t part)
{
    const rec_type *type = type_of(doc, part);
    const char *class = type == &hk_opaque ? hk_class_of(doc, part) : type->name;
    return class && names_animation(class);
}

bool hk_animation_at(lathe_doc *doc, uint32_t part, rec_at *at)
{
    *at = hk_object(doc, part);
    if (at->layout->type != &hk_opaque)
        return true;
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
    rec_loc loc;
    if (rec_find(container, rec_slot_find(container->layout, name), &loc, NULL) != LATHE_OK)
        return;
    for (uint64_t i = 0; i < loc.count; i++) {
        uint32_t part = hk_target(container, name, i);
        if (part != REC_NO_PART && (int)l->roles[part] == role)
            take(l, part);
    }
}

static void list_objects(lister *l)
{
    for (uint64_t i = 0; i < l->n; i++) {
        if (type_of(l->doc, l->objects[i]) != &hka_animation_container)
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
        if (type_of(l->doc, l->objects[i]) != &hka_animation_binding)
            continue;
        rec_at binding = hk_object(l->doc, l->objects[i]);
        uint32_t part = hk_target(&binding, "animation", 0);
        uint32_t number = part == REC_NO_PART ? 0 : l->clips->numbers[part];
        if (number && l->clips->list[number - 1].binding == REC_NO_PART)
            l->clips->list[number - 1].binding = l->objects[i];
    }
}

static void release(lathe_doc *doc, void *kept)
{
    hk_clips *clips = kept;
    for (size_t i = 0; i < HK_OPENED; i++)
        if (clips->opened[i].clip)
            hk_poses_close(&clips->opened[i].poses);
    hk_leaves_free(doc, clips->leaves);
    buf_free(&clips->materials);
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
    return true;
}

hk_clips *hk_clips_of(lathe_doc *doc, uint32_t c, lathe_error *err)
{
    hk_clips *kept = rec_kept(doc, c);
    if (kept)
        return kept;
    lister l = {.doc = doc};
    l.objects = rec_kid_list(doc, doc->containers[c].root, hk_row(HK_OBJECTS), &l.n);
    size_t size = doc->parts_n * sizeof *l.roles;
    l.clips = rec_places(doc) ? mem_zalloc(&doc->mem, sizeof *l.clips) : NULL;
    l.roles = l.clips ? mem_zalloc(&doc->mem, size) : NULL;
    if (l.clips)
        buf_init(&l.clips->materials, &doc->mem);
    bool ok = l.roles && make_lists(&l);
    mem_free(&doc->mem, l.roles, size);
    if (ok) {
        rec_keep(doc, c, l.clips, release);
        return l.clips;
    }
    if (l.clips)
        release(doc, l.clips);
    rec_no_memory(err);
    return NULL;
}

lathe_result hk_clip_of(lathe_view source, hk_clips **clips, hk_clip **clip, lathe_error *err)
{
    *clips = hk_clips_of(source.doc, source.doc->parts[source.part].container, err);
    if (!*clips)
        return LATHE_ERR_MEMORY;
    uint32_t number = source.part < (*clips)->parts_count ? (*clips)->numbers[source.part] : 0;
    if (!number)
        return error_set(err, LATHE_ERR_NAME, LATHE_NO_OFFSET,
                         "the animation is not there any more");
    *clip = &(*clips)->list[number - 1];
    return LATHE_OK;
}
