#include "nif/collision/collide.h"

#include "gen/nif_types.h"
#include "havok/physics/bodies.h"
#include "havok/physics/leaves.h"

#include <math.h>

/* ---- the place ------------------------------------------------------------------------------------------- */

/* Bodies follow the rotation and translation of their nodes, but not the scale: computes the node's space
 * without scale. */
static lathe_result place_of(lathe_doc *doc, uint32_t node, vec3 *move, quat *turn, mat4 *to_node,
                             lathe_error *err)
{
    const nif_scene *scene = nif_scene_of(doc, 0, err);
    vec3 scale;
    if (!scene)
        return LATHE_ERR_MEMORY;
    mat4 world = nif_world(scene, doc, node), rigid;
    mat4_decompose(&world, move, turn, &scale);
    *turn = quat_normalize(*turn);
    rigid = mat4_compose(*move, *turn, (vec3){1, 1, 1});
    if (!isfinite(move->x) || !isfinite(move->y) || !isfinite(move->z) ||
        !mat4_invert(&rigid, to_node))
        return error_set(err, LATHE_ERR_INVALID, LATHE_NO_OFFSET,
                         "'node' of set_collision: its place is no number");
    *move = vec3_scale(*move, 1 / HK_GAME_UNITS);
    return LATHE_OK;
}

/* ---- the body --------------------------------------------------------------------------------------------- */

enum { LAYER_STATIC = 1, LAYER_ANIMSTATIC = 2, LAYER_CLUTTER = 4 };
#define FRICTION 0.5
#define RESTITUTION 0.4

static lathe_result number_arg(const lathe_source *args, const char *name, double most, double *out,
                               lathe_error *err)
{
    double f = *out;
    if (rec_arg_number(args, name, &f) && !(f >= 0 && f <= most))
        return error_set(err, LATHE_ERR_RANGE, LATHE_NO_OFFSET,
                         "'%s' of set_collision: %.9g is not in 0 .. %.9g", name, f, most);
    *out = f;
    return LATHE_OK;
}

static const char *next_layer(void *user, size_t i)
{
    (void)user;
    return i < hk_layers.count ? rec_names_item(&hk_layers, (uint32_t)i).name : NULL;
}

static lathe_result no_layer(const lathe_value *v, lathe_error *err)
{
    char name[64] = "";
    if (v->kind == LATHE_KIND_STRING && v->as.s.n < sizeof name)
        memcpy(name, v->as.s.p, v->as.s.n);
    const char *near = *name ? error_nearest(name, next_layer, NULL) : NULL;
    return error_set(err, LATHE_ERR_RANGE, LATHE_NO_OFFSET,
                     near ? "'layer' of set_collision: no layer is called '%s'; did you mean '%s'?"
                          : "'layer' of set_collision: a layer's name or a number from 0 to 127 "
                            "expected",
                     name, near);
}

static lathe_result read_layer(const lathe_source *args, uint32_t *filter, lathe_error *err)
{
    lathe_value v;
    double f;
    if (!rec_arg(args, "layer", &v))
        return LATHE_OK;
    for (uint32_t i = 0; v.kind == LATHE_KIND_STRING && i < hk_layers.count; i++)
        if (rec_text_is(&v, rec_names_item(&hk_layers, i).name)) {
            *filter = (uint32_t)rec_names_item(&hk_layers, i).value;
            return LATHE_OK;
        }
    if (!rec_number(&v, &f) || !(f >= 0 && f < 128) || f != floor(f))
        return no_layer(&v, err);
    *filter = (uint32_t)f;
    return LATHE_OK;
}

static bool has_mesh(const hk_solid *s)
{
    for (size_t i = 0; i < s->count; i++)
        if (has_mesh(&s->children[i]))
            return true;
    return s->kind == HK_SOLID_MESH;
}

