/* Annotations of a clip, read and changed. Reference: formats/hkx-animation.md#3. */
#include "havok/animation/clip.h"

/* ---- reading -------------------------------------------------------------------------------------------- */

typedef struct annotation_user {
    bool (*each)(void *user, const model_annotation *one);
    void *user;
} annotation_user;

static lathe_result annotations_of(const rec_at *track_at, uint64_t number,
                                   const annotation_user *to, lathe_error *err)
{
    rec_at event;
    uint32_t slot;
    uint64_t count;
    lathe_result r = hk_find_records(track_at, "annotations", &slot, &count, err);
    for (uint64_t i = 0; r == LATHE_OK && i < count; i++) {
        const char *text = NULL;
        uint64_t n = 0;
        r = rec_sub(track_at, slot, i, &event, err);
        if (r == LATHE_OK)
            r = hk_read_text(&event, "text", &text, &n, err);
        if (r != LATHE_OK)
            return r;
        const model_annotation one = {.time = hk_number(&event, "time"),
                                      .text = text,
                                      .length = (size_t)n,
                                      .track = (int64_t)number,
                                      .source = rec_view(&event)};
        if (!to->each(to->user, &one))
            r = rec_no_memory(err);
    }
    return r;
}

lathe_result hk_annotations(lathe_view source,
                            bool (*each)(void *user, const model_annotation *one), void *user,
                            lathe_error *err)
{
    rec_at at, track_at;
    uint32_t slot;
    uint64_t count;
    const annotation_user to = {each, user};
    if (!hk_animation_at(source.doc, source.part, &at))
        return LATHE_OK;
    lathe_result r = hk_find_records(&at, "annotation_tracks", &slot, &count, err);
    for (uint64_t i = 0; r == LATHE_OK && i < count; i++) {
        r = rec_sub(&at, slot, i, &track_at, err);
        if (r == LATHE_OK)
            r = annotations_of(&track_at, i, &to, err);
    }
    return r;
}

lathe_result hk_annotation(lathe_view source, model_annotation *out, lathe_error *err)
{
    rec_at event;
    uint32_t slot;
    uint64_t n = 0;
    (void)source;
    lathe_result r = rec_enter(&out->source, &event, &slot, err);
    if (r == LATHE_OK)
        r = hk_read_text(&event, "text", &out->text, &n, err);
    if (r != LATHE_OK)
        return r;
    out->length = (size_t)n;
    out->time = hk_number(&event, "time");
    return LATHE_OK;
}

/* ---- places --------------------------------------------------------------------------------------------- */

/* The annotations of a track, in an animation that can be changed. */
typedef struct events {
    rec_at track;
    uint32_t slot;
    uint64_t n;
} events;

static lathe_result events_of(lathe_view source, int64_t number, events *out, lathe_error *err)
{
    uint64_t tracks = 0;
    rec_at at = hk_object(source.doc, source.part);
    if (!hk_object_opens(source.doc, source.part))
        return rec_fail(&at, REC_NO_SLOT, at.off, err, LATHE_ERR_UNSUPPORTED,
                        "%s is not described, so its annotations cannot be changed",
                        hk_object_class(source.doc, source.part));
    lathe_result r = hk_find_records(&at, "annotation_tracks", &out->slot, &tracks, err);
    if (r == LATHE_OK && (number < 0 || (uint64_t)number >= tracks))
        return rec_fail(&at, rec_slot_find(at.layout, "annotation_tracks"), at.off, err,
                        LATHE_ERR_RANGE, "%llu of them: track %lld has none",
                        (unsigned long long)tracks, (long long)number);
    if (r == LATHE_OK)
        r = rec_sub(&at, out->slot, (uint64_t)number, &out->track, err);
    return r == LATHE_OK ? hk_find_records(&out->track, "annotations", &out->slot, &out->n, err)
                         : r;
}

static lathe_result time_at(const events *in, uint64_t i, double *time, lathe_error *err)
{
    rec_at event;
    lathe_result r = rec_sub(&in->track, in->slot, i, &event, err);
    if (r == LATHE_OK)
        *time = hk_number(&event, "time");
    return r;
}

/* Behind all that are not later. */
static lathe_result place_of(const events *in, double time, uint64_t *i, lathe_error *err)
{
    uint64_t low = 0, high = in->n;
    double other = 0;
    lathe_result r = LATHE_OK;
    if (in->n && (r = time_at(in, in->n - 1, &other, err)) == LATHE_OK && other <= time)
        low = in->n; /* mostly */
    while (r == LATHE_OK && low < high) {
        uint64_t middle = low + (high - low) / 2;
        r = time_at(in, middle, &other, err);
        *(other <= time ? &low : &high) = other <= time ? middle + 1 : middle;
    }
    *i = low;
    return r;
}

