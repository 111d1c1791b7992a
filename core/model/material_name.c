/* Names of collision materials. Reference: formats/fo4-collision.md#3.7, formats/bhk.md#7. */
#include "model/material_name.h"

#include <stdlib.h>
#include <string.h>

/* Sorted by hash. The hashes occur in files of the games, or are defined by their records. */
static const struct {
    uint32_t hash;
    const char *name;
} known[] = {
    {0x0198AC25, "axe1hand"},
    {0x04280084, "materialplasticbin"},
    {0x043E188C, "materialmetalvertibirdchassissmall"},
    {0x05502709, "materialsoccerball"},
    {0x064003D4, "metal"},
    {0x07D13747, "broken stone"},
    {0x09E195F2, "materialblockblade1hand"},
    {0x0A49D8C1, "bottlesmall"},
    {0x0B237EAD, "generic"},
    {0x0D1ED5A9, "materialmeat"},
    {0x0E3D261F, "weaponbowsstaves"},
    {0x1183C024, "materialplasticbowlingball"},
    {0x13347EF1, "materialcarriagewheel"},
    {0x1383E6FD, "materialmetaltray"},
    {0x1402606B, "bone"},
    {0x14560422, "materialwoodcrate"},
    {0x14ABEB1D, "materialmetallight"},
    {0x15881C70, "materialweaponmetalblade1handsmall"},
    {0x15C7DEE3, "light wood"},
    {0x17C77AAF, "snow"},
    {0x198BBA58, "gravel"},
    {0x1A2944E4, "materialchainmetal"},
    {0x1AE0B5C1, "materialweaponmetalmine"},
    {0x1D6B08F6, "bottle"},
    {0x1DD9C611, "wood"},
    {0x1E151923, "arrow"},
    {0x1FE163E9, "materialash"},
    {0x233DB702, "skin"},
    {0x235E94EC, "materialblockblunt"},
    {0x24C83012, "materialcloth"},
    {0x2597884C, "clothcushion"},
    {0x26067D15, "nullmaterial"},
    {0x2733FD4A, "materialplasticlarge"},
    {0x27D71C46, "insect"},
    {0x2810DB21, "materialmetalvertibirdchassislarge"},
    {0x29676A2A, "weaponblade2hand"},
    {0x2A1A6690, "metalsolid"},
    {0x2BA39614, "barrel"},
    {0x2C8F951F, "materialplastictrafficcone"},
    {0x2C992CF3, "armorheavy"},
    {0x2E2C54E9, "materialclipboard"},
    {0x2E97335B, "materialceramicmedium"},
    {0x2F22696E, "materialbasket"},
    {0x3057FDEE, "stonebrokenstairs"},
    {0x340E5D1C, "ice"},
    {0x3476C948, "stairsglass"},
    {0x34C446FB, "ceramicmedium"},
    {0x3569D3DD, "weaponrifle"},
    {0x359D733D, "stairsstone"},
    {0x3657B01A, "concrete"},
    {0x38A65A44, "snowstairs"},
    {0x3A363A56, "materialweaponblockblademedium"},
    {0x3D11E3C7, "water"},
    {0x3D479751, "materialboneactor"},
    {0x3DB20A5B, "armorlight"},
    {0x3F30E0A4, "materialblade1hand"},
    {0x4301AF5D, "actorskinlarge"},
    {0x43DDF46D, "materialsubwaygate"},
    {0x46A891A2, "materialweaponriflelarge"},
    {0x479F2744, "materialweaponrifle"},
    {0x4B616052, "materialbook"},
    {0x4BAEB094, "materialmetalsign"},
    {0x4CB1913F, "materialcarpet"},
    {0x4CCACC3B, "solid metal"},
    {0x4DD302CB, "materialaxe1hand"},
    {0x4E41EF22, "materialblockblade2hand"},
    {0x4E85DE57, "actormetal"},
    {0x4ECD8A4D, "organiclarge"},
    {0x4FE3937B, "dirtstairs"},
    {0x532E0B01, "actorinsect"},
    {0x543E8379, "stonebroken"},
    {0x54D67FA5, "actorskin"},
    {0x55CBE58B, "concretestairs"},
    {0x55DFAB90, "chain metal"},
    {0x5647AF5A, "materialpapermagazine"},
    {0x571FF595, "stairswood"},
    {0x58987081, "mud"},
    {0x597E18B1, "materialweaponcasingpistol"},
    {0x5AF5B832, "actormetallarge"},
    {0x5BCFAAAA, "actorglowing"},
    {0x5BFA2907, "materialmetalchairfolding"},
    {0x5C710DD6, "materialbouldersmall"},
    {0x5D01492B, "stairssnow"},
    {0x5DA0D740, "heavy stone"},
    {0x5DD8A028, "characterbumper"},
    {0x5ED4DFD3, "none"},
    {0x5F8E706E, "materialgroundgrassbush"},
    {0x5FB7F3C0, "materialworkshopdestructionwooda"},
    {0x5FCAD641, "materialbowsstaves"},
    {0x63789E72, "materialsolidmetal"},
    {0x672110ED, "alduin"},
    {0x675FF2A7, "materialwoodmedium"},
    {0x680D0E62, "sandbag"},
    {0x691BA317, "materialblockbowsstaves"},
    {0x6A3830DF, "stoneasstairs"},
    {0x6B80500C, "materialwoodasstairs"},
    {0x6E2F68EE, "grass"},
    {0x6EC710FA, "weaponblade1hand"},
    {0x6F2F6CF0, "actorskinsmall"},
    {0x6F5D5172, "materialrubbertire"},
    {0x7000682E, "woodstairs"},
    {0x705FCE7B, "materialboulderlarge"},
    {0x706B457F, "materialstoneasstairs"},
    {0x70796311, "materialstonesubwaypillarlarge"},
    {0x72A964B2, "weaponblockblunt"},
    {0x742D4841, "coin"},
    {0x759D63FA, "materialmetalbucket"},
    {0x76DB7B9F, "actormetalsmall"},
    {0x7720EFD7, "chain"},
    {0x77572546, "metalbarreltrashcanoffice"},
    {0x78909A74, "materialblade2hand"},
    {0x78BF2C58, "materialbottlesmall"},
    {0x78FA2E50, "actormetalarmoredpower"},
    {0x7A359672, "metalbarrel"},
    {0x7A565E6C, "materialbaseball"},
    {0x7AB91380, "boneactor"},
    {0x7D0E71E9, "materialworkshopdestructionmetala"},
    {0x7DFA6E05, "plastic"},
    {0x7E86F62D, "weaponpistol"},
    {0x813E4D0D, "sand"},
    {0x84115EBF, "actorskeleton"},
    {0x8420148B, "actorarmored"},
    {0x84454330, "materialwoodbroom"},
    {0x84543E72, "materialworkshopdestructionconca"},
    {0x84E226A3, "heavy metal"},
    {0x86593A46, "stoneheavy"},
    {0x86D8076E, "materialweaponblockbladesmall"},
    {0x87AB4C9C, "stoneboulderlarge"},
    {0x8838970B, "paper"},
    {0x887F64D8, "materialwoodheavy"},
    {0x8DB4BA3F, "actorghost"},
    {0x90EE1E8D, "materialiceform"},
    {0x92950590, "waterpuddle"},
    {0x9384F1D8, "basket"},
    {0x956F001D, "materialmetalweight"},
    {0x961A8817, "dragon"},
    {0x962AECF5, "stonestairs"},
    {0x970ECC3C, "glassstairs"},
    {0x9B4E1A61, "materialotherbone"},
    {0x9C0AAACC, "materialblade1handsmall"},
    {0x9CE6BD3E, "materialskinsmall"},
    {0x9F660BFB, "materialmetalcantin"},
    {0xA1E75858, "materialceramiccoffeemug"},
    {0xA37CB19E, "materialpotspans"},
    {0xA68CE953, "materialstairswood"},
    {0xA8299CA3, "materialskinskeleton"},
    {0xAA1835C0, "materialwoodboard"},
    {0xAA87B0BA, "debug"},
    {0xAB3B5105, "materialblunt1hand"},
    {0xAB858F31, "stonebouldersmall"},
    {0xAC66695B, "stairsbrokenstone"},
    {0xACDEC9D6, "meat"},
    {0xAD5ACB92, "materialgroundtilevinyl"},
    {0xAE486D87, "windchimes"},
    {0xAE5B0FC9, "shieldheavy"},
    {0xAE697D67, "grassstairs"},
    {0xB0A4E0C0, "materialmetalshoppingcart"},
    {0xB0C87E93, "materialskinlarge"},
    {0xB139C58D, "materialweaponmetalgrenade"},
    {0xB151ADDB, "organic"},
    {0xB21D96A4, "materialmetalstairs"},
    {0xB26A0490, "materialmetalauto"},
    {0xB26A84C5, "metalhollow"},
    {0xB3E07D39, "plasticpartycup"},
    {0xB485CA91, "otherparent"},
    {0xB5C27C14, "materialbone"},
    {0xB7087047, "heavy wood"},
    {0xB73B4366, "materialchain"},
    {0xB8FA7643, "skeleton"},
    {0xB8FF14A8, "materialactorsynthgen1"},
    {0xB9207C44, "materialpaperboxcardboard"},
    {0xB9233EAA, "dirt"},
    {0xB9A18FF2, "materialrubberball"},
    {0xBD6CDB8B, "weaponblunt2hand"},
    {0xBDD69D70, "materialgrounddirtleaves"},
    {0xBF2C6882, "materialweaponcasingminigun"},
    {0xBF702961, "shieldlight"},
    {0xBFCF56BF, "materialpaperboxsmall"},
    {0xC0EB623D, "metalstairs"},
    {0xC1CF2BBB, "stonebouldermedium"},
    {0xC30A4C50, "trash"},
    {0xC3C8B87D, "materialweaponmetalblade1hand"},
    {0xC57167BC, "ghost"},
    {0xC7F82142, "insect wing"},
    {0xC9601F3F, "metalbarreltrashcan"},
    {0xC9E86ACB, "materialskinmetallarge"},
    {0xCAAF2897, "materialblockaxe"},
    {0xCADE9C61, "woodbarrel"},
    {0xCC21169D, "materialarmorlight"},
    {0xCCC79284, "tabletennisball"},
    {0xCD86DDF8, "materialshieldlight"},
    {0xCF81E009, "woodheavy"},
    {0xCFC6E5AC, "materialweaponcasingrifle"},
    {0xD0DE9ABD, "materialbodybone"},
    {0xD5ED543E, "materialcoin"},
    {0xD822C827, "materialweaponcasing"},
    {0xD8F10645, "weapon"},
    {0xDA4A5E83, "materialblockblunt2hand"},
    {0xDC82FA46, "materialweaponcasingshotgun"},
    {0xDCADFB50, "materialshieldheavy"},
    {0xDD0A3035, "materialarmorheavy"},
    {0xDE0EB592, "materialarrow"},
    {0xDEAAC6A1, "woodlight"},
    {0xDEB5E98A, "materialmetalgatevault"},
    {0xDEE94842, "glass"},
    {0xDF02F237, "stone"},
    {0xE063F109, "materialwaterpuddle"},
    {0xE2218D18, "woodasstairs"},
    {0xE3EF5389, "actorgeneric"},
    {0xE4D39CA3, "cloth"},
    {0xE538F7DB, "metallight"},
    {0xE5C6A966, "materialskinmetalsmall"},
    {0xE718F52D, "insectfloor"},
    {0xE82B8707, "ward"},
    {0xE868B7B9, "materialgroundmetala"},
    {0xEA88E143, "web"},
    {0xEAA17C2D, "book"},
    {0xEC9B2BD5, "materialblunt2hand"},
    {0xECDF82DE, "stairsmetal"},
    {0xEEBAD018, "materialmetalgasline"},
    {0xEF371F70, "potspans"},
    {0xF0170989, "carpet"},
    {0xF1723C21, "brick"},
    {0xF413D173, "metalheavy"},
    {0xF5F68F1C, "materialmetallunchbox"},
    {0xF7272B39, "materialweaponpistol"},
    {0xFA43D6C2, "actorinsectsmall"},
    {0xFACCA15B, "weaponblunt1hand"},
    {0xFB6F3F0F, "materialweapontomahawk"},
    {0xFF56A8E2, "materialbouldermedium"},
    {0xFF9AE74C, "actorarmoredcrab"},
    {0xFFF2AF4E, "materialgroundtilevinylsanctuaryhills"},
};

