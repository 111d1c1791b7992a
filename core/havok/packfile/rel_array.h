/* hkRelArray: a count and an offset of 16 bits each, the offset from the array's own head. The elements lie in
 * the same object, and no fixup tells of them. Inside of havok/. Reference: formats/fo4-collision.md#3.2.
 *
 * Heads are members of an object's own struct, and elements have no data of their own. */
#ifndef LATHE_HAVOK_REL_ARRAY_H
#define LATHE_HAVOK_REL_ARRAY_H

#include "havok/packfile/packfile.h"

enum {
    HK_REL_OFFSET = 2,
    HK_REL_MOST = UINT16_MAX
}; /* the offset's place in the head; both numbers' most */

extern const rec_body hk_rel_body;

/* An array that has elements, as the file tells it: they may be outside of the object. */
typedef struct hk_rel {
    uint32_t slot;
    uint64_t site, count, start, end;
} hk_rel;

/* The array of row `s` whose head is at `site` of the object in part `p`. */
hk_rel hk_rel_at(lathe_doc *doc, const rec_part *p, const rec_slot *s, uint64_t site);
/* Finds the next array of an object that has elements, from slot *slot on; *slot becomes the slot behind it. False: there
 * is none. */
bool hk_rel_next(lathe_doc *doc, uint32_t part, uint32_t *slot, hk_rel *out);
/* Number of arrays that have elements in [off, end). */
uint32_t hk_rels_within(lathe_doc *doc, uint32_t part, uint64_t off, uint64_t end);
/* Smallest start at or behind `off` among the arrays whose heads are at or behind `site`; `most` if there is none before it. */
uint64_t hk_rel_start(lathe_doc *doc, uint32_t part, uint64_t off, uint64_t site, uint64_t most);
/* Greatest start up to `off`, in *start; returns the number of arrays that begin there, 0: none. */
uint32_t hk_rel_before(lathe_doc *doc, uint32_t part, uint64_t off, uint64_t *start);
/* Site of head number k (from 0) of the arrays that begin at `start`. */
uint64_t hk_rel_site(lathe_doc *doc, uint32_t part, uint64_t start, uint32_t k);
/* Whether all arrays lie between the object's struct and its end, and none overlap. */
bool hk_rels_disjoint(lathe_doc *doc, uint32_t part);

/* Stored positions, for the format's hook .refs. */
lathe_result hk_rel_refs(lathe_doc *doc, uint32_t part,
                         lathe_result (*emit)(void *user, const rec_refs *run, lathe_error *err),
                         void *user, lathe_error *err);
/* .resizes of such rows: what would lie further behind its head than 16 bits can say is refused. */
lathe_result hk_rel_resizes(const rec_at *at, const rec_field *row, uint64_t i, uint64_t removed,
                            uint64_t inserted, lathe_error *err);

#endif
