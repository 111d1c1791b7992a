/* The scene for C: what lathe.h says of lists, meshes, bones and animations. */
#include "scene/rigs.h"

#include <math.h>
#include <stddef.h>

/* ---- lists --------------------------------------------------------------------------------------- */

static const scene_list lists[LATHE_LIST_COUNT] = {
    [LATHE_MESHES] = SCENE_MESHES,       [LATHE_COLLISION] = SCENE_COLLISION,
    [LATHE_SKELETONS] = SCENE_SKELETONS, [LATHE_ANIMATIONS] = SCENE_CLIPS,
    [LATHE_MATERIALS] = SCENE_MATERIALS, [LATHE_BODIES] = SCENE_BODIES,
};

static lathe_result check_list(lathe_list list, lathe_error *err)
{
    return (unsigned)list < LATHE_LIST_COUNT
               ? LATHE_OK
               : error_set(err, LATHE_ERR_RANGE, LATHE_NO_OFFSET, "there is no list %d", (int)list);
}

lathe_result lathe_list_count(lathe_doc *doc, lathe_list list, uint64_t *n, lathe_error *err)
{
    lathe_result r = check_list(list, err);
    return r == LATHE_OK ? scene_count(doc, lists[list], n, err) : r;
}

/* A document whose skeleton is no record of its own (.phxbn) is that record. */
static lathe_result skeleton_record(lathe_doc *doc, uint64_t i, lathe_view *out, lathe_error *err)
{
    const model_skeleton *rig;
    lathe_result r = scene_rig(doc, i, &rig, err);
    if (r == LATHE_OK)
        *out = rig->source.doc ? rig->source : lathe_doc_root(doc);
    return r;
}

lathe_result lathe_list_item(lathe_doc *doc, lathe_list list, uint64_t i, lathe_view *out,
                             lathe_error *err)
{
    scene_clip clip;
    lathe_result r = check_list(list, err);
    if (r != LATHE_OK)
        return r;
    switch (list) {
    case LATHE_SKELETONS: return skeleton_record(doc, i, out, err);
    case LATHE_ANIMATIONS:
        r = scene_clip_open(doc, i, &clip, err);
        *out = clip.source;
        return r;
    case LATHE_MATERIALS: return scene_material(doc, i, out, err);
    case LATHE_BODIES: return scene_body(doc, i, out, err);
    default:
        return error_set(err, LATHE_ERR_TYPE, LATHE_NO_OFFSET,
                         "a mesh is no record: it is worked out of several");
    }
}

/* ---- meshes ---------------------------------------------------------------------------------------- */

struct lathe_mesh {
    model_mesh is;
    mem mem;
};

/* Where a mesh has a part. */
static const struct {
    size_t at;
    uint32_t lanes;
    lathe_elem elem;
} parts[LATHE_MESH_PART_COUNT] = {
    [LATHE_MESH_POSITIONS] = {offsetof(model_mesh, positions), 3, LATHE_ELEM_F32},
    [LATHE_MESH_NORMALS] = {offsetof(model_mesh, normals), 3, LATHE_ELEM_F32},
    [LATHE_MESH_TANGENTS] = {offsetof(model_mesh, tangents), 4, LATHE_ELEM_F32},
    [LATHE_MESH_UVS] = {offsetof(model_mesh, uvs), 2, LATHE_ELEM_F32},
    [LATHE_MESH_COLORS] = {offsetof(model_mesh, colors), 4, LATHE_ELEM_F32},
    [LATHE_MESH_JOINTS] = {offsetof(model_mesh, joints), 4, LATHE_ELEM_U16},
    [LATHE_MESH_WEIGHTS] = {offsetof(model_mesh, weights), 4, LATHE_ELEM_F32},
    [LATHE_MESH_INDICES] = {offsetof(model_mesh, indices), 3, LATHE_ELEM_U32},
};

