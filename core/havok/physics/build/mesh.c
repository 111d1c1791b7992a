/* Compressed meshes as objects. Reference: formats/fo4-collision.md#3.3, #3.4, #3.6. */
#include "havok/physics/build/build.h"

enum { FLAGS_MESH = 0x204, SIMD_NODES = 2 }; /* as games' files have it */

static void put_bits(hk_values *v, hk_node *shape, const char *name, const hk_mesh_bits *bits)
{
    hk_node *to = hk_put_table(v, shape, name), *words = hk_put_list(v, to, "words");
    for (size_t i = 0; i < bits->n_words; i++)
        hk_put_int(v, words, NULL, bits->words[i]);
    hk_put_int(v, to, "num_bits", bits->bits);
}

static void put_lanes(hk_values *v, hk_node *to, const char *name, const float f[3])
{
    const double lanes[] = {(double)f[0], (double)f[1], (double)f[2], 0};
    hk_put_reals(v, to, name, lanes, 4);
}

static void put_domain(hk_values *v, hk_node *to, const float low[3], const float high[3])
{
    hk_node *domain = hk_put_table(v, to, "domain");
    put_lanes(v, domain, "min", low);
    put_lanes(v, domain, "max", high);
}

/* Three bytes of a box, then what the last ones say, the highest first. */
static void put_nodes(hk_values *v, hk_node *to, const uint8_t *bytes, size_t n, size_t size)
{
    hk_node *list = hk_put_list(v, to, "nodes");
    for (size_t i = 0; i < n; i++, bytes += size) {
        hk_node *node = hk_put_table(v, list, NULL);
        hk_put_int(v, node, "x", bytes[0]);
        hk_put_int(v, node, "y", bytes[1]);
        hk_put_int(v, node, "z", bytes[2]);
        hk_put_int(v, node, "data", size == HK_MESH_NODE ? bytes[3] : bytes[3] << 8 | bytes[4]);
    }
}

static int64_t run_of(uint32_t first, uint32_t count)
{
    return (int64_t)first << 8 | count;
}

static void put_section(hk_values *v, hk_node *list, const hk_packed_section *s)
{
    double parms[6];
    hk_node *to = hk_put_table(v, list, NULL);
    for (int i = 0; i < 6; i++)
        parms[i] = (double)s->parms[i];
    put_nodes(v, to, s->nodes, s->n_nodes, HK_MESH_NODE);
    put_domain(v, to, s->min, s->max);
    hk_put_reals(v, to, "codec_parms", parms, 6);
    hk_put_int(v, to, "first_packed_vertex", s->first_packed);
    hk_put_int(v, to, "shared_vertices", run_of(s->first_shared, s->n_packed));
    hk_put_int(v, to, "primitives", run_of(s->first_primitive, s->n_primitives));
    hk_put_int(v, to, "data_runs", run_of(s->first_run, s->n_runs));
    hk_put_int(v, to, "num_packed_vertices", s->n_packed_again);
    hk_put_int(v, to, "num_shared_indices", s->n_shared);
    hk_put_int(v, to, "leaf_index", s->leaf);
}

static void put_primitives(hk_values *v, hk_node *data, const hk_mesh *mesh)
{
    hk_node *list = hk_put_list(v, data, "primitives");
    for (size_t i = 0; i < mesh->n_primitives; i++) {
        hk_node *to = hk_put_list(v, list, NULL);
        for (int k = 0; k < 4; k++)
            hk_put_int(v, to, NULL, mesh->primitives[i][k]);
    }
}

static void put_vertices(hk_values *v, hk_node *data, const hk_mesh *mesh)
{
    hk_node *list = hk_put_list(v, data, "shared_vertices_index");
    for (size_t i = 0; i < mesh->n_shared_index; i++)
        hk_put_int(v, list, NULL, mesh->shared_index[i]);
    list = hk_put_list(v, data, "packed_vertices");
    for (size_t i = 0; i < mesh->n_packed; i++)
        hk_put_int(v, hk_put_table(v, list, NULL), "packed", mesh->packed[i]);
    list = hk_put_list(v, data, "shared_vertices");
    for (size_t i = 0; i < mesh->n_shared; i++)
        hk_put_uint(v, hk_put_table(v, list, NULL), "packed", mesh->shared[i]);
}

static void put_runs(hk_values *v, hk_node *data, const hk_mesh *mesh)
{
    hk_node *list = hk_put_list(v, data, "primitive_data_runs");
    for (size_t i = 0; i < mesh->n_runs; i++) {
        hk_node *to = hk_put_table(v, list, NULL);
        hk_put_int(v, to, "value", mesh->runs[i].value);
        hk_put_int(v, to, "index", mesh->runs[i].index);
        hk_put_int(v, to, "count", mesh->runs[i].count);
    }
}

static int64_t put_data(hk_builder *b, const hk_mesh *mesh)
{
    hk_values *v = &b->values;
    int64_t number;
    hk_node *data = hk_build_object(b, "hknpCompressedMeshShapeData", &number);
    put_nodes(v, data, mesh->nodes, mesh->n_nodes, HK_MESH_TOP_NODE);
    put_domain(v, data, mesh->min, mesh->max);
    hk_put_int(v, data, "num_primitive_keys", mesh->primitive_keys);
    hk_put_int(v, data, "bits_per_key", mesh->bits_per_key);
    hk_put_int(v, data, "max_key_value", mesh->max_key);
    hk_node *sections = hk_put_list(v, data, "sections");
    for (size_t i = 0; i < mesh->n_sections; i++)
        put_section(v, sections, &mesh->sections[i]);
    put_primitives(v, data, mesh);
    put_vertices(v, data, mesh);
    put_runs(v, data, mesh);
    hk_node *simd = hk_put_list(v, hk_put_table(v, data, "simd_tree"), "nodes");
    for (int i = 0; i < SIMD_NODES; i++)
        hk_put_table(v, simd, NULL);
    return number;
}

static void put_materials(hk_builder *b, hk_node *shape, const hk_solid *s)
{
    hk_values *v = &b->values;
    hk_node *to = hk_build_property(b, shape, "bs_material_properties", "hknpBSMaterialProperties");
    hk_node *list = hk_put_list(v, to, "materials");
    for (size_t i = 0; i < s->material_count; i++) {
        hk_node *one = hk_put_table(v, list, NULL);
        hk_put_int(v, one, "collision_filter_info", b->filter);
        hk_put_int(v, one, "material", s->materials[i]);
    }
}

int64_t hk_build_mesh(hk_builder *b, const hk_solid *s)
{
    hk_values *v = &b->values;
    int64_t number;
    hk_node *shape = hk_build_base(b, s, "hknpCompressedMeshShape", FLAGS_MESH, &number);
    hk_put_int(v, shape, "num_shape_key_bits", s->mesh.bits_per_key);
    hk_build_composite(b, shape);
    put_materials(b, shape, s);
    hk_put_int(v, shape, "data", put_data(b, &s->mesh));
    put_bits(v, shape, "quad_is_flat", &s->mesh.flat);
    put_bits(v, shape, "triangle_is_interior", &s->mesh.interior);
    return number;
}
