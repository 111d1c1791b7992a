/* Vertices in all their stored forms: where each value is, and reading and writing all of them. Independent
 * of blocks. formats/nif.md#7 */
#ifndef LATHE_NIF_GEOMETRY_VERTICES_H
#define LATHE_NIF_GEOMETRY_VERTICES_H

#include "nif/container/container.h"

/* The argument of nif_BSVertexData, one vertex, is a vertex descriptor. Its highest bit is set if positions
 * are always floats (Skyrim SE). */
#define NIF_FULL_POSITIONS ((uint64_t)1 << 63)
/* The next bit is set if positions are halves although the descriptor says floats: precombined geometry. The
 * vertex is then 8 bytes shorter than the descriptor says. */
#define NIF_HALF_POSITIONS ((uint64_t)1 << 62)
/* The descriptor as stored in a file, where these two bits have no meaning. */
#define NIF_DESCRIPTOR(desc) ((desc) & ~(NIF_FULL_POSITIONS | NIF_HALF_POSITIONS))
/* Bit of a descriptor: positions are floats. */
#define NIF_FULL_PRECISION ((uint64_t)0x400 << 44)
/* Offsets of the attributes in a vertex; -1: not there. */
typedef struct nif_vertex {
    uint32_t stride;
    int position, uv, normal, tangent, color, skin;
    bool full; /* positions are floats, else halves */
} nif_vertex;
/* False: the attributes of the descriptor do not fit into the vertex. */
bool nif_vertex_layout(uint64_t arg, nif_vertex *out);

/* Adds attributes (NIF_HAS_…) to a descriptor, or removes them. */
enum {
    NIF_HAS_POSITION = 0x001,
    NIF_HAS_UV = 0x002,
    NIF_HAS_NORMAL = 0x008,
    NIF_HAS_TANGENT = 0x010,
    NIF_HAS_COLOR = 0x020,
};
uint64_t nif_vertex_turned(uint64_t arg, unsigned attributes, bool there);

/* Check of a new descriptor: fails if its vertices could only be read as opaque bytes. */
lathe_result nif_may_describe(const rec_at *at, const rec_field *row, int64_t value,
                              lathe_error *err);

/* Where a shape's geometry is; all of it lies inside its parts. Valid until the next write. */
typedef struct nif_shape {
    uint64_t vertices;
    nif_column packed; /* vertices laid out as `layout` says … */
    nif_vertex layout;
    nif_column dynamic;                         /* … with positions as four floats out of line */
    nif_column positions, normals, uvs, colors; /* or columns of floats */
    nif_column tangents, bitangents;            /* both or none */
    uint32_t data;                              /* the block that holds them */
    nif_column triangles;                       /* three u16 each */
    nif_column strip_lengths, points;           /* u16 */
    rec_at partition;                           /* triangles are in its partitions. doc NULL: they
                                                 * are not */
    uint32_t partition_slot;
} nif_shape;

/* Attributes of vertices, and how their values are stored. */
typedef enum nif_attribute {
    NIF_POSITION,
    NIF_NORMAL,
    NIF_TANGENT,
    NIF_BITANGENT,
    NIF_UV,
    NIF_COLOR,
    NIF_ATTRIBUTES
} nif_attribute;
typedef enum nif_coding { NIF_F32, NIF_F16, NIF_SIGNED, NIF_PART } nif_coding;
/* Where an attribute is: `columns` values in each element of a column, `stride` bytes apart. */
typedef struct nif_lanes {
    nif_column in;
    nif_column first; /* where the first value is, if in another column. p NULL: it is not */
    uint32_t stride, first_stride, columns;
    uint32_t at[4];
    nif_coding coding[4];
} nif_lanes;

/* False: the vertices have no such attribute. */
bool nif_lanes_find(const nif_shape *shape, nif_attribute what, nif_lanes *out);
/* Reads all values of an attribute, vertex after vertex. The other functions write them, inside an edit. */
void nif_lanes_read(const nif_lanes *lanes, float *to);
lathe_result nif_lanes_store(const rec_at *at, uint32_t slot, const nif_lanes *lanes,
                             const float *from, uint8_t *to,
                             lathe_error *err); /* into a copy of the column */
lathe_result nif_lanes_write(const rec_at *at, uint32_t slot, const nif_lanes *lanes,
                             const float *from, lathe_error *err);
#endif
