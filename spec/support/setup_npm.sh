#!/bin/sh
# Fetches the glTF validator (test only) into build/npm, once. Where that fails, tests that need it are
# skipped and say so: it never stops a build.
set -eu
[ "${SETUP:-yes}" = no ] && exit 0
cd "$(dirname "$0")/../.."

package=gltf-validator version=2.0.0-dev.3.10
there=build/npm/node_modules/$package/package.json
grep -qs "\"version\": \"$version\"" "$there" && exit 0

give_up() {
    echo "setup: no $package ($1): tests that need it will be skipped" >&2
    exit 0
}

# Node from elsewhere brings its own npm, with which Debian's does not go together.
if ! command -v node >/dev/null; then
    sh spec/support/setup.sh nodejs npm || give_up "no node"
elif ! command -v npm >/dev/null; then
    sh spec/support/setup.sh npm || give_up "no npm"
fi
mkdir -p build/npm
exec 9>build/npm/lock # make -j may want it twice
flock 9
grep -qs "\"version\": \"$version\"" "$there" && exit 0
log=build/npm/log
echo "setup: fetching $package"
timeout 180 npm install --prefix build/npm --no-save --no-package-lock --ignore-scripts --no-audit --no-fund \
    --fetch-retries=1 --fetch-timeout=30000 "$package@$version" >"$log" 2>&1 || {
    tail -n 5 "$log" >&2
    give_up "npm failed"
}
