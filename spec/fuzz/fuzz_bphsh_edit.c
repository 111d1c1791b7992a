/* Edits of Phive shapes by a script: fields, rows of the tables, materials, scales, moves, and other meshes.
 *
 * An input is the length of a script, a file, and the script: what is done with the file, from its end. A file of which
 * check() says nothing has no error after any edit but that of single fields of the shape, which may be given any value.
 * What fails has changed nothing, and what is undone leaves the file's own bytes. */
#include "fuzz.h"
#include "given.h"

enum { EDITS = 12, POINTS = 24, TRIANGLES = 32 };

typedef struct script {
    fuzz_dice d;
    lathe_doc *doc;
    fuzz_memory memory;
    bool raw;   /* a field of the shape was set */
    bool tight; /* memory ran out: history may be forgotten */
} script;

/* ---- fields and rows ----------------------------------------------------------------------------------- */

static bool view_at(lathe_doc *doc, const char *path, lathe_view *out)
{
    lathe_value v;
    lathe_error err;
    if (lathe_view_at(lathe_doc_root(doc), path, &v, &err) != LATHE_OK || !fuzz_is_view(&v))
        return false;
    *out = v.as.v;
    return true;
}

/* A field, or elements, of what is below a view, which may be given anything. */
static lathe_result raw(script *s, lathe_view below, lathe_error *err)
{
    fuzz_spot spot = fuzz_pick_below(&s->d, below);
    lathe_value v = fuzz_value(&s->d, s->doc,
                               spot.info.flags & LATHE_FIELD_ARRAY && !spot.array ? LATHE_KIND_ARRAY
                                                                                  : spot.info.kind);
    uint32_t how = fuzz_roll(&s->d, 8);
    if (spot.array && how == 0)
        return lathe_view_insert(spot.view, spot.index, 1 + fuzz_roll(&s->d, 3), err);
    if (spot.array && how == 1)
        return lathe_view_remove(spot.view, spot.index, 1 + fuzz_roll(&s->d, 3), err);
    if (spot.array)
        return lathe_view_set_item(spot.view, spot.index, &v, err);
    return spot.info.name ? lathe_view_set(spot.view, spot.info.name, &v, err) : LATHE_OK;
}

static lathe_result set_shape(script *s, lathe_error *err)
{
    static const char *const places[] = {"shape", "shape.geometry_sections[1]",
                                         "shape.shape_tag_table", "tagfile"};
    lathe_view below;
    if (!view_at(s->doc, places[fuzz_roll(&s->d, 4)], &below))
        return LATHE_OK;
    lathe_result r = raw(s, below, err);
    s->raw = s->raw || r == LATHE_OK;
    return r;
}

/* Triangles of a row, as a list of numbers. */
static lathe_result set_triangles(script *s, lathe_view row, lathe_error *err)
{
    uint32_t list[9], n = fuzz_roll(&s->d, 9);
    lathe_value v;
    lathe_result r = lathe_view_get(row, "triangles", &v, err);
    for (uint32_t i = 0; i < n; i++)
        list[i] = fuzz_roll(&s->d, 40);
    if (r != LATHE_OK || v.kind != LATHE_KIND_ARRAY)
        return r;
    return lathe_view_write(v.as.v, NULL, 0, n, LATHE_ELEM_U32, list, 0, err);
}

static lathe_result edit_rows(script *s, lathe_error *err)
{
    lathe_view rows;
    lathe_value v;
    if (!view_at(s->doc, "tables.materials", &rows))
        return LATHE_OK;
    uint64_t n = lathe_view_count(rows);
    uint64_t i = fuzz_roll(&s->d, n < 255 ? (uint32_t)n + 1 : 256);
    uint64_t of = 1 + fuzz_roll(&s->d, fuzz_roll(&s->d, 16) ? 3 : 0xFFFF);
    switch (fuzz_roll(&s->d, 6)) {
    case 0: return lathe_view_insert(rows, i, of, err);
    case 1: return lathe_view_remove(rows, i, of, err);
    case 2: return lathe_view_move(rows, i, fuzz_roll(&s->d, (uint32_t)n), err);
    case 3:
        return lathe_view_item(rows, i, &v, err) == LATHE_OK && v.kind == LATHE_KIND_RECORD
                   ? set_triangles(s, v.as.v, err)
                   : LATHE_OK;
    default: return view_at(s->doc, "tables", &rows) ? raw(s, rows, err) : LATHE_OK;
    }
}

