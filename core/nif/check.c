/* doc:check() of a NIF: problems that do not prevent opening. Invalid string numbers and block numbers,
 * unused strings, reference cycles, bytes behind the end. */
#include "nif/check.h"
#include "havok/physics/names/material_names.h"
#include "nif/collision/collision.h"
#include "nif/geometry/check.h"
#include "nif/nif.h"

enum { UNSEEN, OPEN, DONE };

typedef struct edge {
    uint32_t from, to;
} edge;

/* Data collected in one pass over all references. */
typedef struct gathered {
    rec_report *report;
    uint64_t blocks, strings;
    uint32_t c;     /* the container */
    uint32_t from;  /* the block that is being visited */
    buf edges;      /* of edge, in order of `from` */
    uint8_t *named; /* for each string, whether a block refers to it */
    bool full;      /* out of memory */
} gathered;

static lathe_result gather(void *user, const nif_link *link, lathe_error *err)
{
    gathered *g = user;
    (void)err;
    if (link->value == 0xFFFFFFFF)
        return LATHE_OK;
    if (link->text && link->value < g->strings)
        g->named[link->value] = 1;
    else if (link->text)
        rec_finding(g->report, LATHE_LEVEL_ERROR, link->at, link->slot, link->item,
                    "strings[%llu] of %llu", (unsigned long long)link->value + 1,
                    (unsigned long long)g->strings);
    else if (!link->back && link->value < g->blocks) {
        const edge e = {g->from, link->value};
        g->full = g->full || !buf_put(&g->edges, &e, sizeof e);
    }
    return LATHE_OK;
}

/* ---- cycles -------------------------------------------------------------------------------------------- */

typedef struct walker {
    const edge *edges;
    uint32_t *next;  /* for each block, its first edge that was not followed yet */
    uint32_t *stack; /* blocks on the path from the start */
    uint8_t *state;
    uint32_t count; /* number of edges */
} walker;

static void tell_cycle(const gathered *g, uint32_t from, uint32_t to)
{
    lathe_doc *doc = g->report->doc;
    rec_at block = nif_at(doc, nif_block(doc, g->c, from));
    if (block.layout)
        rec_finding(g->report, LATHE_LEVEL_ERROR, &block, REC_NO_SLOT, REC_NO_ITEM,
                    "refers to blocks[%llu], which leads back to it", (unsigned long long)to + 1);
}

/* Walks down from one block, without recursion: the depth is determined by the file. */
static void walk_down(const gathered *g, walker *w, uint32_t start)
{
    uint32_t depth = 0;
    w->stack[0] = start;
    w->state[start] = OPEN;
    for (;;) {
        uint32_t here = w->stack[depth], k = w->next[here];
        if (k < w->count && w->edges[k].from == here) {
            uint32_t to = w->edges[k].to;
            w->next[here]++;
            if (w->state[to] == OPEN)
                tell_cycle(g, here, to);
            if (w->state[to] == UNSEEN) {
                w->state[to] = OPEN;
                w->stack[++depth] = to;
            }
            continue;
        }
        w->state[here] = DONE;
        if (depth-- == 0)
            return;
    }
}

static void find_cycles(const gathered *g, lathe_doc *doc)
{
    size_t n = (size_t)g->blocks;
    buf room;
    buf_init(&room, &doc->mem);
    if (!buf_fill(&room, 0, n * 9))
        return;
    uint32_t *numbers = (uint32_t *)(void *)room.data;
    walker w = {(const edge *)(const void *)g->edges.data, numbers, numbers + n,
                (uint8_t *)(numbers + 2 * n), (uint32_t)(g->edges.size / sizeof(edge))};
    for (uint32_t i = 0, k = 0; i < n; i++) {
        w.next[i] = k;
        while (k < w.count && w.edges[k].from == i)
            k++;
    }
    for (uint32_t i = 0; i < n; i++)
        if (w.state[i] == UNSEEN)
            walk_down(g, &w, i);
    buf_free(&room);
}

/* ---- all checks ---------------------------------------------------------------------------------------- */

static void tell_unused(const gathered *g, const rec_at *root)
{
    for (uint64_t i = 0; i < g->strings && !g->report->stopped; i++)
        if (!g->named[i])
            rec_finding(g->report, LATHE_LEVEL_WARNING, root, NIF_STRINGS, i,
                        "no block names this string");
}

