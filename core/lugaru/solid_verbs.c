/* The verbs of .solid documents. */
#include "lugaru/solid.h"
#include "model/farthest.h"
#include "scene/scale.h"

#include <math.h>

/* Scales all fields that are lengths, with their exponents: positions are multiplied by the factor. */
static lathe_result scale(lathe_view self, const lathe_source *args, lathe_report *report,
                          lathe_error *err)
{
    static const scene_scale_rule rules[] = {{"vertices", 1, 1}, {NULL, 0, 0}};
    return scene_scale_rules(self, rules, MODEL_GEOMETRY, args, report, err);
}

static void answer(lathe_report *report, const char *name, double value)
{
    lathe_value v = {.kind = LATHE_KIND_REAL, .as.f = value};
    if (report && report->result)
        report->result(report->user, name, &v);
}

/* Computes the sphere as the game does: of all pairs of vertices, half of the largest squared distance is the
 * squared radius (so the sphere is larger than necessary), and the midpoint of that pair is the centre. */
static lathe_result bounding_sphere(lathe_view self, const lathe_source *args, lathe_report *report,
                                    lathe_error *err)
{
    solid_model m;
    model_far_pair pair;
    vec3 centre = {0, 0, 0};
    (void)args;
    lathe_result r = solid_read(self.doc, &m, err);
    if (r != LATHE_OK)
        return r;
    vec3 *points = mem_alloc(&self.doc->mem, (m.vertices + 1) * sizeof *points);
    for (size_t i = 0; points && i < m.vertices; i++)
        points[i] = (vec3){m.positions[i][0], m.positions[i][1], m.positions[i][2]};
    bool ok = points && model_farthest(&self.doc->mem, points, m.vertices, &pair);
    if (ok && pair.b)
        centre = vec3_scale(vec3_add(points[pair.a], points[pair.b]), 0.5);
    mem_free(&self.doc->mem, points, (m.vertices + 1) * sizeof *points);
    solid_free(self.doc, &m);
    if (!ok)
        return rec_no_memory(err);
    answer(report, "center", centre.x);
    answer(report, "center", centre.y);
    answer(report, "center", centre.z);
    answer(report, "radius", sqrt(pair.squared / 2));
    return LATHE_OK;
}

const rec_verb solid_verbs[] = {
    {.name = "scale",
     .doc = "Multiplies every position.",
     .params = scene_scale_params,
     .run = scale},
    {.name = "bounding_sphere",
     .doc = "The game's bounding sphere: center {x, y, z}, radius.",
     .query = true,
     .run = bounding_sphere},
    {0},
};
