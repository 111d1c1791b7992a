/* The nodes of a file as a skeleton. Files of bones, such as skeleton.nif, hold nothing else that can be drawn. */
#include "gen/nif_types.h"
#include "nif/container/scene.h"

#include "model/skeleton.h"

static lathe_result copy_name(const rec_at *at, model_skeleton *skeleton, const char **out,
                              lathe_error *err)
{
    lathe_value v;
    uint32_t slot = rec_slot_find(at->layout, "name");
    if (slot == REC_NO_SLOT || rec_get(at, slot, false, &v, NULL) != LATHE_OK ||
        v.kind != LATHE_KIND_STRING || !v.as.s.n)
        return LATHE_OK;
    *out = model_skeleton_text(skeleton, v.as.s.p, v.as.s.n);
    return *out ? LATHE_OK : rec_no_memory(err);
}

static void put_pose(const mat4 *local, double pose[MODEL_POSE])
{
    vec3 t, s;
    quat q;
    mat4_decompose(local, &t, &q, &s);
    const double rows[MODEL_POSE] = {t.x, t.y, t.z, q.x, q.y, q.z, q.w, s.x, s.y, s.z};
    memcpy(pose, rows, sizeof rows);
}

static lathe_result put_nodes(const nif_scene *s, lathe_doc *doc, model_skeleton *skeleton,
                              lathe_error *err)
{
    lathe_result r = model_skeleton_alloc(skeleton, (size_t)s->node_count, err);
    for (size_t i = 0; r == LATHE_OK && i < skeleton->bone_count; i++) {
        const nif_place *place = &s->places[s->nodes[i].block];
        const rec_at at = nif_at(doc, place->part);
        const mat4 local = nif_transform(&at);
        put_pose(&local, skeleton->bones[i].pose);
        skeleton->bones[i].parent = place->parent ? (int32_t)place->parent - 1 : -1;
        r = copy_name(&at, skeleton, &skeleton->bones[i].name, err);
    }
    return r;
}

/* Whether a file without nodes holds a sequence: a .kf, which moves nodes of another file. */
static bool is_sequence(const nif_scene *s, lathe_doc *doc)
{
    for (uint64_t i = 0; i < s->count; i++)
        if (nif_block_is(doc, s->places[i].part, &nif_NiSequence) ||
            nif_block_is(doc, s->places[i].part, &nif_NiSequenceStreamHelper))
            return true;
    return false;
}

lathe_result nif_nodes(lathe_doc *doc, model_skeleton *skeleton, lathe_error *err)
{
    const rec_at root = rec_root(doc, 0);
    const nif_scene *s = nif_scene_of(doc, 0, err);
    if (!s)
        return LATHE_ERR_MEMORY;
    if (s->node_count > INT32_MAX)
        return rec_no_memory(err);
    if (!s->node_count && is_sequence(s, doc))
        return error_set(err, LATHE_ERR_UNSUPPORTED, LATHE_NO_OFFSET,
                         "it holds an animation without a skeleton, and poses are not computed "
                         "from animations in NIF files (.kf)");
    skeleton->z_up = true;
    skeleton->front = NIF_FRONT;
    skeleton->metres = NIF_AT_B(&root) < NIF_STARFIELD ? NIF_METRES : 0;
    return put_nodes(s, doc, skeleton, err);
}
