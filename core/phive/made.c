/* Making a Phive shape. */
#include "phive/phive.h"

phive_variant phive_variant_named(const lathe_value *v)
{
    const char *p = v->as.s.p;
    if (v->kind != LATHE_KIND_STRING || v->as.s.n != 3 || p[0] != 'v' || p[1] != '2')
        return PHIVE_NO_VARIANT;
    return p[2] >= '1' && p[2] <= '3' ? (phive_variant)(PHIVE_V21 + (p[2] - '1'))
                                      : PHIVE_NO_VARIANT;
}

lathe_result phive_begin(lathe_doc *doc, uint32_t c, const rec_from *from, lathe_error *err)
{
    rec_at root = rec_root(doc, c);
    lathe_value v = {.kind = LATHE_KIND_NONE};
    const void *child;
    uint32_t slot = rec_slot_find(root.layout, "variant");
    phive_variant variant = PHIVE_V22;
    if (rec_given(from, &root, slot, &v, &child)) {
        variant = phive_variant_named(&v);
        if (!variant)
            return rec_fail(&root, slot, 0, err, LATHE_ERR_RANGE, "v21, v22 or v23 expected");
    }
    lathe_result r = phive_state_begin(doc, c, variant, err);
    return r == LATHE_OK ? rec_arrange(doc, c, false, 8, variant, err) : r;
}
