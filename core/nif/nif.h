/* NIF: the files of NetImmerse, Gamebryo and the Creation Engine. Declares everything that generated tables
 * refer to. */
#ifndef LATHE_NIF_H
#define LATHE_NIF_H

#include "havok/hkx.h"
#include "nif/collision/collision.h"
#include "nif/geometry/mesh.h"
#include "nif/materials/materials.h"

extern const lathe_format format_nif;

/* Hook for doc:check() (check.c). */
void nif_check(lathe_doc *doc, uint32_t c, rec_report *report);

#endif
