/* The tables behind the tagfile: for each shape tag a row of materials and a row of hit masks. Reference:
 * formats/bphsh.md#2. */
#include "phive/edits.h"

#include <stdio.h>
#include <string.h>

phive_counts phive_counts_of(const lathe_doc *doc, uint32_t c)
{
    uint64_t param = (uint64_t)doc->containers[c].param;
    return (phive_counts){(uint32_t)param, (uint32_t)(param >> 32)};
}

static lathe_result set_counts(lathe_doc *doc, uint32_t c, phive_counts counts, lathe_error *err)
{
    return rec_set_param(doc, c, (int64_t)((uint64_t)counts.rest << 32 | counts.rows), err);
}

uint32_t phive_mask_size(const lathe_doc *doc, uint32_t c)
{
    return doc->containers[c].version >= PHIVE_V23 ? 16 : 8;
}

/* ---- counts, which the header stores as sizes in bytes ---------------------------------------------------- */

lathe_result phive_get_rows(const rec_at *at, const rec_field *row, lathe_value *out,
                            lathe_error *err)
{
    (void)row;
    (void)err;
    *out = (lathe_value){.kind = LATHE_KIND_INT,
                         .as.i = phive_counts_of(at->doc, at->layout->container).rows};
    return LATHE_OK;
}

lathe_result phive_set_rows(const rec_at *at, const rec_field *row, const lathe_value *value,
                            lathe_error *err)
{
    phive_counts counts = phive_counts_of(at->doc, at->layout->container);
    (void)row;
    counts.rows = (uint32_t)value->as.i;
    return set_counts(at->doc, at->layout->container, counts, err);
}

uint64_t phive_material_rest(const rec_at *at)
{
    return phive_counts_of(at->doc, at->layout->container).rest;
}

lathe_result phive_fit_material_rest(const rec_at *at, const rec_field *row, uint64_t n,
                                     bool exists, lathe_error *err)
{
    phive_counts counts = phive_counts_of(at->doc, at->layout->container);
    (void)row;
    (void)exists;
    counts.rest = (uint32_t)n;
    return set_counts(at->doc, at->layout->container, counts, err);
}

/* ---- a material ------------------------------------------------------------------------------------------- */

lathe_result phive_get_kind(const rec_at *at, const rec_field *row, lathe_value *out,
                            lathe_error *err)
{
    (void)row;
    return rec_text(at, "collision", 9, out, err);
}

lathe_result phive_get_name(const rec_at *at, const rec_field *row, lathe_value *out,
                            lathe_error *err)
{
    uint32_t id = (uint32_t)rec_int(at, "material_id");
    const char *name =
        phive_name(phive_names_of(at->doc, at->layout->container), PHIVE_MATERIALS, id);
    (void)row;
    if (name)
        return rec_text(at, name, strlen(name), out, err);
    *out = (lathe_value){.kind = LATHE_KIND_INT, .as.i = id};
    return LATHE_OK;
}

lathe_result phive_set_name(const rec_at *at, const rec_field *row, const lathe_value *value,
                            lathe_error *err)
{
    const phive_names *names = phive_names_of(at->doc, at->layout->container);
    uint32_t slot = rec_slot_find(at->layout, "material_id");
    lathe_value number = *value;
    uint64_t id;
    char text[256];
    if (value->kind == LATHE_KIND_STRING) {
        if (!phive_name_find(names, PHIVE_MATERIALS, value->as.s.p, value->as.s.n, &id)) {
            phive_name_refuse(names, PHIVE_MATERIALS, value->as.s.p, value->as.s.n, text,
                              sizeof text);
            return rec_fail(at, rec_slot_find(at->layout, rec_row_name(row)), at->off, err,
                            LATHE_ERR_NAME, "%s", text);
        }
        number = (lathe_value){.kind = LATHE_KIND_INT, .as.i = (int64_t)id};
    }
    return rec_set(at, slot, &number, err);
}

lathe_result phive_get_source(const rec_at *at, const rec_field *row, lathe_value *out,
                              lathe_error *err)
{
    rec_at self = *at;
    (void)row;
    (void)err;
    *out = (lathe_value){.kind = LATHE_KIND_RECORD, .as.v = rec_view(&self)};
    return LATHE_OK;
}

lathe_result phive_get_none(const rec_at *at, const rec_field *row, lathe_value *out,
                            lathe_error *err)
{
    (void)at;
    (void)row;
    (void)err;
    out->kind = LATHE_KIND_NONE;
    return LATHE_OK;
}

/* Finds the row with the same number in the other table. It refers to *tables, which must live as long. */
static lathe_result mask_of(const rec_at *at, rec_at *tables, rec_at *out, lathe_error *err)
{
    *tables = (rec_at){.doc = at->doc,
                       .layout = rec_part_root(at->doc, at->part),
                       .part = at->part,
                       .slot = REC_NO_SLOT};
    if (!tables->layout)
        return rec_no_memory(err);
    return rec_sub(tables, rec_slot_find(tables->layout, "hit_masks"), at->off / PHIVE_MATERIAL,
                   out, err);
}

static lathe_result read_mask(const rec_at *at, const char *name, lathe_value *out,
                              lathe_error *err)
{
    rec_at tables, mask;
    lathe_result r = mask_of(at, &tables, &mask, err);
    return r == LATHE_OK ? rec_get(&mask, rec_slot_find(mask.layout, name), false, out, err) : r;
}

lathe_result phive_get_mask(const rec_at *at, const rec_field *row, lathe_value *out,
                            lathe_error *err)
{
    return read_mask(at, rec_row_name(row), out, err);
}

