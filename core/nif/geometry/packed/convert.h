/* Converts between the layouts of precombined geometry: inline, shared, inline+table.
 * formats/precombined.md#6 */
#ifndef LATHE_NIF_PACKED_CONVERT_H
#define LATHE_NIF_PACKED_CONVERT_H

#include "nif/geometry/mesh.h"

/* Inside an edit: converts a block to a layout (NIF_PACKED_INLINE, …_TABLE or both) and to the type that goes
 * with it. The block gets a new part with the same number: call nif_number before and nif_block afterwards.
 * Places in the old part are invalid. into: the result of nif_into_arg. Rows are found there or appended; its
 * edit ends with that of `doc`, which from then on uses it as the file of that name. NULL if no rows are
 * needed: inline has none, and inline+table keeps those of shared. */
lathe_result nif_packed_convert(lathe_doc *doc, uint32_t part, uint64_t layout, lathe_doc *into,
                                lathe_error *err);

/* The verb. */
extern const char nif_convert_doc[];
extern const rec_param *const nif_convert_params[];
lathe_result nif_convert(lathe_view self, const lathe_source *args, lathe_report *report,
                         lathe_error *err);

#endif
