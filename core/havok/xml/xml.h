/* Packfiles as Havok XML: the second form of files of the format hkx. Reference: formats/havok-xml.md. */
#ifndef LATHE_HAVOK_XML_H
#define LATHE_HAVOK_XML_H

#include "havok/xml/write.h"
#include "record/form.h"

/* What lathe_format.form is. */
extern const rec_form hk_xml_form;
/* The text of the packfile in container c of a document: with the names that it was opened with, where it was XML. */
lathe_result hk_xml_of(lathe_doc *doc, uint32_t c, hk_xml_losses *losses, buf *out,
                       lathe_error *err);

#endif
