"""Checks lines of JSON with a schema: check_json.py SCHEMA < "NAME<TAB>LINE" lines. Prints what is wrong."""
import json
import sys

import jsonschema

with open(sys.argv[1], encoding="utf-8") as file:
    schema = json.load(file)
jsonschema.Draft202012Validator.check_schema(schema)
validators = {}
for row in sys.stdin:
    name, line = row.rstrip("\n").split("\t", 1)
    if name not in validators:
        part = {"$schema": schema["$schema"], "$defs": schema["$defs"], "$ref": "#/$defs/line." + name}
        validators[name] = jsonschema.Draft202012Validator(part)
    for error in validators[name].iter_errors(json.loads(line)):
        print(f"{name}: {error.json_path}: {error.message[:300]}")
        break
