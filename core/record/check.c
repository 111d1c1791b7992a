/* doc:check(): finds problems that do not prevent opening. */
#include "record/form.h"
#include "record/offset_cache.h"
#include "record/record.h"

#include <float.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>

/* Maximum number of findings to report for each level, because a damaged file may have millions. */
enum { MOST_FINDINGS = 10000 };

static void tell(rec_report *r, lathe_error *e, lathe_level level)
{
    bool is_error = level == LATHE_LEVEL_ERROR;
    if (r->reported[is_error]++ == MOST_FINDINGS) {
        error_set(e, LATHE_ERR_LIMIT, LATHE_NO_OFFSET, "more than %d %s: the rest is left out",
                  MOST_FINDINGS, is_error ? "errors" : "warnings");
        error_path(e, r->doc->path);
    }
    e->level = level;
    r->errors += is_error;
    r->stopped = r->each && !r->each(r->user, e);
}

void rec_finding(rec_report *r, lathe_level level, const rec_at *at, uint32_t slot, uint64_t item,
                 const char *fmt, ...)
{
    lathe_error e;
    /* longer than the fields: it is truncated */
    char text[sizeof e.message + 1], where[sizeof e.where + 1];
    rec_loc loc;
    uint32_t part = at->part;
    uint64_t off = at->off, size;
    if (r->stopped || r->reported[level == LATHE_LEVEL_ERROR] > MOST_FINDINGS)
        return;
    va_list args;
    va_start(args, fmt);
    vsnprintf(text, sizeof text, fmt, args);
    va_end(args);
    if (slot != REC_NO_SLOT && !rec_unstored(at->layout->slots[slot].row) &&
        rec_find(at, slot, &loc, NULL) == LATHE_OK) {
        off = loc.off;
        part = loc.part;
        if (item != REC_NO_ITEM && item < loc.count) {
            uint32_t kid = rec_kid(at->doc, at->part, slot, item);
            if (kid != REC_NO_PART) {
                off = 0;
                part = kid;
            } else if (rec_elem(at, slot, &loc, item, &off, &size, NULL) == LATHE_OK) {
                part = loc.data_part;
            }
        }
    }
    error_set(&e, LATHE_ERR_INVALID,
              rec_in_form(at->doc) ? LATHE_NO_OFFSET : rec_encoded(at->doc, part, off), "%s", text);
    if (at->doc->path)
        error_path(&e, at->doc->path);
    rec_path(at, slot, item, where, sizeof where);
    error_where(&e, where);
    tell(r, &e, level);
}

void rec_found(rec_report *r, lathe_level level, const lathe_error *found)
{
    lathe_error e = *found;
    if (!r->stopped && r->reported[level == LATHE_LEVEL_ERROR] <= MOST_FINDINGS)
        tell(r, &e, level);
}

static void unreadable(rec_report *r, const lathe_error *e)
{
    rec_found(r, LATHE_LEVEL_ERROR, e);
}

static void check_number(rec_report *r, const rec_at *at, uint32_t slot, uint64_t item,
                         uint64_t raw)
{
    const rec_field *row = at->layout->slots[slot].row;
    lathe_value v;
    lathe_error e = {.code = LATHE_OK};
    if (row->flags & REC_ANYTHING)
        return;
    if (rec_decode(at, slot, raw, false, &v, &e) != LATHE_OK) {
        unreadable(r, &e);
        return;
    }
    if (row->ref && v.kind == LATHE_KIND_INT) {
        /* the target cannot be located, which is no defect of the file */
        rec_found(r, LATHE_LEVEL_WARNING, &e);
        return;
    }
    double f = v.kind == LATHE_KIND_REAL   ? v.as.f
               : v.kind == LATHE_KIND_INT  ? (double)v.as.i
               : v.kind == LATHE_KIND_UINT ? (double)v.as.u
                                           : 0;
    /* isfinite causes warnings on some systems */
    if (v.kind == LATHE_KIND_REAL && !(fabs(f) <= DBL_MAX))
        rec_finding(r, LATHE_LEVEL_WARNING, at, slot, item, "not a finite number");
    else if (rec_row_rare(row)->range[0] != rec_row_rare(row)->range[1] &&
             (f < rec_row_rare(row)->range[0] || f > rec_row_rare(row)->range[1]) &&
             v.kind != LATHE_KIND_STRING)
        rec_finding(r, LATHE_LEVEL_WARNING, at, slot, item, "%.9g is not in %.9g .. %.9g", f,
                    rec_row_rare(row)->range[0], rec_row_rare(row)->range[1]);
    else if (row->shown == REC_ENUM && v.kind != LATHE_KIND_STRING)
        rec_finding(r, LATHE_LEVEL_WARNING, at, slot, item, "%lld is no known %s",
                    (long long)v.as.i, rec_names_name(rec_row_names(row)));
}

