/* Names of objects in Havok XML: those that they had, and numbers. */
#include "havok/xml/number.h"
#include "havok/xml/text.h"
#include "havok/xml/writer.h"

uint32_t hk_xml_kept_of(const hk_xml_writer *w, uint64_t object)
{
    uint32_t part = w->reader.parts[object];
    return w->kept && part < w->kept->parts_n ? w->kept->of_part[part] : 0;
}

bool hk_xml_put_name(hk_xml_writer *w, uint64_t object)
{
    char text[HK_XML_NUMBER + 4] = "#000", digits[HK_XML_NUMBER];
    uint32_t number = w->number[object], kept = hk_xml_kept_of(w, object);
    if (number == UINT32_MAX) {
        const uint32_t *names = w->kept->names + (kept - 1);
        return hk_xml_encode(w->out, w->kept->text + names[0], names[1] - names[0]);
    }
    size_t n = hk_xml_print_uint(digits, number), zeros = n < 4 ? 4 - n : 0;
    memcpy(text + 1 + zeros, digits, n);
    return buf_put(w->out, text, 1 + zeros + n);
}

uint32_t hk_xml_next_number(const hk_xml_kept *kept)
{
    uint32_t next = 1;
    for (uint32_t i = 0; i < kept->n; i++) {
        const char *p = kept->text + kept->names[i];
        size_t n = kept->names[i + 1] - kept->names[i];
        bool negative;
        uint64_t number;
        if (n > 1 && n < 10 && p[0] == '#' && p[1] >= '0' && p[1] <= '9' &&
            hk_xml_read_int(p + 1, n - 1, &negative, &number) == HK_XML_READ && number >= next)
            next = (uint32_t)number + 1;
    }
    return next;
}
