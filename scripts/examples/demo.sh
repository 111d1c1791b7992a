#!/bin/sh
# What lathe does, on a real model of the game Lugaru. Run by `make demo` from the top of the tree;
# everything it writes is below build/demo.
set -eu
command -v lathe >/dev/null || PATH="$PWD/scripts/bin:$PATH"

models=${LATHE_DEMO_MODELS:-/usr/share/games/lugaru/Models}
if [ ! -d "$models" ]; then
    echo "demo: no models in $models (Debian: apt-get install lugaru-data)" >&2
    exit 1
fi
rm -rf build/demo
mkdir -p build/demo
ln -s "$models" build/demo/Models
ln -s "$PWD/scripts/examples" build/demo/examples
cd build/demo

say() { printf '\n# %s\n' "$*"; }
show() {
    printf '$'
    for word; do
        case $word in
        *[!A-Za-z0-9_./:=@-]*) printf " '%s'" "$word" ;;
        *) printf ' %s' "$word" ;;
        esac
    done
}
run() {
    show "$@"
    printf '\n'
    "$@"
}
# The same for much output: the last lines of it.
run_tail() {
    show "$@"
    printf ' 2>&1 | tail -n 3\n'
    "$@" >output 2>&1 || { cat output; exit 1; }
    tail -n 3 output
    rm output
}

say "What is in the model of a box?"
run lathe info Models/Box.solid

say "Its tree, with offsets."
run lathe dump Models/Box.solid --depth 1
run lathe dump Models/Box.solid 'triangles[2]'

say "One number."
run lathe get Models/Box.solid 'vertices[1].x'

say "Look at a change before making it, then make it. The original stays as it is."
run lathe set Models/Box.solid 'vertices[1].x=-30' --dry-run
run lathe set Models/Box.solid 'vertices[1].x=-30' -o Box.solid
run lathe get Box.solid 'vertices[1].x'

say "Twice as large, and back to the same bytes."
run lathe scale 2 Models/Box.solid -o big
run lathe scale 0.5 big/Box.solid -o back
run cmp Models/Box.solid back/Box.solid
echo "the bytes are equal"

say "In place, with a backup; and back."
run lathe scale 3 Box.solid --in-place
run lathe undo Box.solid

say "Scripts for common jobs come with lathe; \`lathe examples\` lists them. One, over all $(ls Models | grep -c 'solid$') models, in a sandbox."
run cat examples/flip_v.lua
run_tail lathe run @flip-v Models/ -o flipped

say "Another one makes a table of all files."
run_tail lathe run @triangle-counts Models/ -o counts
run head -n 4 counts/triangles.csv

say "Is all of it sound?"
run_tail lathe check flipped

printf '\ndemo: done. What it made is in build/demo; the models are untouched.\n'
