/* Small records that many formats share. */
#ifndef LATHE_RECORD_TYPES_H
#define LATHE_RECORD_TYPES_H

#include "record/record.h"

extern const rec_type rec_vec2;      /* x, y: f32 */
extern const rec_type rec_vec3;      /* x, y, z: f32 */
extern const rec_type rec_vec4;      /* x, y, z, w: f32 */
extern const rec_type rec_mat4;      /* 16 f32, col0_x … col3_w, seen as columns and as t, q, s */
extern const rec_type rec_quat;      /* x, y, z, w: f32 */
extern const rec_type rec_quat_wxyz; /* w first, as Wolfire's and NIF's files have it */

#endif
