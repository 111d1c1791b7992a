-- Problems of a schema: raised where they are found, with the place where somebody knows it. What is
-- raised without this module is a mistake of the generator itself.

local problem = {}

local marked = {}                                 -- the metatable of all problems

--- Raises one. Who reads a line catches it and says where it is.
function problem.raise(text, ...)
  error(setmetatable({ text = text:format(...) }, marked), 0)
end

--- Calls f(...); its problem goes to `list` as "file:line: text". Gives what f does, or nil.
function problem.at(list, file, line, f, ...)
  local ok, result = pcall(f, ...)
  if ok then return result end
  if getmetatable(result) ~= marked then error(result, 0) end
  list[#list + 1] = ("%s:%d: %s"):format(file, line, result.text)
  return nil
end

return problem
