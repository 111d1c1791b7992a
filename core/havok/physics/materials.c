/* doc:set_materials of a packfile alone: one material of collision by another. */
#include "havok/physics/materials.h"
#include "model/material_name.h"

static const rec_param from_param = {.name = "from",
                                     .doc = "The material, by name or number: upper and lower "
                                            "case make no difference.",
                                     .kind = LATHE_PARAM_TEXT,
                                     .positional = true};
static const rec_param to_param = {.name = "to",
                                   .doc = "What it becomes, by name or number.",
                                   .kind = LATHE_PARAM_TEXT,
                                   .positional = true};
static const rec_param normalise_param = {
    .name = "normalise",
    .doc = "Paths as the games look for them: packfiles have none, and nothing happens.",
    .kind = LATHE_PARAM_BOOLEAN};
const rec_param *const hk_set_materials_params[] = {&from_param, &to_param, &normalise_param, NULL};

lathe_result hk_set_materials(lathe_view self, const lathe_source *args, lathe_report *report,
                              lathe_error *err)
{
    lathe_value from, to, flag;
    uint32_t was, becomes;
    bool named;
    bool change = rec_arg(args, "from", &from), has_to = rec_arg(args, "to", &to);
    bool normalise = rec_arg(args, "normalise", &flag) && flag.as.b;
    if (change != has_to || !(change || normalise))
        return error_set(err, LATHE_ERR_TYPE, LATHE_NO_OFFSET,
                         "set_materials takes from and to, or normalise");
    if (!change || !model_material_word(from.as.s.p, from.as.s.n, &was, &named) ||
        !model_material_word(to.as.s.p, to.as.s.n, &becomes, &named))
        return LATHE_OK; /* of paths, which a packfile has not */
    return hk_replace_material(self.doc, self.doc->parts[self.part].container, was, becomes, report,
                               err);
}
