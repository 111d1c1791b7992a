/* zstd data. The only file that includes libzstd, of which it uses only the stable API. */
#include "base/zstd.h"

#include "base/bytes.h"
#include "base/error.h"
#include "base/zstd_frame.h"

#define MB (UINT64_C(1) << 20)

uint64_t zstd_limit(size_t n)
{
    const uint64_t least = 64 * MB, most = 2048 * MB, times = 1000;
    uint64_t limit = n <= most / times ? n * times : most;
    return limit > least ? limit : least;
}

#if !defined(LATHE_ZSTD)

bool zstd_built_in(void)
{
    return false;
}

static lathe_result without(lathe_error *err)
{
    return error_set(err, LATHE_ERR_UNSUPPORTED, LATHE_NO_OFFSET,
                     "compressed with zstd, but this lathe was built without zstd");
}

lathe_result zstd_unpack(const mem *m, zstd_bytes from, zstd_bytes dictionary, uint64_t limit,
                         uint8_t **to, size_t *size, zstd_how *how, lathe_error *err)
{
    (void)m, (void)from, (void)dictionary, (void)limit, (void)to, (void)size, (void)how;
    return without(err);
}

lathe_result zstd_pack(const mem *m, zstd_bytes from, zstd_bytes dictionary, const zstd_how *how,
                       uint8_t **to, size_t *size, lathe_error *err)
{
    (void)m, (void)from, (void)dictionary, (void)how, (void)to, (void)size;
    return without(err);
}

#else

#include <zstd.h>
#include <zstd_errors.h>

enum { LEVEL = 19 };

/* The id of a dictionary; 0: none, as for bytes that were not made as a dictionary. */
static uint32_t dictionary_id(zstd_bytes dictionary)
{
    enum { HEAD = 8 };
    const uint32_t magic = 0xEC30A437;
    if (dictionary.size < HEAD || bytes_ld32(dictionary.data, false) != magic)
        return 0;
    return bytes_ld32(dictionary.data + 4, false);
}

bool zstd_built_in(void)
{
    return true;
}

static lathe_result no_memory(lathe_error *err)
{
    return error_set(err, LATHE_ERR_MEMORY, LATHE_NO_OFFSET, "out of memory");
}

/* Shrinks the buffer to its contents, and passes it to the caller. */
static lathe_result give(buf *b, uint8_t **to, size_t *size, lathe_error *err)
{
    if (b->size && b->cap != b->size) {
        uint8_t *fit = mem_resize(b->mem, b->data, b->cap, b->size);
        if (!fit)
            return no_memory(err);
        b->data = fit;
        b->cap = b->size;
    }
    *to = b->size ? b->data : NULL;
    *size = b->size;
    if (b->size)
        buf_init(b, b->mem);
    return LATHE_OK;
}

/* ---- decompression ------------------------------------------------------------------------------ */

typedef struct unpacker {
    ZSTD_DCtx *context;
    zstd_bytes from, dictionary;
    uint64_t limit;
    bool chosen; /* the caller chose the limit */
    buf out;
    lathe_error *err;
} unpacker;

static lathe_result too_much(const unpacker *u, const zstd_frame *f)
{
    if (u->chosen)
        return error_set(u->err, LATHE_ERR_LIMIT, f->at,
                         "zstd frame: it decompresses to more than the limit of %llu bytes",
                         (unsigned long long)u->limit);
    return error_set(u->err, LATHE_ERR_LIMIT, f->at,
                     "zstd frame: %llu bytes decompress to more than the %llu that are allowed by "
                     "default: set the option limit",
                     (unsigned long long)u->from.size, (unsigned long long)u->limit);
}

/* Whether a dictionary is valid: for some damaged blocks, libzstd blames the dictionary. */
static bool sound(zstd_bytes dictionary)
{
    ZSTD_DDict *d = ZSTD_createDDict(dictionary.data, dictionary.size);
    ZSTD_freeDDict(d);
    return d != NULL;
}

static lathe_result failed(const unpacker *u, const zstd_frame *f, zstd_bytes dictionary,
                           size_t code)
{
    if (ZSTD_getErrorCode(code) == ZSTD_error_dictionary_corrupted && dictionary.size &&
        !sound(dictionary))
        return error_set(u->err, LATHE_ERR_INVALID, LATHE_NO_OFFSET,
                         "the zstd dictionary is damaged");
    switch (ZSTD_getErrorCode(code)) {
    case ZSTD_error_memory_allocation: return no_memory(u->err);
    case ZSTD_error_checksum_wrong:
        return error_set(u->err, LATHE_ERR_INVALID, f->at,
                         "zstd frame: the checksum of its content is wrong");
    case ZSTD_error_frameParameter_windowTooLarge:
        return error_set(u->err, LATHE_ERR_UNSUPPORTED, f->at,
                         "zstd frame: its window is larger than libzstd takes");
    default:
        return error_set(u->err, LATHE_ERR_INVALID, f->at,
                         "zstd frame: its blocks are damaged, or need another dictionary");
    }
}

/* Fails if a frame names another dictionary. */
static lathe_result check_dictionary(const unpacker *u, const zstd_frame *f)
{
    uint32_t id = dictionary_id(u->dictionary);
    if (!f->dictionary || f->dictionary == id)
        return LATHE_OK;
    if (!u->dictionary.size)
        return error_set(u->err, LATHE_ERR_UNSUPPORTED, f->at,
                         "zstd frame: it needs the dictionary with id %lu, and none is given",
                         (unsigned long)f->dictionary);
    if (!id)
        return error_set(
            u->err, LATHE_ERR_UNSUPPORTED, f->at,
            "zstd frame: it needs the dictionary with id %lu; what is given is no zstd "
            "dictionary",
            (unsigned long)f->dictionary);
    return error_set(
        u->err, LATHE_ERR_UNSUPPORTED, f->at,
        "zstd frame: it needs the dictionary with id %lu; the one that is given has id %lu",
        (unsigned long)f->dictionary, (unsigned long)id);
}

