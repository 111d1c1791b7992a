/* Finding what is known of a class and its members: what packfiles' rows say, and facts_table.c for the rest. */
#include "havok/named/facts.h"

#include "havok/animation/types.h"
#include "havok/named/classes.h"
#include "havok/named/facts_table.h"
#include "havok/physics/types.h"

#include <string.h>

enum { MOST_NAME = 128 }; /* longest name of a class that packfiles have */

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

static const rec_type *described(const char *name)
{
    char plain[MOST_NAME];
    size_t n = 0;
    for (; *name && n < sizeof plain - 1; name++)
        if (*name != ':')
            plain[n++] = *name;
    plain[n] = 0;
    return *name ? NULL : hk_type_any(plain);
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
