/* Bodies of a packfile as one record each, over what hknpPhysicsSystemData keeps apart: cinfo, material, motion
 * and motion properties. A body is seen through its cinfo, at whose start it lies. Reference:
 * formats/fo4-collision.md#2, #4. */
#ifndef LATHE_HAVOK_PHYSICS_BODIES_H
#define LATHE_HAVOK_PHYSICS_BODIES_H

#include "havok/physics/types.h"

/* What another record of a body is found by. */
typedef enum hk_body_side {
    HK_SIDE_CINFO,
    HK_SIDE_MATERIAL,   /* hknpMaterial */
    HK_SIDE_MOTION,     /* hknpMotionCinfo: static bodies have none */
    HK_SIDE_PROPERTIES, /* hknpMotionProperties: keyframed ones have none, either */
    HK_SIDE_SHAPE,      /* the shape, an object */
    HK_SIDE_COUNT
} hk_body_side;

typedef struct hk_body_of {
    rec_at system, cinfo;
    uint64_t number; /* of the cinfo, from 0 */
} hk_body_of;

enum {
    HK_NO_BODY = 0x7FFFFFFF,
    HK_NO_MATERIAL = 0xFFFF,
    HK_NO_MOTION = 0x7FFFFFFF,
    HK_NO_PROPERTIES = 0xFFFF
};

/* ---- finding (bodies.c) ---------------------------------------------------------------------------- */

/* Whether an object holds bodies; their number. */
bool hk_is_system(lathe_doc *doc, uint32_t part);
uint64_t hk_body_count(const rec_at *system);
/* Body number i (from 0) of an object that holds bodies. */
lathe_result hk_body_in(const rec_at *system, uint64_t i, hk_body_of *out, lathe_error *err);
/* Body number i of a container, over all such objects. LATHE_ERR_NAME past the last. */
lathe_result hk_body_number(lathe_doc *doc, uint32_t c, uint64_t i, hk_body_of *out,
                            lathe_error *err);
/* The body whose place, or a vector in it, `at` is. */
lathe_result hk_body_at(const rec_at *at, hk_body_of *out, lathe_error *err);
/* How many there are in a container. */
uint64_t hk_body_total(lathe_doc *doc, uint32_t c);
/* The one system of a container, which is no ragdoll: then bodies can come and go. Else LATHE_ERR_UNSUPPORTED. */
lathe_result hk_only_system(lathe_doc *doc, uint32_t c, rec_at *out, lathe_error *err);
/* A record of it; false where it has none. */
bool hk_body_side_of(const hk_body_of *body, hk_body_side side, rec_at *out);
/* Hook of the format, and the same of a container that is inside of another. */
lathe_result hk_body(lathe_doc *doc, uint64_t i, lathe_view *out, lathe_error *err);
lathe_result hk_body_view(lathe_doc *doc, uint32_t c, uint64_t i, lathe_view *out,
                          lathe_error *err);

/* ---- members ----------------------------------------------------------------------------------------- */

/* A number of a record, by its row; setting it. */
lathe_result hk_get_real(const rec_at *at, const char *row, double *out, lathe_error *err);
lathe_result hk_set_real(const rec_at *at, const char *row, double value, lathe_error *err);
lathe_result hk_set_int(const rec_at *at, const char *row, int64_t value, lathe_error *err);
/* The first n lanes of a vector row. */
lathe_result hk_get_lanes(const rec_at *at, const char *row, uint32_t n, double *out,
                          lathe_error *err);
lathe_result hk_set_lanes(const rec_at *at, const char *row, uint32_t n, const double *lanes,
                          lathe_error *err);

/* ---- rows (body_mass.c, body_set.c) ------------------------------------------------------------------ */

/* Whether a motion is of what is dynamic: then 1 / its mass. */
bool hk_has_mass(const rec_at *motion, double *inverse);
double hk_mass_from(double inverse);
/* A number that is finite and in [low, high]; refuses others, naming row and limits. */
lathe_result hk_body_value(const rec_at *at, const rec_field *row, const lathe_value *value,
                           double low, double high, double *out, lathe_error *err);
/* The record that a row needs; refuses where the body has none, saying why. */
lathe_result hk_body_needs(const rec_at *at, const rec_field *row, hk_body_side side,
                           hk_body_of *body, rec_at *out, lathe_error *err);

/* Which record a row of hk_body lies in, for telling who shares it (bodies.c). */
hk_body_side hk_body_row_side(const char *row);

extern const rec_param *const hk_body_params[]; /* of the verb (body_set.c) */
lathe_result hk_body_set(lathe_view self, const lathe_source *args, lathe_report *report,
                         lathe_error *err);

#endif
