/* Edits of behavior graphs: names, events, variables, states, transitions and clips come, go and are renamed. What
 * comes of them opens again, and undone they leave what was there. Every verb that fails leaves the document as it is.
 *
 * An input is the length of a script, a packfile, and the script: what is done with the file, from its end. */
#include "fuzz_edits.h"

enum { EDITS = 8, MOST_ARGS = 6 };

/* ---- arguments --------------------------------------------------------------------------------------------- */

typedef struct arg {
    const char *name;
    lathe_value value;
    char text[64]; /* names are copied, as calls end what they borrow from */
} arg;

typedef struct args {
    arg list[MOST_ARGS];
    size_t n;
} args;

static bool get(void *user, const void *at, const char *name, uint64_t index, lathe_value *leaf,
                const void **child)
{
    const args *a = user;
    (void)at;
    (void)index;
    *child = NULL;
    for (size_t i = 0; name && i < a->n; i++)
        if (strcmp(a->list[i].name, name) == 0) {
            *leaf = a->list[i].value;
            return true;
        }
    return false;
}

static uint64_t count(void *user, const void *at)
{
    (void)user;
    (void)at;
    return 0;
}

static arg *add(args *a, const char *name, lathe_kind kind)
{
    arg *one = &a->list[a->n++];
    one->name = name;
    one->value = (lathe_value){.kind = kind};
    return one;
}

static void add_text(args *a, const char *name, const char *p, size_t n)
{
    arg *one = add(a, name, LATHE_KIND_STRING);
    n = n < sizeof one->text ? n : sizeof one->text;
    if (n)
        memcpy(one->text, p, n);
    one->value.as.s.p = one->text;
    one->value.as.s.n = n;
}

static void add_number(args *a, const char *name, int64_t i)
{
    add(a, name, LATHE_KIND_INT)->value.as.i = i;
}

/* A name that an item of the list has; else one that few have. */
static void add_name(fuzz_dice *d, lathe_doc *doc, args *a, const char *name, lathe_list list)
{
    static const char *const others[] = {"New", "Newer", "", "a\0b", "Event1", "Machine/State1"};
    lathe_error err;
    lathe_value v;
    uint64_t n = 0;
    uint32_t what = fuzz_roll(d, 6);
    lathe_list_count(doc, list, &n, &err);
    if (n && what < 4 &&
        lathe_list_name(doc, list, fuzz_roll(d, (uint32_t)n), &v, &err) == LATHE_OK &&
        v.kind == LATHE_KIND_STRING) {
        add_text(a, name, v.as.s.p, (size_t)v.as.s.n);
    } else if (what == 4) {
        add_number(a, name, (int64_t)fuzz_roll(d, 12) - 2);
    } else {
        const char *p = others[fuzz_roll(d, 6)];
        add_text(a, name, p, p[0] == 'a' ? 3 : strlen(p));
    }
}

static void add_word(fuzz_dice *d, args *a, const char *name, const char *const *words, uint32_t n)
{
    const char *word = words[fuzz_roll(d, n)];
    add_text(a, name, word, strlen(word));
}

/* ---- edits --------------------------------------------------------------------------------------------------- */

static const char *const whats[] = {"events", "variables", "states"};
static const lathe_list lists[] = {LATHE_EVENTS, LATHE_VARIABLES, LATHE_STATES};

static void call(lathe_doc *doc, const char *verb, args *a)
{
    const lathe_source source = {.size = sizeof source, .user = a, .get = get, .count = count};
    lathe_report report = {.size = sizeof report};
    lathe_error err;
    fuzz_bytes before = fuzz_encode(doc);
    lathe_result r = lathe_view_call(lathe_doc_root(doc), verb, &source, &report, &err);
    if (r == LATHE_OK)
        free(before.p);
    else
        PROMISE(err.message[0] && fuzz_still(doc, &before));
}

static void come(fuzz_dice *d, lathe_doc *doc, args *a)
{
    static const char *const types[] = {"bool", "int8", "int16", "real", "vector4", "quaternion"};
    switch (fuzz_roll(d, 5)) {
    case 0:
        add_name(d, doc, a, "name", LATHE_EVENTS);
        call(doc, "add_event", a);
        break;
    case 1:
        add_name(d, doc, a, "name", LATHE_VARIABLES);
        add_word(d, a, "type", types, 6);
        if (fuzz_roll(d, 2))
            add_number(a, "value", (int64_t)fuzz_roll(d, 300) - 2);
        call(doc, "add_variable", a);
        break;
    case 2:
        add_name(d, doc, a, "name", LATHE_STATES);
        add_name(d, doc, a, fuzz_roll(d, 2) ? "generator" : "animation", LATHE_CLIP_GENERATORS);
        if (fuzz_roll(d, 3) == 0)
            add_number(a, "id", fuzz_roll(d, 9));
        call(doc, "add_state", a);
        break;
    case 3:
        add_name(d, doc, a, "to", LATHE_STATES);
        add_name(d, doc, a, "event", LATHE_EVENTS);
        if (fuzz_roll(d, 3))
            add_name(d, doc, a, "from", LATHE_STATES);
        call(doc, "add_transition", a);
        break;
    default:
        add_name(d, doc, a, "name", LATHE_CLIP_GENERATORS);
        add_text(a, "animation", "a.hkx", 5);
        add_name(d, doc, a, "into", LATHE_STATES);
        add_name(d, doc, a, "event", LATHE_EVENTS);
        call(doc, "add_clip", a);
    }
}

static void go(fuzz_dice *d, lathe_doc *doc, args *a)
{
    static const char *const verbs[] = {"remove_event", "remove_variable", "remove_state"};
    uint32_t which = fuzz_roll(d, 4);
    if (which < 3) {
        add_name(d, doc, a, "name", lists[which]);
        call(doc, verbs[which], a);
        return;
    }
    add_name(d, doc, a, fuzz_roll(d, 2) ? "from" : "to", LATHE_STATES);
    if (fuzz_roll(d, 2))
        add_name(d, doc, a, "event", LATHE_EVENTS);
    call(doc, "remove_transition", a);
}

static void edit(fuzz_dice *d, lathe_doc *doc)
{
    args a = {.n = 0};
    uint32_t what = fuzz_roll(d, 3);
    switch (fuzz_roll(d, 8)) {
    case 0:
    case 1:
    case 2: come(d, doc, &a); break;
    case 3:
    case 4: go(d, doc, &a); break;
    case 5:
        add_name(d, doc, &a, "from", lists[what]);
        add_name(d, doc, &a, "to", lists[what]);
        add_text(&a, "what", whats[what], strlen(whats[what]));
        call(doc, "rename", &a);
        break;
    case 6:
        add_text(&a, "from", "animations/clip1.hkx", 20);
        add_text(&a, "to", "other.hkx", 9);
        call(doc, "replace_animation", &a);
        break;
    default:
        add_name(d, doc, &a, "name", lists[what]);
        add_text(&a, "what", whats[what], strlen(whats[what]));
        call(doc, "uses", &a);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    size_t script = size ? data[0] : 0;
    if (size && size - 1 >= script)
        fuzz_edits_by(fuzz_dice_of(data, size), "hkx", data + 1, size - 1 - script, EDITS, edit);
    return 0;
}
