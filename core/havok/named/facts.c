/* Finding what is known of a class and its members: what packfiles' rows say, and facts_table.c for the rest. */
#include "havok/named/facts.h"

#include "havok/animation/types.h"
#include "havok/named/classes.h"
#include "havok/named/facts_table.h"
#include "havok/physics/types.h"

#include <string.h>

/* Other bases of these classes. */
static const rec_type *const bases[] = {&hka_animation, &hka_animated_reference_frame,
                                        &hkp_constraint_data, &hknp_shape};

/* Types nest in each other to a small depth; pointers are not followed. */
enum { MOST_DEPTH = 8 };

/* Names are equal but for "::", which the names of described classes lack. */
static bool same_class(const char *a, const char *b)
{
    for (;; a++, b++) {
        while (*a == ':')
            a++;
        while (*b == ':')
            b++;
        if (*a != *b)
            return false;
        if (!*a)
            return true;
    }
}

static const rec_type *described_in(const rec_type *type, const char *name, int depth);

/* A type in the rows of one, those of its bases first. */
static const rec_type *described_below(const rec_type *type, const char *name, int depth)
{
    const rec_type *base = rec_type_base(type);
    const rec_type *found = base ? described_below(base, name, depth) : NULL;
    for (uint32_t i = 0; !found && depth < MOST_DEPTH && i < type->count; i++) {
        const rec_field *row = &rec_type_rows(type)[i];
        if (row->kind == REC_RECORD && row->type && !rec_row_group(row))
            found = described_in(rec_row_type(row), name, depth + 1);
    }
    return found;
}

static const rec_type *described_in(const rec_type *type, const char *name, int depth)
{
    return same_class(rec_type_name(type), name) ? type : described_below(type, name, depth);
}

static const rec_type *described(const char *name)
{
    const rec_type *found = NULL;
    for (size_t i = 0; !found && i < REC_COUNT_OF(bases); i++)
        found = same_class(rec_type_name(bases[i]), name) ? bases[i] : NULL;
    const rec_type *type;
    for (size_t i = 0; !found && (type = hk_type_with_lengths(i)) != NULL; i++)
        found = described_in(type, name, 0);
    return found;
}

static const hk_facts_of *in_table(const hk_facts_of *c, const char *class_name)
{
    while (c->class_name && !same_class(c->class_name, class_name))
        c++;
    return c->class_name ? c : NULL;
}

bool hk_known_class(const char *class_name, hk_known *out)
{
    *out = (hk_known){.described = described(class_name)};
    const hk_facts_of *c = in_table(hk_facts_table, class_name);
    c = c ? c : in_table(hk_facts_mesh, class_name);
    if (c) {
        out->facts = c->facts;
        out->count = c->count;
    }
    return out->facts || out->described;
}

/* What a packfile's row says, but for padding. */
static bool from_row(const rec_field *row, const char *member, hk_fact *out)
{
    if (strcmp(row->original ? rec_row_original(row) : rec_row_name(row), member) != 0 ||
        rec_unstored(row))
        return false;
    *out = (hk_fact){member,
                     rec_row_unit(row),
                     row->power,
                     rec_row_doc(row),
                     row->flags & (REC_UNSCALED | REC_ANYTHING),
                     NULL};
    return true;
}

bool hk_known_member(const hk_known *known, const char *member, hk_fact *out)
{
    for (size_t i = 0; i < known->count; i++)
        if (strcmp(known->facts[i].member, member) == 0) {
            *out = known->facts[i];
            return true;
        }
    for (const rec_type *t = known->described; t; t = rec_type_base(t))
        for (uint32_t i = 0; i < t->count; i++)
            if (from_row(&rec_type_rows(t)[i], member, out))
                return true;
    *out = (hk_fact){0};
    return false;
}
