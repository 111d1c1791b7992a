/* Internal header of core/lugaru. Reference: formats/wolfire.md#1. */
#ifndef LATHE_LUGARU_SOLID_H
#define LATHE_LUGARU_SOLID_H

#include "gen/lugaru_types.h"
#include "model/mesh.h"
#include "record/record.h"

/* The geometry of a document, copied into memory of the document's allocator. */
typedef struct solid_model {
    float (*positions)[3];
    int16_t (*corners)[3]; /* vertex indices of each triangle, all valid */
    size_t vertices, triangles;
} solid_model;

/* Fills *out; the caller frees it with solid_free. LATHE_ERR_INVALID: a corner refers to a vertex that does
 * not exist. On failure there is nothing to free. */
lathe_result solid_read(lathe_doc *doc, solid_model *out, lathe_error *err);
void solid_free(lathe_doc *doc, solid_model *model);
/* Finds an array of the root record by name. */
lathe_result solid_array(lathe_doc *doc, const char *name, lathe_view *array, lathe_error *err);

/* Fills mesh i of the scene (scene_hooks.mesh). */
lathe_result solid_mesh(lathe_doc *doc, uint64_t i, model_mesh *mesh, lathe_error *err);
extern const rec_verb solid_verbs[];
extern const lathe_format format_solid;

#endif
