/* doc:check() of objects of classes that a file describes itself: skeletons, animations and rigid bodies (check.c). */
#ifndef LATHE_HAVOK_NAMED_CHECK_H
#define LATHE_HAVOK_NAMED_CHECK_H

#include "record/record.h"

void hk_check_named(lathe_doc *doc, uint32_t c, rec_report *report);

#endif
