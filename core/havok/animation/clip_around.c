/* What lies around an animation's samples: annotations, root motion, what binds it. Reference:
 * formats/hkx-animation.md#3..5. */
#include "havok/animation/clip_write.h"
#include "model/names.h"
#include "scene/clip.h"

#include <string.h>

#define FRAME "hkaDefaultAnimatedReferenceFrame"

/* ---- annotations ----------------------------------------------------------------------------------------- */

/* The annotations of each track, in time order: list[starts[k]] .. list[starts[k + 1]]. */
typedef struct sorted {
    const mem *mem;
    size_t *starts;
    const model_event **list;
    size_t tracks, n;
} sorted;

static void free_sorted(sorted *s)
{
    mem_free(s->mem, s->starts, (s->tracks + 2) * sizeof *s->starts);
    mem_free(s->mem, s->list, (s->n + 1) * sizeof *s->list);
}

static lathe_result sort(const rec_at *at, const model_motion *m, sorted *s, lathe_error *err)
{
    *s = (sorted){.mem = &at->doc->mem, .tracks = (size_t)m->track_count, .n = m->event_count};
    s->starts = mem_zalloc(s->mem, (s->tracks + 2) * sizeof *s->starts);
    s->list = mem_zalloc(s->mem, (s->n + 1) * sizeof *s->list);
    if (!s->starts || !s->list) {
        free_sorted(s);
        return rec_no_memory(err);
    }
    for (size_t i = 0; i < s->n; i++) {
        const model_event *e = &m->events[i];
        if (e->track < 0 || (uint64_t)e->track >= m->track_count) {
            free_sorted(s);
            return rec_fail(at, REC_NO_SLOT, at->off, err, LATHE_ERR_RANGE,
                            "annotation \"%s\" is on track %lld; there are %llu", e->text,
                            (long long)e->track + 1, (unsigned long long)m->track_count);
        }
        s->starts[e->track + 2]++;
    }
    for (size_t k = 2; k < s->tracks + 2; k++)
        s->starts[k] += s->starts[k - 1];
    for (size_t i = 0; i < s->n; i++) /* starts[k + 1] moves to where track k ends */
        s->list[s->starts[m->events[i].track + 1]++] = &m->events[i];
    return LATHE_OK;
}

static lathe_result put_event(const rec_at *track, uint32_t slot, uint64_t i, const model_event *e,
                              lathe_error *err)
{
    rec_at at;
    const char *text = NULL;
    uint64_t n = 0;
    lathe_result r = rec_sub(track, slot, i, &at, err);
    if (r == LATHE_OK && (float)hk_number(&at, "time") != (float)e->time)
        r = hk_put_number(&at, "time", e->time, err);
    if (r == LATHE_OK)
        r = hk_read_text(&at, "text", &text, &n, err);
    if (r != LATHE_OK || (text && n == e->length && memcmp(text, e->text, e->length) == 0))
        return r;
    const lathe_value v = {.kind = LATHE_KIND_STRING, .as.s = {e->text, e->length}};
    return rec_set_name(&at, "text", &v, err);
}

static lathe_result put_track(const rec_at *track, const sorted *s, size_t k, lathe_error *err)
{
    uint32_t slot;
    uint64_t had, n = s->starts[k + 1] - s->starts[k];
    lathe_result r = hk_find_records(track, "annotations", &slot, &had, err);
    if (r == LATHE_OK && n > had)
        r = rec_insert(track, slot, had, n - had, NULL, 0, err);
    else if (r == LATHE_OK && n < had)
        r = rec_remove(track, slot, n, had - n, err);
    for (uint64_t i = 0; r == LATHE_OK && i < n; i++)
        r = put_event(track, slot, i, s->list[s->starts[k] + i], err);
    return r;
}

/* The skeleton that the document is linked to, and its bones by name. */
typedef struct link {
    const model_skeleton *skeleton; /* NULL: none, or without bones */
    model_names names;
} link;

