#!/bin/sh
# Style of everything in the tree, committed or not. usage: lint.sh [--format]
set -eu
status=0

files() { # files PATTERN...
    if git rev-parse --is-inside-work-tree >/dev/null 2>&1; then
        git ls-files -co --exclude-standard -- "$@"
    else
        for pattern in "$@"; do find . -path "./$pattern" -o -name "$pattern"; done | sed -n '/^.\/build\//!s/^..//p'
    fi | while read -r f; do [ -f "$f" ] && echo "$f"; done | LC_ALL=C sort -u
}
section() { echo "lint: $1"; }

if [ "${1:-}" = --format ]; then
    files '*.c' '*.h' | xargs -r clang-format -i
    exit 0
fi

# luacheck takes longest, so it runs beside clang-format.
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
files '*.lua' scripts/bin/lathe .busted .luacheckrc config.ld >"$scratch/lua"
(xargs -r -n 200 -P 2 luacheck --no-color -q <"$scratch/lua" >"$scratch/luacheck" 2>&1) &
luacheck=$!

section "clang-format"
files '*.c' '*.h' | xargs -r -n 50 -P 2 clang-format --dry-run -Werror || { echo "not in the house style: make format"; status=1; }

section "luacheck"
wait "$luacheck" || status=1
cat "$scratch/luacheck"
# luacheck runs on Lua 5.1 and believes; the real parser has the last word.
lua5.4 - "$scratch/lua" <<'END' || status=1
local well = true
for path in io.lines(arg[1]) do
  local ok, err = loadfile(path, "t")
  if not ok then print(err) well = false end
end
os.exit(well)
END

section "rockspecs"
for f in rocks/*.rockspec; do luarocks-5.4 lint "$f" || status=1; done

section "shell"
for f in $(files '*.sh') .ci/run; do
    case $(head -n 1 "$f") in *bash) bash -n "$f" ;; *) sh -n "$f" ;; esac || status=1
done

# .editorconfig in short: no trailing blanks, no CR, tabs only in Makefile, one final newline.
section "blanks"
files '*.c' '*.h' '*.lua' '*.sh' '*.md' '*.rockspec' '*.in' '*.ld' Makefile .ci/run '.*rc' .busted \
    .editorconfig .clang-format .gitignore scripts/bin/lathe LICENSE >"$scratch/text"
xargs -r grep -nH -e '[[:blank:]]$' -e "$(printf '\r')" <"$scratch/text" && status=1
grep -vx Makefile "$scratch/text" | xargs -r grep -nH "$(printf '\t')" && status=1
lua5.4 - "$scratch/text" <<'END' || status=1
local well = true
for path in io.lines(arg[1]) do
  local f <close> = assert(io.open(path, "rb"))
  local last = f:read("a"):sub(-2)
  if last:sub(-1) ~= "\n" then print(path .. ": no newline at the end") well = false end
  if last == "\n\n" or last == "\n" then print(path .. ": blank lines at the end") well = false end
end
os.exit(well)
END
exit $status
