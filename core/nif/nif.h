/* NIF: the files of NetImmerse, Gamebryo and the Creation Engine. Reference: formats/nif.md. The blocks' tables
 * are generated from schema/; what a table cannot say is here. */
#ifndef LATHE_NIF_H
#define LATHE_NIF_H

#include "gen/nif_types.h"
#include "havok/hkx.h"
#include "record/record.h"
#include "record/types.h"

extern const lathe_format format_nif;

/* Versions: 20.2.0.7 is 0x14020007; Bethesda's stream version counts the games (34, 83, 100, 130 …). A
 * container's version is both. */
enum {
    NIF_FALLOUT3 = 34,
    NIF_SKYRIM = 83,
    NIF_SKYRIM_SE = 100,
    NIF_FALLOUT4 = 130,
    NIF_STARFIELD = 172
};
#define NIF_VERSION(v, bs)                                                                         \
    ((int64_t)((uint64_t)(v) << 32 | (uint64_t)((bs) > 0xFFFF ? 0xFFFF : (bs))))
#define NIF_V(in) ((int64_t)((uint64_t)(in)->version >> 32))
#define NIF_B(in) ((in)->version & 0xFFFF)
#define NIF_AT_VERSION(at) ((at)->doc->containers[(at)->layout->container].version)
#define NIF_AT_V(at) ((int64_t)((uint64_t)NIF_AT_VERSION(at) >> 32))
#define NIF_AT_B(at) (NIF_AT_VERSION(at) & 0xFFFF)

/* Rows of the root record. */
enum {
    NIF_HEADER_STRING,
    NIF_FILE_VERSION,
    NIF_ENDIAN,
    NIF_USER_VERSION,
    NIF_NUM_BLOCKS,
    NIF_BS_VERSION,
    NIF_AUTHOR,
    NIF_UNKNOWN_INT,
    NIF_PROCESS_SCRIPT,
    NIF_EXPORT_SCRIPT,
    NIF_MAX_FILEPATH,
    NIF_METADATA_SIZE,
    NIF_METADATA,
    NIF_NUM_BLOCK_TYPES,
    NIF_BLOCK_TYPES,
    NIF_TYPE_INDEX,
    NIF_BLOCK_SIZES,
    NIF_NUM_STRINGS,
    NIF_MAX_STRING_LENGTH,
    NIF_STRINGS,
    NIF_NUM_GROUPS,
    NIF_GROUPS,
    NIF_BLOCKS,
    NIF_FOOTER,
    NIF_REST,
    NIF_TYPE_NUMBERS,
};

/* The argument of nif_BSVertexData, one vertex, is a vertex descriptor, with the highest bit where positions are always
 * floats (Skyrim SE). */
#define NIF_FULL_POSITIONS ((uint64_t)1 << 63)
/* … the next one where positions are halves although the descriptor says floats: precombined geometry. The
 * vertex is then 8 bytes shorter than the descriptor says. */
#define NIF_HALF_POSITIONS ((uint64_t)1 << 62)
/* A descriptor as a file has it: there these bits mean nothing. */
#define NIF_DESCRIPTOR(desc) ((desc) & ~(NIF_FULL_POSITIONS | NIF_HALF_POSITIONS))
/* Geometry of shapes as tables of numbers (geometry.c). */
extern const rec_numbers nif_positions, nif_normals, nif_tangents, nif_bitangents, nif_uvs,
    nif_colors, nif_triangles, nif_skin_triangles, nif_shared_triangles;
/* Of a descriptor: positions are floats. */
#define NIF_FULL_PRECISION ((uint64_t)0x400 << 44)
/* Where its attributes lie; -1: it has none such. */
typedef struct nif_vertex {
    uint32_t stride;
    int position, uv, normal, tangent, color, skin;
    bool full; /* positions are floats, else halves */
} nif_vertex;
/* False: what the descriptor names does not fill a vertex. */
bool nif_vertex_layout(uint64_t arg, nif_vertex *out);

