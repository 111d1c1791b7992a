/* Bodies that go. */
#ifndef LATHE_HAVOK_PHYSICS_TAKE_OUT_H
#define LATHE_HAVOK_PHYSICS_TAKE_OUT_H

#include "havok/physics/bodies.h"

/* Inside an edit: the body goes from its system, with its material and motion where no other has them; others
 * get new numbers. Its shapes stay where they are, until hk_write_reached leaves them out. LATHE_ERR_UNSUPPORTED:
 * a constraint holds it. */
lathe_result hk_take_out(const hk_body_of *body, lathe_error *err);
/* Inside an edit: a motion, or motion properties, go where nothing has their number any more; others get new
 * numbers. */
lathe_result hk_drop_motion(const rec_at *system, int64_t motion, lathe_error *err);
lathe_result hk_drop_properties(const rec_at *system, int64_t properties, lathe_error *err);
/* Whether two bodies or more have a motion. */
bool hk_motion_is_shared(const rec_at *system, int64_t motion);
/* Whether the list of shapes can do without one of its names for a shape, once body `goes` has none of it
 * (UINT64_MAX: all stay). */
bool hk_reference_spare(const rec_at *system, uint32_t shape, uint64_t goes);

#endif
