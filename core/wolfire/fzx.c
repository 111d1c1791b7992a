/* PHXFZX (.fzx): ragdoll volumes of Overgrowth. Reference: formats/wolfire.md#4. */
#include "wolfire/fzx.h"

#define MARK                                                                                       \
    "\xD3"                                                                                         \
    "FZX\r\n \n"
#define END_MARK "FZX"
enum {
    MARK_SIZE = sizeof MARK - 1,
    END_SIZE = sizeof END_MARK - 1,
    HEAD = MARK_SIZE + 8,
    FOOT = 7
};

/* ---- opening: the same checks as in the game, in its order --------------------------------------- */

static lathe_result check_head(const rec_at *root, const uint8_t *p, uint64_t n, lathe_error *err)
{
    uint32_t footer = rec_slot_find(root->layout, "footer");
    if (n < MARK_SIZE)
        return rec_fail(root, REC_NO_SLOT, 0, err, LATHE_ERR_BOUNDS, "too small: %llu bytes",
                        (unsigned long long)n);
    if (memcmp(p, MARK, MARK_SIZE) != 0) {
        bool translated = memcmp(p, MARK, 4) == 0;
        return rec_fail(root, 0, 0, err, LATHE_ERR_FORMAT, "%s",
                        translated ? "wrong mark: damaged by line-ending translation"
                                   : "wrong mark");
    }
    if (n < HEAD + FOOT)
        return rec_fail(root, REC_NO_SLOT, n, err, LATHE_ERR_BOUNDS,
                        "truncated: %llu bytes, at least %d needed", (unsigned long long)n,
                        HEAD + FOOT);
    uint32_t version = bytes_ld32(p + 8, false);
    if (version != 1)
        return rec_fail(root, 1, 8, err, LATHE_ERR_UNSUPPORTED, "version %ld, only 1 is known",
                        (long)(int32_t)version);
    if (memcmp(p + n - END_SIZE, END_MARK, END_SIZE) != 0)
        return rec_fail(root, footer, n - END_SIZE, err, LATHE_ERR_INVALID,
                        "wrong footer: no FZX at the end");
    uint32_t size = bytes_ld32(p + n - FOOT, false);
    if (size != n - FOOT)
        return rec_fail(root, footer, n - FOOT, err, LATHE_ERR_INVALID,
                        "the footer says %ld bytes, there are %llu", (long)(int32_t)size,
                        (unsigned long long)(n - FOOT));
    return LATHE_OK;
}

static lathe_result open_fzx(lathe_doc *doc, uint32_t c, lathe_error *err)
{
    rec_at root = rec_root(doc, c);
    const rec_part *p = rec_part_of(doc, root.part);
    uint32_t footer = rec_slot_find(root.layout, "footer");
    uint64_t size;
    lathe_result r = check_head(&root, p->data, p->size, err);
    if (r == LATHE_OK)
        r = rec_split(doc, root.part, p->size - FOOT, footer, &fzx_footer, NULL, err);
    return r == LATHE_OK ? rec_measure(&root, &size, err) : r;
}

static int sniff_fzx(const uint8_t *bytes, size_t n)
{
    return n >= MARK_SIZE && memcmp(bytes, MARK, MARK_SIZE) == 0 ? REC_SNIFF_SURE : REC_SNIFF_NO;
}

static lathe_result relayout_fzx(lathe_doc *doc, uint32_t c, lathe_error *err)
{
    rec_at root = rec_root(doc, c), footer;
    lathe_result r = rec_sub(&root, rec_slot_find(root.layout, "footer"), 0, &footer, err);
    uint64_t size = rec_part_of(doc, root.part)->size;
    if (r == LATHE_OK && size > INT32_MAX)
        r = rec_fail(&footer, 0, 0, err, LATHE_ERR_RANGE, "the file would be larger than 2 GiB");
    return r == LATHE_OK ? rec_put_raw(&footer, 0, 0, size, err) : r;
}

/* ---- checking ------------------------------------------------------------------------------------ */

typedef struct bone {
    const fzx_word *part, *side;
    unsigned volumes;
} bone;

typedef struct bones {
    bone list[64]; /* enough for all combinations of parts and sides */
    size_t n;
} bones;

/* The counter for the volumes of a bone, created on first use. */
static unsigned *volumes_of(bones *b, const fzx_word *part, const fzx_word *side)
{
    const fzx_word *on = part->sided ? side : NULL;
    for (size_t i = 0; i < b->n; i++)
        if (b->list[i].part == part && b->list[i].side == on)
            return &b->list[i].volumes;
    b->list[b->n] = (bone){part, on, 0};
    return &b->list[b->n++].volumes;
}

