-- What the library is made of: bytes of its sections, and how many places the loader fills in before a program starts.

local library_size = {}

local function lines_of(command)
  local pipe = assert(io.popen("LC_ALL=C " .. command .. " 2>/dev/null"))
  local lines = {}
  for line in pipe:lines() do lines[#lines + 1] = line end
  return pipe:close() and lines or {}
end

--- Bytes by section: { [".rodata"] = …, [".data.rel.ro"] = … }.
function library_size.sections(path)
  local bytes = {}
  for _, line in ipairs(lines_of(("readelf -SW '%s'"):format(path))) do
    local name, size = line:match("^%s*%[%s*%d+%]%s+(%S+)%s+%S+%s+%x+%s+%x+%s+(%x+)")
    if name then bytes[name] = tonumber(size, 16) end
  end
  return bytes
end

--- How many relocations the loader works through.
function library_size.relocations(path)
  local count = 0
  for _, line in ipairs(lines_of(("readelf -rW '%s'"):format(path))) do
    if line:find("^%x+%s+%x+%s+R_") then count = count + 1 end
  end
  return count
end

-- Seconds of processor time of a process of Lua that runs a script.
local function seconds(script, runs)
  local loop = "i=0; while [ $i -lt %d ]; do lua5.4 -e '%s'; i=$((i + 1)); done; times"
  local of_children, total = lines_of(loop:format(runs, script))[2] or "", 0
  for minutes, rest in of_children:gmatch("(%d+)m([%d.]+)s") do total = total + 60 * minutes + rest end
  return total / runs
end

--- What a process takes that opens the library and ends, and one that only ends.
function library_size.start_up(path, runs)
  return seconds(("assert(package.loadlib([[%s]], [[*]]))"):format(path), runs), seconds("", runs)
end

return library_size
