/* Hashes, and what a record of finished files needs: for the command line. */
#include "bindings.h"

#include "base/error.h"
#include "base/os.h"
#include "base/sha256.h"

#include <stdio.h>
#include <string.h>

/* ---- hashes ---------------------------------------------------------------------------------- */

static void push_hex(lua_State *L, const uint8_t digest[SHA256_SIZE])
{
    char text[2 * SHA256_SIZE + 1];
    for (int i = 0; i < SHA256_SIZE; i++)
        snprintf(text + 2 * i, 3, "%02x", digest[i]);
    lua_pushlstring(L, text, 2 * SHA256_SIZE);
}

static bool put_sum(void *user, const void *bytes, size_t n)
{
    sha256_put(user, bytes, n);
    return true;
}

/* Large, because each read looks whether the file is still the same. */
enum { PART = 1 << 20 };

static lathe_result sum_file(const char *path, sha256 *sum, lathe_error *err)
{
    mem m = mem_default();
    os_file *file = NULL;
    uint8_t *part = mem_alloc(&m, PART);
    lathe_result r = part ? os_file_open(NULL, path, &m, &file, err)
                          : error_set(err, LATHE_ERR_MEMORY, LATHE_NO_OFFSET, "not enough memory");
    uint64_t size = r == LATHE_OK ? os_file_size(file) : 0;
    for (uint64_t at = 0; r == LATHE_OK && at < size;) {
        size_t n = size - at < PART ? (size_t)(size - at) : PART;
        r = os_file_read(file, at, part, n, err);
        if (r == LATHE_OK)
            sha256_put(sum, part, n);
        at += n;
    }
    os_file_close(file);
    mem_free(&m, part, PART);
    return r;
}

/* core.sha256(bytes), core.sha256(document), core.sha256(nil, path): the SHA-256 hash in hexadecimal digits, of bytes, of
 * what a document would save, or of a file; nil and an error if that cannot be read or encoded */
int l_core_sha256(lua_State *L)
{
    uint8_t digest[SHA256_SIZE];
    lathe_error err;
    lathe_result r = LATHE_OK;
    sha256 sum;
    size_t n = 0;
    sha256_begin(&sum);
    if (lua_isnil(L, 1))
        r = sum_file(l_check_path(L, 2), &sum, &err);
    else if (lua_type(L, 1) == LUA_TSTRING) {
        const char *bytes = lua_tolstring(L, 1, &n);
        put_sum(&sum, bytes, n);
    } else
        r = lathe_doc_encode(l_check_document(L, 1)->doc, put_sum, &sum, &err);
    if (r != LATHE_OK)
        return l_fail(L, &err);
    sha256_end(&sum, digest);
    push_hex(L, digest);
    return 1;
}

/* ---- records --------------------------------------------------------------------------------- */

/* core.append_file(real, path, bytes, durable): appends with one write, and flushes to disk if `durable` is set; `path` is
 * shown in errors */
int l_core_append(lua_State *L)
{
    size_t n;
    lathe_error err;
    const char *real = l_check_path(L, 1), *path = luaL_checkstring(L, 2);
    const char *bytes = luaL_checklstring(L, 3, &n);
    if (os_append_real(real, path, bytes, n, lua_toboolean(L, 4), &err) != LATHE_OK)
        return l_fail(L, &err);
    lua_pushboolean(L, 1);
    return 1;
}

/* core.put_back(real, path, only_look): moves the backup of a file over it; `path` is shown in errors. only_look: whether
 * that can succeed, as far as it is known in advance */
int l_core_put_back(lua_State *L)
{
    lathe_error err;
    const char *real = l_check_path(L, 1), *path = luaL_checkstring(L, 2);
    if (os_put_back_real(real, path, lua_toboolean(L, 3), &err) != LATHE_OK)
        return l_fail(L, &err);
    lua_pushboolean(L, 1);
    return 1;
}

enum { NOTE = 4 }; /* the stack index of the function */

/* note, digest -> what note(hash) returns */
static int call_with_hex(lua_State *L)
{
    push_hex(L, lua_touserdata(L, 2));
    lua_replace(L, 2);
    lua_call(L, 1, 2);
    return 2;
}

/* Calls the function. Nothing may be raised through the save, so errors become those of the save. */
static bool call_note(void *user, const uint8_t *digest, lathe_error *err)
{
    lua_State *L = user;
    uint8_t copy[SHA256_SIZE];
    memcpy(copy, digest, sizeof copy);
    lua_pushcfunction(L, call_with_hex);
    lua_pushvalue(L, NOTE);
    lua_pushlightuserdata(L, copy);
    if (lua_pcall(L, 2, 2, 0) == LUA_OK) {
        if (lua_toboolean(L, -2)) {
            lua_pop(L, 2);
            return true;
        }
    } else {
        lua_pushnil(L);
        lua_insert(L, -2);
    }
    const char *why = lua_type(L, -1) == LUA_TSTRING ? lua_tostring(L, -1) : "cannot be recorded";
    error_set(err, LATHE_ERR_IO, LATHE_NO_OFFSET, "%s", why);
    lua_pop(L, 2);
    return false;
}

/* core.save_noted(doc, path, backup, note): doc:save(path, { backup = backup }) that leaves a backup that exists, and calls
 * note(hash) with the hash of the new file before that replaces the old one. note returns true, or nil and the reason why the old file stays. The guard is
 * not asked: the caller decides where to write. */
int l_core_save_noted(lua_State *L)
{
    l_doc *d = l_check_document(L, 1);
    const char *path = l_check_path(L, 2);
    lathe_save_options o = {.size = sizeof o, .backup = lua_toboolean(L, 3)};
    lathe_error err;
    luaL_checktype(L, NOTE, LUA_TFUNCTION);
    lua_settop(L, NOTE);
    luaL_checkstack(L, 8, NULL);
    const rec_save_note note = {call_note, L};
    if (rec_doc_save_noted(d->doc, NULL, path, &o, &note, &err) != LATHE_OK)
        return l_fail(L, &err);
    return l_push_saved(L, d);
}
