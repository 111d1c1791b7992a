/* doc:check() of a packfile's tables, and of what no table says. */
#ifndef LATHE_HAVOK_PACKFILE_CHECK_H
#define LATHE_HAVOK_PACKFILE_CHECK_H

#include "havok/objects/finding.h"
#include "havok/packfile/packfile.h"

/* Fixups, signatures of classes, the root. */
void hk_check_tables(rec_report *report, lathe_doc *doc, uint32_t c);
/* The relative arrays of an object (rel_array.c). */
void hk_check_rels(rec_report *report, const rec_at *at);

#endif
