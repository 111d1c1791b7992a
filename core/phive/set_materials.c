/* doc:set_materials: replaces materials by name or number. */
#include "phive/edits.h"

#include "havok/physics/names/material_rule.h"

/* clang-format off */
static const rec_param from_param = {.name = "from", .kind = LATHE_PARAM_TEXT, .positional = true,
    .doc = "The whole of the old name. Or its number; * is any run of bytes; upper and lower case make no difference."};
static const rec_param to_param = {.name = "to", .kind = LATHE_PARAM_TEXT, .positional = true,
    .doc = "What to put there; its first * stands for what the first one took, and so on. A name that the game does not have is refused."};
/* clang-format on */
const rec_param *const phive_set_materials_params[] = {
    &from_param, &to_param, &hk_what_param, &hk_normalise_param, &hk_unknown_param, NULL};

typedef struct setter {
    lathe_doc *doc;
    uint32_t c;
    hk_rule rule;
    bool numbered; /* the old one is a number */
    uint32_t number;
    bool matched;
    lathe_report *report;
} setter;

/* Applies the rule to a material; *becomes is the same material if it does not match. */
static lathe_result apply(setter *s, uint32_t row, uint32_t id, uint32_t *becomes, lathe_error *err)
{
    model_piece taken[MODEL_STARS] = {{NULL, 0}};
    char name[96];
    size_t n = phive_material_text(s->doc, s->c, row, name, sizeof name);
    *becomes = id;
    if (!(s->numbered && s->number == id) && !model_pattern_match(&s->rule.from, name, n, taken))
        return LATHE_OK;
    s->matched = true;
    buf text;
    buf_init(&text, &s->doc->mem);
    lathe_result r = model_pattern_put(&text, &s->rule.to, taken) ? LATHE_OK : rec_no_memory(err);
    const lathe_value v = {.kind = LATHE_KIND_STRING,
                           .as.s = {text.data ? (const char *)text.data : "", text.size}};
    if (r == LATHE_OK)
        r = phive_material_number(s->doc, s->c, &v, becomes, err);
    buf_free(&text);
    return r;
}

static lathe_result set_rows(setter *s, const rec_at *tables, lathe_error *err)
{
    uint32_t slot = rec_slot_find(tables->layout, "materials");
    uint32_t n = phive_counts_of(s->doc, s->c).rows;
    lathe_result r = LATHE_OK;
    for (uint32_t i = 0; r == LATHE_OK && i < n; i++) {
        rec_at row;
        uint32_t becomes;
        r = rec_sub(tables, slot, i, &row, err);
        if (r != LATHE_OK)
            break;
        uint32_t id = (uint32_t)rec_int(&row, "material_id");
        r = apply(s, i, id, &becomes, err);
        if (r != LATHE_OK || becomes == id)
            continue;
        r = rec_put_raw(&row, rec_slot_find(row.layout, "material_id"), 0, becomes, err);
        if (s->report)
            s->report->changed++;
    }
    return r;
}

/* Reports a name that no row has and that the game does not know, with the most similar name. */
static void report_unknown(const setter *s)
{
    uint32_t id;
    lathe_error why;
    if (s->matched || s->rule.from.stars || s->rule.names.quiet)
        return;
    if (phive_material_number(s->doc, s->c, &s->rule.from_text, &id, &why) == LATHE_OK)
        return;
    const lathe_value v = {.kind = LATHE_KIND_STRING, .as.s = {why.message, strlen(why.message)}};
    s->report->result(s->report->user, "warnings", &v);
}

lathe_result phive_set_materials(lathe_view self, const lathe_source *args, lathe_report *report,
                                 lathe_error *err)
{
    setter s = {.doc = self.doc, .c = self.doc->parts[self.part].container, .report = report};
    rec_at tables = {
        .doc = s.doc, .part = phive_part_of(s.doc, s.c, PHIVE_TABLES), .slot = REC_NO_SLOT};
    lathe_result r = hk_rule_read(&s.rule, args, report, err);
    if (r != LATHE_OK || !s.rule.replaces || !(s.rule.kinds & HK_COLLISION))
        return r;
    tables.layout = rec_part_root(s.doc, tables.part);
    if (!tables.layout)
        return rec_no_memory(err);
    s.numbered = phive_text_number(s.rule.from_text.as.s.p, s.rule.from_text.as.s.n, &s.number);
    r = set_rows(&s, &tables, err);
    if (r == LATHE_OK)
        report_unknown(&s);
    return r;
}
