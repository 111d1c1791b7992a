#include "havok/xml/value.h"

#include <stdarg.h>
#include <stdio.h>

#define UNKNOWN_BITS "<!-- UNKNOWN BITS -->"

lathe_result hk_xml_refuse(const hk_xml_place *place, const char *at, lathe_error *err,
                           lathe_result code, const char *fmt, ...)
{
    char message[sizeof err->message];
    va_list args;
    if (!err)
        return code;
    va_start(args, fmt);
    vsnprintf(message, sizeof message, fmt, args);
    va_end(args);
    return hk_xml_fail(place->text, at, err, code, "%s.%s: %s", place->plan->name,
                       place->member->name, message);
}

/* ---- words ----------------------------------------------------------------------------------------------- */

bool hk_xml_more(const char **p, const char *end)
{
    for (;;) {
        *p = hk_xml_skip(*p, end);
        if (*p == end || **p != '<')
            return *p < end;
        const char *behind = hk_xml_comment_end(*p, end);
        *p = behind ? behind : end;
    }
}

static bool ends_word(char c)
{
    return hk_xml_blank(c) || c == '(' || c == ')' || c == '<';
}

hk_xml_span hk_xml_word(const char **p, const char *end)
{
    const char *start;
    hk_xml_more(p, end);
    start = *p;
    while (*p < end && !ends_word(**p))
        ++*p;
    return (hk_xml_span){start, (uint32_t)(*p - start)};
}

uint64_t hk_xml_count_words(const char *p, const char *end)
{
    uint64_t n = 0;
    while (hk_xml_more(&p, end)) {
        const char *start = p;
        hk_xml_word(&p, end);
        p += p == start; /* a parenthesis, which is refused when values are read */
        n++;
    }
    return n;
}

uint64_t hk_xml_count_groups(const char *p, const char *end)
{
    uint64_t n = 0;
    while (hk_xml_more(&p, end)) {
        n += *p == '(';
        if (*p == '(' || *p == ')')
            p++;
        else
            hk_xml_word(&p, end);
    }
    return n;
}

/* ---- numbers --------------------------------------------------------------------------------------------- */

/* Other writers print unsigned numbers for signed members, and the reverse: both are taken for their bits. */
static bool fits(bool negative, uint64_t magnitude, unsigned width)
{
    uint64_t most = width >= 8 ? UINT64_MAX : ((uint64_t)1 << 8 * width) - 1;
    return magnitude <= (negative ? most / 2 + 1 : most);
}

static lathe_result take_integer(const hk_xml_place *place, hk_xml_span word, uint64_t *raw,
                                 const char *wanted, lathe_error *err)
{
    bool negative;
    uint64_t magnitude = 0;
    unsigned width = place->member->width;
    hk_xml_reading read = hk_xml_read_int(word.p, word.n, &negative, &magnitude);
    if (read == HK_XML_NO_NUMBER)
        return hk_xml_refuse(place, word.p, err, LATHE_ERR_INVALID, "%s expected, got '%.*s'",
                             wanted, hk_xml_shown(word), word.p);
    if (read == HK_XML_TOO_LARGE || !fits(negative, magnitude, width))
        return hk_xml_refuse(place, word.p, err, LATHE_ERR_RANGE, "%.*s does not fit into %u bits",
                             hk_xml_shown(word), word.p, 8 * width);
    *raw = negative ? 0 - magnitude : magnitude;
    return LATHE_OK;
}

static lathe_result take_real(const hk_xml_place *place, hk_xml_span word, uint32_t *bits,
                              lathe_error *err)
{
    hk_xml_reading read = hk_xml_read_real(word.p, word.n, bits);
    if (read == HK_XML_READ)
        return LATHE_OK;
    if (read == HK_XML_TOO_LARGE)
        return hk_xml_refuse(place, word.p, err, LATHE_ERR_RANGE, "%.*s does not fit into 32 bits",
                             hk_xml_shown(word), word.p);
    return hk_xml_refuse(place, word.p, err, LATHE_ERR_INVALID, "a number expected, got '%.*s'",
                         hk_xml_shown(word), word.p);
}

