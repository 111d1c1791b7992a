/* doc:recompute: computes normals, tangents and bounding spheres from positions, texture coordinates and
 * triangles.
 *
 * Normal: the sum of the normals of its triangles, weighted by area. Vertices at one position that had the
 * same normal get the same again: the surface is split there only for the texture. Tangents: each triangle
 * has the directions in which u and v increase; a vertex has the sum of each, weighted by area, orthogonal to
 * its normal. */
#include "base/vec.h"
#include "gen/nif_types.h"
#include "nif/geometry/mesh.h"

#include <math.h>
#include <stdlib.h>

typedef struct work {
    rec_at at; /* the shape */
    nif_shape shape;
    float *lanes[NIF_ATTRIBUTES]; /* NULL: not needed, or not there */
    uint32_t *indices;
    uint64_t index_count;
    vec3 *sums; /* two per vertex */
} work;

/* ---- reading ------------------------------------------------------------------------------------------- */

static const uint32_t columns[NIF_ATTRIBUTES] = {3, 3, 3, 3, 2, 4};

static size_t size_of(const work *w, nif_attribute what)
{
    return (size_t)w->shape.vertices * columns[what] * sizeof(float);
}

static lathe_result read_lanes(work *w, nif_attribute what, lathe_error *err)
{
    nif_lanes lanes;
    if (!nif_lanes_find(&w->shape, what, &lanes))
        return LATHE_OK;
    w->lanes[what] = mem_alloc(&w->at.doc->mem, size_of(w, what));
    if (!w->lanes[what])
        return rec_no_memory(err);
    nif_lanes_read(&lanes, w->lanes[what]);
    return LATHE_OK;
}

static lathe_result read_all(work *w, lathe_error *err)
{
    const mem *m = &w->at.doc->mem;
    lathe_result r = LATHE_OK;
    for (int k = 0; r == LATHE_OK && k < NIF_COLOR; k++)
        r = read_lanes(w, (nif_attribute)k, err);
    if (r != LATHE_OK)
        return r;
    w->index_count = nif_indices(&w->shape, NULL);
    w->indices = mem_alloc(m, (size_t)w->index_count * sizeof *w->indices + 1);
    w->sums = mem_zalloc(m, (size_t)w->shape.vertices * 2 * sizeof *w->sums);
    if (!w->indices || !w->sums)
        return rec_no_memory(err);
    nif_indices(&w->shape, w->indices);
    return LATHE_OK;
}

static void release(work *w)
{
    const mem *m = &w->at.doc->mem;
    for (int k = 0; k < NIF_ATTRIBUTES; k++)
        mem_free(m, w->lanes[k], size_of(w, (nif_attribute)k));
    mem_free(m, w->indices, (size_t)w->index_count * sizeof *w->indices + 1);
    mem_free(m, w->sums, (size_t)w->shape.vertices * 2 * sizeof *w->sums);
}

static vec3 vec3_of(const float *p, uint64_t i)
{
    return (vec3){(double)p[3 * i], (double)p[3 * i + 1], (double)p[3 * i + 2]};
}

/* ---- normals ------------------------------------------------------------------------------------------- */

typedef struct place {
    float key[6]; /* position and normal */
    uint32_t vertex;
} place;

static bool one_place(const place *a, const place *b)
{
    return memcmp(a->key, b->key, sizeof a->key) == 0;
}

/* Compares bits, which gives an order even for NaN. */
static int by_place(const void *a, const void *b)
{
    const place *p = a, *q = b;
    int order = memcmp(p->key, q->key, sizeof p->key);
    return order ? order : p->vertex < q->vertex ? -1 : p->vertex > q->vertex;
}

/* Sums the normals of all vertices with the same position and normal. */
static lathe_result join(work *w, lathe_error *err)
{
    size_t n = (size_t)w->shape.vertices;
    const mem *m = &w->at.doc->mem;
    place *places = mem_alloc(m, n * sizeof *places);
    if (!places)
        return rec_no_memory(err);
    for (uint32_t i = 0; i < n; i++) {
        for (int k = 0; k < 3; k++) { /* avoids negative zeros */
            places[i].key[k] = w->lanes[NIF_POSITION][3 * i + (uint32_t)k] + 0.0F;
            places[i].key[3 + k] = w->lanes[NIF_NORMAL][3 * i + (uint32_t)k] + 0.0F;
        }
        places[i].vertex = i;
    }
    qsort(places, n, sizeof *places, by_place);
    for (size_t i = 0, end; i < n; i = end) {
        vec3 sum = {0, 0, 0};
        for (end = i; end < n && one_place(&places[i], &places[end]); end++)
            sum = vec3_add(sum, w->sums[places[end].vertex]);
        for (size_t k = i; k < end; k++)
            w->sums[places[k].vertex] = sum;
    }
    mem_free(m, places, n * sizeof *places);
    return LATHE_OK;
}

