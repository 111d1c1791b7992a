/* Skeletons, and the containers that lead to all else. */
#include "havok/animation/check.h"

#include <string.h>

/* ---- skeletons ----------------------------------------------------------------------------------------- */

static void check_parents(rec_report *report, const rec_at *at, uint64_t bones)
{
    for (uint64_t i = 0; i < hk_length(at, "parent_indices") && i < bones; i++) {
        int32_t parent = hk_index(at, "parent_indices", i);
        if (parent < -1 || parent >= (int64_t)bones)
            HK_FINDING(report, LATHE_LEVEL_ERROR, at, "parent_indices", i,
                       "bone %d is the parent, of %llu", (int)parent, (unsigned long long)bones);
        else if (parent >= (int64_t)i) /* every circle has one of these */
            HK_FINDING(report, LATHE_LEVEL_ERROR, at, "parent_indices", i,
                       parent == (int64_t)i ? "its own parent: bone %d"
                                            : "a parent behind its child: bone %d",
                       (int)parent);
    }
}

static void check_pose(rec_report *report, const rec_at *at)
{
    bytes_array poses;
    lathe_level level;
    bool big = hk_is_big(at);
    if (hk_transforms(at, "reference_pose", &poses, NULL) != LATHE_OK)
        return;
    for (uint64_t i = 0; i < poses.count; i++) {
        const char *wrong = hk_rotation_wrong(poses.bytes + 48 * i + 16, big, &level);
        if (wrong)
            HK_FINDING(report, level, at, "reference_pose", i, "%s", wrong);
    }
}

static bool has_name(const rec_at *at, uint64_t i)
{
    rec_at bone;
    const char *name = hk_record_at(at, "bones", i, &bone) ? hk_text(&bone, "name") : "?";
    return name && *name;
}

/* Where no bone has one, none needs it: those of ragdolls. */
static void check_names(rec_report *report, const rec_at *at, uint64_t bones)
{
    uint64_t named = 0;
    while (named < bones && !has_name(at, named))
        named++;
    for (uint64_t i = 0; named < bones && i < bones; i++)
        if (!has_name(at, i))
            HK_FINDING(report, LATHE_LEVEL_WARNING, at, "bones", i, "a bone without a name");
}

void hk_check_skeleton(rec_report *report, const rec_at *at)
{
    static const struct {
        const char *of, *name, *each;
        lathe_level level;
    } lists[] = {{"bones", "parent_indices", "bones", LATHE_LEVEL_ERROR},
                 {"bones", "reference_pose", "bones", LATHE_LEVEL_ERROR},
                 {"float_slots", "reference_floats", "float slots", LATHE_LEVEL_WARNING}};
    for (size_t i = 0; i < REC_COUNT_OF(lists); i++) {
        uint64_t n = hk_length(at, lists[i].of), have = hk_length(at, lists[i].name);
        if (have != n && rec_slot_find(at->layout, lists[i].name) != REC_NO_SLOT)
            HK_FINDING(report, lists[i].level, at, lists[i].name, REC_NO_ITEM,
                       "%llu of them for %llu %s", (unsigned long long)have, (unsigned long long)n,
                       lists[i].each);
    }
    uint64_t bones = hk_length(at, "bones");
    check_parents(report, at, bones);
    check_pose(report, at);
    check_names(report, at, bones);
}

/* ---- containers ---------------------------------------------------------------------------------------- */

static void check_variant(rec_report *report, const rec_at *variant)
{
    uint32_t part = hk_target(variant, "variant", 0);
    const char *said = hk_text(variant, "class_name");
    const char *class = part == REC_NO_PART ? NULL : hk_object_class(variant->doc, part);
    if (class && !said)
        HK_FINDING(report, LATHE_LEVEL_ERROR, variant, "class_name", REC_NO_ITEM,
                   "none is said, but the object is of %s", class);
    else if (class && strcmp(class, said) != 0)
        HK_FINDING(report, LATHE_LEVEL_ERROR, variant, "class_name", REC_NO_ITEM,
                   "not what the object is of: %s", class);
}

void hk_check_root(rec_report *report, const rec_at *at)
{
    rec_at variant;
    uint64_t n = hk_length(at, "named_variants");
    for (uint64_t i = 0; i < n; i++)
        if (hk_record_at(at, "named_variants", i, &variant))
            check_variant(report, &variant);
}

static bool is_binding(lathe_doc *doc, uint32_t part)
{
    const char *class = hk_object_class(doc, part);
    return class && strcmp(class, "hkaAnimationBinding") == 0;
}

void hk_check_container(rec_report *report, const rec_at *at)
{
    static const struct {
        const char *name, *what;
        bool (*is)(lathe_doc *doc, uint32_t part);
    } lists[] = {{"skeletons", "skeleton", hk_is_skeleton},
                 {"animations", "animation", hk_is_animation},
                 {"bindings", "binding", is_binding}};
    for (size_t k = 0; k < REC_COUNT_OF(lists); k++) {
        for (uint64_t i = 0; i < hk_length(at, lists[k].name); i++) {
            uint32_t part = hk_target(at, lists[k].name, i);
            if (part == REC_NO_PART)
                HK_FINDING(report, LATHE_LEVEL_WARNING, at, lists[k].name, i, "points to no %s",
                           lists[k].what);
            else if (!lists[k].is(at->doc, part))
                HK_FINDING(report, LATHE_LEVEL_ERROR, at, lists[k].name, i,
                           "points to no %s, but to %s", lists[k].what,
                           hk_object_class(at->doc, part));
        }
    }
}
