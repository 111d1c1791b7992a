/* Shared geometry files: rows found, read, appended, replaced and removed, both forms, steps back and forth. */
#include "fuzz_edits.h"
#include "fuzz_text.h"

#include "nif/geometry/csg/csg.h"

static void convert(fuzz_dice *d, lathe_doc *doc)
{
    text_arg to = {"to", fuzz_roll(d, 2) ? "csg" : "psg"};
    lathe_source args = text_source(&to);
    lathe_error err;
    lathe_view_call(lathe_doc_root(doc), "convert", &args, NULL, &err);
}

/* Only among such a row is found by its place. */
static bool ascends(lathe_doc *doc)
{
    csg_row row;
    uint64_t last = 0;
    for (uint64_t i = 0; i < csg_count(doc); i++, last = row.offset) {
        csg_load(doc, i, &row);
        if (i && row.offset <= last)
            return false;
    }
    return true;
}

/* Vertices of two halves each, and as many bytes more as indices want. */
static void append(fuzz_dice *d, lathe_doc *doc)
{
    enum { MOST = 30000 };
    static uint8_t data[8 * MOST + 6];
    lathe_error err;
    csg_row row, found;
    uint32_t n = 1 + fuzz_roll(d, fuzz_roll(d, 8) ? 40 : MOST), triangles = fuzz_roll(d, 2);
    uint64_t size = 8 * (uint64_t)n + 6 * triangles, desc = (uint64_t)1 << 44 | 2;
    memset(data, (int)fuzz_roll(d, 256), size);
    lathe_result r = rec_begin(doc, &err);
    if (r == LATHE_OK) {
        r = csg_append(doc, desc, n, 3 * triangles, data, size, &row, &err);
        r = rec_end(doc, r, &err);
    }
    if (r != LATHE_OK || !ascends(doc))
        return;
    PROMISE(csg_row_find(doc, row.offset, &found, &err) == LATHE_OK && found.size == size);
    PROMISE(csg_find_equal(doc, desc, n, 3 * triangles, data, size, &found, &err) == LATHE_OK);
}

static void replace(fuzz_dice *d, lathe_doc *doc)
{
    uint64_t n = csg_count(doc);
    lathe_error err;
    lathe_value rows, a, b;
    if (!n || lathe_view_get(lathe_doc_root(doc), "rows", &rows, &err) != LATHE_OK ||
        lathe_view_item(rows.as.v, fuzz_roll(d, (uint32_t)n), &a, &err) != LATHE_OK ||
        lathe_view_item(rows.as.v, fuzz_roll(d, (uint32_t)n), &b, &err) != LATHE_OK)
        return;
    lathe_view_set_item(rows.as.v, fuzz_roll(d, (uint32_t)n), &b, &err);
    lathe_view_remove(rows.as.v, n - 1, fuzz_roll(d, 2), &err);
}

/* Every table of numbers of a row, which is read or says why not. */
static void look(fuzz_dice *d, lathe_doc *doc)
{
    static const char *const tables[] = {"positions", "normals", "uvs", "colors", "triangles"};
    uint64_t n = csg_count(doc);
    lathe_value rows, row, table;
    lathe_error err;
    csg_row found;
    if (!n || lathe_view_get(lathe_doc_root(doc), "rows", &rows, &err) != LATHE_OK ||
        lathe_view_item(rows.as.v, fuzz_roll(d, (uint32_t)n), &row, &err) != LATHE_OK)
        return;
    csg_row_find(doc, fuzz_roll(d, 100000), &found, &err);
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++) {
        if (lathe_view_get(row.as.v, tables[i], &table, &err) != LATHE_OK ||
            table.kind != LATHE_KIND_ARRAY)
            continue;
        lathe_elem elem;
        uint64_t count = lathe_view_count(table.as.v),
                 columns = lathe_view_lanes(table.as.v, NULL, &elem);
        double *to = malloc((size_t)(count * columns) * sizeof *to + 1);
        PROMISE(to);
        lathe_result r = lathe_view_read(table.as.v, NULL, 0, count, LATHE_ELEM_F64, to, 0, &err);
        if (r == LATHE_OK && i == 0)
            r = lathe_view_write(table.as.v, NULL, 0, count, LATHE_ELEM_F64, to, 0, &err);
        PROMISE(r == LATHE_OK || err.message[0]);
        free(to);
    }
}

static void edit(fuzz_dice *d, lathe_doc *doc)
{
    lathe_error err;
    bool nested = fuzz_roll(d, 4) == 0 && lathe_edit_begin(doc, &err) == LATHE_OK;
    for (uint32_t n = nested ? 1 + fuzz_roll(d, 3) : 1; n > 0; n--)
        switch (fuzz_roll(d, 6)) {
        case 0: convert(d, doc); break;
        case 1: replace(d, doc); break;
        case 2:
            if (!nested)
                lathe_edit_undo(doc, fuzz_roll(d, 2) ? 1 : -1);
            break;
        case 3: look(d, doc); break;
        default: append(d, doc); break;
        }
    if (nested)
        lathe_edit_end(doc, fuzz_roll(d, 3) != 0, NULL);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_document("geometry", data, size, false);
    fuzz_edits("geometry", data, size, 10, edit);
    return 0;
}
