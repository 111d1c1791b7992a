#!/bin/sh
# Prints the licences of everything that build/web/lathe.html and lathe.wasm contain.
# usage: licenses.sh FROM NODE_MODULES
set -eu
from=$1 modules=$2

part() { # part NAME: a heading; the licence is read from standard input
    printf '%s\n' "==== $1 ====" ''
    cat
    printf '\n'
}

# Licences stand in files of their own, but for Lua's, which ends lua.h.
part "lathe" <"$(dirname "$0")/../../LICENSE"
sed -n '/^\* Copyright/,/^\*\*\*/s/^\* \{0,1\}//p' "$from/lua5.4/src/lua.h" | sed '/^\*/d' | part "Lua 5.4"
part "LuaFileSystem" <"$from/lua-filesystem/LICENSE"
part "zlib" <"$from/zlib/LICENSE"
part "qhull" <"$from/qhull/COPYING.txt"
part "Zstandard" <"$from/libzstd/LICENSE"
part "liblzma of XZ Utils" <"$from/xz-utils/COPYING"
for package in lua-argparse lua-dkjson; do
    part "$package, as Debian packages it" <"/usr/share/doc/$package/copyright"
done
# Of emscripten its own C library and glue; the package's list has much that is not linked.
awk 'BEGIN { RS = ""; ORS = "\n\n" }
     /^Files:\n \*\n/ || /^Files:.*libc\/musl\// || /^License: (Expat|BSD-2-clause|ISC)\n/' \
    /usr/share/doc/emscripten/copyright | part "emscripten and musl, as Debian packages them"
for library in three fflate; do
    [ ! -f "$modules/$library/LICENSE" ] || part "$library" <"$modules/$library/LICENSE"
done
