/* What follows from a polytope's corners once they were scaled by other factors along each axis: the half angles of
 * its faces, and its mass. */
#include "havok/physics/scale_axes.h"

#include "havok/objects/objects.h"
#include "havok/physics/convex.h"
#include "havok/physics/maths/convex_build.h"
#include "havok/physics/maths/shape_mass.h"
#include "havok/physics/packed.h"

#include <math.h>

typedef struct arrays {
    rec_loc vertices, planes, faces, indices;
} arrays;

static lathe_result find_arrays(const rec_at *shape, arrays *out, lathe_error *err)
{
    const char *const names[] = {"vertices", "planes", "faces", "indices"};
    rec_loc *const locs[] = {&out->vertices, &out->planes, &out->faces, &out->indices};
    lathe_result r = LATHE_OK;
    for (int i = 0; r == LATHE_OK && i < 4; i++)
        r = rec_find(shape, rec_slot_find(shape->layout, names[i]), locs[i], err);
    if (r != LATHE_OK || out->planes.count >= out->faces.count)
        return r;
    return rec_fail(shape, rec_slot_find(shape->layout, "planes"), 0, err, LATHE_ERR_INVALID,
                    "%llu planes of %llu faces", (unsigned long long)out->planes.count,
                    (unsigned long long)out->faces.count);
}

/* ---- as a hull ---------------------------------------------------------------------------------------------- */

static bool alloc_hull(hull *h, const arrays *a, const mem *m)
{
    *h = (hull){.mem = *m,
                .vertex_count = (size_t)a->vertices.count,
                .face_count = (size_t)a->faces.count,
                .index_count = (size_t)a->indices.count};
    h->vertices = mem_zalloc(m, h->vertex_count * sizeof *h->vertices);
    h->points = mem_zalloc(m, h->vertex_count * sizeof *h->points);
    h->planes = mem_zalloc(m, h->face_count * sizeof *h->planes);
    h->faces = mem_zalloc(m, h->face_count * sizeof *h->faces);
    h->indices = mem_zalloc(m, h->index_count * sizeof *h->indices);
    if (h->vertices && h->points && h->planes && h->faces && h->indices)
        return true;
    hull_free(h);
    return false;
}

static double load(const uint8_t *p, bool big)
{
    return bytes_f32_widen(bytes_ld32(p, big));
}

/* False: the arrays contradict each other. */
static bool read_hull(hull *h, const arrays *a, const uint8_t *bytes, bool big)
{
    for (size_t i = 0; i < h->vertex_count; i++)
        for (int k = 0; k < 3; k++)
            h->vertices[i][k] = (float)load(bytes + a->vertices.data + 16 * i + 4 * k, big);
    for (size_t i = 0; i < h->face_count; i++) {
        const uint8_t *p = bytes + a->planes.data + 16 * i, *f = bytes + a->faces.data + 4 * i;
        for (int k = 0; k < 3; k++)
            h->planes[i].n[k] = load(p + 4 * k, big);
        h->planes[i].d = load(p + 12, big);
        h->faces[i] = (hull_face){bytes_ld16(f, big), f[2]};
        if (h->faces[i].count < 3 || h->faces[i].first > h->index_count ||
            h->faces[i].count > h->index_count - h->faces[i].first)
            return false;
    }
    for (size_t i = 0; i < h->index_count; i++) {
        h->indices[i] = bytes[a->indices.data + i];
        if (h->indices[i] >= h->vertex_count)
            return false;
    }
    return true;
}

/* ---- faces -------------------------------------------------------------------------------------------------- */

/* A hull whose loops do not close has no neighbours to measure to: its angles stay. */
static lathe_result put_angles(const hull *h, const arrays *a, uint8_t *bytes)
{
    double *cosines = mem_alloc(&h->mem, h->index_count * sizeof *cosines);
    lathe_result r = cosines ? hull_edge_cosines(h, cosines, NULL) : LATHE_ERR_MEMORY;
    for (size_t f = 0; r == LATHE_OK && f < h->face_count; f++) {
        double most = -1;
        for (uint32_t i = 0; i < h->faces[f].count; i++)
            most = fmax(most, cosines[h->faces[f].first + i]);
        bytes[a->faces.data + 4 * f + 3] = hk_half_angle(most);
    }
    mem_free(&h->mem, cosines, h->index_count * sizeof *cosines);
    return r == LATHE_ERR_MEMORY ? r : LATHE_OK;
}

