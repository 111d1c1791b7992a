/* Havok packfiles inside blocks: bhkPhysicsSystem and others (packfiles.c). */
#ifndef LATHE_NIF_CONTAINER_PACKFILES_H
#define LATHE_NIF_CONTAINER_PACKFILES_H

#include "nif/container/container.h"

/* The packfile in a bhkSystem block. REC_NO_PART: there is none, or it cannot be opened; *why (may be NULL)
 * then has the error. */
uint32_t nif_packfile_of(lathe_doc *doc, uint32_t block, lathe_error *why);
/* Opens all packfiles. This is a change, so it invalidates caches and must come first. False: out of memory. */
bool nif_open_packfiles(lathe_doc *doc);

#endif
