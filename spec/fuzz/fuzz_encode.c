/* Samples of any floats as splines: what is refused says why; what is written opens, is as near as its report says, goes
 * no farther between frames than it may, and is written to the same bytes again. Untouched tracks keep theirs. */
#include "encode_judge.h"
#include "promise.h"

enum { HEAD = 16, FRAMES = 300, TRACKS = 3 };

typedef struct input {
    const uint8_t *p;
    size_t n, at;
} input;

static uint8_t byte(input *in)
{
    return in->n ? in->p[in->at++ % in->n] : 0;
}

/* Any float; of most inputs small ones, which the bytes' own are not. */
static float number(input *in, bool raw)
{
    float f;
    uint32_t bits = 0;
    if (!raw)
        return (float)((int)byte(in) - 128) / 32;
    for (int i = 0; i < 4; i++)
        bits = bits << 8 | byte(in);
    memcpy(&f, &bits, sizeof f);
    return f;
}

static void fill(input *in, const hk_samples *s, float *rows, float *values, uint8_t how)
{
    size_t n = (size_t)(s->frames * s->transform_tracks) * HK_ROW;
    for (size_t i = 0; i < n; i++)
        rows[i] = i % HK_ROW == 6 ? 1 : number(in, how & 1);
    if (how & 2) /* paths that bend slowly */
        for (size_t i = 0; i < n; i++) {
            size_t width = (size_t)s->transform_tracks * HK_ROW;
            if (i >= width && i % HK_ROW != 6)
                rows[i] = rows[i - width] + rows[i] * 0.05f;
        }
    for (size_t i = 0; i < (size_t)(s->frames * s->float_tracks); i++)
        values[i] = number(in, how & 4);
}

static void close_enough(double said, double is)
{
    PROMISE(fabs(said - is) <= 0.01 * is + 1e-6 || !(is < 1e30));
}

static void check(const hk_samples *s, const hk_encode_options *o, const hk_encoded *e,
                  const hk_encode_report *r)
{
    judged j = judge(s, o, e);
    PROMISE(!j.failed);
    close_enough(r->translation, j.translation);
    close_enough(r->rotation, j.rotation);
    close_enough(r->scale, j.scale);
    close_enough(r->value, j.value);
    PROMISE(r->rotation <= o->rotation.all);
    PROMISE(j.worst <= 1 || r->coarse_count > 0);
    PROMISE(j.between <= 1.001 || r->coarse_count > 0);
}

/* An edit that touches every other track. */
static void edit(const hk_samples *s, hk_encode_options o, const hk_encoded *first)
{
    uint8_t touched[2 * TRACKS] = {0, 1, 0, 1, 0, 1};
    hk_spline_facts facts;
    hk_spline old;
    hk_encoded second;
    hk_encode_report report;
    lathe_error err;
    const mem m = mem_default();
    judge_facts(s, first, &facts);
    PROMISE(hk_spline_open(&old, &facts, &m, &err) == LATHE_OK);
    o.old = &old;
    o.touched = touched;
    if (hk_spline_encode(s, &o, &m, &second, &report, NULL, NULL, &err) == LATHE_OK) {
        PROMISE(second.blocks == first->blocks);
        for (uint64_t i = 0; i < s->transform_tracks; i += 2)
            for (uint32_t b = 0; b < first->blocks; b++)
                PROMISE(memcmp(first->data.data + first->block_offsets[b] + 4 * i,
                               second.data.data + second.block_offsets[b] + 4 * i, 4) == 0);
        hk_encoded_free(&second, &m);
    }
    memset(touched, 0, sizeof touched);
    PROMISE(hk_spline_encode(s, &o, &m, &second, &report, NULL, NULL, &err) == LATHE_OK);
    PROMISE(
        second.data.size == first->data.size &&
        (!second.data.size || memcmp(second.data.data, first->data.data, second.data.size) == 0));
    hk_encoded_free(&second, &m);
    hk_spline_free(&old);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static float rows[FRAMES * TRACKS * HK_ROW], values[FRAMES * TRACKS];
    static const double tolerances[] = {0.01, 0.1, 1e-4, 1e-6, 10, 0.002};
    if (size < HEAD)
        return 0;
    input in = {data + HEAD, size - HEAD, 0};
    const uint64_t frames = data[1] == 7 ? 200 + data[0] % 100 : 1 + data[0] % 40,
                   most = TRACKS + 1;
    hk_samples s = {frames, data[2] % most, data[3] % most, rows, values};
    hk_encode_options o = {.max_frames_per_block = data[4],
                           .quantization = (hk_quantization)(data[5] % 4),
                           .named = data[6] & 1,
                           .translation.all = tolerances[data[7] % 6],
                           .rotation.all = tolerances[data[8] % 6],
                           .scale.all = tolerances[data[9] % 6],
                           .value.all = tolerances[data[10] % 6]};
    hk_encoded e, again;
    hk_encode_report report, second;
    lathe_error err;
    const mem m = mem_default();
    fill(&in, &s, rows, values, data[11]);
    lathe_result r = hk_spline_encode(&s, &o, &m, &e, &report, NULL, NULL, &err);
    if (r != LATHE_OK) {
        PROMISE(err.code == r && err.message[0] && r != LATHE_ERR_MEMORY);
        return 0;
    }
    check(&s, &o, &e, &report);
    PROMISE(hk_spline_encode(&s, &o, &m, &again, &second, NULL, NULL, &err) == LATHE_OK);
    PROMISE(e.data.size == again.data.size &&
            (!e.data.size || memcmp(e.data.data, again.data.data, e.data.size) == 0));
    edit(&s, o, &e);
    hk_encoded_free(&e, &m);
    hk_encoded_free(&again, &m);
    return 0;
}
