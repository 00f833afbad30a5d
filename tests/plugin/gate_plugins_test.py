"""The gate pairs the cases of two builds of a plugin, whose files have other names, and fails one that answers wrong or crashes.

Usage: gate_plugins_test.py PROGRAM ROOT SAME SLOWED WRONG CRASHING, of which the last are changed_suffix_array.cpp
"""

import itertools
import json
import os
import pathlib
import subprocess
import sys
import tempfile

SKIPPED = 77
CONFIG = {"name": "gated", "devices": "cpu", "sampling": {"min_samples": 2, "max_samples": 2, "max_seconds": 0.1},
          "families": {"fm_index": {"problems": [{"reference": "random", "reference_bases": 5000, "query_count": 50,
                                                  "query_bases": 20}], "variants": {"scalar": {}}}}}


def main(program, root, same, slowed, wrong, crashing):
    python = os.environ.get("GPUSEQ_PYTHON") or os.path.join(root, ".venv/bin/python")
    check = [python, "-B", os.path.join(root, "reports/start.py"), "--check"]
    if not os.path.exists(python) or subprocess.run(check, check=False, capture_output=True).returncode != 0:
        print("skipped: the Python package cannot be called")
        return SKIPPED
    with tempfile.TemporaryDirectory() as scratch:
        folder = pathlib.Path(scratch)
        numbers = itertools.count()  # of gates: several end within a second, in which default folders have one name
        (folder / "config.json").write_text(json.dumps(CONFIG), encoding="utf-8")

        def gate(*words):
            """The exit code, and the verdict on each case. Two processes a side are too few to call a case slower."""
            done = subprocess.run([program, "gate", "--config", "config.json", "--rounds", "1", "--budget", "0.001", *words,
                                   "--output", f"runs/{next(numbers)}", "--json", "verdict.json"], cwd=folder, env=os.environ | {"XDG_CACHE_HOME": scratch},
                                  check=False, capture_output=True, text=True)
            found = folder / "verdict.json"
            cases = json.loads(found.read_text(encoding="utf-8"))["states"] if found.exists() else []
            found.unlink(missing_ok=True)
            print(words, done.stderr)
            return done.returncode, [(case["variant"], case["verdict"], case["reason"]) for case in cases], done.stderr

        for new in (same, slowed):
            code, cases, _ = gate("--plugin", same, "--plugin", new)
            assert (code, [case[:2] for case in cases]) == (3, [("suffix_array", "inconclusive")]), (code, cases)
        for new, reason in ((wrong, "failed: wrong_result: "), (crashing, "failed: crash: ")):
            code, cases, _ = gate("--plugin", same, "--plugin", new)
            assert code == 1 and [case[:2] for case in cases] == [("suffix_array", "failed")], (code, cases)
            assert cases[0][2].startswith(reason), cases
        assert gate("--plugin", same, "--save", "before")[0] == 0
        assert gate("--plugin", slowed, "--baseline", "before")[0] == 3
        runs = len(list(folder.glob("runs/*")))
        code, _, said = gate("--plugin", same, "--plugin", "absent.so")
        assert code == 2 and "absent.so" in said and len(list(folder.glob("runs/*"))) == runs, (code, said)
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
