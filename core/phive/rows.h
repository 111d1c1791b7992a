/* Rows of the tables while triangles are given to them: which has a material, and those that are to come. */
#ifndef LATHE_PHIVE_ROWS_H
#define LATHE_PHIVE_ROWS_H

#include "phive/phive.h"

#define PHIVE_NO_ROW UINT32_MAX

typedef struct phive_row_of { /* a row, or one that is to come */
    uint32_t id, row;
    uint32_t like;    /* of a new one: the row that it is otherwise like, or PHIVE_NO_ROW */
    uint8_t rest[28]; /* what it has beside the material: its own row and that of the hit masks */
} phive_row_of;

typedef struct phive_rows {
    lathe_doc *doc;
    uint32_t container;
    uint32_t n, stored; /* with those that are to come; those that are there */
    phive_row_of *all;
    size_t cap;
    phive_row_of *sorted; /* stored ones by material, then by the rest, then by number */
    uint32_t *firsts;     /* hashed by material: number of the first row of it, and 1; 0: empty */
} phive_rows;

lathe_result phive_rows_read(lathe_doc *doc, uint32_t c, phive_rows *out, lathe_error *err);
void phive_rows_free(phive_rows *rows); /* fine on a zeroed one */
/* The row of a material for a triangle that was of row `was`: that one where it is of the material, else the first that
 * is otherwise the same, else the first of the material, else a new one that is otherwise like `was`. */
lathe_result phive_rows_find(phive_rows *rows, uint32_t id, uint32_t was, uint32_t *out,
                             lathe_error *err);
/* Inside an edit: appends those that are new. */
lathe_result phive_rows_store(const phive_rows *rows, lathe_error *err);

#endif
