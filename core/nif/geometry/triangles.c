/* Checks triangle indices: check reports invalid ones, and an edit that makes some fails. */
#include "gen/nif_types.h"
#include "nif/geometry/check.h"

enum { TRIANGLE = 6 };

/* Finds the triangles of a block that also has their vertices. */
static bool find(lathe_doc *doc, uint32_t part, nif_shape *s)
{
    if (nif_block_is(doc, part, &nif_BSTriShape) ? !nif_shape_find(doc, part, s)
                                                 : !nif_data_find(doc, part, s))
        return false;
    return s->triangles.p && s->triangles.part == part;
}

static bool first_missing(const nif_shape *s, uint64_t from, uint64_t to, uint64_t *row,
                          unsigned *vertex)
{
    to = to < s->triangles.count ? to : s->triangles.count;
    for (uint64_t i = 3 * from; i < 3 * to; i++) {
        unsigned v = bytes_ld16(s->triangles.p + 2 * i, false);
        if (v >= s->vertices) {
            *row = i / 3;
            *vertex = v;
            return true;
        }
    }
    return false;
}

/* Bands and segments divide the triangles; if other triangles are assigned, they must be assigned too. */
static void check_shares(const rec_at *at, uint64_t count, rec_report *report)
{
    uint32_t bands = rec_slot_find(at->layout, "lod0_triangles");
    uint32_t segments = rec_slot_find(at->layout, "segments");
    uint64_t sum = 0;
    rec_loc loc;
    rec_at one;
    if (bands != REC_NO_SLOT) {
        sum = (uint64_t)rec_int(at, "lod0_triangles") + (uint64_t)rec_int(at, "lod1_triangles") +
              (uint64_t)rec_int(at, "lod2_triangles");
        if (sum != count)
            rec_finding(report, LATHE_LEVEL_WARNING, at, bands, REC_NO_ITEM,
                        "the levels of detail have %llu triangles, the shape has %llu",
                        (unsigned long long)sum, (unsigned long long)count);
    }
    if (segments == REC_NO_SLOT || rec_find(at, segments, &loc, NULL) != LATHE_OK || !loc.present ||
        !loc.count)
        return;
    for (uint64_t i = 0; i < loc.count; i++) {
        if (rec_sub(at, segments, i, &one, NULL) != LATHE_OK)
            return;
        sum += (uint64_t)rec_int(&one, "num_primitives");
    }
    if (sum != count)
        rec_finding(report, LATHE_LEVEL_WARNING, at, segments, REC_NO_ITEM,
                    "the segments have %llu triangles, the shape has %llu", (unsigned long long)sum,
                    (unsigned long long)count);
}

/* Strips are in data blocks that have no single triangles. */
static void check_strips(lathe_doc *doc, uint32_t part, rec_report *report)
{
    nif_shape s;
    if (!nif_data_find(doc, part, &s))
        return;
    rec_at at = nif_at(doc, part);
    for (uint64_t i = 0; i < s.points.count; i++) {
        unsigned vertex = bytes_ld16(s.points.p + 2 * i, false);
        if (vertex < s.vertices)
            continue;
        rec_finding(report, LATHE_LEVEL_ERROR, &at, rec_slot_find(at.layout, "points"), i,
                    "there is no vertex %u (from 0) of %llu", vertex,
                    (unsigned long long)s.vertices);
        return;
    }
}

void nif_check_triangles(lathe_doc *doc, uint32_t part, rec_report *report)
{
    nif_shape s;
    uint64_t row;
    unsigned vertex;
    if (!find(doc, part, &s)) {
        check_strips(doc, part, report);
        return;
    }
    rec_at at = nif_at(doc, part);
    check_shares(&at, s.triangles.count, report);
    if (!first_missing(&s, 0, s.triangles.count, &row, &vertex))
        return;
    rec_finding(report, LATHE_LEVEL_ERROR, &at, rec_slot_find(at.layout, "triangles"), row,
                "there is no vertex %u (from 0) of %llu", vertex, (unsigned long long)s.vertices);
}

/* Rows [*from, *to) changed by one step of the edit; `start` is the offset of the triangles after that step. */
static bool changed(const lathe_doc *doc, const rec_edit *e, const uint8_t *now, uint64_t start,
                    uint64_t size, uint64_t *from, uint64_t *to)
{
    uint64_t first = e->at, end = e->at + e->inserted;
    const uint8_t *old = doc->journal.data.data + e->data;
    if (e->at < start || e->at >= start + size)
        return false;
    end = end < start + size ? end : start + size;
    if (e->removed == e->inserted) { /* unchanged values do not count */
        while (first < end && now[first - start] == old[first - e->at])
            first++;
        while (first < end && now[end - 1 - start] == old[end - 1 - e->at])
            end--;
    }
    *from = (first - start) / TRIANGLE;
    *to = (end - start + TRIANGLE - 1) / TRIANGLE;
    return first < end;
}

/* Fails for changed triangles only. A block that was inserted as a whole may be invalid, so steps that begin
 * in front of the triangles are ignored. */
lathe_result nif_settle_triangles(lathe_doc *doc, uint32_t part, lathe_error *err)
{
    nif_shape s;
    if (!find(doc, part, &s))
        return LATHE_OK;
    uint64_t start = s.triangles.off, size = TRIANGLE * s.triangles.count, from, to, row;
    unsigned vertex;
    for (const rec_edit *e = rec_edit_last(doc, part); e; e = rec_edit_earlier(doc, e)) {
        if (e->kind != EDIT_BYTES)
            continue;
        if (changed(doc, e, s.triangles.p, start, size, &from, &to) &&
            first_missing(&s, from, to, &row, &vertex)) {
            rec_at at = nif_at(doc, part);
            return rec_fail(&at, rec_slot_find(at.layout, "triangles"),
                            s.triangles.off + TRIANGLE * row, err, LATHE_ERR_RANGE,
                            "row %llu: there is no vertex %u (from 0) of %llu",
                            (unsigned long long)row + 1, vertex, (unsigned long long)s.vertices);
        }
        if (e->at + e->inserted <= start && e->at < start)
            start = start + e->removed - e->inserted;
        else if (e->removed != e->inserted && e->at < start)
            break;
    }
    return LATHE_OK;
}
