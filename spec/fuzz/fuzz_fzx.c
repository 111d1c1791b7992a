/* Ragdoll volumes. */
#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_document("fzx", data, size, false);
    return 0;
}
