/* Formats and parses the numbers of Havok XML, independent of the locale. Reference: formats/havok-xml.md#4. */
#ifndef LATHE_HAVOK_XML_NUMBER_H
#define LATHE_HAVOK_XML_NUMBER_H

#include "base/bytes.h"

enum { HK_XML_NUMBER = 48 }; /* size of the longest number in bytes */

/* Each returns the number of bytes written. No NUL is appended. */
size_t hk_xml_print_uint(char *to, uint64_t n);
size_t hk_xml_print_int(char *to, int64_t n);
/* Prints a float, given as its bits, with six decimals and without an exponent. */
size_t hk_xml_print_real(char *to, uint32_t bits);
/* True if the printed text reads back as the same bits. */
bool hk_xml_keeps_real(uint32_t bits);
/* The same for a half that is the upper 16 bits of a float. */
bool hk_xml_keeps_half(uint16_t half);
/* Rounds a float to its upper 16 bits, ties to even, because printed decimals may lie slightly below the value. */
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
