/* Packfiles of one game as those of another. */
#ifndef LATHE_HAVOK_CONVERT_H
#define LATHE_HAVOK_CONVERT_H

#include "record/record.h"

/* The verb. */
extern const char hk_convert_doc[];
extern const rec_param *const hk_convert_params[];
lathe_result hk_convert(lathe_view self, const lathe_source *args, lathe_report *report,
                        lathe_error *err);

#endif
