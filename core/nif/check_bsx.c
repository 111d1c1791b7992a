/* Compares the bits of BSXFlags, which tell the game how to handle a model, with the contents of the file.
 * Bits that are inconsistent in the games' own files are ignored. formats/nif.md#6-extra-data */
#include "nif/check.h"
#include "nif/geometry/check.h"

#include "gen/nif_types.h"

/* Bits of `value`, and one of a shader's flags1. */
enum { ANIMATED = 1, HAVOK = 2, RAGDOLL = 4, EDITOR_MARKER = 0x20, EXTERNAL_EMIT = 0x200 };
enum { EXTERNAL_EMITTANCE = 1 << 29 };

typedef struct content {
    bool controllers, sequences, behaviour, collision, ragdoll, marker, emits;
    uint32_t flags; /* the first BSXFlags; REC_NO_PART: none */
    uint64_t number;
} content;

static bool is_text(const rec_at *at, const char *text, bool prefix)
{
    lathe_value v;
    size_t n = strlen(text);
    uint32_t slot = rec_slot_find(at->layout, "name");
    if (slot == REC_NO_SLOT || rec_get(at, slot, false, &v, NULL) != LATHE_OK ||
        v.kind != LATHE_KIND_STRING)
        return false;
    return (prefix ? v.as.s.n >= n : v.as.s.n == n) && memcmp(v.as.s.p, text, n) == 0;
}

static bool emits(const rec_at *shader)
{
    rec_at body;
    return nif_shader_bits(shader, &body) && rec_int(&body, "flags1") & EXTERNAL_EMITTANCE;
}

static void note(content *has, lathe_doc *doc, uint32_t part)
{
    const rec_type *type = nif_part_type(doc, part);
    has->controllers |= rec_is_a(type, &nif_NiTimeController);
    has->sequences |= rec_is_a(type, &nif_NiControllerManager);
    has->behaviour |= rec_is_a(type, &nif_BSBehaviorGraphExtraData);
    has->collision |= rec_is_a(type, &nif_NiCollisionObject);
    has->ragdoll |= rec_is_a(type, &nif_bhkRagdollSystem) || rec_is_a(type, &nif_bhkConstraint) ||
                    rec_is_a(type, &nif_bhkBallSocketConstraintChain);
    bool object = nif_block_is(doc, part, &nif_NiAVObject);
    bool shader = nif_block_is(doc, part, &nif_BSLightingShaderProperty) ||
                  nif_block_is(doc, part, &nif_BSEffectShaderProperty);
    if (!object && !shader)
        return;
    rec_at at = nif_at(doc, part);
    has->marker |= object && is_text(&at, "EditorMarker", true);
    has->emits |= shader && emits(&at);
}

/* A bit, whether something in the file requires it, and whether there is something for it to act on. */
typedef struct bit {
    unsigned mask;
    const char *name;
    bool needed, used;
    const char *by, *without;
} bit;

static void check_bit(const nif_checks *k, const rec_at *at, const bit *b)
{
    bool set = rec_int(at, "value") & b->mask;
    uint32_t slot = rec_slot_find(at->layout, "value");
    if (!set && b->needed)
        rec_finding(k->report, LATHE_LEVEL_WARNING, at, slot, REC_NO_ITEM,
                    "%s is not set, but the file has a %s", b->name, b->by);
    if (set && !b->used && k->complete) /* otherwise it may be in an unknown block */
        rec_finding(k->report, LATHE_LEVEL_WARNING, at, slot, REC_NO_ITEM,
                    "%s is set, but the file has no %s", b->name, b->without);
}

static void check_bits(const nif_checks *k, const rec_at *at, const content *has)
{
    static const char emitting[] = "shader with external_emittance";
    static const char collision[] = "collision object", marker[] = "node named EditorMarker";
    bool skyrim = NIF_AT_B(at) >= NIF_SKYRIM && NIF_AT_B(at) <= NIF_SKYRIM_SE;
    const bit bits[] = {
        {ANIMATED, "animated", has->sequences, has->controllers || has->behaviour,
         "NiControllerManager", "controller"},
        {HAVOK, "havok", has->collision, has->collision, collision, collision},
        {RAGDOLL, "ragdoll", false, has->ragdoll, NULL, "ragdoll"},
        {EDITOR_MARKER, "editor_marker", has->marker, has->marker, marker, marker},
        {EXTERNAL_EMIT, "external_emit", has->emits, has->emits, emitting, emitting},
    };
    for (size_t i = 0; i < sizeof bits / sizeof bits[0]; i++)
        if (bits[i].mask != EXTERNAL_EMIT || skyrim) /* inconsistent in files of Fallout 4 */
            check_bit(k, at, &bits[i]);
}

void nif_check_bsx(const nif_checks *k)
{
    content has = {.flags = REC_NO_PART};
    for (uint64_t i = 0; i < k->blocks; i++) {
        uint32_t part = nif_block(k->doc, k->c, i);
        note(&has, k->doc, part);
        if (!nif_block_is(k->doc, part, &nif_BSXFlags))
            continue;
        rec_at at = nif_at(k->doc, part);
        if (!is_text(&at, "BSX", false))
            rec_finding(k->report, LATHE_LEVEL_WARNING, &at, rec_slot_find(at.layout, "name"),
                        REC_NO_ITEM, "the game looks for BSXFlags by the name BSX");
        if (has.flags == REC_NO_PART) {
            has.flags = part;
            has.number = i;
        } else {
            rec_finding(k->report, LATHE_LEVEL_WARNING, &at, REC_NO_SLOT, REC_NO_ITEM,
                        "one more BSXFlags beside blocks[%llu]",
                        (unsigned long long)has.number + 1);
        }
    }
    rec_at at = has.flags == REC_NO_PART ? (rec_at){0} : nif_at(k->doc, has.flags);
    if (at.layout && NIF_AT_B(&at) >= NIF_FALLOUT3 && NIF_AT_B(&at) < NIF_STARFIELD)
        check_bits(k, &at, &has);
}
