/* What a program sees of a file's scene: scene_host FILE. Of many numbers it prints a weighted sum. */
#include "lathe.h"

#include <stdio.h>
#include <stdlib.h>

static double sum_of(const double *p, uint64_t n)
{
    double sum = 0;
    for (uint64_t i = 0; i < n; i++)
        sum += p[i] * (double)(i % 97 + 1);
    return sum;
}

static void print_mesh(lathe_doc *doc, lathe_list list, uint64_t i)
{
    lathe_mesh *mesh;
    lathe_mesh_info info = {.size = sizeof info};
    if (lathe_mesh_open(doc, list, i, NULL, &mesh, NULL) != LATHE_OK)
        return;
    lathe_mesh_describe(mesh, &info);
    if (!info.left_out)
        printf("mesh %s %.9g %g", info.name ? info.name : "-", sum_of(info.transform, 16),
               info.metres);
    for (lathe_mesh_part part = 0; !info.left_out && part <= LATHE_MESH_INDICES; part++) {
        uint32_t lanes = 0;
        uint64_t n = lathe_mesh_count(mesh, part, &lanes, NULL);
        double *rows = calloc(n * lanes + 1, sizeof *rows);
        if (rows && lathe_mesh_read(mesh, part, 0, n, LATHE_ELEM_F64, rows, NULL) == LATHE_OK)
            printf(" %llu:%.9g", (unsigned long long)n, sum_of(rows, n * lanes));
        free(rows);
    }
    puts(info.left_out ? "" : " .");
    lathe_mesh_close(mesh);
}

static void print_skeleton(lathe_doc *doc, uint64_t i)
{
    lathe_bone bone = {.size = sizeof bone};
    for (uint64_t k = 0; lathe_skeleton_bone(doc, i, k, &bone, NULL) == LATHE_OK; k++)
        printf("bone %s %lld %.9g\n", bone.name ? bone.name : "-", (long long)bone.parent,
               sum_of(bone.pose, LATHE_POSE));
}

static void print_clip(lathe_doc *doc, uint64_t i)
{
    lathe_clip_info info = {.size = sizeof info};
    lathe_clip_describe(doc, i, &info, NULL); /* where it fails, so does decoding */
    uint64_t n = info.frames * info.tracks * LATHE_POSE;
    float *poses = calloc(n + 1, sizeof *poses);
    double sum = 0;
    if (poses && lathe_clip_decode(doc, i, NULL, poses, n, NULL) == LATHE_OK) {
        for (uint64_t k = 0; k < n; k++)
            sum += poses[k] * (double)(k % 97 + 1);
        printf("clip %d %d %.9g %.9g\n", (int)info.frames, (int)info.tracks, info.duration, sum);
    }
    free(poses);
}

int main(int argc, char **argv)
{
    lathe_doc *doc;
    if (argc != 2 || lathe_doc_open(argv[1], NULL, &doc, NULL) != LATHE_OK)
        return fprintf(stderr, "usage: scene_host FILE, of a known format\n"), 1;
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
    }
    lathe_doc_close(doc);
    return 0;
}
