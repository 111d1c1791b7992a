/* doc:precombine: declares the verb and its arguments, for everything that lists verbs. It is implemented in
 * scripts/lathe/formats/nif/precombine/, which lathe.core.set_verb puts in the place of nif_precombine. */
#include "nif/geometry/mesh.h"

/* clang-format off */
static const rec_param sources = {
    .name = "sources", .kind = LATHE_PARAM_ANY, .positional = true, .needed = true,
    .doc = "Models and where they are placed: a list of { nif = path or document, position = { x, y, z }, rotation = "
           "{ a, b, c } (angles in radians, as records of the game have them), scale = 1 }; each may have "
           "grayscale_to_palette (else it is the shader's) and leaf = { amplitude, frequency }."};
static const rec_param cell = {
    .name = "cell", .kind = LATHE_PARAM_ANY,
    .doc = "Id of the cell, eight hex digits or a number; with `key` it makes the root's name CELL_KEY_OC."};
static const rec_param key = {
    .name = "key", .kind = LATHE_PARAM_ANY,
    .doc = "Id of the group, eight hex digits or a number. An empty document needs both."};
/* clang-format on */
const rec_param *const nif_precombine_params[] = {&sources, &cell, &key, NULL};

lathe_result nif_precombine(lathe_view self, const lathe_source *args, lathe_report *report,
                            lathe_error *err)
{
    (void)self;
    (void)args;
    (void)report;
    return error_set(err, LATHE_ERR_UNSUPPORTED, LATHE_NO_OFFSET,
                     "precombine is written in Lua: require \"lathe\"");
}
