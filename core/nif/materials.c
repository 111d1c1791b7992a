/* Files that shaders and textures name, replaced by a pattern. Reference: formats/nif.md. */
#include "havok/physics/materials.h"
#include "gen/nif_types.h"
#include "model/material_name.h"
#include "nif/collision.h"

#include <stdio.h>
#include <string.h>

enum { MOST_STARS = 16 };

/* ---- patterns ------------------------------------------------------------------------------------------ */

typedef struct piece {
    const char *p;
    size_t n;
} piece;

/* A text cut at its stars: pieces[0] * pieces[1] * … */
typedef struct pattern {
    piece pieces[MOST_STARS + 1];
    size_t stars;
} pattern;

typedef struct change {
    pattern from, to;
    bool normalise;           /* instead of those */
    bool numbers;             /* of collision materials are replaced, too … */
    bool named;               /* … and one of the two is given by name */
    uint32_t number, becomes; /* … this one by that */
    bool quiet;               /* what is skipped was told before */
    lathe_report *report;
} change;

static lathe_result cut(const lathe_value *text, pattern *out, lathe_error *err)
{
    const char *p = text->as.s.p;
    out->stars = 0;
    out->pieces[0] = (piece){p, 0};
    for (size_t i = 0; i < text->as.s.n; i++) {
        if (p[i] != '*') {
            out->pieces[out->stars].n++;
            continue;
        }
        if (out->stars == MOST_STARS)
            return error_set(err, LATHE_ERR_RANGE, LATHE_NO_OFFSET, "more than %d * in '%.*s'",
                             MOST_STARS, (int)(text->as.s.n < 80 ? text->as.s.n : 80), p);
        out->pieces[++out->stars] = (piece){p + i + 1, 0};
    }
    return LATHE_OK;
}

/* Upper and lower case, and both slashes, are the same to the games. */
static unsigned char fold(char c)
{
    if (c >= 'A' && c <= 'Z')
        return (unsigned char)(c - 'A' + 'a');
    return c == '/' ? '\\' : (unsigned char)c;
}

static bool same(const char *a, const char *b, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (fold(a[i]) != fold(b[i]))
            return false;
    return true;
}

/* Each star takes as little as it can, from the left, and the last one what is left: where any way matches,
 * this one does. */
static bool match(const pattern *from, const char *p, size_t n, piece *taken)
{
    const piece *head = &from->pieces[0], *tail = &from->pieces[from->stars];
    if (!from->stars)
        return n == head->n && same(p, head->p, n);
    if (n < head->n || n - head->n < tail->n || !same(p, head->p, head->n) ||
        !same(p + n - tail->n, tail->p, tail->n))
        return false;
    size_t at = head->n, end = n - tail->n;
    for (size_t k = 1; k < from->stars; k++) {
        const piece *mid = &from->pieces[k];
        size_t start = at;
        while (end - at >= mid->n && !same(p + at, mid->p, mid->n))
            at++;
        if (end - at < mid->n)
            return false;
        taken[k - 1] = (piece){p + start, at - start};
        at += mid->n;
    }
    taken[from->stars - 1] = (piece){p + at, end - at};
    return true;
}

static bool put_replacement(buf *out, const pattern *to, const piece *taken)
{
    bool ok = buf_put(out, to->pieces[0].p, to->pieces[0].n);
    for (size_t k = 0; ok && k < to->stars; k++)
        ok = buf_put(out, taken[k].p, taken[k].n) &&
             buf_put(out, to->pieces[k + 1].p, to->pieces[k + 1].n);
    return ok;
}

/* ---- paths as games look for them ------------------------------------------------------------------------ */

static bool separates(char c)
{
    return c == '/' || c == '\\';
}

static bool behind_data(const char *p, size_t i)
{
    while (i && separates(p[i - 1]))
        i--;
    return i >= 4 && same(p + i - 4, "data", 4) && (i == 4 || separates(p[i - 5]));
}

/* The path from its folder on, where that is at the start, behind "data" or in a path of somebody's disk. Where
 * there is none, what is behind a first "data"; *disk: it is of a disk, and nobody knows what it would be. */