static lathe_result open_link(const lathe_doc *doc, link *l, lathe_error *err)
{
    *l = (link){.skeleton = scene_linked(doc)};
    if (!l->skeleton || !l->skeleton->bone_count) {
        l->skeleton = NULL;
        return LATHE_OK;
    }
    if (!model_names_begin(&l->names, &doc->mem, l->skeleton->bone_count))
        return rec_no_memory(err);
    for (size_t i = 0; i < l->skeleton->bone_count; i++)
        model_names_add(&l->names, l->skeleton->bones[i].name, i);
    model_names_sort(&l->names);
    return LATHE_OK;
}

static void close_link(link *l)
{
    if (l->skeleton)
        model_names_free(&l->names);
}

/* Whether a track has the name that the link gives it, while the file names a bone that the linked skeleton does not have:
 * the file is for another skeleton, and keeps its names. */
static bool is_of_another(const link *l, const model_track *to, const char *stored)
{
    const model_skeleton *s = l->skeleton;
    if (!s || to->bone_index < 0 || (size_t)to->bone_index >= s->bone_count)
        return false;
    const char *linked = s->bones[to->bone_index].name;
    return linked && strcmp(linked, to->bone) == 0 && model_names_find(&l->names, stored) < 0;
}

/* Tools put the bone's name there, games nothing. */
static lathe_result put_name(const rec_at *track, const model_track *to, const link *l,
                             lathe_error *err)
{
    const char *name = hk_text(track, "track_name");
    if (!name || !*name || !to->bone || strcmp(name, to->bone) == 0 || is_of_another(l, to, name))
        return LATHE_OK;
    const lathe_value v = {.kind = LATHE_KIND_STRING, .as.s = {to->bone, strlen(to->bone)}};
    return rec_set_name(track, "track_name", &v, err);
}

/* A list for each track, as all files have it; or none at all. */
lathe_result hk_write_events(const rec_at *at, const model_motion *m, lathe_error *err)
{
    sorted s;
    link l;
    uint32_t slot;
    uint64_t had, n = m->track_count;
    lathe_result r = hk_find_records(at, "annotation_tracks", &slot, &had, err);
    if (r == LATHE_OK)
        r = sort(at, m, &s, err);
    if (r != LATHE_OK)
        return r;
    r = open_link(at->doc, &l, err);
    if (!had && !m->event_count)
        n = 0;
    if (r == LATHE_OK && n > had)
        r = rec_insert(at, slot, had, n - had, NULL, 0, err);
    else if (r == LATHE_OK && n < had)
        r = rec_remove(at, slot, n, had - n, err);
    for (size_t k = 0; r == LATHE_OK && k < n; k++) {
        rec_at track;
        r = rec_sub(at, slot, k, &track, err);
        if (r == LATHE_OK)
            r = put_track(&track, &s, k, err);
        if (r == LATHE_OK)
            r = put_name(&track, &m->tracks[k], &l, err);
    }
    close_link(&l);
    free_sorted(&s);
    return r;
}

/* ---- root motion ----------------------------------------------------------------------------------------- */

static lathe_result put_axes(const rec_at *frame, const model_motion *m, lathe_error *err)
{
    static const char *const names[] = {"up", "forward"};
    const double *const axes[] = {m->up, m->forward};
    static const char lanes[][2] = {"x", "y", "z"};
    lathe_result r = LATHE_OK;
    for (size_t i = 0; r == LATHE_OK && i < 2; i++) {
        rec_at v;
        uint32_t slot = rec_slot_find(frame->layout, names[i]);
        if (slot == REC_NO_SLOT)
            continue;
        r = rec_sub(frame, slot, 0, &v, err);
        for (size_t k = 0; r == LATHE_OK && k < 3; k++)
            r = hk_put_number(&v, lanes[k], axes[i][k], err);
    }
    return r;
}

static lathe_result add_motion(const rec_at *at, const model_motion *m, uint32_t *part,
                               lathe_error *err)
{
    lathe_doc *doc = at->doc;
    uint32_t animation = at->part;
    lathe_result r = hk_add_object(doc, at->layout->container, FRAME, part, err);
    if (r != LATHE_OK)
        return r;
    rec_at self = hk_object(doc, animation), frame = hk_object(doc, *part);
    const lathe_value to = {.kind = LATHE_KIND_RECORD, .as.v = rec_view(&frame)};
    r = rec_set_name(&self, "extracted_motion", &to, err);
    if (r != LATHE_OK)
        return r;
    frame = hk_object(doc, *part);
    r = hk_put_number(&frame, "duration", m->duration, err);
    return r == LATHE_OK ? put_axes(&frame, m, err) : r;
}

