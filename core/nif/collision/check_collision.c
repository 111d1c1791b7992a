/* Checks which node each body of a bhkPhysicsSystem or bhkRagdollSystem belongs to:
 * formats/fo4-collision.md#1. */
#include "nif/collision/collision.h"

#include "gen/nif_types.h"

#include <inttypes.h>
#include <stdio.h>

typedef struct ties {
    lathe_doc *doc;
    rec_report *report;
    const nif_collisions *all;
} ties;

static void tell(const ties *t, const nif_tie *tie, const char *row, const char *what)
{
    rec_at at = nif_at(t->doc, nif_block(t->doc, 0, tie->block));
    rec_finding(t->report, LATHE_LEVEL_ERROR, &at, rec_slot_find(at.layout, row), REC_NO_ITEM, "%s",
                what);
}

static void tell_block(const ties *t, const nif_tie *tie, const char *row, uint32_t block,
                       const char *what)
{
    char text[96];
    snprintf(text, sizeof text, "blocks[%llu]%s", (unsigned long long)block + 1, what);
    tell(t, tie, row, text);
}

/* The system in a block; NULL: none, or it cannot be opened. Both lists are in block order. */
static const nif_system *system_of(const ties *t, uint32_t block, size_t *k)
{
    const nif_system *list = (const void *)t->all->systems.data;
    size_t n = t->all->systems.size / sizeof *list;
    while (*k < n && list[*k].block < block)
        ++*k;
    return *k < n && list[*k].block == block ? &list[*k] : NULL;
}

static void check_target(const ties *t, const nif_tie *tie)
{
    uint64_t back;
    uint32_t part = nif_block(t->doc, 0, tie->target);
    if (!nif_block_is(t->doc, part, &nif_NiAVObject)) {
        tell(t, tie, "target", "no node");
        return;
    }
    rec_at node = nif_at(t->doc, part);
    if (!node.layout || rec_opaque(t->doc, part, NULL) ||
        rec_raw(&node, rec_slot_find(node.layout, "collision_object"), 0, &back, NULL) != LATHE_OK)
        return;
    if ((uint32_t)back != tie->block)
        tell_block(t, tie, "target", tie->target, ", whose collision_object is another one");
}

static void check_tie(const ties *t, const nif_tie *tie, const nif_tie *before,
                      const nif_system *system)
{
    check_target(t, tie);
    if (tie->data == UINT32_MAX)
        tell(t, tie, "data", "no system of bodies");
    else if (!nif_block_is(t->doc, nif_block(t->doc, 0, tie->data), &nif_bhkSystem))
        tell_block(t, tie, "data", tie->data, " is no system of bodies");
    else if (system && tie->body >= system->bodies)
        tell_block(t, tie, "body_id", tie->data, " has no such body");
    else if (before && before->data == tie->data && before->body == tie->body)
        tell_block(t, tie, "body_id", before->block, " has the same body");
}

/* Reports bodies `from` up to `to`, which have no tie. */
static void check_free(const ties *t, const nif_system *system, uint64_t from, uint64_t to)
{
    rec_at at = nif_at(t->doc, nif_block(t->doc, 0, system->block));
    if (from < to)
        rec_finding(t->report, LATHE_LEVEL_WARNING, &at, rec_slot_find(at.layout, "system"),
                    REC_NO_ITEM, "body %" PRIu64 "%s: no bhkNPCollisionObject has it", from,
                    to - from > 1 ? " and more" : "");
}

/* Finds the bodies between those of ties, which are sorted. */
static void check_system(const ties *t, const nif_system *system, size_t *k)
{
    const nif_tie *list = (const void *)t->all->ties.data;
    size_t n = t->all->ties.size / sizeof *list;
    uint64_t next = 0;
    while (*k < n && list[*k].data < system->block)
        ++*k;
    for (; *k < n && list[*k].data == system->block; ++*k) {
        if (list[*k].body >= system->bodies)
            continue;
        check_free(t, system, next, list[*k].body);
        next = (uint64_t)list[*k].body + 1;
    }
    check_free(t, system, next, system->bodies);
}

static bool any_collision(lathe_doc *doc)
{
    for (uint64_t i = 0, n = nif_total(doc, 0); i < n; i++) {
        const rec_type *type = nif_part_type(doc, nif_block(doc, 0, i));
        if (rec_is_a(type, &nif_bhkSystem) || rec_is_a(type, &nif_bhkNPCollisionObject))
            return true;
    }
    return false;
}

void nif_check_collision(lathe_doc *doc, rec_report *report)
{
    ties t = {.doc = doc, .report = report};
    t.all = any_collision(doc) ? nif_collisions_of(doc, NULL) : NULL;
    if (!t.all)
        return;
    const nif_tie *list = (const void *)t.all->ties.data;
    size_t n = t.all->ties.size / sizeof *list, k = 0;
    for (size_t i = 0; i < n && !report->stopped; i++)
        check_tie(&t, &list[i], i ? &list[i - 1] : NULL, system_of(&t, list[i].data, &k));
    const nif_system *systems = (const void *)t.all->systems.data;
    n = t.all->systems.size / sizeof *systems;
    k = 0;
    for (size_t i = 0; i < n && !report->stopped; i++)
        check_system(&t, &systems[i], &k);
}
