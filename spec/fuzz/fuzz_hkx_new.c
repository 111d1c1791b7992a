/* Packfiles made of a skeleton and an animation that the input describes, well or badly: there is none, or one that
 * opens, has no errors, and is what is written anew. */
#include "fuzz.h"

/* ---- a description, as the dice fall --------------------------------------------------------------------- */

enum { NODES = 4096 };

typedef struct node { /* a leaf, or what has others */
    const char *name;
    lathe_value leaf; /* of kind RECORD or ARRAY: nested */
    struct node *first, *last, *next;
    uint64_t n;
} node;

typedef struct tree {
    node all[NODES];
    size_t n;
    fuzz_dice *d;
} tree;

static node *add(tree *t, node *to, const char *name, lathe_kind kind)
{
    if (t->n == NODES)
        return to;
    node *new = &t->all[t->n++];
    *new = (node){.name = name, .leaf.kind = kind};
    if (!to)
        return new;
    if (to->last)
        to->last->next = new;
    else
        to->first = new;
    to->last = new;
    to->n++;
    return new;
}

static void add_number(tree *t, node *to, const char *name, double number)
{
    node *new = add(t, to, name, LATHE_KIND_REAL);
    if (new != to)
        new->leaf.as.f = number;
}

static void put_text(node *to, const char *p, size_t n)
{
    to->leaf.as.s.p = p;
    to->leaf.as.s.n = n;
}

static void add_text(tree *t, node *to, const char *name)
{
    static const char *const words[] = {"a",    "b",        "Root",      "NPC Head [Head]", "",
                                        "none", "fallout4", "skyrim-le", "skyrim-se"};
    node *new = add(t, to, name, LATHE_KIND_STRING);
    const char *word = words[fuzz_roll(t->d, sizeof words / sizeof *words)];
    if (new != to)
        put_text(new, word, strlen(word) + (fuzz_roll(t->d, 64) == 0));
}

/* Mostly small ones; some are what no file can hold. */
static double odd(fuzz_dice *d)
{
    static const double all[] = {0, -1, 1e-9, 1e30, 1e300, 65536, 0.5, 40, 48};
    uint32_t i = fuzz_roll(d, 256);
    if (i < sizeof all / sizeof *all)
        return all[i];
    if (i == 255)
        return fuzz_roll(d, 8) ? 1000 : (double)all[4] * all[4] - all[4] * all[4];
    return (double)i / 64 - 2;
}

static void add_odd(tree *t, node *to, const char *name)
{
    switch (fuzz_roll(t->d, 12)) {
    case 0: add_text(t, to, name); break;
    case 1: add(t, to, name, LATHE_KIND_ARRAY); break;
    default: add_number(t, to, name, odd(t->d));
    }
}

static void add_numbers(tree *t, node *to, const char *name, uint32_t n)
{
    node *list = add(t, to, name, LATHE_KIND_ARRAY);
    for (uint32_t i = 0; i < n; i++)
        if (fuzz_roll(t->d, 128))
            add_number(t, list, NULL, odd(t->d));
        else
            add_odd(t, list, NULL);
}

/* ---- its parts --------------------------------------------------------------------------------------------- */

static void add_skeleton(tree *t, node *to, uint32_t bones)
{
    static const char names[8][3] = {"b0", "b1", "b2", "b3", "b4", "b5", "b6", "b7"};
    node *rig = add(t, to, "skeleton", LATHE_KIND_RECORD);
    node *list = add(t, rig, "bones", LATHE_KIND_ARRAY);
    for (uint32_t i = 0; i < bones; i++) {
        node *bone = add(t, list, NULL, LATHE_KIND_RECORD);
        node *name = add(t, bone, "name", LATHE_KIND_STRING);
        if (name != bone)
            put_text(name, names[i - (fuzz_roll(t->d, 32) == 0 && i)], 2);
        add_number(t, bone, "parent", fuzz_roll(t->d, 32) ? (double)i - 1 : odd(t->d));
        if (fuzz_roll(t->d, 4) == 0) {
            node *pose = add(t, bone, "pose", LATHE_KIND_RECORD);
            add_numbers(t, pose, "t", 3);
            add_numbers(t, pose, "q", 4);
        }
    }
    if (fuzz_roll(t->d, 2))
        add_text(t, add(t, rig, "float_slots", LATHE_KIND_ARRAY), NULL);
    if (fuzz_roll(t->d, 4) == 0)
        add_numbers(t, rig, "reference_floats", 1);
}

static void add_annotations(tree *t, node *to)
{
    node *list = add(t, to, "annotations", LATHE_KIND_ARRAY);
    for (uint32_t i = fuzz_roll(t->d, 4); i > 0; i--) {
        node *one = add(t, list, NULL, LATHE_KIND_RECORD);
        add_odd(t, one, "time");
        add_text(t, one, "text");
        if (fuzz_roll(t->d, 2))
            add_odd(t, one, "track");
    }
}

