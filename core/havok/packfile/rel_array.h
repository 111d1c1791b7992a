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

/* The one whose head is at `site` of an object, which has that many bytes. */
hk_rel hk_rel_at(lathe_doc *doc, const rec_part *p, const rec_slot *s, uint64_t site);
/* The next one of an object from slot *slot on, which becomes the one behind. False: there are no more. */
bool hk_rel_next(lathe_doc *doc, uint32_t part, uint32_t *slot, hk_rel *out);
/* How many have elements in [off, end). */
uint32_t hk_rels_within(lathe_doc *doc, uint32_t part, uint64_t off, uint64_t end);
/* Where the first begins from `off` on, of those with heads behind `site`; but not behind `most`. */
uint64_t hk_rel_start(lathe_doc *doc, uint32_t part, uint64_t off, uint64_t site, uint64_t most);
/* The greatest start up to `off`, and how many heads have it; 0: there is none. */
uint32_t hk_rel_before(lathe_doc *doc, uint32_t part, uint64_t off, uint64_t *start);
/* Head number k, from 0, of those that begin at `start`. */
uint64_t hk_rel_site(lathe_doc *doc, uint32_t part, uint64_t start, uint32_t k);
/* Whether all lie between the object's struct and its end, and no two in each other. */
bool hk_rels_apart(lathe_doc *doc, uint32_t part);

/* Stored positions, for the format's hook .refs. */
lathe_result hk_rel_refs(lathe_doc *doc, uint32_t part,
                         lathe_result (*emit)(void *user, const rec_refs *run, lathe_error *err),
                         void *user, lathe_error *err);
/* .resizes of such rows: what would lie further behind its head than 16 bits can say is refused. */
lathe_result hk_rel_resizes(const rec_at *at, const rec_field *row, uint64_t i, uint64_t removed,
                            uint64_t inserted, lathe_error *err);

#endif
