/* Entries of a mesh's hknpBSMaterialProperties, which runs of its triangles choose from, and the material of a run.
 * Reference: formats/fo4-collision.md#3.4, #3.6. */
#include "havok/physics/materials.h"

enum { CHAINS = 4096 };

/* ---- entries --------------------------------------------------------------------------------------------- */

static uint32_t chain_of(uint32_t id, uint32_t filter)
{
    return ((id ^ filter * 0x85EBCA6BU) * 0x9E3779B1U) >> 20;
}

static hk_entry *entry_at(const hk_entries *e, uint32_t i)
{
    return (hk_entry *)(void *)e->list.data + i;
}

static uint32_t count_of(const hk_entries *e)
{
    return (uint32_t)(e->list.size / sizeof(hk_entry));
}

static uint32_t find(const hk_entries *e, uint32_t id, uint32_t filter)
{
    uint32_t i = e->chains[chain_of(id, filter)];
    while (i != HK_NO_ENTRY && (entry_at(e, i)->id != id || entry_at(e, i)->filter != filter))
        i = entry_at(e, i)->next;
    return i;
}

/* Of equal ones only the first is found again. */
static lathe_result put(hk_entries *e, uint32_t id, uint32_t filter, uint32_t like,
                        lathe_error *err)
{
    uint32_t *head = &e->chains[chain_of(id, filter)], n = count_of(e);
    bool again = find(e, id, filter) != HK_NO_ENTRY;
    const hk_entry one = {id, filter, like, again ? HK_NO_ENTRY : *head};
    if (!buf_put(&e->list, &one, sizeof one))
        return rec_no_memory(err);
    if (!again)
        *head = n;
    return LATHE_OK;
}

lathe_result hk_entries_read(const rec_at *surfaces, hk_entries *out, lathe_error *err)
{
    rec_at one;
    lathe_result r = LATHE_OK;
    *out = (hk_entries){.surfaces = *surfaces};
    buf_init(&out->list, &surfaces->doc->mem);
    out->chains = mem_zalloc(&surfaces->doc->mem, CHAINS * sizeof *out->chains);
    if (!out->chains)
        return rec_no_memory(err);
    memset(out->chains, 0xFF, CHAINS * sizeof *out->chains); /* HK_NO_ENTRY */
    for (uint64_t i = 0; r == LATHE_OK && i < HK_ENTRIES && hk_surface(surfaces, i, &one); i++)
        r = put(out, (uint32_t)rec_int(&one, "material_id"),
                (uint32_t)rec_int(&one, "collision_filter_info"), HK_NO_ENTRY, err);
    out->stored = count_of(out);
    return r;
}

void hk_entries_free(hk_entries *e)
{
    mem_free(&e->surfaces.doc->mem, e->chains, CHAINS * sizeof *e->chains);
    buf_free(&e->list);
}

bool hk_entries_id(const hk_entries *e, uint32_t entry, uint32_t *id)
{
    if (entry >= count_of(e))
        return false;
    *id = entry_at(e, entry)->id;
    return true;
}

lathe_result hk_entries_find(hk_entries *e, uint32_t id, uint32_t was, uint32_t *entry,
                             lathe_error *err)
{
    uint32_t n = count_of(e), like = was < n ? was : n ? 0 : HK_NO_ENTRY;
    uint32_t filter = like == HK_NO_ENTRY ? 0 : entry_at(e, like)->filter;
    *entry = was;
    if (was < n && entry_at(e, was)->id == id)
        return LATHE_OK;
    *entry = find(e, id, filter);
    if (*entry != HK_NO_ENTRY)
        return LATHE_OK;
    if (n >= HK_ENTRIES)
        return rec_fail(&e->surfaces, rec_slot_find(e->surfaces.layout, "materials"),
                        e->surfaces.off, err, LATHE_ERR_LIMIT, "more than %d materials",
                        HK_ENTRIES);
    *entry = n;
    return put(e, id, filter, like, err);
}

/* A new one has of another what is not known, and what it collides with. */
static lathe_result store(const rec_at *surfaces, uint32_t slot, uint32_t i, const hk_entry *one,
                          lathe_error *err)
{
    static const char *const same[] = {"unknown", "collision_filter_info"};
    rec_at to, from;
    lathe_result r = rec_sub(surfaces, slot, i, &to, err);
    for (size_t k = 0; r == LATHE_OK && one->like != HK_NO_ENTRY && k < REC_COUNT_OF(same); k++) {
        lathe_value v;
        char text[16];
        r = rec_sub(surfaces, slot, one->like, &from, err);
        if (r == LATHE_OK)
            r = rec_get(&from, rec_slot_find(from.layout, same[k]), false, &v, err);
        if (r == LATHE_OK && v.kind == LATHE_KIND_STRING && v.as.s.n <= sizeof text) {
            memcpy(text, v.as.s.p, v.as.s.n); /* it is borrowed until the next write */
            v.as.s.p = text;
        }
        if (r == LATHE_OK)
            r = rec_set(&to, rec_slot_find(to.layout, same[k]), &v, err);
    }
    return r == LATHE_OK ? hk_set_int(&to, "material_id", one->id, err) : r;
}

