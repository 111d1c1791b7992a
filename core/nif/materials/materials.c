/* Replaces paths of textures and material files by a pattern. Reference: formats/nif.md. */
#include "havok/physics/materials.h"
#include "gen/nif_types.h"
#include "nif/container/packfiles.h"
#include "nif/materials/materials.h"

#include <stdio.h>
#include <string.h>

typedef struct change {
    hk_rule *rule;
    bool normalise; /* in place of the rule's replacement */
    bool quiet;     /* skipped items were reported before */
    lathe_report *report;
} change;

/* ---- paths as the games use them ----------------------------------------------------------------------- */

static bool separates(char c)
{
    return c == '/' || c == '\\';
}

static bool behind_data(const char *p, size_t i)
{
    while (i && separates(p[i - 1]))
        i--;
    return i >= 4 && model_same_text(p + i - 4, "data", 4) && (i == 4 || separates(p[i - 5]));
}

/* The path from `folder` on, if that is at the start, behind "data", or in an absolute path. Otherwise the
 * path behind the first "data". *disk: it is an absolute path that cannot be converted. */
static model_piece from_folder(const char *p, size_t n, const char *folder, bool *found, bool *disk)
{
    size_t len = strlen(folder), start = 0;
    while (start < n && separates(p[start]))
        start++;
    *disk = n - start > 1 && p[start + 1] == ':';
    for (size_t i = start; n - i >= len; i++) {
        bool begins = i == start || separates(p[i - 1]);
        if (!begins || !model_same_text(p + i, folder, len) ||
            !(i == start || *disk || behind_data(p, i)))
            continue;
        *found = true;
        return (model_piece){p + i, n - i};
    }
    *found = false;
    if (n - start > 5 && model_same_text(p + start, "data\\", 5))
        for (start += 5; start < n && separates(p[start]);)
            start++;
    return (model_piece){p + start, n - start};
}

