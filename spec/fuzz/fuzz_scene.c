/* The scene of documents of any format: whatever the file says, lists, meshes, skeletons, animations and annotations are read
 * and changed without a crash, also where memory runs out, and an edit that is taken back leaves the bytes as they were.
 *
 * The first byte chooses the format, the rest is the file. */
#include "fuzz.h"

#include <math.h>

enum { MOST_ITEMS = 12, MOST_NUMBERS = 1 << 20 };

/* ---- meshes ---------------------------------------------------------------------------------------- */

static void read_part(const lathe_mesh *mesh, lathe_mesh_part part, lathe_elem elem)
{
    uint32_t lanes = 0;
    lathe_elem own;
    uint64_t n = lathe_mesh_count(mesh, part, &lanes, &own);
    PROMISE(lanes > 0 && lanes <= 4);
    PROMISE(lathe_mesh_read(mesh, part, n, 1, elem, NULL, NULL) == LATHE_ERR_NAME);
    if (n > MOST_NUMBERS)
        return;
    void *rows = malloc(n * lanes * 8 + 1);
    PROMISE(lathe_mesh_read(mesh, part, 0, n, own, rows, NULL) == LATHE_OK);
    for (uint64_t i = 0; part == LATHE_MESH_INDICES && i < n * lanes; i++)
        PROMISE(((uint32_t *)rows)[i] < lathe_mesh_count(mesh, LATHE_MESH_POSITIONS, NULL, NULL));
    lathe_result r = lathe_mesh_read(mesh, part, 0, n, elem, rows, NULL);
    PROMISE(r == LATHE_OK || (r == LATHE_ERR_RANGE && elem != LATHE_ELEM_F64));
    free(rows);
}

static void look_at_mesh(const lathe_mesh *mesh, fuzz_dice *d)
{
    lathe_mesh_info info = {.size = sizeof info};
    lathe_joint joint = {.size = sizeof joint};
    lathe_surface surface = {.size = sizeof surface};
    const char *role, *path;
    lathe_mesh_describe(mesh, &info);
    for (int part = 0; part < LATHE_MESH_PART_COUNT; part++)
        read_part(mesh, (lathe_mesh_part)part, (lathe_elem)fuzz_roll(d, LATHE_ELEM_COUNT));
    for (uint64_t i = 0; i < info.bones && i < MOST_ITEMS; i++)
        PROMISE(lathe_mesh_joint(mesh, i, &joint, NULL) == LATHE_OK);
    for (uint64_t i = 0; i < info.materials && i < MOST_ITEMS; i++)
        PROMISE(lathe_mesh_material(mesh, i, &path, NULL) == LATHE_OK && path);
    PROMISE(lathe_mesh_joint(mesh, info.bones, &joint, NULL) == LATHE_ERR_NAME);
    PROMISE(lathe_mesh_surface(mesh, &surface) == info.has_surface);
    for (uint64_t i = 0; i < surface.textures; i++)
        PROMISE(lathe_mesh_texture(mesh, i, &role, &path, NULL) == LATHE_OK && role && path);
}

static void meshes(lathe_doc *doc, lathe_list list, fuzz_dice *d)
{
    uint64_t n = 0;
    lathe_list_count(doc, list, &n, NULL);
    for (uint64_t i = 0; i < n && i < MOST_ITEMS; i++) {
        lathe_mesh *mesh = NULL;
        const lathe_mesh_options o = {.size = sizeof o,
                                      .bands = fuzz_roll(d, 4),
                                      .known = fuzz_roll(d, 3),
                                      .keep_unreadable = fuzz_roll(d, 2)};
        if (lathe_mesh_open(doc, list, i, &o, &mesh, NULL) == LATHE_OK)
            look_at_mesh(mesh, d);
        lathe_mesh_close(mesh);
    }
}

/* ---- skeletons ------------------------------------------------------------------------------------- */

static double number(fuzz_dice *d)
{
    static const double odd[] = {0, 1, -1, 0.5, 1e30, -1e300, NAN, INFINITY};
    return odd[fuzz_roll(d, sizeof odd / sizeof *odd)];
}