static piece from_folder(const char *p, size_t n, const char *folder, bool *found, bool *disk)
{
    size_t len = strlen(folder), start = 0;
    while (start < n && separates(p[start]))
        start++;
    *disk = n - start > 1 && p[start + 1] == ':';
    for (size_t i = start; n - i >= len; i++) {
        bool begins = i == start || separates(p[i - 1]);
        if (!begins || !same(p + i, folder, len) || !(i == start || *disk || behind_data(p, i)))
            continue;
        *found = true;
        return (piece){p + i, n - i};
    }
    *found = false;
    if (n - start > 5 && same(p + start, "data\\", 5))
        for (start += 5; start < n && separates(p[start]);)
            start++;
    return (piece){p + start, n - start};
}

/* Backslashes, one at a time; from the folder on, which is added where `add` says so. */
static bool put_normal(buf *out, const lathe_value *text, const char *folder, bool add)
{
    bool found, disk, ok = true;
    piece path = from_folder(text->as.s.p, text->as.s.n, folder, &found, &disk);
    if (disk && !found)
        return buf_put(out, text->as.s.p, text->as.s.n);
    if (add && !found)
        ok = buf_put(out, folder, strlen(folder));
    for (size_t i = 0; ok && i < path.n; i++)
        if (!separates(path.p[i]))
            ok = buf_put(out, path.p + i, 1);
        else if (!i || !separates(path.p[i - 1]))
            ok = buf_put(out, "\\", 1);
    return ok;
}

/* Without the blanks and line ends that tools leave behind a name. */
static size_t trimmed(const char *p, size_t n)
{
    while (n && (p[n - 1] == ' ' || (p[n - 1] >= '\t' && p[n - 1] <= '\r')))
        n--;
    return n;
}

/* ---- one text ------------------------------------------------------------------------------------------ */

static bool ends_in(const lathe_value *text, const char *end)
{
    size_t n = strlen(end);
    return text->as.s.n >= n && same(text->as.s.p + text->as.s.n - n, end, n);
}

/* A shader's name is that of its material's file from Fallout 4 on; in front of that it may be anything. */
static bool names_material(const lathe_value *text)
{
    return ends_in(text, ".bgsm") || ends_in(text, ".bgem") || ends_in(text, ".mat");
}

static lathe_result replace(const change *c, const rec_at *at, uint32_t slot, uint64_t item,
                            bool material, lathe_error *err)
{
    piece taken[MOST_STARS];
    lathe_value v;
    buf text;
    lathe_result r = item == REC_NO_ITEM ? rec_get(at, slot, false, &v, err)
                                         : rec_get_item(at, slot, item, false, &v, err);
    size_t size = r == LATHE_OK && v.kind == LATHE_KIND_STRING ? v.as.s.n : 0;
    if (size && c->normalise)
        v.as.s.n = trimmed(v.as.s.p, size);
    if (r != LATHE_OK || v.kind != LATHE_KIND_STRING || (material && !names_material(&v)) ||
        !v.as.s.n || /* which names no file */
        (c->normalise ? !memchr(v.as.s.p, '.', v.as.s.n)
                      : !match(&c->from, v.as.s.p, v.as.s.n, taken)))
        return r;
    buf_init(&text, &at->doc->mem);
    /* Morrowind looks for its textures from their folder on. */
    bool ok = c->normalise ? put_normal(&text, &v, material ? "materials\\" : "textures\\",
                                        NIF_AT_V(at) >= 0x0A000000)
                           : put_replacement(&text, &c->to, taken);
    if (!ok) {
        buf_free(&text);
        return rec_no_memory(err);
    }
    bool differs = text.size != size || (text.size && memcmp(text.data, v.as.s.p, text.size) != 0);
    v.as.s.p = text.size ? (const char *)text.data : "";
    v.as.s.n = text.size;
    if (differs)
        r = item == REC_NO_ITEM ? rec_set(at, slot, &v, err)
                                : rec_set_item(at, slot, item, &v, err);
    if (differs && r == LATHE_OK && c->report)
        c->report->changed++;
    buf_free(&text);
    return r;
}

/* ---- all of them --------------------------------------------------------------------------------------- */

typedef enum use { USE_NONE, USE_TEXTURE, USE_MATERIAL } use;

/* What a row of texts names. Fields of shaders and textures are called alike wherever they are. */
static use row_use(const rec_field *row)
{
    static const char texture[] = "_texture";
    size_t n = strlen(row->name), end = sizeof texture - 1;
    if (row->kind != REC_STR && row->codec != &nif_string)
        return USE_NONE;
    if (strcmp(row->name, "name") == 0 || strcmp(row->name, "root_material") == 0)
        return USE_MATERIAL;
    if (strcmp(row->name, "textures") == 0 || strcmp(row->name, "file_name") == 0 ||
        (n > end && strcmp(row->name + n - end, texture) == 0))
        return USE_TEXTURE;
    return USE_NONE;
}

