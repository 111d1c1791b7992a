/* doc:prune: removes all objects that the root does not reach, in one edit: their parts, their fixups, and the names of
 * classes without an object. The other objects keep their bytes and move by multiples of 16. */
#include "havok/packfile/layout_rules.h"
#include "havok/packfile/object_list.h"

typedef struct pruning {
    lathe_doc *doc;
    uint32_t c;
    const uint32_t *parts; /* of the objects before pruning */
    uint32_t *own;         /* the same, to be freed */
    uint64_t n;
    uint64_t *starts, *now; /* their positions before and after */
    uint8_t *kept;
    uint32_t *queue; /* reached objects whose pointers are not followed yet */
    uint64_t queued, gone;
    uint32_t section; /* number of the section that contains the objects */
    buf names;        /* the new section of class names */
    buf places;       /* old and new offset of each name: uint32_t[2] */
} pruning;

static bool open_arrays(pruning *p)
{
    const mem *m = &p->doc->mem;
    size_t n = (size_t)p->n + 1;
    buf_init(&p->names, m);
    buf_init(&p->places, m);
    p->starts = mem_zalloc(m, n * sizeof *p->starts);
    p->now = mem_zalloc(m, n * sizeof *p->now);
    p->kept = mem_zalloc(m, n);
    p->queue = mem_zalloc(m, n * sizeof *p->queue);
    return p->starts && p->now && p->kept && p->queue;
}

static void close_arrays(pruning *p)
{
    const mem *m = &p->doc->mem;
    size_t n = (size_t)p->n + 1;
    mem_free(m, p->starts, n * sizeof *p->starts);
    mem_free(m, p->now, n * sizeof *p->now);
    mem_free(m, p->kept, n);
    mem_free(m, p->queue, n * sizeof *p->queue);
    buf_free(&p->names);
    buf_free(&p->places);
}

/* ---- what the root reaches ------------------------------------------------------------------------------- */

