/* Compressed files: what unpacks within its limit is packed and unpacked to the same bytes, in memory that is bounded by
 * the limit; what is opened is encoded to its own bytes, and compressed anew to what holds the same. */
#include "base/zstd.h"
#include "base/zstd_frame.h"

#include "counted.h"
#include "promise.h"

#include <stdlib.h>
#include <string.h>

enum { LIMIT = 300000, SLACK = 100000 };

/* The frames that were found by their headers are those that libzstd reads. */
static void frames(zstd_bytes from, bool unpacked)
{
    zstd_frame f;
    uint64_t at = 0, most = 0;
    lathe_error err;
    while (at < from.size) {
        lathe_result r = zstd_frame_at(from, at, &f, &err);
        PROMISE(r == LATHE_OK || !unpacked);
        if (r != LATHE_OK) {
            PROMISE(err.offset <= from.size && err.message[0]);
            return;
        }
        PROMISE(f.at == at && f.size > 0 && f.size <= from.size - at);
        PROMISE(!f.sized || f.content == f.most);
        most += f.most;
        at += f.size;
    }
    PROMISE(!unpacked || most <= UINT64_MAX / 2);
}

static void unpack(zstd_bytes from, zstd_bytes dictionary)
{
    counted c = {0};
    const mem m = {count, &c};
    lathe_error err;
    zstd_how how = {.checksum = false}, how_again;
    uint8_t *to = NULL, *packed = NULL, *again = NULL;
    size_t n = 0, packed_n, again_n;
    lathe_result r = zstd_unpack(&m, from, dictionary, LIMIT, &to, &n, &how, &err);
    frames(from, r == LATHE_OK);
    PROMISE(c.most <= 2 * LIMIT + SLACK);
    if (r != LATHE_OK) {
        PROMISE(c.now == 0 && err.code == r && err.message[0] && r != LATHE_ERR_MEMORY);
        return;
    }
    PROMISE(n <= LIMIT && c.now == n);
    r = zstd_pack(&m, (zstd_bytes){to, n}, dictionary, &how, &packed, &packed_n, &err);
    PROMISE(r == LATHE_OK);
    r = zstd_unpack(&m, (zstd_bytes){packed, packed_n}, dictionary, LIMIT, &again, &again_n,
                    &how_again, &err);
    PROMISE(r == LATHE_OK && again_n == n && (!n || memcmp(again, to, n) == 0));
    PROMISE(how_again.checksum == how.checksum);
    mem_free(&m, to, n);
    mem_free(&m, packed, packed_n);
    mem_free(&m, again, again_n);
    PROMISE(c.now == 0);
}

typedef struct kept {
    uint8_t data[2 * LIMIT];
    size_t n;
} kept;

static bool keep(void *user, const void *bytes, size_t n)
{
    kept *k = user;
    PROMISE(n <= sizeof k->data - k->n);
    memcpy(k->data + k->n, bytes, n);
    k->n += n;
    return true;
}

static void document(const uint8_t *data, size_t size)
{
    static kept out;
    counted c = {0};
    const lathe_options o = {
        .size = sizeof o, .limit = LIMIT, .format = "solid", .alloc = count, .alloc_user = &c};
    lathe_doc *doc = NULL;
    lathe_error err;
    if (lathe_doc_parse(data, size, &o, &doc, &err) == LATHE_OK) {
        for (int times = 0; times < 2; times++) {
            out.n = 0;
            PROMISE(lathe_doc_encode(doc, keep, &out, &err) == LATHE_OK);
            PROMISE(out.n == size && memcmp(out.data, data, size) == 0);
            PROMISE(lathe_doc_size(doc) == size && !lathe_doc_modified(doc));
            const char *was = lathe_doc_info(doc, "compression");
            PROMISE(lathe_doc_set_compression(doc, was ? NULL : "zstd", &err) == LATHE_OK);
            out.n = 0;
            PROMISE(lathe_doc_encode(doc, keep, &out, &err) == LATHE_OK);
            PROMISE(lathe_doc_size(doc) == out.n && lathe_doc_modified(doc));
            PROMISE(lathe_doc_set_compression(doc, was, &err) == LATHE_OK);
        }
    }
    lathe_doc_close(doc);
    PROMISE(c.now == 0);
}

/* The first byte says how many follow that are a dictionary. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (!size || size > LIMIT)
        return 0;
    size_t n = data[0] < size ? data[0] : size - 1;
    const zstd_bytes dictionary = {data + 1, n}, from = {data + 1 + n, size - 1 - n};
    if (zstd_is(from.data, from.size)) {
        unpack(from, dictionary);
        document(from.data, from.size);
    }
    return 0;
}
