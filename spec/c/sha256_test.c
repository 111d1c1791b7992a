/* core/base/sha256: published values, and messages that arrive in pieces. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/sha256.h"

static const char *hex(const uint8_t digest[SHA256_SIZE])
{
    static char text[2 * SHA256_SIZE + 1];
    for (int i = 0; i < SHA256_SIZE; i++)
        snprintf(text + 2 * i, 3, "%02x", digest[i]);
    return text;
}

static const char *of(const void *bytes, size_t n)
{
    uint8_t digest[SHA256_SIZE];
    sha256 s;
    sha256_begin(&s);
    sha256_put(&s, bytes, n);
    sha256_end(&s, digest);
    return hex(digest);
}

/* Examples of FIPS 180-4 and of NIST's test vectors (SHA256ShortMsg): no block, one, two, and sizes around the end of
 * a block. */
static void published_values(void **state)
{
    (void)state;
    static const struct {
        const char *message, *digest;
    } known[] = {
        {"", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"},
        {"abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"},
        {"abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
         "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"},
        {"abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmnhijklmnoijklmnopjklmnopqklmnopqrl"
         "mnop"
         "qrsmnopqrstnopqrstu",
         "cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1"},
    };
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
        assert_string_equal(of(known[i].message, strlen(known[i].message)), known[i].digest);
}

static void a_million_letters(void **state)
{
    (void)state;
    char *all = malloc(1000000);
    assert_non_null(all);
    memset(all, 'a', 1000000);
    assert_string_equal(of(all, 1000000),
                        "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
    free(all);
}

/* The digest of the digests of all messages of 0 to 300 bytes; the value is that of Python's hashlib. */
static void all_lengths(void **state)
{
    (void)state;
    uint8_t message[300], digest[SHA256_SIZE];
    sha256 all, one;
    for (size_t i = 0; i < sizeof message; i++)
        message[i] = (uint8_t)(i * 7 + 3);
    sha256_begin(&all);
    for (size_t n = 0; n <= sizeof message; n++) {
        sha256_begin(&one);
        sha256_put(&one, message, n);
        sha256_end(&one, digest);
        sha256_put(&all, digest, sizeof digest);
    }
    sha256_end(&all, digest);
    assert_string_equal(hex(digest),
                        "7d917fbd2cf49ddff9ad0a8706bba32d204e92e71d2e369c5a03d6af29278c9f");
}

/* A message in two pieces, split anywhere, and byte by byte. */
static void pieces(void **state)
{
    (void)state;
    uint8_t message[200], digest[SHA256_SIZE];
    char whole[2 * SHA256_SIZE + 1];
    sha256 s;
    for (size_t i = 0; i < sizeof message; i++)
        message[i] = (uint8_t)(i * 31);
    memcpy(whole, of(message, sizeof message), sizeof whole);
    for (size_t at = 0; at <= sizeof message; at++) {
        sha256_begin(&s);
        sha256_put(&s, message, at);
        sha256_put(&s, message + at, sizeof message - at);
        sha256_end(&s, digest);
        assert_string_equal(hex(digest), whole);
    }
    sha256_begin(&s);
    for (size_t i = 0; i < sizeof message; i++)
        sha256_put(&s, message + i, 1);
    sha256_end(&s, digest);
    assert_string_equal(hex(digest), whole);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(published_values),
        cmocka_unit_test(a_million_letters),
        cmocka_unit_test(all_lengths),
        cmocka_unit_test(pieces),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
