/* Edits of Phive shapes by a script: rows, materials, scale, place, other triangles; and plain fields.
 *
 * An input is the length of a script, a file, and the script: what is done with the file, from its end. Verbs bring no error
 * into a file that had none. */
#include "fuzz.h"

#include <math.h>

enum { EDITS = 8, MOST_TRIANGLES = 12 };

/* ---- arguments ------------------------------------------------------------------------------------------- */

/* What a verb is given: a leaf, or what has others below it, by name or in order. */
typedef struct node {
    const char *name;
    lathe_value leaf;
    const struct node *below;
    size_t n;
} node;

static bool get(void *user, const void *at, const char *name, uint64_t index, lathe_value *leaf,
                const void **child)
{
    const node *of = at ? at : user;
    *child = NULL;
    for (size_t i = 0; i < of->n; i++) {
        const node *one = &of->below[i];
        if (name ? !one->name || strcmp(one->name, name) != 0 : i != index)
            continue;
        *leaf = one->leaf;
        *child = one->below ? one : NULL;
        return true;
    }
    return false;
}

static uint64_t count(void *user, const void *at)
{
    return (at ? (const node *)at : (const node *)user)->n;
}

static const char *name_of(void *user, const void *at, uint64_t i)
{
    const node *of = at ? at : user;
    return i < of->n ? of->below[i].name : NULL;
}

static lathe_value real(double f)
{
    return (lathe_value){.kind = LATHE_KIND_REAL, .as.f = f};
}

static lathe_value text(const char *p)
{
    return (lathe_value){.kind = LATHE_KIND_STRING, .as.s = {p, strlen(p)}};
}

static lathe_result call(lathe_doc *doc, const char *verb, const node *args, lathe_error *err)
{
    const lathe_source source = {sizeof source, (void *)(uintptr_t)args, get, count, name_of};
    lathe_report report = {.size = sizeof report};
    return lathe_view_call(lathe_doc_root(doc), verb, &source, &report, err);
}

/* ---- edits ------------------------------------------------------------------------------------------------- */

static const char *const names[] = {"Stone", "Wood", "7", "4000000000", "Ice", "none", "Nowhere"};

static lathe_value any_name(fuzz_dice *d)
{
    return text(names[fuzz_roll(d, sizeof names / sizeof *names)]);
}

static lathe_result set_mesh(fuzz_dice *d, lathe_doc *doc, lathe_error *err)
{
    static const double places[] = {0, 1, 2, 0.3, -5, 40, 130, -400, 30000, 1e9};
    node positions[9 * MOST_TRIANGLES], indices[3 * MOST_TRIANGLES], parts[2];
    uint32_t n = fuzz_roll(d, MOST_TRIANGLES + 1);
    for (uint32_t i = 0; i < 9 * n; i++)
        positions[i] = (node){.leaf = real(places[fuzz_roll(d, 10)] + (double)fuzz_roll(d, 4))};
    for (uint32_t i = 0; i < 3 * n; i++)
        indices[i] = (node){.leaf = real((double)fuzz_roll(d, 3 * n))};
    parts[0] = (node){"positions", {.kind = LATHE_KIND_ARRAY}, positions, 9 * (size_t)n};
    parts[1] = (node){"indices", {.kind = LATHE_KIND_ARRAY}, indices, 3 * (size_t)n};
    node all[2] = {{"mesh", {.kind = LATHE_KIND_RECORD}, parts, 2},
                   {"materials", any_name(d), NULL, 0}};
    if (fuzz_roll(d, 4) == 0) {
        all[0].below = NULL;
        all[0].n = 0;
        all[0].leaf.as.v = lathe_doc_root(doc);
    }
    const node args = {.below = all, .n = 1 + fuzz_roll(d, 2)};
    return call(doc, "set_mesh", &args, err);
}

static lathe_result materials(fuzz_dice *d, lathe_doc *doc, lathe_error *err)
{
    const node pair[2] = {{"from", fuzz_roll(d, 2) ? text("*") : any_name(d), NULL, 0},
                          {"to", any_name(d), NULL, 0}};
    const node one = {"materials", any_name(d), NULL, 0};
    const node args = {.below = pair, .n = 2}, paint = {.below = &one, .n = 1};
    return fuzz_roll(d, 2) ? call(doc, "set_materials", &args, err)
                           : call(doc, "set_triangle_materials", &paint, err);
}

static lathe_result place(fuzz_dice *d, lathe_doc *doc, lathe_error *err)
{
    static const double factors[] = {2, 0.5, 1.7, 1e-3, 1e30, 1, 3.1415};
    static const double ways[] = {0, 1, -2.5, 0.001, 30000, 1e12};
    node three[3], one[1] = {{"factor", real(factors[fuzz_roll(d, 7)]), NULL, 0}};
    bool scale = fuzz_roll(d, 2);
    for (unsigned k = 0; k < 3; k++)
        three[k] = (node){.leaf = real(scale ? factors[fuzz_roll(d, 7)] : ways[fuzz_roll(d, 6)])};
    if (!scale || fuzz_roll(d, 2))
        one[0] = (node){scale ? "factor" : "translation", {.kind = LATHE_KIND_ARRAY}, three, 3};
    const node args = {.below = one, .n = 1};
    return call(doc, scale ? "scale" : "transform", &args, err);
}

