/* All numbers that a program gets of a file's scene: scene_numbers_host FILE... Of many it prints a
 * weighted sum. */
#include "lathe.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static double sum_of(const double *p, uint64_t n)
{
    double sum = 0;
    for (uint64_t i = 0; i < n; i++)
        sum += p[i] * (double)(i % 97 + 1);
    return sum;
}

static const char *text(const char *name)
{
    return name ? name : "-";
}

static void print_arrays(const lathe_mesh *mesh)
{
    for (lathe_mesh_part part = 0; part < LATHE_MESH_PART_COUNT; part++) {
        uint32_t lanes = 0;
        uint64_t n = lathe_mesh_count(mesh, part, &lanes, NULL);
        double *rows = calloc(n * lanes + 1, sizeof *rows);
        if (rows && lathe_mesh_read(mesh, part, 0, n, LATHE_ELEM_F64, rows, NULL) == LATHE_OK)
            printf(" %llu:%.9g", (unsigned long long)n, sum_of(rows, n * lanes));
        free(rows);
    }
}

static void print_look(const lathe_mesh *mesh, const lathe_mesh_info *info)
{
    lathe_joint joint = {.size = sizeof joint};
    lathe_surface surface = {.size = sizeof surface};
    const char *role, *path;
    printf(" %s %d %.9g %d", text(info->shape), (int)info->body,
           info->has_node ? sum_of(info->node_transform, 16) : 0, (int)info->object);
    for (uint64_t i = 0; lathe_mesh_material(mesh, i, &path, NULL) == LATHE_OK; i++)
        printf(" %s", path);
    for (uint64_t i = 0; lathe_mesh_joint(mesh, i, &joint, NULL) == LATHE_OK; i++)
        printf(" %s:%d:%.9g:%.9g", text(joint.name), (int)joint.parent, sum_of(joint.bind, 16),
               sum_of(joint.world, 16));
    if (lathe_mesh_surface(mesh, &surface))
        printf(" %.9g %.9g %d", sum_of(surface.base_color, 4), sum_of(surface.emissive, 3),
               (int)surface.textures);
    size_t letters = 0;
    for (uint64_t i = 0; lathe_mesh_texture(mesh, i, &role, &path, NULL) == LATHE_OK; i++)
        letters += strlen(role) + strlen(path);
    printf(" %d", (int)letters);
}

static void print_mesh(lathe_doc *doc, lathe_list list, uint64_t i)
{
    lathe_mesh *mesh;
    lathe_mesh_info info = {.size = sizeof info};
    if (lathe_mesh_open(doc, list, i, NULL, &mesh, NULL) != LATHE_OK)
        return;
    lathe_mesh_describe(mesh, &info);
    if (!info.left_out) {
        printf("mesh %s %.9g %g", text(info.name), sum_of(info.transform, 16), info.metres);
        print_arrays(mesh);
        print_look(mesh, &info);
        puts(" .");
    }
    lathe_mesh_close(mesh);
}

static void print_skeleton(lathe_doc *doc, uint64_t i)
{
    lathe_bone bone = {.size = sizeof bone};
    const char *slot;
    for (uint64_t k = 0; lathe_skeleton_bone(doc, i, k, &bone, NULL) == LATHE_OK; k++)
        printf("bone %s %lld %.9g\n", text(bone.name), (long long)bone.parent,
               sum_of(bone.pose, LATHE_POSE));
    for (uint64_t k = 0; lathe_skeleton_slot(doc, i, k, &slot, NULL) == LATHE_OK; k++)
        printf("slot %s\n", slot);
}

/* A weighted sum of floats that a call gave. */
static double sum_floats(const float *p, uint64_t n)
{
    double sum = 0;
    for (uint64_t i = 0; i < n; i++)
        sum += (double)p[i] * (double)(i % 97 + 1);
    return sum;
}

