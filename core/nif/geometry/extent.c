/* Bounding box and bounding sphere of vertex positions. The last result is cached together with the
 * positions, so that a small edit only requires visiting the changed vertices. */
#include "nif/geometry/extent.h"

#include "record/recent.h"

#include <math.h>

enum { MOST_CHANGED = 64 };

typedef struct box {
    double low[3], high[3];
} box;

typedef struct extent {
    rec_cached cached;
    nif_lanes lanes;
    uint64_t followed; /* number of the first change that is not included yet */
    float *positions;  /* x, y and z of each vertex when it was last updated */
    size_t n;
    box box;
    size_t at_low[3], at_high[3]; /* number of vertices on each side of the box */
    float center[3];
    double farthest;    /* largest squared distance from the centre … */
    size_t at_farthest; /* … and the number of vertices at that distance */
} extent;

typedef struct position { /* of a vertex, before it changed */
    size_t i;
    float p[3];
} position;

/* ---- computation ----------------------------------------------------------------------------------------- */

static double distance(const extent *x, const float *p)
{
    double sum = 0;
    for (int k = 0; k < 3; k++)
        sum += ((double)p[k] - (double)x->center[k]) * ((double)p[k] - (double)x->center[k]);
    return sum;
}

static void add_to_axis(extent *x, int k, double f)
{
    if (f < x->box.low[k]) {
        x->box.low[k] = f;
        x->at_low[k] = 0;
    }
    if (f > x->box.high[k]) {
        x->box.high[k] = f;
        x->at_high[k] = 0;
    }
    x->at_low[k] += f == x->box.low[k];
    x->at_high[k] += f == x->box.high[k];
}

/* False: there are no vertices, or one is not finite. */
static bool find_box(extent *x)
{
    for (int k = 0; k < 3; k++) {
        x->box.low[k] = HUGE_VAL, x->box.high[k] = -HUGE_VAL;
        x->at_low[k] = x->at_high[k] = 0;
        for (size_t i = 0; i < x->n; i++) {
            double f = (double)x->positions[3 * i + (size_t)k];
            if (!(fabs(f) < HUGE_VAL))
                return false;
            add_to_axis(x, k, f);
        }
    }
    return x->n > 0;
}

static void add_distance(extent *x, double far)
{
    if (far > x->farthest) {
        x->farthest = far;
        x->at_farthest = 0;
    }
    x->at_farthest += far == x->farthest;
}

static void find_farthest(extent *x)
{
    x->farthest = 0;
    x->at_farthest = 0;
    for (size_t i = 0; i < x->n; i++)
        add_distance(x, distance(x, x->positions + 3 * i));
}

/* Finds the centre. It is rounded to the stored precision, so that the stored sphere contains all vertices.
 * Returns whether it changed. */
static bool find_center(extent *x)
{
    float was[3];
    memcpy(was, x->center, sizeof was);
    for (int k = 0; k < 3; k++)
        x->center[k] = (float)(x->box.low[k] / 2 + x->box.high[k] / 2) + 0.0F; /* never -0 */
    return memcmp(was, x->center, sizeof was) != 0;
}

static bool find_all(extent *x)
{
    if (!find_box(x))
        return false;
    find_center(x);
    find_farthest(x);
    return true;
}

static bool result(const extent *x, nif_extent *out)
{
    double radius = sqrt(x->farthest);
    memcpy(out->sphere, x->center, sizeof x->center);
    out->sphere[3] = (float)radius;
    if ((double)out->sphere[3] < radius)
        out->sphere[3] = nextafterf(out->sphere[3], HUGE_VALF);
    for (int k = 0; k < 3; k++)
        out->half[k] = (float)(x->box.high[k] / 2 - x->box.low[k] / 2);
    return out->sphere[3] < HUGE_VALF;
}

/* ---- updating -------------------------------------------------------------------------------------------- */

static bool same_lanes(const nif_lanes *a, const nif_lanes *b)
{
    return a->in.part == b->in.part && a->in.off == b->in.off && a->in.count == b->in.count &&
           a->stride == b->stride && memcmp(a->at, b->at, sizeof a->at) == 0 &&
           memcmp(a->coding, b->coding, sizeof a->coding) == 0;
}

/* Updates one vertex from the document. False: its position is not finite. */
static bool move_vertex(extent *x, const nif_lanes *now, size_t i, position *was)
{
    nif_lanes one = *now;
    float *p = x->positions + 3 * i;
    one.in.p += i * one.stride;
    one.in.count = 1;
    was->i = i;
    memcpy(was->p, p, sizeof was->p);
    nif_lanes_read(&one, p);
    for (int k = 0; k < 3; k++) {
        double f = (double)p[k], old = (double)was->p[k];
        if (!(fabs(f) < HUGE_VAL))
            return false;
        x->at_low[k] -= old == x->box.low[k];
        x->at_high[k] -= old == x->box.high[k];
        add_to_axis(x, k, f);
    }
    return true;
}