static void add_options(tree *t, node *clip, uint32_t bones)
{
    static const char *const names[] = {
        "fps", "duration", "quantization", "max_frames_per_block", "additive", "skeleton_name"};
    static const char *const kinds[] = {"translation", "rotation", "scale", "value"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (fuzz_roll(t->d, 8) == 0)
            add_odd(t, clip, names[i]);
    if (fuzz_roll(t->d, 4))
        return;
    node *tolerance = add(t, clip, "tolerance", LATHE_KIND_RECORD);
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (fuzz_roll(t->d, 2))
            add_odd(t, tolerance, kinds[i]);
        else if (fuzz_roll(t->d, 4) == 0)
            add_numbers(t, tolerance, kinds[i], bones);
}

static void add_animation(tree *t, node *to, uint32_t bones)
{
    node *clip = add(t, to, "animation", LATHE_KIND_RECORD);
    uint32_t frames = 1 + fuzz_roll(t->d, 16);
    node *rows = add(t, clip, "samples", LATHE_KIND_ARRAY);
    for (uint32_t i = 0; i < frames * bones; i++)
        add_numbers(t, rows, NULL, 10);
    if (fuzz_roll(t->d, 2)) {
        node *list = add(t, clip, "bones", LATHE_KIND_ARRAY);
        for (uint32_t i = 0; i < bones; i++)
            add_number(t, list, NULL, fuzz_roll(t->d, 32) ? i : odd(t->d));
    }
    add_options(t, clip, bones);
    if (fuzz_roll(t->d, 3) == 0)
        add_annotations(t, clip);
    if (fuzz_roll(t->d, 3) == 0)
        add_numbers(t, clip, "root_motion", 4 * frames);
    if (fuzz_roll(t->d, 3) == 0) {
        node *floats = add(t, clip, "float_tracks", LATHE_KIND_RECORD);
        add_numbers(t, floats, "samples", frames * (1 + fuzz_roll(t->d, 2)));
    }
}

/* ---- the source -------------------------------------------------------------------------------------------- */

static const node *node_of(void *user, const void *at)
{
    const tree *t = user;
    return at ? at : &t->all[0];
}

static const node *child_at(const node *of, uint64_t i)
{
    const node *n = of->first;
    while (n && i--)
        n = n->next;
    return n;
}

static bool get(void *user, const void *at, const char *name, uint64_t i, lathe_value *leaf,
                const void **child)
{
    const node *of = node_of(user, at), *found = NULL;
    if (!name && of->leaf.kind == LATHE_KIND_ARRAY)
        found = child_at(of, i);
    for (const node *n = of->first; name && n && !found; n = n->next)
        if (n->name && strcmp(n->name, name) == 0)
            found = n;
    *child = NULL;
    if (!found)
        return false;
    *leaf = found->leaf;
    *child = fuzz_is_view(&found->leaf) ? found : NULL;
    return true;
}

static uint64_t count(void *user, const void *at)
{
    const node *of = node_of(user, at);
    return of->leaf.kind == LATHE_KIND_ARRAY ? of->n : 0;
}

static const char *name_at(void *user, const void *at, uint64_t i)
{
    const node *of = node_of(user, at),
               *n = of->leaf.kind == LATHE_KIND_ARRAY ? NULL : child_at(of, i);
    return n ? n->name : NULL;
}

/* ---- what comes of it -------------------------------------------------------------------------------------- */

static void look(lathe_doc *doc)
{
    size_t findings = 0;
    fuzz_bytes bytes = fuzz_encode(doc), again = {NULL, 0, 0};
    lathe_options options = {.size = sizeof options, .format = "hkx"};
    lathe_doc *other = NULL;
    lathe_error err;
    PROMISE(lathe_doc_check(doc, fuzz_finding, &findings) == LATHE_OK);
    PROMISE(findings == 0);
    PROMISE(lathe_doc_serialize(lathe_doc_root(doc), NULL, fuzz_sink, &again, &err) == LATHE_OK);
    PROMISE(fuzz_same(&bytes, &again));
    PROMISE(lathe_doc_parse(bytes.p, bytes.n, &options, &other, &err) == LATHE_OK);
    lathe_doc_close(other);
    free(bytes.p);
    free(again.p);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static tree t;
    fuzz_dice d = fuzz_dice_of(data, size);
    fuzz_memory memory = {.until = -1};
    t.n = 0;
    t.d = &d;
    node *top = add(&t, NULL, NULL, LATHE_KIND_RECORD);
    uint32_t bones = 1 + fuzz_roll(&d, 7), what = 1 + fuzz_roll(&d, 3);
    if (fuzz_roll(&d, 4))
        add_text(&t, top, "game");
    if (what & 1)
        add_skeleton(&t, top, bones);
    if (what & 2)
        add_animation(&t, top, bones);
    lathe_source source = {
        .size = sizeof source, .user = &t, .get = get, .count = count, .name = name_at};
    lathe_options options = {.size = sizeof options, .alloc = fuzz_alloc, .alloc_user = &memory};
    lathe_doc *doc = NULL;
    lathe_error err;
    if (fuzz_roll(&d, 8) == 0)
        memory.until = (long)fuzz_roll(&d, 400);
    lathe_result r = lathe_doc_new("hkx", &source, &options, &doc, &err);
    PROMISE(r == LATHE_OK ? doc != NULL : doc == NULL && err.message[0]);
    memory.until = -1;
    if (doc)
        look(doc);
    lathe_doc_close(doc);
    PROMISE(memory.now == 0);
    return 0;
}