/* ---- verbs ------------------------------------------------------------------------------------------------ */

static void said(void *user, const char *name, const lathe_value *value)
{
    (void)user;
    PROMISE(name && value);
}

static lathe_result call(script *s, const char *verb, const given *args, size_t n, lathe_error *err)
{
    lathe_report report = {.size = sizeof report, .skipped = fuzz_skipped, .result = said};
    given top = {.list = args, .n = n};
    lathe_source source = given_source(&top);
    return lathe_view_call(lathe_doc_root(s->doc), verb, &source, &report, err);
}

static lathe_value text_of(script *s)
{
    static const char *const texts[] = {"*",  "Stone", "0",    "Wood",   "*o*",
                                        "12", "Soil",  "0x1F", "nobody", "S*"};
    const char *text = texts[fuzz_roll(&s->d, 10)];
    return (lathe_value){.kind = LATHE_KIND_STRING, .as.s = {text, strlen(text)}};
}

/* A name, a number, or something else. */
static lathe_value material(script *s)
{
    uint32_t k = fuzz_roll(&s->d, 12);
    if (k < 4)
        return text_of(s);
    return k < 11 ? (lathe_value)GIVEN_INT(k) : fuzz_value(&s->d, s->doc, LATHE_KIND_RECORD);
}

static lathe_result set_materials(script *s, lathe_error *err)
{
    const given args[] = {{.name = "from", .v = text_of(s)}, {.name = "to", .v = text_of(s)}};
    return call(s, "set_materials", args, 2, err);
}

static uint64_t triangles(script *s)
{
    lathe_view list;
    uint64_t n = view_at(s->doc, "triangle_materials", &list) ? lathe_view_count(list) : 0;
    return n < 4096 ? n : 0;
}

static lathe_result paint(script *s, lathe_error *err)
{
    static uint32_t numbers[4096];
    uint32_t n = (uint32_t)triangles(s), among = 1 + fuzz_roll(&s->d, 4), how = fuzz_roll(&s->d, 4);
    given list[4], args[2] = {{.name = "materials", .list = list, .n = among},
                              {.name = "triangle_materials", .numbers = numbers, .n = n}};
    for (uint32_t i = 0; i < among; i++)
        list[i] = (given){.v = material(s)};
    for (uint32_t i = 0; i < n; i++)
        numbers[i] = fuzz_roll(&s->d, 50) ? i % among : fuzz_roll(&s->d, 6);
    if (how == 0)
        args[0] = (given){.name = "materials", .v = material(s)};
    return how == 3 ? call(s, "set_triangle_materials", args + 1, 1, err)
                    : call(s, "set_triangle_materials", args, how ? 2 : 1, err);
}

static float length(script *s)
{
    static const float some[] = {0.0f,   1.0f,       -1.0f,   0.5f,  2.0f,    0.25f,  -3.0f, 0.1f,
                                 100.0f, 0.0078125f, 1000.0f, 31.9f, -500.7f, 1e-30f, 3e38f, 1e6f};
    return some[fuzz_roll(&s->d, fuzz_roll(&s->d, 4) ? 13 : 16)];
}

static lathe_result scale(script *s, lathe_error *err)
{
    float by[3] = {length(s), length(s), length(s)};
    uint32_t one = fuzz_roll(&s->d, 2);
    const given even = {.name = "factor", .v = GIVEN_REAL((double)by[0])};
    const given axes = {.name = "factor", .floats = by, .n = 3};
    return call(s, "scale", one ? &even : &axes, 1, err);
}

static lathe_result transform(script *s, lathe_error *err)
{
    float by[3] = {length(s), length(s), length(s)}, to[3] = {length(s), length(s), length(s)};
    const given args[] = {{.name = "translation", .floats = to, .n = 3},
                          {.name = "scale", .floats = by, .n = 3}};
    return call(s, "transform", args, 1 + fuzz_roll(&s->d, 2), err);
}

