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

static int push_color(lua_State *L, picture_color color)
{
    char text[8];
    snprintf(text, sizeof text, "#%06x", (unsigned)(color >> 8));
    lua_pushstring(L, text);
    return 1;
}

/* core.surface_color(material, texture, mesh): the colour in pictures of a surface that no texture covers, as "#rrggbb". The
 * arguments are names, or nil. */
int l_core_surface_color(lua_State *L)
{
    return push_color(L,
                      picture_surface_color(luaL_optstring(L, 1, NULL), luaL_optstring(L, 2, NULL),
                                            luaL_optstring(L, 3, NULL)));
}

/* core.edge_color(material): the colour in pictures of the edges of collision. material: nil or "" if it has none. */
int l_core_edge_color(lua_State *L)
{
    return push_color(L, picture_edge_color(luaL_optstring(L, 1, "")));
}
