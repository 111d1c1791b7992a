/* The sections of a tagfile. */
#include "tagfile/check.h"

enum { MOST_NAMES = 13, KIND_SHIFT = 30 };

/* The sections that may occur in a section, by number. Two spellings of the same section have one number. */
typedef struct inside {
    const char *of;
    struct {
        const char *name;
        int number;
        bool branch;
    } names[MOST_NAMES];
} inside;

static const inside of_file = {"TAG0",
                               {{"SDKV", 0, false},
                                {"DATA", 1, false},
                                {"TYPE", 2, true},
                                {"TCRF", 2, false},
                                {"INDX", 3, true}}};
static const inside of_types = {"TYPE",
                                {{"TPTR", 0, false},
                                 {"TSTR", 1, false},
                                 {"TST1", 1, false},
                                 {"TNAM", 2, false},
                                 {"TNA1", 2, false},
                                 {"FSTR", 3, false},
                                 {"FST1", 3, false},
                                 {"ASTR", 4, false},
                                 {"AST1", 4, false},
                                 {"TBOD", 5, false},
                                 {"TBDY", 5, false},
                                 {"THSH", 6, false},
                                 {"TPAD", 7, false}}};
static const inside of_index = {"INDX", {{"ITEM", 0, false}, {"PTCH", 1, false}}};

static const char *spelled(const tag_section *s, char out[5])
{
    for (int i = 0; i < 4; i++)
        out[i] = s->name[i] > 0x20 && s->name[i] < 0x7F ? s->name[i] : '?';
    out[4] = 0;
    return out;
}

/* -1: unknown in this section. */
static int find(const inside *in, const tag_section *s)
{
    for (int i = 0; i < MOST_NAMES && in->names[i].name; i++)
        if (tag_section_is(s, in->names[i].name))
            return i;
    return -1;
}

static void check_one(const tag_checker *k, const inside *in, const tag_section *s, unsigned *seen)
{
    char name[5];
    int i = find(in, s);
    uint32_t kind = bytes_ld32(k->p + s->at, true) >> KIND_SHIFT;
    spelled(s, name);
    if (s->size % 4)
        tag_finding(k, LATHE_LEVEL_WARNING, s->at, NULL,
                    "section %s: %llu bytes, which is no multiple of 4", name,
                    (unsigned long long)s->size);
    if (i < 0) {
        tag_finding(k, LATHE_LEVEL_WARNING, s->at, NULL,
                    "section %s in %s, which lathe does not know: it is kept", name, in->of);
        return;
    }
    if (*seen & 1u << in->names[i].number)
        tag_finding(k, LATHE_LEVEL_ERROR, s->at, NULL,
                    "a second section %s in %s: the first counts", name, in->of);
    *seen |= 1u << in->names[i].number;
    if (kind != (in->names[i].branch ? 0 : 1))
        tag_finding(k, LATHE_LEVEL_WARNING, s->at, NULL,
                    "section %s: of kind %u, where %d is usual", name, kind,
                    in->names[i].branch ? 0 : 1);
}

static void check_zeros(const tag_checker *k, const inside *in, uint64_t from, uint64_t to)
{
    if (to > from)
        tag_finding(k, LATHE_LEVEL_WARNING, from, NULL,
                    "%llu bytes of zeros between sections of %s", (unsigned long long)(to - from),
                    in->of);
}

static void keep(tag_checker *k, const tag_section *s)
{
    static const char *const names[] = {"DATA", "TYPE", "INDX", "ITEM", "PTCH"};
    tag_span *const spans[] = {&k->data, &k->type, &k->index, &k->items, &k->patches};
    for (size_t i = 0; i < REC_COUNT_OF(names); i++)
        if (tag_section_is(s, names[i]) && !spans[i]->end)
            *spans[i] = (tag_span){s->at, s->at + s->size};
}

static void check_children(tag_checker *k, const inside *in, tag_span of)
{
    tag_section s;
    uint64_t at = of.at + TAG_HEADER, end = at;
    unsigned seen = 0;
    while (tag_section_next(k->p, of.end, k->start, &at, &s, NULL) == LATHE_OK && s.size) {
        check_zeros(k, in, end, s.at);
        check_one(k, in, &s, &seen);
        if (in != &of_types)
            keep(k, &s);
        end = at;
    }
    check_zeros(k, in, end, at);
}

void tag_check_sections(tag_checker *k)
{
    tag_section s;
    uint64_t at = 0;
    if (tag_section_next(k->p, k->size, k->start, &at, &s, NULL) != LATHE_OK)
        return;
    if (s.size % 4)
        tag_finding(k, LATHE_LEVEL_WARNING, 0, NULL,
                    "section TAG0: %llu bytes, which is no multiple of 4",
                    (unsigned long long)s.size);
    check_children(k, &of_file, (tag_span){s.at, s.at + s.size});
    if (k->type.end)
        check_children(k, &of_types, k->type);
    if (k->index.end)
        check_children(k, &of_index, k->index);
    uint64_t data = k->data.end - k->data.at - TAG_HEADER;
    if (k->data.end && data % 16)
        tag_finding(k, LATHE_LEVEL_WARNING, k->data.at, NULL,
                    "DATA: %llu bytes of data, which is no multiple of 16",
                    (unsigned long long)data);
    if (k->items.end)
        k->items_n = (uint32_t)((k->items.end - k->items.at - TAG_HEADER) / TAG_ITEM_SIZE);
}
