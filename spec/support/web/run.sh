#!/bin/sh
# Asks lathe as WebAssembly and the native one the same things about files, and compares. usage: run.sh BUILD WEB FOLDER [SHARE]
# SHARE: only every n-th file. See jobs.lua.
set -eu
build=$1 web=$2
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
mkdir "$scratch/root"

export LUA_PATH_5_4="$PWD/scripts/?.lua;$PWD/scripts/?/init.lua;$PWD/bindings/web/?.lua;$PWD/bindings/web/?/init.lua;;"
export LUA_CPATH_5_4="$build/?.so;;"
lua5.4 spec/support/web/jobs.lua "$3" "${4:-1}" >"$scratch/jobs"
lua5.4 spec/support/web/native.lua "$scratch/root" <"$scratch/jobs" >"$scratch/native"
node spec/support/web/node.mjs "$web/package" "$scratch/jobs" "$scratch/native"
