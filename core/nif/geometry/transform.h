/* doc:transform: rotates, moves and scales a whole scene. */
#ifndef LATHE_NIF_TRANSFORM_H
#define LATHE_NIF_TRANSFORM_H

#include "nif/geometry/mesh.h"

/* A similarity transform: p' = scale (turn p) + move. */
typedef struct nif_similarity {
    double turn[9]; /* a rotation matrix in rows */
    double move[3], scale;
    bool turns; /* false: `turn` is the identity */
} nif_similarity;

void nif_similarity_point(const nif_similarity *s, const double p[3], double out[3]);
/* Computes turn * rows, for a rotation in rows. */
void nif_similarity_rows(const nif_similarity *s, const double rows[9], double out[9]);
mat4 nif_similarity_matrix(const nif_similarity *s);
/* Splits a matrix. Fails if it mirrors, shears or scales by different factors. `what` is used in the message. */
lathe_result nif_similarity_of(const mat4 *m, const char *what, nif_similarity *out,
                               lathe_error *err);
/* Reads the options of the verb. */
lathe_result nif_transform_args(const lathe_source *args, nif_similarity *out, lathe_error *err);
extern const rec_param *const nif_transform_params[];

/* The verb. */
extern const char nif_transform_doc[];
lathe_result nif_transform_verb(lathe_view self, const lathe_source *args, lathe_report *report,
                                lathe_error *err);

#endif
