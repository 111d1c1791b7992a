/* The verbs of mesh shapes. */
#include "phive/edits.h"

const rec_verb phive_verbs[] = {
    {.name = "set_materials",
     .doc = "Gives materials another name or number, as a pattern says.",
     .params = phive_set_materials_params,
     .run = phive_set_materials},
    {.name = "set_triangle_materials",
     .doc = "Says what each triangle is made of.",
     .params = phive_paint_params,
     .run = phive_paint},
    {0},
};
