/* BSXFlags of the root: whether something collides, whether it moves, whether it is a ragdoll. */
#include "gen/nif_types.h"
#include "havok/physics/bodies.h"
#include "nif/collision/collide.h"
#include "nif/collision/collision.h"

/* The usual values in the games' files, for files that do not have the block: havok and articulated, dynamic. */
enum { BSX_STATIC = 0x82, BSX_MOVES = 0xC2 };

lathe_result nif_append_block(lathe_doc *doc, const char *type, rec_at *out, lathe_report *report,
                              lathe_error *err)
{
    rec_at root = rec_root(doc, 0);
    uint64_t n = nif_total(doc, 0);
    lathe_result r = rec_insert(&root, NIF_BLOCKS, n, 1, NULL, 0, err);
    if (r != LATHE_OK)
        return r;
    *out = nif_at(doc, nif_block(doc, 0, n));
    r = rec_retype(out, type, strlen(type), err);
    *out = nif_at(doc, nif_block(doc, 0, n));
    if (r == LATHE_OK && report)
        report->changed++;
    return r;
}

static lathe_result put_value(const rec_at *flags, int64_t value, lathe_report *report,
                              lathe_error *err)
{
    if (report)
        report->changed++;
    return rec_put_raw(flags, rec_slot_find(flags->layout, "value"), 0, (uint64_t)value, err);
}

/* ---- bits that are set ------------------------------------------------------------------------------------ */

static lathe_result add_block(const rec_at *root_block, bool moves, lathe_report *report,
                              lathe_error *err)
{
    lathe_doc *doc = root_block->doc;
    uint32_t list = rec_slot_find(root_block->layout, "extra_data_list");
    const lathe_value name = {.kind = LATHE_KIND_STRING, .as.s = {"BSX", 3}};
    rec_at flags;
    rec_loc loc;
    lathe_result r = nif_append_block(doc, "BSXFlags", &flags, report, err);
    if (r == LATHE_OK)
        r = rec_set(&flags, rec_slot_find(flags.layout, "name"), &name, err);
    if (r == LATHE_OK)
        r = put_value(&flags, moves ? BSX_MOVES : BSX_STATIC, NULL, err);
    if (r == LATHE_OK)
        r = rec_find_present(root_block, list, &loc, err);
    if (r == LATHE_OK)
        r = rec_insert(root_block, list, loc.count, 1, NULL, 0, err);
    return r == LATHE_OK
               ? rec_put_raw(root_block, list, loc.count, nif_number(doc, flags.part), err)
               : r;
}

static bool is_flags(lathe_doc *doc, uint32_t part, rec_at *out)
{
    if (!nif_block_is(doc, part, &nif_BSXFlags))
        return false;
    *out = nif_at(doc, part);
    return true;
}

/* The first BSXFlags of the root, or else of the file: the root may be another block than the first. *can: the first block
 * can have one. */
static bool find_flags(lathe_doc *doc, rec_at *root, rec_at *out, bool *can)
{
    rec_loc loc;
    *root = nif_at(doc, nif_block(doc, 0, 0));
    *can = nif_block_is(doc, root->part, &nif_NiObjectNET) &&
           rec_find(root, rec_slot_find(root->layout, "extra_data_list"), &loc, NULL) == LATHE_OK &&
           loc.present;
    for (uint64_t i = 0; *can && i < loc.count; i++)
        if (is_flags(doc, nif_target(root, "extra_data_list", i), out))
            return true;
    for (uint64_t i = 0; i < nif_total(doc, 0); i++)
        if (is_flags(doc, nif_block(doc, 0, i), out))
            return true;
    return false;
}

lathe_result nif_add_flags(lathe_doc *doc, bool moves, lathe_report *report, lathe_error *err)
{
    rec_at root, flags;
    bool can;
    if (!find_flags(doc, &root, &flags, &can))
        return can ? add_block(&root, moves, report, err) : LATHE_OK;
    int64_t now = rec_int(&flags, "value"),
            to = now | NIF_BSX_HAVOK | (moves ? NIF_BSX_DYNAMIC : 0);
    return now == to ? LATHE_OK : put_value(&flags, to, report, err);
}