/* The object stays, and says that nothing moves. */
static lathe_result clear_motion(const rec_at *at, uint32_t part, uint64_t frames, lathe_error *err)
{
    rec_at frame = hk_object(at->doc, part);
    const mem *memory = &at->doc->mem;
    size_t size = (size_t)frames * MODEL_MOVE * sizeof(float);
    float *none = mem_zalloc(memory, size + 1);
    if (!none)
        return rec_no_memory(err);
    lathe_result r =
        hk_put_floats(&frame, "reference_frame_samples", MODEL_MOVE, frames, none, err);
    mem_free(memory, none, size + 1);
    return r;
}

/* Whether another animation moves by it, too. */
static bool is_shared(const rec_at *at, uint32_t part)
{
    uint64_t n;
    const uint32_t *objects = hk_object_list(at->doc, at->layout->container, &n);
    for (uint64_t i = 0; i < n; i++) {
        rec_at other = hk_object(at->doc, objects[i]);
        if (objects[i] != at->part &&
            rec_slot_find(other.layout, "extracted_motion") != REC_NO_SLOT &&
            hk_target(&other, "extracted_motion", 0) == part)
            return true;
    }
    return false;
}

/* All clips of Fallout 4 have such an object, of zeros where nothing moves. */
static lathe_result drop_motion(const rec_at *at, uint32_t part, uint64_t frames, lathe_error *err)
{
    lathe_doc *doc = at->doc;
    uint32_t c = at->layout->container;
    const lathe_value none = {.kind = LATHE_KIND_NULL};
    bool shared = is_shared(at, part);
    if (!shared && !hk_describes_classes(doc, c) && doc->containers[c].version >= HK_2014)
        return clear_motion(at, part, frames, err);
    lathe_result r = rec_set_name(at, "extracted_motion", &none, err);
    return r == LATHE_OK && !shared ? hk_remove_object(doc, c, part, err) : r;
}

/* Whether a clip's root motion reads as it shall: then its bytes stay, of as many samples as they are. */
static lathe_result is_moved(const rec_at *at, const model_motion *m, bool *moved, lathe_error *err)
{
    const mem *memory = &at->doc->mem;
    size_t size = (size_t)m->frame_count * MODEL_MOVE * sizeof(float);
    float *now = mem_alloc(memory, size + 1);
    if (!now)
        return rec_no_memory(err);
    lathe_result r = hk_clip_hooks.motion(rec_view(at), m->frame_count, now, err);
    *moved = r != LATHE_OK || memcmp(now, m->moves, size) != 0;
    mem_free(memory, now, size + 1);
    return r == LATHE_ERR_MEMORY ? r : LATHE_OK;
}

/* One sample a frame. */
lathe_result hk_write_moves(const rec_at *at, const model_motion *m, lathe_error *err)
{
    uint32_t part = hk_target(at, "extracted_motion", 0);
    bool has = part != REC_NO_PART && hk_object_is(at->doc, part, FRAME);
    bool moved = true;
    lathe_result r = LATHE_OK;
    if (!m->moves)
        return has ? drop_motion(at, part, m->frame_count, err) : LATHE_OK;
    if (part != REC_NO_PART && !has)
        return rec_fail(at, rec_slot_find(at->layout, "extracted_motion"), at->off, err,
                        LATHE_ERR_UNSUPPORTED, "lathe cannot write root motion of this class");
    r = has ? is_moved(at, m, &moved, err) : add_motion(at, m, &part, err);
    if (r != LATHE_OK || !moved)
        return r;
    rec_at frame = hk_object(at->doc, part);
    return hk_put_floats(&frame, "reference_frame_samples", MODEL_MOVE, m->frame_count, m->moves,
                         err);
}

