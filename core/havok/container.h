/* Packfiles written anew, binary or as XML. Inside of havok/. */
#ifndef LATHE_HAVOK_CONTAINER_H
#define LATHE_HAVOK_CONTAINER_H

#include "havok/xml/xml.h"

/* Hooks of the format. */
extern const rec_param *const hk_serialize_params[];
lathe_result hk_serialize_as(lathe_doc *doc, uint32_t c, const lathe_source *args, buf *out,
                             lathe_error *err);

/* Tells a report what XML does not say of a file, once for all of it. */
void hk_tell_losses(const hk_xml_losses *losses, lathe_report *report);

#endif
