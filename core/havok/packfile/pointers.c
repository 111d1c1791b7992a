/* What Havok's arrays, texts and pointers are in a packfile: zeros at their place, and a fixup that says
 * where they lead. */
#include "havok/packfile/layout_rules.h"
#include "havok/packfile/rel_array.h"
#include "havok/packfile/words.h"

static uint8_t pointer_size(const rec_at *at)
{
    return HK_AT_POINTER(at);
}

static uint32_t container_of(const rec_at *at)
{
    return rec_part_of(at->doc, at->part)->container;
}

static uint32_t slot_of(const rec_at *at, const rec_field *row)
{
    return rec_slot_find(at->layout, rec_row_name(row));
}

/* ---- data ------------------------------------------------------------------------------------------ */

/* Data may reach up to where others begin; and records must lie where a path can lead to them. */
static lathe_result check_reach(const rec_at *at, const rec_field *row, uint64_t site,
                                uint64_t count, uint32_t part, uint64_t off, lathe_error *err)
{
    const rec_part *p = rec_part_of(at->doc, part);
    uint64_t left = hk_reach(at->doc, part, off) - off;
    const rec_slot *s = &at->layout->slots[slot_of(at, row)];
    if (count && s->elem != REC_DYNAMIC && s->elem && count > left / s->elem)
        return rec_fail(at, slot_of(at, row), site, err, LATHE_ERR_BOUNDS,
                        "%llu elements of %llu bytes do not fit into %llu bytes",
                        (unsigned long long)count, (unsigned long long)s->elem,
                        (unsigned long long)left);
    if (!count && left && !memchr(p->data + off, row->term, (size_t)left))
        return rec_fail(at, slot_of(at, row), site, err, LATHE_ERR_BOUNDS,
                        left < p->size - off ? "a text that runs into other data"
                                             : "text without an end");
    if (!count || row->kind != REC_RECORD || p->root->size == REC_DYNAMIC || off >= p->root->size)
        return LATHE_OK;
    return rec_fail(at, slot_of(at, row), site, err, LATHE_ERR_UNSUPPORTED,
                    "its elements lie in an object's own members");
}

static lathe_result locate(const rec_at *at, const rec_field *row, uint64_t site, uint64_t count,
                           uint32_t *part, uint64_t *off, lathe_error *err)
{
    uint32_t c = container_of(at);
    hk_fixup f;
    if (!hk_ready(at->doc, c))
        return rec_no_memory(err);
    *off = LATHE_NO_OFFSET;
    if (!hk_fixup_find(at->doc, c, HK_LOCAL, hk_position(at->doc, *part, site), &f))
        return count == 0 /* a text, which may be none */
                   ? LATHE_OK
                   : rec_fail(at, slot_of(at, row), site, err, LATHE_ERR_INVALID,
                              "its count is not 0, but its pointer is null");
    if (!hk_place(at->doc, c, f.target, part, off))
        return rec_fail(at, slot_of(at, row), site, err, LATHE_ERR_BOUNDS,
                        "points to 0x%x, outside of the data", f.target);
    return check_reach(at, row, site, count, *part, *off, err);
}

/* Sizes are signed: what is negative is no array. */
static lathe_result count(const rec_at *at, const rec_field *row, uint64_t site, uint64_t *n,
                          lathe_error *err)
{
    const rec_part *p = rec_part_of(at->doc, at->part);
    int32_t size = (int32_t)bytes_ld32(p->data + site + pointer_size(at),
                                       at->doc->containers[container_of(at)].big);
    *n = size < 0 ? 0 : (uint64_t)size;
    return size >= 0 ? LATHE_OK
                     : rec_fail(at, slot_of(at, row), site, err, LATHE_ERR_INVALID,
                                "negative count %d", size);
}

/* The size, and the capacity with the mark that the memory is not the array's own. */
static lathe_result recount(const rec_at *at, const rec_field *row, uint64_t site, uint64_t n,
                            lathe_error *err)
{
    uint8_t bytes[8];
    bool big = at->doc->containers[container_of(at)].big;
    (void)row;
    bytes_st32(bytes, (uint32_t)n, big);
    bytes_st32(bytes + 4, (uint32_t)n | 0x80000000u, big);
    return rec_splice(at->doc, at->part, site + pointer_size(at), 8, bytes, 8, err);
}

/* No elements: the capacity has the mark all the same. */
static void begin(const rec_at *at, uint8_t *head)
{
    bytes_st32(head + pointer_size(at) + 4, 0x80000000u,
               at->doc->containers[at->layout->container].big);
}

