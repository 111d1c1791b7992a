/* Other layouts for precombined geometry: inline, shared, inline+table. formats/precombined.md#6 */
#ifndef LATHE_NIF_PACKED_CONVERT_H
#define LATHE_NIF_PACKED_CONVERT_H

#include "nif/geometry/mesh.h"

/* Inside an edit: the block in a part gets a layout (NIF_PACKED_INLINE, …_TABLE or both), and the type that goes with it.
 * It is another part then, with the same number: ask nif_number before and nif_block afterwards. Places in the old one
 * are gone. into: what nif_into_arg gives; rows are found in it or added to it; its edit
 * ends with that of `doc`, which uses it for what has its name from then on. NULL where no rows are needed: what is
 * inline has none, and inline+table keeps those of shared. */
lathe_result nif_packed_convert(lathe_doc *doc, uint32_t part, uint64_t layout, lathe_doc *into,
                                lathe_error *err);

/* The verb. */
extern const char nif_convert_doc[];
extern const rec_param *const nif_convert_params[];
lathe_result nif_convert(lathe_view self, const lathe_source *args, lathe_report *report,
                         lathe_error *err);

#endif
