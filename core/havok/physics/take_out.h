/* Bodies that go. */
#ifndef LATHE_HAVOK_PHYSICS_TAKE_OUT_H
#define LATHE_HAVOK_PHYSICS_TAKE_OUT_H

#include "havok/physics/bodies.h"

#define HK_ALL_BODIES UINT64_MAX

/* Inside an edit: removes the body from its system, with its material and motion if no other body has them, and updates
 * the numbers of the others. Its shapes stay where they are, until hk_prune or hk_write_reached leaves them out.
 * LATHE_ERR_UNSUPPORTED: constraints hold it (`advice` as in hk_check_unheld); LATHE_ERR_INVALID: a constraint of the
 * system holds no body, or one that does not exist. */
lathe_result hk_take_out(const hk_body_of *body, const char *advice, lathe_error *err);
/* Fails with LATHE_ERR_UNSUPPORTED if constraints hold a body (HK_ALL_BODIES: any), and lists them; `advice` follows the
 * list: what the caller can do, or "". */
lathe_result hk_check_unheld(const rec_at *system, uint64_t body, const char *advice,
                             lathe_error *err);
/* Gives the paths of these constraints to a report, as `constraints`, and counts them as changed. */
void hk_tell_constraints(const rec_at *system, uint64_t body, lathe_report *report);
/* Inside an edit: removes them. Their data stay, until hk_prune or hk_write_reached leaves them out. */
lathe_result hk_drop_constraints(const rec_at *system, uint64_t body, lathe_error *err);
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
