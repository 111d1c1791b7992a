-- Expressions of the schema notation, against their meaning: what the generator writes must say the same in C.
-- #tools: a compiler runs here.

local helper = require "helper"
local lfs = require "lfs"

local tables = require("schema_units").tables()

-- ---- their meaning ------------------------------------------------------------------------------

local TOO_MUCH <const> = math.maxinteger
local values = { V = 0x0A000102, B = 34, a = 0, b = 1, c = 7, d = 0xFFFFFFFF }
local names = { "V", "B", "a", "b", "c", "d" }
local binds = { ["or"] = 1, ["and"] = 2, ["not"] = 3, ["=="] = 4, ["!="] = 4, ["<"] = 4, [">="] = 4, ["|"] = 5,
                ["&"] = 6, [">>"] = 7, ["+"] = 8, ["-"] = 8, ["*"] = 9, ["/"] = 9, leaf = 10, ["if"] = 0 }

local function exact(a, b, f)
  if a == TOO_MUCH or b == TOO_MUCH then return TOO_MUCH end
  return math.abs(f(a + 0.0, b + 0.0)) < 2.0^63 and f(a, b) or TOO_MUCH
end

local function over(a, b)
  if a == TOO_MUCH or b == TOO_MUCH or b == 0 then return TOO_MUCH end
  local q = math.abs(a) // math.abs(b)
  return (a < 0) == (b < 0) and q or -q
end

