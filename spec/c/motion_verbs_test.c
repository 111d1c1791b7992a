/* core/model/motion_*: what verbs do to an animation, whatever its format, and the identities that they keep. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/vec.h"
#include "model/mirror_rules.h"
#include "model/motion_verbs.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define OK(call) assert_int_equal(call, LATHE_OK)

static const mem *memory;
static lathe_error error;

static void refused(lathe_result r, lathe_result code, const char *says)
{
    assert_int_equal(r, code);
    assert_string_equal(error.message, says);
}

/* ---- reports ------------------------------------------------------------------------------------------ */

static char skipped[1024];

static void note(void *user, const char *path, const char *reason)
{
    size_t n = strlen(skipped);
    (void)user;
    snprintf(skipped + n, sizeof skipped - n, "%s: %s\n", path, reason);
}

static void say(void *user, const char *name, const lathe_value *value)
{
    if (strcmp(name, "notes") == 0)
        note(user, "note", value->as.s.p);
}

static lathe_report report;

static void start_report(void)
{
    skipped[0] = '\0';
    report = (lathe_report){.size = sizeof report, .skipped = note, .result = say};
}

/* ---- a skeleton whose sides have axes of their own ------------------------------------------------------ */

enum { BONES = 10 };

static const struct {
    const char *name;
    int32_t parent;
} bones[BONES] = {
    {"NPC Root [Root]", -1},
    {"NPC Spine [Spn0]", 0},
    {"NPC L UpperArm [LUar]", 1},
    {"NPC R UpperArm [RUar]", 1},
    {"NPC L Hand [LHnd]", 2},
    {"NPC R Hand [RHnd]", 3},
    {"Weapon", 5},
    {"WeaponBolt", 6},
    {"NPC Head [Head]", 1},
    {"Camera", -1},
};

static quat about(double x, double y, double z, double angle)
{
    vec3 axis = vec3_normalize((vec3){x, y, z});
    double s = sin(angle / 2);
    return (quat){axis.x * s, axis.y * s, axis.z * s, cos(angle / 2)};
}

static void set_pose(double *pose, vec3 t, quat q)
{
    const double all[MODEL_POSE] = {t.x, t.y, t.z, q.x, q.y, q.z, q.w, 1, 1, 1};
    memcpy(pose, all, sizeof all);
}

static void make_skeleton(model_skeleton *s, double size)
{
    static const double half = 1.5707963267948966;
    model_skeleton_init(s, memory);
    OK(model_skeleton_alloc(s, BONES, NULL));
    for (size_t i = 0; i < BONES; i++) {
        s->bones[i].name = bones[i].name;
        s->bones[i].parent = bones[i].parent;
    }
    set_pose(s->bones[1].pose, (vec3){0, 0, 70 * size}, about(1, 0, 0, 0.3));
    set_pose(s->bones[2].pose, (vec3){-9 * size, 1, 20 * size}, about(0, 1, 0, -half));
    set_pose(s->bones[3].pose, (vec3){9 * size, 1, 20 * size}, about(1, 1, 0.3, 2.1));
    set_pose(s->bones[4].pose, (vec3){0, 0, 25 * size}, about(0, 0, 1, 0.2));
    set_pose(s->bones[5].pose, (vec3){3, 0, 24 * size}, about(1, 2, 3, 1));
    set_pose(s->bones[6].pose, (vec3){1, 2, 3}, about(1, 0, 1, half));
    set_pose(s->bones[7].pose, (vec3){0, 5, 0}, about(0, 0, 1, 0));
    set_pose(s->bones[8].pose, (vec3){0, 0, 30 * size}, about(1, 0, 0, -0.3));
    set_pose(s->bones[9].pose, (vec3){0, -200, 100}, about(1, 0, 0, 0.1));
}

/* ---- motions -------------------------------------------------------------------------------------------- */

enum { FRAMES = 31, FLOATS = 2 };

static uint32_t seed;

/* From -1 to 1, the same everywhere. */
static double chance(void)
{
    seed = seed * 1664525u + 1013904223u;
    return (double)(seed >> 8) / 8388607.5 - 1;
}

static void make_events(model_motion *m)
{
    OK(model_motion_event(m, 0, 0, "start", 5, NULL));
    OK(model_motion_event(m, (double)0.1f, 4, "FootLeft", 8, NULL));
    OK(model_motion_event(m, (double)0.5f, 1, "seam", 4, NULL));
    OK(model_motion_event(m, (double)0.5f, 2, "seam", 4, NULL));
    OK(model_motion_event(m, (double)0.77f, 0, "bright right", 12, NULL));
}

/* Every bone moves, no rotation passes half a turn a frame. */
static void make_motion(model_motion *m, const model_skeleton *s, bool with_moves)
{
    double turns[BONES][3];
    seed = 7;
    model_motion_init(m, memory);
    OK(model_motion_alloc(m, FRAMES, BONES, FLOATS, with_moves, NULL));
    m->duration = 1;
    model_motion_even(m);
    for (size_t b = 0; b < BONES; b++) {
        m->tracks[b] = (model_track){.bone_index = (int32_t)b, .bone = s->bones[b].name};
        for (int k = 0; k < 3; k++)
            turns[b][k] = chance();
    }
    for (uint64_t i = 0; i < FRAMES; i++) {
        double u = (double)i / (FRAMES - 1);
        for (size_t b = 0; b < BONES; b++) {
            const double *p = s->bones[b].pose;
            float *row = model_motion_row(m, i, b);
            quat q = quat_mul((quat){p[3], p[4], p[5], p[6]},
                              about(turns[b][0], turns[b][1], 1, 2 * sin(3 * u + (double)b)));
            const double all[MODEL_POSE] = {p[0] + turns[b][2] * u,
                                            p[1] + u * u,
                                            p[2] - u,
                                            q.x,
                                            q.y,
                                            q.z,
                                            q.w,
                                            1 + 0.1 * u,
                                            1 + 0.1 * u,
                                            1 + 0.1 * u};
            for (int k = 0; k < MODEL_POSE; k++)
                row[k] = (float)all[k];
        }
        for (uint64_t k = 0; k < FLOATS; k++)
            m->floats[i * FLOATS + k] = (float)(u + (double)k);
        if (with_moves) {
            float *move = m->moves + i * MODEL_MOVE;
            move[0] = (float)(30 * u);
            move[1] = (float)(100 * u * u);
            move[2] = (float)(2 * u);
            move[3] = (float)(4 * u);
        }
    }
    for (int32_t k = 0; k < FLOATS; k++)
        m->float_tracks[k].slot_index = k;
    make_events(m);
}