static bool find_name(const hk_xml_place *place, hk_xml_span word, uint64_t *raw)
{
    const rec_names *names = place->member->names;
    const char *name;
    int64_t value;
    for (uint32_t i = 0; (name = hk_xml_name(names, i, &value)) != NULL; i++)
        if (hk_xml_is(word, name)) {
            *raw = (uint64_t)value;
            return true;
        }
    return false;
}

static lathe_result take_bool(const hk_xml_place *place, hk_xml_span word, uint64_t *raw,
                              lathe_error *err)
{
    bool negative;
    uint64_t magnitude; /* some writers take it for a number, which is true where it is not 0 */
    *raw = hk_xml_is(word, "true");
    if (*raw || hk_xml_is(word, "false"))
        return LATHE_OK;
    bool number = hk_xml_read_int(word.p, word.n, &negative, &magnitude) == HK_XML_READ;
    *raw = number && magnitude;
    return number ? LATHE_OK
                  : hk_xml_refuse(place, word.p, err, LATHE_ERR_INVALID,
                                  "true or false expected, got '%.*s'", hk_xml_shown(word), word.p);
}

lathe_result hk_xml_take_number(const hk_xml_place *place, const char **p, const char *end,
                                uint64_t *raw, lathe_error *err)
{
    const hk_xml_span word = hk_xml_word(p, end);
    uint32_t bits = 0;
    lathe_result r;
    switch (place->member->op) {
    case HK_XML_BOOL: return take_bool(place, word, raw, err);
    case HK_XML_REAL:
    case HK_XML_HALF:
        r = take_real(place, word, &bits, err);
        *raw = place->member->op == HK_XML_REAL ? bits : hk_xml_half_of(bits);
        return r;
    case HK_XML_ENUM:
        return find_name(place, word, raw)
                   ? LATHE_OK
                   : take_integer(place, word, raw, "a name of its enumeration", err);
    default: return take_integer(place, word, raw, "an integer", err);
    }
}

lathe_result hk_xml_take_flags(const hk_xml_place *place, const char **p, const char *end,
                               uint64_t *raw, lathe_error *err)
{
    lathe_result r = LATHE_OK;
    *raw = 0;
    while (r == LATHE_OK && hk_xml_more(p, end)) {
        const hk_xml_span all = hk_xml_word(p, end);
        const char *at = all.p, *last = all.p + all.n;
        if (!all.n)
            return hk_xml_refuse(place, *p, err, LATHE_ERR_INVALID, "'%c' between flags", **p);
        while (r == LATHE_OK && at < last) {
            const char *bar = memchr(at, '|', (size_t)(last - at));
            const hk_xml_span word = {at, (uint32_t)((bar ? bar : last) - at)};
            uint64_t bits = 0;
            if (word.n && !find_name(place, word, &bits))
                r = take_integer(place, word, &bits, "names of its flags", err);
            *raw |= bits;
            at = bar ? bar + 1 : last;
        }
    }
    return r;
}

/* ---- tuples ---------------------------------------------------------------------------------------------- */

/* "(x y z w)". The fourth of three may be there, and is 0 where it is not. */
static lathe_result take_group(const hk_xml_place *place, const char **p, const char *end,
                               unsigned lanes, uint32_t *to, lathe_error *err)
{
    unsigned n = 0;
    lathe_result r = LATHE_OK;
    memset(to, 0, 4 * sizeof *to);
    const char *start = *p;
    if (!hk_xml_more(p, end) || **p != '(')
        return hk_xml_refuse(place, *p, err, LATHE_ERR_INVALID, "'(' expected");
    for (++*p; r == LATHE_OK && hk_xml_more(p, end) && **p != ')'; n++) {
        uint32_t bits;
        r = take_real(place, hk_xml_word(p, end), &bits, err);
        if (n < 4)
            to[n] = bits;
    }
    if (r != LATHE_OK)
        return r;
    if (*p == end)
        return hk_xml_refuse(place, start, err, LATHE_ERR_INVALID, "')' expected");
    ++*p;
    return n == lanes || n == 4 ? LATHE_OK
                                : hk_xml_refuse(place, start, err, LATHE_ERR_INVALID,
                                                "%u numbers in parentheses, %u expected", n, lanes);
}