static bool is_listed(const position *list, size_t n, uint64_t i)
{
    for (size_t k = 0; k < n; k++)
        if (list[k].i == i)
            return true;
    return false;
}

/* Updates the vertices that a change touched and adds them to the list. False: too many, or it is unknown which. */
static bool take_change(extent *x, const nif_lanes *now, const rec_change *c, position *list,
                        size_t *n)
{
    uint64_t off = now->in.off, end = off + now->in.count * now->stride;
    if (c->part == REC_NO_PART)
        return false;
    if (c->part != now->in.part)
        return true;
    if (c->removed != c->inserted || !c->removed)
        return false;
    if (c->at >= end || c->at + c->removed <= off)
        return true;
    uint64_t first = c->at > off ? (c->at - off) / now->stride : 0;
    uint64_t last = ((c->at + c->removed < end ? c->at + c->removed : end) - 1 - off) / now->stride;
    for (uint64_t i = first; i <= last; i++)
        if (!is_listed(list, *n, i) &&
            (*n == MOST_CHANGED || !move_vertex(x, now, (size_t)i, &list[(*n)++])))
            return false;
    return true;
}

static bool follow(extent *x, lathe_doc *doc, const nif_lanes *now)
{
    position list[MOST_CHANGED];
    size_t n = 0;
    uint64_t next = rec_recent_next(doc);
    bool ok = rec_recent_knows(doc, x->followed);
    for (uint64_t i = x->followed; ok && i != next; i++)
        ok = take_change(x, now, rec_recent_at(doc, i), list, &n);
    x->followed = next;
    x->lanes = *now;
    if (!ok)
        return false;
    bool gone = false;
    for (int k = 0; k < 3; k++)
        gone = gone || !x->at_low[k] || !x->at_high[k];
    if (gone && !find_box(x))
        return false;
    if (find_center(x)) {
        find_farthest(x);
        return true;
    }
    for (size_t i = 0; i < n; i++)
        x->at_farthest -= distance(x, list[i].p) == x->farthest;
    for (size_t i = 0; i < n; i++)
        add_distance(x, distance(x, x->positions + 3 * list[i].i));
    if (!x->at_farthest)
        find_farthest(x);
    return true;
}

/* ---- the cache ------------------------------------------------------------------------------------------- */

static void release(lathe_doc *doc, rec_cached *kept)
{
    extent *x = (extent *)kept;
    mem_free(&doc->mem, x->positions, 3 * x->n * sizeof *x->positions);
    mem_free(&doc->mem, x, sizeof *x);
}

static const rec_cache extents = {.lasts = true, .release = release};

static extent *make(lathe_doc *doc, const nif_lanes *now)
{
    extent *x = mem_zalloc(&doc->mem, sizeof *x);
    size_t n = (size_t)now->in.count;
    if (!x)
        return NULL;
    x->lanes = *now;
    x->positions = mem_alloc(&doc->mem, 3 * n * sizeof *x->positions);
    if (!x->positions) {
        mem_free(&doc->mem, x, sizeof *x);
        return NULL;
    }
    x->n = n;
    nif_lanes_read(now, x->positions);
    x->followed = rec_recent_next(doc);
    return x;
}

lathe_result nif_extent_of(lathe_doc *doc, const nif_lanes *now, nif_extent *out)
{
    uint32_t c = doc->parts[now->in.part].container;
    extent *x = rec_cache_find(doc, c, &extents);
    if (!now->in.count)
        return LATHE_ERR_INVALID;
    if (x && same_lanes(&x->lanes, now) && follow(x, doc, now))
        return result(x, out) ? LATHE_OK : LATHE_ERR_INVALID;
    rec_cache_drop(doc, c, &extents);
    x = make(doc, now);
    if (!x)
        return LATHE_ERR_MEMORY;
    if (!find_all(x)) {
        release(doc, &x->cached);
        return LATHE_ERR_INVALID;
    }
    rec_cache_put(doc, c, &extents, &x->cached);
    return result(x, out) ? LATHE_OK : LATHE_ERR_INVALID;
}

bool nif_sphere_of(const float *positions, uint64_t n, float sphere[4])
{
    nif_extent found;
    extent x = {.positions = (float *)(uintptr_t)positions, .n = (size_t)n};
    if (!find_all(&x) || !result(&x, &found))
        return false;
    memcpy(sphere, found.sphere, sizeof found.sphere);
    return true;
}