/* Writes a path with single backslashes, starting with the folder, which is added if `add` is set. */
static bool put_normal(buf *out, const lathe_value *text, const char *folder, bool add)
{
    bool found, disk, ok = true;
    model_piece path = from_folder(text->as.s.p, text->as.s.n, folder, &found, &disk);
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

static bool is_blank(char c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

/* Removes blanks and line ends that tools leave around a name. */
static lathe_value trimmed(const lathe_value *text)
{
    lathe_value v = *text;
    for (; v.as.s.n && is_blank(v.as.s.p[v.as.s.n - 1]); v.as.s.n--)
        ;
    for (; v.as.s.n && is_blank(v.as.s.p[0]); v.as.s.n--)
        v.as.s.p++;
    return v;
}

/* ---- one text ------------------------------------------------------------------------------------------ */

/* Computes the new text. The name of a shader is the path of its material file from Fallout 4 on; earlier it
 * can be anything. */
static bool new_text(const change *c, const rec_at *at, bool material, const lathe_value *v,
                     buf *text, lathe_error *err)
{
    unsigned kind = material ? HK_FILES : HK_TEXTURES;
    if (!c->normalise)
        return hk_rule_path(c->rule, kind, v->as.s.p, v->as.s.n, text, err);
    const lathe_value name = trimmed(v);
    if (!(c->rule->kinds & kind) || !memchr(name.as.s.p, '.', name.as.s.n))
        return false;
    /* Morrowind's texture paths start below the textures folder. */
    if (!put_normal(text, &name, material ? "materials\\" : "textures\\",
                    NIF_AT_V(at) >= 0x0A000000)) {
        rec_no_memory(err);
        return false;
    }
    return true;
}

static lathe_result store(const change *c, const rec_at *at, uint32_t slot, uint64_t item,
                          lathe_value *v, const buf *text, lathe_error *err)
{
    if (text->size == v->as.s.n && (!text->size || memcmp(text->data, v->as.s.p, text->size) == 0))
        return LATHE_OK;
    v->as.s.p = text->size ? (const char *)text->data : "";
    v->as.s.n = text->size;
    lathe_result r =
        item == REC_NO_ITEM ? rec_set(at, slot, v, err) : rec_set_item(at, slot, item, v, err);
    if (r == LATHE_OK && c->report)
        c->report->changed++;
    return r;
}

static lathe_result replace(const change *c, const rec_at *at, uint32_t slot, uint64_t item,
                            bool material, lathe_error *err)
{
    lathe_value v;
    lathe_error why = {.code = LATHE_OK};
    buf text;
    lathe_result r = item == REC_NO_ITEM ? rec_get(at, slot, false, &v, err)
                                         : rec_get_item(at, slot, item, false, &v, err);
    if (r != LATHE_OK || v.kind != LATHE_KIND_STRING || !v.as.s.n) /* empty: no file */
        return r;
    const lathe_value name = c->normalise ? trimmed(&v) : v;
    if (material && !hk_names_file(name.as.s.p, name.as.s.n))
        return r;
    buf_init(&text, &at->doc->mem);
    if (new_text(c, at, material, &v, &text, &why))
        r = store(c, at, slot, item, &v, &text, err);
    else if (why.code != LATHE_OK)
        r = rec_no_memory(err);
    buf_free(&text);
    return r;
}

/* ---- all fields ---------------------------------------------------------------------------------------- */

typedef enum use { USE_NONE, USE_TEXTURE, USE_MATERIAL } use;

/* The kind of file that a text field refers to. Fields of shaders and textures have the same names
 * everywhere. */
static use row_use(const rec_field *row)
{
    static const char texture[] = "_texture";
    size_t n = strlen(rec_row_name(row)), end = sizeof texture - 1;
    if (row->kind != REC_STR && rec_row_codec(row) != &nif_string)
        return USE_NONE;
    if (strcmp(rec_row_name(row), "name") == 0 || strcmp(rec_row_name(row), "root_material") == 0)
        return USE_MATERIAL;
    if (strcmp(rec_row_name(row), "textures") == 0 || strcmp(rec_row_name(row), "file_name") == 0 ||
        (n > end && strcmp(rec_row_name(row) + n - end, texture) == 0))
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
        return LATHE_OK; /* packfiles are opened, so there is none */
    for (uint32_t slot = 0; r == LATHE_OK && slot < at->layout->count; slot++)
        if (!at->layout->slots[slot].never && !rec_unstored(at->layout->slots[slot].row))
            r = replace_row(c, at, slot, depth, err);
    return r;
}

/* True if blocks of a type may refer to such files: other blocks are skipped. */
static bool may_name(const rec_type *type)
{
    static const char *const kinds[] = {"BSShaderProperty", "BSShaderTextureSet",
                                        "NiSourceTexture"};
    for (; type; type = rec_type_base(type))
        for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
            if (strcmp(rec_type_name(type), kinds[i]) == 0)
                return true;
    return false;
}

/* ---- numbers of collision materials ---------------------------------------------------------------------- */

static lathe_result replace_number(void *user, const rec_at *at, lathe_error *err)
{
    const change *c = user;
    uint32_t slot = rec_slot_find(at->layout, "material"), becomes;
    uint64_t raw;
    lathe_result r = rec_raw(at, slot, 0, &raw, err);
    if (r == LATHE_OK)
        r = hk_rule_number(c->rule, (uint32_t)raw, NIF_AT_B(at) >= NIF_SKYRIM, &at->doc->mem,
                           &becomes, err);
    if (r != LATHE_OK || becomes == raw)
        return r;
    const lathe_value v = {.kind = LATHE_KIND_INT, .as.i = becomes};
    r = rec_set(at, slot, &v, err);
    if (r == LATHE_OK && c->report)
        c->report->changed++;
    return r;
}

/* Replaces materials in a block's packfile. If it cannot be opened, it is reported like a skipped block. */
static lathe_result replace_in_packfile(const change *c, lathe_doc *doc, uint32_t block,
                                        lathe_error *err)
{
    lathe_error why;
    char path[64];
    uint32_t part = nif_packfile_of(doc, block, &why);
    if (part != REC_NO_PART)
        return hk_replace_material(doc, doc->parts[part].container, c->rule, err);
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

/* Reports blocks that were skipped: in an old file, blocks behind an unknown one cannot be found. */
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
    bool numbers =
        !c->normalise && c->rule->kinds & HK_COLLISION && (c->rule->words || c->rule->chosen);
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

lathe_result nif_set_materials(lathe_view self, const lathe_source *args, lathe_report *report,
                               lathe_error *err)
{
    lathe_doc *doc = self.doc;
    hk_rule rule;
    change c = {.rule = &rule, .report = report};
    lathe_result r = hk_rule_read(&rule, args, report, err);
    if (r == LATHE_OK && rule.replaces)
        r = replace_all(&c, doc, err);
    if (r == LATHE_OK)
        r = hk_rule_end(&rule, err);
    c.normalise = true;
    c.quiet = rule.replaces;
    if (r == LATHE_OK && rule.normalise)
        r = replace_all(&c, doc, err);
    if (r == LATHE_OK)
        tell_unknown(doc, nif_total(doc, 0), report);
    return r;
}
