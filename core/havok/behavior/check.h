/* doc:check() of behavior graphs. */
#ifndef LATHE_HAVOK_GRAPH_CHECK_H
#define LATHE_HAVOK_GRAPH_CHECK_H

#include "havok/behavior/graph.h"
#include "havok/objects/finding.h"

/* All that a packfile has of behaviors: the graph's data, members that refer to it, nodes, state machines. CHECKS.md lists
 * what is found. */
void hk_check_graph(rec_report *report, lathe_doc *doc, uint32_t c);

/* ---- inside ------------------------------------------------------------------------------------------ */

typedef struct hk_graph_look {
    rec_report *report;
    lathe_doc *doc;
    uint32_t c;
    const hk_graph *g;
    lathe_level error; /* a warning where no file of the game proves what is checked */
    bool numbered;     /* the file has one graph with names, so that ids can be compared with it */
    uint64_t events, variables, properties; /* of that graph: how many ids mean something */
} hk_graph_look;

/* These fail for lack of memory, or where data cannot be read, which other checks report. */
typedef lathe_result hk_graph_checks(hk_graph_look *k, lathe_error *err);
hk_graph_checks hk_check_graph_data;        /* check_data.c; sets the last four members */
hk_graph_checks hk_check_characters;        /* check_data.c */
hk_graph_checks hk_check_graph_ids;         /* check_ids.c */
hk_graph_checks hk_check_graph_expressions; /* check_ids.c */
hk_graph_checks hk_check_machines;          /* check_states.c */
hk_graph_checks hk_check_transitions;       /* check_states.c */
hk_graph_checks hk_check_nodes;             /* check_nodes.c */
hk_graph_checks hk_check_bindings;          /* check_bindings.c */
hk_graph_checks hk_check_circles;           /* check_circles.c */

/* Whether a member of a node follows a variable or property, by Havok's name of the member (check_bindings.c). */
lathe_result hk_is_bound(const rec_at *node, const char *member, bool *out, lathe_error *err);

/* ---- names (check_names.c) ----------------------------------------------------------------------------- */

/* A name of something that has the number `i`. Names of one group differ. */
typedef struct hk_named {
    const char *text; /* borrowed; NULL: none */
    uint64_t group, i;
    uint64_t first; /* number of the first one of its group with the name */
} hk_named;

/* Calls `again` for each name that an earlier one equals, in the order of their numbers. Reorders the list of hk_named. */
void hk_names_again(buf *list, void (*again)(void *user, const hk_named *name), void *user);

#endif
