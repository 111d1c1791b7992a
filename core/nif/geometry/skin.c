/* Bones of shapes and their vertex weights. formats/nif.md#73-skinning */
#include "nif/geometry/mesh.h"
#include "nif/materials/materials.h"

#include "gen/nif_types.h"

#include <float.h>

/* ---- locating ------------------------------------------------------------------------------------------ */

static void find_partition(lathe_doc *doc, uint32_t part, nif_skin *skin)
{
    if (!nif_block_is(doc, part, &nif_NiSkinPartition))
        return;
    skin->partition = nif_at(doc, part);
    skin->partition_slot = rec_slot_find(skin->partition.layout, "partitions");
}

/* Finds the bones; skin instance and data have separate counts, which must agree. */
static bool find_bones(lathe_doc *doc, uint32_t instance, const rec_type *type, nif_skin *skin)
{
    rec_loc loc;
    rec_at at = nif_at(doc, instance);
    uint32_t data = nif_target(&at, "data", 0);
    if (!nif_block_is(doc, data, type) || !nif_column_find(&at, "bones", 4, &skin->bones))
        return false;
    find_partition(doc, nif_target(&at, "skin_partition", 0), skin);
    at = nif_at(doc, data);
    skin->slot = rec_slot_find(at.layout, "bones");
    if (rec_find(&at, skin->slot, &loc, NULL) != LATHE_OK || !loc.present ||
        loc.count != skin->bones.count || loc.count > (uint64_t)UINT16_MAX + 1)
        return false;
    skin->data = at;
    return true;
}

bool nif_skin_find(const rec_at *shape, const nif_shape *s, nif_skin *skin)
{
    bool packed = s->packed.p != NULL, found = false;
    uint32_t part = nif_target(shape, packed ? "skin" : "skin_instance", 0);
    *skin = (nif_skin){0};
    if (nif_block_is(shape->doc, part, &nif_NiSkinInstance))
        found = find_bones(shape->doc, part, &nif_NiSkinData, skin);
    else if (nif_block_is(shape->doc, part, &nif_BSSkin__Instance))
        found = find_bones(shape->doc, part, &nif_BSSkin__BoneData, skin);
    if (!found)
        skin->data.doc = NULL;
    return found;
}

/* ---- weights ------------------------------------------------------------------------------------------- */

/* True for a valid weight: not negative, and not NaN. */
static bool is_weight(float weight)
{
    return weight > 0 && weight <= FLT_MAX;
}

/* Adds a weight; the four greatest weights of a vertex are kept. */
static void put_weight(model_mesh *mesh, uint64_t vertex, uint64_t bone, float weight)
{
    if (vertex >= mesh->vertex_count || bone >= mesh->bone_count || !is_weight(weight))
        return;
    float *weights = mesh->weights + 4 * vertex;
    uint16_t *joints = mesh->joints + 4 * vertex;
    size_t least = 0;
    for (size_t k = 0; k < 4; k++) {
        if (weights[k] > 0 && joints[k] == bone) /* partitions share vertices */
            return;
        if (weights[k] < weights[least])
            least = k;
    }
    if (weight <= weights[least])
        return;
    weights[least] = weight;
    joints[least] = (uint16_t)bone;
}

static void put_packed(const nif_shape *s, model_mesh *mesh)
{
    const uint8_t *p = s->packed.p + s->layout.skin;
    for (uint64_t i = 0; i < s->vertices; i++, p += s->layout.stride) {
        for (size_t k = 0; k < 4; k++) {
            float weight = nif_half_at(p + 2 * k);
            bool kept = p[8 + k] < mesh->bone_count && is_weight(weight);
            mesh->joints[4 * i + k] = kept ? p[8 + k] : 0;
            mesh->weights[4 * i + k] = kept ? weight : 0;
        }
    }
}

/* Reads weights bone by bone. False: no bone has any. */
static bool put_listed(const nif_skin *skin, model_mesh *mesh)
{
    rec_at bone;
    nif_column list;
    bool any = false;
    for (uint64_t i = 0; i < skin->bones.count; i++) {
        if (rec_sub(&skin->data, skin->slot, i, &bone, NULL) != LATHE_OK ||
            !nif_column_find(&bone, "weights", 6, &list))
            continue;
        any = true;
        for (const uint8_t *p = list.p, *end = p + 6 * list.count; p != end; p += 6)
            put_weight(mesh, bytes_ld16(p, false), i, nif_float_at(p + 2));
    }
    return any;
}

/* Reads weights of a partition, with its own vertex and bone indices. */
static void put_part(const rec_at *part, model_mesh *mesh)
{
    nif_column map, bones, weights, numbers;
    uint32_t slot = rec_slot_find(part->layout, "weights_per_vertex");
    uint64_t each = slot == REC_NO_SLOT ? 0 : (uint64_t)rec_slot_int(part, slot);
    if (!each || !nif_column_find(part, "bones", 2, &bones) ||
        !nif_column_find(part, "weights", 4, &weights) ||
        !nif_column_find(part, "bone_indices", 1, &numbers))
        return;
    bool mapped = nif_column_find(part, "vertex_map", 2, &map);
    uint64_t n = weights.count < numbers.count ? weights.count : numbers.count;
    for (uint64_t i = 0; i < n; i++) {
        uint64_t vertex = i / each, bone = numbers.p[i];
        if (bone >= bones.count || (mapped && vertex >= map.count))
            continue;
        put_weight(mesh, mapped ? bytes_ld16(map.p + 2 * vertex, false) : vertex,
                   bytes_ld16(bones.p + 2 * bone, false), nif_float_at(weights.p + 4 * i));
    }
}

