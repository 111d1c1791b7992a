/* What hangs where: nodes, their transforms, and the blocks below them (world.c). */
#ifndef LATHE_NIF_CONTAINER_SCENE_H
#define LATHE_NIF_CONTAINER_SCENE_H

#include "nif/container/container.h"

/* A block. Of `parent` and `node`: number among the nodes + 1; 0: none. */
typedef struct nif_place {
    uint32_t part, parent, node;
} nif_place;

typedef struct nif_node {
    mat4 world;
    size_t first_child, child_count; /* of the scene's .children */
    uint32_t block;
} nif_node;

/* What is cached of a container. */
typedef struct nif_scene {
    rec_cached cached;
    uint32_t container;
    uint64_t made;     /* doc->changes when it was made: one that is made anew has another */
    uint64_t followed; /* number of the first change that it does not know: record/recent.h */
    uint64_t seen;     /* doc->changes when it was asked for last */
    nif_place *places; /* of each block */
    nif_node *nodes;
    uint64_t count, node_count;
    buf children;  /* numbers of blocks, 4 bytes each, as nodes have them stored */
    bool dangling; /* one of those is not there */
    size_t places_cap, nodes_cap;
} nif_scene;

/* Good until the next write. NULL: out of memory. It is cached, and updated after edits that
 * move no node and change no list of children. */
nif_scene *nif_scene_of(lathe_doc *doc, uint32_t c, lathe_error *err);
/* From the space of a block, a NiAVObject, to that of the document. */
mat4 nif_world(const nif_scene *scene, lathe_doc *doc, uint32_t part);

/* What rotation, translation and scale of a record do: p' = rotation (scale p) + translation. Rows are stored,
 * columns are wanted. */
mat4 nif_transform(const rec_at *at);

#endif