/* The number that a record has in the array of its track. */
static lathe_result number_of(const events *in, const model_annotation *was, uint64_t *i,
                              lathe_error *err)
{
    rec_loc loc;
    rec_at event;
    uint32_t slot;
    lathe_view source = was->source;
    lathe_result r = rec_enter(&source, &event, &slot, err);
    if (r == LATHE_OK)
        r = rec_find(&in->track, in->slot, &loc, err);
    if (r != LATHE_OK)
        return r;
    uint64_t size = rec_slot_of(&in->track, in->slot)->elem;
    *i = size && event.off >= loc.data ? (event.off - loc.data) / size : in->n;
    return event.part == loc.data_part && *i < in->n
               ? LATHE_OK
               : rec_fail(&in->track, in->slot, loc.off, err, LATHE_ERR_REMOVED,
                          "the annotation is on another track");
}

/* ---- edits ---------------------------------------------------------------------------------------------- */

static lathe_result set_text(const rec_at *event, const model_annotation *now, lathe_error *err)
{
    const lathe_value text = {.kind = LATHE_KIND_STRING, .as.s = {now->text, now->length}};
    return rec_set_name(event, "text", &text, err);
}

static lathe_result set_time(const rec_at *event, double time, lathe_error *err)
{
    const lathe_value value = {.kind = LATHE_KIND_REAL, .as.f = time};
    return rec_set_name(event, "time", &value, err);
}

lathe_result hk_annotation_add(lathe_view source, const model_annotation *now, lathe_view *stored,
                               lathe_error *err)
{
    events in;
    rec_at event;
    uint64_t i = 0;
    lathe_result r = events_of(source, now->track, &in, err);
    if (r == LATHE_OK)
        r = place_of(&in, (float)now->time, &i, err);
    if (r == LATHE_OK)
        r = rec_insert(&in.track, in.slot, i, 1, NULL, 0, err);
    if (r == LATHE_OK)
        r = events_of(source, now->track, &in, err); /* it may have moved */
    if (r == LATHE_OK)
        r = rec_sub(&in.track, in.slot, i, &event, err);
    if (r == LATHE_OK)
        r = set_time(&event, now->time, err);
    if (r != LATHE_OK)
        return r;
    *stored = rec_view(&event);
    return set_text(&event, now, err);
}

lathe_result hk_annotation_remove(lathe_view source, const model_annotation *was, lathe_error *err)
{
    events in;
    uint64_t i = 0;
    lathe_result r = events_of(source, was->track, &in, err);
    if (r == LATHE_OK)
        r = number_of(&in, was, &i, err);
    return r == LATHE_OK ? rec_remove(&in.track, in.slot, i, 1, err) : r;
}

/* Whether a time leaves its record between its neighbours. */
static lathe_result stays(const events *in, uint64_t i, double time, bool *yes, lathe_error *err)
{
    double other;
    lathe_result r = LATHE_OK;
    *yes = true;
    if (i > 0 && (r = time_at(in, i - 1, &other, err)) == LATHE_OK)
        *yes = !(other > time);
    if (r == LATHE_OK && i + 1 < in->n && (r = time_at(in, i + 1, &other, err)) == LATHE_OK)
        *yes = *yes && !(other <= time);
    return r;
}

lathe_result hk_annotation_set(lathe_view source, const model_annotation *was,
                               const model_annotation *now, lathe_view *stored, lathe_error *err)
{
    events in;
    rec_at event;
    uint32_t slot;
    uint64_t i = 0;
    bool still = now->track == was->track;
    double time = (float)now->time;
    lathe_result r = events_of(source, was->track, &in, err);
    if (r == LATHE_OK)
        r = number_of(&in, was, &i, err);
    if (r == LATHE_OK && still && time != was->time)
        r = stays(&in, i, time, &still, err);
    if (r == LATHE_OK && !still) {
        r = hk_annotation_add(source, now, stored, err);
        return r == LATHE_OK ? hk_annotation_remove(source, was, err) : r;
    }
    if (r == LATHE_OK)
        r = rec_enter(stored, &event, &slot, err);
    if (r == LATHE_OK && time != was->time)
        r = set_time(&event, now->time, err);
    bool same = now->length == was->length &&
                (!now->length || memcmp(now->text, was->text, now->length) == 0);
    return r == LATHE_OK && !same ? set_text(&event, now, err) : r;
}
