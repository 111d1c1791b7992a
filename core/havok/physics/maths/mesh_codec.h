/* hknpCompressedMeshShapeData: triangles in sections of a few bytes a vertex, with trees over them.
 * Reference: formats/fo4-collision.md#3.3, #3.4; what the files of the game do: README.md here.
 *
 * Nothing here knows of documents: whoever reads a file fills an hk_mesh, whoever writes one reads it.
 * An hk_mesh that came from a file may say anything; hk_mesh_decode and hk_mesh_check look at each
 * number before they follow it. Lengths are in the file's units. */
#ifndef LATHE_HAVOK_PHYSICS_MESH_CODEC_H
#define LATHE_HAVOK_PHYSICS_MESH_CODEC_H

#include "base/mem.h"

enum {
    HK_MESH_PRIMITIVES = 128, /* of a section: a key has 7 bits for them */
    HK_MESH_VERTICES = 255,   /* of a section, shared ones among them: indices are bytes */
    HK_MESH_SECTIONS = 32768, /* 15 bits in the tree */
    HK_MESH_SHARED = 65536,   /* their indices are u16 */
    HK_MESH_NODE = 4,         /* bytes of a node of a section's tree */
    HK_MESH_TOP_NODE = 5      /* … of the tree over sections */
};

/* The primitives `index` … `index + count - 1` of a section are of material `value`. */
typedef struct hk_mesh_run {
    uint16_t value;
    uint8_t index, count;
} hk_mesh_run;

typedef struct hk_packed_section {
    const uint8_t *nodes; /* HK_MESH_NODE bytes each */
    size_t n_nodes;
    float min[3], max[3];     /* domain */
    float parms[6];           /* codecParms: base x y z, step x y z */
    uint32_t first_packed;    /* firstPackedVertex */
    uint32_t first_shared;    /* the upper 24 bits of the word that has n_packed below, and so on */
    uint32_t first_primitive; /* … n_primitives */
    uint32_t first_run;       /* … n_runs */
    uint8_t n_packed, n_primitives, n_runs;
    uint8_t n_packed_again; /* the byte numPackedVertices, which says n_packed once more */
    uint8_t n_shared;       /* numSharedIndices */
    uint16_t leaf;          /* leafIndex: of the node of the tree over sections */
} hk_packed_section;

/* hkBitField */
typedef struct hk_mesh_bits {
    const uint32_t *words;
    size_t n_words;
    int32_t bits; /* numBits */
} hk_mesh_bits;

typedef struct hk_mesh {
    const uint8_t *nodes; /* the tree over sections, HK_MESH_TOP_NODE bytes each */
    size_t n_nodes;
    float min[3], max[3]; /* domain */
    int32_t primitive_keys, bits_per_key;
    uint32_t max_key;
    const hk_packed_section *sections;
    size_t n_sections;
    const uint8_t (*primitives)[4];
    size_t n_primitives;
    const uint16_t *shared_index;
    size_t n_shared_index;
    const uint32_t *packed;
    size_t n_packed;
    const uint64_t *shared;
    size_t n_shared;
    const hk_mesh_run *runs;
    size_t n_runs;
    hk_mesh_bits flat, interior; /* quadIsFlat by key / 2, triangleIsInterior by key */
    mem mem;                     /* with owned: of what hk_mesh_build made; else unused */
    arena owned;
} hk_mesh;

/* ---- reading ---- */

enum { HK_MESH_NO_RUN = -1 };

typedef struct hk_mesh_triangle {
    uint32_t vertex[3]; /* rows of positions */
    uint32_t key;       /* section << 8 | primitive << 1 | second triangle of a quad */
    int32_t material;   /* the value of its run; HK_MESH_NO_RUN where no run has it */
} hk_mesh_triangle;

/* First the packed vertices, section by section, then the shared ones: one row for all who share. */
typedef struct hk_mesh_triangles {
    float (*positions)[3];
    size_t n_positions;
    hk_mesh_triangle *triangles; /* in the order of their keys */
    size_t n_triangles;
    mem mem;
    arena owned;
} hk_mesh_triangles;

/* The triangles of a mesh. Each number of a position is worked out in double and rounded once, so a mesh
 * whose domain and parms are scaled by a power of two has exactly scaled positions. Memory is at most
 * some 20 times that of the arrays of *mesh. LATHE_ERR_BOUNDS, LATHE_ERR_INVALID (numbers that are none,
 * sections that claim each other's data) or LATHE_ERR_MEMORY, and *out is empty. */
lathe_result hk_mesh_decode(const hk_mesh *mesh, const mem *m, hk_mesh_triangles *out,
                            lathe_error *err);
void hk_mesh_triangles_free(hk_mesh_triangles *t);

/* ---- building ---- */

typedef struct hk_mesh_source {
    const float (*positions)[3];
    size_t n_positions;
    const uint32_t (*triangles)[3]; /* rows of positions, counter-clockwise from outside */
    size_t n_triangles;
    const uint16_t *materials; /* of each triangle; NULL: 0 for all */
} hk_mesh_source;

/* What is not in the mesh: triangles without area, and those that have none between quantised
 * vertices. */
typedef struct hk_mesh_dropped {
    size_t flat, collapsed;
} hk_mesh_dropped;

/* A mesh of given triangles; positions that are equal become one. Each vertex lies within a step of its
 * section's parms from its source, or of the domain's where sections share it. The same source gives the
 * same mesh. LATHE_ERR_INVALID (numbers that are none; no triangle left), LATHE_ERR_BOUNDS (a triangle's
 * vertex), LATHE_ERR_LIMIT (too many sections or shared vertices) or LATHE_ERR_MEMORY, and *out is
 * empty. `dropped` may be NULL. */
lathe_result hk_mesh_build(const hk_mesh_source *source, const mem *m, hk_mesh *out,
                           hk_mesh_dropped *dropped, lathe_error *err);
void hk_mesh_free(hk_mesh *mesh); /* of one that hk_mesh_build made */

/* ---- checking ---- */

enum { HK_MESH_WHOLE = -1 };
#define HK_MESH_ALL UINT64_MAX

/* One flaw, and its place. */
typedef struct hk_mesh_flaw {
    int64_t section;    /* or HK_MESH_WHOLE */
    const char *member; /* of that one, as mesh_data.c and shape.c name it; NULL: all of it */
    uint64_t item;      /* of the member, from 0, or HK_MESH_ALL */
    bool odd;           /* merely that: no game would stumble over it */
    const char *what;   /* borrowed */
} hk_mesh_flaw;

/* False: that was enough. */
typedef bool hk_mesh_fault(void *user, const hk_mesh_flaw *flaw);

/* Tells of all that a game would stumble over. Of many flaws of a kind in a section it names the first.
 * LATHE_OK whatever was found, or LATHE_ERR_MEMORY. */
lathe_result hk_mesh_check(const hk_mesh *mesh, const mem *m, hk_mesh_fault *fault, void *user);

#endif