static void put_vec3(float *to, vec3 v)
{
    to[0] = (float)v.x;
    to[1] = (float)v.y;
    to[2] = (float)v.z;
}

/* Sets normals. A vertex without any area around it keeps its normal. */
static lathe_result work_normals(work *w, lathe_error *err)
{
    for (uint64_t t = 0; t + 2 < w->index_count; t += 3) {
        const uint32_t *c = w->indices + t;
        vec3 a = vec3_of(w->lanes[NIF_POSITION], c[0]);
        vec3 n = vec3_cross(vec3_sub(vec3_of(w->lanes[NIF_POSITION], c[1]), a),
                            vec3_sub(vec3_of(w->lanes[NIF_POSITION], c[2]), a));
        for (int k = 0; k < 3; k++)
            w->sums[c[k]] = vec3_add(w->sums[c[k]], n);
    }
    lathe_result r = join(w, err);
    for (uint64_t i = 0; r == LATHE_OK && i < w->shape.vertices; i++) {
        double length = vec3_length(w->sums[i]);
        if (length > 0 && length < HUGE_VAL)
            put_vec3(w->lanes[NIF_NORMAL] + 3 * i, vec3_normalize(w->sums[i]));
    }
    return r;
}

/* ---- tangents ------------------------------------------------------------------------------------------ */

/* The directions in which u and v increase on a triangle, with the length of its area. False: its texture has
 * no area. */
static bool directions(const work *w, const uint32_t *c, vec3 *u, vec3 *v)
{
    const float *uv = w->lanes[NIF_UV];
    vec3 a = vec3_of(w->lanes[NIF_POSITION], c[0]);
    vec3 e1 = vec3_sub(vec3_of(w->lanes[NIF_POSITION], c[1]), a);
    vec3 e2 = vec3_sub(vec3_of(w->lanes[NIF_POSITION], c[2]), a);
    double u1 = (double)uv[2 * c[1]] - (double)uv[2 * c[0]];
    double u2 = (double)uv[2 * c[2]] - (double)uv[2 * c[0]];
    double v1 = (double)uv[2 * c[1] + 1] - (double)uv[2 * c[0] + 1];
    double v2 = (double)uv[2 * c[2] + 1] - (double)uv[2 * c[0] + 1];
    double side = u1 * v2 - u2 * v1, area = vec3_length(vec3_cross(e1, e2));
    if (!(fabs(side) > 0 && fabs(side) < HUGE_VAL && area > 0 && area < HUGE_VAL))
        return false;
    side = side < 0 ? -1 : 1;
    *u = vec3_sub(vec3_scale(e1, v2 * side), vec3_scale(e2, v1 * side));
    *v = vec3_sub(vec3_scale(e2, u1 * side), vec3_scale(e1, u2 * side));
    *u = vec3_scale(vec3_normalize(*u), area);
    *v = vec3_scale(vec3_normalize(*v), area);
    return true;
}

/* The part of a direction orthogonal to a unit vector, normalised; any orthogonal vector if there is none. */
static vec3 beside(vec3 n, vec3 d)
{
    vec3 flat = vec3_sub(d, vec3_scale(n, vec3_dot(n, d)));
    double length = vec3_length(flat);
    if (length > 1e-9 * vec3_length(d) && length < HUGE_VAL)
        return vec3_normalize(flat);
    vec3 any = fabs(n.x) < 0.9 ? (vec3){1, 0, 0} : (vec3){0, 1, 0};
    return vec3_normalize(vec3_cross(n, any));
}

/* Sets tangents. Games of this engine call the direction of v tangent, and that of u bitangent. */
static void work_tangents(work *w)
{
    vec3 u, v;
    for (uint64_t t = 0; t + 2 < w->index_count; t += 3) {
        const uint32_t *c = w->indices + t;
        if (!directions(w, c, &u, &v))
            continue;
        for (int k = 0; k < 3; k++) {
            w->sums[2 * c[k]] = vec3_add(w->sums[2 * c[k]], v);
            w->sums[2 * c[k] + 1] = vec3_add(w->sums[2 * c[k] + 1], u);
        }
    }
    for (uint64_t i = 0; i < w->shape.vertices; i++) {
        vec3 n = vec3_normalize(vec3_of(w->lanes[NIF_NORMAL], i));
        if (!(vec3_length(n) < HUGE_VAL))
            continue; /* not finite: it stays */
        put_vec3(w->lanes[NIF_TANGENT] + 3 * i, beside(n, w->sums[2 * i]));
        put_vec3(w->lanes[NIF_BITANGENT] + 3 * i, beside(n, w->sums[2 * i + 1]));
    }
}

