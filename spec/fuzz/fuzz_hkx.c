/* Packfiles: as documents; numbers written in place; every object walked on its own, so that a file of many is
 * looked at to its end; clips sampled and made faster; written anew in every layout. */
#include "fuzz_clips.h"
#include "fuzz_one.h"

/* A number written somewhere changes its own bytes, and undo brings them back. */
static void set_number(fuzz_dice *d, lathe_doc *doc)
{
    fuzz_spot s = fuzz_pick(d, doc);
    lathe_error err;
    lathe_value old, now, v = fuzz_value(d, doc, s.info.kind);
    uint64_t off, size;
    if ((!s.array && !s.info.name) || s.info.kind < LATHE_KIND_BOOL ||
        s.info.kind > LATHE_KIND_REAL || fuzz_get(&s, &old) != LATHE_OK || fuzz_is_view(&old))
        return;
    fuzz_bytes before = fuzz_encode(doc);
    bool placed = !s.array && lathe_view_span(s.view, s.info.name, &off, &size, &err) == LATHE_OK;
    lathe_result r = s.array ? lathe_view_set_item(s.view, s.index, &v, &err)
                             : lathe_view_set(s.view, s.info.name, &v, &err);
    fuzz_bytes after = fuzz_encode(doc);
    PROMISE(after.n == before.n);
    for (size_t i = 0; placed && i < after.n; i++)
        PROMISE(after.p[i] == before.p[i] || (i >= off && i - off < size));
    PROMISE(r == LATHE_OK || fuzz_same(&before, &after));
    PROMISE(fuzz_get(&s, &now) == LATHE_OK);
    lathe_edit_undo(doc, 1);
    free(after.p);
    PROMISE(fuzz_still(doc, &before));
}

static void walk_objects(lathe_doc *doc)
{
    lathe_value objects, object;
    lathe_error err;
    if (lathe_view_get(lathe_doc_root(doc), "objects", &objects, &err) != LATHE_OK)
        return;
    for (uint64_t i = 0; i < 64 && lathe_view_item(objects.as.v, i, &object, &err) == LATHE_OK;
         i++) {
        int budget = 200;
        lathe_error why;
        lathe_view_problem(object.as.v, &why);
        PROMISE(lathe_view_type(object.as.v)[0] || i < 64);
        fuzz_walk(object.as.v, false, 0, &budget);
    }
}

/* ---- clips ------------------------------------------------------------------------------------------- */

/* What is made faster, or larger, opens again, and undo brings it back. */
static void change(lathe_doc *doc, lathe_view what, const char *verb, const char *name, double to)
{
    lathe_error err;
    one number = {name, to};
    lathe_source args = source_of(&number);
    fuzz_bytes before = fuzz_encode(doc);
    uint64_t state = doc->state;
    if (lathe_view_call(what, verb, &args, NULL, &err) == LATHE_OK) {
        fuzz_reparse("hkx", doc);
        if (doc->state != state)
            lathe_edit_undo(doc, 1);
    }
    PROMISE(fuzz_still(doc, &before));
}

static void retime(lathe_doc *doc)
{
    scene_clip clip;
    lathe_error err;
    if (scene_clip_open(doc, 0, &clip, &err) == LATHE_OK)
        change(doc, clip.source, "retime", "speed", 2);
}

/* ---- written anew ------------------------------------------------------------------------------------ */

static bool get_game(void *user, const void *node, const char *name, uint64_t i, lathe_value *leaf,
                     const void **child)
{
    const char *game = user;
    (void)node;
    (void)i;
    (void)child;
    if (!game || !name || (strcmp(name, "game") != 0 && strcmp(name, "to") != 0))
        return false;
    *leaf = (lathe_value){.kind = LATHE_KIND_STRING, .as.s = {game, strlen(game)}};
    return true;
}

/* What is written anew opens, and writing that anew changes nothing more. */
static void serialize(lathe_doc *doc, char *game)
{
    lathe_source args = {
        .size = offsetof(lathe_source, name), .user = game, .get = get_game, .count = count_one};
    lathe_options options = {.size = sizeof options, .format = "hkx"};
    fuzz_bytes before = fuzz_encode(doc), made = {NULL, 0, 0}, again = {NULL, 0, 0};
    lathe_doc *other = NULL;
    lathe_error err;
    if (lathe_doc_serialize(lathe_doc_root(doc), &args, fuzz_sink, &made, &err) == LATHE_OK) {
        PROMISE(lathe_doc_parse(made.p, made.n, &options, &other, &err) == LATHE_OK);
        PROMISE(lathe_doc_serialize(lathe_doc_root(other), NULL, fuzz_sink, &again, &err) ==
                LATHE_OK);
        PROMISE(fuzz_same(&made, &again));
        lathe_doc_close(other);
    }
    free(made.p);
    free(again.p);
    PROMISE(fuzz_still(doc, &before));
}