/* ---- mass --------------------------------------------------------------------------------------------------- */

static uint32_t mass_part(const rec_at *shape)
{
    rec_at entry;
    rec_loc loc;
    uint32_t part = hk_target(shape, "properties", 0);
    rec_at properties = part == REC_NO_PART ? *shape : hk_object(shape->doc, part);
    uint32_t slot = rec_slot_find(properties.layout, "entries");
    if (properties.layout->type != &hk_ref_counted_properties ||
        rec_find(&properties, slot, &loc, NULL) != LATHE_OK || !loc.present)
        return REC_NO_PART;
    for (uint64_t i = 0; i < loc.count; i++) {
        if (rec_sub(&properties, slot, i, &entry, NULL) != LATHE_OK)
            return REC_NO_PART;
        part = hk_target(&entry, "object", 0);
        if (part != REC_NO_PART &&
            hk_object(shape->doc, part).layout->type == &hknp_shape_mass_properties)
            return part;
    }
    return REC_NO_PART;
}

static uint64_t member(const rec_at *at, const char *name)
{
    rec_loc loc;
    return rec_find(at, rec_slot_find(at->layout, name), &loc, NULL) == LATHE_OK ? loc.off : 0;
}

static bool put_packed(uint8_t *p, const double v[3], bool big)
{
    uint16_t packed[4];
    for (int i = 0; i < 4; i++)
        packed[i] = bytes_ld16(p + 2 * i, big);
    if (!hk_pack_vector3(v, packed))
        return false;
    for (int i = 0; i < 4; i++)
        bytes_st(p + 2 * i, packed[i], 2, big);
    return true;
}

static bool put_mass(const rec_at *mass, uint8_t *bytes, const hk_mass *m, bool big)
{
    const double center[3] = {m->center.x, m->center.y, m->center.z};
    const double axes[4] = {m->axes.x, m->axes.y, m->axes.z, m->axes.w};
    uint8_t *turn = bytes + member(mass, "major_axis_space");
    uint32_t volume = bytes_f32_narrow(m->volume);
    uint16_t packed[4];
    if (!isfinite(bytes_f32_widen(volume)) || !hk_pack_quaternion(axes, packed))
        return false;
    for (int i = 0; i < 4; i++)
        bytes_st(turn + 2 * i, packed[i], 2, big);
    bytes_st(bytes + member(mass, "mass"), volume, 4, big); /* density 1 */
    bytes_st(bytes + member(mass, "volume"), volume, 4, big);
    return put_packed(bytes + member(mass, "center_of_mass"), center, big) &&
           put_packed(bytes + member(mass, "inertia"), m->inertia, big);
}

static lathe_result weigh(scene_scaling *s, const rec_at *shape, const hull *h, bool big,
                          lathe_error *err)
{
    hk_mass m;
    double radius = rec_slot_real(shape, rec_slot_find(shape->layout, "convex_radius"));
    uint32_t part = mass_part(shape);
    if (part == REC_NO_PART)
        return LATHE_OK;
    rec_at mass = hk_object(s->doc, part);
    lathe_result r = hk_mass_of_hull(&m, h, radius, err);
    if (r != LATHE_OK)
        return r;
    uint8_t *bytes = scene_scale_copy(s, part);
    if (!bytes)
        return rec_no_memory(err);
    return put_mass(&mass, bytes, &m, big)
               ? LATHE_OK
               : rec_fail(&mass, REC_NO_SLOT, 0, err, LATHE_ERR_RANGE, "its mass does not fit");
}

lathe_result hk_axes_hull(const hk_axes *axes, scene_scaling *s, const rec_at *shape,
                          lathe_error *err)
{
    arrays a;
    hull h;
    bool big = axes->doc->containers[shape->layout->container].big;
    uint8_t *bytes = scene_scale_copy(s, shape->part);
    lathe_result r = find_arrays(shape, &a, err);
    if (r != LATHE_OK || !a.faces.count)
        return r;
    if (!bytes || !alloc_hull(&h, &a, &axes->doc->mem))
        return rec_no_memory(err);
    if (!read_hull(&h, &a, bytes, big))
        r = rec_fail(shape, rec_slot_find(shape->layout, "faces"), 0, err, LATHE_ERR_INVALID,
                     "faces of corners that it does not have");
    if (r == LATHE_OK)
        r = put_angles(&h, &a, bytes);
    if (r == LATHE_OK)
        r = weigh(s, shape, &h, big, err);
    hull_free(&h);
    return r;
}
