/* Precombined geometry as it lies in its block, and what follows from it when an edit ends.
 * formats/precombined.md#3 */
#ifndef LATHE_NIF_PACKED_H
#define LATHE_NIF_PACKED_H

#include "nif/geometry/mesh.h"
#include "nif/geometry/packed/before.h"

enum { NIF_INSTANCE = 72 };
/* The game counts a bucket's expanded vertices in 16 bits. */
enum { NIF_BUCKET_VERTICES = 65534 };

/* An object in the bytes of its block. */
typedef struct nif_packed_place {
    uint64_t at; /* of its first byte */
    uint64_t vertices, triangles[3], offsets[3];
    uint64_t instances, instances_at;
    uint64_t desc, desc_at;
    nif_vertex layout;
    bool adds_up;         /* the descriptor does, so that positions can be read */
    bool is_here;         /* the geometry is in the block … */
    uint64_t vertices_at; /* … from here on */
} nif_packed_place;

static inline uint64_t nif_packed_triangles(const nif_packed_place *o)
{
    return o->triangles[0] + o->triangles[1] + o->triangles[2];
}

/* The layout that the bytes fit, as nif_part_arg finds it; and the objects of bytes that fit one, of nif_packed_place.
 * False: they fit none, or there is no memory (*lost). */
bool nif_packed_layout(const rec_type *type, const uint8_t *data, uint64_t size, uint64_t *layout);
bool nif_packed_scan(const uint8_t *data, uint64_t size, uint64_t layout, buf *places, bool *lost);

/* ---- sphere.c ---- */

typedef struct nif_sphere {
    double center[3], radius;
} nif_sphere;

/* p' = scale (rotation p) + translation, as an instance's 72 bytes say it. False: some number is none. */
typedef struct nif_placement {
    double rotation[9], translation[3], scale;
} nif_placement;
bool nif_placement_read(const uint8_t *instance, nif_placement *out);
void nif_placement_apply(const nif_placement *t, const double p[3], double out[3]);

/* The sphere that an instance stores. False: it is all zeros, or no number. */
bool nif_sphere_read(const uint8_t *instance, nif_sphere *out);
/* Where an instance puts an object's sphere, as its 16 bytes; and the sphere of an object whose instance has one. False:
 * there is no such. */
bool nif_sphere_put(const nif_placement *t, const nif_sphere *s, uint8_t bytes[16]);
bool nif_sphere_back(const nif_placement *t, const nif_sphere *s, nif_sphere *out);

/* The positions of an object's vertices: floats, to be freed, with `vertices` rows. NULL: there are none here, or no
 * memory (*lost). */
float *nif_packed_positions(const mem *m, const uint8_t *data, const nif_packed_place *o,
                            bool *lost);
void nif_packed_positions_free(const mem *m, const nif_packed_place *o, float *positions);

/* Around all vertices of all instances: the middle of their box, and the farthest one. False: geometry is elsewhere, too
 * much, or no number. */
bool nif_packed_bucket(const mem *m, const uint8_t *data, const nif_packed_place *places, size_t n,
                       nif_sphere *out, bool *lost);

/* The same about a centre that is given: sets the radius. */
bool nif_packed_reach(const mem *m, const uint8_t *data, const nif_packed_place *places, size_t n,
                      nif_sphere *sphere, bool *lost);

/* ---- settle.c, owner.c ---- */

/* What is counted of all instances of a block's objects. */
typedef struct nif_packed_totals {
    uint64_t vertices, triangles, bands[3];
    uint64_t desc; /* what vertices have, as the game expands them */
} nif_packed_totals;

nif_packed_totals nif_packed_stored(
    const uint8_t *block); /* what its head says, without the bands */

nif_packed_totals nif_packed_count(const nif_packed_place *places, size_t n);

/* What an edit did to a block of packed geometry, as far as its shapes follow it. */
typedef struct nif_packed_change {
    uint32_t part;
    bool still;                 /* the block is as it was */
    nif_packed_totals was, now; /* as stored; the bands are sums */
    nif_sphere was_around, around;
    bool was_bounded, bounded; /* whether those are known */
    bool moved;                /* instances came, went or moved, or vertices did */
    buf touched; /* spheres (nif_sphere) of the instances that came, moved or got another one */
} nif_packed_change;

void nif_packed_change_free(nif_packed_change *change);
void nif_packed_changes_free(buf *changes);
/* Inside an edit that ends: what follows in the block itself from what the edit changed. To be freed either way. */
lathe_result nif_settle_packed(lathe_doc *doc, uint32_t part, nif_packed_change *change,
                               lathe_error *err);
/* … and in its table: objects that were copied name the same geometry (rows.c). */
lathe_result nif_settle_rows(lathe_doc *doc, uint32_t part, const nif_before *before,
                             const buf *was, const buf *now, lathe_error *err);
/* Of a shape that the edit changed: its block is listed, unless it has none. */
lathe_result nif_settle_owner(lathe_doc *doc, uint32_t shape, buf *changes, lathe_error *err);
/* Shapes follow the blocks that they own. */
lathe_result nif_settle_owners(lathe_doc *doc, uint32_t c, buf *changes, lathe_error *err);

#endif