lathe_result phive_set_mask(const rec_at *at, const rec_field *row, const lathe_value *value,
                            lathe_error *err)
{
    rec_at tables, mask;
    lathe_result r = mask_of(at, &tables, &mask, err);
    return r == LATHE_OK ? rec_set(&mask, rec_slot_find(mask.layout, rec_row_name(row)), value, err)
                         : r;
}

/* The names of a mask's bits: "Object | Player | 0x80000000". */
lathe_result phive_get_words(const rec_at *at, const rec_field *row, lathe_value *out,
                             lathe_error *err)
{
    bool tags = strcmp(rec_row_name(row), "user_tags") == 0,
         sub = strcmp(rec_row_name(row), "sub_layers") == 0;
    const phive_names *names = phive_names_of(at->doc, at->layout->container);
    const rec_name *known = tags  ? names->tag_bits.rows
                            : sub ? names->sets[PHIVE_SUB_LAYERS].rows
                                  : names->sets[PHIVE_LAYERS].rows;
    lathe_value mask = {.kind = LATHE_KIND_INT};
    const char *of = sub ? "sub_layer_mask" : "layer_mask";
    char text[64 * (PHIVE_NAME + 3) + 24];
    size_t n = 0;
    lathe_result r = tags ? LATHE_OK : read_mask(at, of, &mask, err);
    uint64_t rest = tags ? (uint64_t)rec_int(at, "user_tag_mask") : mask.as.u;
    for (; r == LATHE_OK && known->name; known++)
        if (rest & (uint64_t)known->value) {
            n += (size_t)snprintf(text + n, sizeof text - n, "%s%s", n ? " | " : "", known->name);
            rest &= ~(uint64_t)known->value;
        }
    if (rest || !n)
        n += (size_t)snprintf(text + n, sizeof text - n, n ? " | 0x%llx" : "0x%llx",
                              (unsigned long long)rest);
    return r == LATHE_OK ? rec_text(at, text, n, out, err) : r;
}

int64_t phive_all_ones(const rec_at *at)
{
    return at->doc->containers[at->layout->container].version >= PHIVE_V23 ? -1
                                                                           : (int64_t)UINT32_MAX;
}

lathe_result phive_material(lathe_doc *doc, uint64_t i, lathe_view *out, lathe_error *err)
{
    uint32_t part = phive_part_of(doc, 0, PHIVE_TABLES);
    rec_at tables = {.doc = doc, .part = part, .slot = REC_NO_SLOT}, one;
    uint32_t n = phive_counts_of(doc, 0).rows;
    if (i >= n)
        return error_set(err, LATHE_ERR_NAME, LATHE_NO_OFFSET, "there are %u materials", n);
    tables.layout = rec_part_root(doc, part);
    if (!tables.layout)
        return rec_no_memory(err);
    lathe_result r = rec_sub(&tables, rec_slot_find(tables.layout, "materials"), i, &one, err);
    if (r == LATHE_OK)
        *out = rec_view(&one);
    return r;
}

size_t phive_material_text(lathe_doc *doc, uint32_t c, uint32_t i, char *to, size_t cap)
{
    const rec_part *p = rec_part_of(doc, phive_part_of(doc, c, PHIVE_TABLES));
    uint64_t at = (uint64_t)i * PHIVE_MATERIAL;
    uint32_t id = at + 4 <= p->size ? bytes_ld32(p->data + at, false) : 0;
    const char *name = phive_name(phive_names_of(doc, c), PHIVE_MATERIALS, id);
    int n = name ? snprintf(to, cap, "%s", name) : snprintf(to, cap, "%u", id);
    return n > 0 ? (size_t)n : 0;
}

bool phive_text_number(const char *p, size_t n, uint32_t *number)
{
    uint64_t v = 0;
    bool hex = n > 2 && p[0] == '0' && (p[1] == 'x' || p[1] == 'X');
    size_t from = hex ? 2 : 0;
    if (from == n)
        return false;
    for (size_t i = from; i < n; i++) {
        char c = (char)(p[i] >= 'A' && p[i] <= 'F' ? p[i] - 'A' + 'a' : p[i]);
        bool digit = c >= '0' && c <= '9', letter = hex && c >= 'a' && c <= 'f';
        if (!digit && !letter)
            return false;
        v = v * (hex ? 16 : 10) + (uint64_t)(digit ? c - '0' : c - 'a' + 10);
        if (v > UINT32_MAX)
            return false;
    }
    *number = (uint32_t)v;
    return true;
}

lathe_result phive_material_number(lathe_doc *doc, uint32_t c, const lathe_value *value,
                                   uint32_t *id, lathe_error *err)
{
    const phive_names *names = phive_names_of(doc, c);
    double number;
    uint64_t found;
    char text[256] = "";
    if (value->kind == LATHE_KIND_STRING &&
        phive_name_find(names, PHIVE_MATERIALS, value->as.s.p, value->as.s.n, &found)) {
        *id = (uint32_t)found;
        return LATHE_OK;
    }
    if (value->kind == LATHE_KIND_STRING && phive_text_number(value->as.s.p, value->as.s.n, id))
        return LATHE_OK;
    if (value->kind == LATHE_KIND_STRING) {
        phive_name_refuse(names, PHIVE_MATERIALS, value->as.s.p, value->as.s.n, text, sizeof text);
        return error_set(err, LATHE_ERR_RANGE, LATHE_NO_OFFSET, "%s", text);
    }
    if (!rec_number(value, &number) || !(number >= 0 && number <= UINT32_MAX) ||
        number != (double)(uint32_t)number)
        return error_set(err, LATHE_ERR_TYPE, LATHE_NO_OFFSET,
                         "material: a name or a number of 32 bits expected");
    *id = (uint32_t)number;
    return LATHE_OK;
}
