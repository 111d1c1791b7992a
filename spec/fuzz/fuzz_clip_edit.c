/* Animations edited as their verbs do it: taken out whole, changed, put back; rows set at a frame; edits in edits that
 * are kept or dropped, and bytes asked for in between.
 *
 * An input is a format, the length of a script, a file, and the script: what is done with the file, from its end. */
#include "fuzz.h"

#include "scene/motion.h"

#include <math.h>

enum { EDITS = 8, MOST_ROWS = 4000 };

static float number(fuzz_dice *d)
{
    static const float odd[] = {0, -0.0f, 1e30f, 1e-40f, -3e38f, 1, -1};
    if (fuzz_roll(d, 60) == 0)
        return fuzz_roll(d, 2) ? NAN : INFINITY;
    if (fuzz_roll(d, 8) == 0)
        return odd[fuzz_roll(d, 7)];
    return ((float)fuzz_roll(d, 256) - 128) / 16;
}

static void numbers(fuzz_dice *d, float *out, uint64_t n)
{
    for (uint64_t i = 0; i < n; i++)
        out[i] = number(d);
}

/* ---- changes of a motion ------------------------------------------------------------------------------- */

/* Some frames more or fewer, some tracks, root motion or none: what was there goes round. */
static lathe_result reshape(fuzz_dice *d, model_motion *m, lathe_error *err)
{
    model_motion to;
    model_motion_init(&to, &m->mem);
    uint64_t frames = m->frame_count + fuzz_roll(d, 4), tracks = m->track_count;
    frames -= frames > 2 ? fuzz_roll(d, 3) : 0;
    tracks += fuzz_roll(d, 3) ? 0 : fuzz_roll(d, 3);
    tracks -= tracks > 2 && !fuzz_roll(d, 4) ? 1 : 0;
    bool moves = fuzz_roll(d, 4) ? m->moves != NULL : fuzz_roll(d, 2);
    lathe_result r = model_motion_alloc(&to, frames, tracks, m->float_count, moves, err);
    for (uint64_t f = 0; r == LATHE_OK && f < frames && m->frame_count; f++)
        for (uint64_t t = 0; t < tracks && m->track_count; t++)
            memcpy(model_motion_row(&to, f, t),
                   model_motion_row(m, f % m->frame_count, t % m->track_count),
                   MODEL_POSE * sizeof(float));
    for (uint64_t t = 0; r == LATHE_OK && t < tracks; t++)
        to.tracks[t].bone_index = (int32_t)t;
    to.duration = m->duration;
    to.looping = m->looping;
    to.absolute = m->absolute;
    to.hint = m->hint;
    if (r == LATHE_OK) {
        model_motion_even(&to);
        model_motion_swap(&to, m);
    }
    model_motion_free(&to);
    return r;
}

static lathe_result add_event(fuzz_dice *d, model_motion *m, lathe_error *err)
{
    static const char *const texts[] = {"", "step", "a longer text than others", "x\xE9"};
    const char *text = texts[fuzz_roll(d, 4)];
    double time = fuzz_roll(d, 20) ? m->duration * fuzz_roll(d, 9) / 8 : (double)number(d);
    return model_motion_event(m, time, (int64_t)fuzz_roll(d, (uint32_t)m->track_count + 1), text,
                              strlen(text), err);
}

static lathe_result change(fuzz_dice *d, model_motion *m, lathe_error *err)
{
    uint64_t rows = m->frame_count * m->track_count;
    switch (fuzz_roll(d, 9)) {
    case 0: return reshape(d, m, err);
    case 1:
    case 2: return add_event(d, m, err);
    case 3: m->event_count -= m->event_count ? 1 : 0; break;
    case 4:
        if (m->moves && m->frame_count)
            numbers(d, m->moves + MODEL_MOVE * fuzz_roll(d, (uint32_t)m->frame_count), MODEL_MOVE);
        break;
    case 5: m->hint = m->hint == MODEL_ADDITIVE ? MODEL_NORMAL : MODEL_ADDITIVE; break;
    case 6:
        m->duration *= (1 + fuzz_roll(d, 4)) / 2.0;
        model_motion_even(m);
        break;
    case 7:
        if (m->float_count && m->frame_count)
            m->floats[fuzz_roll(d, (uint32_t)(m->float_count * m->frame_count))] = number(d);
        break;
    default:
        if (rows)
            numbers(d, m->rows + (size_t)MODEL_POSE * fuzz_roll(d, (uint32_t)rows), MODEL_POSE);
        break;
    }
    return LATHE_OK;
}

/* ---- edits --------------------------------------------------------------------------------------------- */

static bool any_clip(fuzz_dice *d, lathe_doc *doc, scene_clip *clip)
{
    uint64_t n = 0;
    lathe_error err;
    if (scene_count(doc, LATHE_ANIMATIONS, &n, &err) != LATHE_OK || !n ||
        scene_clip_open(doc, fuzz_roll(d, n < 9 ? (uint32_t)n : 9), clip, &err) != LATHE_OK)
        return false;
    uint64_t frames = clip->facts.frame_count, tracks = clip->facts.track_count;
    return frames < MOST_ROWS && tracks < MOST_ROWS && frames * tracks < MOST_ROWS &&
           clip->facts.float_track_count < 64;
}