static void copy_of(model_motion *out, const model_motion *m)
{
    model_motion_init(out, memory);
    OK(model_motion_copy(out, m, NULL));
}

/* ---- comparing ------------------------------------------------------------------------------------------- */

static void near(double want, double got, double tolerance, const char *what, uint64_t i)
{
    if (!(fabs(want - got) <= tolerance))
        fail_msg("%s %llu: %.9g instead of %.9g", what, (unsigned long long)i, got, want);
}

static void same_rows(const float *want, const float *got, uint64_t n)
{
    for (uint64_t i = 0; i < n; i++, want += MODEL_POSE, got += MODEL_POSE) {
        double dot = 0;
        for (int k = 0; k < MODEL_POSE; k++)
            if (k < 3 || k >= 7)
                near((double)want[k], (double)got[k], 1e-4, "row", i);
        for (int k = 3; k < 7; k++)
            dot += (double)want[k] * (double)got[k];
        for (int k = 3; k < 7; k++)
            near((double)want[k], (dot < 0 ? -1 : 1) * (double)got[k], 1e-5, "turn of row", i);
    }
}

static void same_events(const model_motion *want, const model_motion *got)
{
    assert_int_equal(want->event_count, got->event_count);
    for (size_t i = 0; i < want->event_count; i++) {
        assert_string_equal(want->events[i].text, got->events[i].text);
        assert_int_equal(want->events[i].track, got->events[i].track);
        assert_true((float)want->events[i].time == (float)got->events[i].time);
    }
}

static void same(const model_motion *want, const model_motion *got)
{
    assert_int_equal(want->frame_count, got->frame_count);
    assert_int_equal(want->track_count, got->track_count);
    assert_int_equal(want->float_count, got->float_count);
    assert_int_equal(want->hint, got->hint);
    near(want->duration, (double)(float)got->duration, 0, "duration", 0);
    for (uint64_t i = 0; i < want->frame_count; i++)
        near(want->times[i], got->times[i], 1e-12, "time", i);
    same_rows(want->rows, got->rows, want->frame_count * want->track_count);
    for (uint64_t i = 0; i < want->frame_count * want->float_count; i++)
        near((double)want->floats[i], (double)got->floats[i], 1e-6, "float", i);
    assert_true(!want->moves == !got->moves);
    for (uint64_t i = 0; want->moves && i < want->frame_count * MODEL_MOVE; i++)
        near((double)want->moves[i], (double)got->moves[i], 1e-4, "move", i);
    for (uint64_t i = 0; i < want->track_count; i++) {
        assert_int_equal(want->tracks[i].bone_index, got->tracks[i].bone_index);
        assert_string_equal(want->tracks[i].bone, got->tracks[i].bone);
    }
    same_events(want, got);
}

typedef struct fixture {
    model_skeleton skeleton;
    model_motion m, was;
} fixture;

static void begin(fixture *f, bool with_moves)
{
    make_skeleton(&f->skeleton, 1);
    make_motion(&f->m, &f->skeleton, with_moves);
    copy_of(&f->was, &f->m);
    start_report();
}

static void end(fixture *f)
{
    model_motion_free(&f->m);
    model_motion_free(&f->was);
    model_skeleton_free(&f->skeleton);
}

/* ---- time -------------------------------------------------------------------------------------------------- */

static void trim_to_the_whole(void **state)
{
    fixture f;
    (void)state;
    begin(&f, true);
    OK(model_motion_trim(&f.m, 0, 1, &report, &error));
    same(&f.was, &f.m);
    assert_int_equal(report.changed, 0);
    end(&f);
}

static void trim_copies_frames(void **state)
{
    fixture f;
    (void)state;
    begin(&f, true);
    OK(model_motion_trim(&f.m, 0.2, 0.5, &report, &error));
    assert_int_equal(f.m.frame_count, 10);
    near(0.3, f.m.duration, 1e-7, "duration", 0);
    assert_memory_equal(f.m.rows, model_motion_row(&f.was, 6, 0),
                        10 * BONES * MODEL_POSE * sizeof(float));
    assert_memory_equal(f.m.floats, f.was.floats + 6 * FLOATS, 10 * FLOATS * sizeof(float));
    near(0, (double)f.m.moves[0], 0, "move", 0);
    near(0, (double)f.m.moves[3], 0, "move", 3);
    assert_int_equal(f.m.event_count, 2);
    assert_string_equal(f.m.events[0].text, "seam");
    near(0.3, f.m.events[0].time, 1e-7, "time", 0);
    end(&f);
}

static void trim_between_frames(void **state)
{
    fixture f;
    float row[MODEL_POSE];
    (void)state;
    begin(&f, false);
    OK(model_motion_trim(&f.m, 0.11, 0.49, &report, &error));
    assert_int_equal(f.m.frame_count, 12); /* 11.4 steps */
    assert_true(model_motion_is_even(&f.m));
    model_motion_rows(&f.was, 0.11, 3, 1, row);
    same_rows(row, model_motion_row(&f.m, 0, 3), 1);
    model_motion_rows(&f.was, 0.49, 3, 1, row);
    same_rows(row, model_motion_row(&f.m, 11, 3), 1);
    end(&f);
}

static void trim_of_uneven_frames(void **state)
{
    fixture f;
    (void)state;
    begin(&f, false);
    f.m.times[1] = 0.05; /* not even any more */
    OK(model_motion_trim(&f.m, 0.04, 0.49, &report, &error));
    assert_int_equal(f.m.frame_count, 16); /* 1 .. 14 and both ends */
    near(0.01, f.m.times[1], 1e-9, "time", 1);
    assert_memory_equal(model_motion_row(&f.m, 1, 0), model_motion_row(&f.was, 1, 0),
                        14 * BONES * MODEL_POSE * sizeof(float));
    end(&f);
}