/* Hashes in use whose names are unknown. */
static const uint32_t unnamed[] = {
    0x086D3D2D, 0x11F2215B, 0x18D524E1, 0x2877AE1C, 0x297268A5, 0x2F1A6A05, 0x3F8A92B1, 0x4D901DFC,
    0x595D700D, 0x5C36ACD3, 0x5F709E8A, 0x6C7E0577, 0x6CCAF7B5, 0x71971A7B, 0x71B18589, 0x904580BD,
    0x95480672, 0x9B78FC38, 0xAD3E9DA2, 0xB17EFFA6, 0xB6133BBF, 0xC1140B29, 0xD9F982EB, 0xEAEA77D9,
    0xF262004E, 0xF50FC457, 0xF81771FE, 0xF957E4EE, 0xFCB37EA0,
};

enum { KNOWN = sizeof known / sizeof known[0], UNNAMED = sizeof unnamed / sizeof unnamed[0] };

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
        if (strchr("*/\\.", p[i])) /* also finds a NUL */
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
    size_t from = 0, to = KNOWN;
    while (from < to) {
        size_t middle = from + (to - from) / 2;
        if (known[middle].hash < hash)
            from = middle + 1;
        else
            to = middle;
    }
    return from < KNOWN && known[from].hash == hash ? known[from].name : NULL;
}

bool model_material_used(uint32_t hash)
{
    bool used = model_material_name(hash) != NULL;
    for (size_t i = 0; i < UNNAMED && !used; i++)
        used = unnamed[i] == hash;
    return used;
}

const char *model_material_each(void *user, size_t i)
{
    (void)user;
    return i < KNOWN ? known[i].name : NULL;
}