static void add_volume(bones *b, rec_report *r, const rec_at *object, const fzx_label *label,
                       const fzx_word *side)
{
    unsigned *volumes = volumes_of(b, label->part, side);
    if (++*volumes == FZX_PER_BONE + 1)
        rec_finding(r, LATHE_LEVEL_WARNING, object, 0, REC_NO_ITEM,
                    "volume 6 on %s%s%s: the game has room for 5 a bone",
                    label->part->sided ? side->text : "", label->part->sided ? " " : "",
                    label->part->text);
}

static void check_object(bones *b, rec_report *r, const rec_at *object)
{
    fzx_label label;
    if (fzx_label_of(object, &label, NULL) != LATHE_OK)
        return;
    if (!label.shape || !label.part) {
        rec_finding(r, LATHE_LEVEL_WARNING, object, 0, REC_NO_ITEM,
                    label.part ? "no shape in the label: the game ignores the object"
                               : "no body part in the label: the game ignores the object");
        return;
    }
    if (label.part->sided && !label.side) {
        rec_finding(r, LATHE_LEVEL_WARNING, object, 0, REC_NO_ITEM,
                    "%s needs a side: the game ignores the object", label.part->text);
        return;
    }
    add_volume(b, r, object, &label, label.side);
    if (!label.mirrored)
        return;
    if (label.part->sided)
        add_volume(b, r, object, &label, fzx_word_of(label.side->text[0] == 'l' ? "r" : "l", 1));
    else
        rec_finding(r, LATHE_LEVEL_WARNING, object, 0, REC_NO_ITEM,
                    "M on the central part %s: the game flips the volume in place and fails",
                    label.part->text);
}

static void check_fzx(lathe_doc *doc, uint32_t c, rec_report *r)
{
    rec_at root = rec_root(doc, c), object;
    uint32_t slot = rec_slot_find(root.layout, "objects");
    uint32_t tail = rec_slot_find(root.layout, "trailing");
    int64_t n = rec_int(&root, "object_count");
    bones b = {.n = 0};
    rec_loc loc;
    for (int64_t i = 0; i < n && !r->stopped; i++)
        if (rec_sub(&root, slot, (uint64_t)i, &object, NULL) == LATHE_OK)
            check_object(&b, r, &object);
    if (rec_find(&root, tail, &loc, NULL) == LATHE_OK && loc.count)
        rec_finding(r, LATHE_LEVEL_WARNING, &root, tail, REC_NO_ITEM,
                    "%llu bytes between the last object and the footer, which the game ignores",
                    (unsigned long long)loc.count);
    fzx_check_skeleton(&root, r);
}

/* ---- verbs --------------------------------------------------------------------------------------- */

static lathe_result scale(lathe_view self, const lathe_source *args, lathe_report *report,
                          lathe_error *err)
{
    static const scene_scale_rule rules[] = {
        {"objects", 0, 0}, {"location", 1, 1}, {"scale", 1, 0}, {NULL, 0, 0}};
    return scene_scale_rules(self, rules, MODEL_COLLISION, args, report, err);
}

static const rec_verb verbs[] = {
    {.name = "scale",
     .doc = "Multiplies locations and sizes of all volumes.",
     .params = scene_scale_params,
     .run = scale},
    {.name = "mirror",
     .doc = "Turns the volumes into their mirror image in X; L and R change places in labels.",
     .run = fzx_mirror},
    {.name = "rename",
     .counts = "name",
     .doc = "Gives volumes another label, where the whole of it is the name.",
     .params = wolfire_rename_params,
     .run = fzx_rename},
    {0},
};

static const char *game_fzx(const lathe_doc *doc)
{
    (void)doc;
    return "Overgrowth";
}

static const char *const extensions[] = {"fzx", NULL};
static const char *const games[] = {"Overgrowth", NULL};

static const char *const compared_with[] = {"skeleton", NULL};

const lathe_format format_fzx = {
    .name = "fzx",
    .doc = "Overgrowth ragdoll volumes",
    .extensions = extensions,
    .games = games,
    .compared_with = compared_with,
    .root = &fzx_root,
    .sniff = sniff_fzx,
    .open = open_fzx,
    .relayout = relayout_fzx,
    .check = check_fzx,
    .game = game_fzx,
    .scene = &fzx_scene,
    .verbs = verbs,
};
