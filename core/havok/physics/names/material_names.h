/* Names of collision materials that are not known: told in reports of verbs, and by doc:check. */
#ifndef LATHE_HAVOK_PHYSICS_MATERIAL_NAMES_H
#define LATHE_HAVOK_PHYSICS_MATERIAL_NAMES_H

#include "record/record.h"

enum { HK_NAMES_TOLD = 32 /* so many different ones in a report */ };

/* The names that a call of a verb gives. */
typedef struct hk_names {
    lathe_report *report;
    bool quiet;
    uint32_t told[HK_NAMES_TOLD];
    size_t n;
} hk_names;

/* The option that all verbs have that take such names: warn or allow. */
extern const rec_param hk_unknown_param;
hk_names hk_names_of(const lathe_source *args, lathe_report *report);
/* Adds a text to the report's `warnings` where it is a name that is not known. A number is none. */
void hk_names_check(hk_names *names, const char *p, size_t n);
void hk_names_check_arg(hk_names *names, const lathe_value *v);

/* doc:check of a stored number: one that the games do not use. Option `unknown` of the check: as that of verbs. */
void hk_check_material(rec_report *report, const rec_at *at, uint32_t slot);

#endif