static void trim_to_one_frame(void **state)
{
    fixture f;
    (void)state;
    begin(&f, true);
    OK(model_motion_trim(&f.m, 0.5, 0.5, &report, &error));
    assert_int_equal(f.m.frame_count, 1);
    near(0, f.m.duration, 0, "duration", 0);
    assert_int_equal(f.m.event_count, 2);
    end(&f);
}

static void trim_refuses(void **state)
{
    fixture f;
    (void)state;
    begin(&f, true);
    refused(model_motion_trim(&f.m, 0.5, 0.2, NULL, &error), LATHE_ERR_RANGE,
            "0.5 .. 0.2 s is not a part of 0 .. 1 s");
    refused(model_motion_trim(&f.m, -1, 0.2, NULL, &error), LATHE_ERR_RANGE,
            "-1 .. 0.2 s is not a part of 0 .. 1 s");
    assert_int_equal(model_motion_trim(&f.m, NAN, 1, NULL, &error), LATHE_ERR_RANGE);
    assert_int_equal(model_motion_trim(&f.m, 0, 1.1, NULL, &error), LATHE_ERR_RANGE);
    same(&f.was, &f.m);
    end(&f);
}

static void trim_in_two_then_concat(void **state)
{
    static const double seams[] = {1.0 / 30, 0.5, 0.7666667, 29.0 / 30};
    (void)state;
    for (int moves = 0; moves < 2; moves++)
        for (size_t i = 0; i < sizeof seams / sizeof seams[0]; i++) {
            fixture f;
            model_motion second;
            begin(&f, moves);
            copy_of(&second, &f.m);
            OK(model_motion_trim(&f.m, 0, seams[i], NULL, &error));
            OK(model_motion_trim(&second, seams[i], 1, NULL, &error));
            OK(model_motion_concat(&f.m, &second, &report, &error));
            same(&f.was, &f.m);
            assert_string_equal(skipped, "");
            model_motion_free(&second);
            end(&f);
        }
}

static void reverse_twice(void **state)
{
    fixture f;
    (void)state;
    begin(&f, true);
    OK(model_motion_reverse(&f.m, &report, &error));
    assert_memory_equal(model_motion_row(&f.m, 0, 0), model_motion_row(&f.was, FRAMES - 1, 0),
                        BONES * MODEL_POSE * sizeof(float));
    near(0, (double)f.m.moves[0], 1e-5, "move", 0);
    near(-4, (double)f.m.moves[(FRAMES - 1) * MODEL_MOVE + 3], 1e-6, "move", 3);
    assert_string_equal(f.m.events[0].text, "bright right");
    assert_int_equal(f.m.events[1].track, 1); /* those at one time stay in their order */
    assert_int_equal(report.changed, FRAMES * (BONES + FLOATS + 1));
    OK(model_motion_reverse(&f.m, NULL, &error));
    same(&f.was, &f.m);
    assert_memory_equal(f.m.rows, f.was.rows, FRAMES * BONES * MODEL_POSE * sizeof(float));
    end(&f);
}

static void reverse_of_a_loop(void **state)
{
    fixture f;
    (void)state;
    begin(&f, false);
    f.m.looping = true;
    f.m.duration = 1.25; /* the first frame follows on the last one */
    OK(model_motion_reverse(&f.m, NULL, &error));
    assert_memory_equal(f.m.rows, f.was.rows, BONES * MODEL_POSE * sizeof(float));
    near(0.25, f.m.times[1], 1e-9, "time", 1);
    assert_string_equal(f.m.events[0].text, "start");
    OK(model_motion_reverse(&f.m, NULL, &error));
    assert_memory_equal(f.m.rows, f.was.rows, FRAMES * BONES * MODEL_POSE * sizeof(float));
    end(&f);
}

static void resample_there_and_back(void **state)
{
    fixture f;
    (void)state;
    begin(&f, true);
    OK(model_motion_resample(&f.m, 30, &report, &error));
    same(&f.was, &f.m);
    assert_int_equal(report.changed, 0);
    OK(model_motion_resample(&f.m, 60, &report, &error));
    assert_int_equal(f.m.frame_count, 61);
    assert_memory_equal(model_motion_row(&f.m, 2, 0), model_motion_row(&f.was, 1, 0),
                        BONES * MODEL_POSE * sizeof(float));
    OK(model_motion_resample(&f.m, 30, NULL, &error));
    same(&f.was, &f.m);
    assert_memory_equal(f.m.rows, f.was.rows, FRAMES * BONES * MODEL_POSE * sizeof(float));
    refused(model_motion_resample(&f.m, 0, NULL, &error), LATHE_ERR_RANGE,
            "fps is a finite number above 0");
    refused(model_motion_resample(&f.m, 1e9, NULL, &error), LATHE_ERR_LIMIT,
            "more than 100000 key frames");
    assert_int_equal(model_motion_resample(&f.m, NAN, NULL, &error), LATHE_ERR_RANGE);
    end(&f);
}

static void rename_texts(void **state)
{
    fixture f;
    (void)state;
    begin(&f, false);
    OK(model_motion_rename(&f.m, "seam", 4, "x\0y", 3, &report, &error));
    assert_int_equal(report.changed, 2);
    assert_memory_equal(f.m.events[2].text, "x\0y", 4);
    assert_int_equal(f.m.events[3].length, 3);
    assert_string_equal(f.m.events[0].text, "start");
    end(&f);
}

/* ---- two clips ------------------------------------------------------------------------------------------------ */

static void concat_goes_on_where_it_ends(void **state)
{
    fixture f;
    (void)state;
    begin(&f, true);
    OK(model_motion_concat(&f.m, &f.was, &report, &error));
    assert_int_equal(f.m.frame_count, 2 * FRAMES - 1);
    near(2, f.m.duration, 0, "duration", 0);
    assert_string_equal(skipped,
                        "note: the last pose of the first animation is not the first of the "
                        "other, which takes its place: it jumps there\n");
    const float *last = f.m.moves + (2 * FRAMES - 2) * MODEL_MOVE;
    near(30 + 30 * cos(4) - 100 * sin(4), (double)last[0], 1e-4, "move", 0);
    near(100 + 30 * sin(4) + 100 * cos(4), (double)last[1], 1e-4, "move", 1);
    near(4, (double)last[2], 1e-5, "move", 2);
    near(8, (double)last[3], 1e-5, "move", 3);
    assert_int_equal(f.m.event_count, 10);
    near(1.1, f.m.events[6].time, 1e-7, "time", 6);
    end(&f);
}

