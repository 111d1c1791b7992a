-- The library as it lies on disk, and what loading it costs: read-only data, relocations, start-up.

package.path = "spec/support/?.lua;" .. package.path

local library_size = require "library_size"

local path = (os.getenv "LATHE_BUILD" or "build") .. "/liblathe.so"

local function line(what, value, unit) print(("  %-52s %10.1f %s"):format(what, value, unit)) end

local bytes = library_size.sections(path)
print "liblathe.so"
line("code", (bytes[".text"] or 0) / 1024, "KB")
line("read-only data without pointers (.rodata)", (bytes[".rodata"] or 0) / 1024, "KB")
line("read-only data with pointers (.data.rel.ro)", (bytes[".data.rel.ro"] or 0) / 1024, "KB")
line("data that is written (.data, .bss)", ((bytes[".data"] or 0) + (bytes[".bss"] or 0)) / 1024, "KB")
line("relocations", library_size.relocations(path), "")
local opened, empty = library_size.start_up(path, 100)
line("a process that opens it", opened * 1e6, "us")
line("", opened / empty, "x one that does not")