static lathe_result replace_in(const change *c, const rec_at *at, int depth, lathe_error *err);

static lathe_result replace_row(const change *c, const rec_at *at, uint32_t slot, int depth,
                                lathe_error *err)
{
    const rec_slot *s = rec_slot_of(at, slot);
    use what = row_use(s->row);
    rec_loc loc;
    if (!what && !s->sub)
        return LATHE_OK;
    lathe_result r = rec_find(at, slot, &loc, err);
    if (r != LATHE_OK || !loc.present)
        return r;
    if (what && !s->array)
        return replace(c, at, slot, REC_NO_ITEM, what == USE_MATERIAL, err);
    uint64_t n = s->array ? loc.count : 1;
    for (uint64_t i = 0; r == LATHE_OK && i < n; i++) {
        rec_at sub;
        if (what) {
            r = replace(c, at, slot, i, what == USE_MATERIAL, err);
            continue;
        }
        r = rec_sub(at, slot, i, &sub, err);
        if (r == LATHE_OK)
            r = replace_in(c, &sub, depth + 1, err);
    }
    return r;
}

static lathe_result replace_in(const change *c, const rec_at *at, int depth, lathe_error *err)
{
    lathe_result r = LATHE_OK;
    if (depth > REC_DEPTH)
        return LATHE_OK; /* it was opened, so it is not */
    for (uint32_t slot = 0; r == LATHE_OK && slot < at->layout->count; slot++)
        if (!at->layout->slots[slot].never && !rec_unstored(at->layout->slots[slot].row))
            r = replace_row(c, at, slot, depth, err);
    return r;
}

/* Whether blocks of a type may name such files: the others are not even looked at. */
static bool may_name(const rec_type *type)
{
    static const char *const kinds[] = {"BSShaderProperty", "BSShaderTextureSet",
                                        "NiSourceTexture"};
    for (; type; type = type->base)
        for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
            if (strcmp(type->name, kinds[i]) == 0)
                return true;
    return false;
}

/* ---- numbers of collision materials ---------------------------------------------------------------------- */

static bool read_word(const lathe_value *text, uint32_t *number, bool *named)
{
    return model_material_word(text->as.s.p, text->as.s.n, number, named);
}

static lathe_result replace_number(void *user, const rec_at *at, lathe_error *err)
{
    const change *c = user;
    uint32_t slot = rec_slot_find(at->layout, "material");
    uint64_t raw;
    lathe_value v = {.kind = LATHE_KIND_INT, .as.i = c->becomes};
    lathe_result r = rec_raw(at, slot, 0, &raw, err);
    if (r != LATHE_OK || raw != c->number || c->becomes == c->number)
        return r;
    r = rec_set(at, slot, &v, err);
    if (r == LATHE_OK && c->report)
        c->report->changed++;
    return r;
}

/* The same in a block's packfile; one that does not open is told of, as other blocks are. */
static lathe_result replace_in_packfile(const change *c, lathe_doc *doc, uint32_t block,
                                        lathe_error *err)
{
    lathe_error why;
    char path[64];
    uint32_t part = nif_packfile_of(doc, block, &why);
    if (part != REC_NO_PART)
        return hk_replace_material(doc, doc->parts[part].container, c->number, c->becomes,
                                   c->report, err);
    if (why.code == LATHE_ERR_MEMORY)
        return rec_no_memory(err);
    if (c->report && c->report->skipped) {
        rec_at at = nif_at(doc, block);
        if (!at.layout)
            return rec_no_memory(err);
        rec_path(&at, REC_NO_SLOT, REC_NO_ITEM, path, sizeof path);
        c->report->skipped(c->report->user, path, why.message);
    }
    return LATHE_OK;
}

/* ---- blocks -------------------------------------------------------------------------------------------- */

static lathe_result replace_block(change *c, lathe_doc *doc, uint32_t part, bool numbers,
                                  lathe_error *err)
{
    lathe_error why;
    char path[64];
    rec_at block = nif_at(doc, part);
    if (!block.layout)
        return rec_no_memory(err);
    if (!rec_opaque(doc, part, &why))
        return numbers ? nif_each_collision(&block, replace_number, c, err)
                       : replace_in(c, &block, 0, err);
    if (why.code == LATHE_ERR_MEMORY)
        return rec_no_memory(err);
    if (!c->quiet && c->report && c->report->skipped) {
        rec_path(&block, REC_NO_SLOT, REC_NO_ITEM, path, sizeof path);
        c->report->skipped(c->report->user, path, why.message);
    }
    return LATHE_OK;
}