static void concat_by_name(void **state)
{
    fixture f;
    (void)state;
    begin(&f, false);
    model_track head = f.was.tracks[8]; /* two tracks change places */
    f.was.tracks[8] = f.was.tracks[2];
    f.was.tracks[2] = head;
    OK(model_motion_concat(&f.m, &f.was, NULL, &error));
    assert_memory_equal(model_motion_row(&f.m, FRAMES, 8), model_motion_row(&f.was, 1, 2),
                        MODEL_POSE * sizeof(float));
    assert_int_equal(f.m.events[8].track, 8); /* of track 2 before */
    end(&f);
}

static void concat_refuses(void **state)
{
    fixture f;
    (void)state;
    begin(&f, false);
    f.was.tracks[8].bone = "Tail";
    refused(model_motion_concat(&f.m, &f.was, NULL, &error), LATHE_ERR_INVALID,
            "tracks[9] (NPC Head [Head]) is not in the other clip");
    f.was.tracks[8] = f.m.tracks[8];
    f.m.track_count--;
    refused(model_motion_concat(&f.m, &f.was, NULL, &error), LATHE_ERR_INVALID,
            "the animation has 9 tracks, the other 10");
    f.m.track_count++;
    f.was.float_tracks[1].slot_index = 5;
    refused(model_motion_concat(&f.m, &f.was, NULL, &error), LATHE_ERR_INVALID,
            "float_tracks[2] is not in the other clip");
    f.was.hint = MODEL_ADDITIVE;
    refused(model_motion_concat(&f.m, &f.was, NULL, &error), LATHE_ERR_INVALID,
            "the clip is normal, the other additive");
    end(&f);
}

/* All times become `factor` times as long. */
static void stretch(model_motion *m, double factor)
{
    for (uint64_t i = 0; i < m->frame_count; i++)
        m->times[i] *= factor;
    for (size_t i = 0; i < m->event_count; i++)
        m->events[i].time *= factor;
    m->duration *= factor;
}

static void concat_of_another_rate(void **state)
{
    fixture f;
    (void)state;
    begin(&f, false);
    OK(model_motion_resample(&f.was, 60, NULL, &error));
    stretch(&f.was, 0.5); /* half as long, 120 a second */
    OK(model_motion_concat(&f.m, &f.was, NULL, &error));
    assert_int_equal(f.m.frame_count, FRAMES + 15);
    assert_true(model_motion_is_even(&f.m));
    assert_memory_equal(model_motion_row(&f.m, FRAMES, 0), model_motion_row(&f.was, 4, 0),
                        BONES * MODEL_POSE * sizeof(float));
    end(&f);
}

static void blend_from_one_to_the_other(void **state)
{
    fixture f;
    model_motion other;
    (void)state;
    begin(&f, true);
    copy_of(&other, &f.m);
    OK(model_motion_reverse(&other, NULL, &error));
    stretch(&other, 3);
    OK(model_motion_blend(&f.m, &other, 0, &report, &error));
    same(&f.was, &f.m);
    OK(model_motion_blend(&f.m, &other, 1, &report, &error));
    same_rows(other.rows, f.m.rows, FRAMES * BONES);
    near(1, f.m.duration, 0, "duration", 0);
    model_motion_free(&other);
    end(&f);
}

static void blend_refuses_and_lists(void **state)
{
    fixture f;
    (void)state;
    begin(&f, false);
    refused(model_motion_blend(&f.m, &f.was, 1.5, NULL, &error), LATHE_ERR_RANGE,
            "weight is 0 to 1, not 1.5");
    assert_int_equal(model_motion_blend(&f.m, &f.was, NAN, NULL, &error), LATHE_ERR_RANGE);
    f.was.track_count = 9;
    OK(model_motion_blend(&f.m, &f.was, 0.5, &report, &error));
    assert_string_equal(
        skipped, "tracks[10] (Camera): the other clip has no such track: it stays as it is\n");
    f.was.track_count = BONES;
    end(&f);
}

static void loop_closes_the_seam(void **state)
{
    fixture f;
    (void)state;
    begin(&f, true);
    OK(model_motion_loop(&f.m, 10, &report, &error));
    assert_memory_equal(model_motion_row(&f.m, FRAMES - 1, 0), f.m.rows,
                        BONES * MODEL_POSE * sizeof(float));
    assert_memory_equal(f.m.rows, f.was.rows, 21 * BONES * MODEL_POSE * sizeof(float));
    assert_memory_equal(f.m.floats + (FRAMES - 1) * FLOATS, f.m.floats, FLOATS * sizeof(float));
    assert_int_equal(report.changed, 10 * (BONES + FLOATS));
    start_report();
    OK(model_motion_loop(&f.m, 10, &report, &error)); /* closed already */
    assert_int_equal(report.changed, 0);
    refused(model_motion_loop(&f.m, 31, NULL, &error), LATHE_ERR_RANGE,
            "31 frames are not 1 to 30, of a clip of 31");
    assert_int_equal(model_motion_loop(&f.m, 0, NULL, &error), LATHE_ERR_RANGE);
    end(&f);
}

/* ---- root motion -------------------------------------------------------------------------------------------------- */

static void root_motion_there_and_back(void **state)
{
    (void)state;
    for (int way = 0; way < 8; way++) {
        fixture f;
        begin(&f, false);
        model_root how = {.track = way & 4 ? 1 : -1,
                          .vertical = way & 1,
                          .turn = way & 2,
                          .skeleton = &f.skeleton};
        OK(model_motion_extract(&f.m, &how, &report, &error));
        assert_non_null(f.m.moves);
        for (uint64_t i = 0; i < FRAMES && !(way & 4); i++) {
            const float *row = model_motion_row(&f.m, i, 0);
            near((double)f.was.rows[0], (double)row[0], 1e-5, "root x", i);
            near((double)f.was.rows[1], (double)row[1], 1e-5, "root y", i);
        }
        OK(model_motion_bake(&f.m, &how, NULL, &error));
        assert_null(f.m.moves);
        same(&f.was, &f.m);
        end(&f);
    }
}