lathe_result lathe_mesh_open(lathe_doc *doc, lathe_list list, uint64_t i, lathe_mesh **out,
                             lathe_error *err)
{
    const scene_hooks *hooks = scene_of(doc->containers[0].format);
    bool drawn = list == LATHE_MESHES;
    uint64_t n;
    if (!drawn && list != LATHE_COLLISION)
        return error_set(err, LATHE_ERR_TYPE, LATHE_NO_OFFSET, "that list has no meshes");
    lathe_result r = scene_count(doc, lists[list], &n, err);
    if (r != LATHE_OK)
        return r;
    if (i >= n)
        return error_set(err, LATHE_ERR_NAME, LATHE_NO_OFFSET, "there are %llu meshes",
                         (unsigned long long)n);
    lathe_mesh *mesh = mem_alloc(&doc->mem, sizeof *mesh);
    if (!mesh)
        return rec_no_memory(err);
    mesh->mem = doc->mem;
    model_mesh_init(&mesh->is, &mesh->mem);
    r = (drawn ? hooks->mesh : hooks->collision)(doc, i, &mesh->is, err);
    if (r == LATHE_OK)
        *out = mesh;
    else
        lathe_mesh_close(mesh);
    return r;
}

void lathe_mesh_close(lathe_mesh *mesh)
{
    if (!mesh)
        return;
    mem m = mesh->mem;
    model_mesh_free(&mesh->is);
    mem_free(&m, mesh, sizeof *mesh);
}

void lathe_mesh_describe(const lathe_mesh *mesh, lathe_mesh_info *info)
{
    const model_mesh *m = &mesh->is;
    lathe_mesh_info all = {.size = info->size,
                           .name = m->name,
                           .material = m->material,
                           .z_up = m->z_up,
                           .metres = m->metres,
                           .shape = m->shape,
                           .body = m->body,
                           .bones = m->bone_count,
                           .left_out = m->left_out};
    memcpy(all.transform, m->transform.m, sizeof all.transform);
    memcpy(info, &all, info->size < sizeof all ? info->size : sizeof all);
}

static const uint8_t *rows_of(const model_mesh *m, lathe_mesh_part part)
{
    const uint8_t *rows;
    memcpy(&rows, (const char *)m + parts[part].at, sizeof rows);
    return rows;
}

uint64_t lathe_mesh_count(const lathe_mesh *mesh, lathe_mesh_part part, uint32_t *lanes,
                          lathe_elem *elem)
{
    const model_mesh *m = &mesh->is;
    if ((unsigned)part >= LATHE_MESH_PART_COUNT || !rows_of(m, part))
        return 0;
    if (lanes)
        *lanes = parts[part].lanes;
    if (elem)
        *elem = parts[part].elem;
    return part == LATHE_MESH_INDICES ? m->index_count / 3 : m->vertex_count;
}

lathe_result lathe_mesh_read(const lathe_mesh *mesh, lathe_mesh_part part, uint64_t from,
                             uint64_t n, lathe_elem elem, void *to, lathe_error *err)
{
    uint32_t lanes = 0;
    lathe_elem is = LATHE_ELEM_F32;
    uint64_t rows = lathe_mesh_count(mesh, part, &lanes, &is);
    if ((unsigned)elem >= LATHE_ELEM_COUNT)
        return error_set(err, LATHE_ERR_TYPE, LATHE_NO_OFFSET, "no such elem");
    if (from > rows || n > rows - from)
        return error_set(err, LATHE_ERR_NAME, LATHE_NO_OFFSET, "there are %llu rows",
                         (unsigned long long)rows);
    unsigned step = rec_elem_width(is), width = rec_elem_width(elem);
    const uint8_t *p = rows ? rows_of(&mesh->is, part) + from * lanes * step : NULL;
    uint8_t *q = to;
    if (elem == is && n) {
        memcpy(q, p, (size_t)(n * lanes * step));
        return LATHE_OK;
    }
    for (uint64_t i = 0; i < n * lanes; i++, p += step, q += width)
        if (!rec_elem_convert(is, p, elem, q))
            return error_set(err, LATHE_ERR_RANGE, LATHE_NO_OFFSET,
                             "row %llu has a number that does not fit",
                             (unsigned long long)(from + i / lanes));
    return LATHE_OK;
}

/* ---- skeletons --------------------------------------------------------------------------------------- */

lathe_result lathe_skeleton_count(lathe_doc *doc, uint64_t skeleton, uint64_t *bones,
                                  lathe_error *err)
{
    const model_skeleton *rig;
    lathe_result r = scene_rig(doc, skeleton, &rig, err);
    if (r == LATHE_OK)
        *bones = rig->bone_count;
    return r;
}