static void print_samples(lathe_doc *doc, uint64_t i, const lathe_clip_info *info)
{
    const lathe_sampling floats = {.size = sizeof floats, .kind = LATHE_FLOAT_TRACKS};
    const lathe_sampling middle = {
        .size = sizeof middle, .by_time = true, .at = info->duration / 2};
    uint64_t row = info->tracks * LATHE_POSE, values = info->frames * info->float_tracks;
    uint64_t n = info->frames * row, most = n > values ? n : values;
    float *out = calloc(most + row + info->frames * LATHE_MOTION + 1, sizeof *out);
    double *times = calloc(info->frames + 1, sizeof *times);
    if (out && lathe_clip_decode(doc, i, NULL, out, n, NULL) == LATHE_OK)
        printf(" %.9g", sum_floats(out, n));
    if (out && lathe_clip_decode(doc, i, &floats, out, values, NULL) == LATHE_OK)
        printf(" %.9g", sum_floats(out, values));
    if (out && lathe_clip_sample(doc, i, &middle, 0, LATHE_ALL, out, row, NULL) == LATHE_OK)
        printf(" %.9g", sum_floats(out, row));
    if (out && lathe_clip_motion(doc, i, out, info->frames * LATHE_MOTION, NULL) == LATHE_OK)
        printf(" %.9g", sum_floats(out, info->frames * LATHE_MOTION));
    if (times && lathe_clip_times(doc, i, times, info->frames, NULL) == LATHE_OK)
        printf(" %.9g", sum_of(times, info->frames));
    free(out);
    free(times);
}

static void print_clip(lathe_doc *doc, uint64_t i)
{
    lathe_clip_info info = {.size = sizeof info};
    lathe_annotation note = {.size = sizeof note};
    const char *name;
    int64_t number;
    uint64_t id;
    double axes[6];
    if (lathe_clip_describe(doc, i, &info, NULL) != LATHE_OK ||
        lathe_clip_ready(doc, i, NULL) != LATHE_OK)
        return;
    printf("clip %d %d %.9g", (int)info.frames, (int)info.tracks, info.duration);
    print_samples(doc, i, &info);
    if (lathe_clip_axes(doc, i, axes, axes + 3, NULL) == LATHE_OK)
        printf(" %.9g", sum_of(axes, 6));
    static const lathe_tracks kinds[] = {LATHE_BONE_TRACKS, LATHE_FLOAT_TRACKS};
    for (int n = 0; n < 2; n++)
        for (uint64_t k = 0;
             lathe_clip_track(doc, i, kinds[n], k, &name, &number, NULL) == LATHE_OK; k++)
            printf(" %s:%d", text(name), (int)number);
    puts(" .");
    for (uint64_t k = 0; lathe_annotation_id(doc, i, k, &id, NULL) == LATHE_OK; k++)
        if (lathe_annotation_read(doc, i, id, &note, NULL) == LATHE_OK)
            printf("annotation %.9g %d %d\n", note.time, (int)note.track, (int)note.length);
}

/* An item of a behavior graph: its name, and the number that has that name. */
static void print_item(lathe_doc *doc, lathe_list list, uint64_t i)
{
    lathe_value name;
    lathe_view item;
    uint64_t found = 0;
    if (lathe_list_name(doc, list, i, &name, NULL) != LATHE_OK ||
        lathe_list_item(doc, list, i, &item, NULL) != LATHE_OK)
        return;
    if (name.kind != LATHE_KIND_STRING)
        printf("item %d %d %s\n", (int)list, (int)i, lathe_view_type(item));
    else if (lathe_list_find(doc, list, name.as.s.p, name.as.s.n, &found, NULL) == LATHE_OK)
        printf("item %d %d %s %d\n", (int)list, (int)i, name.as.s.p, (int)found);
    else
        printf("item %d %d %s -\n", (int)list, (int)i, name.as.s.p);
}

static bool print_file(const char *path)
{
    lathe_doc *doc;
    if (lathe_doc_open(path, NULL, &doc, NULL) != LATHE_OK)
        return false;
    for (lathe_list list = 0; list < LATHE_LIST_COUNT; list++) {
        uint64_t n = 0;
        lathe_list_count(doc, list, &n, NULL);
        printf("list %d %d\n", (int)list, (int)n);
        for (uint64_t i = 0; i < n; i++)
            if (list == LATHE_MESHES || list == LATHE_COLLISION)
                print_mesh(doc, list, i);
            else if (list == LATHE_SKELETONS)
                print_skeleton(doc, i);
            else if (list == LATHE_ANIMATIONS)
                print_clip(doc, i);
            else if (list >= LATHE_GRAPHS)
                print_item(doc, list, i);
    }
    lathe_doc_close(doc);
    return true;
}

/* The line "file PATH" comes before what is printed of each file; it is written out also if the program then dies. */
int main(int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        printf("file %s\n", argv[i]);
        fflush(stdout);
        if (!print_file(argv[i]))
            return fprintf(stderr, "%s: not of a known format\n", argv[i]), 1;
    }
    if (argc < 2)
        return fprintf(stderr, "usage: scene_numbers_host FILE..., of known formats\n"), 1;
    return 0;
}
