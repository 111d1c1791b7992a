/* Edits of tagfiles by a script: texts, arrays, pointers, and objects that come and go.
 *
 * An input is the length of a script, a file, and the script: what is done with the file, from its end. A file whose
 * sections, items and patches are without faults has none there after any edit that is allowed. */
#include "fuzz.h"

enum { EDITS = 20 };

/* ---- places -------------------------------------------------------------------------------------------- */

static bool list_of(lathe_doc *doc, const char *name, lathe_view *out)
{
    lathe_value v;
    lathe_error err;
    if (lathe_view_get(lathe_doc_root(doc), name, &v, &err) != LATHE_OK ||
        v.kind != LATHE_KIND_ARRAY)
        return false;
    *out = v.as.v;
    return true;
}

static bool any_object(fuzz_dice *d, lathe_doc *doc, lathe_value *out)
{
    lathe_view objects;
    lathe_error err;
    if (!list_of(doc, "objects", &objects))
        return false;
    uint64_t n = lathe_view_count(objects);
    return n &&
           lathe_view_item(objects, fuzz_roll(d, n < 256 ? (uint32_t)n : 256), out, &err) ==
               LATHE_OK &&
           out->kind == LATHE_KIND_RECORD;
}

/* ---- edits --------------------------------------------------------------------------------------------- */

/* A field or element of any kind: a reference gets an object, or none. */
static lathe_result set(fuzz_dice *d, lathe_doc *doc, lathe_error *err)
{
    lathe_value object, v = {.kind = LATHE_KIND_BOOL};
    if (!any_object(d, doc, &object))
        return LATHE_OK;
    fuzz_spot s = fuzz_pick_below(d, object.as.v);
    bool ref = s.info.flags & LATHE_FIELD_REF;
    if (!ref)
        v = fuzz_value(
            d, doc, s.info.flags & LATHE_FIELD_ARRAY && !s.array ? LATHE_KIND_ARRAY : s.info.kind);
    else if (fuzz_roll(d, 3) && any_object(d, doc, &object))
        v = object;
    if (s.array)
        return lathe_view_set_item(s.view, s.index, &v, err);
    return s.info.name ? lathe_view_set(s.view, s.info.name, &v, err) : LATHE_OK;
}

static bool pick_array(fuzz_dice *d, lathe_doc *doc, lathe_view *array)
{
    for (int tries = 0; tries < 6; tries++) {
        lathe_value object, v;
        if (!any_object(d, doc, &object))
            return false;
        fuzz_spot s = fuzz_pick_below(d, object.as.v);
        *array = s.view;
        if (s.array)
            return true;
        if (lathe_view_count(s.view) && fuzz_get(&s, &v) == LATHE_OK &&
            v.kind == LATHE_KIND_ARRAY) {
            *array = v.as.v;
            return true;
        }
    }
    return false;
}

static lathe_result resize(fuzz_dice *d, lathe_doc *doc, bool grow, lathe_error *err)
{
    lathe_view array;
    if (!pick_array(d, doc, &array))
        return LATHE_OK;
    uint64_t n = lathe_view_count(array);
    uint64_t i = fuzz_roll(d, n < 255 ? (uint32_t)n + 1 : 256), of = 1 + fuzz_roll(d, 3);
    return grow ? lathe_view_insert(array, i, of, err)
                : lathe_view_remove(array, i, fuzz_roll(d, 4) ? of : n - (i < n ? i : n), err);
}

static bool get_class(void *user, const void *node, const char *name, uint64_t i, lathe_value *leaf,
                      const void **child)
{
    (void)node, (void)i;
    *child = NULL;
    if (!name || strcmp(name, "class") != 0)
        return false;
    *leaf = (lathe_value){.kind = LATHE_KIND_STRING, .as.s = {user, strlen(user)}};
    return true;
}

static uint64_t count_none(void *user, const void *node)
{
    (void)user, (void)node;
    return 0;
}

/* A new object of a class that another one has. */
static lathe_result append(fuzz_dice *d, lathe_doc *doc, lathe_error *err)
{
    lathe_view objects;
    lathe_value like, made;
    if (!list_of(doc, "objects", &objects) || !any_object(d, doc, &like))
        return LATHE_OK;
    char name[128];
    snprintf(name, sizeof name, "%s", lathe_view_type(like.as.v));
    const lathe_source source = {
        .size = sizeof source, .user = name, .get = get_class, .count = count_none};
    uint64_t n = lathe_view_count(objects), at = fuzz_roll(d, 8) ? n : n / 2;
    lathe_result r = lathe_edit_begin(doc, err);
    if (r != LATHE_OK)
        return r;
    r = lathe_view_insert(objects, at, 1, err);
    if (r == LATHE_OK)
        r = lathe_view_item(objects, at, &made, err);
    if (r == LATHE_OK && made.kind != LATHE_KIND_RECORD)
        r = LATHE_ERR_TYPE;
    if (r == LATHE_OK)
        r = lathe_view_build(made.as.v, &source, err);
    lathe_edit_end(doc, r == LATHE_OK, NULL);
    return r;
}

static lathe_result remove_objects(fuzz_dice *d, lathe_doc *doc, lathe_error *err)
{
    lathe_view objects;
    if (!list_of(doc, "objects", &objects))
        return LATHE_OK;
    uint64_t n = lathe_view_count(objects), i = fuzz_roll(d, n < 255 ? (uint32_t)n + 1 : 256);
    return lathe_view_remove(objects, i, 1 + fuzz_roll(d, 2), err);
}