/* ---- the binding ----------------------------------------------------------------------------------------- */

static int32_t bone_of(const model_motion *m, bool floats, uint64_t i)
{
    return floats ? m->float_tracks[i].slot_index : m->tracks[i].bone_index;
}

/* A list is needed where a track is bound to another than its own number; an empty one says that none is. */
static lathe_result put_list(const rec_at *binding, const model_motion *m, bool floats,
                             lathe_error *err)
{
    const char *name =
        floats ? "float_track_to_float_slot_indices" : "transform_track_to_bone_indices";
    uint64_t n = floats ? m->float_count : m->track_count, own = 0;
    const mem *memory = &binding->doc->mem;
    bytes_array stored;
    lathe_result r = hk_elements(binding, name, 2, &stored, err);
    int16_t *list = r == LATHE_OK ? mem_zalloc(memory, ((size_t)n + 1) * sizeof *list) : NULL;
    if (r == LATHE_OK && !list)
        r = rec_no_memory(err);
    for (uint64_t i = 0; r == LATHE_OK && i < n; i++) {
        int32_t bone = bone_of(m, floats, i);
        own += bone == (int32_t)i;
        list[i] = (int16_t)bone;
        if (bone < -1 || bone > INT16_MAX)
            r = rec_fail(binding, rec_slot_find(binding->layout, name), binding->off, err,
                         LATHE_ERR_RANGE, "track %llu cannot be bound to %d", (unsigned long long)i,
                         bone);
    }
    if (r == LATHE_OK && (stored.count || own != n))
        r = hk_put_i16s(binding, name, n, list, err);
    if (list)
        mem_free(memory, list, ((size_t)n + 1) * sizeof *list);
    return r;
}

/* By name where the row has names, else as the number has meant since 2012. */
static lathe_result put_hint(const rec_at *binding, const model_motion *m, lathe_error *err)
{
    lathe_value v;
    uint32_t slot = rec_slot_find(binding->layout, "blend_hint");
    bool additive = m->hint == MODEL_ADDITIVE;
    if (slot == REC_NO_SLOT)
        return !additive ? LATHE_OK
                         : rec_fail(binding, REC_NO_SLOT, binding->off, err, LATHE_ERR_UNSUPPORTED,
                                    "%s cannot be additive", rec_type_name(binding->layout->type));
    lathe_result r = rec_get(binding, slot, false, &v, err);
    if (r != LATHE_OK)
        return r;
    bool was = v.kind == LATHE_KIND_STRING ? !rec_text_is(&v, "normal")
                                           : v.kind == LATHE_KIND_INT && v.as.i > 0;
    if (was == additive)
        return LATHE_OK;
    const char *word = additive ? "additive" : "normal";
    lathe_value to = {.kind = LATHE_KIND_INT, .as.i = additive ? 2 : 0};
    if (v.kind == LATHE_KIND_STRING)
        to = (lathe_value){.kind = LATHE_KIND_STRING, .as.s = {word, strlen(word)}};
    return rec_set(binding, slot, &to, err);
}

static lathe_result put_skeleton_name(const rec_at *binding, const model_motion *m,
                                      lathe_error *err)
{
    const char *was = m->skeleton_name ? hk_text(binding, "original_skeleton_name") : NULL;
    if (!m->skeleton_name || (was && strcmp(was, m->skeleton_name) == 0))
        return LATHE_OK;
    const lathe_value v = {.kind = LATHE_KIND_STRING,
                           .as.s = {m->skeleton_name, strlen(m->skeleton_name)}};
    return rec_set_name(binding, "original_skeleton_name", &v, err);
}

lathe_result hk_write_binding(lathe_doc *doc, uint32_t part, const model_motion *m,
                              lathe_error *err)
{
    rec_at binding = hk_object(doc, part);
    lathe_result r = put_skeleton_name(&binding, m, err);
    if (r == LATHE_OK)
        r = put_list(&binding, m, false, err);
    if (r == LATHE_OK)
        r = put_list(&binding, m, true, err);
    return r == LATHE_OK ? put_hint(&binding, m, err) : r;
}
