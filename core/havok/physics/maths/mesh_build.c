/* From triangles to a mesh: join, split, quantise, then write section after section. */
#include "havok/physics/maths/mesh_parts.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#define NOBODY UINT32_MAX
#define SEVERAL (UINT32_MAX - 1)

typedef struct builder {
    hk_soup soup;
    arena scratch; /* of this round */
    hk_primitive *primitives;
    uint32_t n_primitives;
    uint32_t *ends, n_sections;
    uint32_t *owner;     /* of each vertex: the section that uses it, SEVERAL or NOBODY */
    float (*decoded)[3]; /* where each vertex lies in the mesh */
    uint64_t *code;      /* … as it is stored */
    float (*parms)[6];   /* of each section */
    hk_box domain;
} builder;

static lathe_result no_memory(lathe_error *err)
{
    return error_set(err, LATHE_ERR_MEMORY, LATHE_NO_OFFSET, "out of memory");
}

static uint32_t first_of(const builder *b, uint32_t section)
{
    return section > 0 ? b->ends[section - 1] : 0;
}

/* ---- quantising ---- */

/* Base and step of one axis. The last step never exceeds max: a section's domain must lie inside the mesh's. */
static void parms_of(float min, float max, double steps, float *base, float *step)
{
    *base = min;
    *step = (float)(((double)max - (double)min) / steps);
    while (*step > 0 && (float)((double)min + steps * (double)*step) > max)
        *step = nextafterf(*step, 0);
}

static uint64_t quantise(float at, double min, double extent, double steps)
{
    double q = extent > 0 ? floor(((double)at - min) / extent * steps + 0.5) : 0;
    return q > 0 ? q < steps ? (uint64_t)q : (uint64_t)steps : 0;
}

static void find_owners(builder *b)
{
    memset(b->owner, 0xff, b->soup.n_positions * sizeof *b->owner); /* NOBODY */
    b->domain = hk_box_none();
    for (uint32_t s = 0; s < b->n_sections; s++)
        for (uint32_t i = first_of(b, s); i < b->ends[s]; i++)
            for (unsigned k = 0; k < 4; k++) {
                uint32_t v = b->primitives[i].corner[k];
                b->owner[v] = b->owner[v] == NOBODY || b->owner[v] == s ? s : SEVERAL;
                hk_box_add(&b->domain, b->soup.positions[v]);
            }
}

static void share_vertices(builder *b)
{
    for (uint32_t v = 0; v < b->soup.n_positions; v++) {
        if (b->owner[v] != SEVERAL)
            continue;
        uint64_t code = 0;
        for (unsigned k = 0; k < 3; k++) {
            double min = (double)b->domain.min[k], extent = (double)b->domain.max[k] - min;
            code |= quantise(b->soup.positions[v][k], min, extent, hk_mesh_shared_steps(k))
                    << 21 * k;
        }
        b->code[v] = code;
        hk_mesh_unshare(b->domain.min, b->domain.max, code, b->decoded[v]);
    }
}

/* The box of the vertices that only one section has, or of all it has where others have them all. */
static hk_box packed_box(const builder *b, uint32_t section)
{
    hk_box own = hk_box_none(), all = own;
    for (uint32_t i = first_of(b, section); i < b->ends[section]; i++)
        for (unsigned k = 0; k < 4; k++) {
            uint32_t v = b->primitives[i].corner[k];
            hk_box_add(b->owner[v] == section ? &own : &all, b->soup.positions[v]);
        }
    return own.min[0] <= own.max[0] ? own : all;
}

static void pack_vertices(builder *b, uint32_t section)
{
    static const double steps[3] = {2047, 2047, 1023};
    hk_box box = packed_box(b, section);
    float *parms = b->parms[section];
    for (unsigned k = 0; k < 3; k++)
        parms_of(box.min[k], box.max[k], steps[k], &parms[k], &parms[3 + k]);
    for (uint32_t i = first_of(b, section); i < b->ends[section]; i++)
        for (unsigned c = 0; c < 4; c++) {
            uint32_t v = b->primitives[i].corner[c], code = 0;
            if (b->owner[v] != section)
                continue;
            for (unsigned k = 0; k < 3; k++)
                code |= (uint32_t)quantise(b->soup.positions[v][k], (double)parms[k],
                                           steps[k] * (double)parms[3 + k], steps[k])
                        << 11 * k;
            b->code[v] = code;
            hk_mesh_unpack(parms, code, b->decoded[v]);
        }
}