lathe_result hk_xml_take_tuple(const hk_xml_place *place, const char **p, const char *end,
                               uint32_t *to, lathe_error *err)
{
    lathe_result r = LATHE_OK;
    for (const char *lanes = place->member->lanes; r == LATHE_OK && *lanes; lanes++, to += 4)
        r = take_group(place, p, end, (unsigned)(*lanes - '0'), to, err);
    return r;
}

/* ---- writing --------------------------------------------------------------------------------------------- */

static bool put_word(buf *out, const char *word)
{
    return buf_put(out, word, strlen(word));
}

/* From the last name to the first, each that is in what is left of the bits. */
static bool put_flags(buf *out, const rec_names *names, uint64_t rest)
{
    const char *name;
    char hex[24];
    int64_t value;
    uint32_t n;
    bool first = true, ok = true;
    if (!rest)
        return put_word(out, "0");
    n = names ? names->count : 0;
    while (ok && rest && n-- > 0) {
        name = hk_xml_name(names, n, &value);
        if ((rest & (uint64_t)value) != (uint64_t)value)
            continue;
        ok = (first || put_word(out, "|")) && put_word(out, name);
        rest &= ~(uint64_t)value;
        first = false;
    }
    if (!ok || !rest)
        return ok;
    snprintf(hex, sizeof hex, "0x%llx", (unsigned long long)rest);
    return (first || put_word(out, "|")) && put_word(out, UNKNOWN_BITS) && put_word(out, hex);
}

static int64_t extended(uint64_t raw, unsigned width)
{
    unsigned unused = 64 - 8 * width;
    uint64_t sign = (uint64_t)1 << (8 * width - 1);
    return unused && raw & sign ? (int64_t)(raw | ~(sign * 2 - 1)) : (int64_t)raw;
}

static const char *name_of(const rec_names *names, int64_t wanted)
{
    const char *name;
    int64_t value;
    for (uint32_t i = 0; (name = hk_xml_name(names, i, &value)) != NULL; i++)
        if (value == wanted)
            return name;
    return NULL;
}

static bool is_signed(const hk_xml_member *m)
{
    rec_kind kind = (rec_kind)m->as->row->kind;
    return kind == REC_I8 || kind == REC_I16 || kind == REC_I32 || kind == REC_I64;
}

bool hk_xml_put_number(buf *out, const hk_xml_member *m, uint64_t raw)
{
    char text[HK_XML_NUMBER];
    const char *name;
    size_t n;
    int64_t value = is_signed(m) ? extended(raw, m->width) : (int64_t)raw;
    switch (m->op) {
    case HK_XML_BOOL: return put_word(out, raw ? "true" : "false");
    case HK_XML_REAL: n = hk_xml_print_real(text, (uint32_t)raw); break;
    case HK_XML_HALF: n = hk_xml_print_real(text, (uint32_t)raw << 16); break;
    case HK_XML_FLAGS: return put_flags(out, m->names, raw);
    case HK_XML_ENUM:
        name = name_of(m->names, value);
        if (name)
            return put_word(out, name);
        /* fall through */
    default: n = is_signed(m) ? hk_xml_print_int(text, value) : hk_xml_print_uint(text, raw); break;
    }
    return buf_put(out, text, n);
}

bool hk_xml_put_tuple(buf *out, const hk_xml_member *m, const uint32_t *bits)
{
    char text[16 * HK_XML_NUMBER + 32];
    size_t n = 0;
    for (const char *lanes = m->lanes; *lanes; lanes++, bits += 4) {
        text[n++] = '(';
        for (int i = 0; i < *lanes - '0'; i++) {
            if (i)
                text[n++] = ' ';
            n += hk_xml_print_real(text + n, bits[i]);
        }
        text[n++] = ')';
    }
    return buf_put(out, text, n);
}