/* Whether numbers of a row can be wrong at all, so that they must be read. */
static bool worth_checking(const rec_field *row)
{
    return rec_width(row->kind) &&
           (rec_row_rare(row)->range[0] != rec_row_rare(row)->range[1] || row->shown == REC_ENUM ||
            row->codec || row->ref || (row->kind >= REC_F16 && row->kind <= REC_F64));
}

/* Whether an element consists of f32 only, which are wrong only if they are not finite. */
static bool only_floats(const rec_slot *s)
{
    const rec_field *row = s->row;
    if (row->flags & REC_PART || row->body || row->ref || row->codec ||
        rec_row_rare(row)->range[0] != rec_row_rare(row)->range[1])
        return false;
    if (row->kind == REC_F32)
        return true;
    if (row->kind != REC_RECORD || !s->sub || s->sub->size == REC_DYNAMIC || s->sub->recursive ||
        s->sub->type->flags & (REC_OFFSETS | REC_ALIGNED)) /* these may contain gaps */
        return false;
    for (uint32_t i = 0; i < s->sub->count; i++) {
        const rec_slot *sub = &s->sub->slots[i];
        if (!rec_unstored(sub->row) && (sub->big != s->big || !only_floats(sub)))
            return false;
    }
    return s->sub->size > 0;
}

/* A fast path for the most common data: checks all floats of an array in one loop. */
static bool all_finite(const rec_at *at, uint32_t slot, const rec_loc *loc)
{
    const rec_slot *s = rec_slot_of(at, slot);
    if (!only_floats(s) || s->elem == REC_DYNAMIC)
        return false;
    uint64_t n = (s->array ? loc->count : 1) * s->elem / 4;
    const uint8_t *p = rec_part_of(at->doc, s->array ? loc->data_part : loc->part)->data +
                       (s->array ? loc->data : loc->off);
    for (uint64_t i = 0; i < n; i++)
        if ((bytes_ld32(p + 4 * i, s->big) & 0x7F800000) == 0x7F800000)
            return false;
    return true;
}

static void check_record(rec_report *r, const rec_at *at);

/* Whether records consist of numbers that cannot be wrong. */
static bool cannot_be_wrong(const rec_layout *l)
{
    if (!l || l->size == REC_DYNAMIC || l->recursive || l->has_out_of_line ||
        l->embeds != REC_NO_SLOT)
        return false;
    for (uint32_t slot = 0; slot < l->count; slot++) {
        const rec_slot *s = &l->slots[slot];
        if (!rec_unstored(s->row) && (!s->fixed || !rec_width(s->row->kind) ||
                                      worth_checking(s->row) || rec_row_rare(s->row)->derive))
            return false;
    }
    return true;
}

static void check_items(rec_report *r, const rec_at *at, uint32_t slot, const rec_loc *loc)
{
    const rec_slot *s = rec_slot_of(at, slot);
    for (uint64_t i = 0; i < loc->count && !r->stopped; i++) {
        lathe_error e = {.code = LATHE_OK};
        uint64_t off, size;
        if (s->row->kind == REC_RECORD) {
            rec_at sub;
            if (rec_sub(at, slot, i, &sub, &e) != LATHE_OK)
                unreadable(r, &e);
            else
                check_record(r, &sub);
        } else if (rec_elem(at, slot, loc, i, &off, &size, &e) != LATHE_OK) {
            unreadable(r, &e);
        } else {
            check_number(r, at, slot, i, rec_load(s, at->doc->parts[loc->data_part].data + off));
        }
        if (e.code != LATHE_OK)
            return; /* later findings would only repeat it */
    }
}

static void check_derived(rec_report *r, const rec_at *at, uint32_t slot, uint64_t raw)
{
    int64_t should;
    lathe_value v;
    if (rec_row_rare(at->layout->slots[slot].row)->derive(at, &should) &&
        rec_decode(at, slot, raw, true, &v, NULL) == LATHE_OK && v.as.i != should)
        rec_finding(r, LATHE_LEVEL_WARNING, at, slot, REC_NO_ITEM,
                    "%lld is stored, %lld would agree", (long long)v.as.i, (long long)should);
}

