/* Single values of members, from text and back. Reference: formats/havok-xml.md#4. */
#ifndef LATHE_HAVOK_XML_VALUE_H
#define LATHE_HAVOK_XML_VALUE_H

#include "havok/xml/number.h"
#include "havok/xml/plan.h"
#include "havok/xml/text.h"

/* What is being read, for errors. */
typedef struct hk_xml_place {
    const hk_xml_text *text;
    const hk_xml_plan *plan;
    const hk_xml_member *member;
} hk_xml_place;

/* Fails at `at`: "hkbClipGenerator.mode: …". */
lathe_result hk_xml_refuse(const hk_xml_place *place, const char *at, lathe_error *err,
                           lathe_result code, const char *fmt, ...) ERROR_PRINTF(5, 6);

/* Values in a text: *p moves on, over blanks and comments, to the end at the latest. */

/* Whether there is another one. */
bool hk_xml_more(const char **p, const char *end);
/* The next word: up to a blank, a parenthesis or a comment. */
hk_xml_span hk_xml_word(const char **p, const char *end);
/* The next value of a number, or of an enumeration, as it is stored. */
lathe_result hk_xml_take_number(const hk_xml_place *place, const char **p, const char *end,
                                uint64_t *raw, lathe_error *err);
/* All of a set of flags, which may have comments between them. */
lathe_result hk_xml_take_flags(const hk_xml_place *place, const char **p, const char *end,
                               uint64_t *raw, lathe_error *err);
/* The groups of a tuple; `to` gets 4 bits of floats for each group. */
lathe_result hk_xml_take_tuple(const hk_xml_place *place, const char **p, const char *end,
                               uint32_t *to, lathe_error *err);
/* How many words there are, or groups in parentheses. */
uint64_t hk_xml_count_words(const char *p, const char *end);
uint64_t hk_xml_count_groups(const char *p, const char *end);

/* The way back. */

/* Appends a number as it is stored. False: no memory. */
bool hk_xml_put_number(buf *out, const hk_xml_member *m, uint64_t raw);
/* Of the bits of floats: those lanes of each group. */
bool hk_xml_put_tuple(buf *out, const hk_xml_member *m, const uint32_t *bits);

#endif
