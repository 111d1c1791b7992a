/* doc:scale of containers that describe their own classes, by what is known of their members' names (facts.h), which their
 * rows have (.power). */
#ifndef LATHE_HAVOK_NAMED_SCALE_H
#define LATHE_HAVOK_NAMED_SCALE_H

#include "record/record.h"

/* The verb; what describes it is the same for packfiles. */
extern const char hk_scale_doc[];
extern const rec_param *const hk_scale_params[];
lathe_result hk_scale_named(lathe_view self, const lathe_source *args, lathe_report *report,
                            lathe_error *err);

#endif
