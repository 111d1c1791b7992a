/* Buffers: typed arrays with rows and columns in Lua's memory. Changing a buffer does not change a document until it
 * is assigned. */
#include "base/vec.h"
#include "bindings.h"

#include <math.h>
#include <string.h>

static const struct {
    const char *name;
    size_t size;
    int64_t min; /* of integers; for u64, those of a signed 64-bit integer */
    int64_t max;
} elems[LATHE_ELEM_COUNT] = {
    [LATHE_ELEM_U8] = {"u8", 1, 0, UINT8_MAX},
    [LATHE_ELEM_I8] = {"i8", 1, INT8_MIN, INT8_MAX},
    [LATHE_ELEM_U16] = {"u16", 2, 0, UINT16_MAX},
    [LATHE_ELEM_I16] = {"i16", 2, INT16_MIN, INT16_MAX},
    [LATHE_ELEM_U32] = {"u32", 4, 0, UINT32_MAX},
    [LATHE_ELEM_I32] = {"i32", 4, INT32_MIN, INT32_MAX},
    [LATHE_ELEM_U64] = {"u64", 8, INT64_MIN, INT64_MAX},
    [LATHE_ELEM_I64] = {"i64", 8, INT64_MIN, INT64_MAX},
    [LATHE_ELEM_F32] = {"f32", 4, 0, 0},
    [LATHE_ELEM_F64] = {"f64", 8, 0, 0},
};

const char *l_elem_name(lathe_elem elem)
{
    return elems[elem].name;
}

/* Not the macros of math.h, which in some C libraries convert to float and back. */
static bool is_nan(double v)
{
    return v != v;
}

static bool is_infinite(double v)
{
    return v == HUGE_VAL || v == -HUGE_VAL;
}

static bool is_real(lathe_elem elem)
{
    return elem == LATHE_ELEM_F32 || elem == LATHE_ELEM_F64;
}

l_buffer *l_push_room(lua_State *L, lathe_elem elem, size_t rows, size_t columns)
{
    size_t size = elems[elem].size, most = (size_t)PTRDIFF_MAX - sizeof(l_buffer);
    if (columns && rows > most / size / columns)
        luaL_error(L, "a buffer of %I rows by %I columns is too large", (LUAI_UACINT)rows,
                   (LUAI_UACINT)columns);
    size *= rows * columns;
    l_buffer *b = lua_newuserdatauv(L, sizeof *b + size, 0);
    b->elem = elem;
    b->rows = rows;
    b->columns = columns;
    l_push_class(L, L_BUFFER);
    lua_setmetatable(L, -2);
    return b;
}

l_buffer *l_push_buffer(lua_State *L, lathe_elem elem, size_t rows, size_t columns)
{
    l_buffer *b = l_push_room(L, elem, rows, columns);
    memset(b->data, 0, rows * columns * elems[elem].size);
    return b;
}

l_buffer *l_check_buffer(lua_State *L, int idx)
{
    if (l_class_of(L, idx) != L_BUFFER)
        luaL_typeerror(L, idx, "lathe.Buffer");
    return lua_touserdata(L, idx);
}

/* ---- elements -------------------------------------------------------------------------------- */

/* Element i as an integer; for u64 its bits. */
static int64_t get_integer(const l_buffer *b, size_t i)
{
    const unsigned char *p = b->data + i * elems[b->elem].size;
    union {
        uint16_t u16;
        int16_t i16;
        uint32_t u32;
        int32_t i32;
        int64_t i64;
    } v = {0};
    memcpy(&v, p, elems[b->elem].size);
    switch (b->elem) {
    case LATHE_ELEM_U8: return p[0];
    case LATHE_ELEM_I8: return (int8_t)p[0];
    case LATHE_ELEM_U16: return v.u16;
    case LATHE_ELEM_I16: return v.i16;
    case LATHE_ELEM_U32: return v.u32;
    case LATHE_ELEM_I32: return v.i32;
    default: return v.i64;
    }
}