/* ---- rounds ---- */

/* The triangles of a primitive: how many. */
static unsigned triangles_of(const hk_primitive *p, uint32_t out[2][3])
{
    const uint32_t *c = p->corner;
    memcpy(out[0], c, sizeof out[0]);
    out[1][0] = c[0];
    out[1][1] = c[2];
    out[1][2] = c[3];
    return c[2] != c[3] ? 2 : 1;
}

/* Puts the triangles that have an area between quantised vertices back into the soup; how many have
 * none. */
static uint32_t drop_collapsed(builder *b)
{
    uint32_t n = 0, dropped = 0;
    for (uint32_t i = 0; i < b->n_primitives; i++) {
        uint32_t t[2][3];
        unsigned count = triangles_of(&b->primitives[i], t);
        for (unsigned k = 0; k < count; k++) {
            if (hk_mesh_no_area(b->decoded[t[k][0]], b->decoded[t[k][1]], b->decoded[t[k][2]])) {
                dropped++;
                continue;
            }
            memcpy(b->soup.triangles[n], t[k], sizeof t[k]);
            b->soup.materials[n++] = b->primitives[i].material;
        }
    }
    b->soup.n_triangles = n;
    return dropped;
}

static bool take_room(builder *b)
{
    arena *a = &b->scratch;
    size_t triangles = b->soup.n_triangles, vertices = b->soup.n_positions;
    b->primitives = arena_zalloc(a, triangles * sizeof *b->primitives);
    b->ends = arena_zalloc(a, triangles * sizeof *b->ends);
    b->owner = arena_zalloc(a, vertices * sizeof *b->owner);
    b->decoded = arena_zalloc(a, vertices * sizeof *b->decoded);
    b->code = arena_zalloc(a, vertices * sizeof *b->code);
    return b->primitives && b->ends && b->owner && b->decoded && b->code;
}

static lathe_result one_round(builder *b, lathe_error *err)
{
    const mem *m = b->scratch.mem;
    if (!take_room(b) || !hk_mesh_join(&b->soup, m, b->primitives, &b->n_primitives) ||
        !hk_mesh_split(&b->soup, m, b->primitives, b->n_primitives, b->ends, &b->n_sections))
        return no_memory(err);
    if (b->n_sections > HK_MESH_SECTIONS)
        return error_set(err, LATHE_ERR_LIMIT, LATHE_NO_OFFSET,
                         "the mesh takes %" PRIu32 " sections, but %d are the most", b->n_sections,
                         HK_MESH_SECTIONS);
    b->parms = arena_zalloc(&b->scratch, b->n_sections * sizeof *b->parms);
    if (!b->parms)
        return no_memory(err);
    find_owners(b);
    share_vertices(b);
    for (uint32_t s = 0; s < b->n_sections; s++)
        pack_vertices(b, s);
    return LATHE_OK;
}

/* What collapses is left out and everything is split anew, so that no section or box is there for
 * triangles that are not. A second round is rare. */
static lathe_result rounds(builder *b, size_t *collapsed, lathe_error *err)
{
    for (unsigned i = 0; i < 64; i++) {
        if (b->soup.n_triangles == 0)
            return error_set(err, LATHE_ERR_INVALID, LATHE_NO_OFFSET,
                             "no triangle has an area that is left");
        lathe_result r = one_round(b, err);
        uint32_t dropped = r == LATHE_OK ? drop_collapsed(b) : 0;
        if (r != LATHE_OK || dropped == 0)
            return r;
        *collapsed += dropped;
        arena_free(&b->scratch);
    }
    return error_set(err, LATHE_ERR_LIMIT, LATHE_NO_OFFSET,
                     "triangles are too thin for their sections' steps");
}

/* ---- writing ---- */

