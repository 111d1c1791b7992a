/* Objects, and what all shapes begin with. */
#include "havok/physics/build/build.h"

hk_node *hk_build_object(hk_builder *b, const char *class_name, int64_t *number)
{
    hk_node *object = hk_put_table(&b->values, b->objects, NULL);
    hk_put_word(&b->values, object, "class", class_name);
    *number = ++b->count;
    return object;
}

hk_node *hk_build_base(hk_builder *b, const hk_solid *s, const char *class_name, int64_t flags,
                       int64_t *number)
{
    hk_values *v = &b->values;
    hk_node *shape = hk_build_object(b, class_name, number);
    bool composite = s->kind == HK_SOLID_MESH || s->kind == HK_SOLID_COMPOUND;
    hk_put_int(v, shape, "flags", flags);
    hk_put_word(v, shape, "dispatch_type", composite ? "composite" : "convex");
    hk_put_real(v, shape, "convex_radius", s->radius);
    hk_put_int(v, shape, "user_data", s->material);
    return shape;
}

hk_node *hk_build_property(hk_builder *b, hk_node *shape, const char *key, const char *class_name)
{
    hk_values *v = &b->values;
    int64_t number;
    hk_node *properties = hk_build_object(b, "hkRefCountedProperties", &number);
    hk_put_int(v, shape, "properties", number);
    hk_node *entry = hk_put_table(v, hk_put_list(v, properties, "entries"), NULL);
    hk_node *object = hk_build_object(b, class_name, &number);
    hk_put_int(v, entry, "object", number);
    hk_put_word(v, entry, "key", key);
    return object;
}

/* ---- mass ------------------------------------------------------------------------------------------------- */

void hk_build_composite(hk_builder *b, hk_node *shape)
{
    /* Its rows have defaults that are those of all games' files: the map has none of its own. */
    hk_put_table(&b->values, shape, "edge_welding_map");
}
