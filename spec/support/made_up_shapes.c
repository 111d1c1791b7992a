/* Meshes with all that a mesh may have. What a shape is made of follows from four numbers:
 *
 *     "SHPS", u8 flags of the space (1: z is up, 2: v is up, 4: a unit is half a metre), u8 number of
 *     shapes, then of each u8 flags (MODEL_MESH_…; 32: a surface; 64: it collides), u8 number
 *     of triangles in a strip, u8 number of bones, u8 length and name
 *
 * Vertex i lies at (i / 2, i % 2, shape). What collides is a body, which moves if it has bones; its triangles
 * are of stone and wood by turns. */
#include "made_up.h"

#include "model/mesh.h"
#include "scene/hooks.h"

enum { SURFACE = 32, COLLIDES = 64 };

lathe_result made_up_get_motion(const rec_at *at, const rec_field *row, lathe_value *out,
                                lathe_error *err)
{
    const char *word = rec_int(at, "bones") ? "dynamic" : "static";
    (void)row;
    return rec_text(at, word, strlen(word), out, err);
}

/* ---- the meshes ------------------------------------------------------------------------------------ */

static void fill_vertices(model_mesh *mesh, uint64_t shape)
{
    for (size_t i = 0; i < mesh->vertex_count; i++) {
        const float x = (float)(i / 2), y = (float)(i % 2), z = (float)shape;
        const float position[3] = {x, y, z}, normal[3] = {0, 0, -1}, tangent[4] = {1, 0, 0, -1};
        const float uv[2] = {x / 4, y}, color[4] = {y, 0.5F, 1 - y, 0.25F};
        memcpy(mesh->positions + 3 * i, position, sizeof position);
        if (mesh->normals)
            memcpy(mesh->normals + 3 * i, normal, sizeof normal);
        if (mesh->tangents)
            memcpy(mesh->tangents + 4 * i, tangent, sizeof tangent);
        if (mesh->uvs)
            memcpy(mesh->uvs + 2 * i, uv, sizeof uv);
        if (mesh->colors)
            memcpy(mesh->colors + 4 * i, color, sizeof color);
    }
    for (size_t i = 0; i < mesh->index_count; i++) {
        size_t t = i / 3, k = i % 3; /* every other one the other way round */
        mesh->indices[i] = (uint32_t)(t + (t % 2 && k ? 3 - k : k));
    }
}

/* Two bones a vertex, none for the last one. */
static lathe_result fill_skin(model_mesh *mesh, size_t bones, lathe_error *err)
{
    static const char *const names[] = {"hip", "spine"};
    lathe_result r = model_mesh_bones(mesh, bones, err);
    for (size_t i = 0; r == LATHE_OK && i < bones; i++) {
        model_mesh_bone *b = &mesh->bones[i];
        b->name = i < 2 ? names[i] : NULL;
        b->parent = (int32_t)i - 1;
        b->bind.m[3][0] = -(double)i;
        b->world.m[3][0] = (double)i;
        b->world.m[3][2] = 1;
    }
    for (size_t i = 0; r == LATHE_OK && mesh->joints && bones && i + 1 < mesh->vertex_count; i++) {
        mesh->joints[4 * i] = (uint16_t)(i % bones);
        mesh->joints[4 * i + 1] = (uint16_t)((i + 1) % bones);
        mesh->weights[4 * i] = 0.75F;
        mesh->weights[4 * i + 1] = 0.25F;
    }
    return r;
}

static lathe_result fill_surface(model_mesh *mesh, lathe_error *err)
{
    static const char base[] = "textures\\wall_d.dds", normal[] = "textures\\wall_n.dds";
    model_surface *s = &mesh->surface;
    s->known = true;
    s->base_color[0] = 0.5F;
    s->emissive[2] = 0.25F;
    s->alpha = MODEL_ALPHA_MASK;
    s->double_sided = true;
    mesh->material = "wall";
    lathe_result r = model_mesh_texture(mesh, "base_color", base, sizeof base - 1, err);
    if (r == LATHE_OK)
        r = model_mesh_texture(mesh, "normal", normal, sizeof normal - 1, err);
    return r;
}

static lathe_result shapes_mesh(lathe_doc *doc, uint64_t i, model_mesh *mesh, lathe_error *err)
{
    rec_at top = rec_root(doc, 0), at;
    lathe_value name;
    if (i >= (uint64_t)rec_int(&top, "shape_count"))
        return error_set(err, LATHE_ERR_NAME, LATHE_NO_OFFSET, "no more shapes");
    lathe_result r = rec_sub(&top, rec_slot_find(top.layout, "shapes"), i, &at, err);
    if (r == LATHE_OK)
        r = rec_get(&at, rec_slot_find(at.layout, "name"), false, &name, err);
    if (r != LATHE_OK)
        return r;
    int64_t flags = rec_int(&at, "flags"), space = rec_int(&top, "space");
    size_t triangles = (size_t)rec_int(&at, "triangles"), bones = (size_t)rec_int(&at, "bones");
    mesh->z_up = space & 1;
    mesh->v_up = space & 2;
    mesh->metres = space & 4 ? 0.5 : 0;
    mesh->transform.m[3][1] = 10;
    mesh->name = model_mesh_text(mesh, name.as.s.p, name.as.s.n);
    if (!mesh->name)
        return rec_no_memory(err);
    unsigned with = (unsigned)flags & (SURFACE - 1);
    with |= flags & COLLIDES ? MODEL_MESH_MATERIALS : 0U;
    r = model_mesh_alloc(mesh, triangles ? triangles + 2 : 0, 3 * triangles, with, err);
    if (r != LATHE_OK)
        return r;
    fill_vertices(mesh, i);
    r = fill_skin(mesh, bones, err);
    if (r == LATHE_OK && flags & SURFACE)
        r = fill_surface(mesh, err);
    return r;
}