static lathe_result read_mass(const lathe_source *args, hk_body_plan *plan, lathe_error *err)
{
    double mass = HK_DYNAMIC_MASS, density;
    lathe_value v;
    bool by_mass = rec_arg_number(args, "mass", &mass),
         dense = rec_arg_number(args, "density", &density);
    if (!rec_arg(args, "motion", &v) && (by_mass || dense))
        plan->motion = HK_DYNAMIC;
    if (by_mass && dense)
        return error_set(err, LATHE_ERR_INVALID, LATHE_NO_OFFSET,
                         "'mass' and 'density' of set_collision: one of them, not both");
    if ((by_mass || dense) && plan->motion != HK_DYNAMIC)
        return error_set(err, LATHE_ERR_INVALID, LATHE_NO_OFFSET,
                         "'%s' of set_collision: only what is dynamic has a mass",
                         by_mass ? "mass" : "density");
    if (plan->motion == HK_DYNAMIC && has_mesh(plan->shape))
        return error_set(err, LATHE_ERR_UNSUPPORTED, LATHE_NO_OFFSET,
                         "a mesh has no mass, so it cannot be dynamic: a hull or a compound can");
    plan->mass = dense ? density * plan->shape->mass.volume : mass;
    if (plan->motion == HK_DYNAMIC && !(plan->mass > 0 && isfinite(plan->mass)))
        return error_set(err, LATHE_ERR_RANGE, LATHE_NO_OFFSET,
                         "'%s' of set_collision: a number greater than 0 expected",
                         dense ? "density" : "mass");
    return LATHE_OK;
}

static lathe_result read_plan(const lathe_source *args, hk_body_plan *plan, lathe_error *err)
{
    static const uint32_t layers[] = {LAYER_STATIC, LAYER_ANIMSTATIC, LAYER_CLUTTER};
    lathe_value v;
    if (rec_arg(args, "motion", &v))
        plan->motion = rec_text_is(&v, "dynamic")     ? HK_DYNAMIC
                       : rec_text_is(&v, "keyframed") ? HK_KEYFRAMED
                                                      : HK_STATIC;
    plan->friction = FRICTION;
    plan->restitution = RESTITUTION;
    lathe_result r = read_mass(args, plan, err);
    if (r == LATHE_OK)
        r = number_arg(args, "friction", 255, &plan->friction, err);
    if (r == LATHE_OK)
        r = number_arg(args, "restitution", 1.9, &plan->restitution, err);
    plan->filter = layers[plan->motion];
    return r == LATHE_OK ? read_layer(args, &plan->filter, err) : r;
}

/* ---- the verb --------------------------------------------------------------------------------------------- */

static lathe_result build(nif_shaping *s, uint32_t node, uint32_t system, hk_body_plan *plan,
                          lathe_error *err)
{
    hk_solid solid = {.kind = HK_SOLID_SPHERE};
    buf packfile;
    lathe_result r = nif_make_solid(s, NULL, &solid, err);
    plan->shape = &solid;
    if (r == LATHE_OK)
        r = read_plan(s->source, plan, err);
    buf_init(&packfile, &s->doc->mem);
    if (r == LATHE_OK)
        r = hk_body_build(plan, &s->doc->mem, &packfile, err);
    const nif_attaching a = {s->doc, &packfile, system, plan->motion == HK_DYNAMIC, s->report};
    if (r == LATHE_OK)
        r = nif_attach(&a, node, err);
    buf_free(&packfile);
    hk_solid_free(&solid);
    return r;
}

lathe_result nif_set_collision(lathe_view self, const lathe_source *args, lathe_report *report,
                               lathe_error *err)
{
    lathe_doc *doc = self.doc;
    rec_at root = rec_root(doc, 0), at;
    nif_shaping s = {
        .doc = doc, .source = args, .report = report, .names = hk_names_of(args, report)};
    hk_body_plan plan = {.motion = HK_STATIC};
    lathe_value space;
    char path[64];
    uint32_t node = REC_NO_PART, system = REC_NO_PART;
    if (NIF_AT_B(&root) != NIF_FALLOUT4)
        return error_set(err, LATHE_ERR_UNSUPPORTED, LATHE_NO_OFFSET,
                         "collision is made for Fallout 4 (bs_version 130); this is %s, "
                         "bs_version %lld",
                         doc->containers[0].format->game(doc), (long long)NIF_AT_B(&root));
    lathe_result r = nif_node_arg(doc, args, "set_collision", &nif_NiNode, &node, err);
    if (r == LATHE_OK)
        r = nif_system_arg(doc, args, &system, err);
    if (r == LATHE_OK)
        r = place_of(doc, node, &plan.position, &plan.orientation, &s.to_node, err);
    if (r != LATHE_OK)
        return r;
    at = nif_at(doc, node);
    rec_path(&at, REC_NO_SLOT, REC_NO_ITEM, path, sizeof path);
    s.path = path;
    s.own = rec_arg(args, "space", &space) && rec_text_is(&space, "node");
    arena_init(&s.arena, &doc->mem);
    r = build(&s, node, system, &plan, err);
    arena_free(&s.arena);
    return r;
}