static double get_real(const l_buffer *b, size_t i)
{
    float f;
    double d;
    switch (b->elem) {
    case LATHE_ELEM_F32: memcpy(&f, b->data + i * sizeof f, sizeof f); return f;
    case LATHE_ELEM_F64: memcpy(&d, b->data + i * sizeof d, sizeof d); return d;
    case LATHE_ELEM_U64: return (double)(uint64_t)get_integer(b, i);
    default: return (double)get_integer(b, i);
    }
}

void l_buffer_get(const l_buffer *b, size_t i, lathe_value *out)
{
    if (is_real(b->elem)) {
        out->kind = LATHE_KIND_REAL;
        out->as.f = get_real(b, i);
    } else if (b->elem == LATHE_ELEM_U64) {
        out->kind = LATHE_KIND_UINT;
        out->as.u = (uint64_t)get_integer(b, i);
    } else {
        out->kind = LATHE_KIND_INT;
        out->as.i = get_integer(b, i);
    }
}

static void push_element(lua_State *L, const l_buffer *b, size_t i)
{
    if (is_real(b->elem))
        lua_pushnumber(L, get_real(b, i));
    else
        lua_pushinteger(L, get_integer(b, i));
}

static void put_real(l_buffer *b, size_t i, double d)
{
    float f = (float)d;
    if (b->elem == LATHE_ELEM_F32)
        memcpy(b->data + i * sizeof f, &f, sizeof f);
    else
        memcpy(b->data + i * sizeof d, &d, sizeof d);
}

/* Stores the low bytes, which is right for every width in two's complement. */
static void put_integer(l_buffer *b, size_t i, int64_t v)
{
    uint64_t bits = (uint64_t)v;
    uint8_t u8 = (uint8_t)bits;
    uint16_t u16 = (uint16_t)bits;
    uint32_t u32 = (uint32_t)bits;
    size_t size = elems[b->elem].size;
    const void *from = size == 1   ? (void *)&u8
                       : size == 2 ? (void *)&u16
                       : size == 4 ? (void *)&u32
                                   : (void *)&bits;
    memcpy(b->data + i * size, from, size);
}

/* Sets element i (from 0) from the Lua value at idx. */
static void set_element(lua_State *L, l_buffer *b, size_t i, int idx)
{
    if (lua_type(L, idx) != LUA_TNUMBER)
        luaL_error(L, "number expected at [%I] of a buffer, got %s", (LUAI_UACINT)i + 1,
                   luaL_typename(L, idx));
    if (is_real(b->elem)) {
        double d = lua_tonumber(L, idx);
        if (b->elem == LATHE_ELEM_F32 && is_infinite((float)d) && !is_infinite(d))
            luaL_error(L, "%s at [%I] does not fit into f32", luaL_tolstring(L, idx, NULL),
                       (LUAI_UACINT)i + 1);
        put_real(b, i, d);
        return;
    }
    int whole;
    lua_Integer v = lua_tointegerx(L, idx, &whole);
    if (!whole || v < elems[b->elem].min || v > elems[b->elem].max)
        luaL_error(L, "%s at [%I] does not fit into %s", luaL_tolstring(L, idx, NULL),
                   (LUAI_UACINT)i + 1, elems[b->elem].name);
    put_integer(b, i, v);
}

/* ---- making ---------------------------------------------------------------------------------- */

static lathe_elem check_elem(lua_State *L, int idx)
{
    const char *names[LATHE_ELEM_COUNT + 1];
    for (int i = 0; i < LATHE_ELEM_COUNT; i++)
        names[i] = elems[i].name;
    names[LATHE_ELEM_COUNT] = NULL;
    return (lathe_elem)luaL_checkoption(L, idx, NULL, names);
}

static void expect_count(lua_State *L, lua_Unsigned got, size_t want)
{
    if (got != want)
        luaL_error(L, "%I values expected, got %I", (LUAI_UACINT)want, (LUAI_UACINT)got);
}

/* Replaces a read-only copy, or a vector of a bone, by a table for raw reads. False: it is no list. */
static bool open_list(lua_State *L, int idx)
{
    if (l_is_plain(L, idx)) {
        l_object_plain(L, idx);
        lua_replace(L, idx);
    }
    l_open_copy(L, idx);
    return lua_type(L, idx) == LUA_TTABLE;
}

