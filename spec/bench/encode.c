/* Clips of the corpus encoded anew from their samples, at the default tolerances: bytes before and after, what it
 * costs in accuracy and in time. Where all clips are there, the table in core/havok/animation/maths/ENCODING.md is written anew. */
#include "bench_files.h"
#include "havok/animation/clip.h"
#include "havok/animation/maths/spline_encode.h"

#include <math.h>
#include <time.h>

/* Bones of DSR_Skeleton.hkx stand this high; formats without tolerances of their own have 1e-4 of it. */
#define SOULS_HEIGHT 1.57

static const struct {
    const char *path;
    double translation;
} clips[] = {
    {"hkx/fo4/CoughingAfterCryo.hkx", 0.01},
    {"hkx/fo4/Death1.hkx", 0.01},
    {"hkx/fo4/SneakIdle.hkx", 0.01},
    {"hkx/fo4/run_forward_to_idle.hkx", 0.01},
    {"hkx/skyrim-le/1hm_staggerbacksmallest.hkx", 0.01},
    {"hkx/skyrim-le/SOSFastErect.hkx", 0.01},
    {"hkx/skyrim-se/bow_drawlight.hkx", 0.01},
    {"hkx/skyrim-se/chair_idlearmscrossedvar1.hkx", 0.01},
    {"hkx/skyrim-se/sneak_1hmattackintro.hkx", 0.01},
    {"hkx/skyrim-se/sneakmtidle.hkx", 0.01},
    {"tagfile/DSR_a00_0000.hkx", SOULS_HEIGHT * 1e-4},
};
enum { CLIPS = sizeof clips / sizeof *clips, ROUNDS = 3 };

typedef struct result {
    bool there;
    size_t before, after;
    hk_encode_report report;
    double ns, samples;
} result;

static double now(void)
{
    return (double)clock() * (1e9 / CLOCKS_PER_SEC);
}

static void stop(const char *name, const lathe_error *err)
{
    fprintf(stderr, "%s: %s\n", name, err->message);
    exit(1);
}

static void encode(const hk_spline *spline, double translation, const char *name, result *out)
{
    const hk_spline_facts *f = &spline->facts;
    size_t rows = (size_t)(f->frames * f->transform_tracks),
           values = (size_t)(f->frames * f->float_tracks);
    float *row = malloc(rows * HK_ROW * sizeof *row + 1),
          *value = malloc(values * sizeof *value + 1);
    hk_encode_options options = {.translation.all = translation,
                                 .rotation.all = 0.002,
                                 .scale.all = 0.001,
                                 .value.all = 0.001,
                                 .named = true};
    mem m = mem_default();
    if (!row || !value)
        exit(1);
    hk_spline_decode(spline, 0, (uint64_t)f->frames, row);
    hk_spline_floats_decode(spline, 0, (uint64_t)f->frames, value);
    const hk_samples samples = {(uint64_t)f->frames, (uint64_t)f->transform_tracks,
                                (uint64_t)f->float_tracks, row, value};
    out->before = (size_t)f->size;
    out->samples = (double)rows;
    out->ns = 1e18;
    for (int i = 0; i < ROUNDS; i++) {
        hk_encoded made;
        lathe_error err;
        double t = now();
        if (hk_spline_encode(&samples, &options, &m, &made, &out->report, NULL, NULL, &err) !=
            LATHE_OK)
            stop(name, &err);
        t = now() - t;
        out->ns = t < out->ns ? t : out->ns;
        out->after = made.data.size;
        hk_encoded_free(&made, &m);
    }
    out->there = true;
    free(row);
    free(value);
}

static void one(size_t i, result *out)
{
    const char *root = getenv("LATHE_CORPUS");
    char path[512];
    lathe_doc *doc;
    lathe_error err;
    scene_clip clip;
    hk_clips *list;
    hk_clip *hk;
    hk_poses *poses = NULL;
    snprintf(path, sizeof path, "%s/%s", root && *root ? root : "../shared/corpus", clips[i].path);
    if (lathe_doc_open(path, NULL, &doc, &err) != LATHE_OK)
        return;
    if (scene_clip_open(doc, 0, &clip, &err) != LATHE_OK ||
        hk_clip_of(clip.source, &list, &hk, &err) != LATHE_OK ||
        hk_poses_of(list, hk, doc, &poses, &err) != LATHE_OK || !poses->is_spline)
        stop(path, &err);
    encode(&poses->as.spline, clips[i].translation, clips[i].path, out);
    lathe_doc_close(doc);
}

static const char *name_of(const char *path)
{
    return strrchr(path, '/') + 1;
}

static void print_all(const result *r)
{
    size_t before = 0, after = 0;
    printf("%-32s %8s %8s %6s %9s %9s %9s %9s %6s\n", "", "before", "after", "ratio", "units",
           "rad", "scale", "ms", "ns");
    for (size_t i = 0; i < CLIPS; i++) {
        if (!r[i].there)
            continue;
        printf("%-32s %8zu %8zu %6.3f %9.5f %9.5f %9.6f %9.2f %6.0f\n", name_of(clips[i].path),
               r[i].before, r[i].after, (double)r[i].after / (double)r[i].before,
               r[i].report.translation, r[i].report.rotation, r[i].report.scale, r[i].ns / 1e6,
               r[i].ns / r[i].samples);
        before += r[i].before;
        after += r[i].after;
    }
    if (before)
        printf("%-32s %8zu %8zu %6.3f\n", "all", before, after, (double)after / (double)before);
}

/* ---- the table in the docs ------------------------------------------------------------------------------- */

#define DOCS "core/havok/animation/maths/ENCODING.md"
#define FROM "<!-- table: make bench -->\n"
#define TO "<!-- end -->\n"

static void put_table(FILE *out, const result *r)
{
    size_t before = 0, after = 0;
    fputs("| clip | bytes before | after | ratio | units | rad | scale |\n"
          "| --- | --- | --- | --- | --- | --- | --- |\n",
          out);
    for (size_t i = 0; i < CLIPS; i++) {
        fprintf(out, "| %s | %zu | %zu | %.2f | %.5f | %.5f | %.5f |\n", name_of(clips[i].path),
                r[i].before, r[i].after, (double)r[i].after / (double)r[i].before,
                r[i].report.translation, r[i].report.rotation, r[i].report.scale);
        before += r[i].before;
        after += r[i].after;
    }
    fprintf(out, "| all | %zu | %zu | %.2f | | | |\n", before, after,
            (double)after / (double)before);
}

/* Everything but what stands between the markers stays. */
static void write_docs(const result *r)
{
    bench_read_file(DOCS);
    if (!bench_count)
        return;
    char *text = (char *)bench_files[0].bytes;
    text[bench_files[0].size] = 0; /* bench_keep has room for it */
    char *from = strstr(text, FROM), *to = from ? strstr(from, TO) : NULL;
    FILE *out = to ? fopen(DOCS, "wb") : NULL;
    if (!out)
        return;
    fwrite(text, 1, (size_t)(from - text) + strlen(FROM), out);
    put_table(out, r);
    fputs(to, out);
    fclose(out);
}

int main(void)
{
    static result results[CLIPS];
    bool all = true;
    for (size_t i = 0; i < CLIPS; i++) {
        one(i, &results[i]);
        all = all && results[i].there;
    }
    print_all(results);
    if (all)
        write_docs(results);
    return 0;
}
