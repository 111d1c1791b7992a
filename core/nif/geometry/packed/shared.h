/* Geometry of precombined objects that lies in a geometry file. formats/precombined.md#5 */
#ifndef LATHE_NIF_SHARED_H
#define LATHE_NIF_SHARED_H

#include "nif/geometry/csg/csg.h"
#include "nif/geometry/mesh.h"

/* The geometry file that has this name hash, opened where it was not yet (shared_find.c). LATHE_ERR_IO: it is missing;
 * the message says where it was looked for. Errors name no place in the NIF. */
lathe_result nif_shared_doc(lathe_doc *doc, uint32_t hash, lathe_doc **out, lathe_error *err);

/* The geometry of one object as it is stored, in whatever layout. Borrowed until the next write or the next call. */
typedef struct nif_object_bytes {
    const uint8_t *vertices,
        *indices; /* vertex_count * stride bytes; index_count of u16, little-endian */
    uint64_t vertex_count, index_count;
    uint64_t desc;   /* as the object says */
    uint64_t layout; /* for nif_vertex_layout */
    uint32_t stride;
    bool half;           /* desc says full precision, but positions are halves */
    lathe_doc *geometry; /* whose row it is; NULL: it lies in the block */
} nif_object_bytes;

/* Of an object's record (PackedGeom). Errors name its place. */
lathe_result nif_object_load(const rec_at *object, nif_object_bytes *out, lathe_error *err);
/* Whether the geometry of an object (a PackedGeom record) lies in a geometry file; *entry (may be NULL) says where. */
bool nif_is_shared_object(const rec_at *object, rec_at *entry);
/* Why such an object's geometry is not set field by field. */
extern const char nif_shared_fixed[];

#endif