/* Fills the buffer on top from a flat list of all values, or a list of rows. */
static void fill_from_table(lua_State *L, l_buffer *b, int idx)
{
    open_list(L, idx);
    bool nested = lua_rawgeti(L, idx, 1) == LUA_TTABLE || l_is_plain(L, -1);
    lua_pop(L, 1);
    expect_count(L, lua_rawlen(L, idx), nested ? b->rows : b->rows * b->columns);
    for (size_t r = 0; r < (nested ? b->rows : 1); r++) {
        int from = idx;
        size_t n = nested ? b->columns : b->rows * b->columns;
        if (nested) {
            lua_rawgeti(L, idx, (lua_Integer)r + 1);
            if (!open_list(L, lua_gettop(L)))
                luaL_error(L, "row %I is no list", (LUAI_UACINT)r + 1);
            from = lua_gettop(L);
            expect_count(L, lua_rawlen(L, from), n);
        }
        for (size_t i = 0; i < n; i++) {
            lua_rawgeti(L, from, (lua_Integer)i + 1);
            set_element(L, b, r * n + i, -1);
            lua_pop(L, 1);
        }
        if (nested)
            lua_pop(L, 1);
    }
}

/* Copies elements between the machine's byte order and little-endian. */
static void copy_little(unsigned char *to, const unsigned char *from, size_t n, size_t width)
{
    const uint16_t one = 1;
    bytes_copy_swap(to, from, n, (unsigned)width, *(const unsigned char *)&one == 0);
}

/* lathe.buffer */
int l_buffer_new(lua_State *L)
{
    lathe_elem elem = check_elem(L, 1);
    lua_Integer rows = luaL_checkinteger(L, 2), columns = luaL_optinteger(L, 3, 1);
    luaL_argcheck(L, rows >= 0 && (lua_Unsigned)rows <= PTRDIFF_MAX, 2, "no number of rows");
    luaL_argcheck(L, columns >= 1 && (lua_Unsigned)columns <= PTRDIFF_MAX, 3,
                  "no number of columns");
    lua_settop(L, 4);
    l_buffer *b = l_push_buffer(L, elem, (size_t)rows, (size_t)columns);
    size_t n;
    switch (l_is_plain(L, 4) ? LUA_TTABLE : lua_type(L, 4)) {
    case LUA_TNIL: break;
    case LUA_TTABLE: fill_from_table(L, b, 4); break;
    case LUA_TSTRING: {
        const char *bytes = lua_tolstring(L, 4, &n);
        expect_count(L, n, b->rows * b->columns * elems[elem].size);
        copy_little(b->data, (const unsigned char *)bytes, b->rows * b->columns, elems[elem].size);
        break;
    }
    default: return luaL_typeerror(L, 4, "table or string");
    }
    return 1;
}

/* ---- methods --------------------------------------------------------------------------------- */

static size_t check_index(lua_State *L, int idx, size_t n, const char *what)
{
    lua_Integer i = luaL_checkinteger(L, idx);
    if (i < 1 || (lua_Unsigned)i > n)
        luaL_argerror(
            L, idx,
            lua_pushfstring(L, "%s %I is not in 1 .. %I", what, (LUAI_UACINT)i, (LUAI_UACINT)n));
    return (size_t)i - 1;
}

/* Buffer:at */
static int l_buffer_at(lua_State *L)
{
    const l_buffer *b = l_check_buffer(L, 1);
    size_t row = check_index(L, 2, b->rows, "row"),
           column = check_index(L, 3, b->columns, "column");
    push_element(L, b, row * b->columns + column);
    return 1;
}

/* Buffer:row */
static int l_buffer_row(lua_State *L)
{
    const l_buffer *b = l_check_buffer(L, 1);
    size_t row = check_index(L, 2, b->rows, "row");
    luaL_argcheck(L, b->columns < 1 << 16, 1, "too many columns");
    luaL_checkstack(L, (int)b->columns, "too many columns");
    for (size_t i = 0; i < b->columns; i++)
        push_element(L, b, row * b->columns + i);
    return (int)b->columns;
}

