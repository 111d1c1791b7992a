/* Havok XML of the objects of a document, as Havok's tools write it: formats/havok-xml.md#1 to #4. */
#ifndef LATHE_HAVOK_XML_WRITE_H
#define LATHE_HAVOK_XML_WRITE_H

#include "record/record.h"

/* Objects that had names in a text that was opened, in the order in which they stood there. */
typedef struct hk_xml_kept {
    uint32_t n;
    uint32_t *parts; /* of the objects */
    uint32_t *names; /* n + 1 of them: where the name of each begins in `text` */
    char *text;
    size_t text_n; /* bytes of that memory */
    uint32_t
        *order; /* of each object of the packfile that was made, in its order, the number here */
    uint32_t *of_part; /* the number of a part's object, from 1; 0: it has none … */
    uint32_t parts_n;  /* … of so many parts */
    uint32_t comments; /* that the text had, besides those for members */
} hk_xml_kept;

/* What a text does not say. */
typedef struct hk_xml_losses {
    uint64_t decimals; /* numbers with more than six */
    uint64_t lanes; /* unused fourth numbers of rotations, translations and scales that are not 0 */
    uint64_t texts; /* texts that are no UTF-8, or read as null */
    uint64_t ignored; /* members that are not saved, and are not 0 */
} hk_xml_losses;

/* Appends the text of the packfile in container c. kept and losses may be NULL. LATHE_ERR_UNSUPPORTED: an object whose class is
 * not described, or a member that XML has no form for. */
lathe_result hk_xml_write(lathe_doc *doc, uint32_t c, const hk_xml_kept *kept,
                          hk_xml_losses *losses, buf *out, lathe_error *err);

#endif
