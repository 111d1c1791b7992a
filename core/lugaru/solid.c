/* Lugaru's .solid: one textured mesh. Reference: formats/wolfire.md#1. */
#include "lugaru/solid.h"
#include "scene/hooks.h"

/* The tool that wrote the game's files left copies of b and c in the gaps. The game reads neither. */
int64_t solid_fill_b(const rec_at *at)
{
    return rec_int(at, "b");
}

int64_t solid_fill_c(const rec_at *at)
{
    return rec_int(at, "c");
}

static const char *game(const lathe_doc *doc)
{
    (void)doc;
    return "Lugaru";
}

static const char *const extensions[] = {"solid", NULL};
static const char *const games[] = {"Lugaru", NULL};

/* The format has no signature: a file is recognised only by its exact size. */
static int sniff(const uint8_t *bytes, size_t n)
{
    if (n < 4 || bytes[0] & 0x80 || bytes[2] & 0x80)
        return REC_SNIFF_NO;
    size_t v = bytes_ld16(bytes, true), t = bytes_ld16(bytes + 2, true);
    return v && n == 4 + 12 * v + 36 * t ? REC_SNIFF_MAYBE : REC_SNIFF_NO;
}

static lathe_result open_file(lathe_doc *doc, uint32_t c, lathe_error *err)
{
    rec_at root = rec_root(doc, c);
    uint64_t size;
    lathe_error why = {.code = LATHE_OK};
    lathe_result r = rec_measure(&root, &size, &why);
    const rec_part *p = rec_part_of(doc, root.part);
    if (r == LATHE_OK || p->size < 4 || why.code == LATHE_ERR_INVALID) {
        if (err && r != LATHE_OK)
            *err = why;
        return r;
    }
    uint64_t v = bytes_ld16(p->data, false), t = bytes_ld16(p->data + 2, false);
    const char *hint = v < 0x8000 && t < 0x8000 && 4 + 12 * v + 36 * t <= p->size
                           ? "; they would in the other byte order"
                           : "";
    return rec_fail(&root, REC_NO_SLOT, 0, err, LATHE_ERR_BOUNDS,
                    "%lld vertices and %lld triangles do not fit into %llu bytes%s",
                    (long long)rec_int(&root, "vertex_count"),
                    (long long)rec_int(&root, "triangle_count"), (unsigned long long)p->size, hint);
}

static void check_triangle(rec_report *r, const rec_at *tri, int64_t vertices)
{
    static const char *const corners[] = {"a", "b", "c"};
    int64_t v[3];
    for (int k = 0; k < 3; k++) {
        uint32_t slot = rec_slot_find(tri->layout, corners[k]);
        v[k] = rec_int(tri, corners[k]);
        if (v[k] < 0)
            rec_finding(r, LATHE_LEVEL_ERROR, tri, slot, REC_NO_ITEM, "negative vertex index %lld",
                        (long long)v[k]);
        else if (v[k] >= vertices)
            rec_finding(r, LATHE_LEVEL_ERROR, tri, slot, REC_NO_ITEM, "vertex index %lld of %lld",
                        (long long)v[k], (long long)vertices);
    }
    int64_t fill[3] = {rec_int(tri, "fill0"), rec_int(tri, "fill1"), rec_int(tri, "fill2")};
    if (fill[0] != v[1] || fill[1] != v[2] || fill[2] != 0)
        rec_finding(r, LATHE_LEVEL_WARNING, tri, REC_NO_SLOT, REC_NO_ITEM,
                    "fillers (%lld, %lld, %lld) instead of (%lld, %lld, 0)", (long long)fill[0],
                    (long long)fill[1], (long long)fill[2], (long long)v[1], (long long)v[2]);
}

static void check(lathe_doc *doc, uint32_t c, rec_report *r)
{
    rec_at root = rec_root(doc, c), tri;
    uint32_t slot = rec_slot_find(root.layout, "triangles");
    uint32_t tail = rec_slot_find(root.layout, "trailing");
    int64_t vertices = rec_int(&root, "vertex_count"), triangles = rec_int(&root, "triangle_count");
    rec_loc loc;
    for (int64_t i = 0; i < triangles && !r->stopped; i++)
        if (rec_sub(&root, slot, (uint64_t)i, &tri, NULL) == LATHE_OK)
            check_triangle(r, &tri, vertices);
    if (rec_find(&root, tail, &loc, NULL) == LATHE_OK && loc.count)
        rec_finding(r, LATHE_LEVEL_WARNING, &root, tail, REC_NO_ITEM,
                    "%llu trailing bytes, which the game ignores", (unsigned long long)loc.count);
}

static const scene_hooks scene = {.count = scene_count_one, .mesh = solid_mesh};

const lathe_format format_solid = {
    .name = "solid",
    .doc = "Lugaru model: one textured mesh",
    .extensions = extensions,
    .games = games,
    .game = game,
    .root = &solid_root,
    .big = true,
    .sniff = sniff,
    .open = open_file,
    .check = check,
    .scene = &scene,
    .verbs = solid_verbs,
};
