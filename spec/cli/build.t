$ cp examples/stock.nif examples/behavior.hkx .
$ lathe dump stock.nif --json > stock.nif.json && lathe dump behavior.hkx --json > behavior.hkx.json && lathe dump tri.solid --json > tri.json
$ lathe build stock.nif.json behavior.hkx.json -o built && cmp built/stock.nif stock.nif && cmp built/behavior.hkx behavior.hkx
made the folder built
stock.nif.json -> built/stock.nif
behavior.hkx.json -> built/behavior.hkx
2 written, 0 failed
$ lathe build - -o - < tri.json | cmp - tri.solid

# Edited values.
$ sed 's/"x":0,"y":1.5/"x":7,"y":1.5/' tri.json > seven.json && lathe build seven.json -o seven.solid && lathe diff tri.solid seven.solid
seven.json -> seven.solid
vertices[3].x: 0 -> 7
[exit 1]
$ lathe build seven.json -o dry.solid --dry-run; test -e dry.solid
seven.json: would write dry.solid
[exit 1]

# Compressed files, and XML with its own layout.
$ lathe build tri.json -o tri.solid.zs && lathe dump tri.solid.zs --json > tri.solid.zs.json && lathe build tri.solid.zs.json -o again/ && cmp again/tri.solid.zs tri.solid.zs
tri.json -> tri.solid.zs
made the folder again/
tri.solid.zs.json -> again/tri.solid.zs
$ lathe build tri.solid.zs.json -o plain.solid && cmp plain.solid tri.solid
tri.solid.zs.json -> plain.solid
$ lathe convert behavior.hkx --to xml -o b.xml && sed 's/<!-- [^>]*-->//' b.xml > own.xml && lathe dump own.xml --json > own.json
behavior.hkx: Skyrim SE -> XML, 20 objects -> b.xml
$ lathe build own.json -o own2.xml && cmp own.xml own2.xml
own.json -> own2.xml

# What is no dump is refused by name.
$ head -c 90 tri.json | lathe build - -o x.solid
lathe: -: it is not JSON: unterminated object at line 1, column 56
[exit 1]
$ echo '[1, 2]' | lathe build - -o x.solid
lathe: -: it is not a dump of a file, as `lathe dump --json` writes them: it has no format and value
[exit 1]
$ sed 's/"solid"/"nosuch"/' tri.json | lathe build - -o x.solid
lathe: -: there is no format 'nosuch'
[exit 1]
$ sed 's/"y":1.5/"y":"high"/' tri.json | lathe build - -o x.solid
lathe: -: vertices[3].y at 0x20: f32 expected, got a string
[exit 1]
$ sed 's/"vertices"/"vertixes"/' tri.json | lathe build - -o x.solid
lathe: -: solid at 0x0: no field 'vertixes' in solid; did you mean 'vertices'?
[exit 1]
$ echo '{"format":"solid","value":{},"kept":{"compression":"gzip"}}' | lathe build - -o x.solid
lathe: -: kept.compression: there is no compression 'gzip'
[exit 1]
$ lathe dump tri.solid 'vertices[1]' --json | lathe build - -o x.solid
lathe: -: it is the dump of one place, vertices[1]: the dump of a whole file expected
[exit 1]
$ lathe build tri.json -o tri.nif
tri.json -> tri.nif
  note: it is a solid file, and .nif is an extension of nif files
$ lathe build tri.json -o tri.json
lathe: tri.json: would overwrite the input tri.json
[exit 1]
$ lathe build tri.json
lathe build: say where to write: -o OUT
[exit 2]