lathe_result hk_entries_store(const hk_entries *e, lathe_error *err)
{
    uint32_t n = count_of(e), slot = rec_slot_find(e->surfaces.layout, "materials");
    if (n == e->stored)
        return LATHE_OK;
    lathe_result r = rec_insert(&e->surfaces, slot, e->stored, n - e->stored, NULL, 0, err);
    for (uint32_t i = (uint32_t)e->stored; r == LATHE_OK && i < n; i++)
        r = store(&e->surfaces, slot, i, entry_at(e, i), err);
    return r;
}

/* ---- whose they are --------------------------------------------------------------------------------------- */

/* The next mesh, from number *i on, whose triangles are in a part. */
static bool next_mesh(lathe_doc *doc, uint32_t c, uint32_t data, uint64_t *i, rec_at *out)
{
    uint64_t n;
    const uint32_t *objects = hk_object_list(doc, c, &n);
    while (*i < n) {
        *out = hk_object(doc, objects[(*i)++]);
        if (out->layout->type == &hknp_compressed_mesh_shape && hk_target(out, "data", 0) == data)
            return true;
    }
    return false;
}

lathe_result hk_entries_of_data(const rec_at *data, rec_at *out, lathe_error *err)
{
    rec_at shape, entries;
    uint64_t i = 0;
    bool any = false;
    while (next_mesh(data->doc, data->layout->container, data->part, &i, &shape)) {
        if (!hk_surfaces_of(&shape, &entries))
            return rec_fail(&shape, rec_slot_find(shape.layout, "properties"), shape.off, err,
                            LATHE_ERR_UNSUPPORTED,
                            "no hknpBSMaterialProperties, which materials of triangles are in");
        if (any && entries.part != out->part)
            return rec_fail(&shape, rec_slot_find(shape.layout, "data"), shape.off, err,
                            LATHE_ERR_UNSUPPORTED,
                            "meshes share these triangles and have materials of their own");
        *out = entries;
        any = true;
    }
    return any ? LATHE_OK
               : rec_fail(data, REC_NO_SLOT, data->off, err, LATHE_ERR_UNSUPPORTED,
                          "no mesh has these triangles");
}

lathe_result hk_only_mesh(const rec_at *data, lathe_error *err)
{
    rec_at shape;
    uint64_t i = 0, n = 0;
    while (next_mesh(data->doc, data->layout->container, data->part, &i, &shape))
        n++;
    return n == 1 ? LATHE_OK
                  : rec_fail(data, REC_NO_SLOT, data->off, err, LATHE_ERR_UNSUPPORTED,
                             "%llu meshes have these triangles: quads can be cut in one mesh only",
                             (unsigned long long)n);
}

/* ---- the material of a run -------------------------------------------------------------------------------- */

lathe_result hk_run_material_get(const rec_at *at, const rec_field *row, lathe_value *out,
                                 lathe_error *err)
{
    rec_at data = hk_object(at->doc, at->part), entries, one;
    out->kind = LATHE_KIND_NONE;
    if (hk_entries_of_data(&data, &entries, NULL) != LATHE_OK ||
        !hk_surface(&entries, (uint64_t)rec_int(at, "value"), &one))
        return LATHE_OK;
    return hk_material_get(&one, row, out, err);
}

static lathe_result set_run(const rec_at *at, const rec_at *surfaces, uint32_t id, lathe_error *err)
{
    hk_entries entries;
    uint32_t entry;
    lathe_view view = rec_view(at);
    rec_at again;
    uint32_t none;
    lathe_result r = hk_entries_read(surfaces, &entries, err);
    if (r == LATHE_OK)
        r = hk_entries_find(&entries, id, (uint32_t)rec_int(at, "value"), &entry, err);
    if (r == LATHE_OK)
        r = hk_entries_store(&entries, err);
    if (r == LATHE_OK) /* the list may have grown in front of it */
        r = rec_enter(&view, &again, &none, err);
    if (r == LATHE_OK)
        r = hk_set_int(&again, "value", entry, err);
    hk_entries_free(&entries);
    return r;
}

lathe_result hk_run_material_set(const rec_at *at, const rec_field *row, const lathe_value *value,
                                 lathe_error *err)
{
    uint32_t id;
    rec_at data = hk_object(at->doc, at->part), entries;
    if (!hk_material_number(value, &id))
        return rec_fail(at, rec_slot_find(at->layout, rec_row_name(row)), at->off, err,
                        LATHE_ERR_TYPE, "a name or a number from 0 to 4294967295 expected");
    lathe_result r = hk_entries_of_data(&data, &entries, err);
    return r == LATHE_OK ? set_run(at, &entries, id, err) : r;
}
