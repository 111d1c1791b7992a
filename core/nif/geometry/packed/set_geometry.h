/* Verbs for the geometry of precombined objects, which may be in a shared file. */
#ifndef LATHE_NIF_SET_GEOMETRY_H
#define LATHE_NIF_SET_GEOMETRY_H

#include "nif/geometry/packed/packed.h"

extern const char nif_set_geometry_doc[], nif_add_object_doc[];
extern const rec_param *const nif_set_geometry_params[], *const nif_add_object_params[];
lathe_result nif_set_geometry(lathe_view self, const lathe_source *args, lathe_report *report,
                              lathe_error *err);
lathe_result nif_add_object(lathe_view self, const lathe_source *args, lathe_report *report,
                            lathe_error *err);

/* made_geometry.c: makes the geometry of an object from a verb's options, in a temporary document. full:
 * positions are stored as floats, else as halves. Errors refer to places in that document. */
typedef struct nif_made {
    lathe_doc *doc;
    const uint8_t *data; /* of the block */
    buf places;          /* of nif_packed_place: one */
} nif_made;
lathe_result nif_made_open(const lathe_source *args, bool full, const mem *m, nif_made *out,
                           lathe_error *err);
void nif_made_close(nif_made *made);

#endif