typedef struct writer {
    const builder *b;
    hk_mesh *mesh;
    hk_packed_section *sections;
    uint8_t (*primitives)[4];
    uint16_t *shared_index;
    uint32_t *packed;
    uint64_t *shared;
    hk_mesh_run *runs;
    uint8_t *nodes;          /* of all sections */
    hk_box *boxes;           /* of sections */
    uint32_t *shared_number; /* of each vertex, NOBODY before it is used */
    uint32_t *local, *seen;  /* of each vertex: its number in section `seen` - 1 */
} writer;

static hk_box primitive_box(const builder *b, const hk_primitive *p)
{
    hk_box box = hk_box_none();
    for (unsigned k = 0; k < 4; k++)
        hk_box_add(&box, b->decoded[p->corner[k]]);
    return box;
}

/* Sorts a section's primitives by material, then as their tree has them, and stores the tree. */
static bool write_tree(writer *w, uint32_t s, hk_packed_section *out, hk_primitive *sorted)
{
    const builder *b = w->b;
    uint32_t n = out->n_primitives, number[HK_MESH_PRIMITIVES], leaves = 0;
    hk_box boxes[HK_MESH_PRIMITIVES];
    hk_branch branches[2 * HK_MESH_PRIMITIVES - 1];
    hk_sorted order[HK_MESH_PRIMITIVES], room[HK_MESH_PRIMITIVES];
    const hk_primitive *from = b->primitives + first_of(b, s);
    w->boxes[s] = hk_box_none();
    for (uint32_t i = 0; i < n; i++) {
        boxes[i] = primitive_box(b, &from[i]);
        hk_box_join(&w->boxes[s], &boxes[i]);
    }
    if (!hk_tree_build(boxes, n, b->scratch.mem, branches))
        return false;
    for (uint32_t i = 0; i < 2 * n - 1; i++) {
        uint32_t leaf = branches[i].leaf;
        if (leaf == HK_INNER)
            continue;
        order[leaves] = (hk_sorted){from[leaf].material, (uint64_t)leaves << 32 | leaf};
        leaves++;
    }
    hk_sort(order, room, n);
    for (uint32_t i = 0; i < n; i++) {
        number[(uint32_t)order[i].then] = i;
        sorted[i] = from[(uint32_t)order[i].then];
    }
    hk_tree_pack(branches, &w->boxes[s], number, HK_MESH_NODE, w->nodes);
    out->nodes = w->nodes;
    out->n_nodes = 2 * n - 1;
    w->nodes += out->n_nodes * HK_MESH_NODE;
    memcpy(out->min, w->boxes[s].min, sizeof out->min);
    memcpy(out->max, w->boxes[s].max, sizeof out->max);
    return true;
}

/* Vertices in the order in which primitives have them: the section's own, then those of several. */
static void write_vertices(writer *w, uint32_t s, hk_packed_section *out,
                           const hk_primitive *sorted)
{
    const builder *b = w->b;
    hk_mesh *mesh = w->mesh;
    for (unsigned several = 0; several < 2; several++)
        for (uint32_t i = 0; i < out->n_primitives * 4u; i++) {
            uint32_t v = sorted[i / 4].corner[i % 4];
            if (w->seen[v] == s + 1 || (b->owner[v] == SEVERAL) != several)
                continue;
            w->seen[v] = s + 1;
            w->local[v] = (uint32_t)out->n_packed + out->n_shared;
            if (!several) {
                w->packed[mesh->n_packed++] = (uint32_t)b->code[v];
                out->n_packed++;
                continue;
            }
            if (w->shared_number[v] == NOBODY) {
                w->shared_number[v] = (uint32_t)mesh->n_shared;
                w->shared[mesh->n_shared++] = b->code[v];
            }
            w->shared_index[mesh->n_shared_index++] = (uint16_t)w->shared_number[v];
            out->n_shared++;
        }
    out->n_packed_again = out->n_packed;
}