/* It becomes the file of that game, which opens; undo brings the bytes back. */
static void convert(lathe_doc *doc, char *game)
{
    lathe_source args = {
        .size = offsetof(lathe_source, name), .user = game, .get = get_game, .count = count_one};
    fuzz_bytes before = fuzz_encode(doc);
    lathe_error err;
    if (lathe_view_call(lathe_doc_root(doc), "convert", &args, NULL, &err) == LATHE_OK) {
        fuzz_reparse("hkx", doc);
        walk_objects(doc);
        fuzz_clips(doc);
        lathe_edit_undo(doc, 1);
    }
    PROMISE(fuzz_still(doc, &before));
}

/* ---- objects that come and go ------------------------------------------------------------------------ */

static bool get_class(void *user, const void *node, const char *name, uint64_t i, lathe_value *leaf,
                      const void **child)
{
    const char *class = user;
    (void)node;
    (void)i;
    (void)child;
    if (!name || strcmp(name, "class") != 0)
        return false;
    *leaf = (lathe_value){.kind = LATHE_KIND_STRING, .as.s = {class, strlen(class)}};
    return true;
}

static lathe_result add_object(lathe_doc *doc, lathe_view objects, char *class, lathe_error *err)
{
    lathe_value object;
    const lathe_source fields = {
        .size = offsetof(lathe_source, name), .user = class, .get = get_class, .count = count_one};
    uint64_t n = lathe_view_count(objects);
    lathe_result r = lathe_edit_begin(doc, err);
    if (r != LATHE_OK)
        return r;
    r = lathe_view_insert(objects, n, 1, err);
    if (r == LATHE_OK)
        r = lathe_view_item(objects, n, &object, err);
    if (r == LATHE_OK)
        r = lathe_view_build(object.as.v, &fields, err);
    return lathe_edit_end(doc, r == LATHE_OK, err);
}

/* A copy of some object, or without those that nothing leads to: then there are no more of these. */
static void copy_or_prune(fuzz_dice *d, lathe_doc *doc, lathe_view objects, uint64_t n)
{
    lathe_value object;
    lathe_view copy;
    lathe_error err;
    lathe_report report = {.size = sizeof report};
    if (fuzz_roll(d, 3) && n < 64 &&
        lathe_view_item(objects, fuzz_roll(d, (uint32_t)n), &object, &err) == LATHE_OK) {
        lathe_result r = lathe_view_copy(objects, object.as.v, &copy, &err);
        PROMISE(lathe_view_count(objects) > n || r != LATHE_OK);
        return;
    }
    if (lathe_view_call(lathe_doc_root(doc), "prune", NULL, &report, &err) != LATHE_OK)
        return;
    PROMISE(lathe_view_count(objects) + report.changed == n);
    report.changed = 0;
    PROMISE(lathe_view_call(lathe_doc_root(doc), "prune", NULL, &report, &err) == LATHE_OK);
    PROMISE(report.changed == 0);
}

/* What is left opens, and undo brings everything back. */
static void change_objects(fuzz_dice *d, lathe_doc *doc)
{
    static char classes[][40] = {"hkaDefaultAnimatedReferenceFrame", "hkaAnimationBinding",
                                 "hkaSkeleton", "hkNothing"};
    lathe_value objects;
    lathe_error err;
    fuzz_bytes before = fuzz_encode(doc);
    uint64_t state = doc->state;
    if (lathe_edit_begin(doc, &err) == LATHE_OK) {
        for (int i = 0; i < 6; i++) {
            if (lathe_view_get(lathe_doc_root(doc), "objects", &objects, &err) != LATHE_OK)
                break;
            uint64_t n = lathe_view_count(objects.as.v);
            if (n && fuzz_roll(d, 3) == 0)
                copy_or_prune(d, doc, objects.as.v, n);
            else if (fuzz_roll(d, 2) || !n)
                add_object(doc, objects.as.v, classes[fuzz_roll(d, 4)], &err);
            else
                lathe_view_remove(objects.as.v, fuzz_roll(d, (uint32_t)n), 1, &err);
        }
        lathe_edit_end(doc, true, &err);
        walk_objects(doc);
        fuzz_reparse("hkx", doc);
        if (doc->state != state)
            lathe_edit_undo(doc, 1);
    }
    PROMISE(fuzz_still(doc, &before));
}

static void numbers(const uint8_t *data, size_t size)
{
    fuzz_dice d = fuzz_dice_of(data, size);
    lathe_options options = {.size = sizeof options, .format = "hkx", .history = 2};
    lathe_doc *doc = NULL;
    lathe_error err;
    if (lathe_doc_parse(data, size, &options, &doc, &err) != LATHE_OK)
        return;
    walk_objects(doc);
    fuzz_clips(doc);
    change_objects(&d, doc);
    retime(doc);
    change(doc, lathe_doc_root(doc), "scale", "factor", 3);
    static char games[3][16] = {"skyrim-le", "skyrim-se", "fallout4"};
    serialize(doc, NULL);
    for (int i = 0; i < 3; i++)
        serialize(doc, games[i]);
    for (int i = 0; i < 3; i++)
        convert(doc, games[i]);
    for (int i = 0; i < 8; i++)
        set_number(&d, doc);
    lathe_doc_close(doc);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size && (data[0] == '<' || data[0] == 0xEF))
        return 0; /* XML: fuzz_xml */
    numbers(data, size);
    fuzz_document("hkx", data, size, false);
    return 0;
}