/* The descriptor of vertices that have these attributes (NIF_HAS_…) besides, or no longer. */
enum {
    NIF_HAS_POSITION = 0x001,
    NIF_HAS_UV = 0x002,
    NIF_HAS_NORMAL = 0x008,
    NIF_HAS_TANGENT = 0x010,
    NIF_HAS_COLOR = 0x020,
};
uint64_t nif_vertex_turned(uint64_t arg, unsigned attributes, bool there);

/* Of a descriptor that vertices are described by: refuses one that would make bytes of them. */
lathe_result nif_may_describe(const rec_at *at, const rec_field *row, int64_t value,
                              lathe_error *err);

const rec_type *nif_block_type(const char *name, size_t n); /* NULL: not described */
const rec_type *nif_part_type(lathe_doc *doc, uint32_t part);
/* A block's type as the file has it. Good until the next write. */
const char *nif_type_name(lathe_doc *doc, uint32_t part);
const rec_type *nif_type_named(lathe_doc *doc, uint32_t part, const char *name, size_t n);

/* Numbers of blocks (ref: what is below, ptr: what is above) and of texts in the header's table. */
extern const rec_ref nif_ref, nif_ptr;
extern const rec_codec nif_string;
/* A container's param while it is made of a table that has all of the header's texts. */
enum { NIF_ALL_STRINGS = 1 };
/* Whether NiObjectNET.name is a text that is not empty. */
bool nif_named(const rec_at *at);

/* A stored number of a block or text. */
typedef struct nif_link {
    const rec_at *at; /* the record that it is in */
    uint32_t slot;
    uint64_t item;  /* of an array, else REC_NO_ITEM */
    uint64_t off;   /* in the part */
    uint32_t value; /* as stored */
    bool text;      /* of a text, not of a block */
    bool back;      /* a ptr */
} nif_link;
/* Gives all links of a block to `each`, in file order. A block that does not parse has none. */
lathe_result nif_each_link(lathe_doc *doc, uint32_t part,
                           lathe_result (*each)(void *user, const nif_link *link, lathe_error *err),
                           void *user, lathe_error *err);
/* Refuses, with that reason, where a block is there whose links nobody knows. */
lathe_result nif_knows_all(const rec_at *root, const char *why, lathe_error *err);
extern const rec_param *const nif_precombine_params[];
lathe_result nif_precombine(lathe_view self, const lathe_source *args, lathe_report *report,
                            lathe_error *err); /* refuses: Lua does it */
/* The first block of a name, and (type not NULL) of that type. *part REC_NO_PART: there is none (named.c). */
lathe_result nif_block_named(lathe_doc *doc, uint32_t c, const lathe_value *name,
                             const rec_type *type, uint32_t *part, lathe_error *err);
extern const rec_param *const nif_find_block_params[];
lathe_result nif_find_block(lathe_view self, const lathe_source *args, lathe_report *report,
                            lathe_error *err);
lathe_result nif_remove_unused_strings(lathe_view self, const lathe_source *args,
                                       lathe_report *report, lathe_error *err);
lathe_result nif_renumber(const rec_at *at, const rec_field *row, uint64_t i, uint64_t removed,
                          uint64_t inserted, lathe_error *err);
lathe_result nif_renumber_moved(const rec_at *at, const rec_field *row, uint64_t from, uint64_t to,
                                lathe_error *err);
lathe_result nif_may_resize(const rec_at *at, const rec_field *row, uint64_t i, uint64_t removed,
                            uint64_t inserted, lathe_error *err);
lathe_result nif_may_resize_strings(const rec_at *at, const rec_field *row, uint64_t i,
                                    uint64_t removed, uint64_t inserted, lathe_error *err);

/* Block number i (from 0) as a part, REC_NO_PART past the last; and the number of one. */
uint32_t nif_block(lathe_doc *doc, uint32_t c, uint64_t i);
uint64_t nif_number(lathe_doc *doc, uint32_t part);
/* The block that a part is, or is in; REC_NO_PART for the header, the footer and what is in no tree. */
uint32_t nif_block_around(const lathe_doc *doc, uint32_t root, uint32_t part);
uint64_t nif_total(lathe_doc *doc, uint32_t c);
rec_at nif_at(lathe_doc *doc, uint32_t part); /* a block's record */

