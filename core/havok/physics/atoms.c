/* Constraint atoms begin with their type. */
#include "havok/physics/types.h"

/* The default type of a new atom, from its class. */
int64_t hk_default_atom(const rec_at *at)
{
    static const struct {
        const rec_type *type;
        int32_t number;
    } atoms[] = {
        {&hkp_set_local_transforms_constraint_atom, 2},
        {&hkp_ball_socket_constraint_atom, 5},
        {&hkp2d_ang_constraint_atom, 12},
        {&hkp_ang_limit_constraint_atom, 14},
        {&hkp_twist_limit_constraint_atom, 15},
        {&hkp_cone_limit_constraint_atom, 16},
        {&hkp_ang_friction_constraint_atom, 17},
        {&hkp_ang_motor_constraint_atom, 18},
        {&hkp_setup_stabilization_atom, 23},
    };
    for (size_t i = 0; i < REC_COUNT_OF(atoms); i++)
        if (atoms[i].type == at->layout->type)
            return atoms[i].number;
    return 0;
}
