/* Materials: shaders and textures, names of collision materials, and the appearance of shapes.
 * formats/nif.md#8 */
#ifndef LATHE_NIF_MATERIALS_H
#define LATHE_NIF_MATERIALS_H

#include "model/mesh.h"
#include "nif/container/container.h"

/* doc.materials: its entries, their textures, and the names of collision materials (material_list.c,
 * texture.c). */
lathe_result nif_material(lathe_doc *doc, uint64_t i, lathe_view *out, lathe_error *err);
lathe_result nif_material_count(lathe_doc *doc, uint64_t *n, lathe_error *err);
lathe_result nif_material_look(lathe_doc *doc, uint64_t i, lathe_view *out, lathe_error *err);
lathe_result nif_shader_kind(const rec_at *at, const rec_field *row, lathe_value *out,
                             lathe_error *err);
lathe_result nif_collision_kind(const rec_at *at, const rec_field *row, lathe_value *out,
                                lathe_error *err);
lathe_result nif_collision_name(const rec_at *at, const rec_field *row, lathe_value *out,
                                lathe_error *err);
lathe_result nif_material_source(const rec_at *at, const rec_field *row, lathe_value *out,
                                 lathe_error *err);
lathe_result nif_no_textures(const rec_at *at, const rec_field *row, lathe_value *out,
                             lathe_error *err);
/* nif_each_collision calls `each` for the collision materials of a block that can be parsed, in file order.
 * nif_has_collision: whether a block type has any. */
typedef lathe_result nif_collision_each(void *user, const rec_at *at, lathe_error *err);
lathe_result nif_each_collision(const rec_at *block, nif_collision_each *each, void *user,
                                lathe_error *err);
bool nif_has_collision(const rec_type *type);
extern const rec_codec nif_material_name;
/* The NiAlphaProperty and NiMaterialProperty of the first shape that uses a shader (alpha.c). */
lathe_result nif_shader_alpha(const rec_at *at, const rec_field *row, lathe_value *out,
                              lathe_error *err);
lathe_result nif_shader_material(const rec_at *at, const rec_field *row, lathe_value *out,
                                 lathe_error *err);
/* Renames textures and material files by pattern (materials.c). */
lathe_result nif_set_materials(lathe_view self, const lathe_source *args, lathe_report *report,
                               lathe_error *err);
/* Copies a text of a block into the memory of a mesh. *out stays NULL if the text is empty or missing. */
lathe_result nif_copy_text(const rec_at *at, const char *row, uint64_t i, model_mesh *mesh,
                           const char **out, lathe_error *err);

/* Sets the material and appearance of a mesh from the properties of its shape. In Fallout 4 these often only
 * repeat the material file that the shader refers to. */
lathe_result nif_put_surface(const rec_at *shape, model_mesh *mesh, lathe_error *err);
#endif
