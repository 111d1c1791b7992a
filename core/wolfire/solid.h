#ifndef LATHE_WOLFIRE_SOLID_H
#define LATHE_WOLFIRE_SOLID_H

#include "gen/wolfire_types.h"
#include "record/types.h"
#include "wolfire/wolfire.h"

struct model_mesh;

lathe_result solid_mesh(lathe_doc *doc, uint64_t i, struct model_mesh *mesh, lathe_error *err);
extern const rec_verb solid_verbs[];

#endif
