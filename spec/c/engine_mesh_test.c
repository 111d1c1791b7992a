/* Meshes: memory that runs out at every single call, and what is kept of texts and textures. */
#include "made_up_test.h"
#include "model/mesh.h"

enum {
    ALL = MODEL_MESH_NORMALS | MODEL_MESH_UVS | MODEL_MESH_COLORS | MODEL_MESH_TANGENTS |
          MODEL_MESH_SKIN | MODEL_MESH_MATERIALS
};

static lathe_result fill(model_mesh *mesh, lathe_error *err)
{
    lathe_result r = model_mesh_alloc(mesh, 3, 6, ALL, err);
    if (r == LATHE_OK)
        r = model_mesh_bones(mesh, 2, err);
    if (r == LATHE_OK)
        r = model_mesh_texture(mesh, "base_color", "a.dds", 5, err);
    for (int i = 0; r == LATHE_OK && i < 9; i++)
        r = model_mesh_material(mesh, "stones", 5, err);
    return r;
}

static void has_room_for_what_was_named(void **state)
{
    mem m = mem_default();
    model_mesh mesh;
    (void)state;
    model_mesh_init(&mesh, &m);
    assert_int_equal(fill(&mesh, NULL), LATHE_OK);
    mesh.tangents[11] = mesh.weights[11] = mesh.colors[11] = mesh.uvs[5] = mesh.normals[8] = 1;
    assert_int_equal(mesh.joints[11], 0);
    assert_int_equal(mesh.indices[5], 0);
    assert_int_equal(mesh.material_of[1], 0);
    assert_int_equal(mesh.material_count, 9);
    assert_string_equal(mesh.materials[8], "stone");
    assert_int_equal(mesh.bones[1].parent, -1);
    assert_null(mesh.bones[1].name);
    assert_true(mesh.bones[1].bind.m[3][3] == 1 && mesh.bones[1].world.m[2][2] == 1);
    model_mesh_free(&mesh);
    assert_null(mesh.positions);
    assert_int_equal(model_mesh_alloc(&mesh, 0, 0, ALL, NULL), LATHE_OK);
    assert_null(mesh.joints);
    assert_int_equal(model_mesh_bones(&mesh, 0, NULL), LATHE_OK);
    model_mesh_free(&mesh);
    model_mesh_free(&mesh);
}

static void too_much_is_refused(void **state)
{
    mem m = mem_default();
    model_mesh mesh;
    lathe_error err;
    (void)state;
    model_mesh_init(&mesh, &m);
    assert_int_equal(model_mesh_alloc(&mesh, SIZE_MAX / 4, 0, ALL, &err), LATHE_ERR_MEMORY);
    assert_int_equal(model_mesh_alloc(&mesh, 0, SIZE_MAX / 2, 0, &err), LATHE_ERR_MEMORY);
    assert_int_equal(model_mesh_bones(&mesh, SIZE_MAX / 4, &err), LATHE_ERR_MEMORY);
    assert_int_equal(mesh.bone_count, 0);
    assert_null(model_mesh_text(&mesh, "", SIZE_MAX));
    model_mesh_free(&mesh);
}

static void textures_have_one_path_a_role(void **state)
{
    static const char *const roles[] = {"a", "b", "c", "d", "e", "f", "g", "h", "i",
                                        "j", "k", "l", "m", "n", "o", "p", "q"};
    mem m = mem_default();
    model_mesh mesh;
    (void)state;
    model_mesh_init(&mesh, &m);
    assert_int_equal(model_mesh_texture(&mesh, "a", "", 0, NULL), LATHE_OK);
    assert_int_equal(mesh.surface.texture_count, 0);
    assert_int_equal(model_mesh_texture(&mesh, "a", "onexx", 3, NULL), LATHE_OK);
    assert_int_equal(model_mesh_texture(&mesh, "a", "two", 3, NULL), LATHE_OK);
    assert_int_equal(mesh.surface.texture_count, 1);
    assert_string_equal(mesh.surface.textures[0].path, "one");
    for (size_t i = 1; i < sizeof roles / sizeof *roles; i++)
        assert_int_equal(model_mesh_texture(&mesh, roles[i], "x", 1, NULL), LATHE_OK);
    assert_int_equal(mesh.surface.texture_count, MODEL_TEXTURES);
    assert_string_equal(mesh.surface.textures[MODEL_TEXTURES - 1].role, "p");
    model_mesh_free(&mesh);
}

static void every_refusal_leaves_nothing(void **state)
{
    (void)state;
    for (size_t n = 0; n <= 13;
         n++) { /* nine lists, the bones, texts, materials twice; 0: none is refused */
        made_up_memory memory = {.fail_at = n, .fail_on = true};
        mem m = {made_up_alloc, &memory};
        model_mesh mesh;
        lathe_error err;
        model_mesh_init(&mesh, &m);
        lathe_result r = fill(&mesh, &err);
        model_mesh_free(&mesh);
        assert_int_equal(r, n ? LATHE_ERR_MEMORY : LATHE_OK);
        assert_int_equal(memory.blocks, 0);
        assert_int_equal(memory.bytes, 0);
        assert_false(memory.wrong_size);
        if (n == 0)
            assert_int_equal(memory.calls, 13);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(has_room_for_what_was_named),
        cmocka_unit_test(too_much_is_refused),
        cmocka_unit_test(textures_have_one_path_a_role),
        cmocka_unit_test(every_refusal_leaves_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
