/* Scaling packfiles: which objects are of what, and what no row's .power says. Reference: formats/fo4-collision.md#41. */
#ifndef LATHE_HAVOK_SCALE_H
#define LATHE_HAVOK_SCALE_H

#include "model/scale.h"
#include "scene/scale.h"

/* All objects of a packfile, which may be inside of another document. Inside an edit. */
lathe_result hk_scale_objects(lathe_doc *doc, uint32_t c, const model_scale *how,
                              lathe_report *report, lathe_error *err);

/* The verb; its words are in named/scale.h. */
lathe_result hk_scale(lathe_view self, const lathe_source *args, lathe_report *report,
                      lathe_error *err);

#endif