lathe_result hk_data_shared(lathe_doc *doc, uint32_t part, uint64_t off, uint64_t end, bool *shared,
                            lathe_error *err)
{
    const rec_part *p = rec_part_of(doc, part);
    uint32_t c = p->container, first;
    if (!hk_ready(doc, c))
        return rec_no_memory(err);
    lathe_result r = rec_tidy_before(doc, part, err);
    if (r == LATHE_ERR_MEMORY)
        return r;
    *shared = true;
    if (r != LATHE_OK || p->tidy == PART_TANGLED ||
        (p->root->size != REC_DYNAMIC && off < p->root->size))
        return LATHE_OK; /* the last: in the struct itself */
    uint64_t from = hk_position(doc, part, off), to = from + (end - off);
    *shared =
        hk_fixup_targets(doc, c, HK_LOCAL, from, to, &first) + hk_rels_within(doc, part, off, end) >
            1 ||
        hk_fixup_targets(doc, c, HK_GLOBAL, from, to, &first) > 0 ||
        hk_fixup_sources(doc, c, HK_VIRTUAL, from, to, &first) > 0;
    return LATHE_OK;
}

uint64_t hk_data_room(lathe_doc *doc, uint32_t part, uint64_t end)
{
    static const struct {
        hk_part table;
        bool targets;
    } all[] = {{HK_LOCAL, true}, {HK_GLOBAL, true}, {HK_LOCAL, false}, {HK_GLOBAL, false}};
    uint32_t c = rec_part_of(doc, part)->container, first;
    uint64_t most = hk_rel_start(doc, part, end, 0, rec_part_of(doc, part)->size) - end;
    if (!hk_ready(doc, c))
        return 0;
    uint64_t from = hk_position(doc, part, end);
    for (size_t i = 0; i < REC_COUNT_OF(all); i++) {
        hk_part t = all[i].table;
        if (all[i].targets && hk_fixup_targets(doc, c, t, from, from + most, &first))
            most = hk_fixup_by_target(doc, c, t, first).target - from;
        if (!all[i].targets && hk_fixup_sources(doc, c, t, from, from + most, &first))
            most = hk_fixup_by_source(doc, c, t, first).source - from;
    }
    return most;
}

/* ---- pointers to objects ----------------------------------------------------------------------------- */

static lathe_result load(const rec_at *at, const rec_field *row, uint32_t part, uint64_t site,
                         uint64_t *raw, lathe_error *err)
{
    uint32_t c = container_of(at);
    hk_fixup f;
    *raw = 0;
    if (!hk_ready(at->doc, c))
        return rec_no_memory(err);
    uint64_t source = hk_position(at->doc, part, site);
    bool global = hk_fixup_find(at->doc, c, HK_GLOBAL, source, &f);
    if (!global && !hk_fixup_find(at->doc, c, HK_LOCAL, source, &f))
        return LATHE_OK;
    rec_at root = rec_root(at->doc, c);
    if (global && f.section != rec_int(&root, "contents_section_index"))
        return rec_fail(at, slot_of(at, row), site, err, LATHE_ERR_UNSUPPORTED,
                        "points to 0x%x of section %u, which is not that of the objects", f.target,
                        f.section);
    *raw = hk_object_at(at->doc, c, f.target);
    if (*raw)
        return LATHE_OK;
    return rec_fail(at, slot_of(at, row), site, err, LATHE_ERR_INVALID,
                    "points to 0x%x, where no object begins", f.target);
}

static lathe_result resolve(const rec_at *at, const rec_field *row, uint64_t raw, lathe_view *out,
                            lathe_error *err)
{
    lathe_doc *doc = at->doc;
    uint32_t root = doc->containers[container_of(at)].root;
    uint32_t part = rec_kid(doc, root, hk_row(HK_OBJECTS), raw - 1);
    if (part == REC_NO_PART)
        return rec_fail(at, slot_of(at, row), at->off, err, LATHE_ERR_BOUNDS, "no object %llu",
                        (unsigned long long)raw);
    rec_at object = {.doc = doc, .layout = doc->parts[part].root, .part = part};
    *out = rec_view(&object);
    return LATHE_OK;
}