static void write_primitives(writer *w, hk_packed_section *out, const hk_primitive *sorted)
{
    hk_mesh *mesh = w->mesh;
    for (unsigned i = 0; i < out->n_primitives; i++) {
        for (unsigned k = 0; k < 4; k++)
            w->primitives[mesh->n_primitives][k] = (uint8_t)w->local[sorted[i].corner[k]];
        mesh->n_primitives++;
        mesh->primitive_keys += sorted[i].corner[2] != sorted[i].corner[3] ? 2 : 1;
        if (i > 0 && sorted[i].material == sorted[i - 1].material) {
            w->runs[mesh->n_runs - 1].count++;
            continue;
        }
        w->runs[mesh->n_runs++] = (hk_mesh_run){sorted[i].material, (uint8_t)i, 1};
        out->n_runs++;
    }
}

static bool write_section(writer *w, uint32_t s)
{
    hk_packed_section *out = &w->sections[s];
    hk_primitive sorted[HK_MESH_PRIMITIVES];
    out->first_packed = (uint32_t)w->mesh->n_packed;
    out->first_shared = (uint32_t)w->mesh->n_shared_index;
    out->first_primitive = (uint32_t)w->mesh->n_primitives;
    out->first_run = (uint32_t)w->mesh->n_runs;
    out->n_primitives = (uint8_t)(w->b->ends[s] - first_of(w->b, s));
    memcpy(out->parms, w->b->parms[s], sizeof out->parms);
    if (!write_tree(w, s, out, sorted))
        return false;
    write_vertices(w, s, out, sorted);
    write_primitives(w, out, sorted);
    return true;
}

static bool write_top(writer *w, uint32_t n)
{
    hk_mesh *mesh = w->mesh;
    arena scratch;
    arena_init(&scratch, mesh->owned.mem);
    size_t nodes = 2 * (size_t)n - 1;
    hk_branch *branches = arena_zalloc(&scratch, nodes * sizeof *branches);
    uint32_t *number = arena_zalloc(&scratch, n * sizeof *number);
    uint8_t *out = arena_zalloc(&mesh->owned, nodes * HK_MESH_TOP_NODE);
    bool ok = branches && number && out && hk_tree_build(w->boxes, n, scratch.mem, branches);
    for (uint32_t i = 0; ok && i < n; i++)
        number[i] = i;
    for (size_t i = 0; ok && i < nodes; i++)
        if (branches[i].leaf != HK_INNER)
            w->sections[branches[i].leaf].leaf = (uint16_t)i;
    if (ok) {
        memcpy(mesh->min, w->b->domain.min, sizeof mesh->min);
        memcpy(mesh->max, w->b->domain.max, sizeof mesh->max);
        hk_tree_pack(branches, &w->b->domain, number, HK_MESH_TOP_NODE, out);
        mesh->nodes = out;
        mesh->n_nodes = nodes;
    }
    arena_free(&scratch);
    return ok;
}

/* Flat quads are marked. No triangle is marked as interior: games may look at more than they need to. */
static bool write_bits(writer *w, uint32_t max_key)
{
    hk_mesh *mesh = w->mesh;
    hk_mesh_bits *flat = &mesh->flat, *interior = &mesh->interior;
    flat->bits = (int32_t)((max_key + 2) / 2);
    interior->bits = (int32_t)(max_key + 1);
    flat->n_words = ((size_t)flat->bits + 31) / 32;
    interior->n_words = ((size_t)interior->bits + 31) / 32;
    uint32_t *words = arena_zalloc(&mesh->owned, flat->n_words * sizeof *words);
    flat->words = words;
    interior->words = arena_zalloc(&mesh->owned, interior->n_words * sizeof *words);
    if (!words || !interior->words)
        return false;
    for (size_t s = 0; s < mesh->n_sections; s++) {
        const hk_packed_section *from = &w->sections[s];
        float positions[HK_MESH_VERTICES][3];
        for (unsigned i = 0; i < from->n_packed; i++)
            hk_mesh_unpack(from->parms, w->packed[from->first_packed + i], positions[i]);
        for (unsigned i = 0; i < from->n_shared; i++)
            hk_mesh_unshare(mesh->min, mesh->max,
                            w->shared[w->shared_index[from->first_shared + i]],
                            positions[from->n_packed + i]);
        for (unsigned i = 0; i < from->n_primitives; i++) {
            const uint8_t *c = w->primitives[from->first_primitive + i];
            size_t bit = s << 7 | i;
            if (hk_mesh_is_quad(c) &&
                hk_mesh_flat(positions[c[0]], positions[c[1]], positions[c[2]], positions[c[3]]))
                words[bit / 32] |= 1u << bit % 32;
        }
    }
    return true;
}

