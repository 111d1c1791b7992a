/* Packfiles after an edit of their objects: without objects that nothing leads to, and in Havok's order. */
#include "havok/packfile/object_list.h"
#include "havok/packfile/serialize.h"

/* A part of the container, and the bytes at its place in the packfile that was written. */
static lathe_result put_part(lathe_doc *doc, uint32_t c, uint32_t part, const buf *written,
                             lathe_error *err)
{
    uint64_t start = rec_encoded(doc, doc->containers[c].root, 0);
    uint64_t at = rec_encoded(doc, part, 0) - start, size = rec_part_of(doc, part)->size;
    if (at > written->size || size > written->size - at)
        return LATHE_OK;
    return rec_splice(doc, part, 0, size, written->data + at, size, err);
}

static bool is_same(lathe_doc *doc, uint32_t c, const buf *written, bool *same)
{
    buf now;
    buf_init(&now, &doc->mem);
    bool ok = rec_part_bytes(doc, doc->containers[c].root, &now);
    *same = ok && now.size == written->size && memcmp(now.data, written->data, now.size) == 0;
    buf_free(&now);
    return ok;
}

lathe_result hk_in_order(lathe_doc *doc, uint32_t c, bool *is, buf *out, lathe_error *err)
{
    rec_at root = rec_root(doc, c);
    *is = false;
    lathe_result r = hk_prune(rec_view(&root), NULL, NULL, err);
    if (r == LATHE_OK)
        r = hk_relayout(doc, c, err); /* sizes in the header, which belong to the comparison */
    if (r == LATHE_OK)
        r = hk_write_reached(doc, c, out, err);
    if (r == LATHE_OK && !is_same(doc, c, out, is))
        r = rec_no_memory(err);
    if (r != LATHE_OK || *is || rec_part_whole(doc, root.part) != out->size)
        return r;
    /* Often only the order of the class names differs: it follows from the order of the objects. */
    r = put_part(doc, c, root.part, out, err);
    if (r == LATHE_OK)
        r = put_part(doc, c, hk_part_of(doc, c, HK_VIRTUAL), out, err);
    return r == LATHE_OK && !is_same(doc, c, out, is) ? rec_no_memory(err) : r;
}
