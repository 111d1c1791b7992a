# Animations and skeletons back from other programs.
$ lathe export waves.hkx -o waves.csv
waves.hkx: 1 animation, 30 bones -> waves.csv
  waves: left out, as a .csv cannot hold them: 1 float track; importing takes them from the original
$ lathe import waves.csv --like waves.hkx -o same.hkx
waves.csv: 'clip', 20 frames of 30 bones, 0.633333 s -> same.hkx
  not edited: 30 of 30 tracks, which keep their samples
$ lathe diff waves.hkx same.hkx
$ lathe import waves.csv --like waves.hkx --fps 10 -o slow.hkx
waves.csv: 'clip', 8 frames of 30 bones, 0.7 s -> slow.hkx
  resampled: 90 curves with keys between frames, at 10 frames a second
  compression: off by at most 0.00722 in translations, 0 rad in rotations, 0 in scales
$ lathe export waves.hkx -o waves.glb
waves.hkx: 1 animation, 30 bones -> waves.glb
$ lathe import waves.glb --like waves.hkx -o back.hkx
waves.glb: 'waves', 20 frames of 30 bones, 0.633333 s -> back.hkx
  not edited: 30 of 30 tracks, which keep their samples
$ lathe diff waves.hkx back.hkx
$ lathe import waves.glb --game skyrim-se -o rig.hkx
waves.glb: a skeleton of 30 bones -> rig.hkx
$ lathe import waves.glb --like rig.hkx -o rig2.hkx
waves.glb: a skeleton of 30 bones -> rig2.hkx
$ lathe diff rig.hkx rig2.hkx
$ lathe import waves.glb --like waves.hkx -o dry.hkx --dry-run
waves.glb: 'waves', 20 frames of 30 bones, 0.633333 s -> dry.hkx
  not edited: 30 of 30 tracks, which keep their samples
$ test -e dry.hkx
[exit 1]

# What is wrong is told, and nothing is written.
$ lathe import waves.glb -o x.hkx
lathe import: give --like FILE, or --game for a skeleton
[exit 2]
$ lathe import waves.glb --like waves.hkx
lathe import: say where to write: -o OUT
[exit 2]
$ lathe import waves.glb --like waves.hkx --game fallout4 -o x.hkx
lathe import: give --like or --game, not both
[exit 2]
$ lathe import waves.glb --like waves.hkx --clip run -o x.hkx
lathe: waves.glb: animations: none is named 'run': there are 'waves'
[exit 1]
$ lathe import waves.glb --like waves.hkx --fps -3 -o x.hkx
lathe import: a number above 0 expected, got '-3'
[exit 2]
$ lathe import waves.glb --like crate.nif -o x.hkx
lathe: crate.nif: neither an animation nor a skeleton is in it
[exit 1]
$ lathe import crate.nif --like waves.hkx -o x.hkx
lathe: crate.nif: clips and skeletons are imported from a .glb, a .gltf or a .csv
[exit 1]
$ lathe import waves.glb --game skyrim-se -o rig.nope
lathe: rig.nope: skyrim-se has no format with this extension
[exit 1]
$ lathe import gone.glb --like waves.hkx -o x.hkx
lathe: gone.glb: cannot open: No such file or directory
[exit 1]
$ head -5 waves.csv > short.csv
$ lathe import short.csv --like waves.hkx -o still.hkx
short.csv: 'clip', 1 frame of 30 bones, 0 s -> still.hkx
  at rest, as the file lacks them: Arm 5, Arm 6, Arm 7, Arm 8, Arm 9, Arm 10, Arm 11, Arm 12, Arm 13, Arm 14, Arm 15, Arm 16, 14 more
  compression: off by at most 0.000109 in translations, 0 rad in rotations, 0 in scales
$ sed 's/^3,/9,/' waves.csv > odd.csv
$ lathe import odd.csv --like waves.hkx -o x.hkx
lathe: odd.csv: line 92: frame 9 follows frame 2
[exit 1]
$ lathe import waves.csv --like waves.hkx -o ./waves.hkx
lathe: ./waves.hkx: would overwrite the input waves.hkx
[exit 1]
$ test -e x.hkx
[exit 1]
