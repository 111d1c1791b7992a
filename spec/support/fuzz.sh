#!/bin/sh
# Runs the fuzz targets of a build: each for some seconds, or each over what it has once.
# usage: fuzz.sh BUILD SECONDS|replay [TARGET]; with a TARGET only that one, from seeds that are there already
# Seeds: spec/fuzz/corpus/NAME, and what spec/fuzz/make_seeds.lua writes below build/fuzz-seeds.
# New inputs go to BUILD/corpus/NAME, crashes to BUILD/crash-NAME-*.
set -eu
build=$1 seconds=$2

if [ $# -lt 3 ] && [ -e spec/fuzz/make_seeds.lua ]; then
    rm -rf build/fuzz-seeds
    lua5.4 spec/fuzz/make_seeds.lua build/fuzz-seeds
fi

one() { # one NAME: a line with the number of executions; fails on a crash or on none
    name=$1 log=$build/fuzz_$1.log
    mkdir -p "$build/corpus/$name"
    set -- "$build/spec/fuzz/fuzz_$name"
    if [ "$seconds" = replay ]; then
        set -- "$@" -runs=0
    else
        set -- "$@" -max_total_time="$seconds" -seed=1
        if [ -e "spec/fuzz/$name.dict" ]; then set -- "$@" -dict="spec/fuzz/$name.dict"; fi
    fi
    set -- "$@" -print_final_stats=1 -rss_limit_mb=2048 -timeout=10 -close_fd_mask=1 \
        -artifact_prefix="$build/crash-$name-" "$build/corpus/$name"
    for seeds in "spec/fuzz/corpus/$name" "build/fuzz-seeds/$name"; do
        if [ -d "$seeds" ]; then set -- "$@" "$seeds"; fi
    done
    status=0
    "$@" >"$log" 2>&1 || status=$?
    n=$(sed -n 's/^stat::number_of_executed_units: *//p' "$log")
    if [ $status != 0 ]; then
        tail -n 60 "$log"
        echo "fuzz $name: FAILED (exit $status), see $log and $build/crash-$name-*"
        return 1
    fi
    echo "fuzz $name: ${n:-0} executions"
    [ "${n:-0}" -gt 0 ]
}

if [ $# -ge 3 ]; then
    one "$3"
    exit
fi

# Two at a time: the next one starts as soon as one ends.
status=0
name=
for source in spec/fuzz/fuzz_*.c; do
    [ -e "$source" ] || continue
    name=${source#spec/fuzz/fuzz_}
    echo "${name%.c}"
done >"$build/targets"
xargs -P 2 -n 1 sh "$0" "$build" "$seconds" <"$build/targets" || status=1

# What comes in through Lua: libFuzzer cannot see into it, so files are damaged at random.
mkdir -p "$build/corpus/import"
if [ "$seconds" = replay ]; then seconds=1; fi
lua5.4 spec/fuzz/import.lua "$seconds" "$(date +%s)" "$build/corpus/import" || status=1
if [ -z "${name:-}" ]; then
    echo "fuzz: no targets in spec/fuzz" >&2
    status=1
fi
exit $status