static lathe_result store(const rec_at *at, const rec_field *row, lathe_view target, uint64_t *raw,
                          lathe_error *err)
{
    const rec_part *p = rec_part_of(at->doc, target.part);
    uint32_t root = at->doc->containers[container_of(at)].root;
    if (target.off || target.flags & REC_VIEW_ARRAY || target.type != p->root || p->owner != root ||
        p->slot != hk_row(HK_OBJECTS))
        return rec_fail(at, slot_of(at, row), at->off, err, LATHE_ERR_TYPE,
                        "an object of the file expected");
    *raw = rec_kid_index(at->doc, target.part) + 1;
    return LATHE_OK;
}

/* Fails unless the object's class is that of the member or derives from it. */
static lathe_result check_class(const rec_at *at, const rec_field *row, uint64_t site,
                                uint32_t part, uint64_t raw, lathe_error *err)
{
    lathe_doc *doc = at->doc;
    const rec_type *member = rec_row_type(row), *class = doc->parts[part].root->type;
    const rec_container *c = &doc->containers[container_of(at)];
    if (!member || member == &hk_opaque || member == &hk_referenced_object ||
        rec_is_a(class, member))
        return LATHE_OK;
    if (class != &hk_opaque)
        return rec_fail(at, slot_of(at, row), site, err, LATHE_ERR_TYPE,
                        "%s expected, object %llu is of class %s", rec_type_name(member),
                        (unsigned long long)raw, rec_type_name(class));
    const char *name = hk_class_of(doc, part);
    const char *why = !name                                       ? "its class was not given"
                      : hk_described(c->format, name, c->version) ? "its bytes were not read"
                      : c->format->type_any(name) ? "files of this game have no such class"
                                                  : "that class is not described";
    return rec_fail(at, slot_of(at, row), site, err, LATHE_ERR_TYPE,
                    "%s expected, object %llu is of class %s: %s", rec_type_name(member),
                    (unsigned long long)raw, name ? name : "unknown", why);
}

/* What is known of an opaque object is its name alone, so it suits every pointer. */
static lathe_result suits(const rec_at *at, const rec_field *row, uint64_t raw, lathe_error *err)
{
    lathe_doc *doc = at->doc;
    uint32_t root = doc->containers[container_of(at)].root;
    uint32_t part = rec_kid(doc, root, hk_row(HK_OBJECTS), raw - 1);
    if (part == REC_NO_PART || doc->parts[part].root->type == &hk_opaque)
        return LATHE_OK;
    return check_class(at, row, at->off, part, raw, err);
}

/* Where the record of `site` comes: Havok has those of one object together, in the order of its members, and
 * objects in their order. */
