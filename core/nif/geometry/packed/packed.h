/* Precombined geometry as stored in its block, and the updates at the end of an edit.
 * formats/precombined.md#3 */
#ifndef LATHE_NIF_PACKED_H
#define LATHE_NIF_PACKED_H

#include "nif/geometry/mesh.h"
#include "nif/geometry/packed/before.h"

enum { NIF_INSTANCE = 72 };
/* The game counts the expanded vertices of a bucket in 16 bits. */
enum { NIF_BUCKET_VERTICES = 65534 };

/* An object in the bytes of its block. */
typedef struct nif_packed_place {
    uint64_t at; /* offset of its first byte */
    uint64_t vertices, triangles[3], offsets[3];
    uint64_t instances, instances_at;
    uint64_t desc, desc_at;
    nif_vertex layout;
    bool adds_up;         /* the descriptor is consistent, so positions can be read */
    bool is_here;         /* the geometry is in the block … */
    uint64_t vertices_at; /* … from this offset on */
} nif_packed_place;

static inline uint64_t nif_packed_triangles(const nif_packed_place *o)
{
    return o->triangles[0] + o->triangles[1] + o->triangles[2];
}

/* nif_packed_layout finds the layout of the bytes, as nif_part_arg does. nif_packed_scan lists the objects as
 * nif_packed_place. False: the bytes fit no layout, or out of memory (*lost). */
bool nif_packed_layout(const rec_type *type, const uint8_t *data, uint64_t size, uint64_t *layout);
bool nif_packed_scan(const uint8_t *data, uint64_t size, uint64_t layout, buf *places, bool *lost);

/* ---- sphere.c ---- */

typedef struct nif_sphere {
    double center[3], radius;
} nif_sphere;

/* Transform of an instance from its 72 bytes: p' = scale (rotation p) + translation. False: a value is NaN or
 * infinite. */
typedef struct nif_placement {
    double rotation[9], translation[3], scale;
} nif_placement;
bool nif_placement_read(const uint8_t *instance, nif_placement *out);
void nif_placement_apply(const nif_placement *t, const double p[3], double out[3]);

/* The bounding sphere stored in an instance. False: it is all zeros, or not finite. */
bool nif_sphere_read(const uint8_t *instance, nif_sphere *out);
/* nif_sphere_put transforms an object's sphere by an instance and returns its 16 bytes; nif_sphere_back
 * computes the sphere of the object from that of an instance. False: not possible. */
bool nif_sphere_put(const nif_placement *t, const nif_sphere *s, uint8_t bytes[16]);
bool nif_sphere_back(const nif_placement *t, const nif_sphere *s, nif_sphere *out);

/* The positions of an object's vertices: floats in `vertices` rows, freed by nif_packed_positions_free. NULL:
 * there are none here, or out of memory (*lost). */
float *nif_packed_positions(const mem *m, const uint8_t *data, const nif_packed_place *o,
                            bool *lost);
void nif_packed_positions_free(const mem *m, const nif_packed_place *o, float *positions);

/* Bounding sphere of all vertices of all instances: centre of their box, and distance to the farthest vertex.
 * False: geometry is elsewhere, too large, or not finite. */
bool nif_packed_bucket(const mem *m, const uint8_t *data, const nif_packed_place *places, size_t n,
                       nif_sphere *out, bool *lost);

/* The same with a given centre: sets only the radius. */
bool nif_packed_reach(const mem *m, const uint8_t *data, const nif_packed_place *places, size_t n,
                      nif_sphere *sphere, bool *lost);

/* ---- settle.c, owner.c ---- */

/* Totals over all instances of a block's objects. */
typedef struct nif_packed_totals {
    uint64_t vertices, triangles, bands[3];
    uint64_t desc; /* vertex descriptor of the vertices as the game expands them */
} nif_packed_totals;

nif_packed_totals nif_packed_stored(
    const uint8_t *block); /* from the block's header, without the bands */

nif_packed_totals nif_packed_count(const nif_packed_place *places, size_t n);

/* What an edit changed in a block of packed geometry, for the update of its shapes. */
typedef struct nif_packed_change {
    uint32_t part;
    bool still;                 /* the block did not change */
    nif_packed_totals was, now; /* as stored; the bands are sums */
    nif_sphere was_around, around;
    bool was_bounded, bounded; /* whether they are known */
    bool moved;                /* instances were added, removed or moved, or vertices changed */
    buf touched; /* spheres (nif_sphere) of instances that were added or moved, or whose sphere
                  * changed */
} nif_packed_change;

void nif_packed_change_free(nif_packed_change *change);
void nif_packed_changes_free(buf *changes);
/* At the end of an edit: updates the block itself. The caller frees *change in any case. */
lathe_result nif_settle_packed(lathe_doc *doc, uint32_t part, nif_packed_change *change,
                               lathe_error *err);
/* … and its table: copies of objects refer to the same geometry (rows.c). */
lathe_result nif_settle_rows(lathe_doc *doc, uint32_t part, const nif_before *before,
                             const buf *was, const buf *now, lathe_error *err);
/* For a changed shape: adds its block to the list, if it has one. */
lathe_result nif_settle_owner(lathe_doc *doc, uint32_t shape, buf *changes, lathe_error *err);
/* Updates the shapes that own the changed blocks. */
lathe_result nif_settle_owners(lathe_doc *doc, uint32_t c, buf *changes, lathe_error *err);

#endif