/* Tries a likely size first, and doubles it as long as the content is larger. */
static lathe_result unpack_with(unpacker *u, const zstd_frame *f, zstd_bytes dictionary)
{
    const uint64_t likely = 16 * f->size;
    uint64_t left = u->limit - u->out.size, most = f->most < left ? f->most : left;
    uint64_t room = likely > MB ? likely : MB;
    for (;; room *= 2) {
        room = room < most ? room : most;
        /* at least one byte, so that it is not NULL */
        if (room > SIZE_MAX / 2 || !buf_reserve(&u->out, (size_t)room + 1))
            return no_memory(u->err);
        size_t n = ZSTD_decompress_usingDict(u->context, u->out.data + u->out.size, (size_t)room,
                                             u->from.data + f->at, (size_t)f->size, dictionary.data,
                                             dictionary.size);
        if (!ZSTD_isError(n)) {
            u->out.size += n;
            return LATHE_OK;
        }
        if (ZSTD_getErrorCode(n) != ZSTD_error_dstSize_tooSmall)
            return failed(u, f, dictionary, n);
        if (room == most)
            return most == left ? too_much(u, f) : failed(u, f, dictionary, n);
    }
}

/* Decompresses a frame. One that names no dictionary may still need one without an id. */
static lathe_result unpack_frame(unpacker *u, const zstd_frame *f, bool *used)
{
    lathe_error *err = u->err, first;
    lathe_result r = check_dictionary(u, f);
    if (r != LATHE_OK)
        return r;
    if (f->sized && f->content > u->limit - u->out.size)
        return too_much(u, f);
    *used = f->dictionary != 0;
    if (*used || !u->dictionary.size)
        return unpack_with(u, f, *used ? u->dictionary : (zstd_bytes){NULL, 0});
    u->err = &first;
    r = unpack_with(u, f, (zstd_bytes){NULL, 0});
    if (r == LATHE_ERR_INVALID) {
        r = unpack_with(u, f, u->dictionary);
        *used = r == LATHE_OK;
    }
    u->err = err;
    return r == LATHE_OK ? r : error_pass(err, &first);
}

static lathe_result unpack_all(unpacker *u, zstd_how *how)
{
    lathe_result r = LATHE_OK;
    bool used = false, first = true;
    for (uint64_t at = 0; r == LATHE_OK && at < u->from.size;) {
        zstd_frame f;
        r = zstd_frame_at(u->from, at, &f, u->err);
        if (r != LATHE_OK)
            return r;
        at += f.size;
        if (f.skippable)
            continue;
        r = unpack_frame(u, &f, &used);
        if (first)
            *how = (zstd_how){f.checksum, used};
        first = false;
    }
    return r;
}

lathe_result zstd_unpack(const mem *m, zstd_bytes from, zstd_bytes dictionary, uint64_t limit,
                         uint8_t **to, size_t *size, zstd_how *how, lathe_error *err)
{
    unpacker u = {.from = from, .dictionary = dictionary, .chosen = limit != 0, .err = err};
    u.limit = limit ? limit : zstd_limit(from.size);
    u.context = ZSTD_createDCtx();
    if (!u.context)
        return no_memory(err);
    buf_init(&u.out, m);
    lathe_result r = unpack_all(&u, how);
    if (r == LATHE_OK)
        r = give(&u.out, to, size, err);
    buf_free(&u.out);
    ZSTD_freeDCtx(u.context);
    return r;
}

/* ---- compression -------------------------------------------------------------------------------- */

static size_t set_up(ZSTD_CCtx *c, zstd_bytes dictionary, const zstd_how *how)
{
    size_t code = ZSTD_CCtx_setParameter(c, ZSTD_c_compressionLevel, LEVEL);
    if (!ZSTD_isError(code))
        code = ZSTD_CCtx_setParameter(c, ZSTD_c_checksumFlag, how->checksum);
    if (!ZSTD_isError(code) && how->dictionary)
        code = ZSTD_CCtx_loadDictionary(c, dictionary.data, dictionary.size);
    return code;
}

static lathe_result pack(ZSTD_CCtx *c, zstd_bytes from, zstd_bytes dictionary, const zstd_how *how,
                         buf *out, lathe_error *err)
{
    size_t code = set_up(c, dictionary, how), bound = ZSTD_compressBound(from.size);
    if (!ZSTD_isError(code)) {
        if (ZSTD_isError(bound) || !buf_reserve(out, bound))
            return no_memory(err);
        code = ZSTD_compress2(c, out->data, out->cap, from.data, from.size);
    }
    if (!ZSTD_isError(code)) {
        out->size = code;
        return LATHE_OK;
    }
    if (ZSTD_getErrorCode(code) == ZSTD_error_memory_allocation)
        return no_memory(err);
    return error_set(err, LATHE_ERR_UNSUPPORTED, LATHE_NO_OFFSET, "zstd cannot compress it: %s",
                     ZSTD_getErrorName(code));
}

lathe_result zstd_pack(const mem *m, zstd_bytes from, zstd_bytes dictionary, const zstd_how *how,
                       uint8_t **to, size_t *size, lathe_error *err)
{
    ZSTD_CCtx *c = ZSTD_createCCtx();
    buf out;
    if (!c)
        return no_memory(err);
    buf_init(&out, m);
    lathe_result r = pack(c, from, dictionary, how, &out, err);
    if (r == LATHE_OK)
        r = give(&out, to, size, err);
    buf_free(&out);
    ZSTD_freeCCtx(c);
    return r;
}

#endif
