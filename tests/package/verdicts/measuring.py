"""Stands for a measuring program: `run --output FOLDER ...` writes a journal of two cases of made-up times.

Environment: FACTOR multiplies the times of steady, and so does the number in the file of --plugin; WRONG=1 makes a case
fail; with TWO_SPEEDS=1 every other process takes twice as long.
"""

import json
import os
import random
import re
import sys
from pathlib import Path

words = sys.argv[1:]
folder = Path(words[words.index("--output") + 1])
filters = [word.split("=", 1)[1] for word in words if word.startswith("--benchmark_filter=")]
draw = random.Random(os.getpid())
level = 1 + 0.0005 * draw.gauss(0, 1)
if "TWO_SPEEDS" in os.environ:
    level *= 0.7 if int(folder.name) % 2 else 1.5
slowed, facts = os.environ.get("FACTOR", "1"), {}
if "--plugin" in words:
    slowed = Path(words[words.index("--plugin") + 1]).read_text()
    facts = {"plugin_hash": f"hash of {slowed}"}
records = []
for variant in ("steady", "other"):
    state = f"toy/{variant}//speed=1/cpu"
    if all(re.search(filter_, state + "/iterations:1/manual_time") for filter_ in filters):
        factor = float(slowed) if variant == "steady" else 1
        failed = variant == "other" and "WRONG" in os.environ
        records.append({
            "schema_version": 3, "state": state, "family": "toy", "variant": variant, "problem": {},
            "point": {"speed": 1}, "device": "cpu", "kind": "kernel", "phase": "sweep", "repetition": 0,
            "status": "failed" if failed else "ok",
            "failure": {"kind": "wrong_result", "reason": "toy 0 is blue"} if failed else None,
            "samples_s": [] if failed else [0.01 * factor * level] * 5, "work": {"amount": 1e6, "unit": "toys"},
            "statistics": None, "bound": None, "traffic": None, "resources": None, "memory": None, "counters": None,
            "energy": None, "facts": facts, "notes": [], "synthetic": False, "problem_hash": "", "provenance": "p",
            "date": "2026-11-28T10:00:00Z",
        })  # fmt: skip
head = {"provenance_id": "p", "provenance": {"device": {"name": "toy"}}}
folder.mkdir(parents=True)
(folder / "records.jsonl").write_text("".join(json.dumps(line) + "\n" for line in [head, *records]))
(folder / "words.json").write_text(json.dumps([words, dict(os.environ)]))
sys.exit(1 if "WRONG" in os.environ else 0)