local function int(truth) return truth and 1 or 0 end
local means = {
  ["or"] = function(a, b) return int(a ~= 0 or b ~= 0) end, ["and"] = function(a, b) return int(a ~= 0 and b ~= 0) end,
  ["not"] = function(a) return int(a == 0) end, ["=="] = function(a, b) return int(a == b) end,
  ["!="] = function(a, b) return int(a ~= b) end, ["<"] = function(a, b) return int(a < b) end,
  [">="] = function(a, b) return int(a >= b) end, ["|"] = function(a, b) return a | b end,
  ["&"] = function(a, b) return a & b end, [">>"] = function(a, b) return a >> b end,
  ["+"] = function(a, b) return exact(a, b, function(x, y) return x + y end) end,
  ["-"] = function(a, b) return exact(a, b, function(x, y) return x - y end) end,
  ["*"] = function(a, b) return exact(a, b, function(x, y) return x * y end) end, ["/"] = over,
  ["if"] = function(c, a, b) return c ~= 0 and a or b end,
}
local operators = {}
for op in pairs(means) do operators[#operators + 1] = op end
table.sort(operators)

-- An expression by chance: its text, value and how tightly it binds.
local function chance(random, depth)
  if depth == 0 or random(6) == 1 then
    if random(3) == 1 then
      local number = random(2) == 1 and random(0, 8) or random(0, 0xFFFFFFFF)
      return (random(2) == 1 and "0x%X" or "%d"):format(number), number, binds.leaf
    end
    local name = names[random(#names)]
    return name, values[name], binds.leaf
  end
  local op = operators[random(#operators)]
  local a, x, level_a = chance(random, depth - 1)
  local b, y, level_b = chance(random, depth - 1)
  local level = binds[op]
  local function wrapped(text, inner, least)
    if inner < least or random(8) == 1 then return "(" .. text .. ")" end
    return text
  end
  if op == "not" then
    return "not " .. wrapped(a, level_a, level), means[op](x), level
  elseif op == "if" then
    local c, z, level_c = chance(random, depth - 1)
    return ("%s if %s else %s"):format(wrapped(b, level_b, 1), wrapped(a, level_a, 1), wrapped(c, level_c, 0)),
           means[op](x, y, z), level
  elseif op == ">>" then
    y = random(0, 40)
    b, level_b = tostring(y), binds.leaf
  end
  local left = level == 4 and 5 or level
  return ("%s %s %s"):format(wrapped(a, level_a, left), op, wrapped(b, level_b, level + 1)), means[op](x, y), level
end

-- ---- in C ---------------------------------------------------------------------------------------

local stub = [[
#ifndef LATHE_NIF_NIF_H
#define LATHE_NIF_NIF_H
#include "record/record.h"
#define NIF_V(s) ((void)(s), INT64_C(0x0A000102))
#define NIF_B(s) ((void)(s), INT64_C(34))
#define NIF_AT_V NIF_V
#define NIF_AT_B NIF_B
#endif
]]
local unit = [[
unit nif
prefix nif_
include nif/nif.h
word V @setting=NIF_V @record=NIF_AT_V
word B @setting=NIF_B @record=NIF_AT_B
]]
local program = [[
#include "gen/nif_types.h"
#include "nif/nif.h"
#include <inttypes.h>
#include <stdio.h>
const rec_condition rec_no_condition;
const rec_rare rec_no_rare;
const rec_hooks rec_no_hooks;
const char rec_argument[1];
int64_t rec_slot_int(const rec_at *at, uint32_t slot)
{
    static const int64_t rows[] = {0, 1, 7, 0xFFFFFFFF};
    (void)at;
    return rows[slot];
}
int main(void)
{
    const rec_type *t = &nif_unit.types[0];
    const rec_at at = {0};
    const rec_setting s = {0};
    for (uint32_t i = 4; i < t->count; i += 2) {
        const rec_field *row = &rec_type_rows(t)[i];
        const rec_rare *c = rec_row_rare(row);
        const rec_condition *w = rec_row_condition(row + 1);
        const char *by = rec_row_by(row), *when = rec_row_when(row + 1);
        printf("%" PRIu64 " %d\n", c->count ? c->count(&at) : row->n ? row->n :
            (uint64_t)rec_slot_int(&at, (uint32_t)(by[0] - 'a')),
            (!w->only || w->only(&s)) && (!w->when_fn || w->when_fn(&at)) &&
            (!when || (w->when_eq ? rec_slot_int(&at, (uint32_t)(when[0] - 'a')) == w->when_value
                                  : rec_slot_int(&at, (uint32_t)(when[0] - 'a')) != 0)));
    }
    return 0;
}
]]

describe("expressions #tools", function()
  it("say in C what they mean", function()
    math.randomseed(20261121)
    local lines, expected = { "block T" }, {}
    for _, name in ipairs { "a", "b", "c", "d" } do lines[#lines + 1] = "  u32 " .. name end
    for i = 1, 400 do
      local text, value
      repeat text, value = chance(math.random, i % 4 + 1) until not text:find("^[%dx%x]+$")
      local condition, holds = chance(math.random, i % 4 + 1)
      lines[#lines + 1] = ("  u8 n%d[%s]"):format(i, text)
      lines[#lines + 1] = ("  u8 w%d ? %s"):format(i, condition)
      local count = (value < 0 or value == TOO_MUCH) and "18446744073709551615" or ("%d"):format(value)
      expected[#expected + 1] = ("%s %d"):format(count, int(holds ~= 0))
    end
    local folder = helper.tmpdir()
    assert(lfs.mkdir(folder .. "/gen") and lfs.mkdir(folder .. "/nif"))
    helper.write(folder .. "/nif/nif.h", stub)
    helper.write(folder .. "/main.c", program)
    local units = {
      { name = "record", files = { { name = "unit.schema", text = "unit record" } } },
      { name = "nif", files = { { name = "unit.schema", text = unit },
                                { name = "t.schema", text = table.concat(lines, "\n") } } },
    }
    local texts = assert(tables.from(units))
    for name, text in pairs(texts) do helper.write(folder .. "/gen/" .. name, text) end
    local flags = "-std=c11 -O1 -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Wno-type-limits " ..
      "-Wno-tautological-compare -Werror -fsanitize=undefined -fno-sanitize-recover=all"
    local r = helper.run(("cd %s && gcc %s -I. -I%s/core main.c gen/*.c -o main -lm && ./main")
      :format(folder, flags, helper.root))
    assert.equal("", r.err)
    local i = 0
    for line in r.out:gmatch("[^\n]+") do
      i = i + 1
      assert.equal(expected[i], line, table.concat(lines, "\n", 4 + 2 * i, 5 + 2 * i))
    end
    assert.equal(400, i)
  end)
end)