static void root_motion_of_a_straight_way(void **state)
{
    fixture f;
    (void)state;
    begin(&f, false);
    for (uint64_t i = 0; i < FRAMES; i++) {
        float *row = model_motion_row(&f.m, i, 0);
        quat q = about(0, 0, 1, 0.3 * (double)i);
        row[0] = (float)i;
        row[1] = 0;
        row[2] = (float)(2 * i);
        row[3] = row[4] = 0;
        row[5] = (float)q.z;
        row[6] = (float)q.w;
    }
    OK(model_motion_extract(&f.m, &(model_root){.track = -1, .turn = true}, &report, &error));
    const float *move = f.m.moves + 30 * MODEL_MOVE, *row = model_motion_row(&f.m, 30, 0);
    near(30, (double)move[0], 1e-4, "x", 0);
    near(0, (double)move[2], 1e-5, "z", 0);
    near(9, (double)move[3], 1e-5, "angle", 0); /* not wrapped */
    near(0, (double)row[0], 1e-4, "root x", 0);
    near(60, (double)row[2], 1e-4, "root z", 0);
    near(1, fabs((double)row[6]), 1e-6, "root w", 0);
    end(&f);
}

static void baked_and_extracted_again(void **state)
{
    fixture f;
    (void)state;
    begin(&f, true);
    model_root how = {.track = 0, .vertical = true, .turn = true};
    for (uint64_t i = 0; i < FRAMES; i++) /* the track itself rests */
        memcpy(model_motion_row(&f.m, i, 0), f.m.rows, MODEL_POSE * sizeof(float));
    model_motion_free(&f.was);
    copy_of(&f.was, &f.m);
    OK(model_motion_bake(&f.m, &how, &report, &error));
    OK(model_motion_extract(&f.m, &how, &report, &error));
    same(&f.was, &f.m);
    end(&f);
}

static void root_motion_refuses(void **state)
{
    fixture f;
    (void)state;
    begin(&f, true);
    refused(model_motion_extract(&f.m, &(model_root){.track = 10}, NULL, &error), LATHE_ERR_INVALID,
            "no track 10: there are 10");
    f.m.hint = MODEL_ADDITIVE;
    refused(model_motion_bake(&f.m, &(model_root){.track = -1}, NULL, &error), LATHE_ERR_INVALID,
            "an additive animation has no position to bake: it stores differences of poses");
    end(&f);
}

/* ---- poses -------------------------------------------------------------------------------------------------------- */

static void additive_there_and_back(void **state)
{
    fixture f;
    float *rest;
    (void)state;
    begin(&f, true);
    OK(model_motion_rest(&f.m, &f.skeleton, &rest, &error));
    model_reference by = {rest, f.m.floats};
    float floats[FLOATS];
    memcpy(floats, f.m.floats, sizeof floats);
    by.floats = floats;
    OK(model_motion_additive(&f.m, &by, &report, &error));
    assert_int_equal(f.m.hint, MODEL_ADDITIVE);
    assert_int_equal(report.changed, FRAMES * (BONES + FLOATS));
    refused(model_motion_additive(&f.m, &by, NULL, &error), LATHE_ERR_INVALID,
            "the clip is additive already");
    OK(model_motion_normal(&f.m, &by, NULL, &error));
    same(&f.was, &f.m);
    refused(model_motion_normal(&f.m, &by, NULL, &error), LATHE_ERR_INVALID,
            "the clip is normal already");
    mem_free(memory, rest, BONES * MODEL_POSE * sizeof *rest);
    end(&f);
}

static void additive_against_its_own_pose_is_nothing(void **state)
{
    static const float nothing[MODEL_POSE] = {0, 0, 0, 0, 0, 0, 1, 1, 1, 1};
    fixture f;
    (void)state;
    begin(&f, true);
    OK(model_motion_additive(&f.m, &(model_reference){f.was.rows, NULL}, NULL, &error));
    for (uint64_t i = 0; i < BONES; i++)
        same_rows(nothing, model_motion_row(&f.m, 0, i), 1);
    end(&f);
}

static void rest_refuses_other_bones(void **state)
{
    fixture f;
    float *rest = NULL;
    (void)state;
    begin(&f, true);
    f.m.tracks[3] = (model_track){.bone = "Tail", .bone_index = 3};
    refused(model_motion_rest(&f.m, &f.skeleton, &rest, &error), LATHE_ERR_INVALID,
            "the skeleton has no bone for tracks[4] (Tail), bone 3");
    f.m.tracks[3] = (model_track){.bone_index = 12};
    refused(model_motion_rest(&f.m, &f.skeleton, &rest, &error), LATHE_ERR_INVALID,
            "the skeleton has no bone for tracks[4], bone 12");
    end(&f);
}

static void offset_and_back(void **state)
{
    (void)state;
    for (int own = 0; own < 2; own++) {
        fixture f;
        begin(&f, false);
        model_offset how = {
            .track = 2, .t = {0, 0, own ? 0 : 5}, .q = {0, 0.6, 0, 0.8}, .own = own};
        OK(model_motion_offset(&f.m, &how, &report, &error));
        assert_int_equal(report.changed, FRAMES);
        assert_memory_equal(model_motion_row(&f.m, 3, 3), model_motion_row(&f.was, 3, 3),
                            MODEL_POSE * sizeof(float));
        const float *a = model_motion_row(&f.was, 4, 2), *b = model_motion_row(&f.m, 4, 2);
        quat q = {a[3], a[4], a[5], a[6]}, by = {0, 0.6, 0, 0.8};
        q = own ? quat_mul(q, by) : quat_mul(by, q);
        near(q.x, (double)b[3], 1e-6, "q", 0);
        near(q.w, (double)b[6], 1e-6, "q", 3);
        near((double)a[2] + (own ? 0 : 5), (double)b[2], 1e-5, "t", 2);
        for (int k = 0; k < 3; k++) {
            how.t[k] = -how.t[k];
            how.q[k] = -how.q[k];
        }
        OK(model_motion_offset(&f.m, &how, NULL, &error));
        same(&f.was, &f.m);
        how.q[1] = how.q[3] = 0;
        refused(model_motion_offset(&f.m, &how, NULL, &error), LATHE_ERR_RANGE,
                "q is not a rotation");
        how.track = 99;
        how.q[3] = 1;
        refused(model_motion_offset(&f.m, &how, NULL, &error), LATHE_ERR_INVALID,
                "no track 99: there are 10");
        end(&f);
    }
}

