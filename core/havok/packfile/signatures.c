/* Search for classes by name, and their signatures, by which games distinguish versions of a class. */
#include "havok/packfile/packfile.h"

const rec_type *hk_described(const lathe_format *format, const char *name, int64_t version)
{
    return format->type_in_version(name, version);
}

static uint32_t stated(const rec_type *type, int64_t version)
{
    return rec_type_stated(type)->signature[version >= HK_2014];
}

uint32_t hk_signature(const lathe_format *format, const char *name, int64_t version)
{
    const rec_type *type = hk_described(format, name, version);
    return type ? stated(type, version) : 0;
}

/* Other signatures that are accepted: earlier versions of lathe wrote them. */
static const struct {
    char name[36];
    int32_t version;
    uint32_t signature;
} also[] = {{"hkaInterleavedUncompressedAnimation", HK_2014, 0xCD9801FB}};

static bool is_also(const char *name, int64_t version, uint32_t signature)
{
    for (size_t i = 0; i < REC_COUNT_OF(also); i++)
        if (also[i].version == version && also[i].signature == signature &&
            strcmp(also[i].name, name) == 0)
            return true;
    return false;
}

const rec_type *hk_described_as(const lathe_format *format, const char *name, int64_t version,
                                uint32_t signature, lathe_error *why)
{
    const rec_type *type = hk_described(format, name, version);
    uint32_t known = type ? stated(type, version) : 0;
    if (!type || (known ? known == signature || is_also(name, version, signature)
                        : !(type->flags & REC_DOUBT)))
        return type;
    error_set(why, LATHE_ERR_UNSUPPORTED, LATHE_NO_OFFSET,
              known ? "another version of %.64s: the file has the signature 0x%08x, lathe knows "
                      "0x%08x"
                    : "nobody is sure of the members of %.64s (signature 0x%08x)",
              name, signature, known);
    return NULL;
}

/* ---- other versions ------------------------------------------------------------------------------------- */

/* Classes whose common members mean the same in both versions. Others have not been examined. */
static const char carried[][36] = {
    "hkRootLevelContainer",
    "hkMemoryResourceContainer",
    "hkaAnimationContainer",
    "hkaSkeleton",
    "hkaSkeletonMapper",
    "hkaSplineCompressedAnimation",
    "hkaInterleavedUncompressedAnimation",
    "hkaLosslessCompressedAnimation",
    "hkaAnimationBinding",
    "hkaDefaultAnimatedReferenceFrame",
};

bool hk_carries(const lathe_format *format, const char *name, int64_t from, int64_t to)
{
    if (!hk_described(format, name, from) || !hk_described(format, name, to))
        return false;
    for (size_t i = 0; from != to && i < REC_COUNT_OF(carried); i++)
        if (strcmp(carried[i], name) == 0)
            return true;
    return from == to;
}