/* Gives a flat list of all values, which lathe.buffer accepts. */
int l_buffer_totable(lua_State *L)
{
    const l_buffer *b = l_check_buffer(L, 1);
    size_t n = b->rows * b->columns;
    lua_createtable(L, n < INT32_MAX ? (int)n : 0, 0);
    for (size_t i = 0; i < n; i++) {
        push_element(L, b, i);
        lua_rawseti(L, -2, (lua_Integer)i + 1);
    }
    return 1;
}

int l_buffer_pack(lua_State *L)
{
    const l_buffer *b = l_check_buffer(L, 1);
    size_t n = b->rows * b->columns, width = elems[b->elem].size;
    luaL_Buffer out;
    char *p = luaL_buffinitsize(L, &out, n * width);
    copy_little((unsigned char *)p, b->data, n, width);
    luaL_pushresultsize(&out, n * width);
    return 1;
}

/* Buffer:bounds */
static int l_buffer_bounds(lua_State *L)
{
    const l_buffer *b = l_check_buffer(L, 1);
    luaL_argcheck(L, b->columns < 1 << 16, 1, "too many columns");
    if (b->rows == 0) {
        lua_pushnil(L);
        return 1;
    }
    lua_createtable(L, (int)b->columns, 0);
    lua_createtable(L, (int)b->columns, 0);
    for (size_t c = 0; c < b->columns; c++) {
        size_t least = c, most = c;
        for (size_t i = c; i < b->rows * b->columns; i += b->columns) {
            double v = get_real(b, i), lo = get_real(b, least), hi = get_real(b, most);
            if (v < lo || is_nan(lo))
                least = i;
            if (v > hi || is_nan(hi))
                most = i;
        }
        push_element(L, b, least);
        lua_rawseti(L, -3, (lua_Integer)c + 1);
        push_element(L, b, most);
        lua_rawseti(L, -2, (lua_Integer)c + 1);
    }
    return 2;
}

static double matrix_number(lua_State *L, int idx, lua_Integer i)
{
    int ok;
    lua_rawgeti(L, idx, i);
    double v = lua_tonumberx(L, -1, &ok);
    if (!ok)
        luaL_error(L, "a matrix is 16 numbers, or 4 lists of 4: columns of which the last moves");
    lua_pop(L, 1);
    return v;
}

static mat4 check_matrix(lua_State *L, int idx)
{
    mat4 m;
    luaL_checktype(L, idx, LUA_TTABLE);
    bool nested = lua_rawgeti(L, idx, 1) == LUA_TTABLE;
    lua_pop(L, 1);
    for (int c = 0; c < 4; c++) {
        int from = idx;
        if (nested && lua_rawgeti(L, idx, c + 1) != LUA_TTABLE)
            luaL_argerror(L, idx, "4 columns expected");
        l_open_copy(L, -1);
        if (nested)
            from = lua_gettop(L);
        for (int r = 0; r < 4; r++)
            m.m[c][r] = matrix_number(L, from, nested ? r + 1 : 4 * c + r + 1);
        if (nested)
            lua_pop(L, 1);
    }
    return m;
}

/* Buffer:transform */
static int l_buffer_transform(lua_State *L)
{
    l_buffer *b = l_check_buffer(L, 1);
    luaL_argcheck(L, b->columns == 3 && is_real(b->elem), 1, "f32 or f64 in 3 columns expected");
    mat4 m = check_matrix(L, 2);
    for (size_t i = 0; i < 3 * b->rows; i += 3) {
        vec3 p = mat4_point(&m, (vec3){get_real(b, i), get_real(b, i + 1), get_real(b, i + 2)});
        put_real(b, i, p.x);
        put_real(b, i + 1, p.y);
        put_real(b, i + 2, p.z);
    }
    lua_settop(L, 1);
    return 1;
}

/* ---- metamethods ----------------------------------------------------------------------------- */

enum { ROWS, COLUMNS, TYPE };
static const char *const fields[] = {"rows", "columns", "type", NULL};

