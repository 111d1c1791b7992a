/* Builds a mesh shape from triangles: runs the steps in order, and frees the memory of each as early as
 * possible. */
#include "phive/build_parts.h"

/* ---- options -------------------------------------------------------------------------------------------- */

/* Limits, so that coordinates on the grid are neither too large nor too small for floats. */
#define SCALE_LEAST 1e-12F
#define SCALE_MOST 16777216.0F

static lathe_result read_scale(build *b)
{
    for (int k = 0; k < 3; k++) {
        const float scale = b->options->scale[k], inv = b->options->scale_inv[k];
        b->scale[k] = scale == 0.0F ? PHIVE_STEPS_TO_A_UNIT : scale;
        b->scale_inv[k] = inv == 0.0F ? 1.0F / b->scale[k] : inv;
        const float both[2] = {b->scale[k], 1.0F / b->scale_inv[k]};
        for (int i = 0; i < 2; i++)
            if (!(both[i] >= SCALE_LEAST && both[i] <= SCALE_MOST))
                return error_set(b->err, LATHE_ERR_RANGE, LATHE_NO_OFFSET,
                                 "the grid has %g steps to a unit in %c, not %g to %g",
                                 (double)both[i], "xyz"[k], (double)SCALE_LEAST,
                                 (double)SCALE_MOST);
    }
    if (b->options->variant != PHIVE_V21 && b->options->variant != PHIVE_V22 &&
        b->options->variant != PHIVE_V23)
        return error_set(b->err, LATHE_ERR_UNSUPPORTED, LATHE_NO_OFFSET,
                         "no shape has the version %d", (int)b->options->variant);
    return LATHE_OK;
}

/* ---- steps ------------------------------------------------------------------------------------------------ */

static void free_triangles(build *b)
{
    const size_t n = b->mesh->triangle_count;
    mem_free(&b->mem, b->triangles, n * sizeof *b->triangles);
    mem_free(&b->mem, b->mates, n * 3 * sizeof *b->mates);
    mem_free(&b->mem, b->joints, n * sizeof *b->joints);
    b->triangles = NULL;
    b->mates = b->joints = NULL;
}

static void free_all(build *b)
{
    const mem *m = &b->mem;
    free_triangles(b);
    mem_free(m, b->spot_of, b->spot_room * sizeof *b->spot_of);
    mem_free(m, b->spot_from, b->spot_room * sizeof *b->spot_from);
    mem_free(m, b->spots, b->spot_room * sizeof *b->spots);
    mem_free(m, b->primitives, b->primitive_count * sizeof *b->primitives);
    mem_free(m, b->boxes, b->primitive_count * sizeof *b->boxes);
    mem_free(m, b->sections, b->section_room * sizeof *b->sections);
    mem_free(m, b->stamps, b->spot_room * sizeof *b->stamps);
    mem_free(m, b->locals, b->spot_room);
    build_sweep_free(&b->sweep, m);
}

static lathe_result find_primitives(build *b, size_t *dropped)
{
    lathe_result r = build_find_triangles(b, dropped);
    if (r == LATHE_OK)
        r = build_find_mates(b);
    if (r == LATHE_OK)
        r = build_find_quads(b);
    if (r != LATHE_OK)
        return r;
    build_find_interior(b);
    r = build_find_primitives(b);
    free_triangles(b);
    return r;
}

static lathe_result make_arrays(build *b, phive_built *out)
{
    const size_t sections = b->section_count, primitives = b->primitive_count;
    float(*boxes)[6] = mem_alloc(&b->mem, sections * sizeof *boxes);
    uint16_t *tags = mem_alloc(&b->mem, primitives * sizeof *tags);
    lathe_result r =
        boxes && tags ? build_fill_sections(b, out, boxes, tags) : build_no_memory(b->err);
    if (r == LATHE_OK)
        r = build_top_tree(b, out, (const float(*)[6])boxes);
    if (r == LATHE_OK)
        r = build_tags(b, out, tags);
    mem_free(&b->mem, boxes, sections * sizeof *boxes);
    mem_free(&b->mem, tags, primitives * sizeof *tags);
    return r;
}

/* numShapeKeyBits: the shift plus the number of bits of the last section's number. formats/bphsh.md#4.3 */
static uint8_t key_bits(size_t sections)
{
    uint8_t bits = PHIVE_KEY_SHIFT;
    for (size_t last = sections ? sections - 1 : 0; last; last >>= 1)
        bits++;
    return sections ? bits : 0;
}

static void find_bounds(phive_built *out)
{
    if (!out->section_count)
        return;
    const phive_top_node *root = &out->top[1];
    for (int k = 0; k < 3; k++) {
        out->bounds[0][k] = root->box[2 * k][0];
        out->bounds[1][k] = root->box[2 * k + 1][0];
        for (int lane = 1; lane < root->used; lane++) {
            out->bounds[0][k] = fminf(out->bounds[0][k], root->box[2 * k][lane]);
            out->bounds[1][k] = fmaxf(out->bounds[1][k], root->box[2 * k + 1][lane]);
        }
    }
}

lathe_result phive_build(phive_built *out, const phive_mesh *mesh,
                         const phive_build_options *options, const mem *m, lathe_error *err)
{
    memset(out, 0, sizeof *out);
    build b = {.mem = *m, .err = err, .mesh = mesh, .options = options};
    out->mem = *m;
    arena_init(&out->arena, &out->mem);
    lathe_result r = read_scale(&b);
    if (r == LATHE_OK)
        r = find_primitives(&b, &out->dropped);
    if (r == LATHE_OK)
        r = build_find_sections(&b);
    if (r == LATHE_OK)
        r = make_arrays(&b, out);
    free_all(&b);
    if (r != LATHE_OK) {
        phive_built_free(out);
        return r;
    }
    out->variant = options->variant;
    memcpy(out->scale, b.scale, sizeof out->scale);
    memcpy(out->scale_inv, b.scale_inv, sizeof out->scale_inv);
    out->key_bits = key_bits(out->section_count);
    find_bounds(out);
    return LATHE_OK;
}

void phive_built_free(phive_built *b)
{
    if (b->arena.mem)
        arena_free(&b->arena);
    memset(b, 0, sizeof *b);
}
