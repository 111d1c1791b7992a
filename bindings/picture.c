/* Textures and colours for pages of `lathe view`. For lathe's own Lua: lathe.view. */
#include "bindings.h"
#include "picture/pixels.h"

#include <stdio.h>

static bool put_png(void *user, const void *bytes, size_t n)
{
    l_collect *c = user;
    l_collect_put(c, bytes, n);
    return !c->failed;
}

/* core.dds_png(bytes, largest): a DDS file as a PNG of at most so many pixels in width and height; nil and an error if it
 * cannot be decoded */
int l_core_dds_png(lua_State *L)
{
    lathe_error err;
    size_t n;
    picture_texture texture = {.level_count = 0};
    const char *bytes = luaL_checklstring(L, 1, &n);
    lua_Integer largest = luaL_checkinteger(L, 2);
    luaL_argcheck(L, largest > 0 && largest <= 4096, 2, "1 to 4096 expected");
    l_collect *png = l_push_collect(L);
    lathe_result r = picture_dds_read(&png->mem, bytes, n, (uint32_t)largest, &texture, &err);
    if (r == LATHE_OK) {
        r = picture_png_write(&png->mem, &texture.levels[0], put_png, png, &err);
        picture_texture_free(&png->mem, &texture);
    }
    l_collect_check(L, png);
    if (r != LATHE_OK)
        return l_fail(L, &err);
    lua_pushlstring(L, (const char *)png->bytes.data, png->bytes.size);
    l_collect_done(png);
    return 1;
}

/* core.material_color(name, edges): the colour of a material in pictures, as "#rrggbb": of surfaces without a texture, or of the
 * edges of collision. name: nil or "" if it has none. */
int l_core_material_color(lua_State *L)
{
    char text[8];
    const char *name = luaL_optstring(L, 1, "");
    picture_color color = lua_toboolean(L, 2) ? picture_edge_color(name) : picture_name_color(name);
    snprintf(text, sizeof text, "#%06x", (unsigned)(color >> 8));
    lua_pushstring(L, text);
    return 1;
}
