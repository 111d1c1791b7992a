#!/bin/sh
# Runs every bench: the C programs given, then spec/bench/*.lua. What is named engine* or made_up* gets the
# module with the made-up formats.
set -eu
status=0
for program in "$@"; do
    echo "== ${program##*/}"
    "$program"
done
for script in spec/bench/*.lua; do
    [ -e "$script" ] || continue
    echo "== ${script##*/}"
    case ${script##*/} in
    engine* | made_up*) LUA_CPATH_5_4="$LATHE_BUILD/spec/?.so;;" lua5.4 "$script" ;;
    *) lua5.4 "$script" || status=1 ;;
    esac
done
exit $status