/* Rows in model space, as of a skeleton all of whose bones are carried along. */
static void to_model_space(model_motion *m)
{
    for (uint64_t i = 0; i < FRAMES; i++)
        for (size_t b = 0; b < BONES; b++) {
            float *row = model_motion_row(m, i, b);
            const float *up =
                bones[b].parent < 0 ? NULL : model_motion_row(m, i, (uint64_t)bones[b].parent);
            if (!up)
                continue;
            quat p = {up[3], up[4], up[5], up[6]}, q = {row[3], row[4], row[5], row[6]};
            vec3 t = quat_rotate(p, (vec3){row[0], row[1], row[2]});
            q = quat_mul(p, q);
            const double all[7] = {
                (double)up[0] + t.x, (double)up[1] + t.y, (double)up[2] + t.z, q.x, q.y, q.z, q.w};
            for (int k = 0; k < 7; k++)
                row[k] = (float)all[k];
        }
    m->absolute = true;
}

static void the_same_in_model_space(void **state)
{
    fixture f;
    (void)state;
    begin(&f, false);
    to_model_space(&f.m);
    model_offset how = {.track = 3, .t = {1, 2, 3}, .q = {0, 0.6, 0, 0.8}};
    refused(model_motion_offset(&f.m, &how, NULL, &error), LATHE_ERR_INVALID,
            "the clip is in model space: it needs a skeleton");
    how.skeleton = &f.skeleton;
    OK(model_motion_offset(&f.m, &how, &report, &error));
    assert_int_equal(report.changed, 4 * FRAMES); /* an arm, a hand, a weapon and its bolt */
    OK(model_motion_offset(&f.was, &how, NULL, &error));
    OK(model_motion_mirror(&f.m, &(model_mirror){.skeleton = &f.skeleton, .axis = -1}, NULL,
                           &error));
    OK(model_motion_mirror(&f.was, &(model_mirror){.skeleton = &f.skeleton, .axis = -1}, NULL,
                           &error));
    to_model_space(&f.was);
    same(&f.was, &f.m);
    end(&f);
}

/* ---- left and right -------------------------------------------------------------------------------------------------- */

static void names_of_both_sides(void **state)
{
    static const char *const pairs[][2] = {
        {"NPC L Thigh [LThg]", "NPC R Thigh [RThg]"},
        {"NPC L Foot [Lft ]", "NPC R Foot [Rft ]"},
        {"Ragdoll_NPC L Thigh [LThg]", "Ragdoll_NPC R Thigh [RThg]"},
        {"NPC LEye [EyeL]", "NPC REye [EyeR]"},
        {"NPC L MagicNode [LMag]", "NPC R MagicNode [RMag]"},
        {"SkirtLBone02", "SkirtRBone02"},
        {"AnimObjectL", "AnimObjectR"},
        {"Shield", "Weapon"},
        {"LArm_Collarbone", "RArm_Collarbone"},
        {"LLeg_Thigh", "RLeg_Thigh"},
        {"L_RibHelper", "R_RibHelper"},
        {"Ragdoll_NPC L Thigh", "Ragdoll_NPC R Thigh"},
        {"WeaponIKTargetLMirror", "WeaponIKTargetRMirror"},
        {"LLeg1", "RLeg1"},
        {"LEar", "REar"},
        {"Ragdoll_LArm_Palm", "Ragdoll_RArm_Palm"},
        {"L Finger0Nub", "R Finger0Nub"},
        {"LThighTwist", "RThighTwist"},
        {"L_weapon", "R_weapon"},
        {"Bip01 L Hand", "Bip01 R Hand"},
        {"hand_l", "hand_r"},
    };
    (void)state;
    for (size_t k = 0; k < sizeof pairs / sizeof pairs[0]; k++)
        for (int side = 0; side < 2; side++) {
            char got[MIRROR_NAME] = "";
            bool found = false;
            for (size_t i = 0; !found && i < mirror_rule_count; i++)
                found = mirror_name(i, pairs[k][side], got) && strcmp(got, pairs[k][!side]) == 0;
            if (!found)
                fail_msg("no rule makes '%s' of '%s'", pairs[k][!side], pairs[k][side]);
        }
}

static void mirror_twice(void **state)
{
    (void)state;
    for (int additive = 0; additive < 2; additive++)
        for (int axis = -1; axis < 2; axis++) {
            fixture f;
            begin(&f, true);
            model_mirror how = {.skeleton = &f.skeleton, .axis = axis};
            f.m.hint = f.was.hint = additive ? MODEL_ADDITIVE : MODEL_NORMAL;
            OK(model_motion_mirror(&f.m, &how, &report, &error));
            assert_int_equal(report.changed, FRAMES * (BONES - 2 + 1)); /* a weapon stays as held */
            assert_string_equal(f.m.events[1].text, "FootRight");
            assert_int_equal(f.m.events[1].track, 5);
            assert_string_equal(f.m.events[4].text, "bright left");
            OK(model_motion_mirror(&f.m, &how, NULL, &error));
            same(&f.was, &f.m);
            assert_string_equal(skipped, "");
            end(&f);
        }
}

static void set_scale(float *row, float x, float y, float z)
{
    row[7] = x;
    row[8] = y;
    row[9] = z;
}

static void mirrored_scales_follow_the_axes(void **state)
{
    fixture f;
    (void)state;
    begin(&f, false);
    set_scale(model_motion_row(&f.m, 2, 4), 2, 3, 4);
    model_motion_free(&f.was);
    copy_of(&f.was, &f.m);
    model_mirror how = {.skeleton = &f.skeleton, .axis = -1};
    OK(model_motion_mirror(&f.m, &how, NULL, &error));
    const float *row = model_motion_row(&f.m, 2, 5);
    near(24, (double)row[7] * (double)row[8] * (double)row[9], 1e-5, "scales", 0);
    OK(model_motion_mirror(&f.m, &how, NULL, &error));
    same(&f.was, &f.m);
    end(&f);
}

