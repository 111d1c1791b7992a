/* Geometry of precombined objects in a geometry file. formats/precombined.md#5 */
#ifndef LATHE_NIF_SHARED_H
#define LATHE_NIF_SHARED_H

#include "nif/geometry/csg/csg.h"
#include "nif/geometry/mesh.h"

/* The geometry file with a name hash, opened on first use (shared_find.c). LATHE_ERR_IO: it was not found;
 * the message lists where it was searched. Errors name no place in the NIF. */
lathe_result nif_shared_doc(lathe_doc *doc, uint32_t hash, lathe_doc **out, lathe_error *err);

/* The geometry of one object as it is stored, in any layout. Borrowed until the next write or the next call. */
typedef struct nif_object_bytes {
    const uint8_t *vertices,
        *indices; /* vertex_count * stride bytes; index_count of u16, little-endian */
    uint64_t vertex_count, index_count;
    uint64_t desc;   /* as in the object */
    uint64_t layout; /* for nif_vertex_layout */
    uint32_t stride;
    bool half;           /* desc says full precision, but positions are halves */
    lathe_doc *geometry; /* the geometry file; NULL: the geometry is in the block */
} nif_object_bytes;

/* Loads the geometry of an object's record (PackedGeom). Errors name its place. */
lathe_result nif_object_load(const rec_at *object, nif_object_bytes *out, lathe_error *err);
/* True if the geometry of an object (a PackedGeom record) is in a geometry file; *entry (may be NULL) is the
 * reference. */
bool nif_is_shared_object(const rec_at *object, rec_at *entry);
/* Why the geometry of such an object cannot be assigned field by field. */
extern const char nif_shared_fixed[];

#endif