/* The numbers of types that do not follow from the blocks, as text (numbers.c). */
lathe_result nif_get_type_numbers(const rec_at *at, const rec_field *row, lathe_value *out,
                                  lathe_error *err);
lathe_result nif_set_type_numbers(const rec_at *at, const rec_field *row, const lathe_value *value,
                                  lathe_error *err);

lathe_result nif_open(lathe_doc *doc, uint32_t c, lathe_error *err);
lathe_result nif_begin(lathe_doc *doc, uint32_t c, const rec_from *from, lathe_error *err);
lathe_result nif_settle(lathe_doc *doc, uint32_t c, lathe_error *err);
lathe_result nif_relayout(lathe_doc *doc, uint32_t c, lathe_error *err);
struct model_mesh;
lathe_result nif_mesh_count(lathe_doc *doc, uint64_t *n, lathe_error *err);
lathe_result nif_mesh(lathe_doc *doc, uint64_t i, struct model_mesh *mesh, lathe_error *err);
void nif_check(lathe_doc *doc, uint32_t c, rec_report *report);
int nif_sniff(const uint8_t *bytes, size_t n);
/* Materials: doc.materials, their textures, names of those of collision (material_list.c, texture.c). */
lathe_result nif_material(lathe_doc *doc, uint64_t i, lathe_view *out, lathe_error *err);
lathe_result nif_material_count(lathe_doc *doc, uint64_t *n, lathe_error *err);
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
/* Gives each collision material of a block that parses, in file order; whether its type has any. */
typedef lathe_result nif_collision_each(void *user, const rec_at *at, lathe_error *err);
lathe_result nif_each_collision(const rec_at *block, nif_collision_each *each, void *user,
                                lathe_error *err);
bool nif_has_collision(const rec_type *type);
extern const rec_codec nif_material_name;
extern const rec_type nif_textures, nif_alpha_mode;
/* The NiAlphaProperty and NiMaterialProperty of the first shape that names a shader (alpha.c). */
lathe_result nif_shader_alpha(const rec_at *at, const rec_field *row, lathe_value *out,
                              lathe_error *err);
lathe_result nif_shader_material(const rec_at *at, const rec_field *row, lathe_value *out,
                                 lathe_error *err);
/* Names of textures and material files by pattern (materials.c). */
lathe_result nif_set_materials(lathe_view self, const lathe_source *args, lathe_report *report,
                               lathe_error *err);
/* Normals, tangents and spheres from positions (recompute.c). */
extern const rec_param *const nif_recompute_params[];
lathe_result nif_recompute(lathe_view self, const lathe_source *args, lathe_report *report,
                           lathe_error *err);
extern const rec_type nif_root;
/* Precombined geometry: how a block is laid out (packed/layout.c). Bits of its layout's argument. */
enum { NIF_PACKED_INLINE = 1, NIF_PACKED_TABLE = 2, NIF_PACKED_HALF = 4 };
bool nif_is_packed(const rec_type *block);
/* Triangles of an object of another number: they are the first band's, where only that has any. */
lathe_result nif_fit_bands(const rec_at *at, const rec_field *row, uint64_t n, bool stands,
                           lathe_error *err);
lathe_result nif_part_arg(lathe_doc *doc, uint32_t part, const rec_type *type, uint64_t *arg,
                          lathe_error *err);
/* When an edit ends: refuses one after which a block of packed geometry would not be found to be one. */
lathe_result nif_settle_layout(lathe_doc *doc, uint32_t part, lathe_error *err);
/* Which rows the root record has, by its version and user version. */
bool nif_has_endian(int64_t v);
bool nif_has_user(int64_t v);
bool nif_has_bs(int64_t v, int64_t user);

#endif
