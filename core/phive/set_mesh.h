/* doc:set_mesh, and making whole files from a mesh. Reference: formats/bphsh.md#6. */
#ifndef LATHE_PHIVE_SET_MESH_H
#define LATHE_PHIVE_SET_MESH_H

#include "phive/read.h"

extern const rec_param *const phive_set_mesh_params[];
lathe_result phive_set_mesh(lathe_view self, const lathe_source *args, lathe_report *report,
                            lathe_error *err);

#endif
