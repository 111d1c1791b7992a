--- `lathe retime`: changes the speed of animations.
-- @module lathe.cli.commands.retime

local out = require "lathe.cli.out"
local targets = require "lathe.cli.verbs.targets"
local transform = require "lathe.cli.verbs.transform"

local retime = {
  name = "retime",
  summary = "Make animations faster or slower.",
  description = [[
Make animations faster or slower: key frames move in time together with annotations and root motion; their
number stays. Give one of --speed, --duration and --fps. Use `lathe resample` to change the number of key
frames. Files without animations are skipped.]],
  examples = {
    "lathe retime --speed 2 Animations/ -o faster/",
    "lathe retime --duration 1.5 wave.hkx --in-place",
    "lathe retime --fps 15 wave.hkx --at 'animations[1]' --dry-run",
  },
}

local ABOUT = { name = "retime", at = "an animation, such as animations[2]" }

local WAYS = { "speed", "duration", "fps" }

local function positive(source, option)
  local number = tonumber(source)
  if number and number > 0 and number < math.huge then return number end
  return nil, ("%s: a number above 0 expected, got '%s'"):format(option, source)
end

local function positive_of(option)
  return function(source) return positive(source, option) end
end

--- The error message for a number that argparse takes for an option.
-- @tparam string word
-- @tparam ?string option the preceding word
-- @treturn string
function retime.wrong_number(word, option)
  local is_option = option and option:find "^%-%-"
  return is_option and select(2, positive(word, option)) or ("unexpected number '%s'"):format(word)
end

--- Adds the options.
-- @param command an argparse command
function retime.options(command)
  transform.options(command)
  command:option("--speed", "Factor: 2 is twice as fast, 0.5 half as fast."):argname "<x>"
    :convert(positive_of "--speed")
  command:option("--duration", "New duration of each animation, in seconds."):argname "<s>"
    :convert(positive_of "--duration")
  command:option("--fps", "New frame rate, in frames per second; the duration follows."):argname "<n>"
    :convert(positive_of "--fps")
  targets.option(command, ABOUT.at, true)
end

--- Runs the command.
-- @tparam table args
-- @treturn integer the exit code
function retime.run(args)
  local how, given = {}, 0
  for _, way in ipairs(WAYS) do
    how[way] = args[way]
    given = given + (args[way] and 1 or 0)
  end
  if given ~= 1 then out.usage "give one of --speed, --duration and --fps" end
  local at = #args.at > 0
  return transform.run(args, not at and "retime" or nil, function(doc)
    if not at then return doc:retime(how) end
    return targets.each(doc, args.at, ABOUT, {}, function(target) return target.record:retime(how) end)
  end)
end

return retime