static lathe_result edit_once(fuzz_dice *d, lathe_doc *doc, lathe_error *err)
{
    switch (fuzz_roll(d, 12)) {
    case 0:
    case 1:
    case 2: return resize(d, doc, true, err);
    case 3:
    case 4: return resize(d, doc, false, err);
    case 5: return append(d, doc, err);
    case 6: return remove_objects(d, doc, err);
    default: return set(d, doc, err);
    }
}

/* What fails has changed nothing. */
static void edit(fuzz_dice *d, lathe_doc *doc)
{
    lathe_error err;
    fuzz_bytes before = fuzz_encode(doc);
    uint32_t how = fuzz_roll(d, 10);
    lathe_result r = LATHE_OK;
    if (how == 0) {
        lathe_edit_undo(doc, fuzz_roll(d, 2) ? 1 : -1);
    } else if (how == 1) {
        r = lathe_edit_begin(doc, &err);
        for (uint32_t n = fuzz_roll(d, 5); r == LATHE_OK && n > 0; n--)
            edit_once(d, doc, &err);
        if (r == LATHE_OK)
            lathe_edit_end(doc, fuzz_roll(d, 3) != 0, NULL);
    } else {
        r = edit_once(d, doc, &err);
    }
    if (r != LATHE_OK)
        PROMISE(fuzz_still(doc, &before));
    else
        free(before.p);
}

/* ---- what must hold ------------------------------------------------------------------------------------ */

typedef struct faults {
    size_t n;
    bool quiet; /* counts all that check() says; else what edits may not bring */
} faults;

static bool count_fault(void *user, const lathe_error *e)
{
    faults *f = user;
    char text[1024];
    bool index = strncmp(e->where, "item_section", 12) == 0 ||
                 strncmp(e->where, "patch_section", 13) == 0 || !e->where[0] ||
                 strstr(e->message, "PTCH has no patch");
    bool overlaps =
        strstr(e->message, " overlaps ") != NULL; /* a number may be written over a reference */
    if (!f->quiet && !overlaps && (e->level != LATHE_LEVEL_ERROR || !index))
        return true; /* also values that mean nothing, which may be written */
    lathe_error_text(e, text, sizeof text);
    if (!f->quiet)
        fprintf(stderr, "%s\n", text);
    f->n++;
    return f->n < 100;
}

static size_t faults_of(lathe_doc *doc, bool quiet)
{
    faults f = {.quiet = quiet};
    lathe_doc_check(doc, count_fault, &f);
    return f.n;
}

/* Whether it can be: what other files patch cannot. */
static bool can_be_written_anew(lathe_doc *doc)
{
    fuzz_bytes made = {NULL, 0, 0};
    lathe_error err;
    lathe_result r = lathe_doc_serialize(lathe_doc_root(doc), NULL, fuzz_sink, &made, &err);
    free(made.p);
    return r == LATHE_OK;
}

static void write_anew(lathe_doc *doc, bool must)
{
    fuzz_bytes made = {NULL, 0, 0};
    lathe_options options = {.size = sizeof options, .format = "tagfile"};
    lathe_doc *other = NULL;
    lathe_error err;
    lathe_result r = lathe_doc_serialize(lathe_doc_root(doc), NULL, fuzz_sink, &made, &err);
    if (must && r != LATHE_OK)
        fprintf(stderr, "%s\n", err.message);
    PROMISE(!must || r == LATHE_OK);
    if (r == LATHE_OK) {
        PROMISE(lathe_doc_parse(made.p, made.n, &options, &other, &err) == LATHE_OK);
        PROMISE(!must || faults_of(other, false) == 0);
        lathe_doc_close(other);
    }
    free(made.p);
}

static void live(const uint8_t *data, size_t size, fuzz_dice *d)
{
    fuzz_memory memory = {.until = -1};
    lathe_options options = {.size = sizeof options,
                             .format = "tagfile",
                             .history = 4 * EDITS,
                             .alloc = fuzz_alloc,
                             .alloc_user = &memory};
    lathe_doc *doc = NULL;
    lathe_error err;
    if (lathe_doc_parse(data, size, &options, &doc, &err) != LATHE_OK) {
        PROMISE(memory.now == 0);
        return;
    }
    bool good = faults_of(doc, true) == 0, known = can_be_written_anew(doc);
    for (int i = 0; i < EDITS; i++)
        edit(d, doc);
    PROMISE(!good || faults_of(doc, false) == 0);
    fuzz_reparse("tagfile", doc);
    fuzz_look(doc);
    write_anew(doc, good && known);
    fuzz_bytes end = fuzz_encode(doc);
    int steps = 0;
    while (lathe_edit_undo(doc, -1)) /* an undo may have been the last step */
        continue;
    free(end.p);
    end = fuzz_encode(doc);
    while (lathe_edit_undo(doc, 1))
        steps++;
    fuzz_bytes start = fuzz_encode(doc);
    PROMISE(start.n == size && memcmp(start.p, data, size) == 0);
    free(start.p);
    PROMISE(steps == 0 || lathe_edit_undo(doc, -steps));
    PROMISE(fuzz_still(doc, &end));
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
