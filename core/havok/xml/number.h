/* Numbers as Havok XML has them: formats/havok-xml.md#4. They follow no locale. */
#ifndef LATHE_HAVOK_XML_NUMBER_H
#define LATHE_HAVOK_XML_NUMBER_H

#include "base/bytes.h"

enum { HK_XML_NUMBER = 48 }; /* bytes that the longest number takes */

/* Each returns how many bytes it wrote, without a NUL at the end. */
size_t hk_xml_print_uint(char *to, uint64_t n);
size_t hk_xml_print_int(char *to, int64_t n);
/* Of the bits of a 32-bit float: six decimals, never an exponent. */
size_t hk_xml_print_real(char *to, uint32_t bits);
/* Whether what that prints reads as the same bits again. */
bool hk_xml_keeps_real(uint32_t bits);
/* The same of the upper half of one. */
bool hk_xml_keeps_half(uint16_t half);
/* A float's upper half, rounded to even: six decimals may lie below what was printed. */
uint16_t hk_xml_half_of(uint32_t bits);

typedef enum hk_xml_reading {
    HK_XML_READ = 0,
    HK_XML_NO_NUMBER, /* it is something else */
    HK_XML_TOO_LARGE  /* a number that does not fit */
} hk_xml_reading;

/* All n bytes must be the number. An integer is decimal or hexadecimal behind 0x; *magnitude is its absolute value. */
hk_xml_reading hk_xml_read_int(const char *p, size_t n, bool *negative, uint64_t *magnitude);
/* A real number, with or without an exponent; or what writers print for infinities and what is no number. */
hk_xml_reading hk_xml_read_real(const char *p, size_t n, uint32_t *bits);

#endif
