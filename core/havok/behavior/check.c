/* What a game would stumble over in a behavior graph. An error is what it refuses, crashes at or can never do; what merely
 * looks wrong is a warning. */
#include "havok/behavior/check.h"

void hk_check_graph(rec_report *report, lathe_doc *doc, uint32_t c)
{
    static hk_graph_checks *const checks[] = {
        hk_check_graph_data, hk_check_characters,        hk_check_graph_ids,
        hk_check_machines,   hk_check_transitions,       hk_check_nodes,
        hk_check_bindings,   hk_check_graph_expressions, hk_check_circles};
    lathe_error err;
    hk_graph_look k = {.report = report, .doc = doc, .c = c, .error = LATHE_LEVEL_ERROR};
    if (doc->containers[c].version >= HK_2014)
        k.error = LATHE_LEVEL_WARNING;
    lathe_result r = hk_graph_of(doc, c, &k.g, &err);
    for (size_t i = 0; r == LATHE_OK && i < REC_COUNT_OF(checks) && !report->stopped; i++)
        r = checks[i](&k, &err);
    if (r == LATHE_ERR_MEMORY) /* what cannot be read was reported */
        rec_found(report, LATHE_LEVEL_ERROR, &err);
}
