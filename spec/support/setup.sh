#!/bin/sh
# Installs the Debian packages named that are missing; does nothing where all are there.
# usage: setup.sh PACKAGE...
set -eu

missing() {
    for package in "$@"; do
        state=$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null) || state=none
        [ "$state" = installed ] || printf '%s ' "$package"
    done
}

if [ "${SETUP:-yes}" = no ]; then exit 0; fi

if ! command -v apt-get >/dev/null || ! command -v dpkg-query >/dev/null; then
    echo "This system has no apt-get. Please install what these packages of Debian 12 hold:" >&2
    echo "  $*" >&2
    echo "and then say the same with SETUP=no before it: SETUP=no make test" >&2
    exit 1
fi

[ -n "$(missing "$@")" ] || exit 0

as_root=
if [ "$(id -u)" != 0 ]; then
    as_root=sudo
    if ! command -v sudo >/dev/null; then
        echo "Missing packages, and neither root nor sudo to install them. As root, run:" >&2
        echo "  apt-get install $(missing "$@")" >&2
        exit 1
    fi
fi

# One at a time, where make -j wants two sets at once.
exec 9>"${TMPDIR:-/tmp}/lathe-setup.$(id -u).lock"
flock 9
wanted=$(missing "$@")
[ -n "$wanted" ] || exit 0

echo "setup: installing $wanted"
log=${TMPDIR:-/tmp}/lathe-setup.$(id -u).log
apt_get() {
    $as_root env DEBIAN_FRONTEND=noninteractive apt-get -q -o Dpkg::Use-Pty=0 "$@" 9>&-
}
apt_get update >"$log" 2>&1 || echo "setup: apt-get update failed, going on with the lists that are here" >&2
# shellcheck disable=SC2086 # a list of words
if ! apt_get install -y --no-install-recommends $wanted >>"$log" 2>&1; then
    tail -n 40 "$log" >&2
    echo "setup: could not install: $(missing "$@")" >&2
    exit 1
fi
