/* Compressed meshes of documents: mesh_check.c knows what is wrong, this one where that is. Reference:
 * formats/fo4-collision.md#3.3, #3.4, #3.6. */
#include "havok/physics/check.h"

#include "havok/physics/mesh_read.h"
#include "havok/physics/shapes.h"

typedef struct teller {
    rec_report *report;
    const rec_at *shape, *data;
} teller;

static bool tell(void *user, const hk_mesh_flaw *flaw)
{
    const teller *t = user;
    rec_at section, at = *t->data;
    if (flaw->section != HK_MESH_WHOLE &&
        rec_sub(t->data, rec_slot_find(at.layout, "sections"), (uint64_t)flaw->section, &section,
                NULL) == LATHE_OK)
        at = section;
    uint32_t slot = flaw->member ? rec_slot_find(at.layout, flaw->member) : REC_NO_SLOT;
    if (flaw->member && slot == REC_NO_SLOT) { /* bit fields */
        at = *t->shape;
        slot = rec_slot_find(at.layout, flaw->member);
    }
    rec_finding(t->report, flaw->odd ? LATHE_LEVEL_WARNING : LATHE_LEVEL_ERROR, &at, slot,
                flaw->item == HK_MESH_ALL ? REC_NO_ITEM : flaw->item, "%s", flaw->what);
    return !t->report->stopped;
}

static void check_materials(hk_looker *k, const teller *t, const hk_mesh *mesh)
{
    rec_at surfaces;
    uint32_t properties = hk_target(t->shape, "properties", 0);
    if (properties != REC_NO_PART && !hk_may_look(k, t->shape, k->doc->parts[properties].size))
        return;
    if (!hk_surfaces_of(t->shape, &surfaces)) {
        HK_FINDING(k->report, LATHE_LEVEL_WARNING, t->shape, "properties", REC_NO_ITEM,
                   "no hknpBSMaterialProperties, which would have its triangles' materials");
        return;
    }
    uint64_t n = hk_length(&surfaces, "materials");
    for (size_t i = 0; i < mesh->n_runs && !k->report->stopped; i++)
        if (mesh->runs[i].value >= n)
            HK_FINDING(k->report, LATHE_LEVEL_ERROR, t->data, "primitive_data_runs", i,
                       "material %u, but the shape has %llu", mesh->runs[i].value,
                       (unsigned long long)n);
}

static void check_key_bits(hk_looker *k, const teller *t, const hk_mesh *mesh)
{
    int64_t bits = rec_int(t->shape, "num_shape_key_bits");
    if (bits != mesh->bits_per_key)
        HK_FINDING(k->report, LATHE_LEVEL_ERROR, t->shape, "num_shape_key_bits", REC_NO_ITEM,
                   "%lld bits for keys, but bits_per_key of its triangles is %ld", (long long)bits,
                   (long)mesh->bits_per_key);
}

void hk_check_mesh(hk_looker *k, const rec_at *shape)
{
    arena room;
    hk_mesh mesh;
    lathe_error err;
    uint32_t part = hk_target(shape, "data", 0);
    if (part != REC_NO_PART && !hk_may_look(k, shape, k->doc->parts[part].size))
        return;
    arena_init(&room, &k->doc->mem);
    lathe_result r = hk_mesh_read(shape, &room, &mesh, &err);
    if (r == LATHE_ERR_INVALID) /* anything else was told */
        rec_found(k->report, LATHE_LEVEL_ERROR, &err);
    if (r == LATHE_OK) {
        rec_at data = hk_object(k->doc, part);
        teller t = {k->report, shape, &data};
        hk_mesh_check(&mesh, &k->doc->mem, tell, &t);
        check_key_bits(k, &t, &mesh);
        check_materials(k, &t, &mesh);
    }
    arena_free(&room);
}
