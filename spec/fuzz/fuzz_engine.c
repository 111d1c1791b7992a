/* The schema engine on formats that no game has: the first byte chooses one, and whether the rest are
 * its bytes or only say how a new document is edited. */
#include "fuzz.h"

/* Formats that came later get the last numbers, so that old inputs stay of the formats that they were made for. */
enum { OLD_FORMATS = 14, OLD_NUMBERS = 126 };

static size_t format_of(uint8_t first, size_t n)
{
    size_t i = first >> 1;
    return i < OLD_NUMBERS || n <= OLD_FORMATS ? i % OLD_FORMATS % n
                                               : OLD_FORMATS + i % (n - OLD_FORMATS);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    size_t n;
    const lathe_format *const *formats = lathe_formats(&n);
    lathe_format_info info = {.size = sizeof info};
    if (size == 0)
        return 0;
    lathe_format_describe(formats[format_of(data[0], n)], &info);
    /* of words, old versions leave a count to be solved from what may be any bytes */
    fuzz_forgetful = strcmp(info.name, "words") == 0 && size > 5 && data[5] < 2;
    fuzz_document(info.name, data + 1, size - 1, data[0] & 1);
    return 0;
}
