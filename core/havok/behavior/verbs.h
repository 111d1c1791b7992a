/* The verbs of behavior graphs. */
#ifndef LATHE_HAVOK_GRAPH_VERBS_H
#define LATHE_HAVOK_GRAPH_VERBS_H

#include "record/record.h"

typedef lathe_result hk_graph_verb(lathe_view self, const lathe_source *args, lathe_report *report,
                                   lathe_error *err);

/* Names of events, variables and states (rename.c). `what` says which; the caller has checked that it is one of them. */
hk_graph_verb hk_graph_rename;
extern const rec_param hk_rename_what;

/* All others, for the table of a format: HK_GRAPH_VERBS. */
hk_graph_verb hk_replace_animation, hk_uses;
hk_graph_verb hk_add_event, hk_remove_event, hk_add_variable, hk_remove_variable;
hk_graph_verb hk_add_state, hk_remove_state, hk_add_transition, hk_remove_transition, hk_add_clip;
extern const rec_param *const hk_replace_animation_params[], *const hk_uses_params[];
extern const rec_param *const hk_add_event_params[], *const hk_remove_event_params[];
extern const rec_param *const hk_add_variable_params[], *const hk_remove_variable_params[];
extern const rec_param *const hk_add_state_params[], *const hk_remove_state_params[];
extern const rec_param *const hk_add_transition_params[], *const hk_remove_transition_params[];
extern const rec_param *const hk_add_clip_params[];

#endif