static bool writer_room(writer *w)
{
    const builder *b = w->b;
    arena *a = &w->mesh->owned;
    size_t n = b->n_sections, primitives = b->n_primitives, vertices = b->soup.n_positions;
    w->sections = arena_zalloc(a, n * sizeof *w->sections);
    w->primitives = arena_zalloc(a, primitives * sizeof *w->primitives);
    w->shared_index = arena_zalloc(a, n * HK_MESH_VERTICES * sizeof *w->shared_index);
    w->packed = arena_zalloc(a, vertices * sizeof *w->packed);
    w->shared = arena_zalloc(a, HK_MESH_SHARED * sizeof *w->shared);
    w->runs = arena_zalloc(a, primitives * sizeof *w->runs);
    w->nodes = arena_zalloc(a, 2 * primitives * HK_MESH_NODE);
    w->boxes = arena_zalloc(a, n * sizeof *w->boxes);
    w->shared_number = arena_zalloc(a, vertices * sizeof *w->shared_number);
    w->local = arena_zalloc(a, vertices * sizeof *w->local);
    w->seen = arena_zalloc(a, vertices * sizeof *w->seen);
    return w->sections && w->primitives && w->shared_index && w->packed && w->shared && w->runs &&
           w->nodes && w->boxes && w->shared_number && w->local && w->seen;
}

static lathe_result write_all(const builder *b, hk_mesh *mesh, lathe_error *err)
{
    writer w = {.b = b, .mesh = mesh};
    size_t shared = 0;
    for (uint32_t v = 0; v < b->soup.n_positions; v++)
        shared += b->owner[v] == SEVERAL;
    if (shared > HK_MESH_SHARED)
        return error_set(err, LATHE_ERR_LIMIT, LATHE_NO_OFFSET,
                         "sections share %zu vertices, but %d are the most", shared,
                         HK_MESH_SHARED);
    if (!writer_room(&w))
        return no_memory(err);
    memset(w.shared_number, 0xff, b->soup.n_positions * sizeof *w.shared_number);
    for (uint32_t s = 0; s < b->n_sections; s++)
        if (!write_section(&w, s))
            return no_memory(err);
    mesh->sections = w.sections;
    mesh->n_sections = b->n_sections;
    mesh->primitives = (const uint8_t(*)[4])w.primitives;
    mesh->shared_index = w.shared_index;
    mesh->packed = w.packed;
    mesh->shared = w.shared;
    mesh->runs = w.runs;
    mesh->max_key = hk_mesh_last_key(mesh, mesh->n_sections - 1);
    mesh->bits_per_key = hk_mesh_key_bits(mesh->max_key);
    return write_top(&w, b->n_sections) && write_bits(&w, mesh->max_key) ? LATHE_OK
                                                                         : no_memory(err);
}

lathe_result hk_mesh_build(const hk_mesh_source *source, const mem *m, hk_mesh *out,
                           hk_mesh_dropped *dropped, lathe_error *err)
{
    hk_mesh_dropped ignored;
    builder b = {0};
    arena welded;
    arena_init(&welded, m);
    arena_init(&b.scratch, m);
    *out = (hk_mesh){.mem = *m};
    arena_init(&out->owned, m);
    dropped = dropped ? dropped : &ignored;
    *dropped = (hk_mesh_dropped){0};
    lathe_result r = hk_mesh_weld(source, &welded, &b.soup, &dropped->flat, err);
    if (r == LATHE_OK)
        r = rounds(&b, &dropped->collapsed, err);
    if (r == LATHE_OK)
        r = write_all(&b, out, err);
    arena_free(&b.scratch);
    arena_free(&welded);
    if (r != LATHE_OK)
        hk_mesh_free(out);
    return r;
}

void hk_mesh_free(hk_mesh *mesh)
{
    mesh->owned.mem = &mesh->mem; /* the caller's may be gone, and *mesh may have moved */
    arena_free(&mesh->owned);
    *mesh = (hk_mesh){0};
}
