/* What doc:set_materials is asked for, alike in NIFs and in packfiles: names to replace, and of what. */
#ifndef LATHE_HAVOK_PHYSICS_MATERIAL_RULE_H
#define LATHE_HAVOK_PHYSICS_MATERIAL_RULE_H

#include "havok/physics/names/material_names.h"
#include "model/pattern.h"

/* Kinds of names. */
enum { HK_TEXTURES = 1, HK_COLLISION = 2, HK_FILES = 4 };

typedef struct hk_rule {
    lathe_value from_text;
    model_pattern from, to;
    bool replaces;  /* they are given */
    bool normalise; /* paths are then written as the games look for them */
    unsigned kinds; /* that may be changed … */
    bool chosen;    /* … by `what` */
    bool words;     /* both are a name or a number of collision materials, without stars … */
    bool named;     /* … and one of the two is a name */
    uint32_t number, becomes; /* … this one by that */
    unsigned matched;         /* kinds of which a name matched */
    bool seen;                /* there are collision materials that can have names */
    char lost[128];           /* the first path that would have lost its extension; or "" */
    hk_names names;
    lathe_report *report;
} hk_rule;

extern const rec_param *const hk_set_materials_params[];
extern const rec_param hk_what_param,
    hk_normalise_param; /* as other formats' verbs take them, too */

lathe_result hk_rule_read(hk_rule *rule, const lathe_source *args, lathe_report *report,
                          lathe_error *err);
/* What the rule makes of a path, in `out`. False: it does not match, or (*err set) it is refused. Of a path whose
 * extension would go that is noted, and it stays. */
bool hk_rule_path(hk_rule *rule, unsigned kind, const char *p, size_t n, buf *out,
                  lathe_error *err);
/* What the rule makes of a collision material; `names`: the game has names for them. *becomes is the number itself where
 * it does not match. */
lathe_result hk_rule_number(hk_rule *rule, uint32_t id, bool names, const mem *memory,
                            uint32_t *becomes, lathe_error *err);
/* Behind all names of a document: refuses that several kinds matched where none was chosen, and lost extensions. Tells
 * of an unknown name that nothing had. */
lathe_result hk_rule_end(hk_rule *rule, lathe_error *err);

/* Whether a text ends like the path of a material's file. */
bool hk_names_file(const char *p, size_t n);

#endif
