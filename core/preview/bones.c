/* Where bones are, and on which side of the body. */
#include "preview/bones.h"

#include <math.h>

bool preview_bones_point(const preview_bones *bones, size_t i, vec3 *out)
{
    *out = bones->points[i];
    return isfinite(out->x) && isfinite(out->y) && isfinite(out->z);
}

/* ---- sides ---------------------------------------------------------------------------------------- */

static bool is_small(char c)
{
    return c >= 'a' && c <= 'z';
}

/* Whether a word begins at p with a letter for the side, as in LArm. */
static bool leads_word(const char *p)
{
    return p[1] && !is_small(p[0]) && !is_small(p[1]) && is_small(p[2]);
}

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/* Whether the name at p begins with a word in small letters, in any case. */
static bool begins(const char *p, const char *word)
{
    for (; *word; p++, word++)
        if ((*p | 0x20) != *word)
            return false;
    return true;
}

preview_side preview_side_of(const char *name)
{
    for (const char *p = name; p && *p; p++) {
        if (begins(p, "left"))
            return PREVIEW_LEFT;
        if (begins(p, "right"))
            return PREVIEW_RIGHT;
        bool single = (p == name || !is_letter(p[-1])) && (!is_letter(p[1]) || leads_word(p));
        if (single && (*p == 'L' || *p == 'l'))
            return PREVIEW_LEFT;
        if (single && (*p == 'R' || *p == 'r'))
            return PREVIEW_RIGHT;
    }
    return PREVIEW_MIDDLE;
}

#define KEY(text, color)                                                                           \
    {                                                                                              \
        {text, sizeof text - 1}, color                                                             \
    }
const frame_key preview_side_keys[PREVIEW_SIDES] = {
    KEY("middle", 0x6b7484ff),
    KEY("left, by name", 0x2f6fdeff),
    KEY("right, by name", 0xd9642bff),
};
