/* Faults for which a check reports a finding, and an edit is refused. */
#ifndef LATHE_HAVOK_OBJECTS_FAULT_H
#define LATHE_HAVOK_OBJECTS_FAULT_H

#include "havok/objects/finding.h"

/* Takes a fault at a member; `item`: of an array's element, or REC_NO_ITEM. False: no more of them. */
typedef struct hk_faults {
    bool (*tell)(struct hk_faults *to, const rec_at *at, const char *member, uint64_t item,
                 const char *text);
    rec_report *report;  /* of hk_fault_found */
    lathe_error *err;    /* of hk_fault_refused … */
    lathe_result result; /* … what to fail with: LATHE_OK, or an error */
} hk_faults;

/* Reports each as an error. */
bool hk_fault_found(hk_faults *to, const rec_at *at, const char *member, uint64_t item,
                    const char *text);
/* Fails with the first. */
bool hk_fault_refused(hk_faults *to, const rec_at *at, const char *member, uint64_t item,
                      const char *text);

/* A member that should lead to an object of a class or of one derived from it. *part: the object, or REC_NO_PART. False:
 * no more faults. `what`: what should be there, in words. */
bool hk_fault_target(hk_faults *to, const rec_at *at, const char *member, uint64_t item,
                     const char *class_name, const char *what, uint32_t *part);

#endif