static lathe_result set_row(fuzz_dice *d, const scene_clip *clip, lathe_error *err)
{
    float row[MODEL_POSE], now[MODEL_POSE];
    uint64_t frames = clip->facts.frame_count, tracks = clip->facts.track_count;
    if (!frames || !tracks)
        return LATHE_OK;
    uint64_t frame = fuzz_roll(d, (uint32_t)frames), track = fuzz_roll(d, (uint32_t)tracks);
    const model_when when = {.at = (double)frame};
    scene_clip after = *clip;
    numbers(d, row, MODEL_POSE);
    lathe_result r = scene_motion_set_row(clip, frame, track, row, err);
    if (r != LATHE_OK || clip->facts.name)
        return r;
    if (scene_clip_open(clip->source.doc, 0, &after, err) != LATHE_OK ||
        !lathe_view_same(after.source, clip->source))
        return r;
    PROMISE(scene_clip_sample(&after, &when, NULL, track, 1, now, err) == LATHE_OK);
    PROMISE(memcmp(now, row, sizeof row) == 0);
    return r;
}

static lathe_result put(fuzz_dice *d, const scene_clip *clip, lathe_error *err)
{
    model_motion m;
    scene_precision how = scene_precision_default;
    model_motion_init(&m, &clip->source.doc->mem);
    lathe_result r = scene_motion_take(clip, NULL, &m, err);
    for (uint32_t n = fuzz_roll(d, 4); r == LATHE_OK && n > 0; n--)
        r = change(d, &m, err);
    how.anew = fuzz_roll(d, 4) == 0;
    how.quantization = fuzz_roll(d, 4) ? -1 : 40;
    how.max_frames_per_block = fuzz_roll(d, 4) ? 0 : 2 + fuzz_roll(d, 20);
    if (r == LATHE_OK)
        return scene_motion_put(clip, &m, fuzz_roll(d, 3) ? NULL : &how, err);
    model_motion_free(&m);
    return r;
}

/* An encode in between may refuse what the end of the edit would. */
static void encode_now(lathe_doc *doc)
{
    fuzz_bytes bytes = {NULL, 0, 0};
    lathe_error err;
    if (lathe_doc_encode(doc, fuzz_sink, &bytes, &err) == LATHE_OK) {
        fuzz_bytes again = fuzz_encode(doc);
        PROMISE(fuzz_same(&bytes, &again));
        free(again.p);
    }
    free(bytes.p);
}

static void edit(fuzz_dice *d, lathe_doc *doc, int depth, lathe_report *report)
{
    lathe_error err;
    scene_clip clip;
    fuzz_bytes before = {NULL, 0, 0};
    if (!depth)
        before = fuzz_encode(doc);
    lathe_result r = lathe_edit_begin(doc, &err);
    PROMISE(r == LATHE_OK);
    for (uint32_t n = 1 + fuzz_roll(d, 4); r == LATHE_OK && n > 0; n--) {
        uint32_t what = fuzz_roll(d, 8);
        if (what == 0 && depth < 3)
            edit(d, doc, depth + 1, report);
        else if (what == 1)
            encode_now(doc);
        else if (any_clip(d, doc, &clip))
            r = what < 5 ? set_row(d, &clip, &err) : put(d, &clip, &err);
    }
    bool keep = r == LATHE_OK && fuzz_roll(d, 4) != 0;
    r = lathe_edit_end(doc, keep, &err);
    if (!depth && (r != LATHE_OK || !keep))
        PROMISE(fuzz_still(doc, &before));
    else
        free(before.p);
}

static void live(const char *format, const uint8_t *data, size_t size, fuzz_dice *d)
{
    fuzz_memory memory = {.until = -1};
    lathe_options options = {.size = sizeof options,
                             .format = format,
                             .history = 4 * EDITS,
                             .alloc = fuzz_alloc,
                             .alloc_user = &memory};
    lathe_report report = {.size = sizeof report, .skipped = fuzz_skipped};
    lathe_doc *doc = NULL;
    lathe_error err;
    if (lathe_doc_parse(data, size, &options, &doc, &err) != LATHE_OK) {
        PROMISE(memory.now == 0);
        return;
    }
    for (int i = 0; i < EDITS; i++) {
        if (fuzz_roll(d, 6) == 0)
            lathe_edit_undo(doc, fuzz_roll(d, 2) ? 1 : -1);
        else
            edit(d, doc, 0, &report);
        fuzz_reparse(format, doc);
    }
    while (lathe_edit_undo(doc, -1)) /* an undo may have been the last step */
        continue;
    fuzz_bytes last = fuzz_encode(doc);
    while (lathe_edit_undo(doc, 1))
        continue;
    fuzz_bytes start = fuzz_encode(doc);
    PROMISE(start.n == size && memcmp(start.p, data, size) == 0);
    free(start.p);
    while (lathe_edit_undo(doc, -1))
        continue;
    PROMISE(fuzz_still(doc, &last));
    lathe_doc_close(doc);
    PROMISE(memory.now == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const formats[] = {"anm", "hkx", "tagfile"};
    fuzz_any_path = true;
    if (size < 2)
        return 0;
    size_t script = data[1] < size - 2 ? data[1] : size - 2, file = size - 2 - script;
    fuzz_dice d = fuzz_dice_of(data + 2 + file, script);
    live(formats[data[0] % 3], data + 2, file, &d);
    return 0;
}
