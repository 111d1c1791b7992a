/* Nested values made in C, for making a file of them: what a table is in Lua. */
#ifndef LATHE_HAVOK_PHYSICS_VALUES_H
#define LATHE_HAVOK_PHYSICS_VALUES_H

#include "base/mem.h"

/* A table, whose entries have names, or a list, whose entries have none. */
typedef struct hk_node hk_node;

typedef struct hk_values {
    arena arena;
    hk_node *top;
    bool failed; /* no memory for something that was put: nothing of it can be trusted */
} hk_values;

/* Names are borrowed. `to` may be NULL, which puts nothing: so who makes a tree looks once, at the end,
 * whether that failed. */
void hk_values_open(hk_values *v, const mem *m);
void hk_values_close(hk_values *v);

hk_node *hk_put_table(hk_values *v, hk_node *to, const char *name);
hk_node *hk_put_list(hk_values *v, hk_node *to, const char *name);
void hk_put_int(hk_values *v, hk_node *to, const char *name, int64_t i);
void hk_put_uint(hk_values *v, hk_node *to, const char *name, uint64_t u);
void hk_put_real(hk_values *v, hk_node *to, const char *name, double f);
void hk_put_word(hk_values *v, hk_node *to, const char *name, const char *text); /* borrowed */
void hk_put_bytes(hk_values *v, hk_node *to, const char *name, const char *p, size_t n); /* … */
/* A list of n numbers. */
void hk_put_reals(hk_values *v, hk_node *to, const char *name, const double *f, size_t n);

/* As a source of the engine: reads *v, which stays where it is. */
lathe_source hk_values_source(hk_values *v);

#endif
