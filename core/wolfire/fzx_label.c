/* Reads and writes .fzx labels ("L UpperArm Capsule M") word by word, so that everything the game does not
 * understand is kept. formats/wolfire.md#4 */
#include "wolfire/fzx.h"

#include <ctype.h>
#include <stdio.h>

static const fzx_word words[] = {
    {"l", FZX_SIDE, false},       {"r", FZX_SIDE, false},       {"capsule", FZX_SHAPE, false},
    {"box", FZX_SHAPE, false},    {"sphere", FZX_SHAPE, false}, {"m", FZX_MIRROR, false},
    {"eartip", FZX_PART, true},   {"earbase", FZX_PART, true},  {"upperarm", FZX_PART, true},
    {"forearm", FZX_PART, true},  {"thigh", FZX_PART, true},    {"shin", FZX_PART, true},
    {"foot", FZX_PART, true},     {"head", FZX_PART, false},    {"chest", FZX_PART, false},
    {"abdomen", FZX_PART, false}, {"hip", FZX_PART, false},     {"tail1", FZX_PART, false},
    {"tail2", FZX_PART, false},   {"tail3", FZX_PART, false},   {"tail4", FZX_PART, false},
    {"tail5", FZX_PART, false},   {"tail6", FZX_PART, false},
};

const fzx_word *fzx_word_of(const char *token, size_t n)
{
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        size_t k = 0;
        while (k < n && words[i].text[k] && tolower((unsigned char)token[k]) == words[i].text[k])
            k++;
        if (k == n && !words[i].text[k])
            return &words[i];
    }
    return NULL;
}

/* Splits at single spaces, as the game does; repeated spaces give empty tokens. False at the end. */
static bool next_token(const char *text, size_t n, size_t *at, const char **token, size_t *length)
{
    if (*at > n)
        return false;
    *token = text + *at;
    *length = 0;
    while (*at + *length < n && (*token)[*length] != ' ')
        ++*length;
    *at += *length + 1;
    return true;
}

static fzx_label parse_label(const char *text, size_t n)
{
    fzx_label label = {0};
    const char *token;
    size_t at = 0, length;
    while (next_token(text, n, &at, &token, &length)) {
        const fzx_word *w = fzx_word_of(token, length);
        if (!w)
            continue;
        if (w->kind == FZX_SIDE)
            label.side = w;
        else if (w->kind == FZX_SHAPE)
            label.shape = w;
        else if (w->kind == FZX_PART)
            label.part = w;
        else
            label.mirrored = true;
    }
    return label;
}

void fzx_swap_sides(char *text, size_t n)
{
    const char *token;
    size_t at = 0, length;
    while (next_token(text, n, &at, &token, &length)) {
        const fzx_word *w = fzx_word_of(token, length);
        if (w && w->kind == FZX_SIDE)
            text[token - text] ^= 'l' ^ 'r'; /* the codes of L and R differ in these bits */
    }
}

lathe_result fzx_label_of(const rec_at *object, fzx_label *label, lathe_error *err)
{
    lathe_value v;
    lathe_result r = rec_get(object, rec_slot_find(object->layout, "label"), false, &v, err);
    if (r == LATHE_OK)
        *label = parse_label(v.as.s.p, v.as.s.n);
    return r;
}

/* ---- reading ------------------------------------------------------------------------------------- */

static fzx_kind kind_of(const rec_field *row)
{
    return strcmp(rec_row_name(row), "part") == 0   ? FZX_PART
           : strcmp(rec_row_name(row), "side") == 0 ? FZX_SIDE
                                                    : FZX_SHAPE;
}

static const fzx_word **word_of(fzx_label *label, fzx_kind kind)
{
    return kind == FZX_PART ? &label->part : kind == FZX_SIDE ? &label->side : &label->shape;
}

lathe_result fzx_get_word(const rec_at *at, const rec_field *row, lathe_value *out,
                          lathe_error *err)
{
    fzx_label label;
    lathe_result r = fzx_label_of(at, &label, err);
    out->kind = LATHE_KIND_NONE;
    if (r != LATHE_OK)
        return r;
    const fzx_word *w = *word_of(&label, kind_of(row));
    if (w) {
        out->kind = LATHE_KIND_STRING;
        out->as.s.p = w->text; /* a constant, valid forever */
        out->as.s.n = strlen(w->text);
    }
    return LATHE_OK;
}

lathe_result fzx_get_mirrored(const rec_at *at, const rec_field *row, lathe_value *out,
                              lathe_error *err)
{
    fzx_label label;
    lathe_result r = fzx_label_of(at, &label, err);
    (void)row;
    out->kind = LATHE_KIND_BOOL;
    out->as.b = r == LATHE_OK && label.mirrored;
    return r;
}

/* ---- writing ------------------------------------------------------------------------------------- */

typedef struct text {
    char bytes[255]; /* the maximum of the format */
    size_t n;
    bool full;
} text;

static void put(text *t, const char *p, size_t n)
{
    if (n > sizeof t->bytes - t->n) {
        t->full = true;
        return;
    }
    memcpy(t->bytes + t->n, p, n);
    t->n += n;
}

