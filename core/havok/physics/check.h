/* doc:check() of what collides, by what is looked at. */
#ifndef LATHE_HAVOK_PHYSICS_CHECK_H
#define LATHE_HAVOK_PHYSICS_CHECK_H

#include "havok/objects/finding.h"
#include "havok/physics/bodies.h"
#include "havok/physics/leaves.h"

/* All that collides in a packfile, but for convex shapes (check_collision.c); a convex shape, if it is one
 * (check_convex.c); rigid bodies with their shapes, joints and ragdolls, in Skyrim's packfiles and in files that describe
 * their own classes (check_rigid.c); joints of Fallout 4's packfiles, as far as they turn. */
void hk_check_collision(rec_report *report, lathe_doc *doc, uint32_t c);
void hk_check_convex(rec_report *report, const rec_at *at);
void hk_check_rigid(rec_report *report, lathe_doc *doc, uint32_t c);

/* ---- inside ------------------------------------------------------------------------------------------ */

typedef struct hk_looker {
    rec_report *report;
    lathe_doc *doc;
    uint32_t c;
    uint64_t left; /* bytes: what is shared counts each time that it is looked at */
    bool spent;    /* there were not enough, which was told */
    /* the first object's part: of a system in a NIF it is the system. In other files of the games bodies with a mass
     * need neither be dynamic nor say their density */
    uint32_t root;
} hk_looker;

/* check_look.c: before `bytes` of what others may share are looked at, for `at`. False: no more of that. */
bool hk_may_look(hk_looker *k, const rec_at *at, uint64_t bytes);

/* check_mesh.c, check_compound.c, check_system.c */
void hk_check_mesh(hk_looker *k, const rec_at *shape);
void hk_check_compound(hk_looker *k, const rec_at *shape);
void hk_check_system(hk_looker *k, const rec_at *system);

/* check_mass.c: what an object says, whether a shape's is its own, and that of a body's motion. */
void hk_check_mass(hk_looker *k, const rec_at *mass);
void hk_check_shape_mass(hk_looker *k, const rec_at *shape);
void hk_check_motion_mass(hk_looker *k, const hk_body_of *body);

/* A convex shape's arrays, as far as they can be read. */
typedef struct hk_hull {
    const rec_at *at;
    rec_report *report;
    bool big;
    bytes_array vertices, planes, faces, indices;
} hk_hull;

/* check_hull.c: what its arrays mean, once their numbers fit. Of face i, whose plane and vertices are there; of
 * all faces; of the radius; of a capsule's axis. */
void hk_check_side(const hk_hull *h, uint64_t i);
void hk_check_edges(const hk_hull *h);
void hk_check_radius(const hk_hull *h);
void hk_check_axis(const hk_hull *h);

/* A box along the axes. */
typedef struct hk_bounds {
    double min[3], max[3];
} hk_bounds;

/* Of a shape, its radius counted, in `place`: never larger than it is. False: nobody knows (shape_bounds.c). */
bool hk_shape_bounds(hk_looker *k, const rec_at *shape, const mat4 *place, hk_bounds *out);
/* How far `inner` looks out, beyond what floats lose; 0: not at all. Infinity for no numbers. */
double hk_looks_out(const hk_bounds *outer, const hk_bounds *inner);
/* Two vectors of numbers behind each other, `stride` bytes apart. */
hk_bounds hk_bounds_at(const uint8_t *p, unsigned stride, bool big);

#endif
