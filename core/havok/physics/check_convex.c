/* Convex shapes whose arrays contradict each other. Reference: formats/fo4-collision.md#3.2. */
#include "havok/physics/check.h"

#include "havok/physics/convex.h"

#include <math.h>

enum { VERTEX = 16, PLANE = 16, FACE = 4, TOGETHER = 4, TAG = 0x3F000000 };

/* Vertices and planes of one face are this close in all of the games' files, three times over; and a share of how far
 * away they are, where that is much. */
static const double OFF_PLANE = 0.001, SHARE = 0.002;

static double float_at(const hk_hull *h, const uint8_t *p)
{
    return (double)bytes_f32_widen(bytes_ld32(p, h->big));
}

/* They are read four at a time. */
static void check_fours(const hk_hull *h, const char *name, const bytes_array *list)
{
    if (list->count % TOGETHER)
        HK_FINDING(h->report, LATHE_LEVEL_ERROR, h->at, name, REC_NO_ITEM,
                   "%llu of them, which is no multiple of %d", (unsigned long long)list->count,
                   TOGETHER);
}

static void check_tags(const hk_hull *h, bool sphere)
{
    uint32_t last = TAG;
    for (uint64_t i = 0; i < h->vertices.count; i++) {
        uint32_t tag = bytes_ld32(h->vertices.bytes + VERTEX * i + 12, h->big);
        uint32_t wanted = sphere ? TAG : TAG | (uint32_t)i;
        if (tag != wanted && tag != last) {
            HK_FINDING(h->report, LATHE_LEVEL_WARNING, h->at, "vertices", i,
                       "w is 0x%08x where vertices are numbered: 0x%08x", tag, wanted);
            return;
        }
        last = tag;
    }
}

/* How far the vertices of a face are off its plane, and where that is too much; NaN where these are no numbers. */
static double off_plane(const hk_hull *h, uint64_t face, uint64_t first, uint64_t n, double *most)
{
    const uint8_t *plane = h->planes.bytes + PLANE * face;
    double worst = 0, far = 0;
    for (uint64_t k = first; k < first + n; k++) {
        const uint8_t *v = h->vertices.bytes + (uint64_t)VERTEX * h->indices.bytes[k];
        double d = float_at(h, plane + 12);
        for (int lane = 0; lane < 3; lane++) {
            d += float_at(h, plane + 4 * lane) * float_at(h, v + 4 * lane);
            far = fmax(far, fabs(float_at(h, v + 4 * lane)));
        }
        if (!(fabs(d) <= worst))
            worst = fabs(d);
    }
    *most = OFF_PLANE + SHARE * far;
    return worst;
}

static void check_face(const hk_hull *h, uint64_t i)
{
    const uint8_t *face = h->faces.bytes + FACE * i;
    uint64_t first = bytes_ld16(face, h->big), n = face[2];
    bool known = true;
    if (n > h->indices.count || first > h->indices.count - n) {
        HK_FINDING(h->report, LATHE_LEVEL_ERROR, h->at, "faces", i,
                   "its indices %llu .. %llu are not there: there are %llu",
                   (unsigned long long)first, (unsigned long long)(first + n),
                   (unsigned long long)h->indices.count);
        return;
    }
    if (n < 3)
        HK_FINDING(h->report, LATHE_LEVEL_WARNING, h->at, "faces", i, "a face of %llu vertices",
                   (unsigned long long)n);
    for (uint64_t k = first; k < first + n; k++)
        known = known && h->indices.bytes[k] < h->vertices.count;
    if (!known || i >= h->planes.count)
        return; /* which others tell */
    double most, off = off_plane(h, i, first, n, &most);
    if (!(off <= most))
        HK_FINDING(h->report, LATHE_LEVEL_WARNING, h->at, "planes", i,
                   "its face has a vertex that is %.3g m away from it", off);
    else
        hk_check_side(h, i);
}

static void check_hull(const hk_hull *h)
{
    check_fours(h, "planes", &h->planes);
    if (h->planes.count < h->faces.count)
        HK_FINDING(h->report, LATHE_LEVEL_ERROR, h->at, "planes", REC_NO_ITEM,
                   "%llu planes for %llu faces", (unsigned long long)h->planes.count,
                   (unsigned long long)h->faces.count);
    for (uint64_t i = 0; i < h->indices.count && !h->report->stopped; i++)
        if (h->indices.bytes[i] >= h->vertices.count)
            HK_FINDING(h->report, LATHE_LEVEL_ERROR, h->at, "indices", i,
                       "no vertex %u: there are %llu", h->indices.bytes[i],
                       (unsigned long long)h->vertices.count);
    for (uint64_t i = 0; i < h->faces.count && !h->report->stopped; i++)
        check_face(h, i);
    hk_check_edges(h);
}

void hk_check_convex(rec_report *report, const rec_at *at)
{
    const rec_type *type = at->layout->type;
    bool sphere = type == &hknp_sphere_shape;
    hk_hull h = {.at = at, .report = report, .big = at->doc->containers[at->layout->container].big};
    if (!sphere && type != &hknp_convex_polytope_shape && type != &hknp_capsule_shape)
        return;
    if (hk_array_of(at, "vertices", &h.vertices, NULL) != LATHE_OK)
        return; /* which was told */
    if (!h.vertices.count)
        HK_FINDING(report, LATHE_LEVEL_ERROR, at, "vertices", REC_NO_ITEM,
                   "a shape without vertices");
    check_fours(&h, "vertices", &h.vertices);
    check_tags(&h, sphere);
    hk_check_radius(&h);
    if (!sphere && hk_array_of(at, "planes", &h.planes, NULL) == LATHE_OK &&
        hk_array_of(at, "faces", &h.faces, NULL) == LATHE_OK &&
        hk_array_of(at, "indices", &h.indices, NULL) == LATHE_OK)
        check_hull(&h);
    if (type == &hknp_capsule_shape)
        hk_check_axis(&h);
}
