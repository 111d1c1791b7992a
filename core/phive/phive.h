/* Phive shapes (.bphsh): a header, a Havok tagfile with one mesh shape, materials and their collision masks.
 * Reference: formats/bphsh.md.
 *
 *   root      the header, 48 bytes, and bytes in front of the tagfile (none in any known file)
 *   tagfile   an embedded document, opened on first use
 *   padding   up to a multiple of 16
 *   tables    materials, and as many rows of hit masks, followed by padding
 *   rest      bytes behind the last section of the header
 *
 * The container's version is the variant: 21, 22 or 23. Its param packs the sizes in the header: phive_counts. */
#ifndef LATHE_PHIVE_PHIVE_H
#define LATHE_PHIVE_PHIVE_H

#include "gen/phive_types.h"
#include "phive/layout.h"
#include "phive/names.h"
#include "tagfile/tagfile.h"

extern const lathe_format format_bphsh;

enum {
    PHIVE_HEADER = 48,
    PHIVE_ALIGN = 16,
    PHIVE_MATERIAL = 16 /* size of a row in bytes */
};

/* Fields of the root record that are parts. */
typedef enum phive_part { PHIVE_TAGFILE, PHIVE_PADDING, PHIVE_TABLES, PHIVE_REST } phive_part;

uint32_t phive_row(phive_part which); /* slot in the root record */
uint32_t phive_part_of(lathe_doc *doc, uint32_t c, phive_part which);

/* Data of a container in addition to its bytes (rec_container.index). */
typedef struct phive_state {
    bool unpadded;          /* the hit masks are not padded, as in files of one editor */
    const tag_types *types; /* the types of `layout`; NULL: not read yet */
    phive_layout layout;
    uint64_t counted; /* doc->changes + 1 when the next two were counted; 0: not counted yet */
    uint64_t vertices, triangles;
    phive_names names;
} phive_state;

phive_state *phive_state_of(const lathe_doc *doc, uint32_t c);
/* Creates the state for a variant, with the names from the options. */
lathe_result phive_state_begin(lathe_doc *doc, uint32_t c, int64_t variant, lathe_error *err);
/* Names for the numbers in the tables. */
const phive_names *phive_names_of(const lathe_doc *doc, uint32_t c);

/* Number of rows of both tables, and size of the materials behind them in bytes. */
typedef struct phive_counts {
    uint32_t rows, rest;
} phive_counts;

phive_counts phive_counts_of(const lathe_doc *doc, uint32_t c);

/* Size of a row of hit masks in bytes. */
uint32_t phive_mask_size(const lathe_doc *doc, uint32_t c);

/* ---- opening (open.c) ------------------------------------------------------------------------------- */

int phive_sniff(const uint8_t *bytes, size_t n);
lathe_result phive_open(lathe_doc *doc, uint32_t c, lathe_error *err);

/* ---- the shape (shape.c) ---------------------------------------------------------------------------- */

/* Returns the root object of the tagfile with its layout, and opens the tagfile if necessary. *container:
 * that of the tagfile. */
lathe_result phive_shape(lathe_doc *doc, uint32_t c, rec_at *out, const phive_layout **layout,
                         uint32_t *container, lathe_error *err);

/* ---- materials (materials.c) ------------------------------------------------------------------------ */

lathe_result phive_material(lathe_doc *doc, uint64_t i, lathe_view *out, lathe_error *err);
/* Writes the name of material i (from 0), or its number. Returns the length. */
size_t phive_material_text(lathe_doc *doc, uint32_t c, uint32_t i, char *to, size_t cap);

/* Finds a material's number by name or number. LATHE_ERR_NAME: the game has no material of that name. */
lathe_result phive_material_number(lathe_doc *doc, uint32_t c, const lathe_value *value,
                                   uint32_t *id, lathe_error *err);

/* ---- sizes and offsets (sizes.c) -------------------------------------------------------------------- */

lathe_result phive_relayout(lathe_doc *doc, uint32_t c, lathe_error *err);
lathe_result phive_serialize(lathe_doc *doc, uint32_t c, const lathe_source *args, buf *out,
                             lathe_error *err);

/* ---- doc:check() (check.c) ---------------------------------------------------------------------------- */

void phive_check(lathe_doc *doc, uint32_t c, rec_report *report);

/* ---- making (made.c) ---------------------------------------------------------------------------------- */

/* Parses "v22"; PHIVE_NO_VARIANT: not a variant. */
phive_variant phive_variant_named(const lathe_value *value);
lathe_result phive_make(lathe_doc *maker, const lathe_source *fields, buf *out, lathe_error *err);
lathe_result phive_begin(lathe_doc *doc, uint32_t c, const rec_from *from, lathe_error *err);

#endif
