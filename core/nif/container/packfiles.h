/* Havok's packfiles in blocks: bhkPhysicsSystem and its like (packfiles.c). */
#ifndef LATHE_NIF_CONTAINER_PACKFILES_H
#define LATHE_NIF_CONTAINER_PACKFILES_H

#include "nif/container/container.h"

/* The packfile of a block, a bhkSystem. REC_NO_PART: it has none that opens, and *why (may be NULL) says so. */
uint32_t nif_packfile_of(lathe_doc *doc, uint32_t block, lathe_error *why);
/* Opens all of them. That is a change, behind which nothing that is cached is there any more: it comes first.
 * False: out of memory. */
bool nif_open_packfiles(lathe_doc *doc);

#endif
