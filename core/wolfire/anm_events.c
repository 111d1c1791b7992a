/* Events of key frames as annotations. Reference: formats/wolfire.md#2.3. */
#include "wolfire/anm_pose.h"

#include <math.h>

/* ---- reading -------------------------------------------------------------------------------------- */

lathe_result anm_event_at(const rec_at *frame, uint64_t i, rec_at *event, lathe_value *name,
                          lathe_error *err)
{
    lathe_result r = anm_item(frame, "events", i, event, err);
    return r == LATHE_OK ? rec_get(event, rec_slot_find(event->layout, "name"), false, name, err)
                         : r;
}

static lathe_result events_of(const rec_at *frame, const anm_facts *facts,
                              bool (*each)(void *user, const model_annotation *one), void *user,
                              lathe_error *err)
{
    double time = (double)(rec_int(frame, "time") - facts->start) / 1000;
    uint64_t n = (uint64_t)rec_int(frame, "num_events");
    lathe_result r = LATHE_OK;
    for (uint64_t i = 0; r == LATHE_OK && i < n; i++) {
        rec_at event;
        lathe_value name;
        r = anm_event_at(frame, i, &event, &name, err);
        if (r != LATHE_OK)
            return r;
        const model_annotation one = {time, name.as.s.p, name.as.s.n, rec_int(&event, "bone"),
                                      rec_view(&event)};
        if (!each(user, &one))
            r = rec_no_memory(err);
    }
    return r;
}

lathe_result anm_annotations(lathe_view source,
                             bool (*each)(void *user, const model_annotation *one), void *user,
                             lathe_error *err)
{
    anm_facts facts = anm_facts_of(source.doc);
    lathe_result r = LATHE_OK;
    for (uint64_t k = 0; r == LATHE_OK && k < facts.frames; k++) {
        rec_at frame;
        r = anm_frame_at(source.doc, k, &frame, err);
        if (r == LATHE_OK)
            r = events_of(&frame, &facts, each, user, err);
    }
    return r;
}

/* Resolves a stored view to an event and its key frame. */
static lathe_result enter(const lathe_view *stored, rec_at *event, rec_at *self, rec_at *frame,
                          lathe_error *err)
{
    uint32_t slot;
    lathe_view view = *stored;
    lathe_result r = rec_enter(&view, event, &slot, err);
    return r == LATHE_OK && !rec_parent(event, self, frame) ? rec_no_memory(err) : r;
}

lathe_result anm_annotation(lathe_view source, model_annotation *out, lathe_error *err)
{
    rec_at event, self, frame;
    lathe_value name;
    anm_facts facts = anm_facts_of(source.doc);
    lathe_result r = enter(&out->source, &event, &self, &frame, err);
    if (r == LATHE_OK)
        r = rec_get(&event, rec_slot_find(event.layout, "name"), false, &name, err);
    if (r != LATHE_OK)
        return r;
    out->time = (double)(rec_int(&frame, "time") - facts.start) / 1000;
    out->text = name.as.s.p;
    out->length = name.as.s.n;
    return LATHE_OK;
}

/* ---- the key frame of a time ------------------------------------------------------------------------ */

/* Finds the key frame of a time; events happen only at key frames. Of several with the same time, the frame
 * that holds the event is preferred, else the first. */
static lathe_result frame_at(lathe_doc *doc, double time, const rec_at *now, rec_at *out,
                             lathe_error *err)
{
    const double close = 0.01; /* ms */
    anm_facts facts = anm_facts_of(doc);
    double nearest = 0;
    uint64_t number = 0;
    bool found = false;
    lathe_result r = LATHE_OK;
    for (uint64_t i = 0; r == LATHE_OK && i < facts.frames; i++) {
        rec_at frame;
        r = anm_frame_at(doc, i, &frame, err);
        double ms = r == LATHE_OK ? (double)(rec_int(&frame, "time") - facts.start) : 0;
        double off = fabs(ms - time * 1000), best = fabs(nearest - time * 1000);
        bool same = now && frame.part == now->part && off <= close;
        if (r == LATHE_OK && (!found || off < best || same)) {
            *out = frame;
            nearest = ms;
            number = i;
        }
        found = true;
        if (same)
            break;
    }
    if (r != LATHE_OK || (found && fabs(nearest - time * 1000) <= close))
        return r;
    return error_set(
        err, LATHE_ERR_RANGE, LATHE_NO_OFFSET,
        "time: events happen at key frames, and none is at %.9g s: the nearest is frame %llu, at "
        "%.9g s",
        time, (unsigned long long)number, nearest / 1000);
}

/* ---- edits ---------------------------------------------------------------------------------------- */

/* was: NULL, or the stored values. */
static lathe_result set_event(const rec_at *event, const model_annotation *was,
                              const model_annotation *now, lathe_error *err)
{
    const lathe_value bone = {.kind = LATHE_KIND_INT, .as.i = now->track};
    const lathe_value name = {.kind = LATHE_KIND_STRING, .as.s = {now->text, now->length}};
    bool same = was && was->length == now->length &&
                (!now->length || memcmp(was->text, now->text, now->length) == 0);
    lathe_result r = LATHE_OK;
    if (!was || was->track != now->track)
        r = rec_set_name(event, "bone", &bone, err);
    return r == LATHE_OK && !same ? rec_set_name(event, "name", &name, err) : r;
}

static lathe_result add_event(const rec_at *frame, const model_annotation *now, lathe_view *stored,
                              lathe_error *err)
{
    rec_at event;
    uint32_t slot = rec_slot_find(frame->layout, "events");
    uint64_t n = (uint64_t)rec_int(frame, "num_events");
    bool present = false;
    lathe_result r = rec_present(frame, slot, &present, err);
    if (r == LATHE_OK && !present)
        return error_set(err, LATHE_ERR_UNSUPPORTED, LATHE_NO_OFFSET,
                         "animations of version %lld have no events",
                         (long long)anm_facts_of(frame->doc).version);
    if (r == LATHE_OK)
        r = rec_insert(frame, slot, n, 1, NULL, 0, err);
    if (r == LATHE_OK)
        r = anm_item(frame, "events", n, &event, err);
    if (r != LATHE_OK)
        return r;
    *stored = rec_view(&event);
    return set_event(&event, NULL, now, err);
}

lathe_result anm_annotation_add(lathe_view source, const model_annotation *now, lathe_view *stored,
                                lathe_error *err)
{
    rec_at frame;
    lathe_result r = frame_at(source.doc, now->time, NULL, &frame, err);
    return r == LATHE_OK ? add_event(&frame, now, stored, err) : r;
}

lathe_result anm_annotation_remove(lathe_view source, const model_annotation *was, lathe_error *err)
{
    rec_at event, self, frame;
    (void)source;
    lathe_result r = enter(&was->source, &event, &self, &frame, err);
    return r == LATHE_OK ? rec_remove(&frame, self.slot, self.index, 1, err) : r;
}

lathe_result anm_annotation_set(lathe_view source, const model_annotation *was,
                                const model_annotation *now, lathe_view *stored, lathe_error *err)
{
    rec_at event, self, frame, to;
    lathe_result r = enter(&was->source, &event, &self, &frame, err);
    if (r == LATHE_OK)
        r = frame_at(source.doc, now->time, &frame, &to, err);
    if (r == LATHE_OK && to.part != frame.part) {
        r = add_event(&to, now, stored, err);
        return r == LATHE_OK ? anm_annotation_remove(source, was, err) : r;
    }
    return r == LATHE_OK ? set_event(&event, was, now, err) : r;
}