/* ---- what collides --------------------------------------------------------------------------------- */

/* Number of the shape that is body number i. */
static lathe_result find_body(lathe_doc *doc, uint64_t i, uint64_t *shape, rec_at *at,
                              lathe_error *err)
{
    rec_at top = rec_root(doc, 0);
    uint64_t n = (uint64_t)rec_int(&top, "shape_count");
    lathe_result r = LATHE_OK;
    for (uint64_t k = 0; r == LATHE_OK && k < n; k++) {
        r = rec_sub(&top, rec_slot_find(top.layout, "shapes"), k, at, err);
        if (r == LATHE_OK && rec_int(at, "flags") & COLLIDES && i-- == 0) {
            *shape = k;
            return LATHE_OK;
        }
    }
    return r != LATHE_OK ? r : error_set(err, LATHE_ERR_NAME, LATHE_NO_OFFSET, "no more bodies");
}

static lathe_result shapes_body(lathe_doc *doc, uint64_t i, lathe_view *out, lathe_error *err)
{
    rec_at at;
    uint64_t shape;
    lathe_result r = find_body(doc, i, &shape, &at, err);
    if (r == LATHE_OK)
        *out = rec_view(&at);
    return r;
}

static lathe_result shapes_collision(lathe_doc *doc, uint64_t i, model_mesh *mesh, lathe_error *err)
{
    rec_at at;
    uint64_t shape = 0;
    lathe_result r = find_body(doc, i, &shape, &at, err);
    if (r == LATHE_OK)
        r = shapes_mesh(doc, shape, mesh, err);
    if (r == LATHE_OK)
        r = model_mesh_material(mesh, "stone", 5, err);
    if (r == LATHE_OK)
        r = model_mesh_material(mesh, "wooden", 4, err);
    for (size_t t = 0; r == LATHE_OK && t < mesh->index_count / 3; t++)
        mesh->material_of[t] = t % 2;
    mesh->body = i + 1;
    mesh->shape = "mesh";
    return r;
}

/* Of one shape its bones; those of the same name share them. */
static lathe_result share_bones(lathe_view self, const lathe_source *args, lathe_report *report,
                                lathe_error *err)
{
    rec_at at, top = rec_root(self.doc, 0), other;
    uint32_t none;
    lathe_value bones, name, theirs;
    lathe_result r = rec_enter(&self, &at, &none, err);
    if (r == LATHE_OK)
        r = rec_get(&at, rec_slot_find(at.layout, "name"), false, &name, err);
    rec_arg(args, "bones", &bones);
    uint32_t slot = rec_slot_find(at.layout, "bones");
    for (int64_t i = 0; r == LATHE_OK && i < rec_int(&top, "shape_count"); i++) {
        r = rec_sub(&top, rec_slot_find(top.layout, "shapes"), (uint64_t)i, &other, err);
        if (r == LATHE_OK)
            r = rec_get(&other, rec_slot_find(other.layout, "name"), false, &theirs, err);
        if (r != LATHE_OK || theirs.as.s.n != name.as.s.n ||
            memcmp(theirs.as.s.p, name.as.s.p, name.as.s.n) != 0)
            continue;
        r = rec_set(&other, slot, &bones, err);
        const lathe_value v = {.kind = LATHE_KIND_RECORD, .as.v = rec_view(&other)};
        if (r == LATHE_OK)
            report->changed++;
        if (r == LATHE_OK && other.off != at.off)
            report->result(report->user, "shared", &v);
    }
    return r;
}

static const rec_param bones_param = {
    .name = "bones", .doc = "How many.", .kind = LATHE_PARAM_INTEGER, .needed = true};
static const rec_param *const share_params[] = {&bones_param, NULL};
static const rec_verb verbs[] = {
    {.name = "set",
     .doc = "Bones of all of that name.",
     .type = &made_up_shapes_shape,
     .params = share_params,
     .run = share_bones},
    {0},
};

static int sniff_shapes(const uint8_t *bytes, size_t n)
{
    return n >= 4 && memcmp(bytes, "SHPS", 4) == 0 ? REC_SNIFF_SURE : REC_SNIFF_NO;
}

static const char *const extensions[] = {"shapes", NULL};
static const char *const games[] = {NULL};

static lathe_result shapes_count(lathe_doc *doc, lathe_list list, uint64_t *n, lathe_error *err)
{
    rec_at top = rec_root(doc, 0), at;
    uint64_t all = (uint64_t)rec_int(&top, "shape_count");
    lathe_result r = LATHE_OK;
    *n = list == LATHE_MESHES ? all : 0;
    for (uint64_t i = 0; list != LATHE_MESHES && r == LATHE_OK && i < all; i++) {
        r = rec_sub(&top, rec_slot_find(top.layout, "shapes"), i, &at, err);
        *n += r == LATHE_OK && rec_int(&at, "flags") & COLLIDES;
    }
    return r;
}

static const scene_hooks made_up_shapes_scene = {
    .count = shapes_count,
    .mesh = shapes_mesh,
    .body = shapes_body,
    .collision = shapes_collision,
};

const lathe_format made_up_shapes = {
    .name = "shapes",
    .doc = "Meshes",
    .extensions = extensions,
    .games = games,
    .root = &made_up_shapes_root,
    .sniff = sniff_shapes,
    .scene = &made_up_shapes_scene,
    .verbs = verbs,
};
