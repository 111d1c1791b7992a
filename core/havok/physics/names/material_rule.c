/* What doc:set_materials is asked for, alike in NIFs and in packfiles. */
#include "havok/physics/names/material_rule.h"
#include "model/material_name.h"

#include <stdio.h>
#include <string.h>

/* ---- options ----------------------------------------------------------------------------------------------- */

static const char *const what_values[] = {"textures", "collision", "files", "all", NULL};
static const unsigned what_kinds[] = {HK_TEXTURES, HK_COLLISION, HK_FILES,
                                      HK_TEXTURES | HK_COLLISION | HK_FILES};

static const rec_param from_param = {
    .name = "from",
    .doc = "The whole of the old name. * is any run of bytes; upper and lower case, and / and \\, "
           "make no difference. Collision materials have a name or a number; with stars they are "
           "only reached where `what` says so.",
    .kind = LATHE_PARAM_TEXT,
    .positional = true};
static const rec_param to_param = {
    .name = "to",
    .doc = "What to put there; its first * stands for what the first one took, and so on. A path "
           "keeps an extension: a replacement without one is refused.",
    .kind = LATHE_PARAM_TEXT,
    .positional = true};
const rec_param hk_what_param = {
    .name = "what",
    .doc = "The names that are changed: paths of textures, names of collision materials, paths of "
           "material files, or all. Default: the kind that `from` matches; several are refused.",
    .kind = LATHE_PARAM_TEXT,
    .values = what_values};
const rec_param hk_normalise_param = {
    .name = "normalise",
    .doc = "Then writes paths as the games look for them: backslashes, none doubled, from "
           "textures\\ or materials\\ on, without blanks and line ends around them. Packfiles have "
           "none. Default: false.",
    .kind = LATHE_PARAM_BOOLEAN};
const rec_param *const hk_set_materials_params[] = {
    &from_param, &to_param, &hk_what_param, &hk_normalise_param, &hk_unknown_param, NULL};

static lathe_result read_patterns(hk_rule *rule, const lathe_value *from, const lathe_value *to,
                                  lathe_error *err)
{
    lathe_result r = model_pattern_cut(from, &rule->from, err);
    if (r == LATHE_OK)
        r = model_pattern_cut(to, &rule->to, err);
    if (r == LATHE_OK && rule->to.stars > rule->from.stars)
        return error_set(err, LATHE_ERR_RANGE, LATHE_NO_OFFSET,
                         "the replacement has more * (%llu) than the pattern (%llu)",
                         (unsigned long long)rule->to.stars, (unsigned long long)rule->from.stars);
    rule->from_text = *from;
    rule->words = model_material_word(from->as.s.p, from->as.s.n, &rule->number, &rule->named) &&
                  model_material_word(to->as.s.p, to->as.s.n, &rule->becomes, &rule->named);
    return r;
}

lathe_result hk_rule_read(hk_rule *rule, const lathe_source *args, lathe_report *report,
                          lathe_error *err)
{
    lathe_value from, to, v;
    *rule = (hk_rule){.report = report, .kinds = HK_TEXTURES | HK_COLLISION | HK_FILES};
    rule->names = hk_names_of(args, report);
    rule->replaces = rec_arg(args, "from", &from);
    rule->normalise = rec_arg(args, "normalise", &v) && v.as.b;
    if (rule->replaces != rec_arg(args, "to", &to) || !(rule->replaces || rule->normalise))
        return error_set(err, LATHE_ERR_TYPE, LATHE_NO_OFFSET,
                         "set_materials takes from and to, or normalise");
    rule->chosen = rec_arg(args, "what", &v);
    for (size_t i = 0; rule->chosen && what_values[i]; i++)
        if (rec_text_is(&v, what_values[i]))
            rule->kinds = what_kinds[i];
    return rule->replaces ? read_patterns(rule, &from, &to, err) : LATHE_OK;
}

/* ---- paths ------------------------------------------------------------------------------------------------- */

bool hk_names_file(const char *p, size_t n)
{
    static const char *const ends[] = {".bgsm", ".bgem", ".mat"};
    for (size_t i = 0; i < REC_COUNT_OF(ends); i++) {
        size_t k = strlen(ends[i]);
        if (n >= k && model_same_text(p + n - k, ends[i], k))
            return true;
    }
    return false;
}

static bool has_extension(const char *p, size_t n)
{
    size_t i = n;
    while (i && !strchr("./\\", p[i - 1])) /* or a NUL, which ends it for the game */
        i--;
    return i && i < n && p[i - 1] == '.';
}