static int no_member(lua_State *L)
{
    const char *name = luaL_tolstring(L, 2, NULL);
    if (strcmp(name, "set") == 0 || strcmp(name, "get") == 0)
        return luaL_error(L,
                          "no field '%s' in lathe.Buffer; its numbers are b[i], row by row, a "
                          "whole row b:row(i)",
                          name);
    return luaL_error(L, "no field '%s' in lathe.Buffer", name);
}

/* Upvalue 1: members. */
static int l_buffer_index(lua_State *L)
{
    const l_buffer *b = lua_touserdata(L, 1);
    int whole;
    lua_settop(L, 2);
    if (lua_type(L, 2) == LUA_TNUMBER) {
        lua_Integer i = lua_tointegerx(L, 2, &whole);
        if (whole && i >= 1 && (lua_Unsigned)i <= b->rows * b->columns)
            push_element(L, b, (size_t)i - 1);
        else
            lua_pushnil(L);
        return 1;
    }
    lua_pushvalue(L, 2);
    int found = lua_rawget(L, lua_upvalueindex(1));
    if (found == LUA_TNIL)
        return no_member(L);
    if (found != LUA_TNUMBER)
        return 1;
    switch (lua_tointeger(L, -1)) {
    case ROWS: lua_pushinteger(L, (lua_Integer)b->rows); break;
    case COLUMNS: lua_pushinteger(L, (lua_Integer)b->columns); break;
    default: lua_pushstring(L, elems[b->elem].name); break;
    }
    return 1;
}

static int l_buffer_newindex(lua_State *L)
{
    l_buffer *b = lua_touserdata(L, 1);
    int whole = 0;
    lua_Integer i = lua_type(L, 2) == LUA_TNUMBER ? lua_tointegerx(L, 2, &whole) : 0;
    if (!whole || i < 1 || (lua_Unsigned)i > b->rows * b->columns)
        return luaL_error(L, "no element [%s] in a buffer of %I", luaL_tolstring(L, 2, NULL),
                          (LUAI_UACINT)(b->rows * b->columns));
    set_element(L, b, (size_t)i - 1, 3);
    return 0;
}

static int l_buffer_len(lua_State *L)
{
    const l_buffer *b = lua_touserdata(L, 1);
    lua_pushinteger(L, (lua_Integer)(b->rows * b->columns));
    return 1;
}

static int l_buffer_next(lua_State *L)
{
    const l_buffer *b = l_check_buffer(L, 1);
    lua_Integer i = luaL_optinteger(L, 2, 0);
    if (i < 0 || (lua_Unsigned)i >= b->rows * b->columns)
        return 0;
    lua_pushinteger(L, i + 1);
    push_element(L, b, (size_t)i);
    return 2;
}

static int l_buffer_pairs(lua_State *L)
{
    lua_pushcfunction(L, l_buffer_next);
    lua_pushvalue(L, 1);
    lua_pushnil(L);
    return 3;
}

static int l_buffer_tostring(lua_State *L)
{
    const l_buffer *b = lua_touserdata(L, 1);
    lua_pushfstring(L, "buffer %s %I x %I", elems[b->elem].name, (LUAI_UACINT)b->rows,
                    (LUAI_UACINT)b->columns);
    return 1;
}

void l_open_buffers(lua_State *L)
{
    static const luaL_Reg methods[] = {
        {"at", l_buffer_at},
        {"row", l_buffer_row},
        {"totable", l_buffer_totable},
        {"pack", l_buffer_pack},
        {"bounds", l_buffer_bounds},
        {"transform", l_buffer_transform},
        {NULL, NULL},
    };
    static const luaL_Reg meta[] = {
        {"__newindex", l_buffer_newindex},
        {"__len", l_buffer_len},
        {"__pairs", l_buffer_pairs},
        {"__tostring", l_buffer_tostring},
        {NULL, NULL},
    };
    luaL_newlibtable(L, meta);
    l_class_set(L, L_BUFFER, "lathe.Buffer");
    luaL_setfuncs(L, meta, 0);
    l_new_members(L, L_BUFFER, methods, fields);
    lua_pushcclosure(L, l_buffer_index, 1);
    lua_setfield(L, -2, "__index");
    l_save_class(L, L_BUFFER);
}