/* ---- the verb ------------------------------------------------------------------------------------------ */

static lathe_result store(work *w, nif_attribute what, lathe_error *err)
{
    nif_lanes lanes;
    if (!nif_shape_find(w->at.doc, w->at.part, &w->shape) ||
        !nif_lanes_find(&w->shape, what, &lanes))
        return rec_fail(&w->at, REC_NO_SLOT, 0, err, LATHE_ERR_STATE, "the vertices were removed");
    return nif_lanes_write(&w->at, REC_NO_SLOT, &lanes, w->lanes[what], err);
}

/* What a shape lacks for the computation; NULL: nothing. */
static const char *lacks(const work *w, bool tangents)
{
    const float *const *l = (const float *const *)w->lanes;
    if (!w->index_count)
        return "has no triangles here";
    if (!l[NIF_NORMAL])
        return "has no normals";
    if (tangents && !l[NIF_UV])
        return "has no texture coordinates";
    if (tangents && (!l[NIF_TANGENT] || !l[NIF_BITANGENT]))
        return "has no tangents";
    return NULL;
}

static lathe_result vectors(work *w, bool tangents, const char **why, lathe_error *err)
{
    lathe_result r = read_all(w, err);
    *why = r == LATHE_OK ? lacks(w, tangents) : NULL;
    if (r == LATHE_OK && !*why && !tangents) {
        r = work_normals(w, err);
        if (r == LATHE_OK)
            r = store(w, NIF_NORMAL, err);
    } else if (r == LATHE_OK && !*why) {
        work_tangents(w);
        r = store(w, NIF_TANGENT, err);
        if (r == LATHE_OK)
            r = store(w, NIF_BITANGENT, err);
    }
    release(w);
    return r;
}

static void skip(lathe_report *report, const rec_at *at, const char *why)
{
    char path[64];
    if (!report || !report->skipped)
        return;
    rec_path(at, REC_NO_SLOT, REC_NO_ITEM, path, sizeof path);
    report->skipped(report->user, path, why);
}

static lathe_result recompute(lathe_doc *doc, uint32_t part, const lathe_value *what,
                              lathe_report *report, lathe_error *err)
{
    work w = {.at = nif_at(doc, part)};
    const char *why = NULL;
    uint64_t before = doc->changes;
    lathe_result r = LATHE_OK;
    if (!nif_shape_find(doc, part, &w.shape) || !w.shape.vertices)
        why = "has no vertices here";
    else if (rec_text_is(what, "bounds"))
        r = nif_rebound(doc, part, &w.shape, err);
    else
        r = vectors(&w, rec_text_is(what, "tangents"), &why, err);
    if (r == LATHE_OK && why)
        skip(report, &w.at, why);
    else if (r == LATHE_OK && report && doc->changes != before)
        report->changed++;
    return r;
}

lathe_result nif_recompute(lathe_view self, const lathe_source *args, lathe_report *report,
                           lathe_error *err)
{
    lathe_doc *doc = self.doc;
    lathe_value what;
    lathe_result r = LATHE_OK;
    uint64_t total = nif_total(doc, 0);
    rec_arg(args, "what", &what);
    for (uint64_t i = 0; r == LATHE_OK && i < total; i++) {
        uint32_t part = nif_block(doc, 0, i);
        if (nif_block_is(doc, part, &nif_BSTriShape) ||
            nif_block_is(doc, part, &nif_NiTriBasedGeom))
            r = recompute(doc, part, &what, report, err);
    }
    return r;
}

static const char *const words[] = {"normals", "tangents", "bounds", NULL};
static const rec_param what_param = {
    .name = "what",
    .doc = "normals: from triangles, large ones count more; vertices in one place that had one "
           "normal share the new one. tangents: with bitangents, from texture coordinates and "
           "normals. bounds: the centre of the smallest box, and the distance to the farthest "
           "vertex.",
    .kind = LATHE_PARAM_TEXT,
    .values = words,
    .positional = true,
    .needed = true};
const rec_param *const nif_recompute_params[] = {&what_param, NULL};
