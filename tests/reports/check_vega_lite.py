"""Fails if a file is not valid against the JSON Schema of Vega-Lite 5 (as the package altair ships it).

Usage: check_vega_lite.py FILE.vl.json...
"""

import json
import pathlib
import sys

import altair
import jsonschema

SCHEMA = pathlib.Path(altair.__file__).parent / "vegalite/v5/schema/vega-lite-schema.json"


def main(paths):
    schema = json.loads(SCHEMA.read_text(encoding="utf-8"))
    validator = jsonschema.Draft7Validator(schema)
    bad = 0
    for path in paths:
        spec = json.loads(pathlib.Path(path).read_text(encoding="utf-8"))
        error = jsonschema.exceptions.best_match(validator.iter_errors(spec))
        if error is not None:
            bad += 1
            print(f"{path}: {error.json_path}: {error.message[:300]}")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
