/* doc:serialize(): the file in the SDK's order. Reference: order.h. */
#include "tagfile/order.h"

lathe_result tag_serialize(lathe_doc *doc, uint32_t c, const lathe_source *args, buf *out,
                           lathe_error *err)
{
    buf bytes;
    (void)args;
    buf_init(&bytes, &doc->mem);
    lathe_result r =
        rec_part_bytes(doc, doc->containers[c].root, &bytes) ? LATHE_OK : rec_no_memory(err);
    if (r == LATHE_OK)
        r = tag_assemble(&doc->mem, tag_types_of(doc, c), bytes.data, bytes.size, false, out, err);
    buf_free(&bytes);
    return r;
}
