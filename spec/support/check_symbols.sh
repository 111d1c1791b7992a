#!/bin/sh
# What the built objects export, against what core/lathe.h promises.
# usage: check_symbols.sh BUILD
set -eu
build=$1
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT

# Functions marked LATHE_API, wherever their line breaks: the name before the first parenthesis.
sed -e '/^#/d' core/lathe.h | tr '\n' ' ' | grep -o 'LATHE_API [^;(]*(' |
    sed 's/ *($//; s/.*[ *]//' | LC_ALL=C sort >"$tmp/promised"
[ -s "$tmp/promised" ] || { echo "check_symbols: no LATHE_API in core/lathe.h" >&2; exit 1; }

exported() { nm -D --defined-only "$1" | awk '{ print $NF }' | LC_ALL=C sort; }

same() { # same FILE PROMISED
    exported "$1" >"$tmp/exported"
    if ! diff "$2" "$tmp/exported" >"$tmp/diff"; then
        echo "check_symbols: $1 (< promised, > exported):" >&2
        grep '^[<>]' "$tmp/diff" >&2
        return 1
    fi
}

status=0
same "$build/liblathe.so" "$tmp/promised" || status=1
echo luaopen_lathe_core >"$tmp/module"
if [ -e "$build/lathe/core.so" ]; then same "$build/lathe/core.so" "$tmp/module" || status=1; fi

# The archive has no hidden names: what it defines for others must not clash with a host's own.
nm -g --defined-only "$build/liblathe.a" 2>/dev/null | awk 'NF == 3 { print $3 }' | LC_ALL=C sort >"$tmp/archive"
echo "symbols: $(wc -l <"$tmp/promised") functions in liblathe.so, $(wc -l <"$tmp/archive") names in liblathe.a"
exit $status
