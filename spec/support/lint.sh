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
for f in $(files '*.c' '*.h'); do
    clang-format "$f" | cmp -s - "$f" || { echo "$f: not in the house style (make format)"; status=1; }
done

section "luacheck"
wait "$luacheck" || status=1
cat "$scratch/luacheck"
# luacheck runs on Lua 5.1 and believes; the real parser has the last word.
while read -r f; do luac5.4 -p "$f" || status=1; done <"$scratch/lua"

section "rockspecs"
for f in rocks/*.rockspec; do luarocks-5.4 lint "$f" || status=1; done

section "shell"
for f in $(files '*.sh') .ci/run; do
    case $(head -n 1 "$f") in *bash) bash -n "$f" ;; *) sh -n "$f" ;; esac || status=1
done

# .editorconfig in short: no trailing blanks, no CR, tabs only in Makefile, one final newline.
section "blanks"
for f in $(files '*.c' '*.h' '*.lua' '*.sh' '*.md' '*.rockspec' '*.in' '*.ld' Makefile .ci/run '.*rc' .busted \
    .editorconfig .clang-format .gitignore scripts/bin/lathe LICENSE); do
    grep -nH -e '[[:blank:]]$' -e "$(printf '\r')" "$f" && status=1
    if [ "$f" != Makefile ]; then grep -nH "$(printf '\t')" "$f" && status=1; fi
    [ -z "$(tail -c 1 "$f")" ] || { echo "$f: no newline at the end"; status=1; }
    [ -n "$(tail -n 1 "$f")" ] || { echo "$f: blank lines at the end"; status=1; }
done
exit $status
