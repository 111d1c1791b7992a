/* The format: what NIF files are, and what one can do with them. */
#include "nif/nif.h"

static const char *game(const lathe_doc *doc)
{
    static const struct {
        int64_t bs;
        const char *name;
    } games[] = {{155, "Fallout 76"}, {130, "Fallout 4"}, {100, "Skyrim SE"},
                 {83, "Skyrim"},      {14, "Fallout 3"},  {1, "Oblivion"}};
    int64_t version = doc->containers[0].version, bs = version & 0xFFFF;
    if (bs >= 170)
        return "Starfield";
    for (size_t i = 0; i < sizeof games / sizeof games[0]; i++)
        if (bs >= games[i].bs)
            return games[i].name;
    return version >> 32 <= 0x04000002 ? "Morrowind" : "Oblivion";
}

static const rec_type *types(size_t i)
{
    return i < nif_block_count ? nif_blocks[i] : NULL;
}

static void check(lathe_doc *doc, uint32_t c, rec_report *report)
{
    rec_at root = rec_root(doc, c);
    if (nif_total(doc, c) != (uint64_t)rec_slot_int(&root, NIF_NUM_BLOCKS))
        rec_finding(report, LATHE_LEVEL_WARNING, &root, NIF_REST, REC_NO_ITEM,
                    "blocks from number %llu on are not known, as one of them is not described",
                    (unsigned long long)nif_total(doc, c) + 1);
}

static const char *const extensions[] = {"nif", "bto", "btr", "kf", NULL};
static const char *const games[] = {"Skyrim",    "Skyrim SE",  "Fallout 4", "Fallout 3", "Oblivion",
                                    "Morrowind", "Fallout 76", "Starfield", NULL};

const lathe_format format_nif = {
    .name = "nif",
    .doc = "Scenes of NetImmerse, Gamebryo and the Creation Engine.",
    .extensions = extensions,
    .games = games,
    .root = &nif_root,
    .types = types,
    .derives = true,
    .sniff = nif_sniff,
    .open = nif_open,
    .begin = nif_begin,
    .part_type = nif_part_type,
    .type_named = nif_type_named,
    .relayout = nif_relayout,
    .check = check,
    .game = game,
    .verbs = nif_verbs,
};