/* The shape's own mesh, or a few triangles by chance: some without area, some corners that are not there. */
static lathe_result set_mesh(script *s, lathe_error *err)
{
    float places[3 * POINTS];
    uint32_t corners[3 * TRIANGLES], numbers[TRIANGLES], points = 3 + fuzz_roll(&s->d, POINTS - 2);
    uint32_t n = fuzz_roll(&s->d, TRIANGLES + 1), among = 1 + fuzz_roll(&s->d, 3);
    given materials[3], mesh[] = {{.name = "positions", .floats = places, .n = 3 * points},
                                  {.name = "indices", .numbers = corners, .n = 3 * n},
                                  {.name = "materials", .list = materials, .n = among},
                                  {.name = "triangle_materials", .numbers = numbers, .n = n}};
    for (uint32_t i = 0; i < 3 * points; i++)
        places[i] = fuzz_roll(&s->d, 3) ? (float)fuzz_roll(&s->d, 64) / 8 : length(s);
    for (uint32_t i = 0; i < 3 * n; i++)
        corners[i] = fuzz_roll(&s->d, points + (fuzz_roll(&s->d, 256) == 0));
    for (uint32_t i = 0; i < n; i++)
        numbers[i] = fuzz_roll(&s->d, among);
    for (uint32_t i = 0; i < among; i++)
        materials[i] = (given){.v = material(s)};
    given args[] = {
        {.name = "mesh", .list = mesh, .n = fuzz_roll(&s->d, 2) ? 4 : 2},
        {.name = "quads", .v = {.kind = LATHE_KIND_BOOL, .as.b = fuzz_roll(&s->d, 2)}},
        {.name = "interior", .v = {.kind = LATHE_KIND_BOOL, .as.b = fuzz_roll(&s->d, 2)}},
        {.name = "materials", .list = materials, .n = among}};
    if (fuzz_roll(&s->d, 3) == 0)
        args[0] = (given){.name = "mesh",
                          .v = {.kind = LATHE_KIND_RECORD, .as.v = lathe_doc_root(s->doc)}};
    return call(s, "set_mesh", args, 3 + fuzz_roll(&s->d, 2), err);
}

/* ---- a script ------------------------------------------------------------------------------------------- */

static lathe_result edit_once(script *s, lathe_error *err)
{
    switch (fuzz_roll(&s->d, 14)) {
    case 0: return set_shape(s, err);
    case 1:
    case 2:
    case 3: return edit_rows(s, err);
    case 4:
    case 5: return set_materials(s, err);
    case 6:
    case 7: return paint(s, err);
    case 8:
    case 9: return scale(s, err);
    case 10: return transform(s, err);
    default: return set_mesh(s, err);
    }
}

/* Edits that are kept or given up together. */
static lathe_result edit_many(script *s, lathe_error *err)
{
    bool keep = fuzz_roll(&s->d, 3) != 0;
    fuzz_bytes before = fuzz_encode(s->doc);
    lathe_result r = lathe_edit_begin(s->doc, err);
    if (r == LATHE_OK) {
        for (uint32_t n = fuzz_roll(&s->d, 4); n > 0; n--)
            edit_once(s, err);
        lathe_edit_end(s->doc, keep);
    }
    if (r != LATHE_OK || !keep)
        PROMISE(fuzz_still(s->doc, &before));
    else
        free(before.p);
    return LATHE_OK;
}

static void edit(script *s)
{
    lathe_error err;
    fuzz_bytes before = fuzz_encode(s->doc);
    uint32_t how = fuzz_roll(&s->d, 12);
    lathe_result r = LATHE_OK;
    if (how == 0) {
        lathe_edit_undo(s->doc, fuzz_roll(&s->d, 2) ? 1 : -1);
    } else if (how == 1) {
        r = edit_many(s, &err);
    } else if (how == 2) {
        s->memory.until = fuzz_roll(&s->d, 256);
        s->tight = true;
        r = edit_once(s, &err);
        s->memory.until = -1;
    } else {
        r = edit_once(s, &err);
    }
    if (r != LATHE_OK)
        PROMISE(fuzz_still(s->doc, &before) && err.message[0]);
    else
        free(before.p);
}

