/* Annotations of an animation, as they are told. */
#include "havok/animation/made/made.h"

#include <math.h>
#include <stdlib.h>

static lathe_result bad(const rec_table *g, uint64_t i, const char *field, lathe_error *err,
                        lathe_result code)
{
    return field ? rec_table_at(g, code, err, "annotations[%llu].%s", (unsigned long long)i + 1,
                                field)
                 : rec_table_at(g, code, err, "annotations[%llu]", (unsigned long long)i + 1);
}

static lathe_result read_time(const hk_take *take, const rec_table *g, const void *node, uint64_t i,
                              float *out, lathe_error *err)
{
    const void *child;
    double time;
    lathe_value v = rec_table_value(g, node, "time", 0, &child);
    if (!rec_number(&v, &time))
        return bad(g, i, "time", err,
                   error_set(err, LATHE_ERR_TYPE, LATHE_NO_OFFSET, "a time in s expected"));
    *out = (float)time;
    if (*out >= 0 && *out <= take->duration)
        return LATHE_OK;
    return bad(g, i, "time", err,
               error_set(err, LATHE_ERR_RANGE, LATHE_NO_OFFSET,
                         "%.6g s is outside of the animation, which lasts %.6g s", time,
                         (double)take->duration));
}

static lathe_result read_track(const hk_take *take, const rec_table *g, const void *node,
                               uint64_t i, uint32_t *out, lathe_error *err)
{
    const void *child;
    double track = 0;
    lathe_value v = rec_table_value(g, node, "track", 0, &child);
    bool good = v.kind == LATHE_KIND_NONE || rec_number(&v, &track);
    *out = 0;
    if (good && track >= 0 && track < (double)take->tracks && track == floor(track)) {
        *out = (uint32_t)track;
        return LATHE_OK;
    }
    return bad(g, i, "track", err,
               good ? error_set(err, LATHE_ERR_RANGE, LATHE_NO_OFFSET,
                                "there is no track %.9g: they are 0 to %llu", track,
                                (unsigned long long)take->tracks - 1)
                    : error_set(err, LATHE_ERR_TYPE, LATHE_NO_OFFSET, "a track's number expected"));
}

static lathe_result read_event(hk_take *take, const rec_table *g, const void *node, uint64_t i,
                               lathe_error *err)
{
    /* `source`, as reading gives it, says nothing of a new one */
    static const char *const known[] = {"time", "text", "track", "source", NULL};
    const void *child;
    hk_event event = {.order = i};
    lathe_result r = rec_table_names(g, node, "an annotation", known, err);
    if (r != LATHE_OK)
        return bad(g, i, NULL, err, r);
    lathe_value v = rec_table_value(g, node, "text", 0, &child);
    r = rec_plain_text(&v, &event.text, err);
    if (r != LATHE_OK)
        return bad(g, i, "text", err, r);
    r = read_time(take, g, node, i, &event.time, err);
    if (r == LATHE_OK)
        r = read_track(take, g, node, i, &event.track, err);
    if (r == LATHE_OK && !buf_put(&take->events, &event, sizeof event))
        r = rec_no_memory(err);
    return r;
}

static int by_track(const void *a, const void *b)
{
    const hk_event *x = a, *y = b;
    return x->track != y->track ? (x->track > y->track) - (x->track < y->track)
                                : (x->order > y->order) - (x->order < y->order);
}

/* Games walk a track's events from its first on. */
static lathe_result check_order(const hk_take *take, const rec_table *g, size_t n, lathe_error *err)
{
    const hk_event *all = (const hk_event *)(const void *)take->events.data;
    for (size_t i = 1; i < n; i++)
        if (all[i].track == all[i - 1].track && all[i].time < all[i - 1].time)
            return bad(g, all[i].order, "time", err,
                       error_set(err, LATHE_ERR_INVALID, LATHE_NO_OFFSET,
                                 "%.6g s is before the previous annotation of its track, at %.6g s",
                                 (double)all[i].time, (double)all[i - 1].time));
    return LATHE_OK;
}

lathe_result hk_take_events(hk_take *take, const rec_table *g, lathe_error *err)
{
    const void *list, *node;
    lathe_value v = rec_table_value(g, NULL, "annotations", 0, &list);
    if (v.kind == LATHE_KIND_NONE)
        return LATHE_OK;
    uint64_t n = list ? rec_table_count(g, list) : 0;
    lathe_result r = LATHE_OK;
    if (!list)
        return rec_table_at(
            g, error_set(err, LATHE_ERR_TYPE, LATHE_NO_OFFSET, "a list of annotations expected"),
            err, "annotations");
    for (uint64_t i = 0; r == LATHE_OK && i < n; i++) {
        rec_table_value(g, list, NULL, i, &node);
        r = node ? read_event(take, g, node, i, err)
                 : bad(g, i, NULL, err,
                       error_set(err, LATHE_ERR_TYPE, LATHE_NO_OFFSET,
                                 "an annotation expected: { time = 0.5, text = \"…\" }"));
    }
    if (r == LATHE_OK && n)
        qsort(take->events.data, (size_t)n, sizeof(hk_event), by_track);
    return r == LATHE_OK ? check_order(take, g, (size_t)n, err) : r;
}
