/* doc:scale: changes the scale of the grid, so that vertices keep their integers. Reference:
 * formats/bphsh.md#5. */
#include "phive/edits.h"
#include "phive/scale_shape.h"

#include <math.h>

static const rec_param what_param = {
    .name = "what",
    .doc = "What is scaled. A shape is collision, and has nothing else. Default: all.",
    .kind = LATHE_PARAM_TEXT,
    .values = model_scale_words};
const rec_param *const phive_scale_params[] = {&model_scale_param_factor, &what_param,
                                               &model_scale_param_mass, NULL};

typedef struct scaling {
    phive_places places;
    double by[3];
} scaling;

/* Multiplies a float in the copy. */
static lathe_result times(const scaling *s, uint64_t at, double by, const char *what,
                          int64_t number, lathe_error *err)
{
    return phive_put_length(s->places.to + at, (double)phive_f32(s->places.from.data + at) * by,
                            what, number, err);
}

static lathe_result scale_root(const scaling *s, lathe_error *err)
{
    const phive_layout *l = s->places.from.l;
    lathe_result r = LATHE_OK;
    for (unsigned k = 0; r == LATHE_OK && k < 3; k++) {
        r = times(s, l->scale_inv + 4 * k, s->by[k], "bitScale16Inv", -1, err);
        if (r == LATHE_OK)
            r = times(s, l->scale + 4 * k, 1 / s->by[k], "bitScale16", -1, err);
    }
    bool even = s->by[0] == s->by[1] && s->by[0] == s->by[2];
    bool round = phive_f32(s->places.from.data + l->convex_radius) != 0;
    if (r == LATHE_OK && round && !even)
        return error_set(
            err, LATHE_ERR_UNSUPPORTED, LATHE_NO_OFFSET,
            "convexRadius is a distance in any direction: cannot be scaled by different factors");
    return r == LATHE_OK ? times(s, l->convex_radius, s->by[0], "convexRadius", -1, err) : r;
}

static lathe_result scale_section(const scaling *s, uint32_t i, lathe_error *err)
{
    const phive_reading *from = &s->places.from;
    phive_section was;
    uint64_t at = from->sections.at + (uint64_t)i * from->l->section.size + from->l->cell;
    lathe_result r = phive_read_section(from, i, &was, err);
    for (unsigned k = 0; r == LATHE_OK && k < 3; k++)
        r = times(s, at + 4 * k, s->by[k], "bitScale8Inv of section", i, err);
    if (r != LATHE_OK || !was.floats)
        return r;
    for (uint32_t v = 0; r == LATHE_OK && v < 3 * was.vertex_count; v++)
        r = times(s, was.vertices.at + 4 * (uint64_t)v, s->by[v % 3], "a vertex of section", i,
                  err);
    return r;
}

static lathe_result scale_lane(void *user, float box[6], uint32_t node, lathe_error *err)
{
    const scaling *s = user;
    uint8_t bytes[4];
    lathe_result r = LATHE_OK;
    for (unsigned k = 0; r == LATHE_OK && k < 6; k++) {
        r = phive_put_length(bytes, (double)box[k] * s->by[k / 2], "a box of tree node", node, err);
        if (r == LATHE_OK)
            box[k] = phive_f32(bytes);
    }
    return r;
}

lathe_result phive_scale_shape(lathe_doc *doc, uint32_t c, const double by[3], lathe_error *err)
{
    scaling s = {.by = {by[0], by[1], by[2]}};
    lathe_result r = phive_places_begin(doc, c, &s.places, err);
    if (r == LATHE_OK)
        r = scale_root(&s, err);
    for (uint32_t i = 0; r == LATHE_OK && i < s.places.from.sections.count; i++)
        r = scale_section(&s, i, err);
    if (r == LATHE_OK) {
        phive_places_steps(&s.places);
        r = phive_places_boxes(&s.places, scale_lane, &s, err);
    }
    if (r == LATHE_OK)
        r = phive_places_store(&s.places, err);
    phive_places_end(&s.places);
    return r;
}

/* Fails for mirroring factors, and names the verb that can mirror. */
static lathe_result refuse_mirror(const model_scale *how, lathe_error *err)
{
    for (unsigned k = 0; k < 3; k++)
        if (how->axes[k] < 0 && isfinite(how->axes[k]))
            return error_set(err, LATHE_ERR_RANGE, LATHE_NO_OFFSET,
                             "cannot scale by %.9g: doc:set_mesh builds a shape of "
                             "mirrored triangles",
                             how->axes[k]);
    return err ? err->code : LATHE_ERR_RANGE;
}

lathe_result phive_scale(lathe_view self, const lathe_source *args, lathe_report *report,
                         lathe_error *err)
{
    model_scale how;
    uint32_t c = self.doc->parts[self.part].container;
    lathe_result r = model_scale_by_axes(args, &how, err);
    if (r == LATHE_ERR_RANGE)
        return refuse_mirror(&how, err);
    if (r != LATHE_OK || !(how.wanted & MODEL_COLLISION))
        return r;
    r = phive_scale_shape(self.doc, c, how.axes, err);
    if (r == LATHE_OK && report && (how.uneven || how.factor != 1))
        report->changed++;
    return r;
}
