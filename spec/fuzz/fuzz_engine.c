/* The schema engine on formats that no game has: the first byte chooses one, and whether the rest are
 * its bytes or only say how a new document is edited. */
#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    size_t n;
    const lathe_format *const *formats = lathe_formats(&n);
    lathe_format_info info = {.size = sizeof info};
    if (size == 0)
        return 0;
    lathe_format_describe(formats[(data[0] >> 1) % n], &info);
    /* of words, old versions leave a count to be solved from what may be any bytes */
    fuzz_forgetful = strcmp(info.name, "words") == 0 && size > 5 && data[5] < 2;
    fuzz_document(info.name, data + 1, size - 1, data[0] & 1);
    return 0;
}
