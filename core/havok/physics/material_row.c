/* What collision is made of, by name: a row beside the stored number. Reference: formats/fo4-collision.md#3.7. */
#include "model/material_name.h"

#include "havok/physics/types.h"

/* The row of the number: of shapes their user data, of a mesh's materials the id. */
static uint32_t number_of(const rec_at *at)
{
    uint32_t slot = rec_slot_find(at->layout, "material_id");
    return slot == REC_NO_SLOT ? rec_slot_find(at->layout, "user_data") : slot;
}

lathe_result hk_material_get(const rec_at *at, const rec_field *row, lathe_value *out,
                             lathe_error *err)
{
    uint64_t raw;
    (void)row;
    lathe_result r = rec_raw(at, number_of(at), 0, &raw, err);
    if (r != LATHE_OK)
        return r;
    const char *name = raw <= UINT32_MAX ? model_material_name((uint32_t)raw) : NULL;
    if (name)
        return rec_text(at, name, strlen(name), out, err);
    *out = (lathe_value){.kind = LATHE_KIND_UINT, .as.u = raw};
    return LATHE_OK;
}

lathe_result hk_material_set(const rec_at *at, const rec_field *row, const lathe_value *value,
                             lathe_error *err)
{
    lathe_value v = *value;
    double number;
    if (v.kind == LATHE_KIND_STRING && v.as.s.n)
        v = (lathe_value){.kind = LATHE_KIND_UINT,
                          .as.u = model_material_hash(value->as.s.p, value->as.s.n)};
    else if (!rec_number(&v, &number))
        return rec_fail(at, rec_slot_find(at->layout, row->name), at->off, err, LATHE_ERR_TYPE,
                        "a name or an integer expected");
    return rec_set(at, number_of(at), &v, err);
}
