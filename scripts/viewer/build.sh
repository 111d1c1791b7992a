#!/bin/sh
# Fetches three.js and the bundler, of the versions and hashes in package-lock.json, and bundles the viewer.
# usage: build.sh [--optional] OUT
# --optional: where that fails, says so and goes on: lathe works without its viewer.
set -eu
optional=no
if [ "$1" = --optional ]; then optional=yes && shift; fi
mkdir -p "$1"
out=$(cd "$1" && pwd)
cd "$(dirname "$0")"

give_up() {
    echo "viewer: not built ($1): \`lathe view\` will say so, and its tests will be skipped" >&2
    [ "$optional" = yes ] && exit 0
    exit 1
}

newest() { # whether nothing is newer than the viewer
    [ -s "$out/viewer.js" ] && [ -z "$(find . -type f -newer "$out/viewer.js")" ]
}

newest && exit 0
command -v node >/dev/null || give_up "no node"
command -v npm >/dev/null || give_up "no npm"
if [ "${SETUP:-yes}" = no ] && [ "$optional" = yes ] && [ ! -d "$out/npm/node_modules" ]; then
    give_up "SETUP=no"
fi
exec 9>"$out/lock" # make -j may want it twice
flock 9
newest && exit 0
if ! cmp -s package-lock.json "$out/npm/package-lock.json" || [ ! -d "$out/npm/node_modules/three" ]; then
    mkdir -p "$out/npm"
    cp package.json package-lock.json .npmrc "$out/npm"
    echo "viewer: fetching three.js and esbuild"
    (cd "$out/npm" && timeout 240 npm ci --fetch-retries=1 --fetch-timeout=30000) >"$out/log" 2>&1 || {
        rm -f "$out/npm/package-lock.json"
        tail -n 5 "$out/log" >&2
        give_up "npm failed"
    }
fi
node build.mjs "$out/npm/node_modules" "$out" >"$out/log" 2>&1 || {
    tail -n 20 "$out/log" >&2
    give_up "bundling failed"
}
touch "$out/viewer.js"
cat "$out/log"
