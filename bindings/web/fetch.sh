#!/bin/sh
# Fetches and unpacks the source packages that `sources` names, checked by their hashes, into OUT/NAME.
# usage: fetch.sh OUT
# They come from where this system has its packages: apt-get reads a list made of the system's, but for sources, and
# keeps its indexes in OUT, so nothing of the system changes.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$1"
out=$(cd "$1" && pwd)
list=$here/sources

cmp -s "$list" "$out/fetched" && exit 0
exec 9>"$out/lock" # make -j may want it twice
flock 9
cmp -s "$list" "$out/fetched" && exit 0

fail() {
    echo "web: $1" >&2
    [ ! -s "$out/log" ] || tail -n 10 "$out/log" >&2
    exit 1
}

packages() { sed -n '/^[^#]/p' "$list"; }

apt_get() {
    apt-get -q -o Dir::Etc::SourceList=/dev/null -o Dir::Etc::SourceParts="$out/apt" -o Dir::State::Lists="$out/apt/lists" \
        -o Dir::Cache::pkgcache= -o Dir::Cache::srcpkgcache= -o APT::Sandbox::User= "$@" >>"$out/log" 2>&1
}

# Both forms in which apt has its sources; other publishers' lists may have no source packages.
write_lists() {
    mkdir -p "$out/apt/lists/partial"
    for file in /etc/apt/sources.list.d/debian.sources; do
        [ ! -f "$file" ] || sed 's/^Types:.*/Types: deb-src/' "$file" >"$out/apt/debian.sources"
    done
    [ ! -f /etc/apt/sources.list ] || sed -n 's/^deb /deb-src /p' /etc/apt/sources.list >"$out/apt/system.list"
}

all_here() {
    packages | while read -r _ archive hash; do
        printf '%s  %s\n' "$hash" "$archive"
    done | (cd "$out" && sha256sum --status -c - 2>/dev/null)
}

if ! all_here; then
    : >"$out/log"
    command -v apt-get >/dev/null || fail "no apt-get to fetch source packages with; put the archives of bindings/web/sources into $1"
    echo "web: fetching $(packages | cut -d ' ' -f 1 | tr '\n' ' ')"
    write_lists
    apt_get update || true # what matters is whether the packages come
    # shellcheck disable=SC2046 # a list of words
    (cd "$out" && apt_get source --download-only $(packages | cut -d ' ' -f 1)) || fail "could not fetch source packages"
    all_here || fail "a source package has another hash than bindings/web/sources says"
fi
packages | while read -r name archive _; do
    rm -rf "${out:?}/$name" && mkdir "$out/$name"
    tar -xf "$out/$archive" -C "$out/$name" --strip-components=1
done
cp "$list" "$out/fetched"
