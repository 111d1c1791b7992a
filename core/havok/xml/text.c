#include "havok/xml/text.h"

#include <stdarg.h>
#include <stdio.h>

const char *hk_xml_skip(const char *p, const char *end)
{
    while (p < end && hk_xml_blank(*p))
        p++;
    return p;
}

/* ---- errors ---------------------------------------------------------------------------------------------- */

/* Columns count characters, from 1. */
static void find_place(const hk_xml_text *x, const char *at, unsigned long *line,
                       unsigned long *column)
{
    const char *start = x->p;
    *line = *column = 1;
    for (const char *p = x->p; p < at && (p = memchr(p, '\n', (size_t)(at - p))) != NULL; p++) {
        ++*line;
        start = p + 1;
    }
    for (const char *p = start; p < at; p++)
        *column += ((unsigned char)*p & 0xC0) != 0x80;
}

lathe_result hk_xml_fail(const hk_xml_text *x, const char *at, lathe_error *err, lathe_result code,
                         const char *fmt, ...)
{
    char message[sizeof err->message];
    unsigned long line, column;
    va_list args;
    if (!err) /* a file that is only tried is not searched for lines */
        return code;
    va_start(args, fmt);
    vsnprintf(message, sizeof message, fmt, args);
    va_end(args);
    find_place(x, at, &line, &column);
    return error_set(err, code, (uint64_t)(at - x->p), "line %lu, column %lu: %s", line, column,
                     message);
}

int hk_xml_shown(hk_xml_span span)
{
    enum { MOST = 60 };
    return (int)(span.n < MOST ? span.n : MOST);
}

/* ---- characters ------------------------------------------------------------------------------------------ */

/* The bytes of the character at p, whose code goes to *code; 0: it is no UTF-8. */
static size_t take_character(const char *p, const char *end, uint32_t *code)
{
    const uint8_t *b = (const uint8_t *)p;
    size_t n = b[0] < 0x80 ? 1 : b[0] >= 0xF0 ? 4 : b[0] >= 0xE0 ? 3 : 2;
    if (b[0] < 0x80) {
        *code = b[0];
        return 1;
    }
    if (b[0] < 0xC2 || b[0] > 0xF4 || (size_t)(end - p) < n)
        return 0;
    *code = b[0] & (0x7Fu >> n);
    for (size_t i = 1; i < n; i++) {
        if ((b[i] & 0xC0) != 0x80)
            return 0;
        *code = *code << 6 | (b[i] & 0x3Fu);
    }
    bool shorter = n > 2 && *code < (n == 3 ? 0x800u : 0x10000u);
    return shorter || *code > 0x10FFFF || (*code >= 0xD800 && *code < 0xE000) ? 0 : n;
}

static size_t put_character(char *to, uint32_t code)
{
    size_t n = code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
    static const uint8_t marks[] = {0, 0, 0xC0, 0xE0, 0xF0};
    for (size_t i = n - 1; i > 0; i--, code >>= 6)
        to[i] = (char)(0x80 | (code & 0x3F));
    to[0] = (char)(marks[n] | code);
    return n;
}

lathe_result hk_xml_check_bytes(const hk_xml_text *x, const char *from, bool utf8, lathe_error *err)
{
    uint32_t code;
    for (const char *p = from; p < x->end;) {
        unsigned char c = (unsigned char)*p;
        size_t n = 1;
        if (c >= 0x80 && !utf8)
            return hk_xml_fail(x, p, err, LATHE_ERR_INVALID,
                               "a byte 0x%02x, which is no ASCII, as the file says it is", c);
        if (c < 0x20 && !hk_xml_blank(*p))
            return hk_xml_fail(x, p, err, LATHE_ERR_INVALID, "a control character 0x%02x", c);
        if (c >= 0x80 && !(n = take_character(p, x->end, &code)))
            return hk_xml_fail(x, p, err, LATHE_ERR_INVALID, "a byte 0x%02x, which is no UTF-8", c);
        p += n;
    }
    return LATHE_OK;
}

/* ---- reading --------------------------------------------------------------------------------------------- */

const char *hk_xml_comment_end(const char *p, const char *end)
{
    for (p += 4; p < end && (p = memchr(p, '-', (size_t)(end - p))) != NULL; p++)
        if (end - p >= 3 && p[1] == '-' && p[2] == '>')
            return p + 3;
    return NULL;
}

