/* doc:check() of packfiles. */
#ifndef LATHE_HAVOK_CHECK_H
#define LATHE_HAVOK_CHECK_H

#include "record/record.h"

/* The hook. */
void hk_check(lathe_doc *doc, uint32_t c, rec_report *report);

#endif
