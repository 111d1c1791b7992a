/* The text of a Havok XML file: where something stands in it, for errors, and what its references and comments mean. */
#ifndef LATHE_HAVOK_XML_TEXT_H
#define LATHE_HAVOK_XML_TEXT_H

#include "base/error.h"
#include "base/mem.h"

#include <string.h>

#define HK_XML_NULL                                                                                \
    "\xE2\x90\x80" /* U+2400: all of a text that is this one character means that there is none */

/* A part of the text, or of memory beside it. */
typedef struct hk_xml_span {
    const char *p;
    uint32_t n;
} hk_xml_span;

typedef struct hk_xml_text {
    const char *p, *end;
} hk_xml_text;

static inline bool hk_xml_is(hk_xml_span span, const char *word)
{
    return strlen(word) == span.n && memcmp(span.p, word, span.n) == 0;
}

static inline bool hk_xml_same(hk_xml_span a, hk_xml_span b)
{
    return a.n == b.n && memcmp(a.p, b.p, a.n) == 0;
}

static inline bool hk_xml_blank(char c)
{
    return c == ' ' || c == '\n' || c == '\t' || c == '\r';
}

/* Where a span stands in the text; `otherwise` where it is memory beside it, as a value with references is. */
static inline const char *hk_xml_at(const hk_xml_text *x, hk_xml_span span, const char *otherwise)
{
    uintptr_t p = (uintptr_t)span.p;
    return p >= (uintptr_t)x->p && p <= (uintptr_t)x->end ? span.p : otherwise;
}

/* Behind blanks, from p up to `end`. */
const char *hk_xml_skip(const char *p, const char *end);
/* Fails at `at`: "line 12, column 5: …", with the offset in the text. */
lathe_result hk_xml_fail(const hk_xml_text *x, const char *at, lathe_error *err, lathe_result code,
                         const char *fmt, ...) ERROR_PRINTF(5, 6);
/* The characters of a span, for messages: at most so many, so that a message keeps room for the rest. */
int hk_xml_shown(hk_xml_span span);
/* Refuses bytes from `from` on that are no text: of another encoding than is declared, or control characters. */
lathe_result hk_xml_check_bytes(const hk_xml_text *x, const char *from, bool utf8,
                                lathe_error *err);
/* Appends what a run of text means: references resolved, comments left out, line ends LF. */
lathe_result hk_xml_decode(const hk_xml_text *x, hk_xml_span span, buf *out, lathe_error *err);
/* The way back: appends a text as it is written. False: no memory. */
bool hk_xml_encode(buf *out, const char *p, size_t n);
/* Whether a text written so reads as the same again: what is not UTF-8 does not, nor does the one that means null. */
bool hk_xml_keeps_text(const char *p, size_t n);
/* Behind a comment that begins at p; NULL: it does not end. */
const char *hk_xml_comment_end(const char *p, const char *end);

#endif
