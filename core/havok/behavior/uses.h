/* What refers to an event, a variable or a state. Internal to this folder. */
#ifndef LATHE_HAVOK_GRAPH_USES_H
#define LATHE_HAVOK_GRAPH_USES_H

#include "havok/behavior/edit.h"

/* Fails with LATHE_ERR_INVALID, and the paths of the first uses, if there are any. */
lathe_result hk_uses_none(lathe_doc *doc, const hk_graph *g, hk_named_kind kind, uint64_t i,
                          lathe_error *err);
/* Inside an edit: numbers above i become one less. Fails where objects are not described, whose members are unknown. */
lathe_result hk_ids_close_up(lathe_doc *doc, uint32_t c, hk_named_kind kind, uint64_t i,
                             lathe_error *err);

#endif