/* ---- what must hold ------------------------------------------------------------------------------------ */

typedef struct faults {
    size_t n;
    bool quiet; /* counts all that check() says; else errors, which are told */
} faults;

static bool count_fault(void *user, const lathe_error *e)
{
    faults *f = user;
    char text[1024];
    if (!f->quiet && e->level != LATHE_LEVEL_ERROR)
        return true;
    lathe_error_text(e, text, sizeof text);
    if (!f->quiet)
        fprintf(stderr, "%s\n", text);
    return ++f->n < 100;
}

static size_t faults_of(lathe_doc *doc, bool quiet)
{
    faults f = {.quiet = quiet};
    lathe_doc_check(doc, count_fault, &f);
    return f.n;
}

/* What is encoded, or written anew, opens and is as sound. */
static void opens(const fuzz_bytes *b, bool sound)
{
    const lathe_options options = {.size = sizeof options, .format = "bphsh"};
    lathe_doc *doc = NULL;
    lathe_error err;
    PROMISE(lathe_doc_parse(b->p, b->n, &options, &doc, &err) == LATHE_OK);
    PROMISE(!sound || faults_of(doc, false) == 0);
    lathe_doc_close(doc);
}

static void write_anew(lathe_doc *doc, bool sound)
{
    fuzz_bytes made = {NULL, 0, 0};
    lathe_error err;
    lathe_result r = lathe_doc_serialize(lathe_doc_root(doc), NULL, fuzz_sink, &made, &err);
    if (sound && r != LATHE_OK)
        fprintf(stderr, "%s\n", err.message);
    PROMISE(!sound || r == LATHE_OK);
    if (r == LATHE_OK)
        opens(&made, sound);
    free(made.p);
}

/* Back to the file's own bytes, and forth again. */
static void back_and_forth(script *s, const uint8_t *data, size_t size)
{
    int steps = 0;
    while (lathe_edit_undo(s->doc, -1)) /* an undo may have been the last step */
        continue;
    fuzz_bytes end = fuzz_encode(s->doc);
    while (lathe_edit_undo(s->doc, 1))
        steps++;
    fuzz_bytes start = fuzz_encode(s->doc);
    PROMISE(s->tight || (start.n == size && memcmp(start.p, data, size) == 0));
    free(start.p);
    PROMISE(steps == 0 || lathe_edit_undo(s->doc, -steps));
    PROMISE(fuzz_still(s->doc, &end));
}

static void live(const uint8_t *data, size_t size, fuzz_dice d)
{
    script s = {.d = d, .memory = {.until = -1}};
    lathe_options options = {.size = sizeof options,
                             .format = "bphsh",
                             .history = 8 * EDITS,
                             .alloc = fuzz_alloc,
                             .alloc_user = &s.memory};
    lathe_error err;
    if (size >= 4 && memcmp(data, "\x28\xB5\x2F\xFD", 4) == 0)
        return; /* compressed: fuzz_zstd */
    if (lathe_doc_parse(data, size, &options, &s.doc, &err) != LATHE_OK) {
        PROMISE(s.memory.now == 0);
        return;
    }
    bool sound = faults_of(s.doc, true) == 0;
    for (int i = 0; i < EDITS && s.d.left; i++)
        edit(&s);
    sound = sound && !s.raw;
    PROMISE(!sound || faults_of(s.doc, false) == 0);
    fuzz_bytes now = fuzz_encode(s.doc);
    opens(&now, sound);
    free(now.p);
    fuzz_look(s.doc);
    write_anew(s.doc, sound);
    back_and_forth(&s, data, size);
    lathe_doc_close(s.doc);
    PROMISE(s.memory.now == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_any_path = true;
    if (!size)
        return 0;
    size_t length = data[0] < size - 1 ? data[0] : size - 1, file = size - 1 - length;
    live(data + 1, file, fuzz_dice_of(data + 1 + file, length));
    return 0;
}
