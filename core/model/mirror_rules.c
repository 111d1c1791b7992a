#include "model/mirror_rules.h"

#include <string.h>

/* The first rule applies whose other name belongs to a bone. */
static const mirror_rule rules[] = {
    /* Skyrim: "NPC L Thigh [LThg]", "NPC LEye [EyeL]", "SkirtLBone01"; also its ragdolls and creatures. The shield in
     * the left hand is the counterpart of the weapon in the right one. */
    {"*NPC L * [L*]", "*NPC R * [R*]"},
    {"*NPC L* [*L]", "*NPC R* [*R]"},
    {"*NPC L *", "*NPC R *"},
    {"SkirtL*", "SkirtR*"},
    {"AnimObjectL*", "AnimObjectR*"},
    {"Shield", "Weapon"},
    /* Fallout 4: "LArm_Collarbone", "LLeg_Thigh", "L_RibHelper". */
    {"WeaponLeft", "Weapon"},
    {"WeaponIKTargetL*", "WeaponIKTargetR*"},
    {"L_*", "R_*"},
    {"*_LArm_*", "*_RArm_*"},
    {"*_LLeg*", "*_RLeg*"},
    /* Others: "L Thigh", "LThighTwist", "Bip01 L Hand", "LeftArm", "hand_l", "Hand.L". */
    {"L ^*", "R ^*"},
    {"L^*", "R^*"},
    {"* L ^*", "* R ^*"},
    {"*_L_*", "*_R_*"},
    {"*Left*", "*Right*"},
    {"*left*", "*right*"},
    {"*_L", "*_R"},
    {"*_l", "*_r"},
    {"*.L", "*.R"},
    {"*.l", "*.r"},
    {"* L", "* R"},
};
const size_t mirror_rule_count = sizeof rules / sizeof rules[0];

enum { WILD = 8 }; /* maximum number of wildcards in a pattern */

/* The text that each wildcard matches. */
typedef struct captured {
    size_t n;
    struct {
        const char *p;
        size_t n;
    } of[WILD];
} captured;

static bool is_capital(char c)
{
    return (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

/* The recursion is as deep as the pattern is long, which is short. */
static bool fits(const char *pattern, const char *name, captured *all)
{
    if (*pattern == '\0')
        return *name == '\0';
    if (*pattern != '*' && *pattern != '^')
        return *name == *pattern && fits(pattern + 1, name + 1, all);
    if (all->n == WILD || (*pattern == '^' && !is_capital(*name)))
        return false;
    size_t most = *pattern == '^' ? 1 : strlen(name), i = all->n++;
    all->of[i].p = name;
    for (size_t n = *pattern == '^'; n <= most; n++) {
        all->of[i].n = n;
        if (fits(pattern + 1, name + n, all))
            return true;
    }
    all->n = i;
    return false;
}

static bool fill(const char *pattern, const captured *all, char out[MIRROR_NAME])
{
    size_t put = 0, next = 0;
    for (; *pattern; pattern++) {
        bool wild = *pattern == '*' || *pattern == '^';
        const char *from = wild ? all->of[next].p : pattern;
        size_t n = wild ? all->of[next++].n : 1;
        if (n >= MIRROR_NAME - put)
            return false;
        memcpy(out + put, from, n);
        put += n;
    }
    out[put] = '\0';
    return true;
}

bool mirror_name(size_t i, const char *name, char out[MIRROR_NAME])
{
    captured all = {.n = 0};
    const mirror_rule *rule = &rules[i];
    if (!memchr(name, '\0', MIRROR_NAME))
        return false;
    if (fits(rule->left, name, &all))
        return fill(rule->right, &all, out);
    all.n = 0;
    return fits(rule->right, name, &all) && fill(rule->left, &all, out);
}