/* The last object that starts at or before a position; n: none. */
static uint64_t object_of(const pruning *p, uint64_t position)
{
    uint64_t lo = 0, hi = p->n;
    while (lo < hi) {
        uint64_t mid = lo + (hi - lo) / 2;
        if (p->starts[mid] <= position)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo ? lo - 1 : p->n;
}

static void keep(pruning *p, uint64_t i)
{
    if (i == p->n || p->kept[i])
        return;
    p->kept[i] = 1;
    p->queue[p->queued++] = (uint32_t)i;
}

/* True if the target of a fixup is in the section of the objects. */
static bool is_inside(const pruning *p, hk_part table, const hk_fixup *f)
{
    return table == HK_LOCAL || (table == HK_GLOBAL && f->section == p->section);
}

/* Marks the objects that object i points to, and those whose data it points to. */
static void follow(pruning *p, uint64_t i)
{
    uint64_t from = p->starts[i], to = from + p->doc->parts[p->parts[i]].size;
    for (hk_part table = HK_LOCAL; table <= HK_GLOBAL; table++) {
        uint32_t first, n = hk_fixup_sources(p->doc, p->c, table, from, to, &first);
        for (uint32_t k = 0; k < n; k++) {
            hk_fixup f = hk_fixup_by_source(p->doc, p->c, table, first + k);
            if (is_inside(p, table, &f))
                keep(p, object_of(p, f.target));
        }
    }
}

static lathe_result mark(pruning *p, lathe_error *err)
{
    rec_at root = rec_root(p->doc, p->c);
    uint64_t at = (uint64_t)rec_int(&root, "contents_section_offset");
    uint64_t first = hk_object_at(p->doc, p->c, at);
    p->section = (uint32_t)rec_int(&root, "contents_section_index");
    if (!first)
        return rec_fail(&root, rec_slot_find(root.layout, "root"), root.off, err, LATHE_ERR_INVALID,
                        "no object begins at 0x%llx", (unsigned long long)at);
    for (uint64_t i = 0; i < p->n; i++)
        p->starts[i] = hk_position(p->doc, p->parts[i], 0);
    keep(p, first - 1);
    while (p->queued)
        follow(p, p->queue[--p->queued]);
    for (uint64_t i = 0; i < p->n; i++)
        p->gone += !p->kept[i];
    return LATHE_OK;
}

/* Of objects that the root does not reach, keeps those that it did not reach before either, with all that they lead to. */
static void keep_others(pruning *p, const uint8_t *reached)
{
    for (uint64_t i = 0; i < p->n; i++)
        if (!reached[i])
            keep(p, i);
    while (p->queued)
        follow(p, p->queue[--p->queued]);
    p->gone = 0;
    for (uint64_t i = 0; i < p->n; i++)
        p->gone += !p->kept[i];
}

/* Refuses files with bytes of unknown meaning, which may refer to objects. */
static lathe_result check_nothing(const pruning *p, hk_part which, lathe_error *err)
{
    rec_at root = rec_root(p->doc, p->c);
    const rec_part *part = rec_part_of(p->doc, hk_part_of(p->doc, p->c, which));
    for (uint64_t i = 0; i < part->size; i++)
        if (part->data[i] != 0 && part->data[i] != 0xFF)
            return rec_fail(&root, hk_row(which), root.off, err, LATHE_ERR_UNSUPPORTED,
                            "%llu bytes that may lead to any object",
                            (unsigned long long)part->size);
    return LATHE_OK;
}

/* ---- the report -------------------------------------------------------------------------------------------- */

/* Reports the classes of the removed objects, each once, in the order of the file's class names. */
static lathe_result tell(pruning *p, lathe_report *report, lathe_error *err)
{
    uint64_t size;
    const char *names = hk_class_names(p->doc, p->c, &size);
    uint8_t *seen = report->result ? mem_zalloc(&p->doc->mem, (size_t)size + 1) : NULL;
    if (report->result && !seen)
        return rec_no_memory(err);
    report->changed += p->gone;
    for (uint64_t i = 0; seen && i < p->n; i++) {
        hk_fixup f;
        if (!p->kept[i] && hk_fixup_find(p->doc, p->c, HK_VIRTUAL, p->starts[i], &f) &&
            f.target < size)
            seen[f.target] = 1;
    }
    for (uint64_t at = 0; seen && at < size; at++) {
        if (!seen[at])
            continue;
        const char *name = names + at, *end = memchr(name, 0, (size_t)(size - at));
        lathe_value v = {.kind = LATHE_KIND_STRING};
        v.as.s.p = name;
        v.as.s.n = end ? (size_t)(end - name) : (size_t)(size - at);
        report->result(report->user, "classes", &v);
    }
    mem_free(&p->doc->mem, seen, (size_t)size + 1);
    return LATHE_OK;
}

/* ---- positions --------------------------------------------------------------------------------------------- */

/* Computes the new positions. If the removed size is no multiple of 16, the part in front is padded with zeros. */
static lathe_result move_up(pruning *p, lathe_error *err)
{
    uint64_t shift = 0, gap = 0;
    uint32_t last = hk_part_of(p->doc, p->c, HK_LEAD);
    lathe_result r = LATHE_OK;
    for (uint64_t i = 0; r == LATHE_OK && i < p->n; i++) {
        if (!p->kept[i]) {
            gap += p->doc->parts[p->parts[i]].size;
            continue;
        }
        if (gap % HK_ALIGN)
            r = rec_splice(p->doc, last, p->doc->parts[last].size, 0, NULL, gap % HK_ALIGN, err);
        shift += gap - gap % HK_ALIGN;
        gap = 0;
        p->now[i] = p->starts[i] - shift;
        last = p->parts[i];
    }
    return r;
}

static uint32_t moved(const pruning *p, uint32_t position)
{
    uint64_t i = object_of(p, position);
    return i == p->n ? position : (uint32_t)(p->now[i] + (position - p->starts[i]));
}

static bool goes(const pruning *p, uint32_t position)
{
    uint64_t i = object_of(p, position);
    return i < p->n && !p->kept[i];
}

static uint32_t name_now(const pruning *p, uint32_t target)
{
    uint32_t v[2] = {target, target};
    size_t lo = 0, hi = p->places.size / sizeof v;
    while (lo < hi) {
        size_t mid = lo + (hi - lo) / 2;
        memcpy(v, p->places.data + mid * sizeof v, sizeof v);
        if (v[0] <= target)
            lo = mid + 1;
        else
            hi = mid;
    }
    if (!lo)
        return target;
    memcpy(v, p->places.data + (lo - 1) * sizeof v, sizeof v);
    return v[1] + (target - v[0]);
}

static lathe_result rewrite(pruning *p, hk_part table, lathe_error *err)
{
    uint32_t had = hk_fixup_count(p->doc, p->c, table), n = 0;
    size_t size = ((size_t)had + 1) * sizeof(hk_fixup);
    hk_fixup *records = mem_alloc(&p->doc->mem, size);
    if (!records)
        return rec_no_memory(err);
    for (uint32_t i = 0; i < had; i++) {
        hk_fixup f = hk_fixup_get(p->doc, p->c, table, i);
        bool inside = is_inside(p, table, &f);
        if (goes(p, f.source) || (inside && goes(p, f.target)))
            continue;
        f.source = moved(p, f.source);
        if (inside || table == HK_VIRTUAL)
            f.target = inside ? moved(p, f.target) : name_now(p, f.target);
        records[n++] = f;
    }
    lathe_result r = hk_fixups_put(p->doc, p->c, table, 0, records, n, err);
    mem_free(&p->doc->mem, records, size);
    return r;
}

/* ---- class names --------------------------------------------------------------------------------------------- */

enum { NAMED_BY_GONE = 1, NAMED_BY_KEPT = 2 };

/* Marks the offsets at which a class name of an object starts. */
static void mark_names(const pruning *p, uint8_t *seen, uint64_t size)
{
    rec_at root = rec_root(p->doc, p->c);
    uint64_t contents = (uint64_t)rec_int(&root, "contents_class_name_section_offset");
    uint32_t n = hk_fixup_count(p->doc, p->c, HK_VIRTUAL);
    for (uint32_t i = 0; i < n; i++) {
        hk_fixup f = hk_fixup_get(p->doc, p->c, HK_VIRTUAL, i);
        if (f.target < size)
            seen[f.target] |= goes(p, f.source) ? NAMED_BY_GONE : NAMED_BY_KEPT;
    }
    if (contents < size)
        seen[contents] |= NAMED_BY_KEPT;
}

/* True if only removed objects use the name of an entry. */
static bool name_goes(const uint8_t *seen, uint64_t at, uint64_t end)
{
    bool gone = seen[at + 5] & NAMED_BY_GONE;
    for (uint64_t i = at; gone && i < end; i++)
        gone = !(seen[i] & NAMED_BY_KEPT);
    return gone;
}

static bool keep_names(pruning *p, const uint8_t *names, const uint8_t *seen, uint64_t size)
{
    uint64_t at = 0;
    bool ok = true;
    while (ok && size - at > 5 && names[at + 4] == HK_NAME_MARK) {
        const uint8_t *past = memchr(names + at + 5, 0, (size_t)(size - at - 5));
        if (!past)
            break;
        uint64_t end = (uint64_t)(past - names) + 1;
        uint32_t place[2] = {(uint32_t)at, (uint32_t)p->names.size};
        if (!name_goes(seen, at, end))
            ok = buf_put(&p->places, place, sizeof place) &&
                 buf_put(&p->names, names + at, (size_t)(end - at));
        at = end;
    }
    for (uint64_t i = at; ok && i < size; i++)
        if (names[i] != 0xFF) { /* unknown bytes: keep all names */
            p->names.size = p->places.size = 0;
            return buf_put(&p->names, names, (size_t)size);
        }
    return ok && buf_fill(&p->names, 0xFF, (HK_ALIGN - p->names.size % HK_ALIGN) % HK_ALIGN);
}

static lathe_result forget_names(pruning *p, lathe_error *err)
{
    uint64_t size;
    rec_at root = rec_root(p->doc, p->c);
    const uint8_t *names = (const uint8_t *)hk_class_names(p->doc, p->c, &size);
    uint8_t *seen = mem_zalloc(&p->doc->mem, (size_t)size + 6);
    if (!seen)
        return rec_no_memory(err);
    mark_names(p, seen, size);
    bool ok = keep_names(p, names, seen, size), same = p->names.size == size;
    mem_free(&p->doc->mem, seen, (size_t)size + 6);
    if (!ok || (same && memcmp(p->names.data, names, (size_t)size) == 0))
        return ok ? LATHE_OK : rec_no_memory(err);
    return rec_splice(p->doc, root.part, rec_part_of(p->doc, root.part)->size - size, size,
                      p->names.data, p->names.size, err);
}

/* Updates the position of the root and of its class name. */
static lathe_result follow_root(const pruning *p, lathe_error *err)
{
    uint8_t bytes[4];
    rec_at root = rec_root(p->doc, p->c);
    bool big = p->doc->containers[p->c].big;
    bytes_st32(bytes, moved(p, (uint32_t)rec_int(&root, "contents_section_offset")), big);
    lathe_result r = rec_splice(p->doc, root.part, HK_CONTENTS_OFFSET, 4, bytes, 4, err);
    uint32_t name = (uint32_t)rec_int(&root, "contents_class_name_section_offset");
    bytes_st32(bytes, name_now(p, name), big);
    return r == LATHE_OK ? rec_splice(p->doc, root.part, HK_CONTENTS_OFFSET + 8, 4, bytes, 4, err)
                         : r;
}

/* ---- the verb -------------------------------------------------------------------------------------------------- */

const char hk_prune_doc[] =
    "Removes the objects that nothing leads to from the root, and the names of classes that no "
    "object has any more. `classes` lists the classes of what went.";

static lathe_result drop(pruning *p, lathe_error *err)
{
    lathe_result r = move_up(p, err);
    if (r == LATHE_OK)
        r = forget_names(p, err);
    if (r == LATHE_OK)
        r = follow_root(p, err);
    for (hk_part table = HK_LOCAL; r == LATHE_OK && table <= HK_VIRTUAL; table++)
        r = rewrite(p, table, err);
    for (uint64_t i = p->n; r == LATHE_OK && i-- > 0;)
        if (!p->kept[i])
            r = rec_part_remove(p->doc, p->parts[i], err);
    return r;
}

static lathe_result check_rest(const pruning *p, lathe_error *err)
{
    lathe_result r = hk_ready(p->doc, p->c) ? LATHE_OK : rec_no_memory(err);
    for (hk_part which = HK_EXPORTS; r == LATHE_OK && which <= HK_PARTS; which++)
        r = check_nothing(p, which, err);
    return r;
}

/* Finds what the root reaches. `reached` (NULL: all): objects without a mark stay anyway. */
static lathe_result find(pruning *p, const uint8_t *reached, lathe_error *err)
{
    lathe_doc *doc = p->doc;
    const uint32_t *parts =
        rec_kid_list(doc, doc->containers[p->c].root, hk_row(HK_OBJECTS), &p->n);
    uint32_t *own = mem_alloc(&doc->mem, ((size_t)p->n + 1) * sizeof *own);
    if (own && p->n)
        memcpy(own, parts, (size_t)p->n * sizeof *own);
    p->parts = p->own = own;
    lathe_result r = own && open_arrays(p) ? mark(p, err) : rec_no_memory(err);
    if (r == LATHE_OK && reached)
        keep_others(p, reached);
    return r;
}

static void end(pruning *p)
{
    if (p->own)
        close_arrays(p);
    mem_free(&p->doc->mem, p->own, ((size_t)p->n + 1) * sizeof *p->own);
}

static lathe_result prune(pruning *p, const uint8_t *reached, lathe_report *report,
                          lathe_error *err)
{
    lathe_report none = {.size = sizeof none};
    lathe_result r = check_rest(p, err);
    if (r != LATHE_OK)
        return r;
    r = find(p, reached, err);
    if (r == LATHE_OK && p->gone)
        r = tell(p, report ? report : &none, err);
    if (r == LATHE_OK && p->gone)
        r = drop(p, err);
    end(p);
    return r;
}

lathe_result hk_prune(lathe_view self, const lathe_source *args, lathe_report *report,
                      lathe_error *err)
{
    pruning p = {.doc = self.doc, .c = self.doc->parts[self.part].container};
    (void)args;
    return prune(&p, NULL, report, err);
}

lathe_result hk_reached_now(lathe_doc *doc, uint32_t c, hk_reached *out, lathe_error *err)
{
    pruning p = {.doc = doc, .c = c};
    *out = (hk_reached){.doc = doc};
    lathe_result r = check_rest(&p, err);
    if (r != LATHE_OK)
        return r;
    r = find(&p, NULL, err);
    if (r == LATHE_OK) {
        out->kept = mem_zalloc(&doc->mem, (size_t)p.n + 1);
        out->n = p.n;
        if (!out->kept)
            r = rec_no_memory(err);
        else
            memcpy(out->kept, p.kept, (size_t)p.n);
    }
    end(&p);
    return r;
}

void hk_reached_free(hk_reached *r)
{
    if (r->kept)
        mem_free(&r->doc->mem, r->kept, (size_t)r->n + 1);
    r->kept = NULL;
}

lathe_result hk_prune_lost(lathe_doc *doc, uint32_t c, const hk_reached *before, lathe_error *err)
{
    pruning p = {.doc = doc, .c = c};
    uint64_t n;
    rec_kid_list(doc, doc->containers[c].root, hk_row(HK_OBJECTS), &n);
    return n == before->n
               ? prune(&p, before->kept, NULL, err)
               : error_set(err, LATHE_ERR_STATE, LATHE_NO_OFFSET, "objects came or went meanwhile");
}
