/* The scene graph: nodes, their world transforms and their children (world.c). */
#ifndef LATHE_NIF_CONTAINER_SCENE_H
#define LATHE_NIF_CONTAINER_SCENE_H

#include "nif/container/container.h"

/* A block. `parent` and `node` are numbers of nodes plus 1; 0: none. */
typedef struct nif_place {
    uint32_t part, parent, node;
} nif_place;

typedef struct nif_node {
    mat4 world;
    size_t first_child, child_count; /* in nif_scene.children */
    uint32_t block;
} nif_node;

/* Cached data of a container. */
typedef struct nif_scene {
    rec_cached cached;
    uint32_t container;
    uint64_t made;     /* doc->changes when it was built; a rebuilt scene has another value */
    uint64_t followed; /* number of the first change that is not applied yet: record/recent.h */
    uint64_t seen;     /* doc->changes at the last request */
    nif_place *places; /* one for each block */
    nif_node *nodes;
    uint64_t count, node_count;
    buf children;  /* block numbers, 4 bytes each, as stored in the nodes */
    bool dangling; /* one of these numbers is not a block */
    size_t places_cap, nodes_cap;
} nif_scene;

/* The scene, valid until the next write. NULL: out of memory. It is cached, and updated after edits that
 * neither move nodes nor change lists of children. */
nif_scene *nif_scene_of(lathe_doc *doc, uint32_t c, lathe_error *err);
/* Transform from the space of a block, a NiAVObject, to that of the document. */
mat4 nif_world(const nif_scene *scene, lathe_doc *doc, uint32_t part);

/* The transform of a record's rotation, translation and scale as a matrix: p' = rotation (scale p) +
 * translation. Files store rows; the result has columns. */
mat4 nif_transform(const rec_at *at);

/* Metres per game unit: 64 units are a yard. Havok's 69.99125 units are a metre. formats/nif.md */
#define NIF_METRES 0.0142875
/* Where the games' characters look to, as those of the skeletons (havok/hkx.c). */
#define NIF_FRONT ((vec3){0, 1, 0})

struct model_skeleton;
/* Fills a skeleton with the nodes of the file in the order of blocks (nodes.c). LATHE_ERR_UNSUPPORTED: it has an animation in
 * place of nodes. */
lathe_result nif_nodes(lathe_doc *doc, struct model_skeleton *skeleton, lathe_error *err);

#endif
