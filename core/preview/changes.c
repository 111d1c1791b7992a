/* Matches the parts and bones of two documents, and marks what differs. */
#include "preview/changes.h"

#include "record/record.h"

#include <string.h>

bool preview_is_changed(const preview_changes *changes)
{
    for (int i = 0; i < PREVIEW_CHANGE_COUNT; i++)
        if (changes->lines[i].count)
            return true;
    return changes->marks[0] || changes->marks[1];
}

static const char *or_empty(const char *text)
{
    return text ? text : "";
}

static const char *or_none(const char *text)
{
    return text && *text ? text : "(none)";
}

/* Notes a change, with the first of its kind as text. to: what the right one has; or NULL. */
static void tell(preview_changes *out, preview_change kind, const char *from, const char *to)
{
    if (out->lines[kind].count++)
        return;
    char *text = out->lines[kind].first;
    frame_append(text, sizeof out->lines[kind].first, or_none(from));
    frame_append(text, sizeof out->lines[kind].first, to ? " -> " : "");
    frame_append(text, sizeof out->lines[kind].first, to ? or_none(to) : "");
}

/* ---- matching ------------------------------------------------------------------------------------ */

/* Two lists, of parts or of bones, and for each the one on the other side, or PREVIEW_ALONE. */
typedef struct matching {
    const mem *mem;
    preview_named *lists[2];
    int64_t *pairs[2];
    size_t counts[2], room[2];
} matching;

static void matching_free(matching *m)
{
    for (int side = 0; side < 2; side++) {
        mem_free(m->mem, m->lists[side], m->lists[side] ? m->room[side] * sizeof **m->lists : 0);
        mem_free(m->mem, m->pairs[side], m->pairs[side] ? m->room[side] * sizeof **m->pairs : 0);
    }
}

static lathe_result matching_new(matching *m, const mem *from, size_t left, size_t right,
                                 lathe_error *err)
{
    const size_t counts[2] = {left, right};
    bool ok = true;
    *m = (matching){.mem = from};
    for (int side = 0; side < 2; side++) {
        m->room[side] = counts[side] ? counts[side] : 1;
        m->lists[side] = mem_alloc(from, m->room[side] * sizeof **m->lists);
        m->pairs[side] = mem_alloc(from, m->room[side] * sizeof **m->pairs);
        ok = ok && m->lists[side] && m->pairs[side];
        for (size_t i = 0; m->pairs[side] && i < counts[side]; i++)
            m->pairs[side][i] = PREVIEW_ALONE;
    }
    return ok ? LATHE_OK : rec_no_memory(err);
}

/* ---- parts --------------------------------------------------------------------------------------- */

/* What has the same name, then what is left and has the same number of triangles. */
static void match_parts(const preview_scene scenes[2], matching *m)
{
    for (int by_name = 1; by_name >= 0; by_name--) {
        for (int side = 0; side < 2; side++) {
            m->counts[side] = 0;
            for (size_t i = 0; i < scenes[side].count; i++) {
                const preview_part *part = &scenes[side].parts[i];
                uint64_t kind = part->collision, triangles = part->mesh->index_count / 3;
                if (m->pairs[side][i] != PREVIEW_ALONE)
                    continue;
                m->lists[side][m->counts[side]++] =
                    by_name ? (preview_named){or_empty(part->mesh->name), kind, i}
                            : (preview_named){"", 2 * triangles + kind, i};
            }
        }
        preview_pair(m->lists, m->counts, m->pairs);
    }
}

static bool same_surface(const model_surface *a, const model_surface *b)
{
    if (!a->known || !b->known)
        return a->known == b->known;
    for (int i = 0; i < 4; i++)
        if (!preview_is_near((double)a->base_color[i], (double)b->base_color[i], 1e-3))
            return false;
    return a->alpha == b->alpha && a->double_sided == b->double_sided &&
           (a->alpha != MODEL_ALPHA_MASK ||
            preview_is_near((double)a->cutoff, (double)b->cutoff, 1e-3));
}

static void tell_materials(preview_part *const parts[2], preview_changes *out)
{
    size_t n[2] = {parts[0]->mesh->index_count / 3, parts[1]->mesh->index_count / 3};
    for (size_t t = 0; t < n[0] && t < n[1]; t++) {
        const char *a = preview_material_of(parts[0], t), *b = preview_material_of(parts[1], t);
        if (parts[0]->marks[t] && parts[1]->marks[t] && strcmp(a, b) != 0) {
            tell(out, PREVIEW_MATERIALS, a, b);
            return;
        }
    }
}

