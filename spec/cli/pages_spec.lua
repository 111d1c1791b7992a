-- Man pages, read by man, and completions, used by their shells.

local cli = require "lathe.cli"
local helper = require "helper"
local pages = require "lathe.cli.pages"
local transcript = dofile "spec/cli/transcript.lua"

local folder, env, made

setup(function()
  folder, env = transcript.folder()
  made = folder .. "/made"
  os.execute("mkdir " .. helper.quote(made))
  pages.write(made)
end)

local function needs(program)
  if helper.run("command -v " .. program).code ~= 0 then pending("NOT TESTED: " .. program .. " is not installed") end
end

local function run(command) return helper.run(command, { cwd = folder, env = env, timeout = 60 }) end

describe("man pages #tools", function()
  it("are there for lathe and each command", function()
    local expected = { "lathe.1" }
    for _, command in ipairs(cli.commands()) do expected[#expected + 1] = ("lathe-%s.1"):format(command.name) end
    table.sort(expected)
    local names = helper.list(made .. "/man1")
    table.sort(names)
    assert.same(expected, names)
  end)

  it("give man nothing to warn of", function()
    needs "man"
    local result = run "LC_ALL=C.UTF-8 MANROFFSEQ= MANWIDTH=80 man --warnings -E UTF-8 -l made/man1/*.1 2>&1 >pages"
    assert.same({ 0, "" }, { result.code, result.out })
    assert.is_true(#helper.read(folder .. "/pages") > 100000)
    helper.write(made .. "/wrong.1", '.TH WRONG 1\n.SH NAME\nwrong \\- page\n.XYZ\n')
    assert.matches("warning", run "LC_ALL=C.UTF-8 MANROFFSEQ= man --warnings -E UTF-8 -l made/wrong.1 2>&1 >pages".out)
  end)

  it("say what the help says", function()
    needs "man"
    local text = run "LC_ALL=C.UTF-8 MANROFFSEQ= MANWIDTH=80 man -E UTF-8 -l made/man1/lathe-trim.1 | col -bx".out
    for _, line in ipairs {
      "       lathe-trim - keep a part of animations", "       lathe trim [options] [t0] [t1] [file] ...",
      "       -o <out>, --output <out>", "           lathe trim 0 0.5 wave.hkx --at 'animations[1]' --in-place",
    } do
      assert.matches(line, text, 1, true)
    end
  end)
end)

describe("completion #tools", function()
  -- What a line begins with, and what it becomes.
  local LINES <const> = {
    { "lathe retarg", "lathe retarget" }, { "lathe trim --dry", "lathe trim --dry-run" },
    { "lathe convert --to skyrim-l", "lathe convert --to skyrim-le" }, { "lathe trim wav", "lathe trim waves.hkx" },
    { "lathe trim --skeleton ske", "lathe trim --skeleton skeleton.hkx" }, { "lathe trim --t1", "lathe trim --t1" },
  }

  setup(function() run "cp examples/skeleton.hkx ." end)

  it("works in bash", function()
    local loader = "/usr/share/bash-completion/bash_completion"
    if not helper.exists(loader) then pending "NOT TESTED: bash-completion is not installed" end
    run "mkdir -p bash && ln -sfn ../made/bash bash/completions"
    local script = { ("export BASH_COMPLETION_USER_DIR=$PWD/bash\n. %s\n_completion_loader lathe\n"):format(loader), [[
try() {
  COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); COMPREPLY=()
  $(complete -p lathe | sed 's/.* -F \([^ ]*\) .*/\1/') lathe "$COMP_CWORD" "${COMP_WORDS[COMP_CWORD - 1]}"
  echo "${COMP_WORDS[*]:0:COMP_CWORD} ${COMPREPLY[*]:-$(compgen -f -- "${COMP_WORDS[COMP_CWORD]}")}"
}
]] }
    local expected = {}
    for i, line in ipairs(LINES) do script[i + 2], expected[i] = "try " .. line[1] .. "\n", line[2] .. "\n" end
    helper.write(folder .. "/try.bash", table.concat(script))
    local result = run "bash --norc try.bash"
    assert.same({ table.concat(expected), "" }, { result.out, result.err })
  end)

  it("works in fish", function()
    needs "fish"
    local script, expected = { "set -p fish_complete_path $PWD/made/fish\n" }, {}
    for i, line in ipairs(LINES) do
      script[i + 1] = ("complete -C %q\n"):format(line[1])
      expected[i] = line[2]:match "%S+$"
    end
    helper.write(folder .. "/try.fish", table.concat(script))
    local result = run "fish --no-config try.fish"
    assert.equal("", result.err)
    local found = {}
    for word in result.out:gmatch "([^\t\n]+)[^\n]*\n" do found[#found + 1] = word end
    assert.same(expected, found)
  end)

  it("works in zsh", function()
    needs "zsh"
    local script, expected = { [[
zmodload zsh/zpty
zpty shell "TERM=dumb PS1= zsh -f -i"
zpty -w shell "unsetopt zle_bracketed_paste prompt_cr prompt_sp; fpath=($PWD/made/zsh \$fpath)
autoload -Uz compinit; compinit -u -D; echo rea''dy"
zpty -r -m shell said '*ready*'
try() {
  zpty -w -n shell "$1"$'\t'$'\C-a'"print -r -- '<"$'\C-e'">'"$'\n'
  zpty -r -m shell said $'*\n<*>\r*'
  print -r -- ${${said##*$'\n<'}%%>*}
}
]] }, {}
    for i, line in ipairs(LINES) do script[i + 1], expected[i] = ("try %q\n"):format(line[1]), line[2] end
    helper.write(folder .. "/try.zsh", table.concat(script))
    local result, found = run "zsh -f try.zsh", {}
    assert.equal("", result.err)
    for line in result.out:gmatch "([^\n]*)\n" do found[#found + 1] = line:match "^(.-)%s*$" end
    assert.same(expected, found)
  end)
end)
