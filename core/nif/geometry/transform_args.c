/* Arguments of doc:transform: a matrix, or translation, rotation and scale. */
#include "nif/geometry/transform.h"

#include <math.h>

/* ---- similarities ---------------------------------------------------------------------------------------- */

static void turn_point(const double turn[9], const double p[3], double out[3])
{
    for (int i = 0; i < 3; i++)
        out[i] = turn[3 * i] * p[0] + turn[3 * i + 1] * p[1] + turn[3 * i + 2] * p[2];
}

void nif_similarity_point(const nif_similarity *s, const double p[3], double out[3])
{
    double q[3] = {p[0], p[1], p[2]};
    if (s->turns)
        turn_point(s->turn, p, q);
    for (int i = 0; i < 3; i++)
        out[i] = s->scale * q[i] + s->move[i];
}

void nif_similarity_rows(const nif_similarity *s, const double rows[9], double out[9])
{
    for (int c = 0; c < 3; c++) {
        const double column[3] = {rows[c], rows[3 + c], rows[6 + c]};
        double turned[3];
        turn_point(s->turn, column, turned);
        for (int r = 0; r < 3; r++)
            out[3 * r + c] = s->turns ? turned[r] : column[r];
    }
}

mat4 nif_similarity_matrix(const nif_similarity *s)
{
    mat4 m = mat4_identity();
    for (int r = 0; r < 3; r++) {
        for (int c = 0; c < 3; c++)
            m.m[c][r] = s->scale * s->turn[3 * r + c];
        m.m[3][r] = s->move[r];
    }
    return m;
}

static lathe_result refuse(const char *what, const char *why, lathe_error *err)
{
    return error_set(err, LATHE_ERR_INVALID, LATHE_NO_OFFSET, "%s of transform: %s", what, why);
}

static bool is_identity(const double turn[9])
{
    for (int i = 0; i < 9; i++)
        if (turn[i] != (i % 4 ? 0 : 1))
            return false;
    return true;
}

/* Tolerance for values of floats that were multiplied several times. */
#define SLACK 1e-4

lathe_result nif_similarity_of(const mat4 *m, const char *what, nif_similarity *out,
                               lathe_error *err)
{
    vec3 x = {m->m[0][0], m->m[0][1], m->m[0][2]}, y = {m->m[1][0], m->m[1][1], m->m[1][2]},
         z = {m->m[2][0], m->m[2][1], m->m[2][2]};
    double a = vec3_length(x), b = vec3_length(y), c = vec3_length(z);
    if (!isfinite(a + b + c + m->m[3][0] + m->m[3][1] + m->m[3][2]))
        return refuse(what, "finite numbers expected", err);
    if (m->m[0][3] != 0 || m->m[1][3] != 0 || m->m[2][3] != 0 || m->m[3][3] != 1)
        return refuse(what, "number 4, 8 and 12 are 0, and number 16 is 1, in a matrix of space",
                      err);
    if (!(a > 0) || !(b > 0) || !(c > 0))
        return refuse(what, "it is singular: one of its columns is 0", err);
    if (fabs(vec3_dot(x, y)) > SLACK * a * b || fabs(vec3_dot(y, z)) > SLACK * b * c ||
        fabs(vec3_dot(x, z)) > SLACK * a * c)
        return refuse(what, "it shears: instances can only be turned, moved and scaled", err);
    if (fabs(a - b) > SLACK * a || fabs(a - c) > SLACK * a)
        return refuse(what, "it scales by different factors: instances have one scale", err);
    if (vec3_dot(vec3_cross(x, y), z) < 0)
        return refuse(what, "it mirrors: instances can only be turned, moved and scaled", err);
    out->scale = a == b && b == c ? a : cbrt(a * b * c);
    for (int i = 0; i < 9; i++)
        out->turn[i] = m->m[i % 3][i / 3] / out->scale;
    for (int i = 0; i < 3; i++)
        out->move[i] = m->m[3][i];
    out->turns = !is_identity(out->turn);
    return LATHE_OK;
}

/* ---- lists of numbers ------------------------------------------------------------------------------------ */

typedef struct list {
    const lathe_source *source;
    const void *node; /* of a table, or … */
    lathe_value leaf; /* … a view of a vector or array */
} list;

static uint64_t length(const list *l)
{
    if (l->node)
        return l->source->count(l->source->user, l->node);
    return l->leaf.kind == LATHE_KIND_RECORD || l->leaf.kind == LATHE_KIND_ARRAY
               ? lathe_view_count(l->leaf.as.v)
               : 0;
}

static bool item(const list *l, uint64_t i, list *out)
{
    *out = (list){.source = l->source, .leaf = {.kind = LATHE_KIND_NONE}};
    if (l->node)
        return l->source->get(l->source->user, l->node, NULL, i, &out->leaf, &out->node);
    return lathe_view_item(l->leaf.as.v, i, &out->leaf, NULL) == LATHE_OK;
}

/* Reads the numbers of a list and of lists in it. At most `most`; *n: how many. */
static bool read_numbers(const list *l, double *out, uint64_t most, uint64_t *n, int depth)
{
    list one;
    uint64_t count = length(l);
    for (uint64_t i = 0; i < count; i++) {
        double number;
        if (!item(l, i, &one))
            return false;
        if (!one.node && rec_number(&one.leaf, &number)) {
            if (*n == most)
                return false;
            out[(*n)++] = number;
        } else if (!depth || !read_numbers(&one, out, most, n, depth - 1)) {
            return false;
        }
    }
    return count > 0;
}