static lathe_result mark_pair(const preview *p, preview_part *const parts[2], double reach,
                              preview_changes *out, lathe_error *err)
{
    const model_mesh *a = parts[0]->mesh, *b = parts[1]->mesh;
    const char *texture = or_empty(preview_texture_path(&a->surface)),
               *other = or_empty(preview_texture_path(&b->surface));
    bool whole = false;
    lathe_result r = preview_mark_triangles(&p->mem, parts, reach, err);
    if (r != LATHE_OK)
        return r;
    if (strcmp(or_empty(a->name), or_empty(b->name)) != 0)
        tell(out, PREVIEW_RENAMED, or_empty(a->name), or_empty(b->name));
    tell_materials(parts, out);
    if (strcmp(texture, other) != 0) {
        tell(out, PREVIEW_TEXTURES, texture, other);
        whole = true;
    } else if (!same_surface(&a->surface, &b->surface)) {
        tell(out, PREVIEW_SURFACES, or_empty(a->name), NULL);
        whole = true;
    }
    for (int side = 0; whole && side < 2; side++)
        memset(parts[side]->marks, 1, parts[side]->mesh->index_count / 3);
    return LATHE_OK;
}

static void count_marks(const preview_scene scenes[2], preview_changes *out)
{
    for (int side = 0; side < 2; side++)
        for (size_t i = 0; i < scenes[side].count; i++) {
            const preview_part *part = &scenes[side].parts[i];
            size_t n = part->mesh->index_count / 3;
            out->total[side] += n;
            for (size_t t = 0; t < n; t++)
                out->marks[side] += part->marks[t];
        }
}

lathe_result preview_mark_parts(const preview *p, preview_scene scenes[2], double reach,
                                preview_changes *out, lathe_error *err)
{
    matching m;
    *out = (preview_changes){.noun = "triangle", .nouns = "triangles"};
    lathe_result r = matching_new(&m, &p->mem, scenes[0].count, scenes[1].count, err);
    for (int side = 0; r == LATHE_OK && side < 2; side++)
        for (size_t i = 0; r == LATHE_OK && i < scenes[side].count; i++) {
            preview_part *part = &scenes[side].parts[i];
            part->marks = mem_zalloc(&p->mem, part->mesh->index_count / 3);
            r = part->marks ? LATHE_OK : rec_no_memory(err);
        }
    if (r == LATHE_OK)
        match_parts(scenes, &m);
    for (int side = 0; r == LATHE_OK && side < 2; side++)
        for (size_t i = 0; r == LATHE_OK && i < scenes[side].count; i++) {
            preview_part *part = &scenes[side].parts[i];
            int64_t other = m.pairs[side][i];
            if (other == PREVIEW_ALONE) {
                tell(out, side ? PREVIEW_ONLY_RIGHT : PREVIEW_ONLY_LEFT, part->mesh->name, NULL);
                memset(part->marks, 1, part->mesh->index_count / 3);
            } else if (side == 0) {
                preview_part *const parts[2] = {part, &scenes[1].parts[other]};
                r = mark_pair(p, parts, reach, out, err);
            }
        }
    if (r == LATHE_OK)
        count_marks(scenes, out);
    matching_free(&m);
    return r;
}

/* ---- bones --------------------------------------------------------------------------------------- */

static bool same_bone(const preview_rig rigs[2], const matching *m, size_t a, size_t b,
                      double reach)
{
    int32_t up = rigs[0].parents[a], other = rigs[1].parents[b];
    if ((up < 0) != (other < 0) || (up >= 0 && m->pairs[0][up] != other))
        return false;
    for (int column = 0; column < 4; column++)
        for (int row = 0; row < 3; row++)
            if (!preview_is_near(rigs[0].worlds[a].m[column][row], rigs[1].worlds[b].m[column][row],
                                 column == 3 ? reach : 1e-5))
                return false;
    return true;
}

lathe_result preview_mark_bones(const preview *p, preview_rig rigs[2], double reach,
                                preview_changes *out, lathe_error *err)
{
    matching m;
    *out = (preview_changes){.noun = "bone", .nouns = "bones"};
    lathe_result r = matching_new(&m, &p->mem, rigs[0].count, rigs[1].count, err);
    for (int side = 0; r == LATHE_OK && side < 2; side++) {
        out->total[side] = m.counts[side] = rigs[side].count;
        rigs[side].marks = mem_zalloc(&p->mem, rigs[side].count);
        if (!rigs[side].marks && rigs[side].count)
            r = rec_no_memory(err);
        for (size_t i = 0; r == LATHE_OK && i < rigs[side].count; i++)
            m.lists[side][i] = (preview_named){or_empty(rigs[side].skeleton->bones[i].name), 0, i};
    }
    if (r == LATHE_OK)
        preview_pair(m.lists, m.counts, m.pairs);
    for (int side = 0; r == LATHE_OK && side < 2; side++)
        for (size_t i = 0; i < rigs[side].count; i++) {
            int64_t other = m.pairs[side][i];
            size_t a = side ? (size_t)other : i, b = side ? i : (size_t)other;
            if (other == PREVIEW_ALONE)
                tell(out, side ? PREVIEW_ONLY_RIGHT : PREVIEW_ONLY_LEFT,
                     rigs[side].skeleton->bones[i].name, NULL);
            rigs[side].marks[i] = other == PREVIEW_ALONE || !same_bone(rigs, &m, a, b, reach);
            out->marks[side] += rigs[side].marks[i];
        }
    matching_free(&m);
    return r;
}
