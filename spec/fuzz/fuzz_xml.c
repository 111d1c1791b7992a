/* Packfiles as Havok XML: what opens is walked, edited, written as XML and as packfiles of every game, and comes back. */
#include "fuzz.h"

typedef struct asked { /* two texts */
    const char *name, *text, *other, *other_text;
} asked;

static bool get_asked(void *user, const void *node, const char *name, uint64_t i, lathe_value *leaf,
                      const void **child)
{
    const asked *a = user;
    const char *text = NULL;
    (void)node;
    (void)i;
    *child = NULL;
    if (name && strcmp(name, a->name) == 0)
        text = a->text;
    else if (name && a->other && strcmp(name, a->other) == 0)
        text = a->other_text;
    if (text)
        *leaf = (lathe_value){.kind = LATHE_KIND_STRING, .as.s = {text, strlen(text)}};
    return text != NULL;
}

static uint64_t count_none(void *user, const void *node)
{
    (void)user;
    (void)node;
    return 0;
}

static lathe_source source_asked(asked *what)
{
    return (lathe_source){
        .size = offsetof(lathe_source, name), .user = what, .get = get_asked, .count = count_none};
}

static bool is(lathe_doc *doc, const char *container)
{
    const char *now = lathe_doc_info(doc, "container");
    return now && strcmp(now, container) == 0;
}

/* XML that is written anew opens as what writes the same again. */
static void rewrite(lathe_doc *doc)
{
    asked as = {"as", "xml", NULL, NULL};
    lathe_source args = source_asked(&as);
    lathe_options options = {.size = sizeof options, .format = "hkx"};
    fuzz_bytes made = {NULL, 0, 0}, again = {NULL, 0, 0};
    lathe_doc *other = NULL;
    lathe_error err;
    PROMISE(lathe_doc_serialize(lathe_doc_root(doc), &args, fuzz_sink, &made, &err) == LATHE_OK);
    PROMISE(lathe_doc_parse(made.p, made.n, &options, &other, &err) == LATHE_OK);
    PROMISE(is(other, "xml"));
    PROMISE(lathe_doc_serialize(lathe_doc_root(other), &args, fuzz_sink, &again, &err) == LATHE_OK);
    PROMISE(fuzz_same(&made, &again));
    lathe_doc_close(other);
    free(made.p);
    free(again.p);
}

/* A packfile of that game, and the way back; undo brings the text that was opened. */
static void convert(lathe_doc *doc, const char *game)
{
    asked to = {"to", game, NULL, NULL}, back = {"to", "xml", NULL, NULL};
    lathe_source args = source_asked(&to), xml = source_asked(&back);
    fuzz_bytes before = fuzz_encode(doc);
    lathe_error err;
    int steps = 0;
    if (lathe_view_call(lathe_doc_root(doc), "convert", &args, NULL, &err) == LATHE_OK) {
        PROMISE(is(doc, "binary"));
        steps++;
        if (lathe_view_call(lathe_doc_root(doc), "convert", &xml, NULL, &err) == LATHE_OK) {
            PROMISE(is(doc, "xml"));
            rewrite(doc);
            steps++;
        }
        PROMISE(lathe_edit_undo(doc, steps));
    }
    PROMISE(is(doc, "xml"));
    PROMISE(fuzz_still(doc, &before));
}

static void live(const uint8_t *data, size_t size)
{
    enum { ALWAYS = 4 << 20, A_BYTE = 1024 }; /* "<hkobject/>" is an element of a struct's size */
    fuzz_memory memory = {.until = -1};
    fuzz_dice d = fuzz_dice_of(data, size);
    lathe_options options = {.size = sizeof options,
                             .format = "hkx",
                             .path = "fuzz",
                             .history = FUZZ_HISTORY,
                             .alloc = fuzz_alloc,
                             .alloc_user = &memory};
    lathe_doc *doc = NULL;
    lathe_error err;
    lathe_result r = lathe_doc_parse(data, size, &options, &doc, &err);
    PROMISE(memory.peak <= ALWAYS + A_BYTE * size);
    if (r != LATHE_OK) {
        PROMISE(memory.now == 0);
        PROMISE(err.code == r && err.message[0]);
        PROMISE(err.offset == LATHE_NO_OFFSET || err.offset <= size);
        return;
    }
    if (is(doc, "xml")) {
        static const char *const games[] = {"skyrim-le", "skyrim-se", "fallout4"};
        fuzz_bytes b = {NULL, 0, 0};
        fuzz_sink(&b, data, size);
        PROMISE(fuzz_still(doc, &b));
        fuzz_look(doc);
        rewrite(doc);
        for (int i = 0; i < 3; i++)
            convert(doc, games[i]);
        fuzz_forgetful = true; /* signatures and versions can be set to what nobody knows */
        fuzz_life(&d, "hkx", doc, &memory);
    }
    lathe_doc_close(doc);
    PROMISE(memory.now == 0);
}

/* Memory that runs out somewhere leaves nothing behind. */
static void run_out(const uint8_t *data, size_t size)
{
    fuzz_dice d = fuzz_dice_of(data, size);
    fuzz_memory memory = {.until = (long)fuzz_roll(&d, 256)};
    lathe_options options = {
        .size = sizeof options, .format = "hkx", .alloc = fuzz_alloc, .alloc_user = &memory};
    lathe_doc *doc = NULL;
    lathe_error err;
    if (lathe_doc_parse(data, size, &options, &doc, &err) == LATHE_OK)
        lathe_doc_close(doc);
    PROMISE(memory.now == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size >= 4 && memcmp(data, "\x28\xB5\x2F\xFD", 4) == 0)
        return 0; /* compressed: fuzz_zstd */
    live(data, size);
    run_out(data, size);
    return 0;
}