lathe_result lathe_skeleton_bone(lathe_doc *doc, uint64_t skeleton, uint64_t bone, lathe_bone *out,
                                 lathe_error *err)
{
    const model_skeleton *rig;
    lathe_result r = scene_rig(doc, skeleton, &rig, err);
    if (r != LATHE_OK)
        return r;
    if (bone >= rig->bone_count)
        return error_set(err, LATHE_ERR_NAME, LATHE_NO_OFFSET, "there are %zu bones",
                         rig->bone_count);
    const model_bone *b = &rig->bones[bone];
    lathe_bone all = {.size = out->size, .name = b->name, .parent = b->parent, .mirror = b->mirror};
    memcpy(all.pose, b->pose, sizeof all.pose);
    memcpy(out, &all, out->size < sizeof all ? out->size : sizeof all);
    return LATHE_OK;
}

/* ---- animations -------------------------------------------------------------------------------------- */

lathe_result lathe_clip_describe(lathe_doc *doc, uint64_t clip, lathe_clip_info *info,
                                 lathe_error *err)
{
    scene_clip c;
    lathe_result r = scene_clip_open(doc, clip, &c, err);
    if (r != LATHE_OK)
        return r;
    const model_clip *f = &c.facts;
    lathe_clip_info all = {.size = info->size,
                           .name = f->name,
                           .skeleton_name = f->skeleton_name,
                           .duration = f->duration,
                           .frames = f->frame_count,
                           .tracks = f->track_count,
                           .float_tracks = f->float_track_count,
                           .looping = f->looping,
                           .absolute = f->absolute,
                           .has_motion = f->has_motion};
    memcpy(info, &all, info->size < sizeof all ? info->size : sizeof all);
    return LATHE_OK;
}

lathe_result lathe_clip_track(lathe_doc *doc, uint64_t clip, uint64_t track, const char **bone,
                              int64_t *number, lathe_error *err)
{
    scene_clip c;
    model_track t;
    lathe_result r = scene_clip_open(doc, clip, &c, err);
    if (r == LATHE_OK)
        r = scene_clip_track(&c, track, &t, err);
    if (r == LATHE_OK) {
        *bone = t.bone;
        *number = t.bone_index;
    }
    return r;
}

/* A clip whose samples can be had. */
static lathe_result open_ready(lathe_doc *doc, uint64_t clip, scene_clip *out, lathe_error *err)
{
    lathe_result r = scene_clip_open(doc, clip, out, err);
    return r == LATHE_OK ? scene_clip_ready(out, err) : r;
}

lathe_result lathe_clip_sample(lathe_doc *doc, uint64_t clip, double frame, uint64_t first,
                               uint64_t n, float *out, lathe_error *err)
{
    scene_clip c;
    const model_when when = {.at = frame};
    if (isnan(frame))
        return error_set(err, LATHE_ERR_RANGE, LATHE_NO_OFFSET, "the frame is NaN");
    lathe_result r = open_ready(doc, clip, &c, err);
    if (r != LATHE_OK)
        return r;
    if (first > c.facts.track_count || n > c.facts.track_count - first)
        return error_set(err, LATHE_ERR_NAME, LATHE_NO_OFFSET, "there are %llu tracks",
                         (unsigned long long)c.facts.track_count);
    return scene_clip_sample(&c, &when, NULL, first, n, out, err);
}

lathe_result lathe_clip_decode(lathe_doc *doc, uint64_t clip, float *out, uint64_t floats,
                               lathe_error *err)
{
    scene_clip c;
    lathe_result r = open_ready(doc, clip, &c, err);
    if (r != LATHE_OK)
        return r;
    uint64_t row = c.facts.track_count * LATHE_POSE, frames = c.facts.frame_count;
    if (row ? floats / row != frames || floats % row : floats)
        return error_set(err, LATHE_ERR_RANGE, LATHE_NO_OFFSET,
                         "%llu frames of %llu tracks have another number of floats",
                         (unsigned long long)frames, (unsigned long long)c.facts.track_count);
    return scene_clip_decode(&c, NULL, out, err);
}
