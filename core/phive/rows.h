/* Finds rows in the tables for triangles that get a material, and collects new rows. */
#ifndef LATHE_PHIVE_ROWS_H
#define LATHE_PHIVE_ROWS_H

#include "phive/phive.h"

#define PHIVE_NO_ROW UINT32_MAX

typedef struct phive_row_of { /* an existing row, or a new one */
    uint32_t id, row;
    uint32_t like;    /* of a new row: the row whose other values it copies, or PHIVE_NO_ROW */
    uint8_t rest[28]; /* values except the material: of its own row and of the hit masks */
} phive_row_of;

typedef struct phive_rows {
    lathe_doc *doc;
    uint32_t container;
    uint32_t n, stored; /* including new rows; existing rows only */
    phive_row_of *all;
    size_t cap;
    phive_row_of *sorted; /* existing rows by material, then by the other values, then by number */
    uint32_t *firsts;     /* hash table by material: number of its first row plus 1; 0: empty */
} phive_rows;

lathe_result phive_rows_read(lathe_doc *doc, uint32_t c, phive_rows *out, lathe_error *err);
void phive_rows_free(phive_rows *rows); /* accepts a zeroed one */
/* Finds the row of a material for a triangle of row `was`: `was` itself if it has the material; else the
 * first row with the material and the same other values; else the first row with the material; else a new row
 * that copies the other values of `was`. */
lathe_result phive_rows_find(phive_rows *rows, uint32_t id, uint32_t was, uint32_t *out,
                             lathe_error *err);
/* Inside an edit: appends the new rows. */
lathe_result phive_rows_store(const phive_rows *rows, lathe_error *err);

#endif
