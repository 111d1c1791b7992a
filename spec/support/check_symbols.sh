#!/bin/sh
# What the built objects export, against what core/lathe.h promises.
# usage: check_symbols.sh BUILD [archive]     "archive": only liblathe.a; NM: the nm to use
set -eu
build=$1
nm=${NM:-nm}
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT

# Functions marked LATHE_API, wherever their line breaks: the name before the first parenthesis.
sed -e '/^#/d' core/lathe.h | tr '\n' ' ' | grep -o 'LATHE_API [^;(]*(' |
    sed 's/ *($//; s/.*[ *]//' | LC_ALL=C sort >"$tmp/promised"
[ -s "$tmp/promised" ] || { echo "check_symbols: no LATHE_API in core/lathe.h" >&2; exit 1; }

exported() {
    case $1 in
    *.a) "$nm" -g --defined-only "$1" | awk 'NF == 3 { print $3 }' ;;
    *) "$nm" -D --defined-only "$1" | awk '{ print $NF }' ;;
    esac | LC_ALL=C sort
}

same() { # same FILE PROMISED
    exported "$1" >"$tmp/exported"
    if ! diff "$2" "$tmp/exported" >"$tmp/diff"; then
        echo "check_symbols: $1 (< promised, > exported):" >&2
        grep '^[<>]' "$tmp/diff" >&2
        return 1
    fi
}

status=0
same "$build/liblathe.a" "$tmp/promised" || status=1
if [ "${2:-}" != archive ]; then
    same "$build/liblathe.so" "$tmp/promised" || status=1
    echo luaopen_lathe_core >"$tmp/module"
    if [ -e "$build/lathe/core.so" ]; then same "$build/lathe/core.so" "$tmp/module" || status=1; fi
fi
[ $status != 0 ] || echo "symbols: the $(wc -l <"$tmp/promised") functions of lathe.h, and no others"
exit $status