/* False: not given. *n is 0 if it is not a list of numbers. */
static bool list_arg(const lathe_source *args, const char *name, double *out, uint64_t most,
                     uint64_t *n)
{
    list l = {.source = args, .leaf = {.kind = LATHE_KIND_NONE}};
    *n = 0;
    if (!args || !args->get(args->user, NULL, name, 0, &l.leaf, &l.node) ||
        (!l.node && l.leaf.kind == LATHE_KIND_NONE))
        return false;
    if (!read_numbers(&l, out, most, n, 1))
        *n = 0;
    return true;
}

/* ---- the options ----------------------------------------------------------------------------------------- */

static lathe_result wrong(const char *name, const char *expected, lathe_error *err)
{
    return error_set(err, LATHE_ERR_TYPE, LATHE_NO_OFFSET, "'%s' of transform: %s expected", name,
                     expected);
}

static lathe_result read_matrix(const double *numbers, uint64_t n, nif_similarity *out,
                                lathe_error *err)
{
    mat4 m;
    if (n != 16)
        return wrong("matrix", "16 numbers, column after column,", err);
    for (int i = 0; i < 16; i++)
        m.m[i / 4][i % 4] = numbers[i];
    return nif_similarity_of(&m, "'matrix'", out, err);
}

/* Reads a quaternion x, y, z, w, or a matrix in rows. */
static lathe_result read_rotation(const double *q, uint64_t n, nif_similarity *out,
                                  lathe_error *err)
{
    mat4 m = mat4_identity();
    if (n != 4 && n != 9)
        return wrong("rotation", "a quaternion x, y, z, w, or nine numbers in three rows", err);
    if (n == 4) {
        double size = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
        if (!(size > 0) || !isfinite(size))
            return refuse("'rotation'", "a quaternion of length 0, or of no numbers", err);
        m = mat4_compose((vec3){0, 0, 0},
                         (quat){q[0] / size, q[1] / size, q[2] / size, q[3] / size},
                         (vec3){1, 1, 1});
    } else {
        for (int i = 0; i < 9; i++)
            m.m[i % 3][i / 3] = q[i];
    }
    lathe_result r = nif_similarity_of(&m, "'rotation'", out, err);
    if (r == LATHE_OK && fabs(out->scale - 1) > SLACK)
        return refuse("'rotation'", "it scales: say that with scale", err);
    out->scale = 1;
    return r;
}

lathe_result nif_transform_args(const lathe_source *args, nif_similarity *out, lathe_error *err)
{
    double numbers[16], scale = 1;
    uint64_t n;
    lathe_result r = LATHE_OK;
    *out = (nif_similarity){.turn = {1, 0, 0, 0, 1, 0, 0, 0, 1}, .scale = 1};
    bool whole = list_arg(args, "matrix", numbers, 16, &n);
    if (whole)
        r = read_matrix(numbers, n, out, err);
    bool turned = list_arg(args, "rotation", numbers, 9, &n);
    if (r == LATHE_OK && turned && !whole)
        r = read_rotation(numbers, n, out, err);
    bool moved = list_arg(args, "translation", numbers, 3, &n);
    if (r == LATHE_OK && moved && (n != 3 || !isfinite(numbers[0] + numbers[1] + numbers[2])))
        r = wrong("translation", "three finite numbers", err);
    if (r == LATHE_OK && moved && !whole)
        memcpy(out->move, numbers, sizeof out->move);
    bool scaled = rec_arg_number(args, "scale", &scale);
    if (r == LATHE_OK && !(scale > 0 && isfinite(scale)))
        r = error_set(err, LATHE_ERR_RANGE, LATHE_NO_OFFSET,
                      "'scale' of transform: %.9g is no finite number above 0", scale);
    if (r == LATHE_OK && scaled && !whole)
        out->scale = scale;
    if (r == LATHE_OK && whole && (turned || moved || scaled))
        return refuse("'matrix'", "matrix excludes translation, rotation and scale", err);
    if (r == LATHE_OK && !whole && !turned && !moved && !scaled)
        return error_set(err, LATHE_ERR_TYPE, LATHE_NO_OFFSET,
                         "transform: matrix, or translation, rotation or scale expected");
    return r;
}

/* clang-format off */
#define PARAM(name_, ...) static const rec_param name_##_param = {.name = #name_, __VA_ARGS__}
PARAM(matrix, .doc = "16 numbers, column after column, as meshes have their transform; it may turn, move and scale, but not mirror or shear.");
PARAM(translation, .unit = "game units", .doc = "Where the origin goes: three numbers.");
PARAM(rotation, .doc = "How all of it is turned about the origin: a quaternion x, y, z, w, or a matrix of nine numbers in three rows. That comes first.");
PARAM(scale, .kind = LATHE_PARAM_NUMBER, .doc = "By what all of it is scaled from the origin, above 0.");
/* clang-format on */
const rec_param *const nif_transform_params[] = {&matrix_param, &translation_param, &rotation_param,
                                                 &scale_param, NULL};
