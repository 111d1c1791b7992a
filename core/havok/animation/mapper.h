/* What maps one skeleton to another: hkaSkeletonMapper. Reference: formats/hkx-animation.md#2. */
#ifndef LATHE_HAVOK_ANIMATION_MAPPER_H
#define LATHE_HAVOK_ANIMATION_MAPPER_H

#include "havok/objects/fault.h"

/* Skeletons that are not there, and bones that they do not have. */
void hk_mapper_faults(const rec_at *mapper, hk_faults *to);
/* doc:check() of all mappers of a container: faults, and transforms that do not fit the rest poses (check_mapper.c). */
void hk_check_mappers(rec_report *report, lathe_doc *doc, uint32_t c);

/* The skeletons, A and B; REC_NO_PART: it leads to none. False: it has no members that can be read. */
bool hk_mapper_ends(const rec_at *mapper, rec_at *mapping, uint32_t ends[2]);

#endif
