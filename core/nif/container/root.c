/* The root record: header, blocks, footer. */
#include "nif/container/container.h"
#include "record/index.h"

/* The version is known before any row is looked at, and never changes: the container's spares finding it. */
static int64_t v_of(const rec_at *at)
{
    return NIF_AT_V(at);
}

/* ---- which rows there are ----------------------------------------------------------------------------- */

bool nif_has_endian(int64_t v)
{
    return v >= 0x14000003;
}

bool nif_has_user(int64_t v)
{
    return v >= 0x0A000108;
}

bool nif_has_bs(int64_t v, int64_t user)
{
    if (v == 0x0A000102)
        return true;
    return user >= 3 && (v == 0x14020007 || v == 0x14000005 ||
                         (v >= 0x0A010000 && v <= 0x14000004 && user <= 11));
}

static bool has_endian(const rec_at *at)
{
    return nif_has_endian(v_of(at));
}

static bool has_user(const rec_at *at)
{
    return nif_has_user(v_of(at));
}

static bool has_bs(const rec_at *at)
{
    return nif_has_bs(v_of(at), has_user(at) ? rec_slot_int(at, NIF_USER_VERSION) : 0);
}

static int64_t bs_of(const rec_at *at)
{
    return has_bs(at) ? NIF_AT_B(at) : 0;
}

static bool has_unknown(const rec_at *at)
{
    return bs_of(at) > 130;
}

static bool has_process(const rec_at *at)
{
    return has_bs(at) && bs_of(at) < 131;
}

static bool has_max_path(const rec_at *at)
{
    return bs_of(at) >= 103;
}

static bool has_metadata(const rec_at *at)
{
    return v_of(at) >= 0x1E000000;
}

static bool has_types(const rec_at *at)
{
    return v_of(at) >= 0x05000001;
}

static bool has_sizes(const rec_at *at)
{
    return v_of(at) >= 0x14020005;
}

static bool has_strings(const rec_at *at)
{
    return v_of(at) >= 0x14010001;
}

static bool has_groups(const rec_at *at)
{
    return v_of(at) >= 0x05000006;
}

/* Nobody knows where it begins when blocks in front of it cannot be told apart. */
static bool has_footer(const rec_at *at)
{
    return v_of(at) >= 0x0303000D &&
           (uint64_t)rec_slot_int(at, NIF_NUM_BLOCKS) == rec_kids(at->doc, at->part, NIF_BLOCKS);
}

/* ---- what follows -------------------------------------------------------------------------------------- */

static bool longest(const rec_at *at, int64_t *out)
{
    uint32_t slot = NIF_STRINGS;
    rec_loc loc;
    uint64_t known;
    int64_t most = 0;
    if (rec_index_longest(at, slot, &known)) {
        *out = (int64_t)known;
        return true;
    }
    if (rec_find(at, slot, &loc, NULL) != LATHE_OK || !loc.present)
        return false;
    for (uint64_t i = 0, off = loc.data; i < loc.count; i++) {
        const rec_part *p = rec_part_of(at->doc, loc.data_part);
        uint32_t n = bytes_ld32(p->data + off, false); /* they were measured */
        most = n > most ? n : most;
        off += 4 + (uint64_t)n;
    }
    *out = most;
    return true;
}

#define MADE_FOR "what the blocks look like follows from it"
#define BY_BLOCKS "set block.type, and the name comes along"

/* clang-format off */
static const rec_field footer_rows[] = {
    {.name = "num_roots", .kind = REC_U32, .doc = "Number of roots."},
    {.name = "roots", .kind = REC_I32, .ref = &nif_ref, .by = "num_roots",
     .doc = "Where the scene begins: mostly block 1 alone."},
};
static const rec_type nif_footer = {.name = "nif_footer", .doc = "The end of the file.",
                                    REC_ROWS(footer_rows)};

