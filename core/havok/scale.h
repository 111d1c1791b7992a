/* Scaling packfiles: which objects are of what, and what no row's .power says. Reference: formats/fo4-collision.md#41. */
#ifndef LATHE_HAVOK_SCALE_H
#define LATHE_HAVOK_SCALE_H

#include "model/scale.h"
#include "scene/scale.h"

/* All objects of a packfile, which may be inside of another document. Inside an edit. */
lathe_result hk_scale_objects(lathe_doc *doc, uint32_t c, const model_scale *how,
                              lathe_report *report, lathe_error *err);

/* The same of a container that describes its own classes, by what is known of their members' names (facts.h), which its rows
 * have (.power). */
lathe_result hk_scale_named(lathe_view self, const lathe_source *args, lathe_report *report,
                            lathe_error *err);

/* An animation of splines: the translations of its tracks. What cannot be read is told, stays and is not *done. */
lathe_result hk_scale_spline(scene_scaling *s, const rec_at *animation, bool *done,
                             lathe_error *err);

/* The verb. */
extern const char hk_scale_doc[];
extern const rec_param *const hk_scale_params[];
lathe_result hk_scale(lathe_view self, const lathe_source *args, lathe_report *report,
                      lathe_error *err);

#endif
