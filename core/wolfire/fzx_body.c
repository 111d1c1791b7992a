/* The volumes of a .fzx file as bodies and as collision meshes. formats/wolfire.md#4 */
#include "model/round.h"
#include "wolfire/fzx.h"

#include <math.h>

/* ---- bodies ---------------------------------------------------------------------------------------- */

static lathe_result volume_of(lathe_doc *doc, uint64_t i, rec_at *out, lathe_error *err)
{
    rec_at root = rec_root(doc, 0);
    int64_t n = rec_int(&root, "object_count");
    if (i >= (uint64_t)n)
        return error_set(err, LATHE_ERR_NAME, LATHE_NO_OFFSET, "there are %lld volumes",
                         (long long)n);
    return rec_sub(&root, rec_slot_find(root.layout, "objects"), i, out, err);
}

static lathe_result count(lathe_doc *doc, lathe_list list, uint64_t *n, lathe_error *err)
{
    rec_at root = rec_root(doc, 0);
    (void)list;
    (void)err;
    *n = (uint64_t)rec_int(&root, "object_count");
    return LATHE_OK;
}

static lathe_result body(lathe_doc *doc, uint64_t i, lathe_view *out, lathe_error *err)
{
    rec_at volume;
    lathe_result r = volume_of(doc, i, &volume, err);
    if (r == LATHE_OK)
        *out = rec_view(&volume);
    return r;
}

lathe_result fzx_get_name(const rec_at *at, const rec_field *row, lathe_value *out,
                          lathe_error *err)
{
    (void)row;
    return rec_get(at, rec_slot_find(at->layout, "label"), false, out, err);
}

lathe_result fzx_get_motion(const rec_at *at, const rec_field *row, lathe_value *out,
                            lathe_error *err)
{
    static const char text[] = "dynamic";
    (void)at;
    (void)row;
    (void)err;
    *out = (lathe_value){.kind = LATHE_KIND_STRING, .as.s = {text, sizeof text - 1}};
    return LATHE_OK;
}

/* ---- meshes ---------------------------------------------------------------------------------------- */

static bool numbers_of(const rec_at *volume, const char *field, const char *const *lanes, size_t n,
                       double *out)
{
    rec_at v;
    lathe_value number;
    if (rec_sub(volume, rec_slot_find(volume->layout, field), 0, &v, NULL) != LATHE_OK)
        return false;
    for (size_t i = 0; i < n; i++) {
        if (rec_get(&v, rec_slot_find(v.layout, lanes[i]), false, &number, NULL) != LATHE_OK ||
            !isfinite(number.as.f))
            return false;
        out[i] = number.as.f;
    }
    return true;
}

/* Reads the transform and size of a volume; false if a value is not finite. */
static bool place_of(const rec_at *volume, mat4 *place, vec3 *size)
{
    static const char *const lanes[] = {"x", "y", "z", "w"};
    double q[4], t[3], s[3];
    if (!numbers_of(volume, "rotation", lanes, 4, q) ||
        !numbers_of(volume, "location", lanes, 3, t) || !numbers_of(volume, "scale", lanes, 3, s))
        return false;
    *place = mat4_compose((vec3){t[0], t[1], t[2]}, quat_normalize((quat){q[0], q[1], q[2], q[3]}),
                          (vec3){1, 1, 1});
    *size = (vec3){fabs(s[0]), fabs(s[1]), fabs(s[2])};
    return true;
}

/* Fills the triangles in the volume's own space. */
static lathe_result put_shape(model_mesh *mesh, const char *shape, vec3 size, lathe_error *err)
{
    const mat4 ellipsoid = mat4_compose((vec3){0, 0, 0}, quat_identity(), size);
    const mat4 none = mat4_identity();
    const vec3 centre = {0, 0, 0}, top = {0, 0, size.z};
    model_put put = model_put_at(mesh, &none, 1);
    if (strcmp(shape, "box") == 0)
        return model_put_box(&put, vec3_scale(size, -1), size, 0, err);
    if (strcmp(shape, "capsule") == 0)
        return model_put_round(&put, vec3_scale(top, -1), top, size.x, 0, err);
    put = model_put_at(mesh, &ellipsoid, 1);
    return model_put_round(&put, centre, centre, 1, 0, err);
}

static lathe_result leave_out(model_mesh *mesh, const rec_at *volume, const char *why,
                              lathe_error *err)
{
    char path[64];
    rec_path(volume, REC_NO_SLOT, REC_NO_ITEM, path, sizeof path);
    mesh->left_out = why;
    mesh->path = model_mesh_text(mesh, path, strlen(path));
    return mesh->path ? LATHE_OK : rec_no_memory(err);
}

/* Fills the mesh of the stored volume. The mirrored copy is made by the game only. */
static lathe_result collision(lathe_doc *doc, uint64_t i, model_mesh *mesh, lathe_error *err)
{
    rec_at volume;
    fzx_label label;
    lathe_value name;
    vec3 size;
    lathe_result r = volume_of(doc, i, &volume, err);
    if (r == LATHE_OK)
        r = fzx_label_of(&volume, &label, err);
    if (r == LATHE_OK)
        r = rec_get(&volume, rec_slot_find(volume.layout, "label"), false, &name, err);
    if (r != LATHE_OK)
        return r;
    mesh->body = i + 1;
    mesh->z_up = true;
    mesh->metres = 1;
    mesh->front = (vec3){0, -1, 0}; /* which the game turns to its z. formats/wolfire.md */
    mesh->name = model_mesh_text(mesh, name.as.s.p, name.as.s.n);
    if (!mesh->name)
        return rec_no_memory(err);
    if (!label.shape)
        return leave_out(mesh, &volume, "no shape in the label: the game ignores the object", err);
    if (!place_of(&volume, &mesh->transform, &size))
        return leave_out(mesh, &volume, "a number of it is not finite", err);
    mesh->shape = label.shape->text;
    return put_shape(mesh, mesh->shape, size, err);
}

const scene_hooks fzx_scene = {.count = count, .body = body, .collision = collision};
