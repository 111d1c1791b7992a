/* doc:check() of a tagfile. Errors are what readers refuse or crash on; things that only look wrong, or are
 * kept without being understood, are warnings. */
#include "tagfile/check.h"

#include "havok/named/check.h"
#include "tagfile/list.h"
#include "tagfile/order.h"

void tag_check(lathe_doc *doc, uint32_t c, rec_report *report)
{
    tag_checker k = {.doc = doc, .c = c, .report = report, .types = tag_types_of(doc, c)};
    buf bytes;
    uint32_t root = doc->containers[c].root;
    buf_init(&bytes, &doc->mem);
    if (k.types && rec_places(doc) && rec_part_bytes(doc, root, &bytes)) {
        k.p = bytes.data;
        k.size = bytes.size;
        k.start = rec_encoded(doc, root, 0);
        tag_check_sections(&k);
        tag_check_types(&k);
        tag_check_items(&k);
    }
    buf_free(&bytes);
    hk_check_named(doc, c, report);
}