static lathe_result rows(fuzz_dice *d, lathe_doc *doc, lathe_error *err)
{
    lathe_value v;
    if (lathe_view_at(lathe_doc_root(doc), "tables.materials", &v, err) != LATHE_OK)
        return LATHE_OK;
    uint64_t n = lathe_view_count(v.as.v), i = fuzz_roll(d, n < 255 ? (uint32_t)n + 1 : 256);
    return fuzz_roll(d, 3) ? lathe_view_insert(v.as.v, i, 1 + fuzz_roll(d, 3), err)
                           : lathe_view_remove(v.as.v, i, 1, err);
}

/* A field or element below the shape or the tables, which may then mean anything. */
static lathe_result set(fuzz_dice *d, lathe_doc *doc, lathe_error *err)
{
    lathe_value at;
    if (lathe_view_at(lathe_doc_root(doc), fuzz_roll(d, 3) ? "shape" : "tables", &at, err) !=
            LATHE_OK ||
        at.kind != LATHE_KIND_RECORD)
        return LATHE_OK;
    fuzz_spot s = fuzz_pick_below(d, at.as.v);
    if (s.info.flags & LATHE_FIELD_REF)
        return LATHE_OK;
    lathe_value v = fuzz_value(
        d, doc, s.info.flags & LATHE_FIELD_ARRAY && !s.array ? LATHE_KIND_ARRAY : s.info.kind);
    if (s.array)
        return lathe_view_set_item(s.view, s.index, &v, err);
    return s.info.name ? lathe_view_set(s.view, s.info.name, &v, err) : LATHE_OK;
}

/* *plain: a field was set by itself. */
static lathe_result edit_once(fuzz_dice *d, lathe_doc *doc, bool *plain, lathe_error *err)
{
    switch (fuzz_roll(d, 8)) {
    case 0:
    case 1: return set_mesh(d, doc, err);
    case 2:
    case 3: return materials(d, doc, err);
    case 4:
    case 5: return place(d, doc, err);
    case 6: return rows(d, doc, err);
    default: *plain = true; return set(d, doc, err);
    }
}

/* What fails has changed nothing. */
static void edit(fuzz_dice *d, lathe_doc *doc, bool *plain)
{
    lathe_error err;
    fuzz_bytes before = fuzz_encode(doc);
    uint32_t how = fuzz_roll(d, 10);
    lathe_result r = LATHE_OK;
    if (how == 0) {
        lathe_edit_undo(doc, fuzz_roll(d, 2) ? 1 : -1);
    } else if (how == 1) {
        r = lathe_edit_begin(doc, &err);
        for (uint32_t n = fuzz_roll(d, 4); r == LATHE_OK && n > 0; n--)
            edit_once(d, doc, plain, &err);
        if (r == LATHE_OK)
            lathe_edit_end(doc, fuzz_roll(d, 3) != 0, NULL);
    } else {
        r = edit_once(d, doc, plain, &err);
    }
    if (r != LATHE_OK)
        PROMISE(fuzz_still(doc, &before));
    else
        free(before.p);
}

/* ---- what must hold ------------------------------------------------------------------------------------------- */

static bool count_error(void *user, const lathe_error *e)
{
    *(size_t *)user += e->level == LATHE_LEVEL_ERROR;
    return *(size_t *)user < 8;
}

static bool tell_error(void *user, const lathe_error *e)
{
    char line[1024];
    (void)user;
    if (e->level == LATHE_LEVEL_ERROR)
        fprintf(stderr, "%s\n", (lathe_error_text(e, line, sizeof line), line));
    return true;
}

static bool sound(lathe_doc *doc)
{
    size_t n = 0;
    return lathe_doc_check(doc, count_error, &n) == LATHE_OK && n == 0;
}

static void undo_all(lathe_doc *doc, const uint8_t *data, size_t size)
{
    while (lathe_edit_undo(doc, -1)) /* an undo may have been the last step */
        continue;
    while (lathe_edit_undo(doc, 1))
        continue;
    fuzz_bytes start = fuzz_encode(doc);
    PROMISE(start.n == size && memcmp(start.p, data, size) == 0);
    free(start.p);
}

static void live(const uint8_t *data, size_t size, fuzz_dice *d)
{
    fuzz_memory memory = {.until = -1};
    lathe_options options = {.size = sizeof options,
                             .format = "bphsh",
                             .history = 8 * EDITS,
                             .alloc = fuzz_alloc,
                             .alloc_user = &memory};
    lathe_doc *doc = NULL;
    lathe_error err;
    bool plain = false;
    if (lathe_doc_parse(data, size, &options, &doc, &err) != LATHE_OK) {
        PROMISE(memory.now == 0);
        return;
    }
    bool good = sound(doc);
    for (int i = 0; i < EDITS; i++)
        edit(d, doc, &plain);
    if (good && !plain && !sound(doc)) {
        lathe_doc_check(doc, tell_error, NULL);
        PROMISE(false);
    }
    fuzz_reparse("bphsh", doc);
    fuzz_look(doc);
    undo_all(doc, data, size);
    lathe_doc_close(doc);
    PROMISE(memory.now == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_any_path = true;
    if (!size)
        return 0;
    size_t script = data[0] < size - 1 ? data[0] : size - 1, file = size - 1 - script;
    fuzz_dice d = fuzz_dice_of(data + 1 + file, script);
    live(data + 1, file, &d);
    return 0;
}
