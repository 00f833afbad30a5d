#!/usr/bin/env python3
"""results/measure.py: a run a part, each with a config that is there; one that was cut off goes on, a complete one stays."""

import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

SOURCE = pathlib.Path(sys.argv[1])

# Writes down what it was called with; its runs are complete unless CUT names their folder.
PROGRAM = """#!/bin/sh
echo "$@" >>"$CALLS"
for folder in "$@"; do :; done
mkdir -p "$folder"
case "$folder" in
  *"$CUT") echo '{"complete": false}' >"$folder/run.json"; exit 130 ;;
esac
echo '{"complete": true}' >"$folder/run.json"
"""


def lines_of(path):
    return path.read_text(encoding="utf-8").splitlines() if path.exists() else []


def main():
    with tempfile.TemporaryDirectory() as scratch:
        root = pathlib.Path(scratch)
        (root / "results").mkdir()
        shutil.copy(SOURCE / "results" / "measure.py", root / "results")
        program = root / "program"
        program.write_text(PROGRAM, encoding="utf-8")
        program.chmod(0o755)
        calls = root / "calls"

        def measure(family, cut="nothing"):
            before = len(lines_of(calls))
            environment = dict(os.environ, CALLS=str(calls), CUT=cut)
            command = [sys.executable, "-B", root / "results" / "measure.py", "toy", family, program]
            code = subprocess.run(command, env=environment, check=False, capture_output=True).returncode
            return code, lines_of(calls)[before:]

        code, said = measure("papara", cut="toy-papara-parts")
        assert code == 130, code
        assert [line.split()[3] for line in said] == ["--output", "--output"], said
        code, said = measure("papara")
        assert code == 0, code
        ends = [(line.split()[3], pathlib.Path(line.split()[4]).name) for line in said]
        assert ends == [("--resume", "toy-papara-parts"), ("--output", "toy-papara-16s")], ends
        assert measure("papara") == (0, [])
        assert measure("nothing")[0] == 2

        code, said = measure("all")
        assert code == 0, code
        configs = [pathlib.Path(line.split()[2]) for line in lines_of(calls)]
        for config in configs:
            assert not config.is_absolute(), config
            found = SOURCE / config
            assert found.exists(), found
            json.loads(found.read_text(encoding="utf-8"))
        folders = [path.name for path in (root / "results").iterdir() if path.is_dir()]
        assert len(folders) == len(set(configs)), folders


main()