/* Behind "&#": a number of a character, with the ';' behind it. */
static bool take_number(const char *p, const char *semicolon, uint32_t *code)
{
    uint32_t base = p < semicolon && *p == 'x' ? 16 : 10;
    p += base == 16;
    *code = 0;
    if (p == semicolon)
        return false;
    for (; p < semicolon && *code <= 0x10FFFF; p++) {
        int c = *p | 0x20;
        bool letter = base == 16 && c >= 'a' && c <= 'f';
        if (!letter && (*p < '0' || *p > '9'))
            return false;
        *code = *code * base + (uint32_t)(letter ? c - 'a' + 10 : *p - '0');
    }
    return *code && *code <= 0x10FFFF && (*code < 0xD800 || *code >= 0xE000);
}

static lathe_result take_reference(const hk_xml_text *x, const char **p, const char *end, buf *out,
                                   lathe_error *err)
{
    static const struct {
        const char *name;
        char c;
    } named[] = {{"amp", '&'}, {"lt", '<'}, {"gt", '>'}, {"quot", '"'}, {"apos", '\''}};
    enum { MOST = 16 };
    const char *at = *p, *name = at + 1;
    size_t left = (size_t)(end - name) < MOST ? (size_t)(end - name) : MOST;
    const char *semicolon = memchr(name, ';', left);
    char bytes[4];
    size_t n = 0;
    uint32_t code;
    if (semicolon && *name == '#' && take_number(name + 1, semicolon, &code))
        n = put_character(bytes, code);
    for (size_t i = 0; semicolon && !n && i < sizeof named / sizeof *named; i++)
        if (hk_xml_is((hk_xml_span){name, (uint32_t)(semicolon - name)}, named[i].name)) {
            bytes[0] = named[i].c;
            n = 1;
        }
    if (!n)
        return hk_xml_fail(x, at, err, LATHE_ERR_INVALID,
                           "'%.*s' is none of &amp; &lt; &gt; &quot; &apos; and &#N;",
                           (int)(semicolon ? (size_t)(semicolon + 1 - at) : left), at);
    *p = semicolon + 1;
    return buf_put(out, bytes, n)
               ? LATHE_OK
               : error_set(err, LATHE_ERR_MEMORY, LATHE_NO_OFFSET, "out of memory");
}

lathe_result hk_xml_decode(const hk_xml_text *x, hk_xml_span span, buf *out, lathe_error *err)
{
    const char *p = span.p, *end = span.p + span.n;
    bool ok = true;
    lathe_result r = LATHE_OK;
    while (r == LATHE_OK && ok && p < end) {
        const char *start = p;
        while (p < end && *p != '&' && *p != '<' && *p != '\r')
            p++;
        ok = buf_put(out, start, (size_t)(p - start));
        if (!ok || p == end)
            break;
        if (*p == '&') {
            r = take_reference(x, &p, end, out, err);
        } else if (*p == '<') {
            p = hk_xml_comment_end(p, end);
            if (!p) /* what reads tags has refused that */
                break;
        } else { /* CR LF, or an old CR alone */
            p += 1 + (p + 1 < end && p[1] == '\n');
            ok = buf_put(out, "\n", 1);
        }
    }
    return ok ? r : error_set(err, LATHE_ERR_MEMORY, LATHE_NO_OFFSET, "out of memory");
}

/* ---- writing --------------------------------------------------------------------------------------------- */

static size_t put_escaped(char *to, uint32_t code)
{
    return (size_t)snprintf(to, 16, "&#%lu;", (unsigned long)code);
}

bool hk_xml_encode(buf *out, const char *p, size_t n)
{
    const char *end = p + n;
    char text[16];
    bool ok = true;
    while (ok && p < end) {
        const char *start = p;
        uint32_t code;
        while (p < end && *p >= 32 && *p < 127 && *p != '&' && *p != '<' && *p != '>')
            p++;
        ok = buf_put(out, start, (size_t)(p - start));
        if (!ok || p == end)
            break;
        size_t size = take_character(p, end, &code);
        if (!size) { /* no UTF-8: the byte is taken for its character, as in Latin-1 */
            code = (unsigned char)*p;
            size = 1;
        }
        p += size;
        const char *named = code == '&'   ? "&amp;"
                            : code == '<' ? "&lt;"
                            : code == '>' ? "&gt;"
                                          : NULL;
        ok = named ? buf_put(out, named, strlen(named))
                   : buf_put(out, text, put_escaped(text, code));
    }
    return ok;
}

bool hk_xml_keeps_text(const char *p, size_t n)
{
    uint32_t code;
    const char *end = p + n;
    if (n == sizeof HK_XML_NULL - 1 && memcmp(p, HK_XML_NULL, n) == 0)
        return false;
    while (p < end) {
        size_t size = take_character(p, end, &code);
        if (!size)
            return false;
        p += size;
    }
    return true;
}
