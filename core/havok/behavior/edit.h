/* Changing behavior graphs. All functions but the verbs run inside an edit. Internal to this folder. */
#ifndef LATHE_HAVOK_GRAPH_EDIT_H
#define LATHE_HAVOK_GRAPH_EDIT_H

#include "havok/behavior/graph.h"

/* Values of hkbVariableInfo::VariableType. */
enum {
    HK_VARIABLE_INVALID = -1,
    HK_VARIABLE_BOOL,
    HK_VARIABLE_INT8,
    HK_VARIABLE_INT16,
    HK_VARIABLE_INT32,
    HK_VARIABLE_REAL,
    HK_VARIABLE_POINTER,
    HK_VARIABLE_VECTOR3,
    HK_VARIABLE_VECTOR4,
    HK_VARIABLE_QUATERNION
};

/* ---- names (rename.c) ------------------------------------------------------------------------------------- */

/* Gives event or variable number i another name, also in expressions. LATHE_ERR_INVALID: another one has it. */
lathe_result hk_rename_number(lathe_doc *doc, uint32_t c, hk_named_kind kind, uint64_t i,
                              const lathe_value *name, lathe_error *err);
/* Fails unless `name` is a text that no event, variable or (`machine`) state of that machine has. */
lathe_result hk_name_new(lathe_doc *doc, const hk_graph *g, hk_named_kind kind, uint32_t machine,
                         const lathe_value *name, lathe_error *err);

/* ---- values (variables.c) --------------------------------------------------------------------------------- */

/* The 32 bits that a variable of the type stores for a number or truth value. Errors name row `slot` of `at`. */
lathe_result hk_variable_bits(const rec_at *at, uint32_t slot, int64_t type,
                              const lathe_value *value, uint32_t *bits, lathe_error *err);

/* ---- members and objects (parts.c) ------------------------------------------------------------------------- */

lathe_result hkb_put_value(const rec_at *at, const char *row, const lathe_value *v,
                           lathe_error *err);
lathe_result hkb_put_integer(const rec_at *at, const char *row, int64_t value, lathe_error *err);
/* Appends an element with default values; *element (NULL: not wanted) is its record. */
lathe_result hkb_append(const rec_at *at, const char *row, rec_at *element, lathe_error *err);
/* Appends an object of a class with default values. */
lathe_result hkb_append_object(lathe_doc *doc, uint32_t c, const char *class_name, rec_at *object,
                               lathe_error *err);
/* Appends a pointer to an object. */
lathe_result hkb_append_pointer(const rec_at *at, const char *row, const rec_at *to,
                                lathe_error *err);
lathe_result hkb_point_to(const rec_at *at, const char *row, const rec_at *to, lathe_error *err);

/* A new clip generator, which nothing leads to yet. */
lathe_result hk_make_clip(lathe_doc *doc, uint32_t c, const lathe_value *clip_name,
                          const lathe_value *file, rec_at *out, lathe_error *err);

/* How many objects of a class have a name, and the first one. */
lathe_result hk_objects_named(lathe_doc *doc, uint32_t c, const lathe_value *name,
                              const rec_type *type, rec_at *first, uint64_t *found,
                              lathe_error *err);
/* An option of a verb that is an object of this document of a class, or the name of one, or left out (*object has no
 * .layout). LATHE_ERR_INVALID: none or several have that name. */
lathe_result hk_object_option(lathe_doc *doc, uint32_t c, const lathe_source *args,
                              const char *option, const rec_type *type, rec_at *object,
                              lathe_error *err);
/* The same for a state: its number in g->states, or UINT64_MAX where it is left out. A name may also be machine/state;
 * `machine` (or REC_NO_PART) has the state if several have that name. */
lathe_result hk_state_option(lathe_doc *doc, const hk_graph *g, const lathe_source *args,
                             const char *option, uint32_t machine, uint64_t *i, lathe_error *err);
/* Option `option` is the name or number of an event or variable. */
lathe_result hk_number_option(lathe_doc *doc, const hk_graph *g, hk_named_kind kind,
                              const lathe_source *args, const char *option, uint64_t *i,
                              lathe_error *err);

/* Adds to the report what a verb made: as a record, as a number. */
void hk_report_record(lathe_report *report, const char *name, const rec_at *at);
void hk_report_integer(lathe_report *report, const char *name, int64_t value);
void hk_report_note(lathe_report *report, const char *fmt, ...) ERROR_PRINTF(2, 3);

/* Sets option `option` of `args` as member `row`, if it is given. */
lathe_result hkb_take_option(const rec_at *at, const char *row, const lathe_source *args,
                             const char *option, lathe_error *err);

#endif