static void skeleton(lathe_doc *doc, uint64_t i, fuzz_dice *d)
{
    lathe_skeleton_info info = {.size = sizeof info};
    lathe_bone bone = {.size = sizeof bone};
    const char *name;
    uint64_t found;
    if (lathe_skeleton_describe(doc, i, &info, NULL) != LATHE_OK)
        return;
    for (uint64_t k = 0; k < info.bones && k < MOST_ITEMS; k++) {
        if (lathe_skeleton_bone(doc, i, k, &bone, NULL) == LATHE_OK && bone.name && *bone.name &&
            lathe_skeleton_find(doc, i, bone.name, strlen(bone.name), &found, NULL) == LATHE_OK)
            PROMISE(found <= k);
    }
    for (uint64_t k = 0; k < info.slots && k < MOST_ITEMS; k++)
        (void)lathe_skeleton_slot(doc, i, k, &name, NULL);
    bone.parent = (int64_t)fuzz_roll(d, 8) - 2;
    bone.mirror = (int64_t)fuzz_roll(d, 8) - 2;
    bone.name = fuzz_roll(d, 4) ? "bone" : NULL;
    for (int k = 0; k < LATHE_POSE; k++)
        bone.pose[k] = number(d);
    (void)lathe_skeleton_set(doc, i, fuzz_roll(d, 4), fuzz_roll(d, 64), &bone, NULL);
}

/* ---- animations ------------------------------------------------------------------------------------ */

static void samples(lathe_doc *doc, uint64_t i, const lathe_clip_info *info, fuzz_dice *d)
{
    const lathe_sampling how = {.size = sizeof how,
                                .kind = (lathe_tracks)fuzz_roll(d, 2),
                                .by_time = fuzz_roll(d, 2),
                                .at = number(d),
                                .skeleton = fuzz_roll(d, 2) ? doc : NULL,
                                .skeleton_index = fuzz_roll(d, 2)};
    uint64_t tracks = how.kind == LATHE_FLOAT_TRACKS ? info->float_tracks : info->tracks;
    uint64_t width = how.kind == LATHE_FLOAT_TRACKS ? 1 : LATHE_POSE;
    if (info->frames > MOST_NUMBERS || tracks > MOST_NUMBERS ||
        info->frames * tracks > MOST_NUMBERS)
        return;
    float *out = malloc((info->frames * tracks * width + tracks * width + 1) * sizeof *out);
    double *times = malloc((info->frames + 1) * sizeof *times);
    float *motion = malloc((info->frames * LATHE_MOTION + 1) * sizeof *motion);
    (void)lathe_clip_decode(doc, i, &how, out, info->frames * tracks * width, NULL);
    (void)lathe_clip_sample(doc, i, &how, 0, LATHE_ALL, out, tracks * width, NULL);
    (void)lathe_clip_times(doc, i, times, info->frames, NULL);
    (void)lathe_clip_motion(doc, i, motion, info->frames * LATHE_MOTION, NULL);
    free(out);
    free(times);
    free(motion);
}

static void notes(lathe_doc *doc, uint64_t i, fuzz_dice *d)
{
    lathe_annotation note = {.size = sizeof note};
    uint64_t n = 0, id = 0;
    if (lathe_annotation_count(doc, i, &n, NULL) != LATHE_OK)
        return;
    for (uint64_t k = 0; k < n && k < MOST_ITEMS; k++)
        if (lathe_annotation_id(doc, i, k, &id, NULL) == LATHE_OK)
            (void)lathe_annotation_read(doc, i, id, &note, NULL);
    note.time = number(d);
    note.text = "note";
    note.length = fuzz_roll(d, 5);
    note.track = (int64_t)fuzz_roll(d, 4) - 1;
    (void)lathe_annotation_set(doc, i, id, fuzz_roll(d, 8), &note, NULL);
    (void)lathe_annotation_add(doc, i, &note, NULL);
    if (fuzz_roll(d, 2))
        (void)lathe_annotation_remove(doc, i, id, NULL);
}

