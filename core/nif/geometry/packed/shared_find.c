/* Finds the geometry file with a name hash. formats/precombined.md#51 */
#include "nif/geometry/packed/shared.h"

#include "base/error.h"
#include "base/os.h"
#include "record/companions.h"

#include <stdio.h>

enum { LONGEST_NAME = 512 };

typedef struct search {
    lathe_doc *doc;
    uint32_t hash;
    char found[LONGEST_NAME]; /* best name in the folder that is being listed; "": none */
    char other[LONGEST_NAME]; /* a geometry file of another name … */
    uint32_t other_hash;      /* … and its hash */
    bool listed;              /* the last folder could be listed */
    char looked[256];         /* where nothing was found, for the message */
} search;

/* ---- names ----------------------------------------------------------------------------------------------- */

static char small(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

static bool same_word(const char *p, size_t n, const char *word)
{
    size_t i = 0;
    while (i < n && word[i] && small(p[i]) == word[i])
        i++;
    return i == n && !word[i];
}

static bool has_extension(const char *name, const char *extension)
{
    const char *dot = strrchr(name, '.');
    return dot && same_word(dot + 1, strlen(dot + 1), extension);
}

static bool is_slash(char c)
{
    return c == '/' || c == '\\';
}

static void copy(char *to, size_t cap, const char *from)
{
    size_t n = strlen(from);
    if (n < cap) /* a longer name cannot be opened by a game */
        memcpy(to, from, n + 1);
}

static void note_other(search *s, const char *name, uint32_t hash)
{
    copy(s->other, sizeof s->other, name);
    s->other_hash = hash;
}

/* Compares a file name. Compressed files are preferred; of two names that differ in case always the same is
 * used. */
static bool look_at(void *user, const char *name)
{
    search *s = user;
    bool packed = has_extension(name, "csg");
    if (!packed && !has_extension(name, "psg"))
        return true;
    if (csg_hash(name) != s->hash) {
        note_other(s, name, csg_hash(name));
        return true;
    }
    bool before = s->found[0] && has_extension(s->found, "csg");
    if (!s->found[0] || packed > before || (packed == before && strcmp(name, s->found) < 0))
        copy(s->found, sizeof s->found, name);
    return true;
}

/* The names of the games' own files. */
static const char *name_of(uint32_t hash)
{
    static const char *const names[] = {
        "Fallout4",      "DLCRobot",      "DLCCoast",      "DLCNukaWorld",
        "DLCWorkshop01", "DLCWorkshop02", "DLCWorkshop03", NULL};
    char text[64];
    for (size_t i = 0; names[i]; i++) {
        snprintf(text, sizeof text, "%s - Geometry", names[i]);
        if (csg_hash(text) == hash)
            return names[i];
    }
    return NULL;
}

/* ---- folders --------------------------------------------------------------------------------------------- */

static void note_place(search *s, const char *place, const char *why)
{
    size_t n = strlen(s->looked);
    snprintf(s->looked + n, sizeof s->looked - n, "%s'%s'%s%s%s", n ? ", " : "", place,
             why ? " (" : "", why ? why : "", why ? ")" : "");
}

static lathe_result not_here(void)
{
    return LATHE_ERR_NAME;
}

/* LATHE_ERR_NAME: the folder has no such name. Otherwise the result of opening the file. */
static lathe_result try_folder(search *s, const char *folder, lathe_doc **out, lathe_error *err)
{
    lathe_error why;
    s->found[0] = 0;
    s->listed = rec_companion_list(s->doc, folder, look_at, s, &why) == LATHE_OK;
    if (!s->found[0]) {
        note_place(s, folder, s->listed ? NULL : why.message);
        return not_here();
    }
    size_t n = strlen(folder), size = n + strlen(s->found) + 2;
    char *path = mem_alloc(&s->doc->mem, size);
    if (!path)
        return rec_no_memory(err);
    bool ends = n && is_slash(folder[n - 1]);
    snprintf(path, size, "%s%s%s", strcmp(folder, ".") == 0 ? "" : folder,
             ends || strcmp(folder, ".") == 0 ? "" : "/", s->found);
    lathe_result r = rec_companion_open(s->doc, s->hash, path, out, err);
    mem_free(&s->doc->mem, path, size);
    return r;
}

static lathe_result try_file(search *s, const lathe_geometry *g, lathe_doc **out, lathe_error *err)
{
    if (g->renamed ? g->hash == s->hash : csg_hash(g->path) == s->hash)
        return rec_companion_open(s->doc, s->hash, g->path, out, err);
    if (!g->renamed)
        note_other(s, g->path, csg_hash(g->path));
    return not_here();
}

static lathe_result try_open(search *s, const lathe_geometry *g, lathe_doc **out, lathe_error *err)
{
    uint32_t own = g->doc->path ? csg_hash(g->doc->path) : 0;
    if ((g->renamed ? g->hash : own) == s->hash) {
        *out = g->doc;
        return rec_companion_use(s->doc, s->hash, g->doc, err);
    }
    if (!g->renamed)
        note_other(s, g->doc->path ? g->doc->path : "a document without a path", own);
    return not_here();
}

static lathe_result try_given(search *s, const lathe_geometry *g, lathe_doc **out, lathe_error *err)
{
    if (g->doc)
        return try_open(s, g, out, err);
    if (!g->path)
        return not_here();
    if (g->renamed || has_extension(g->path, "csg") || has_extension(g->path, "psg"))
        return try_file(s, g, out, err);
    lathe_result r = try_folder(s, g->path, out, err);
    return r == LATHE_ERR_NAME && !s->listed && csg_hash(g->path) == s->hash
               ? try_file(s, g, out, err) /* with another extension */
               : r;
}

/* ---- searching without a given path ---------------------------------------------------------------------- */

/* End of the folder above the innermost folder Meshes; -1: there is none. */
static int64_t above_meshes(const char *path)
{
    int64_t end = -1;
    for (size_t at = 0, i = 0; path[i]; i++) {
        if (!is_slash(path[i]))
            continue;
        if (same_word(path + at, i - at, "meshes"))
            end = (int64_t)at;
        at = i + 1;
    }
    return end;
}

/* The first n bytes of a path as a folder, in n + 2 bytes; NULL: out of memory. */
static char *folder_of(lathe_doc *doc, const char *path, size_t n)
{
    char *folder = mem_alloc(&doc->mem, n + 2);
    if (!folder)
        return NULL;
    memcpy(folder, n ? path : ".", n ? n : 1);
    for (n = n ? n : 1; n > 1 && is_slash(folder[n - 1]);)
        n--;
    folder[n] = 0;
    return folder;
}

static lathe_result try_part(search *s, const char *path, int64_t n, lathe_doc **out,
                             lathe_error *err)
{
    if (n < 0)
        return not_here();
    char *folder = folder_of(s->doc, path, (size_t)n);
    if (!folder)
        return rec_no_memory(err);
    lathe_result r = try_folder(s, folder, out, err);
    mem_free(&s->doc->mem, folder, (size_t)n + 2);
    return r;
}

static lathe_result try_around(search *s, const char *path, lathe_doc **out, lathe_error *err)
{
    int64_t n = 0;
    for (int64_t i = 0; path[i]; i++)
        n = is_slash(path[i]) ? i + 1 : n;
    lathe_result r = try_part(s, path, n, out, err);
    if (r != LATHE_ERR_NAME)
        return r;
    n = above_meshes(path);
    if (n >= 0)
        return try_part(s, path, n, out, err);
    buf real; /* the working directory may be inside of Meshes */
    buf_init(&real, &s->doc->mem);
    if (os_real_path(path, &real, NULL) == LATHE_OK)
        r = try_part(s, (const char *)real.data, above_meshes((const char *)real.data), out, err);
    buf_free(&real);
    return r;
}

/* ---- searching ------------------------------------------------------------------------------------------- */

static lathe_result missing(const search *s, lathe_error *err)
{
    char who[64] = "", other[LONGEST_NAME + 64] = "";
    const char *known = name_of(s->hash);
    if (known)
        snprintf(who, sizeof who, " (%s - Geometry)", known);
    if (s->other[0])
        snprintf(other, sizeof other, "; '%s' has 0x%08lX", s->other, (unsigned long)s->other_hash);
    return error_set(err, LATHE_ERR_IO, LATHE_NO_OFFSET,
                     "its geometry file is missing: no .csg or .psg whose name has the hash "
                     "0x%08lX%s%s%s%s (the option geometry says where to look)",
                     (unsigned long)s->hash, who, s->looked[0] ? " in " : "", s->looked, other);
}

static lathe_result find(search *s, lathe_doc **out, lathe_error *err)
{
    size_t n;
    const lathe_geometry *given = rec_companion_given(s->doc, &n);
    lathe_result r = not_here();
    for (size_t i = 0; r == LATHE_ERR_NAME && i < n; i++)
        r = try_given(s, &given[i], out, err);
    if (!n && s->doc->path)
        r = try_around(s, s->doc->path, out, err);
    return r == LATHE_ERR_NAME ? missing(s, err) : r;
}

/* Fails for a file of another kind with the name of a geometry file. */
static lathe_result is_geometry(lathe_doc *other, lathe_error *err)
{
    if (csg_is(other))
        return LATHE_OK;
    error_set(err, LATHE_ERR_FORMAT, LATHE_NO_OFFSET, "a geometry file expected, got %s",
              lathe_doc_info(other, "format"));
    error_path(err, other->path);
    return LATHE_ERR_FORMAT;
}

lathe_result nif_shared_doc(lathe_doc *doc, uint32_t hash, lathe_doc **out, lathe_error *err)
{
    search s = {.doc = doc, .hash = hash};
    lathe_error why;
    lathe_doc *found = rec_companion_find(doc, hash);
    if (!found) {
        lathe_result r = rec_companion_missed(doc, hash, err);
        if (r != LATHE_OK)
            return r;
        r = find(&s, &found, &why);
        if (r != LATHE_OK) {
            rec_companion_miss(doc, hash, &why);
            return error_pass(err, &why);
        }
    }
    *out = found;
    return is_geometry(found, err);
}
