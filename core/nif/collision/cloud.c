#include "nif/collision/cloud.h"

#include "havok/physics/leaves.h"
#include "model/material_name.h"

#include <math.h>
#include <stdlib.h>

/* ---- materials -------------------------------------------------------------------------------------------- */

lathe_result nif_read_material(const lathe_value *v, uint32_t *id, bool *known, lathe_error *err)
{
    char text[12] = "", *end;
    double number;
    *known = true;
    if (v->kind == LATHE_KIND_STRING) {
        *id = model_material_hash(v->as.s.p, v->as.s.n);
        *known = model_material_name(*id) != NULL;
        if (v->as.s.n == 10 && v->as.s.p[0] == '0' && (v->as.s.p[1] | 0x20) == 'x') {
            memcpy(text, v->as.s.p, 10);
            unsigned long n = strtoul(text + 2, &end, 16);
            if (!*end) {
                *id = (uint32_t)n;
                *known = true;
            }
        }
        return LATHE_OK;
    }
    if (rec_number(v, &number) && number >= 0 && number <= UINT32_MAX && number == floor(number)) {
        *id = (uint32_t)number;
        return LATHE_OK;
    }
    return error_set(err, LATHE_ERR_TYPE, LATHE_NO_OFFSET,
                     "material: a name or a number of 32 bits expected");
}

/* True for a material of visible geometry, which has no meaning for collision. */
static bool is_drawn(const lathe_value *v)
{
    static const char *const ends[] = {".bgsm", ".bgem"};
    enum { LENGTH = 5 };
    if (v->kind != LATHE_KIND_STRING)
        return false;
    for (size_t i = 0; i < 2 && v->as.s.n >= LENGTH; i++) {
        size_t k = 0;
        while (k < LENGTH && (v->as.s.p[v->as.s.n - LENGTH + k] | 0x20) == (ends[i][k] | 0x20))
            k++;
        if (k == LENGTH)
            return true;
    }
    return v->as.s.n == 0;
}

/* The collision material of a triangle; if its mesh has none, the default. */
static lathe_result material_of(void *user, const lathe_value *v, uint64_t number, uint32_t *id,
                                lathe_error *err)
{
    nif_cloud *c = user;
    bool known;
    (void)number;
    (void)err;
    if (c->one_material || v->kind == LATHE_KIND_NONE || v->kind == LATHE_KIND_BOOL) {
        *id = c->material;
        return LATHE_OK;
    }
    if (nif_read_material(v, id, &known, NULL) == LATHE_OK && known)
        return LATHE_OK;
    c->unknown = c->unknown || !is_drawn(v);
    *id = c->material;
    return LATHE_OK;
}

/* ---- meshes ----------------------------------------------------------------------------------------------- */

static lathe_result add_shape(scene_soup *c, lathe_doc *doc, uint64_t i, lathe_error *err)
{
    model_mesh mesh;
    model_mesh_init(&mesh, c->mem);
    lathe_result r = nif_mesh(doc, i, &mesh, err);
    mesh.material = NULL; /* a visible material has no meaning for collision */
    if (r == LATHE_OK)
        r = scene_soup_add_mesh(c, &mesh, err);
    model_mesh_free(&mesh);
    return r;
}

/* Adds one shape of a NIF, or all of them. */
static lathe_result add_view(scene_soup *c, lathe_view view, lathe_error *err)
{
    rec_at at;
    uint32_t slot;
    bool found = false;
    lathe_result r = rec_enter(&view, &at, &slot, err);
    if (r != LATHE_OK)
        return r;
    bool nif = at.doc->containers[at.layout->container].format->root == &nif_root && !at.off;
    bool all = nif && at.part == at.doc->containers[0].root;
    const nif_shapes *shapes = nif ? nif_shapes_of(at.doc, 0, err) : NULL;
    if (nif && !shapes)
        return LATHE_ERR_MEMORY;
    for (uint64_t i = 0; r == LATHE_OK && shapes && i < shapes->count; i++)
        if (all || nif_block(at.doc, 0, shapes->blocks[i]) == at.part) {
            found = true;
            r = add_shape(c, at.doc, i, err);
        }
    if (r == LATHE_OK && !found)
        return error_set(err, LATHE_ERR_TYPE, LATHE_NO_OFFSET, "%s has no triangles of its own",
                         rec_type_name(at.layout->type));
    return r;
}

void nif_cloud_open(nif_cloud *cloud)
{
    cloud->soup.mem = &cloud->doc->mem;
    cloud->soup.unit = HK_GAME_UNITS;
    cloud->soup.user = cloud;
    cloud->soup.material = material_of;
    cloud->soup.view = add_view;
    scene_soup_open(&cloud->soup);
}