/* Checks that the targets of a row, or of each element, are of a kind that it may point to. */
static void check_targets(rec_report *r, const rec_at *at, uint32_t slot, const rec_loc *loc)
{
    const rec_slot *s = rec_slot_of(at, slot);
    const rec_ref *ref = rec_row_ref(s->row);
    for (uint64_t i = 0, n = s->array ? loc->count : 1; i < n && !r->stopped; i++) {
        lathe_error e = {.code = LATHE_OK};
        uint64_t raw;
        if (rec_raw(at, slot, i, &raw, &e) == LATHE_OK && raw != ref->null &&
            ref->suits(at, s->row, raw, &e) != LATHE_OK)
            rec_finding(r, LATHE_LEVEL_WARNING, at, slot, s->array ? i : REC_NO_ITEM, "%s",
                        e.message);
    }
}

static void check_row(rec_report *r, const rec_at *at, uint32_t slot)
{
    const rec_slot *s = rec_slot_of(at, slot);
    lathe_error e = {.code = LATHE_OK};
    rec_loc loc;
    uint64_t raw;
    if (rec_find(at, slot, &loc, &e) != LATHE_OK) {
        unreadable(r, &e);
        return;
    }
    if (!loc.present || all_finite(at, slot, &loc))
        return;
    if (s->row->ref && rec_row_ref(s->row)->suits)
        check_targets(r, at, slot, &loc);
    if (s->array && (s->elem != REC_DYNAMIC || s->row->flags & REC_PART)) {
        if (s->row->kind == REC_RECORD && !(s->row->flags & REC_PART) && cannot_be_wrong(s->sub))
            return;
        if (s->row->kind == REC_RECORD || worth_checking(s->row))
            check_items(r, at, slot, &loc);
    } else if (s->array && s->row->kind == REC_RECORD) { /* records of varying size */
        rec_offset_hold(at, slot, loc.data);
        check_items(r, at, slot, &loc);
        rec_offset_release(at, slot);
    } else if (s->row->kind == REC_RECORD) {
        rec_at sub;
        if (s->row->flags & REC_PART && !loc.count)
            return;
        if (rec_sub(at, slot, 0, &sub, &e) != LATHE_OK)
            unreadable(r, &e);
        else
            check_record(r, &sub);
    } else if (rec_width(s->row->kind) && rec_raw(at, slot, 0, &raw, &e) == LATHE_OK) {
        if (worth_checking(s->row))
            check_number(r, at, slot, REC_NO_ITEM, raw);
        if (rec_row_rare(s->row)->derive)
            check_derived(r, at, slot, raw);
    }
}

static void check_record(rec_report *r, const rec_at *at)
{
    lathe_error why = {.code = LATHE_OK};
    if (at->depth > 2 * REC_DEPTH)
        return;
    if (at->off == 0 && rec_opaque(at->doc, at->part, &why)) {
        /* An embedded document of an unsupported format is no defect of the enclosing file. */
        bool other = rec_embedded(at->doc, at->part) && why.code == LATHE_ERR_UNSUPPORTED;
        rec_found(r, other ? LATHE_LEVEL_WARNING : LATHE_LEVEL_ERROR, &why);
        return;
    }
    bool walks = at->layout->size == REC_DYNAMIC;
    if (walks)
        rec_offset_hold(at, REC_NO_SLOT, at->off);
    for (uint32_t slot = 0; slot < at->layout->count && !r->stopped; slot++)
        if (!rec_unstored(at->layout->slots[slot].row))
            check_row(r, at, slot);
    if (walks)
        rec_offset_release(at, REC_NO_SLOT);
}

bool rec_option(const lathe_doc *doc, const char *name, lathe_value *leaf, const void **child)
{
    const lathe_source *s = doc->extra;
    leaf->kind = LATHE_KIND_NONE;
    *child = NULL;
    return s && s->get(s->user, NULL, name, 0, leaf, child) && leaf->kind != LATHE_KIND_NONE;
}

lathe_result lathe_doc_check(lathe_doc *doc, bool (*each)(void *user, const lathe_error *finding),
                             void *user)
{
    return lathe_doc_check_with(doc, NULL, each, user);
}

lathe_result lathe_doc_check_with(lathe_doc *doc, const lathe_source *options,
                                  bool (*each)(void *user, const lathe_error *finding), void *user)
{
    rec_report r = {.doc = doc, .each = each, .user = user};
    rec_at root = rec_root(doc, 0);
    doc->extra = options;
    check_record(&r, &root);
    for (uint32_t c = 0; c < doc->containers_n && !r.stopped; c++) {
        const rec_container *k = &doc->containers[c];
        if (k->format->check && doc->parts[k->root].alive)
            k->format->check(doc, c, &r);
    }
    doc->extra = NULL;
    return r.errors ? LATHE_ERR_INVALID : LATHE_OK;
}