/* At rest both sides are what they are; a raised left arm is a raised right one. */
static void mirror_shows_the_other_side(void **state)
{
    fixture f;
    (void)state;
    begin(&f, true);
    /* This skeleton is the mirror image of itself. */
    double *left = f.skeleton.bones[2].pose, *right = f.skeleton.bones[3].pose;
    set_pose(left, (vec3){-9, 1, 20}, about(0, 1, 0, -1));
    set_pose(right, (vec3){9, 1, 20}, about(0, 1, 0, 1));
    for (uint64_t i = 0; i < FRAMES; i++)
        for (size_t b = 0; b < BONES; b++)
            for (int k = 0; k < MODEL_POSE; k++)
                model_motion_row(&f.m, i, b)[k] = (float)f.skeleton.bones[b].pose[k];
    quat raised = quat_mul(about(1, 2, 3, 0.7), (quat){left[3], left[4], left[5], left[6]});
    float *row = model_motion_row(&f.m, 5, 2);
    row[3] = (float)raised.x;
    row[4] = (float)raised.y;
    row[5] = (float)raised.z;
    row[6] = (float)raised.w;
    OK(model_motion_mirror(&f.m, &(model_mirror){.skeleton = &f.skeleton, .axis = -1}, &report,
                           &error));
    row = model_motion_row(&f.m, 5, 3);
    double sign = (double)row[6] * raised.w < 0 ? -1 : 1;
    near(raised.x, sign * (double)row[3], 1e-6, "x", 0);
    near(-raised.y, sign * (double)row[4], 1e-6, "y", 0);
    near(-raised.z, sign * (double)row[5], 1e-6, "z", 0);
    near(raised.w, sign * (double)row[6], 1e-6, "w", 0);
    near(9, (double)row[0], 1e-5, "t", 0);
    near(-30, (double)f.m.moves[(FRAMES - 1) * MODEL_MOVE], 1e-5, "move", 0);
    near(100, (double)f.m.moves[(FRAMES - 1) * MODEL_MOVE + 1], 1e-5, "move", 1);
    near(-4, (double)f.m.moves[(FRAMES - 1) * MODEL_MOVE + 3], 1e-5, "move", 3);
    end(&f);
}

static void mirror_by_given_pairs(void **state)
{
    fixture f;
    model_pair pairs[] = {{"Weapon", "NPC Head [Head]"}, {"Weapon", "Camera"}};
    (void)state;
    begin(&f, true);
    model_mirror how = {.skeleton = &f.skeleton, .pairs = pairs, .pair_count = 1, .axis = -1};
    OK(model_motion_mirror(&f.m, &how, NULL, &error));
    OK(model_motion_mirror(&f.m, &how, NULL, &error));
    same(&f.was, &f.m);
    how.pair_count = 2;
    refused(model_motion_mirror(&f.m, &how, NULL, &error), LATHE_ERR_INVALID,
            "pairs[2]: 'Weapon' is in two pairs");
    pairs[0].left = "Tail";
    refused(model_motion_mirror(&f.m, &how, NULL, &error), LATHE_ERR_INVALID,
            "pairs[1]: the skeleton has no bone 'Tail'");
    for (size_t b = 0; b < BONES; b++)
        f.skeleton.bones[b].name = NULL;
    how.pair_count = 0;
    refused(model_motion_mirror(&f.m, &how, NULL, &error), LATHE_ERR_INVALID,
            "no bone of the skeleton has a counterpart on the other side: give pairs");
    same(&f.was, &f.m);
    end(&f);
}

static void mirror_lists_what_is_lost(void **state)
{
    fixture f;
    (void)state;
    begin(&f, false);
    f.m.tracks[5] = (model_track){.bone = "Tail", .bone_index = -1};
    OK(model_motion_mirror(&f.m, &(model_mirror){.skeleton = &f.skeleton, .axis = -1}, &report,
                           &error));
    assert_string_equal(skipped,
                        "tracks[6] (Tail): it moves no bone of the skeleton, and stays as it is\n"
                        "tracks[5] (NPC L Hand [LHnd]): its mirror image is lost: no "
                        "track moves bone 5 (NPC R Hand [RHnd])\n");
    end(&f);
}

/* ---- other skeletons --------------------------------------------------------------------------------------------------- */

static void retarget_to_itself(void **state)
{
    (void)state;
    for (int additive = 0; additive < 2; additive++) {
        fixture f;
        begin(&f, true);
        f.m.hint = f.was.hint = additive ? MODEL_ADDITIVE : MODEL_NORMAL;
        model_retarget how = {.from = &f.skeleton, .to = &f.skeleton};
        OK(model_motion_retarget(&f.m, &how, &report, &error));
        same(&f.was, &f.m);
        assert_string_equal(skipped, "");
        end(&f);
    }
}

static void retarget_there_and_back(void **state)
{
    fixture f;
    model_skeleton large;
    (void)state;
    begin(&f, true);
    make_skeleton(&large, 2);
    /* Other axes, another order, another length. */
    set_pose(large.bones[4].pose, (vec3){10, 0, 40}, about(3, 1, 1, 2));
    model_bone head = large.bones[8];
    large.bones[8] = large.bones[9];
    large.bones[9] = head;
    model_retarget there = {.from = &f.skeleton, .to = &large};
    model_retarget back = {.from = &large, .to = &f.skeleton};
    OK(model_motion_retarget(&f.m, &there, &report, &error));
    assert_int_equal(f.m.tracks[8].bone_index, 9);
    assert_string_equal(f.m.tracks[8].bone, "NPC Head [Head]");
    OK(model_motion_retarget(&f.m, &back, NULL, &error));
    same(&f.was, &f.m);
    model_skeleton_free(&large);
    end(&f);
}

