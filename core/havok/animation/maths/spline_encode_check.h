/* What can be encoded at all, and what came of it. Internal to core/havok/animation/maths/. */
#ifndef LATHE_HAVOK_SPLINE_ENCODE_CHECK_H
#define LATHE_HAVOK_SPLINE_ENCODE_CHECK_H

#include "havok/animation/maths/spline_encode.h"

lathe_result hk_encode_check(const hk_samples *s, const hk_encode_options *o, lathe_error *err);
static inline double hk_tolerance_of(const hk_tolerance *t, uint64_t i)
{
    return t->each ? t->each[i] : t->all;
}
/* Whether track i (float tracks behind the others) keeps its bytes; `keeps`: any can. */
static inline bool hk_is_kept(const hk_encode_options *o, bool keeps, uint64_t i)
{
    return keeps && !o->touched[i];
}
/* Reads what was written and fills the report's errors and coarse_count. */
lathe_result hk_encode_measure(const hk_samples *s, const hk_encode_options *o, bool keeps,
                               const hk_encoded *e, const mem *m, hk_encode_report *report,
                               hk_coarse_fn *coarse, void *user, lathe_error *err);

#endif
