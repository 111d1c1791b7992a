/* Edits of a whole mesh shape: the materials of its triangles, and its position. Reference:
 * formats/bphsh.md#5. */
#ifndef LATHE_PHIVE_EDITS_H
#define LATHE_PHIVE_EDITS_H

#include "phive/read.h"

/* ---- materials (set_materials.c, paint.c) -------------------------------------------------------------- */

/* True if a text is a number: 12 or 0xC. */
bool phive_text_number(const char *p, size_t n, uint32_t *number);

extern const rec_param *const phive_set_materials_params[];
lathe_result phive_set_materials(lathe_view self, const lathe_source *args, lathe_report *report,
                                 lathe_error *err);
extern const rec_param *const phive_paint_params[];
lathe_result phive_paint(lathe_view self, const lathe_source *args, lathe_report *report,
                         lathe_error *err);

/* ---- places (scale.c, transform.c) --------------------------------------------------------------------- */

extern const rec_param *const phive_scale_params[];
lathe_result phive_scale(lathe_view self, const lathe_source *args, lathe_report *report,
                         lathe_error *err);
extern const rec_param *const phive_transform_params[];
lathe_result phive_transform(lathe_view self, const lathe_source *args, lathe_report *report,
                             lathe_error *err);

#endif
