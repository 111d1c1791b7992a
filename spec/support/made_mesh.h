/* Made-up triangles for compressed meshes, and what tests of these do with them. For a test's one file:
 * cmocka comes first. */
#ifndef LATHE_SPEC_MADE_MESH_H
#define LATHE_SPEC_MADE_MESH_H

#include "havok/physics/maths/mesh_codec.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- sources ---- */

typedef struct source {
    float (*positions)[3];
    uint32_t (*triangles)[3];
    uint16_t *materials;
    size_t n_positions, n_triangles;
} source;

static uint64_t seed;

static inline uint32_t random_to(uint32_t n)
{
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)((seed >> 33) * n >> 31);
}
static inline float random_float(float size)
{
    return ((float)random_to(1 << 24) / (1 << 24) - 0.5f) * size;
}

static inline void *room(size_t n, size_t size)
{
    void *p = calloc(n + 1, size);
    assert_non_null(p);
    return p;
}

static inline source source_of(size_t n_positions, size_t n_triangles)
{
    return (source){room(n_positions, sizeof(float[3])), room(n_triangles, sizeof(uint32_t[3])),
                    room(n_triangles, sizeof(uint16_t)), n_positions, n_triangles};
}

static inline void source_free(source *s)
{
    free(s->positions);
    free(s->triangles);
    free(s->materials);
}

static inline hk_mesh_source given(const source *s)
{
    return (hk_mesh_source){.positions = (const float(*)[3])s->positions,
                            .n_positions = s->n_positions,
                            .triangles = (const uint32_t(*)[3])s->triangles,
                            .n_triangles = s->n_triangles,
                            .materials = s->materials};
}

/* Ground of side * side squares, flat where `height` is 0. */
static inline source ground(uint32_t side, float height)
{
    source s = source_of((size_t)(side + 1) * (side + 1), (size_t)side * side * 2);
    for (uint32_t i = 0; i < s.n_positions; i++) {
        s.positions[i][0] = (float)(i % (side + 1)) * 0.5f - 7;
        s.positions[i][1] = (float)(i / (side + 1)) * 0.75f + 3;
        s.positions[i][2] = random_float(height);
    }
    for (uint32_t i = 0; i < side * side; i++) {
        uint32_t a = i / side * (side + 1) + i % side;
        uint32_t square[6] = {a, a + 1, a + side + 2, a, a + side + 2, a + side + 1};
        memcpy(s.triangles[2 * i], square, sizeof square);
        s.materials[2 * i] = s.materials[2 * i + 1] = (uint16_t)(i / 5 % 3);
    }
    return s;
}

/* Triangles anywhere, with `shared` vertices between them, or their own each. */
static inline source soup(uint32_t n, uint32_t vertices, float size)
{
    source s = source_of(vertices ? vertices : n * 3, n);
    for (size_t i = 0; i < s.n_positions; i++)
        for (unsigned k = 0; k < 3; k++)
            s.positions[i][k] = random_float(size) + size;
    for (uint32_t t = 0; t < n; t++) {
        uint32_t v = vertices ? random_to(vertices - 2) : 3 * t;
        uint32_t corners[3] = {v, vertices ? (v + 1 + random_to(vertices - 2)) % vertices : v + 1,
                               v + 2};
        memcpy(s.triangles[t], corners, sizeof corners);
        s.materials[t] = (uint16_t)random_to(4);
    }
    return s;
}

/* A ball: closed, curved, all quads. */
static inline source ball(uint32_t rings, uint32_t sides)
{
    source s = source_of((size_t)(rings + 1) * sides, (size_t)rings * sides * 2);
    for (uint32_t i = 0; i < s.n_positions; i++) {
        double up = 3.14159265358979 * (i / sides + 0.5) / (rings + 1),
               round = 6.28318530717959 * (i % sides) / sides;
        s.positions[i][0] = (float)(sin(up) * cos(round));
        s.positions[i][1] = (float)(sin(up) * sin(round));
        s.positions[i][2] = (float)-cos(up);
    }
    for (uint32_t i = 0; i < rings * sides; i++) {
        uint32_t a = i, b = i / sides * sides + (i + 1) % sides;
        uint32_t quad[6] = {a, b, b + sides, a, b + sides, a + sides};
        memcpy(s.triangles[2 * i], quad, sizeof quad);
    }
    return s;
}

typedef struct found {
    char text[8192];
} found;

static inline bool note(void *user, const hk_mesh_flaw *flaw)
{
    found *f = user;
    size_t n = strlen(f->text);
    snprintf(f->text + n, sizeof f->text - n, "%lld: %s\n", (long long)flaw->section, flaw->what);
    return true;
}

/* ---- what must hold of every mesh ---- */

static inline bool no_fault(void *user, const hk_mesh_flaw *flaw)
{
    (void)user;
    fail_msg("section %lld: %s", (long long)flaw->section, flaw->what);
    return false;
}

static inline void check_ok(const hk_mesh *mesh)
{
    mem m = mem_default();
    assert_int_equal(hk_mesh_check(mesh, &m, no_fault, NULL), LATHE_OK);
}

static inline hk_mesh build(const source *s, hk_mesh_dropped *dropped)
{
    hk_mesh mesh;
    lathe_error err;
    mem m = mem_default();
    hk_mesh_source from = given(s);
    if (hk_mesh_build(&from, &m, &mesh, dropped, &err) != LATHE_OK)
        fail_msg("%s", err.message);
    return mesh;
}

static inline hk_mesh_triangles decode(const hk_mesh *mesh)
{
    hk_mesh_triangles t;
    lathe_error err;
    mem m = mem_default();
    if (hk_mesh_decode(mesh, &m, &t, &err) != LATHE_OK)
        fail_msg("%s", err.message);
    return t;
}

static inline bool keep_on(void *user, const hk_mesh_flaw *flaw)
{
    (void)user, (void)flaw;
    return true;
}

#endif