static void put_token(text *t, bool *first, const char *p, size_t n)
{
    if (!*first)
        put(t, " ", 1);
    *first = false;
    put(t, p, n);
}

/* Appends a word. Labels look like "Head Sphere M" or "HEAD SPHERE M": the word takes the case of the one it
 * replaces, or the usual capital. */
static void put_word(text *t, bool *first, const fzx_word *w, const char *like, size_t like_n)
{
    char word[16];
    size_t n = strlen(w->text);
    bool lower = like_n && islower((unsigned char)like[0]);
    bool upper = like_n > 1 && isupper((unsigned char)like[0]) && isupper((unsigned char)like[1]);
    for (size_t i = 0; i < n; i++)
        word[i] =
            (char)(!lower && (i == 0 || upper) ? toupper((unsigned char)w->text[i]) : w->text[i]);
    put_token(t, first, word, n);
}

/* Copies the label and replaces the last word of `kind` by `w`. NULL: removes all words of that kind. */
static text rewrite(const char *label, size_t n, fzx_kind kind, const fzx_word *w)
{
    text t = {.n = 0};
    const char *token;
    size_t at = 0, length, last = SIZE_MAX, i = 0;
    bool first = true;
    for (; next_token(label, n, &at, &token, &length); i++) {
        const fzx_word *have = fzx_word_of(token, length);
        if (have && have->kind == kind)
            last = i;
    }
    if (w && last == SIZE_MAX && kind == FZX_SIDE) /* sides come first, other words last */
        put_word(&t, &first, w, "", 0);
    for (at = i = 0; n && next_token(label, n, &at, &token, &length); i++) {
        const fzx_word *have = fzx_word_of(token, length);
        if (!have || have->kind != kind || (w && i != last))
            put_token(&t, &first, token, length);
        else if (w)
            put_word(&t, &first, w, token, length);
    }
    if (w && last == SIZE_MAX && kind != FZX_SIDE)
        put_word(&t, &first, w, "", 0);
    return t;
}

static lathe_result replace_word(const rec_at *at, fzx_kind kind, const fzx_word *w,
                                 lathe_error *err)
{
    uint32_t slot = rec_slot_find(at->layout, "label");
    lathe_value v;
    lathe_result r = rec_get(at, slot, false, &v, err);
    if (r != LATHE_OK)
        return r;
    text t = rewrite(v.as.s.p, v.as.s.n, kind, w);
    if (t.full)
        return rec_fail(at, slot, at->off, err, LATHE_ERR_RANGE,
                        "the label would be longer than 255 bytes");
    v = (lathe_value){.kind = LATHE_KIND_STRING, .as.s = {t.bytes, t.n}};
    return rec_set(at, slot, &v, err);
}

static void list_words(fzx_kind kind, char *list, size_t cap)
{
    size_t n = 0;
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (words[i].kind == kind && n < cap)
            n += (size_t)snprintf(list + n, cap - n, n ? ", %s" : "%s", words[i].text);
}

lathe_result fzx_set_word(const rec_at *at, const rec_field *row, const lathe_value *value,
                          lathe_error *err)
{
    fzx_kind kind = kind_of(row);
    uint32_t slot = rec_slot_find(at->layout, rec_row_name(row));
    if (value->kind == LATHE_KIND_NONE || value->kind == LATHE_KIND_NULL ||
        (value->kind == LATHE_KIND_BOOL && !value->as.b))
        return replace_word(at, kind, NULL, err);
    if (value->kind != LATHE_KIND_STRING)
        return rec_fail(at, slot, at->off, err, LATHE_ERR_TYPE, "a string or false expected");
    const fzx_word *w = fzx_word_of(value->as.s.p, value->as.s.n);
    if (w && w->kind == kind) {
        fzx_label label;
        lathe_result r = fzx_label_of(at, &label, err);
        bool same = r == LATHE_OK && *word_of(&label, kind) == w; /* ignoring case */
        return r != LATHE_OK || same ? r : replace_word(at, kind, w, err);
    }
    char list[200];
    list_words(kind, list, sizeof list);
    return rec_fail(at, slot, at->off, err, LATHE_ERR_RANGE, "'%.*s' is none of %s",
                    (int)(value->as.s.n < 64 ? value->as.s.n : 64), value->as.s.p, list);
}

lathe_result fzx_set_mirrored(const rec_at *at, const rec_field *row, const lathe_value *value,
                              lathe_error *err)
{
    uint32_t slot = rec_slot_find(at->layout, rec_row_name(row));
    fzx_label label;
    if (value->kind != LATHE_KIND_BOOL)
        return rec_fail(at, slot, at->off, err, LATHE_ERR_TYPE, "true or false expected");
    lathe_result r = fzx_label_of(at, &label, err);
    if (r != LATHE_OK || label.mirrored == value->as.b)
        return r;
    return replace_word(at, FZX_MIRROR, value->as.b ? fzx_word_of("m", 1) : NULL, err);
}