/* ---- its parameters --------------------------------------------------------------------------------------- */

const char nif_set_collision_doc[] = "Makes what collides for a node of a Fallout 4 NIF, in place "
                                     "of what did, of which nothing is kept: a shape with its "
                                     "mass and material, and a body that has it.";

static const char *const kinds[] = {"hull", "mesh", "box", "sphere", "capsule", "compound", NULL};
static const char *const motions[] = {"static", "keyframed", "dynamic", NULL};
static const char *const spaces[] = {"document", "node", NULL};

/* clang-format off */
#define PARAM(name_, ...) static const rec_param name_##_param = {.name = #name_, __VA_ARGS__}
PARAM(node, .positional = true, .doc = "The node: a view, its number among doc.blocks, or its name. None, or false: the first block.");
PARAM(kind, .kind = LATHE_PARAM_TEXT, .values = kinds, .needed = true,
      .doc = "hull: around all points. mesh: the triangles as they are; not dynamic. box, sphere, capsule: around all points, or as figures say. "
             "compound: of `mesh`, a list, each a hull, or a part that says its own kind and figures, and with `transform` its place.");
PARAM(mesh, .doc = "A mesh of doc:meshes or lathe.import (with up = \"z\"), a shape's block, a NIF, a list of positions, or a list of meshes. What has a transform "
                   "lies in the document's space, all else, and what collides, in the node's.");
PARAM(size, .unit = "game units", .doc = "Of a box: three numbers, or one for all sides.");
PARAM(center, .unit = "game units", .doc = "Of a box or sphere, in the node's space; none: its origin.");
PARAM(radius, .kind = LATHE_PARAM_NUMBER, .unit = "game units", .doc = "Of a sphere or capsule.");
PARAM(a, .unit = "game units", .doc = "Where the axis of a capsule begins: three numbers.");
PARAM(b, .unit = "game units", .doc = "Where it ends.");
PARAM(convex_radius, .kind = LATHE_PARAM_NUMBER, .unit = "game units", .doc = "The shell around hulls and boxes; none: 0.01 m, that is 0.6999125.");
PARAM(max_vertices, .kind = LATHE_PARAM_INTEGER, .doc = "Most corners of a hull, 4 to 252; none: 252. With fewer than it needs it does not reach all points.");
PARAM(material, .doc = "What it is made of: a name, be it known here or of a mod, or the number that games have for it. None: what the mesh says, where that is one of collision; else metal.");
PARAM(friction, .kind = LATHE_PARAM_NUMBER, .doc = "Coefficients of dynamic and static friction. Default: 0.5.");
PARAM(restitution, .kind = LATHE_PARAM_NUMBER, .doc = "How much it bounces; none: 0.4.");
PARAM(layer, .doc = "What kind of thing collides: its name or number. None: static, animstatic (keyframed) or clutter (dynamic).");
PARAM(motion, .kind = LATHE_PARAM_TEXT, .values = motions, .doc = "static: never moves. keyframed: animations move it. dynamic: physics do. None: static, or "
                                                                 "dynamic where a mass or density is given.");
PARAM(mass, .kind = LATHE_PARAM_NUMBER, .unit = "kg", .doc = "Of what is dynamic; none: 9, or by its density.");
PARAM(density, .kind = LATHE_PARAM_NUMBER, .unit = "kg/m^3", .doc = "In place of its mass.");
PARAM(system, .doc = "A bhkPhysicsSystem that gets the body behind those that it has: the block, or its number among doc.blocks. None: a system of the node's own.");
PARAM(space, .kind = LATHE_PARAM_TEXT, .values = spaces, .doc = "Where meshes with a transform lie: document, or node.");
/* clang-format on */

const rec_param *const nif_set_collision_params[] = {&node_param,
                                                     &kind_param,
                                                     &mesh_param,
                                                     &size_param,
                                                     &center_param,
                                                     &radius_param,
                                                     &a_param,
                                                     &b_param,
                                                     &convex_radius_param,
                                                     &max_vertices_param,
                                                     &material_param,
                                                     &friction_param,
                                                     &restitution_param,
                                                     &layer_param,
                                                     &motion_param,
                                                     &mass_param,
                                                     &density_param,
                                                     &system_param,
                                                     &space_param,
                                                     &hk_unknown_param,
                                                     NULL};