static uint32_t number_for(lathe_doc *doc, uint32_t c, uint32_t part, uint64_t site)
{
    uint64_t base = hk_position(doc, part, 0), end = base + rec_part_of(doc, part)->size;
    uint32_t lo = 0, hi = hk_fixup_count(doc, c, HK_GLOBAL);
    while (lo < hi) {
        uint32_t mid = lo + (hi - lo) / 2;
        uint64_t source = hk_fixup_get(doc, c, HK_GLOBAL, mid).source;
        if (source < base || (source < end && hk_site_before(doc, part, source - base, site)))
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo;
}

/* Neighbours go together. */
lathe_result hk_fixups_drop(lathe_doc *doc, uint32_t c, hk_part table, uint64_t from,
                            uint64_t target, uint64_t to, lathe_error *err)
{
    uint32_t first, end = hk_fixup_count(doc, c, table);
    lathe_result r = LATHE_OK;
    if (!hk_fixup_sources(doc, c, table, from, to, &first) &&
        !hk_fixup_targets(doc, c, table, target, to, &first))
        return LATHE_OK;
    for (uint32_t i = end; r == LATHE_OK && i-- > 0;) { /* those in i + 1 .. end go */
        hk_fixup f = hk_fixup_get(doc, c, table, i);
        bool goes = (f.source >= from && f.source < to) || (f.target >= target && f.target < to);
        if (!goes && end > i + 1)
            r = hk_fixup_remove(doc, c, table, i + 1, end - i - 1, err);
        if (!goes)
            end = i;
    }
    return r == LATHE_OK && end ? hk_fixup_remove(doc, c, table, 0, end, err) : r;
}

/* All records of a source: files may have several, though only the first counts. */
static lathe_result take_out(lathe_doc *doc, uint32_t c, hk_part table, uint64_t source,
                             lathe_error *err)
{
    uint32_t first, n = hk_fixup_sources(doc, c, table, source, source + 1, &first);
    if (n != 1)
        return n ? hk_fixups_drop(doc, c, table, source, source + 1, source + 1, err) : LATHE_OK;
    return hk_fixup_remove(doc, c, table, hk_fixup_by_source(doc, c, table, first).number, 1, err);
}

/* An object may also be pointed to as if it were data: then no longer. */
static lathe_result put(const rec_at *at, const rec_field *row, uint32_t part, uint64_t site,
                        uint64_t raw, lathe_error *err)
{
    lathe_doc *doc = at->doc;
    uint32_t c = container_of(at);
    hk_fixup f;
    if (doc->parts[part].scratch)
        return LATHE_OK;
    if (!hk_ready(doc, c))
        return rec_no_memory(err);
    uint64_t source = hk_position(doc, part, site);
    lathe_result r = take_out(doc, c, HK_LOCAL, source, err);
    if (r == LATHE_OK && !hk_ready(doc, c))
        r = rec_no_memory(err);
    if (r != LATHE_OK || !raw)
        return r == LATHE_OK ? take_out(doc, c, HK_GLOBAL, source, err) : r;
    bool has = hk_fixup_find(doc, c, HK_GLOBAL, source, &f);
    uint32_t to = rec_kid(doc, doc->containers[c].root, hk_row(HK_OBJECTS), raw - 1);
    if (to == REC_NO_PART)
        return rec_fail(at, slot_of(at, row), site, err, LATHE_ERR_RANGE, "no object %llu",
                        (unsigned long long)raw);
    uint64_t target = hk_position(doc, to, 0);
    if (has && f.target == target)
        return LATHE_OK; /* unchanged, whatever its class is */
    r = check_class(at, row, site, to, raw, err);
    if (r != LATHE_OK)
        return r;
    return has ? hk_fixup_set_target(doc, c, HK_GLOBAL, f.number, target, err)
               : hk_fixup_insert(doc, c, HK_GLOBAL, number_for(doc, c, part, site), source, target,
                                 err);
}

const rec_ref hk_pointer_ref = {.resolve = resolve,
                                .store = store,
                                .suits = suits,
                                .load = load,
                                .put = put,
                                .make = hk_make_target,
                                .elsewhere = "doc.objects:copy(object) makes a copy in this one"};

/* ---- heads come and go --------------------------------------------------------------------------------- */

static lathe_result point(const rec_at *at, const rec_field *row, uint64_t site, uint64_t off,
                          lathe_error *err)
{
    lathe_doc *doc = at->doc;
    uint32_t c = container_of(at);
    hk_fixup f;
    (void)row;
    if (!hk_ready(doc, c))
        return rec_no_memory(err);
    uint64_t source = hk_position(doc, at->part, site), target = hk_position(doc, at->part, off);
    return hk_fixup_find(doc, c, HK_LOCAL, source, &f)
               ? hk_fixup_set_target(doc, c, HK_LOCAL, f.number, target, err)
               : hk_fixup_insert(doc, c, HK_LOCAL, hk_fixup_local_number(doc, c, target), source,
                                 target, err);
}

static lathe_result clear(const rec_at *at, const rec_field *row, uint64_t site, lathe_error *err)
{
    lathe_doc *doc = at->doc;
    uint32_t c = container_of(at);
    (void)row;
    if (!hk_ready(doc, c))
        return rec_no_memory(err);
    return take_out(doc, c, HK_LOCAL, hk_position(doc, at->part, site), err);
}

/* In a tidy object where Havok has it; else at its end, so that as little as possible moves. What follows
 * moves by multiples of 16 then. */
lathe_result hk_data_place(const rec_at *at, const rec_field *row, uint64_t site, uint64_t *off,
                           lathe_error *err)
{
    lathe_doc *doc = at->doc;
    const rec_part *p = rec_part_of(doc, at->part);
    (void)row;
    *off = p->size;
    if (p->scratch)
        return LATHE_OK;
    if (!hk_ready(doc, container_of(at)))
        return rec_no_memory(err);
    if (p->tidy == PART_TIDY) {
        *off = hk_place_for(doc, container_of(at), at->part, site);
        return LATHE_OK;
    }
    uint64_t past = hk_position(doc, at->part, *off) % HK_ALIGN;
    if (!past)
        return LATHE_OK;
    lathe_result r = rec_cut_bytes(doc, at->part, *off, 0, NULL, HK_ALIGN, LATHE_NO_OFFSET, err);
    *off += HK_ALIGN - past;
    return r;
}

/* A pointer, with a fixup where it is not null. */
#define POINTER_BODY HK_DATA_BODY, .locate = locate, .point = point, .clear = clear

const rec_body hk_array_body = {POINTER_BODY,   .width = 12,    .wide = 16,
                                .begin = begin, .count = count, .recount = recount};

/* hkSimpleArray: a pointer and a count, without a capacity. */
static lathe_result recount_simple(const rec_at *at, const rec_field *row, uint64_t site,
                                   uint64_t n, lathe_error *err)
{
    uint8_t bytes[4];
    bytes_st32(bytes, (uint32_t)n, at->doc->containers[container_of(at)].big);
    (void)row;
    return rec_splice(at->doc, at->part, site + pointer_size(at), 4, bytes, 4, err);
}

const rec_body hk_simple_body = {POINTER_BODY, .width = 8, .wide = 12, .count = count,
                                 .recount = recount_simple};

const rec_body hk_string_body = {POINTER_BODY, .width = 4, .wide = 8};

/* ---- cuts ---------------------------------------------------------------------------------------------- */

static hk_part table_of(lathe_doc *doc, const rec_refs *run)
{
    uint32_t c = rec_part_of(doc, run->site_part)->container;
    for (hk_part which = HK_LOCAL; which < HK_VIRTUAL; which++)
        if (hk_part_of(doc, c, which) == run->site_part)
            return which;
    return HK_VIRTUAL;
}

static uint64_t sources_below(lathe_doc *doc, const rec_refs *run, uint64_t position)
{
    uint32_t c = rec_part_of(doc, run->site_part)->container;
    return hk_fixups_below(doc, c, table_of(doc, run), false, position);
}

static uint64_t targets_below(lathe_doc *doc, const rec_refs *run, uint64_t position)
{
    uint32_t c = rec_part_of(doc, run->site_part)->container;
    return hk_fixups_below(doc, c, table_of(doc, run), true, position);
}

lathe_result hk_refs(lathe_doc *doc, uint32_t c, uint32_t part,
                     lathe_result (*emit)(void *user, const rec_refs *run, lathe_error *err),
                     void *user, lathe_error *err)
{
    static const struct {
        hk_part table;
        uint32_t site, stride;
    } runs[] = {{HK_LOCAL, 0, 8},
                {HK_LOCAL, 4, 8},
                {HK_GLOBAL, 0, 12},
                {HK_GLOBAL, 8, 12},
                {HK_VIRTUAL, 0, 12}};
    uint32_t slot = rec_part_of(doc, part)->slot;
    rec_refs root = {.site_part = doc->containers[c].root,
                     .target_part = hk_part_of(doc, c, HK_LEAD),
                     .space = true,
                     .site = HK_CONTENTS_OFFSET,
                     .count = 1,
                     .width = 4};
    if (slot != hk_row(HK_OBJECTS) && slot != hk_row(HK_LEAD))
        return LATHE_OK;
    lathe_result r = emit(user, &root, err);
    for (size_t i = 0; r == LATHE_OK && i < REC_COUNT_OF(runs); i++) {
        rec_refs run = {.site_part = hk_part_of(doc, c, runs[i].table),
                        .target_part = hk_part_of(doc, c, HK_LEAD),
                        .space = true,
                        .site = runs[i].site,
                        .stride = runs[i].stride,
                        .count = hk_fixup_count(doc, c, runs[i].table),
                        .width = 4,
                        .below = runs[i].site ? targets_below : sources_below};
        r = emit(user, &run, err);
    }
    return r == LATHE_OK ? hk_rel_refs(doc, part, emit, user, err) : r;
}

lathe_result hk_drop(lathe_doc *doc, uint32_t c, uint32_t part, uint64_t at, uint64_t n,
                     lathe_error *err)
{
    if (rec_part_of(doc, part)->slot != hk_row(HK_OBJECTS))
        return LATHE_OK;
    if (!hk_ready(doc, c))
        return rec_no_memory(err);
    uint64_t from = hk_position(doc, part, at), to = from + n;
    lathe_result r = hk_fixups_drop(doc, c, HK_LOCAL, from, from, to, err);
    if (r == LATHE_OK && !hk_ready(doc, c)) /* many went */
        r = rec_no_memory(err);
    /* The object itself stays, whatever goes of it. */
    return r == LATHE_OK ? hk_fixups_drop(doc, c, HK_GLOBAL, from, at ? from : from + 1, to, err)
                         : r;
}
