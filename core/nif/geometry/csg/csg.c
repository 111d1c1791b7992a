/* Offsets in a geometry file. */
#include "nif/geometry/csg/csg.h"

#include <stdarg.h>
#include <stdio.h>

/* ---- offsets --------------------------------------------------------------------------------------------- */

bool csg_is(const lathe_doc *doc)
{
    return doc->containers_n && doc->containers[0].format == &format_geometry;
}

csg *csg_of(const lathe_doc *doc)
{
    return doc->containers[0].index;
}

int csg_form(const lathe_doc *doc)
{
    return (int)doc->containers[0].version;
}

rec_at csg_root(lathe_doc *doc)
{
    return rec_root(doc, 0);
}

uint32_t csg_u32(const lathe_doc *doc, uint64_t off)
{
    return bytes_ld32(doc->parts[doc->containers[0].root].data + off, false);
}

uint64_t csg_count(lathe_doc *doc)
{
    return csg_u32(doc, 4);
}

uint64_t csg_chunks(const lathe_doc *doc)
{
    return csg_form(doc) == CSG_PLAIN ? 0 : csg_u32(doc, 8);
}

uint64_t csg_table(const lathe_doc *doc)
{
    return csg_form(doc) == CSG_PLAIN ? 8 : 12;
}

uint64_t csg_rows_at(const lathe_doc *doc)
{
    return csg_table(doc) + CSG_ENTRY * csg_chunks(doc);
}

uint64_t csg_head_size(const lathe_doc *doc)
{
    return doc->parts[doc->containers[0].root].size;
}

lathe_result csg_row_fail(lathe_doc *doc, uint64_t i, uint32_t slot, lathe_error *err,
                          lathe_result code, const char *fmt, ...)
{
    char text[384];
    rec_at root = csg_root(doc), row;
    if (!err)
        return code;
    va_list args;
    va_start(args, fmt);
    vsnprintf(text, sizeof text, fmt, args);
    va_end(args);
    if (rec_sub(&root, CSG_ROWS, i, &row, err) != LATHE_OK)
        return rec_fail(&root, CSG_ROWS, 0, err, code, "%s", text);
    return rec_fail(&row, slot, row.off, err, code, "%s", text);
}

lathe_result csg_met(const rec_at *at, uint32_t slot, lathe_result r, lathe_error *err)
{
    if (r != LATHE_OK && err && (!err->where[0] || strncmp(err->where, "chunks[", 7) == 0))
        rec_path(at, slot, REC_NO_ITEM, err->where, sizeof err->where);
    return r;
}