static void check_types(const rec_at *root, rec_report *report)
{
    rec_loc index, types;
    if (rec_find(root, NIF_BLOCK_TYPE_INDEX, &index, NULL) != LATHE_OK || !index.present ||
        rec_find(root, NIF_BLOCK_TYPES, &types, NULL) != LATHE_OK)
        return;
    const uint8_t *p = rec_part_of(root->doc, index.data_part)->data + index.data;
    for (uint64_t i = 0; i < index.count && !report->stopped; i++) {
        unsigned number = bytes_ld16(p + 2 * i, false) & 0x7FFF;
        if (number >= types.count)
            rec_finding(report, LATHE_LEVEL_ERROR, root, NIF_BLOCK_TYPE_INDEX, i,
                        "block_types[%u] of %llu", number + 1, (unsigned long long)types.count);
    }
}

static void check_end(lathe_doc *doc, const rec_at *root, rec_report *report)
{
    uint32_t rest = rec_kid(doc, root->part, NIF_REST, 0);
    uint64_t n = rest == REC_NO_PART ? 0 : rec_part_of(doc, rest)->size;
    if (n)
        rec_finding(report, LATHE_LEVEL_WARNING, root, NIF_REST, REC_NO_ITEM,
                    "%llu bytes behind the footer", (unsigned long long)n);
}

static lathe_result check_material(void *user, const rec_at *at, lathe_error *err)
{
    (void)err;
    hk_check_material(user, at, rec_slot_find(at->layout, "material"));
    return LATHE_OK;
}

/* Checks material names; older games use their own numbers. */
static void check_materials(lathe_doc *doc, uint32_t part, rec_report *report)
{
    lathe_error err;
    if (!nif_has_collision(nif_part_type(doc, part)) || rec_opaque(doc, part, NULL))
        return;
    rec_at block = nif_at(doc, part);
    if (block.layout && NIF_AT_B(&block) >= NIF_SKYRIM)
        nif_each_collision(&block, check_material, report, &err); /* errors were reported before */
}

/* True if every block has a known type and can be parsed. */
static bool check_blocks(lathe_doc *doc, uint32_t c, const rec_at *root, gathered *g)
{
    lathe_error err;
    bool all = g->blocks == (uint64_t)rec_slot_int(root, NIF_NUM_BLOCKS);
    for (; g->from < g->blocks; g->from++) {
        uint32_t part = nif_block(doc, c, g->from);
        const rec_layout *layout = rec_part_root(doc, part);
        all = all && layout && layout->type != &nif_opaque && !rec_opaque(doc, part, NULL);
        nif_each_link(doc, part, gather, g, &err);
        nif_check_triangles(doc, part, g->report);
        check_materials(doc, part, g->report);
    }
    if (all) /* otherwise unknown blocks may refer to them */
        tell_unused(g, root);
    if (g->blocks && !g->full)
        find_cycles(g, doc);
    return all;
}

void nif_check(lathe_doc *doc, uint32_t c, rec_report *report)
{
    rec_at root = rec_root(doc, c);
    gathered g = {.report = report, .c = c, .blocks = nif_total(doc, c)};
    nif_checks k = {.doc = doc, .report = report, .c = c, .blocks = g.blocks};
    rec_loc strings;
    buf named;
    if (g.blocks != (uint64_t)rec_slot_int(&root, NIF_NUM_BLOCKS))
        rec_finding(report, LATHE_LEVEL_WARNING, &root, NIF_REST, REC_NO_ITEM,
                    "blocks[%llu] and what follows are not known: its type is not described, or it "
                    "does not parse",
                    (unsigned long long)g.blocks + 1);
    else
        check_end(doc, &root, report);
    check_types(&root, report);
    if (rec_find(&root, NIF_STRINGS, &strings, NULL) == LATHE_OK && strings.present)
        g.strings = strings.count;
    buf_init(&named, &doc->mem);
    buf_init(&g.edges, &doc->mem);
    if (buf_fill(&named, 0, (size_t)g.strings + 1)) {
        g.named = named.data;
        k.complete = check_blocks(doc, c, &root, &g);
    }
    buf_free(&named);
    buf_free(&g.edges);
    nif_check_skins(&k);
    nif_check_shapes(&k);
    nif_check_packed(&k);
    nif_check_bsx(&k);
    if (c == 0 && !report->stopped)
        nif_check_collision(doc, report);
}