static void put_parts(const nif_skin *skin, model_mesh *mesh)
{
    rec_loc parts;
    rec_at part;
    if (rec_find(&skin->partition, skin->partition_slot, &parts, NULL) != LATHE_OK ||
        !parts.present)
        return;
    for (uint64_t i = 0; i < parts.count; i++)
        if (rec_sub(&skin->partition, skin->partition_slot, i, &part, NULL) == LATHE_OK)
            put_part(&part, mesh);
}

/* Normalises the weights of each vertex to a sum of 1, if it has any. */
static void normalise(model_mesh *mesh)
{
    for (size_t i = 0; i < 4 * mesh->vertex_count; i += 4) {
        float *w = mesh->weights + i;
        double sum = (double)w[0] + (double)w[1] + (double)w[2] + (double)w[3];
        for (size_t k = 0; k < 4 && sum > 0; k++)
            w[k] = (float)((double)w[k] / sum);
    }
}

/* ---- bones --------------------------------------------------------------------------------------------- */

/* Transform from the skin's space to the bone's. In Skyrim it is a record of its own, in Fallout 4 it is in
 * the bone. */
static mat4 bind_of(const nif_skin *skin, uint64_t i)
{
    rec_at bone, inside;
    if (rec_sub(&skin->data, skin->slot, i, &bone, NULL) != LATHE_OK)
        return mat4_identity();
    uint32_t slot = rec_slot_find(bone.layout, "skin_transform");
    if (slot != REC_NO_SLOT && rec_sub(&bone, slot, 0, &inside, NULL) == LATHE_OK)
        return nif_transform(&inside);
    return nif_transform(&bone);
}

/* The number of a bone's node plus 1; 0: there is none. */
static uint32_t node_of(const nif_scene *scene, const nif_skin *skin, uint64_t i)
{
    uint32_t block = bytes_ld32(skin->bones.p + 4 * i, false);
    return block < scene->count ? scene->places[block].node : 0;
}

/* Fills a bone that does not exist: its vertices stay where the mesh is. */
static void put_missing(model_mesh *mesh, model_mesh_bone *bone)
{
    mat4 back;
    if (mat4_invert(&bone->bind, &back)) {
        bone->world = mat4_mul(&mesh->transform, &back);
    } else {
        bone->bind = mat4_identity();
        bone->world = mesh->transform;
    }
}

enum { NO_BONE = -1 };

/* The bone at a node (its number plus 1; 0: none), or the nearest above. `bones`: bone of each node plus 1,
 * or NO_BONE, as far as known; nodes on the way are filled in. */
static int32_t bone_from(const nif_scene *scene, int32_t *bones, uint32_t node)
{
    uint32_t at = node;
    while (at && !bones[at - 1])
        at = scene->places[scene->nodes[at - 1].block].parent;
    int32_t found = at ? bones[at - 1] : NO_BONE;
    for (at = node; at && !bones[at - 1]; at = scene->places[scene->nodes[at - 1].block].parent)
        bones[at - 1] = found;
    return found;
}

static void put_parents(const nif_scene *scene, const nif_skin *skin, model_mesh *mesh,
                        int32_t *bones)
{
    for (size_t i = mesh->bone_count; i-- > 0;) { /* if one is listed twice, the first is used */
        uint32_t node = node_of(scene, skin, i);
        if (node)
            bones[node - 1] = (int32_t)i + 1;
    }
    for (size_t i = 0; i < mesh->bone_count; i++) {
        uint32_t node = node_of(scene, skin, i);
        uint32_t above = node ? scene->places[scene->nodes[node - 1].block].parent : 0;
        int32_t parent = bone_from(scene, bones, above);
        mesh->bones[i].parent = parent > 0 ? parent - 1 : -1;
    }
}

static lathe_result put_bones(const nif_scene *scene, const nif_skin *skin, model_mesh *mesh,
                              lathe_error *err)
{
    lathe_doc *doc = skin->data.doc;
    lathe_result r = model_mesh_bones(mesh, (size_t)skin->bones.count, err);
    for (size_t i = 0; r == LATHE_OK && i < mesh->bone_count; i++) {
        model_mesh_bone *bone = &mesh->bones[i];
        uint32_t node = node_of(scene, skin, i);
        bone->bind = bind_of(skin, i);
        if (!node) {
            put_missing(mesh, bone);
            continue;
        }
        bone->world = scene->nodes[node - 1].world;
        rec_at at = nif_at(doc, nif_block(doc, scene->container, scene->nodes[node - 1].block));
        r = nif_copy_text(&at, "name", 0, mesh, &bone->name, err);
    }
    if (r != LATHE_OK)
        return r;
    size_t room = ((size_t)scene->node_count + 1) * sizeof(int32_t);
    int32_t *bones = mem_zalloc(&doc->mem, room);
    if (!bones)
        return rec_no_memory(err);
    put_parents(scene, skin, mesh, bones);
    mem_free(&doc->mem, bones, room);
    return LATHE_OK;
}

lathe_result nif_put_skin(const nif_scene *scene, const nif_skin *skin, const nif_shape *shape,
                          struct model_mesh *mesh, lathe_error *err)
{
    lathe_result r = put_bones(scene, skin, mesh, err);
    if (r != LATHE_OK)
        return r;
    if (shape->packed.p && shape->layout.skin >= 0)
        put_packed(shape, mesh);
    else if (!put_listed(skin, mesh) && skin->partition.doc)
        put_parts(skin, mesh);
    normalise(mesh);
    return LATHE_OK;
}
