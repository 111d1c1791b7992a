/* Layers of Fallout 4: what collides with what goes by these. Those from 47 on games define in their data. */
#include "havok/physics/types.h"

/* clang-format off */
static const rec_name rows[] = {
    {"unidentified", 0}, {"static", 1}, {"animstatic", 2}, {"transparent", 3}, {"clutter", 4}, {"weapon", 5},
    {"projectile", 6}, {"spell", 7}, {"biped", 8}, {"trees", 9}, {"props", 10}, {"water", 11}, {"trigger", 12},
    {"terrain", 13}, {"trap", 14}, {"noncollidable", 15}, {"cloud_trap", 16}, {"ground", 17}, {"portal", 18},
    {"debris_small", 19}, {"debris_large", 20}, {"acoustic_space", 21}, {"actor_zone", 22}, {"projectile_zone", 23},
    {"gas_trap", 24}, {"shell_casing", 25}, {"transparent_small", 26}, {"invisible_wall", 27},
    {"transparent_small_anim", 28}, {"clutter_large", 29}, {"char_controller", 30}, {"stair_helper", 31},
    {"dead_biped", 32}, {"biped_no_cc", 33}, {"avoid_box", 34}, {"collision_box", 35}, {"camera_sphere", 36},
    {"door_detection", 37}, {"cone_projectile", 38}, {"camera_pick", 39}, {"item_pick", 40}, {"line_of_sight", 41},
    {"path_pick", 42}, {"spell_explosion", 45}, {"dropping_pick", 46},
    {0},
};
const rec_names hk_layers = {"layer", rows};
/* clang-format on */