static const rec_field root_rows[] = {
    [NIF_HEADER_STRING] = {.name = "header_string", .kind = REC_STR, .term = '\n', .limit = 127, .init_bytes = "Gamebryo File Format, Version 20.2.0.7", .flags = REC_READONLY, .why = MADE_FOR,
     .doc = "Name and version of the format as text."},
    [NIF_FILE_VERSION] = {.name = "version", .kind = REC_U32, .init = 0x14020007, .flags = REC_READONLY | REC_VERSION, .why = MADE_FOR,
     .doc = "Of the format, a byte a number: 0x14020007 is 20.2.0.7."},
    [NIF_ENDIAN] = {.name = "endian", .kind = REC_U8, .init = 1, .flags = REC_READONLY, .why = MADE_FOR, .when_fn = has_endian, .uses = "version",
     .doc = "1: little-endian. Files of consoles (0) are refused."},
    [NIF_USER_VERSION] = {.name = "user_version", .kind = REC_U32, .init = 12, .flags = REC_READONLY, .why = MADE_FOR, .when_fn = has_user, .uses = "version",
     .doc = "Of the company that extended the format: 11 or 12 at Bethesda."},
    [NIF_NUM_BLOCKS] = {.name = "num_blocks", .kind = REC_U32, .why = "doc.blocks:insert and doc.blocks:remove change it",
     .doc = "Number of blocks."},
    [NIF_BS_VERSION] = {.name = "bs_version", .kind = REC_U32, .init = NIF_SKYRIM_SE, .flags = REC_READONLY, .why = MADE_FOR, .when_fn = has_bs,
     .uses = "version user_version",
     .doc = "Bethesda's own version: 11 Oblivion, 34 Fallout 3, 83 Skyrim, 100 Skyrim SE, 130 Fallout 4, 155 Fallout 76, 172 Starfield."},
    [NIF_AUTHOR] = {.name = "author", .kind = REC_STR, .prefix = 1, .init_bytes = "", .init_size = 1, .when_fn = has_bs, .uses = "version user_version",
     .doc = "Who exported it; the games' tools end it in a NUL, others do not."},
    [NIF_UNKNOWN_INT] = {.name = "unknown_int", .kind = REC_U32, .when_fn = has_unknown, .uses = "version user_version bs_version",
     .doc = "0 in Fallout 76, 3 in Starfield."},
    [NIF_PROCESS_SCRIPT] = {.name = "process_script", .kind = REC_STR, .prefix = 1, .init_bytes = "", .init_size = 1, .when_fn = has_process,
     .uses = "version user_version bs_version", .doc = "Script that processed it."},
    [NIF_EXPORT_SCRIPT] = {.name = "export_script", .kind = REC_STR, .prefix = 1, .init_bytes = "", .init_size = 1, .when_fn = has_bs,
     .uses = "version user_version", .doc = "Script that exported it."},
    [NIF_MAX_FILEPATH] = {.name = "max_filepath", .kind = REC_STR, .prefix = 1, .init_bytes = "", .init_size = 1, .when_fn = has_max_path,
     .uses = "version user_version bs_version",
     .doc = "The scene that it was made from; in Starfield a time stamp. May hold any bytes."},
    [NIF_METADATA_SIZE] = {.name = "metadata_size", .kind = REC_U32, .when_fn = has_metadata, .uses = "version", .doc = "Bytes of metadata."},
    [NIF_METADATA] = {.name = "metadata", .kind = REC_BYTES, .by = "metadata_size", .when_fn = has_metadata, .uses = "version",
     .doc = "Of newer Gamebryos. Kept."},
    [NIF_NUM_BLOCK_TYPES] = {.name = "num_block_types", .kind = REC_U16, .when_fn = has_types, .uses = "version", .why = BY_BLOCKS, .doc = "Number of block types."},
    [NIF_BLOCK_TYPES] = {.name = "block_types", .kind = REC_STR, .prefix = 4, .by = "num_block_types", .when_fn = has_types, .uses = "version", .flags = REC_READONLY, .why = BY_BLOCKS,
     .doc = "Names of the types that the blocks are of."},
    [NIF_TYPE_INDEX] = {.name = "block_type_index", .kind = REC_U16, .by = "num_blocks", .when_fn = has_types, .uses = "version", .flags = REC_INSIDE | REC_READONLY,
     .why = "set the block's type",
     .doc = "Type of each block: a number in block_types, from 0. Its highest bit is a mark."},
    [NIF_BLOCK_SIZES] = {.name = "block_sizes", .kind = REC_U32, .by = "num_blocks", .when_fn = has_sizes, .uses = "version", .flags = REC_INSIDE | REC_READONLY,
     .why = "the blocks have their own", .unit = "bytes", .doc = "Size of each block."},
    [NIF_NUM_STRINGS] = {.name = "num_strings", .kind = REC_U32, .when_fn = has_strings, .uses = "version", .doc = "Number of strings."},
    [NIF_MAX_STRING_LENGTH] = {.name = "max_string_length", .kind = REC_U32, .when_fn = has_strings, .uses = "version", .derive = longest, .unit = "bytes",
     .doc = "Length of the longest string."},
    [NIF_STRINGS] = {.name = "strings", .kind = REC_STR, .prefix = 4, .by = "num_strings", .when_fn = has_strings, .uses = "version",
     .resizes = nif_may_resize_strings, .doc = "Texts that blocks name by number. Setting a text adds it here; none is ever taken away by itself."},
    [NIF_NUM_GROUPS] = {.name = "num_groups", .kind = REC_U32, .when_fn = has_groups, .uses = "version", .doc = "Number of groups."},
    [NIF_GROUPS] = {.name = "groups", .kind = REC_U32, .by = "num_groups", .when_fn = has_groups, .uses = "version",
     .doc = "None in all files seen. Kept."},
    [NIF_BLOCKS] = {.name = "blocks", .kind = REC_RECORD, .type = &nif_NiObject, .by = "num_blocks", .tag = "type", .type_name = nif_type_name,
     .flags = REC_PART | REC_LAZY | REC_SOME, .renumber = nif_renumber, .moves = nif_renumber_moved, .resizes = nif_may_resize,
     .doc = "All blocks in file order. References to them are numbers from 0 in the file."},
    [NIF_FOOTER] = {.name = "footer", .kind = REC_RECORD, .type = &nif_footer, .flags = REC_PART, .when_fn = has_footer, .uses = "version",
     .doc = "What comes behind the blocks."},
    [NIF_REST] = {.name = "rest", .kind = REC_BYTES, .flags = REC_PART | REC_REST | REC_PAD,
     .doc = "Of files without block sizes: all from the first block on that is not described. Else bytes behind the end."},
    [NIF_TYPE_NUMBERS] = {.name = "type_numbers", .shown = REC_TEXT, .flags = REC_PAD | REC_COPIED, .get = nif_get_type_numbers,
     .set = nif_set_type_numbers, .doc = "What block_type_index says but blocks do not: 3=77 is block 3 with number 77, which no type has."},
};
/* clang-format on */
const rec_type nif_root = {.name = "nif", .doc = "A scene of blocks.", REC_ROWS(root_rows)};
