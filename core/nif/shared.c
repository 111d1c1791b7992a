/* Geometry of precombined objects that lies in the NIF. What lies in a geometry file is not looked for yet. */
#include "nif/shared.h"

static uint64_t unsigned_at(const rec_at *at, const char *row)
{
    return (uint64_t)rec_int(at, row);
}

lathe_result nif_object_load(const rec_at *object, nif_object_bytes *out, lathe_error *err)
{
    static const uint8_t nothing;
    nif_vertex v;
    nif_column vertices = {.p = &nothing}, triangles = {.p = &nothing};
    if (!(object->layout->arg & NIF_PACKED_INLINE))
        return rec_fail(object, REC_NO_SLOT, object->off, err, LATHE_ERR_UNSUPPORTED,
                        "its geometry is in another file, which is not looked for");
    *out = (nif_object_bytes){.vertex_count = unsigned_at(object, "num_vertices"),
                              .index_count = 3 * (unsigned_at(object, "tri_count0") +
                                                  unsigned_at(object, "tri_count1") +
                                                  unsigned_at(object, "tri_count2")),
                              .desc = unsigned_at(object, "vertex_desc")};
    out->half = object->layout->arg & NIF_PACKED_HALF && out->desc & NIF_FULL_PRECISION;
    out->layout = out->desc | (out->half ? NIF_HALF_POSITIONS : 0);
    nif_vertex_layout(out->layout, &v);
    if ((out->vertex_count && !nif_column_find(object, "vertices", v.stride, &vertices)) ||
        (out->index_count && !nif_column_find(object, "triangles", 6, &triangles)))
        return rec_fail(object, REC_NO_SLOT, object->off, err, LATHE_ERR_INVALID,
                        "its vertices and triangles are not there in full");
    out->vertices = vertices.p;
    out->indices = triangles.p;
    out->stride = v.stride;
    return LATHE_OK;
}
