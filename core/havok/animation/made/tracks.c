/* Which bones the tracks of an animation move, and which slots its float tracks drive: numbers, or names. */
#include "havok/animation/made/made.h"

#include <stdio.h>
#include <string.h>

typedef struct reader {
    const rec_table *g;
    const hk_bone_names *names; /* NULL: no skeleton is told */
    const char *field, *one;    /* "bones", "bone" */
    uint64_t most;              /* how many there are, with a skeleton; else HK_INDICES */
    buf *out;                   /* int16_t each */
    uint32_t *seen;             /* of each number, which track has it, from 1 */
    lathe_error *err;
} reader;

static lathe_result bad(const reader *in, uint64_t i, lathe_result code)
{
    return rec_table_at(in->g, code, in->err, "%s[%llu]", in->field, (unsigned long long)i + 1);
}

static lathe_result by_name(const reader *in, uint64_t i, rec_key name, size_t *number)
{
    const char *near = NULL;
    if (in->names && hk_bone_names_find(in->names, name, number, &near))
        return LATHE_OK;
    if (!in->names)
        error_set(in->err, LATHE_ERR_NAME, LATHE_NO_OFFSET,
                  "'%.*s': names need a skeleton: give one, or use bone numbers", (int)name.n,
                  name.p);
    else
        error_set(in->err, LATHE_ERR_NAME, LATHE_NO_OFFSET,
                  near ? "the skeleton has no %s '%.*s'; did you mean '%s'?"
                       : "the skeleton has no %s '%.*s'",
                  in->one, (int)(name.n < 80 ? name.n : 80), name.p, near);
    return bad(in, i, LATHE_ERR_NAME);
}

static lathe_result by_number(const reader *in, uint64_t i, const lathe_value *v, size_t *number)
{
    double f;
    if (rec_number(v, &f) && f >= 0 && f < (double)in->most && f == (double)(size_t)f) {
        *number = (size_t)f;
        return LATHE_OK;
    }
    if (in->names && rec_number(v, &f))
        error_set(in->err, LATHE_ERR_RANGE, LATHE_NO_OFFSET,
                  "%.9g is no %s of the skeleton, which has %llu", f, in->one,
                  (unsigned long long)in->most);
    else
        error_set(in->err, LATHE_ERR_RANGE, LATHE_NO_OFFSET,
                  "a %s's name, or its number from 0 to %llu, expected", in->one,
                  (unsigned long long)in->most - 1);
    return bad(in, i, LATHE_ERR_RANGE);
}

static lathe_result read_one(const reader *in, const void *list, uint64_t i)
{
    const void *child;
    rec_key name;
    size_t number = 0;
    lathe_value v = rec_table_value(in->g, list, NULL, i, &child);
    lathe_result r = LATHE_OK;
    if (v.kind == LATHE_KIND_STRING) {
        r = rec_plain_text(&v, &name, in->err);
        r = r == LATHE_OK ? by_name(in, i, name, &number) : bad(in, i, r);
    } else {
        r = by_number(in, i, &v, &number);
    }
    if (r != LATHE_OK)
        return r;
    if (in->seen[number]) {
        error_set(in->err, LATHE_ERR_INVALID, LATHE_NO_OFFSET,
                  "%s %zu is that of track %lu already", in->one, number,
                  (unsigned long)in->seen[number] - 1);
        return bad(in, i, LATHE_ERR_INVALID);
    }
    in->seen[number] = (uint32_t)i + 1;
    int16_t stored = (int16_t)number;
    return buf_put(in->out, &stored, sizeof stored) ? LATHE_OK : rec_no_memory(in->err);
}

static lathe_result read_list(reader *in, const void *list, const mem *m)
{
    uint64_t n = rec_table_count(in->g, list);
    if (n > HK_INDICES)
        return rec_table_at(in->g,
                            error_set(in->err, LATHE_ERR_RANGE, LATHE_NO_OFFSET,
                                      "%llu of them: a file holds at most %d",
                                      (unsigned long long)n, HK_INDICES),
                            in->err, "%s", in->field);
    in->seen = mem_zalloc(m, HK_INDICES * sizeof *in->seen);
    lathe_result r = in->seen ? LATHE_OK : rec_no_memory(in->err);
    for (uint64_t i = 0; r == LATHE_OK && i < n; i++)
        r = read_one(in, list, i);
    mem_free(m, in->seen, HK_INDICES * sizeof *in->seen);
    return r;
}

/* 0, 1, 2 … */
static lathe_result put_identity(buf *out, uint64_t n, lathe_error *err)
{
    for (uint64_t i = 0; i < n; i++) {
        int16_t number = (int16_t)i;
        if (!buf_put(out, &number, sizeof number))
            return rec_no_memory(err);
    }
    return LATHE_OK;
}

static lathe_result expected(const rec_table *g, const char *name, lathe_result code,
                             const char *what, lathe_error *err)
{
    return rec_table_at(g, error_set(err, code, LATHE_NO_OFFSET, "%s", what), err, "%s", name);
}

lathe_result hk_take_bones(hk_take *take, const rec_table *g, lathe_error *err)
{
    const void *list;
    lathe_value v = rec_table_value(g, NULL, "bones", 0, &list);
    uint64_t all = take->rig ? take->rig->bones.bone_count : 0;
    reader in = {g, NULL, "bones", "bone", HK_INDICES, &take->bones, NULL, err};
    lathe_result r = LATHE_OK;
    if (take->rig) {
        in.names = &take->rig->names;
        in.most = all;
    }
    if (all > HK_INDICES)
        return expected(g, "skeleton", LATHE_ERR_RANGE, "more bones than a file has room for", err);
    if (v.kind == LATHE_KIND_NONE && !take->rig)
        return expected(
            g, "bones", LATHE_ERR_TYPE,
            "names or numbers of the bones expected, or a skeleton: the rows of a frame are theirs",
            err);
    if (v.kind != LATHE_KIND_NONE && !list)
        return expected(g, "bones", LATHE_ERR_TYPE, "a list of names or numbers expected", err);
    r = list ? read_list(&in, list, take->mem) : put_identity(&take->bones, all, err);
    take->tracks = take->bones.size / sizeof(int16_t);
    take->identity = true;
    const int16_t *numbers = (const int16_t *)(const void *)take->bones.data;
    for (uint64_t i = 0; i < take->tracks; i++)
        take->identity = take->identity && numbers[i] == (int16_t)i;
    return r == LATHE_OK && !take->tracks ? expected(g, "bones", LATHE_ERR_INVALID, "none", err)
                                          : r;
}

lathe_result hk_take_slots(hk_take *take, const rec_table *g, lathe_error *err)
{
    const void *list;
    lathe_value v = rec_table_value(g, NULL, "slots", 0, &list);
    reader in = {g, NULL, "slots", "float slot", HK_INDICES, &take->slots, NULL, err};
    if (take->rig) {
        in.names = &take->rig->slot_names;
        in.most = take->rig->bones.slot_count;
    }
    if (v.kind == LATHE_KIND_NONE)
        return take->floats > in.most
                   ? expected(g, "slots", LATHE_ERR_RANGE, "more float tracks than slots", err)
                   : put_identity(&take->slots, take->floats, err);
    if (!list)
        return expected(g, "slots", LATHE_ERR_TYPE, "a list of names or numbers expected", err);
    return read_list(&in, list, take->mem);
}
