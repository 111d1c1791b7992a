/* Hooks of the root record: header, blocks, footer. */
#include "nif/container/container.h"
#include "record/index.h"

/* The container stores the version, because it is needed before any field is read and never changes. */
static int64_t v_of(const rec_at *at)
{
    return NIF_AT_V(at);
}

/* ---- conditions --------------------------------------------------------------------------------------- */

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

bool nif_root_has_endian(const rec_at *at)
{
    return nif_has_endian(v_of(at));
}

bool nif_root_has_user(const rec_at *at)
{
    return nif_has_user(v_of(at));
}

bool nif_root_has_bs(const rec_at *at)
{
    return nif_has_bs(v_of(at), nif_root_has_user(at) ? rec_slot_int(at, NIF_USER_VERSION) : 0);
}

static int64_t bs_of(const rec_at *at)
{
    return nif_root_has_bs(at) ? NIF_AT_B(at) : 0;
}

bool nif_root_has_unknown(const rec_at *at)
{
    return bs_of(at) > 130;
}

bool nif_root_has_process(const rec_at *at)
{
    return nif_root_has_bs(at) && bs_of(at) < 131;
}

bool nif_root_has_max_path(const rec_at *at)
{
    return bs_of(at) >= 103;
}

bool nif_root_has_metadata(const rec_at *at)
{
    return v_of(at) >= 0x1E000000;
}

bool nif_root_has_types(const rec_at *at)
{
    return v_of(at) >= 0x05000001;
}

bool nif_root_has_sizes(const rec_at *at)
{
    return v_of(at) >= 0x14020005;
}

bool nif_root_has_strings(const rec_at *at)
{
    return v_of(at) >= 0x14010001;
}

bool nif_root_has_groups(const rec_at *at)
{
    return v_of(at) >= 0x05000006;
}

/* The footer cannot be found if blocks in front of it cannot be parsed. */
bool nif_root_has_footer(const rec_at *at)
{
    return v_of(at) >= 0x0303000D &&
           (uint64_t)rec_slot_int(at, NIF_NUM_BLOCKS) == rec_kids(at->doc, at->part, NIF_BLOCKS);
}

/* ---- derived values ----------------------------------------------------------------------------------- */

bool nif_longest_string(const rec_at *at, int64_t *out)
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
        uint32_t n = bytes_ld32(p->data + off, false); /* checked when measured */
        most = n > most ? n : most;
        off += 4 + (uint64_t)n;
    }
    *out = most;
    return true;
}