/* An old file says only where a block ends that is described. */
static void tell_unknown(lathe_doc *doc, uint64_t n, lathe_report *report)
{
    rec_at root = rec_root(doc, 0);
    char path[64], reason[64];
    if (!report || !report->skipped || n == (uint64_t)rec_slot_int(&root, NIF_NUM_BLOCKS))
        return;
    rec_path(&root, NIF_REST, REC_NO_ITEM, path, sizeof path);
    snprintf(reason, sizeof reason, "blocks[%llu] and what follows are not known",
             (unsigned long long)n + 1);
    report->skipped(report->user, path, reason);
}

static lathe_result replace_all(change *c, lathe_doc *doc, lathe_error *err)
{
    lathe_result r = LATHE_OK;
    rec_at root = rec_root(doc, 0);
    bool numbers = c->numbers && (!c->named || NIF_AT_B(&root) >= NIF_SKYRIM);
    for (uint64_t i = 0, n = nif_total(doc, 0); r == LATHE_OK && i < n; i++) {
        uint32_t part = nif_block(doc, 0, i);
        const rec_type *type = nif_part_type(doc, part);
        if (may_name(type))
            r = replace_block(c, doc, part, false, err);
        else if (numbers && nif_has_collision(type))
            r = replace_block(c, doc, part, true, err);
        else if (numbers && rec_is_a(type, &nif_bhkSystem))
            r = replace_in_packfile(c, doc, part, err);
    }
    return r;
}

static lathe_result read_patterns(change *c, const lathe_value *from, const lathe_value *to,
                                  lathe_error *err)
{
    lathe_result r = cut(from, &c->from, err);
    if (r == LATHE_OK)
        r = cut(to, &c->to, err);
    if (r == LATHE_OK && c->to.stars > c->from.stars)
        return error_set(err, LATHE_ERR_RANGE, LATHE_NO_OFFSET,
                         "the replacement has more * (%llu) than the pattern (%llu)",
                         (unsigned long long)c->to.stars, (unsigned long long)c->from.stars);
    c->numbers = read_word(from, &c->number, &c->named) && read_word(to, &c->becomes, &c->named);
    return r;
}

lathe_result nif_set_materials(lathe_view self, const lathe_source *args, lathe_report *report,
                               lathe_error *err)
{
    lathe_doc *doc = self.doc;
    lathe_value from, to, flag;
    change c = {.report = report};
    bool change_names = rec_arg(args, "from", &from), has_to = rec_arg(args, "to", &to);
    bool normalise = rec_arg(args, "normalise", &flag) && flag.as.b;
    if (change_names != has_to || !(change_names || normalise))
        return error_set(err, LATHE_ERR_TYPE, LATHE_NO_OFFSET,
                         "set_materials takes from and to, or normalise");
    lathe_result r = change_names ? read_patterns(&c, &from, &to, err) : LATHE_OK;
    if (r == LATHE_OK && change_names)
        r = replace_all(&c, doc, err);
    c = (change){.report = report, .normalise = true, .quiet = change_names};
    if (r == LATHE_OK && normalise)
        r = replace_all(&c, doc, err);
    if (r == LATHE_OK)
        tell_unknown(doc, nif_total(doc, 0), report);
    return r;
}

static const rec_param from_param = {.name = "from",
                                     .doc = "What to look for: * is any run of bytes, upper and "
                                            "lower case and / and \\ make no difference.",
                                     .kind = LATHE_PARAM_TEXT,
                                     .positional = true};
static const rec_param to_param = {.name = "to",
                                   .doc =
                                       "What to put there; its first * stands for what the first "
                                       "one took, and so on.",
                                   .kind = LATHE_PARAM_TEXT,
                                   .positional = true};
static const rec_param normalise_param = {
    .name = "normalise",
    .doc =
        "Then writes paths as the games look for them: backslashes, none doubled, from textures\\ "
        "or materials\\ on, without blanks and line ends behind them.",
    .kind = LATHE_PARAM_BOOLEAN};
const rec_param *const nif_set_materials_params[] = {&from_param, &to_param, &normalise_param,
                                                     NULL};
