--- What a parser of argparse knows about its options and arguments: for completions, man pages, and commands
-- that look at their words before they are parsed. Only this module uses internal members of argparse
-- (0.7.1).
-- @module lathe.cli.parsers

local parsers = {}

-- Newlines in descriptions only break lines of the help.
local function one_line(text) return text and (text:gsub("%s*\n%s*", " ")) end

local function placeholder(element)
  local name = element._argname
  if type(name) == "table" then name = name[1] end
  return name or "<" .. (element._default_argname or element._name or "value"):gsub("^%-+", "") .. ">"
end

--- The options of a parser, in the order of the help.
-- @param parser a parser or command of argparse
-- @treturn {table,...} each with `names` (`-o`, `--output`), `description`, `values` (the words that it
--   takes,
--   if only these), `argname` (nil: it takes no value) and `repeated`
function parsers.options(parser)
  local list = {}
  for _, option in ipairs(parser._options) do
    if not option._hidden then
      list[#list + 1] = {
        names = table.move(option._aliases, 1, #option._aliases, 1, {}),
        description = one_line(option._description),
        values = option._choices,
        argname = option._maxargs > 0 and placeholder(option) or nil,
        repeated = option._maxcount > 1,
      }
    end
  end
  return list
end

--- The arguments of a parser, in order.
-- @param parser a parser or command of argparse
-- @treturn {table,...} each with `name`, `argname`, `description`, `values`, `optional` and `several`
function parsers.arguments(parser)
  local list = {}
  for i, argument in ipairs(parser._arguments) do
    list[i] = {
      name = argument._name,
      argname = placeholder(argument),
      description = one_line(argument._description),
      values = argument._choices,
      optional = argument._minargs == 0,
      several = argument._maxargs > 1,
    }
  end
  return list
end

--- What a parser says about itself.
-- @param parser
-- @treturn string
function parsers.description(parser) return parser._description end

--- The usage that was set.
-- @param parser
-- @treturn string
function parsers.usage(parser) return parser._usage end

--- Makes every description one line.
-- @param parser
function parsers.flatten(parser)
  for _, list in ipairs { parser._options, parser._arguments } do
    for _, element in ipairs(list) do
      if element._description then element:description(one_line(element._description)) end
    end
  end
end

--- The completion script that argparse writes.
-- @param parser
-- @tparam string shell "bash", "zsh" or "fish"
-- @treturn string
function parsers.completion(parser, shell) return parser["get_" .. shell .. "_complete"](parser) end

--- The words of a command line that are neither options nor their values.
-- @param parser the parser with the options
-- @tparam {string,...} argv
-- @treturn {string,...} the words, up to `--`
-- @treturn {[string]=true} the names of options that are given
function parsers.words(parser, argv)
  local takes_value, words, given = {}, {}, {}
  for _, option in ipairs(parsers.options(parser)) do
    for _, name in ipairs(option.names) do takes_value[name] = option.argname ~= nil end
  end
  local i = 1
  while i <= #argv and argv[i] ~= "--" do
    local word = argv[i]
    local name = word:match "^(%-%-[^=]+)"
    if word == "-" or word:sub(1, 1) ~= "-" then
      words[#words + 1] = word
    else
      given[name or word:sub(1, 2)] = true
      if takes_value[word] then i = i + 1 end
    end
    i = i + 1
  end
  return words, given
end

return parsers