static void clip(lathe_doc *doc, uint64_t i, fuzz_dice *d)
{
    lathe_clip_info info = {.size = sizeof info};
    lathe_view binding;
    const char *name;
    int64_t bone;
    uint64_t frame;
    double axes[6];
    float row[LATHE_POSE];
    if (lathe_clip_describe(doc, i, &info, NULL) != LATHE_OK)
        return;
    (void)lathe_clip_binding(doc, i, &binding, NULL);
    (void)lathe_clip_axes(doc, i, axes, axes + 3, NULL);
    (void)lathe_clip_frame_at(doc, i, number(d), &frame, NULL);
    for (int kind = 0; kind < 2; kind++)
        for (uint64_t k = 0; k < MOST_ITEMS; k++)
            (void)lathe_clip_track(doc, i, (lathe_tracks)kind, k, &name, &bone, NULL);
    if (lathe_clip_ready(doc, i, NULL) == LATHE_OK)
        samples(doc, i, &info, d);
    for (int k = 0; k < LATHE_POSE; k++)
        row[k] = (float)(fuzz_roll(d, 9) ? (double)fuzz_roll(d, 5) - 2 : number(d));
    if (info.frames * info.tracks <= 1 << 12)
        (void)lathe_clip_set(doc, i, fuzz_roll(d, 4), fuzz_roll(d, 4), fuzz_roll(d, 64), row, NULL);
    notes(doc, i, d);
}

/* ---- documents ------------------------------------------------------------------------------------- */

static void look(lathe_doc *doc, fuzz_dice *d)
{
    lathe_view view;
    lathe_value value;
    for (int list = 0; list < LATHE_LIST_COUNT; list++) {
        uint64_t n = 0;
        lathe_list_count(doc, (lathe_list)list, &n, NULL);
        for (uint64_t i = 0; i < n && i < MOST_ITEMS; i++) {
            (void)lathe_list_item(doc, (lathe_list)list, i, &view, NULL);
            if (list == LATHE_SKELETONS)
                skeleton(doc, i, d);
            else if (list == LATHE_ANIMATIONS)
                clip(doc, i, d);
        }
        if (list == LATHE_MESHES || list == LATHE_COLLISION)
            meshes(doc, (lathe_list)list, d);
    }
    (void)lathe_view_at(lathe_doc_root(doc), "bodies[1].name", &value, NULL);
    (void)lathe_view_at(lathe_doc_root(doc), "materials[1]", &value, NULL);
    (void)lathe_view_at(lathe_doc_root(doc), "animations[2].duration", &value, NULL);
}

/* All of it in an edit that is taken back. */
static void look_and_undo(lathe_doc *doc, fuzz_dice *d)
{
    fuzz_bytes before = fuzz_encode(doc), after;
    PROMISE(lathe_edit_begin(doc, NULL) == LATHE_OK);
    look(doc, d);
    PROMISE(lathe_edit_end(doc, false, NULL) == LATHE_OK);
    after = fuzz_encode(doc);
    PROMISE(fuzz_same(&before, &after));
    free(before.p);
    free(after.p);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    size_t formats;
    const lathe_format *const *all = lathe_formats(&formats);
    lathe_format_info info = {.size = sizeof info};
    fuzz_memory memory = {.until = -1};
    lathe_doc *doc = NULL;
    if (!size || data[0] >= formats)
        return 0;
    lathe_format_describe(all[data[0]], &info);
    fuzz_dice d = fuzz_dice_of(data + 1, size - 1);
    const lathe_options options = {.size = sizeof options,
                                   .format = info.name,
                                   .limit = 1 << 20,
                                   .alloc = fuzz_alloc,
                                   .alloc_user = &memory};
    if (lathe_doc_parse(data + 1, size - 1, &options, &doc, NULL) != LATHE_OK)
        return 0;
    look_and_undo(doc, &d);
    memory.until = (long)fuzz_roll(&d, 200);
    look(doc, &d);
    memory.until = -1;
    lathe_doc_close(doc);
    PROMISE(memory.now == 0);
    return 0;
}
