/* Scaling a mesh shape, for other verbs. */
#ifndef LATHE_PHIVE_SCALE_SHAPE_H
#define LATHE_PHIVE_SCALE_SHAPE_H

#include "model/scale.h"
#include "phive/places.h"

/* Inside an edit: scales by a finite factor above 0 along each axis. */
lathe_result phive_scale_shape(lathe_doc *doc, uint32_t c, const double by[3], lathe_error *err);

#endif
