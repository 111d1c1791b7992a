#!/bin/sh
# What the page and the module for node cost: `make bench-web`. usage: run.sh BUILD WEB
# Without LATHE_CORPUS it measures with the examples of lathe only.
set -eu
build=$1 web=$2
# In memory, as the files of the page are.
folder=/dev/shm
[ -w "$folder" ] || folder=${TMPDIR:-/tmp}
scratch=$(mktemp -d "$folder/lathe-bench.XXXXXX")
trap 'rm -rf "$scratch"' EXIT
mkdir "$scratch/root"

export LUA_PATH_5_4="$PWD/scripts/?.lua;$PWD/scripts/?/init.lua;$PWD/bindings/web/?.lua;$PWD/bindings/web/?/init.lua;;"
export LUA_CPATH_5_4="$build/?.so;;"

# Up to 40 files, of all sizes up to 4 MB, always the same ones.
ls scripts/examples/*.nif scripts/examples/*.hkx scripts/examples/*.solid scripts/examples/*.anm >"$scratch/files"
if [ -d "${LATHE_CORPUS:-}" ]; then
    find "$LATHE_CORPUS" -type f -size -4096k \( -name '*.nif' -o -name '*.hkx' -o -name '*.anm' -o -name '*.bphsh' \) |
        LC_ALL=C sort >"$scratch/all"
    awk -v n="$(wc -l <"$scratch/all")" 'int(NR * 28 / n) != int((NR - 1) * 28 / n)' "$scratch/all" >>"$scratch/files"
else
    echo "  no LATHE_CORPUS: measured with the examples only"
fi
lua5.4 spec/bench/web/native.lua "$scratch/root" <"$scratch/files" >"$scratch/native"
node spec/bench/web/run.mjs "$web" "$scratch/native"