/* A text that is empty is the path of nothing, and may be wanted. */
static bool loses(unsigned kind, const char *p, size_t n, const buf *now)
{
    const char *text = (const char *)now->data;
    if (!now->size)
        return false;
    return kind == HK_FILES ? !hk_names_file(text, now->size)
                            : has_extension(p, n) && !has_extension(text, now->size);
}

bool hk_rule_path(hk_rule *rule, unsigned kind, const char *p, size_t n, buf *out, lathe_error *err)
{
    model_piece taken[MODEL_STARS];
    if (!(rule->kinds & kind) || !model_pattern_match(&rule->from, p, n, taken))
        return false;
    rule->matched |= kind;
    if (!model_pattern_put(out, &rule->to, taken)) {
        rec_no_memory(err);
        return false;
    }
    if (!loses(kind, p, n, out))
        return true;
    if (!rule->lost[0])
        snprintf(rule->lost, sizeof rule->lost, "'%.*s' would become '%.*s'",
                 (int)(n < 48 ? n : 48), p, (int)(out->size < 48 ? out->size : 48),
                 (const char *)out->data);
    return false;
}

/* ---- numbers ----------------------------------------------------------------------------------------------- */

/* A collision material as lists show it. */
static size_t text_of(uint32_t id, bool names, char *text, size_t cap)
{
    const char *name = names ? model_material_name(id) : NULL;
    return (size_t)(name    ? snprintf(text, cap, "%s", name)
                    : names ? snprintf(text, cap, "0x%08X", (unsigned)id)
                            : snprintf(text, cap, "%u", (unsigned)id));
}

static lathe_result by_pattern(hk_rule *rule, uint32_t id, bool names, buf *out, uint32_t *becomes,
                               lathe_error *err)
{
    model_piece taken[MODEL_STARS];
    char text[MODEL_MATERIAL_TEXT];
    bool named = false;
    size_t n = text_of(id, names, text, sizeof text);
    if (!model_pattern_match(&rule->from, text, n, taken))
        return LATHE_OK;
    rule->matched |= HK_COLLISION;
    if (!model_pattern_put(out, &rule->to, taken) || !buf_fill(out, 0, 1))
        return rec_no_memory(err);
    const char *now = (const char *)out->data;
    if (!model_material_word(now, out->size - 1, becomes, &named))
        return error_set(err, LATHE_ERR_RANGE, LATHE_NO_OFFSET,
                         "'%.80s' is not the name of a collision material", now);
    if (named && !names)
        return error_set(err, LATHE_ERR_TYPE, LATHE_NO_OFFSET,
                         "'%.80s': collision materials have names from Skyrim on", now);
    hk_names_check(&rule->names, now, out->size - 1);
    return LATHE_OK;
}

lathe_result hk_rule_number(hk_rule *rule, uint32_t id, bool names, const mem *memory,
                            uint32_t *becomes, lathe_error *err)
{
    buf text;
    *becomes = id;
    if (!(rule->kinds & HK_COLLISION))
        return LATHE_OK;
    rule->seen = rule->seen || names;
    if (rule->words) {
        if (id != rule->number || (rule->named && !names))
            return LATHE_OK;
        rule->matched |= HK_COLLISION;
        *becomes = rule->becomes;
        hk_names_check(&rule->names, rule->to.pieces[0].p, rule->to.pieces[0].n);
        return LATHE_OK;
    }
    if (!rule->chosen)
        return LATHE_OK; /* stars, or a path */
    buf_init(&text, memory);
    lathe_result r = by_pattern(rule, id, names, &text, becomes, err);
    buf_free(&text);
    return r;
}

/* ---- all of a document ------------------------------------------------------------------------------------- */

lathe_result hk_rule_end(hk_rule *rule, lathe_error *err)
{
    char kinds[48] = "";
    size_t n = 0;
    for (size_t i = 0; i < 3; i++)
        if (rule->matched & what_kinds[i])
            n += (size_t)snprintf(kinds + n, sizeof kinds - n, "%s%s", n ? " and " : "",
                                  what_values[i]);
    const lathe_value *from = &rule->from_text;
    if (!rule->chosen && rule->matched & (rule->matched - 1))
        return error_set(err, LATHE_ERR_RANGE, LATHE_NO_OFFSET,
                         "'%.*s' matches %s: choose one of them, or all",
                         (int)(from->as.s.n < 60 ? from->as.s.n : 60), from->as.s.p, kinds);
    if (rule->lost[0])
        return error_set(err, LATHE_ERR_RANGE, LATHE_NO_OFFSET,
                         "%s: the new path would lose its extension", rule->lost);
    if (rule->words && rule->seen && !rule->matched) /* or it is the name of another file */
        hk_names_check(&rule->names, from->as.s.p, from->as.s.n);
    return LATHE_OK;
}