lathe_result nif_body_moves(lathe_doc *doc, uint32_t c, lathe_error *err)
{
    (void)c;
    return nif_add_flags(doc, true, NULL, err);
}

/* ---- bits that are cleared -------------------------------------------------------------------------------- */

/* True if a body of the file moves, or if that is unknown: a system cannot be read, or belongs to an older game. */
static lathe_result any_moves(lathe_doc *doc, bool *moves, lathe_error *err)
{
    uint64_t unread = 0;
    const nif_collisions *all = nif_collisions_of(doc, err);
    if (!all)
        return LATHE_ERR_MEMORY;
    const nif_system *systems = (const void *)all->systems.data;
    *moves = false;
    for (size_t k = 0; k < all->systems.size / sizeof *systems && !*moves; k++) {
        hk_body_of body;
        rec_at at;
        double inverse;
        for (uint64_t i = 0; i < systems[k].bodies && !*moves; i++)
            *moves = hk_body_number(doc, systems[k].container, i, &body, NULL) == LATHE_OK &&
                     hk_body_side_of(&body, HK_SIDE_MOTION, &at) && hk_has_mass(&at, &inverse);
    }
    for (uint64_t i = 0; i < nif_total(doc, 0); i++) {
        const rec_type *type = nif_part_type(doc, nif_block(doc, 0, i));
        unread += rec_is_a(type, &nif_bhkSystem);
        *moves |= rec_is_a(type, &nif_bhkWorldObject);
    }
    *moves |= unread > all->systems.size / sizeof *systems;
    return LATHE_OK;
}

/* Which of the bits something in the file accounts for. */
static lathe_result bits_in_use(lathe_doc *doc, uint32_t asked, uint32_t *bits, lathe_error *err)
{
    bool moves = false;
    lathe_result r = LATHE_OK;
    *bits = 0;
    for (uint64_t i = 0; i < nif_total(doc, 0); i++) {
        const rec_type *type = nif_part_type(doc, nif_block(doc, 0, i));
        if (rec_is_a(type, &nif_NiCollisionObject))
            *bits |= NIF_BSX_HAVOK;
        if (rec_is_a(type, &nif_bhkRagdollSystem) || rec_is_a(type, &nif_bhkConstraint) ||
            rec_is_a(type, &nif_bhkBallSocketConstraintChain))
            *bits |= NIF_BSX_RAGDOLL;
    }
    if (asked & NIF_BSX_DYNAMIC && *bits & NIF_BSX_HAVOK)
        r = any_moves(doc, &moves, err);
    *bits |= moves ? NIF_BSX_DYNAMIC : 0;
    return r;
}

static void tell(lathe_report *report, uint32_t cleared)
{
    static const struct {
        uint32_t bit;
        const char *name;
    } names[] = {
        {NIF_BSX_HAVOK, "havok"}, {NIF_BSX_RAGDOLL, "ragdoll"}, {NIF_BSX_DYNAMIC, "dynamic"}};
    for (size_t i = 0; report && report->result && i < REC_COUNT_OF(names); i++) {
        const lathe_value v = {.kind = LATHE_KIND_STRING,
                               .as.s = {names[i].name, strlen(names[i].name)}};
        if (cleared & names[i].bit)
            report->result(report->user, "flags", &v);
    }
}

lathe_result nif_drop_flags(lathe_doc *doc, uint32_t removed, lathe_report *report,
                            lathe_error *err)
{
    rec_at root, flags;
    bool can;
    uint32_t in_use, may_go;
    if (!find_flags(doc, &root, &flags, &can))
        return LATHE_OK;
    may_go = (uint32_t)rec_int(&flags, "value") & removed;
    lathe_result r = may_go ? bits_in_use(doc, may_go, &in_use, err) : LATHE_OK;
    if (r != LATHE_OK || !may_go || !(may_go & ~in_use))
        return r;
    find_flags(doc, &root, &flags, &can); /* packfiles may have been opened meanwhile */
    tell(report, may_go & ~in_use);
    return put_value(&flags, rec_int(&flags, "value") & ~(int64_t)(may_go & ~in_use), report, err);
}