static void retarget_drops_and_maps(void **state)
{
    fixture f;
    model_skeleton other;
    model_pair map[] = {{"NPC Head [Head]", "Skull"}, {"Weapon", "Sword"}};
    (void)state;
    begin(&f, true);
    make_skeleton(&other, 1);
    other.bones[8].name = "Skull";
    other.bones[6].name = "Blade";
    model_retarget how = {.from = &f.skeleton, .to = &other, .map = map, .map_count = 1};
    OK(model_motion_retarget(&f.m, &how, &report, &error));
    assert_string_equal(skipped,
                        "note: tracks whose bone the other skeleton has: 9 of 10\n"
                        "tracks[7] (Weapon): the other skeleton has no such bone: dropped\n");
    assert_int_equal(f.m.track_count, 9);
    assert_string_equal(f.m.tracks[7].bone, "Skull");
    assert_int_equal(f.m.event_count, 5);
    model_motion_free(&f.m);
    copy_of(&f.m, &f.was);
    how.map_count = 2;
    refused(model_motion_retarget(&f.m, &how, NULL, &error), LATHE_ERR_INVALID,
            "map: the other skeleton has no bone 'Sword'");
    how.map_count = 0;
    for (size_t b = 0; b < BONES; b++)
        other.bones[b].name = "x";
    refused(model_motion_retarget(&f.m, &how, NULL, &error), LATHE_ERR_INVALID,
            "no bone that the clip moves is in the other skeleton");
    same(&f.was, &f.m);
    model_skeleton_free(&other);
    end(&f);
}

/* ---- memory that runs out ------------------------------------------------------------------------------------------------ */

static long calls_left, held;

static void *scarce(void *user, void *ptr, size_t old_size, size_t new_size)
{
    (void)user;
    if (new_size == 0) {
        held -= ptr ? (long)old_size : 0;
        free(ptr);
        return NULL;
    }
    if (calls_left-- <= 0)
        return NULL;
    held += (long)new_size - (long)old_size;
    return realloc(ptr, new_size);
}

static lathe_result run(int verb, fixture *f, const model_motion *other, const float *rest)
{
    model_mirror mirror = {.skeleton = &f->skeleton, .axis = -1};
    model_retarget retarget = {.from = &f->skeleton, .to = &f->skeleton};
    model_root root = {.track = -1, .skeleton = &f->skeleton};
    model_offset offset = {.track = 1, .q = {0, 0, 0, 1}, .skeleton = &f->skeleton};
    model_reference by = {rest, NULL};
    float *rows = NULL;
    lathe_result r;
    switch (verb) {
    case 0: return model_motion_trim(&f->m, 0.2, 0.6, NULL, &error);
    case 1: return model_motion_reverse(&f->m, NULL, &error);
    case 2: return model_motion_resample(&f->m, 10, NULL, &error);
    case 3: return model_motion_concat(&f->m, other, NULL, &error);
    case 4: return model_motion_blend(&f->m, other, 0.5, NULL, &error);
    case 5: return model_motion_mirror(&f->m, &mirror, NULL, &error);
    case 6: return model_motion_retarget(&f->m, &retarget, NULL, &error);
    case 7: return model_motion_extract(&f->m, &root, NULL, &error);
    case 8: return model_motion_offset(&f->m, &offset, NULL, &error);
    case 9: return model_motion_additive(&f->m, &by, NULL, &error);
    case 10: return model_motion_rename(&f->m, "seam", 4, "x", 1, NULL, &error);
    default:
        r = model_motion_rest(&f->m, &f->skeleton, &rows, &error);
        mem_free(memory, rows, BONES * MODEL_POSE * sizeof *rows);
        return r;
    }
}

enum { VERBS = 12 };

static void without_memory(void **state)
{
    static const mem short_of = {scarce, NULL};
    const mem *plenty = memory;
    (void)state;
    memory = &short_of;
    for (int verb = 0; verb < VERBS; verb++) {
        lathe_result r = LATHE_ERR_MEMORY;
        for (long n = 0; r == LATHE_ERR_MEMORY; n++) {
            fixture f;
            calls_left = 1000000;
            begin(&f, true);
            calls_left = n;
            r = run(verb, &f, &f.was, f.was.rows);
            calls_left = 1000000;
            if (r == LATHE_ERR_MEMORY)
                same(&f.was, &f.m);
            end(&f);
            assert_int_equal(held, 0);
        }
        OK(r);
    }
    memory = plenty;
}

int main(void)
{
    const mem all = mem_default();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(trim_to_the_whole),
        cmocka_unit_test(trim_copies_frames),
        cmocka_unit_test(trim_between_frames),
        cmocka_unit_test(trim_of_uneven_frames),
        cmocka_unit_test(trim_to_one_frame),
        cmocka_unit_test(trim_refuses),
        cmocka_unit_test(trim_in_two_then_concat),
        cmocka_unit_test(reverse_twice),
        cmocka_unit_test(reverse_of_a_loop),
        cmocka_unit_test(resample_there_and_back),
        cmocka_unit_test(rename_texts),
        cmocka_unit_test(concat_goes_on_where_it_ends),
        cmocka_unit_test(concat_by_name),
        cmocka_unit_test(concat_refuses),
        cmocka_unit_test(concat_of_another_rate),
        cmocka_unit_test(blend_from_one_to_the_other),
        cmocka_unit_test(blend_refuses_and_lists),
        cmocka_unit_test(loop_closes_the_seam),
        cmocka_unit_test(root_motion_there_and_back),
        cmocka_unit_test(root_motion_of_a_straight_way),
        cmocka_unit_test(baked_and_extracted_again),
        cmocka_unit_test(root_motion_refuses),
        cmocka_unit_test(additive_there_and_back),
        cmocka_unit_test(additive_against_its_own_pose_is_nothing),
        cmocka_unit_test(rest_refuses_other_bones),
        cmocka_unit_test(offset_and_back),
        cmocka_unit_test(the_same_in_model_space),
        cmocka_unit_test(names_of_both_sides),
        cmocka_unit_test(mirror_twice),
        cmocka_unit_test(mirrored_scales_follow_the_axes),
        cmocka_unit_test(mirror_shows_the_other_side),
        cmocka_unit_test(mirror_by_given_pairs),
        cmocka_unit_test(mirror_lists_what_is_lost),
        cmocka_unit_test(retarget_to_itself),
        cmocka_unit_test(retarget_there_and_back),
        cmocka_unit_test(retarget_drops_and_maps),
        cmocka_unit_test(without_memory),
    };
    memory = &all;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
