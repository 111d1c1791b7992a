/* Collision of Fallout 4, in NIFs and in packfiles on their own. The last bytes of an input say what is damaged in its
 * packfile (numbers, counts, pointers, which then go in circles), and what is done with the document: bodies and
 * meshes read, rows set, everything scaled, systems replaced, new ones made. All of it in a bounded time. */
#include "fuzz_one.h"

#include "model/mesh.h"
#include "record/record.h"
#include "scene/hooks.h"

#include <time.h>

enum { PROGRAM = 24, EDITS = 8, BODIES = 24, MESHES = 24, SECONDS = 4 };

/* ---- damage ---------------------------------------------------------------------------------- */

typedef struct packfile { /* where it is in a file, and its tables: places are from `p` on */
    uint8_t *p;
    size_t n, data, local, global, virtual, end;
} packfile;

static uint32_t word(const uint8_t *p)
{
    return (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

static void put_word(uint8_t *p, uint32_t v)
{
    for (int i = 0; i < 4; i++)
        p[i] = (uint8_t)(v >> 8 * i);
}

static size_t find(const uint8_t *p, size_t n, const void *what, size_t size)
{
    for (size_t i = 0; n >= size && i <= n - size; i++)
        if (memcmp(p + i, what, size) == 0)
            return i;
    return n;
}

static bool find_packfile(uint8_t *p, size_t n, packfile *out)
{
    size_t at = find(p, n, "\x57\xe0\xe0\x57\x10\xc0\xc0\x10", 8);
    *out = (packfile){.p = p + at, .n = n - at};
    size_t section = find(out->p, out->n, "__data__", 9);
    if (section + 0x30 > out->n)
        return false;
    const uint8_t *h = out->p + section;
    out->data = word(h + 0x14);
    if (out->data > out->n)
        return false;
    out->local = out->data + word(h + 0x18);
    out->global = out->data + word(h + 0x1c);
    out->virtual = out->data + word(h + 0x20);
    out->end = out->data + word(h + 0x24);
    return out->data < out->local && out->local <= out->global && out->global <= out->virtual &&
           out->virtual <= out->end && out->end <= out->n;
}

static uint32_t two_rolls(fuzz_dice *d, size_t n)
{
    uint32_t high = fuzz_roll(d, 256);
    return n ? (uint32_t)((high << 8 | fuzz_roll(d, 256)) % n) : 0;
}

static uint32_t odd_number(fuzz_dice *d, uint32_t was)
{
    static const uint32_t odd[] = {
        0,          1,          2,          255,        256,    65535,      0x8000,     0x7fffffff,
        0x80000000, 0xffffffff, 0xffffff01, 0x7f800000, 100000, 0x80000001, 0xff7fffff, 0x7fc00000};
    uint32_t k = fuzz_roll(d, 20);
    return k < 16    ? odd[k]
           : k == 16 ? was + 1
           : k == 17 ? was - 1
           : k == 18 ? was * 2
                     : was ^ 0x100;
}

/* A random entry of a table, 0 where it is empty. */
static uint8_t *entry(fuzz_dice *d, const packfile *f, size_t from, size_t to, size_t size)
{
    return to - from < size ? NULL : f->p + from + size * two_rolls(d, (to - from) / size);
}

static void damage_once(fuzz_dice *d, const packfile *f)
{
    uint8_t *p = f->p + f->data, *one = entry(d, f, f->local, f->global, 8),
            *link = entry(d, f, f->global, f->virtual, 12),
            *object = entry(d, f, f->virtual, f->end, 12);
    size_t n = f->local - f->data;
    switch (fuzz_roll(d, 8)) {
    case 0: p[two_rolls(d, n)] = (uint8_t)odd_number(d, 0); break;
    case 1: /* numbers, or half of RelArrays */
        if (n >= 4) {
            uint8_t *at = p + 2 * two_rolls(d, n / 2 - 1);
            put_word(at, odd_number(d, word(at)));
        }
        break;
    case 2: /* counts of arrays */
        if (one && n >= 16 && word(one) <= n - 12)
            put_word(p + word(one) + 8, odd_number(d, word(p + word(one) + 8)) & 0x3fffffff);
        break;
    case 3: /* pointers to other objects, by and by in circles */
    case 4:
        if (link && object)
            put_word(link + 8, word(object));
        break;
    case 5: /* arrays that others have, too */
        if (one)
            put_word(one + 4, 4 * two_rolls(d, n / 4));
        break;
    case 6: /* pointers that lie elsewhere, objects of another place */
        if (link && fuzz_roll(d, 2))
            put_word(link, 8 * two_rolls(d, n / 8));
        else if (object)
            put_word(object, 16 * two_rolls(d, n / 16));
        break;
    default:
        if (object) /* objects of another class */
            put_word(object + 8, word(f->p + f->virtual + 8));
        break;
    }
}

static void damage(fuzz_dice *d, uint8_t *p, size_t n)
{
    packfile f;
    uint32_t times = fuzz_roll(d, 5);
    for (; times && find_packfile(p, n, &f); times--)
        damage_once(d, &f);
}

/* ---- looking --------------------------------------------------------------------------------- */

static const lathe_format *format_of(lathe_doc *doc)
{
    return doc->containers[0].format;
}

static void bodies(lathe_doc *doc)
{
    lathe_view body;
    lathe_error err;
    for (uint64_t i = 0; i < BODIES && format_of(doc)->scene->body(doc, i, &body, &err) == LATHE_OK;
         i++) {
        int budget = 60;
        fuzz_walk(body, false, 23, &budget); /* rows, not what they lead to */
    }
}

static void meshes(lathe_doc *doc)
{
    mem m = mem_default();
    model_mesh mesh;
    lathe_error err = {.code = LATHE_OK};
    for (uint64_t i = 0; i < MESHES && err.code != LATHE_ERR_NAME; i++) {
        model_mesh_init(&mesh, &m);
        lathe_result r = format_of(doc)->scene->collision(doc, i, &mesh, &err);
        for (size_t k = 0; r == LATHE_OK && k < mesh.index_count; k++)
            PROMISE(mesh.indices[k] < mesh.vertex_count);
        for (size_t k = 0; r == LATHE_OK && mesh.material_of && k < mesh.index_count / 3; k++)
            PROMISE(mesh.material_of[k] < mesh.material_count);
        PROMISE(r != LATHE_OK || mesh.index_count % 3 == 0);
        model_mesh_free(&mesh);
    }
}

static void look(lathe_doc *doc)
{
    bodies(doc);
    meshes(doc);
    fuzz_look(doc);
}

/* ---- made meshes ----------------------------------------------------------------------------- */

/* Arguments of set_collision. A node is one of these letters, as an address. */
typedef struct made {
    const char *kind, *motion;
    uint32_t points, seed;
    bool triangles, mass;
    uint32_t node, system; /* blocks by number; 0: not given */
} made;

static const char LIST[] = "pitcv"; /* positions, indices, table, children, vector */

static double number_of(const made *m, uint64_t i)
{
    static const double odd[] = {0, 1e-30, 1e30, 65504, -1, 0.5};
    uint32_t h = (uint32_t)(i + 1) * 2654435761u ^ m->seed * 40503u;
    h ^= h >> 15;
    return m->seed % 5 == 0 && h % 31 == 0 ? odd[h % 6] : (double)((int32_t)(h % 400) - 200);
}

static bool nested(lathe_value *leaf, const void **child, lathe_kind kind, char which)
{
    leaf->kind = kind;
    *child = strchr(LIST, which);
    return true;
}

static bool number(lathe_value *leaf, double f)
{
    *leaf = (lathe_value){.kind = LATHE_KIND_REAL, .as.f = f};
    return true;
}

static bool text(lathe_value *leaf, const char *p)
{
    *leaf = (lathe_value){.kind = LATHE_KIND_STRING, .as.s = {p, strlen(p)}};
    return true;
}

static bool get_element(const made *m, char in, uint64_t i, lathe_value *leaf, const void **child)
{
    if (in == 'c')
        return nested(leaf, child, LATHE_KIND_RECORD, 't');
    if (in == 'i')
        leaf->as.u = (uint32_t)(i * 2654435761u ^ m->seed) % (m->points + (m->seed % 9 == 0));
    leaf->kind = LATHE_KIND_UINT;
    return in == 'i' || number(leaf, number_of(m, i));
}

static bool made_get(void *user, const void *node, const char *name, uint64_t i, lathe_value *leaf,
                     const void **child)
{
    const made *m = user;
    char in = node ? *(const char *)node : 0;
    bool compound = strcmp(m->kind, "compound") == 0;
    bool figures = m->seed % 3 == 0 && strchr("bsc", *m->kind) && !compound;
    *child = NULL;
    if (!name)
        return get_element(m, in, i, leaf, child);
    if (in == 't' && strcmp(name, "positions") == 0)
        return nested(leaf, child, LATHE_KIND_ARRAY, 'p');
    if (in == 't' && strcmp(name, "indices") == 0 && m->triangles)
        return nested(leaf, child, LATHE_KIND_ARRAY, 'i');
    if (in)
        return false;
    if (strcmp(name, "kind") == 0)
        return text(leaf, m->kind);
    if (strcmp(name, "motion") == 0 && m->motion)
        return text(leaf, m->motion);
    if (strcmp(name, "mass") == 0 && m->mass)
        return number(leaf, 1 + m->seed % 7);
    if (strcmp(name, "node") == 0 && m->node)
        return number(leaf, m->node);
    if (strcmp(name, "system") == 0 && m->system)
        return number(leaf, m->system);
    if (strcmp(name, "mesh") == 0 && (compound || !figures))
        return nested(leaf, child, compound ? LATHE_KIND_ARRAY : LATHE_KIND_RECORD,
                      compound ? 'c' : 't');
    if (strcmp(name, "radius") == 0 && figures)
        return number(leaf, m->seed % 16 ? m->seed : -1);
    if ((strcmp(name, "size") == 0 || strcmp(name, "a") == 0 || strcmp(name, "b") == 0) && figures)
        return nested(leaf, child, LATHE_KIND_ARRAY, 'v');
    return false;
}

static uint64_t made_count(void *user, const void *node)
{
    const made *m = user;
    switch (node ? *(const char *)node : 0) {
    case 'p': return 3 * (uint64_t)m->points;
    case 'i': return 6 * (uint64_t)m->points;
    case 'c': return 1 + m->seed % 4;
    case 'v': return 3;
    default: return 0;
    }
}

/* A node or body whose collision is removed. */
typedef struct removed {
    lathe_value what;
    bool constraints;
} removed;

static bool removed_get(void *user, const void *node, const char *name, uint64_t i,
                        lathe_value *leaf, const void **child)
{
    const removed *r = user;
    (void)node, (void)i;
    *child = NULL;
    if (!name)
        return false;
    if (strcmp(name, "node") == 0)
        *leaf = r->what;
    else
        return strcmp(name, "constraints") == 0 && r->constraints && text(leaf, "remove");
    return true;
}

static uint64_t removed_count(void *user, const void *node)
{
    (void)user, (void)node;
    return 0;
}

static lathe_result remove_collision(lathe_doc *doc, uint32_t which, lathe_error *err)
{
    lathe_report report = {.size = sizeof report, .skipped = fuzz_skipped};
    removed one = {.constraints = which % 3 != 0};
    lathe_source args = {.size = offsetof(lathe_source, name),
                         .user = &one,
                         .get = removed_get,
                         .count = removed_count};
    number(&one.what, which / 4 % 8);
    if (which % 4 == 0) {
        lathe_result r = format_of(doc)->scene->body(doc, which / 4 % 6, &one.what.as.v, err);
        one.what.kind = LATHE_KIND_RECORD;
        if (r != LATHE_OK)
            return r;
    }
    return lathe_view_call(lathe_doc_root(doc), "remove_collision", &args, &report, err);
}

static lathe_result set_collision(fuzz_dice *d, lathe_doc *doc, lathe_error *err)
{
    static const char *const kinds[] = {"hull", "mesh", "box", "sphere", "capsule", "compound"};
    static const char *const motions[] = {"static", "keyframed", "dynamic", NULL};
    lathe_report report = {.size = sizeof report, .skipped = fuzz_skipped};
    made m = {.kind = kinds[fuzz_roll(d, 6)], .motion = motions[fuzz_roll(d, 4)]};
    m.points = 1 + fuzz_roll(d, 120);
    m.triangles = fuzz_roll(d, 8) != 0;
    m.mass = fuzz_roll(d, 2);
    m.seed = fuzz_roll(d, 256);
    if (m.seed % 4 == 3)
        return remove_collision(doc, m.points, err);
    m.node = m.seed % 3 ? 0 : 1 + m.seed / 3 % 6;
    m.system = m.seed % 5 ? 0 : 1 + m.seed / 5 % 12;
    lathe_source args = {
        .size = offsetof(lathe_source, name), .user = &m, .get = made_get, .count = made_count};
    return lathe_view_call(lathe_doc_root(doc), "set_collision", &args, &report, err);
}

/* ---- other edits ----------------------------------------------------------------------------- */

/* Another factor along each axis. */
static bool get_axes(void *user, const void *node, const char *name, uint64_t i, lathe_value *leaf,
                     const void **child)
{
    const double *axes = user;
    *child = NULL;
    if (!name)
        return number(leaf, axes[i % 3]);
    if (!node && strcmp(name, "factor") == 0)
        return nested(leaf, child, LATHE_KIND_ARRAY, 'v');
    return !node && strcmp(name, "what") == 0 && text(leaf, "collision");
}

static uint64_t count_axes(void *user, const void *node)
{
    (void)user;
    return node ? 3 : 0;
}

static lathe_result scale_axes(fuzz_dice *d, lathe_doc *doc, lathe_error *err)
{
    static const double factors[] = {2, 0.5, 1, 3, 1e6, 1e-6};
    double axes[3];
    lathe_report report = {.size = sizeof report, .skipped = fuzz_skipped};
    lathe_source args = {
        .size = offsetof(lathe_source, name), .user = axes, .get = get_axes, .count = count_axes};
    for (int i = 0; i < 3; i++)
        axes[i] = factors[fuzz_roll(d, 6)];
    return lathe_view_call(lathe_doc_root(doc), "scale", &args, &report, err);
}

static lathe_result scale(fuzz_dice *d, lathe_doc *doc, lathe_error *err)
{
    static const double factors[] = {2, 0.5, 10, 1e30, 1, -1, 0, 0.1};
    lathe_report report = {.size = sizeof report, .skipped = fuzz_skipped};
    one factor = {"factor", factors[fuzz_roll(d, 8)]};
    lathe_source args = source_of(&factor);
    return lathe_view_call(lathe_doc_root(doc), "scale", &args, &report, err);
}

static lathe_result set_row(fuzz_dice *d, lathe_doc *doc, lathe_error *err)
{
    static const char *const words[] = {"static", "dynamic", "keyframed", "wood", "0x12345678", ""};
    lathe_view body;
    lathe_field_info info = {.size = sizeof info};
    if (format_of(doc)->scene->body(doc, fuzz_roll(d, 4), &body, err) != LATHE_OK ||
        !lathe_view_describe(body, fuzz_roll(d, (uint32_t)lathe_view_count(body)), &info))
        return LATHE_OK;
    lathe_value v = fuzz_value(d, doc, info.kind);
    if (v.kind == LATHE_KIND_STRING && fuzz_roll(d, 4))
        text(&v, words[fuzz_roll(d, 6)]);
    return lathe_view_set(body, info.name, &v, err);
}

/* The block of a NIF that has a packfile, and that. */
static bool system_of(fuzz_dice *d, lathe_doc *doc, lathe_view *block, lathe_value *system)
{
    lathe_value blocks, v;
    lathe_error err;
    if (lathe_view_get(lathe_doc_root(doc), "blocks", &blocks, &err) != LATHE_OK)
        return false;
    uint64_t n = lathe_view_count(blocks.as.v), from = fuzz_roll(d, n < 256 ? (uint32_t)n : 256);
    for (uint64_t i = 0; i < n && i < 64; i++) {
        if (lathe_view_item(blocks.as.v, (from + i) % n, &v, &err) != LATHE_OK)
            continue;
        *block = v.as.v;
        if (lathe_view_get(*block, "system", system, &err) == LATHE_OK &&
            system->kind == LATHE_KIND_RECORD)
            return true;
    }
    return false;
}

static lathe_result replace_system(fuzz_dice *d, lathe_doc *doc, fuzz_bytes *input,
                                   lathe_error *err)
{
    lathe_view block;
    lathe_value v;
    packfile f;
    if (!system_of(d, doc, &block, &v))
        return LATHE_OK;
    damage(d, input->p, input->n);
    bool there = find_packfile(input->p, input->n, &f) && fuzz_roll(d, 8);
    v = (lathe_value){.kind = LATHE_KIND_STRING, .as.s = {there ? (char *)f.p : "none", 4}};
    v.as.s.n = there ? f.end : 4;
    return lathe_view_set(block, "system", &v, err);
}

/* A field of an object, somewhere below it. */
static lathe_result set_inside(fuzz_dice *d, lathe_doc *doc, lathe_error *err)
{
    lathe_view block, at = lathe_doc_root(doc);
    lathe_value v;
    lathe_field_info info = {.size = sizeof info};
    bool array = false;
    if (system_of(d, doc, &block, &v))
        at = v.as.v;
    if (lathe_view_get(at, "objects", &v, err) != LATHE_OK)
        return LATHE_OK;
    for (int depth = 0; depth < 8 && fuzz_is_view(&v); depth++) {
        uint64_t n = lathe_view_count(at = v.as.v), i = fuzz_roll(d, n < 256 ? (uint32_t)n : 256);
        array = v.kind == LATHE_KIND_ARRAY;
        info = (lathe_field_info){.size = sizeof info};
        if (n == 0 || !lathe_view_describe(at, array ? 0 : i, &info))
            break;
        if (array && fuzz_roll(d, 8) == 0)
            return fuzz_roll(d, 2) ? lathe_view_insert(at, i, 1, err)
                                   : lathe_view_remove(at, i, 1, err);
        lathe_result r =
            array ? lathe_view_item(at, i, &v, err) : lathe_view_get(at, info.name, &v, err);
        if (r != LATHE_OK || fuzz_is_view(&v))
            continue;
        v = fuzz_value(d, doc, info.kind);
        return array ? lathe_view_set_item(at, i, &v, err) : lathe_view_set(at, info.name, &v, err);
    }
    return LATHE_OK;
}

static lathe_result edit(fuzz_dice *d, lathe_doc *doc, fuzz_bytes *input, lathe_error *err)
{
    switch (fuzz_roll(d, 10)) {
    case 0: return fuzz_roll(d, 2) ? scale(d, doc, err) : scale_axes(d, doc, err);
    case 1:
    case 2:
        if (strcmp(format_of(doc)->name, "nif") == 0)
            return set_collision(d, doc, err);
        return set_inside(d, doc, err);
    case 3: return replace_system(d, doc, input, err);
    case 4:
    case 5:
    case 6: return set_row(d, doc, err);
    default: return set_inside(d, doc, err);
    }
}

/* ---- the target ------------------------------------------------------------------------------ */

/* Time of the processor, so that a busy machine changes nothing. */
static double seconds(void)
{
    return (double)clock() / CLOCKS_PER_SEC;
}

static void edits(fuzz_dice *d, lathe_doc *doc, const char *format, fuzz_bytes *input)
{
    lathe_error err;
    for (int i = 0; i < EDITS; i++) {
        double began = seconds();
        fuzz_bytes before = fuzz_encode(doc);
        if (edit(d, doc, input, &err) == LATHE_OK) {
            fuzz_reparse(format, doc);
            free(before.p);
        } else {
            PROMISE(fuzz_still(doc, &before));
        }
        PROMISE(seconds() - began < SECONDS);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_dice d = fuzz_dice_of(data, size); /* bytes of the program, then what follows from all */
    fuzz_memory memory = {.until = -1};
    lathe_options options = {
        .size = sizeof options, .history = EDITS + 1, .alloc = fuzz_alloc, .alloc_user = &memory};
    lathe_doc *doc = NULL;
    lathe_error err;
    fuzz_bytes input = {NULL, 0, 0};
    if (size <= PROGRAM || size > 1 << 16)
        return 0;
    d.data += size - PROGRAM;
    d.left = PROGRAM;
    fuzz_sink(&input, data, size - PROGRAM);
    options.format = input.p[0] == 0x57 ? "hkx" : "nif";
    damage(&d, input.p, input.n);
    if (lathe_doc_parse(input.p, input.n, &options, &doc, &err) == LATHE_OK) {
        double began = seconds();
        fuzz_bytes start = fuzz_encode(doc);
        look(doc);
        PROMISE(seconds() - began < SECONDS);
        edits(&d, doc, options.format, &input);
        began = seconds();
        look(doc);
        while (lathe_edit_undo(doc, 1))
            ;
        PROMISE(fuzz_still(doc, &start));
        PROMISE(seconds() - began < SECONDS);
        lathe_doc_close(doc);
    }
    PROMISE(memory.now == 0);
    if (fuzz_roll(&d, 4) == 0)
        fuzz_document(options.format, input.p, input.n, false);
    free(input.p);
    return 0;
}
