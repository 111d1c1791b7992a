/* Collision materials: of whole shapes, of the entries that a mesh chooses from, and of single triangles.
 * Reference: formats/fo4-collision.md#3.4, #3.6, #3.7. */
#ifndef LATHE_HAVOK_PHYSICS_MATERIALS_H
#define LATHE_HAVOK_PHYSICS_MATERIALS_H

#include "havok/objects/objects.h"
#include "havok/physics/names/material_rule.h"
#include "havok/physics/shapes.h"

/* ---- one (material_row.c) ---------------------------------------------------------------------------- */

/* The row of the number: of shapes their user data, of a mesh's entries the id. */
uint32_t hk_material_slot(const rec_at *at);
/* The number of a name, or of a number; false where it is neither. */
bool hk_material_number(const lathe_value *value, uint32_t *id);

/* ---- all of a packfile -------------------------------------------------------------------------------- */

typedef lathe_result hk_material_each(void *user, const rec_at *at, lathe_error *err);
/* Shapes, and entries of hknpBSMaterialProperties, in file order. `each` may set their numbers. */
lathe_result hk_each_material(lathe_doc *doc, uint32_t c, hk_material_each *each, void *user,
                              lathe_error *err);
/* Appends them to `list`, a lathe_view each. */
lathe_result hk_list_materials(lathe_doc *doc, uint32_t c, buf *list, lathe_error *err);
/* Inside an edit: each becomes what a rule makes of it. Counts what it changed in the rule's report. */
lathe_result hk_replace_material(lathe_doc *doc, uint32_t c, hk_rule *rule, lathe_error *err);
/* Hook of the format. */
lathe_result hk_material(lathe_doc *doc, uint64_t i, lathe_view *out, lathe_error *err);
lathe_result hk_material_count(lathe_doc *doc, uint64_t *n, lathe_error *err);

/* ---- entries (surfaces.c) -------------------------------------------------------------------------------- */

typedef struct hk_entry {
    uint32_t id, filter; /* filter: collision_filter_info, which stays a triangle's own */
    uint32_t like;       /* of a new one: the entry that it is otherwise like, or HK_NO_ENTRY */
    uint32_t next;       /* in the chain of those with the same hash, or HK_NO_ENTRY */
} hk_entry;

#define HK_NO_ENTRY UINT32_MAX
enum { HK_ENTRIES = 65536 /* a run has 16 bits for them */ };

/* Entries of a hknpBSMaterialProperties, with those that are to come. */
typedef struct hk_entries {
    rec_at surfaces;
    buf list; /* of hk_entry */
    uint32_t *chains;
    size_t stored; /* those that are there */
} hk_entries;

lathe_result hk_entries_read(const rec_at *surfaces, hk_entries *out, lathe_error *err);
void hk_entries_free(hk_entries *e);
/* The material of an entry; false past the last. */
bool hk_entries_id(const hk_entries *e, uint32_t entry, uint32_t *id);
/* The entry of a material for triangles that have been of entry `was` (or HK_NO_ENTRY): that one where it is
 * of the material, else the first that collides with the same, else a new one. */
lathe_result hk_entries_find(hk_entries *e, uint32_t id, uint32_t was, uint32_t *entry,
                             lathe_error *err);
/* Inside an edit: stores those that are new. */
lathe_result hk_entries_store(const hk_entries *e, lathe_error *err);

/* Whether all meshes whose triangles are the object `data` choose from the same entries, which are *out. Refuses
 * it where they do not, or one has none. */
lathe_result hk_entries_of_data(const rec_at *data, rec_at *out, lathe_error *err);

/* Refuses triangles that are not those of exactly one mesh. */
lathe_result hk_only_mesh(const rec_at *data, lathe_error *err);

/* ---- verbs (materials.c, triangle_materials.c) ------------------------------------------------------------ */

lathe_result hk_set_materials(lathe_view self, const lathe_source *args, lathe_report *report,
                              lathe_error *err);
extern const rec_param *const hk_triangle_materials_params[];
lathe_result hk_set_triangle_materials(lathe_view self, const lathe_source *args,
                                       lathe_report *report, lathe_error *err);

#endif
