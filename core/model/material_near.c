/* Suggestions for unknown names of collision materials, given as text or as hash. */
#include "base/error.h"
#include "model/material_name.h"

#include <string.h>

/* ---- texts ------------------------------------------------------------------------------------------------- */

const char *model_material_near(const char *p, size_t n)
{
    char text[MODEL_MATERIAL_TEXT];
    if (n >= sizeof text || memchr(p, 0, n))
        return NULL;
    memcpy(text, p, n);
    text[n] = 0;
    return error_nearest(text, model_material_each, NULL);
}

/* ---- numbers ----------------------------------------------------------------------------------------------- */

/* CRC can be computed backwards. For each name, the state before each letter follows from the letters in front of it,
 * and the required state after it from the hash. So testing a change at one place takes a few steps. */
typedef struct crc {
    uint32_t table[256];
    /* index into the table by the upper byte of the entry, which is unique */
    uint8_t by_top[256];
} crc;

static void prepare(crc *c)
{
    for (uint32_t i = 0; i < 256; i++) {
        uint32_t entry = i;
        for (int bit = 0; bit < 8; bit++)
            entry = entry >> 1 ^ (entry & 1 ? 0xEDB88320 : 0);
        c->table[i] = entry;
        c->by_top[entry >> 24] = (uint8_t)i;
    }
}

static uint32_t forward(const crc *c, uint32_t state, char letter)
{
    return c->table[(state ^ (uint8_t)letter) & 0xFF] ^ state >> 8;
}

/* The state before a letter, from the state after it. */
static uint32_t backward(const crc *c, uint32_t state, char letter)
{
    uint8_t i = c->by_top[state >> 24];
    return (state ^ c->table[i]) << 8 | (uint8_t)(i ^ (uint8_t)letter);
}

/* Finds the letter between two states. False: there is none. */
static bool joins(const crc *c, uint32_t from, uint32_t to, char *letter)
{
    *letter = (char)(c->by_top[to >> 24] ^ (from & 0xFF));
    return forward(c, from, *letter) == to &&
           (*letter == ' ' || (*letter >= 'a' && *letter <= 'z') ||
            (*letter >= '0' && *letter <= '9'));
}

/* Builds name[0 .. at), `between`, name[from .. n). */
static void spell(char *text, const char *name, size_t at, const char *between, size_t letters,
                  size_t from)
{
    memcpy(text, name, at);
    memcpy(text + at, between, letters);
    memcpy(text + at + letters, name + from, strlen(name + from) + 1);
}

/* Tries all changes at letter `at` of a name of n letters. `before` is the state before that letter, behind[i] the
 * required state before letter i. */
static bool changes(const crc *c, const char *name, size_t n, size_t at, uint32_t before,
                    const uint32_t *behind, char *text)
{
    char letters[2];
    if (joins(c, before, behind[at], letters)) { /* an additional letter */
        spell(text, name, at, letters, 1, at);
        return true;
    }
    if (at == n)
        return false;
    if (before == behind[at + 1]) { /* a missing letter */
        spell(text, name, at, "", 0, at + 1);
        return true;
    }
    if (joins(c, before, behind[at + 1], letters)) { /* a replaced letter */
        spell(text, name, at, letters, 1, at + 1);
        return true;
    }
    if (at + 1 == n || forward(c, forward(c, before, name[at + 1]), name[at]) != behind[at + 2])
        return false;
    letters[0] = name[at + 1]; /* two swapped letters */
    letters[1] = name[at];
    spell(text, name, at, letters, 2, at + 2);
    return true;
}

static bool leads_to(const crc *c, const char *name, uint32_t hash, char *text)
{
    uint32_t behind[MODEL_MATERIAL_TEXT], before = 0;
    size_t n = strlen(name);
    if (n + 2 > MODEL_MATERIAL_TEXT)
        return false;
    behind[n] = hash;
    for (size_t i = n; i-- > 0;)
        behind[i] = backward(c, behind[i + 1], name[i]);
    for (size_t i = 0; i <= n; i++) {
        if (changes(c, name, n, i, before, behind, text))
            return true;
        before = forward(c, before, name[i]);
    }
    return false;
}

const char *model_material_misspelt(uint32_t hash, char *text)
{
    const char *name;
    crc c;
    prepare(&c);
    for (size_t i = 0; (name = model_material_each(NULL, i)) != NULL; i++)
        if (leads_to(&c, name, hash, text))
            return name;
    return NULL;
}
