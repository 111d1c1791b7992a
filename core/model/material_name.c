/* Names of what collision is made of. Reference: formats/fo4-collision.md#3.7. */
#include "model/material_name.h"

#include <stdlib.h>
#include <string.h>

static const struct {
    const char *name;
    uint32_t hash;
} known[] = {
    {"actormetal", 0x4E85DE57},
    {"barrel", 0x2BA39614},
    {"bottle", 0x1D6B08F6},
    {"broken stone", 0x07D13747},
    {"cloth", 0xE4D39CA3},
    {"dirt", 0xB9233EAA},
    {"glass", 0xDEE94842},
    {"grass", 0x6E2F68EE},
    {"gravel", 0x198BBA58},
    {"ice", 0x340E5D1C},
    {"light wood", 0x15C7DEE3},
    {"materialweaponpistol", 0xF7272B39},
    {"materialweaponrifle", 0x479F2744},
    {"metal", 0x064003D4},
    {"metalheavy", 0xF413D173},
    {"metalhollow", 0xB26A84C5},
    {"metallight", 0xE538F7DB},
    {"metalsolid", 0x2A1A6690},
    {"metalstairs", 0xC0EB623D},
    {"mud", 0x58987081},
    {"none", 0x5ED4DFD3},
    {"nullmaterial", 0x26067D15},
    {"organic", 0xB151ADDB},
    {"plastic", 0x7DFA6E05},
    {"sand", 0x813E4D0D},
    {"skin", 0x233DB702},
    {"snow", 0x17C77AAF},
    {"solid metal", 0x4CCACC3B},
    {"stone", 0xDF02F237},
    {"water", 0x3D11E3C7},
    {"wood", 0x1DD9C611},
};

uint32_t model_material_hash(const char *p, size_t n)
{
    uint32_t crc = 0;
    for (size_t i = 0; i < n; i++) {
        crc ^= (uint8_t)(p[i] >= 'A' && p[i] <= 'Z' ? p[i] - 'A' + 'a' : p[i]);
        for (int bit = 0; bit < 8; bit++)
            crc = crc >> 1 ^ (crc & 1 ? 0xEDB88320 : 0);
    }
    return crc;
}

bool model_material_word(const char *p, size_t n, uint32_t *number, bool *named)
{
    char digits[24], *end;
    for (size_t i = 0; i < n; i++)
        if (strchr("*/\\.", p[i])) /* a NUL, too */
            return false;
    if (n && p[0] >= '0' && p[0] <= '9' && n < sizeof digits) {
        memcpy(digits, p, n);
        digits[n] = 0;
        unsigned long long value =
            strtoull(digits, &end, n > 1 && (digits[1] == 'x' || digits[1] == 'X') ? 16 : 10);
        *number = (uint32_t)value;
        if (!*end)
            return value <= UINT32_MAX;
    }
    *named = true;
    *number = model_material_hash(p, n);
    return n != 0;
}

uint32_t model_material_read(const char *p, size_t n)
{
    uint32_t number;
    bool named;
    return model_material_word(p, n, &number, &named) ? number : model_material_hash(p, n);
}

const char *model_material_name(uint32_t hash)
{
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
        if (known[i].hash == hash)
            return known[i].name;
    return NULL;
}
