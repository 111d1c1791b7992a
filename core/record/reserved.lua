-- Writes the header gen/record_reserved.h: names that schemas leave to the Lua API, whose members
-- scripts/lathe/members lists.

package.path = "scripts/?.lua;scripts/?/init.lua;" .. package.path
local members = require "lathe.members"

-- The names of owners' members, but for fields that give way to those of a format.
local function names(...)
  local list, seen = {}, {}
  for _, owner in ipairs { ... } do
    for _, member in ipairs(members.of(owner).members) do
      if not member.yields and not seen[member.name] then list[#list + 1] = ('"%s"'):format(member.name) end
      seen[member.name] = true
    end
  end
  return table.concat(list, ", ") .. ", NULL"
end

io.write(([[
/* Made from scripts/lathe/members by core/record/reserved.lua. */
#include <stddef.h>
static const char *const reserved_views[] = {%s};
static const char *const reserved_documents[] = {%s};
]]):format(names("record", "array"), names "document"))
