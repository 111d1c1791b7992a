/* Small record types that many formats share: vec3, quat, mat4 … (core/record/schema). */
#ifndef LATHE_RECORD_TYPES_H
#define LATHE_RECORD_TYPES_H

#include "gen/record_types.h"
#include "record/record.h"

#endif
