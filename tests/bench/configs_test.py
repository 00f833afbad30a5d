"""configs/: each run config is planned; documents name files that exist; configs of committed runs are planned.

Usage: configs_test.py PROGRAM ROOT
"""

import json
import os
import pathlib
import re
import subprocess
import sys
import unittest

ROOT = pathlib.Path(sys.argv.pop())
PROGRAM = sys.argv.pop()
CONFIGS = ROOT / "configs"
# Files that name configs of this checkout, by git's patterns.
READERS = ["*.md", "*.yml", ".ci/*", "Containerfile", "gpuseq-bench", "bench/*.[ch]pp", "reports/*.[ch]pp",
           "results/*.py", "configs/tools/*.py", ":!CHANGELOG.md", ":!docs/lab-notes/changes-0.2.md"]


def read(path):
    return json.loads(path.read_text(encoding="utf-8"))


def run_configs():
    files = (path for path in CONFIGS.rglob("*.json") if not path.name.endswith("schema.json"))
    return sorted(path.relative_to(CONFIGS).as_posix() for path in files if "sampling" in read(path))


def texts():
    listed = subprocess.run(["git", "-C", ROOT, "ls-files", "-z", *READERS], capture_output=True, text=True, check=True)
    names = [name for name in listed.stdout.split("\0") if name]
    return {name: (ROOT / name).read_text(encoding="utf-8") for name in names}


class Configs(unittest.TestCase):
    def planned(self, path):
        done = subprocess.run([PROGRAM, "plan", "--config", path, "--device", "cpu"], capture_output=True, text=True,
                              env={**os.environ, "GPUSEQ_ROOT": str(ROOT)}, check=False)
        self.assertEqual(done.returncode, 0, f"{path}: {done.stderr}")

    def test_each_is_planned(self):
        for name in run_configs():
            self.planned(CONFIGS / name)

    def seconds(self, machine, *words):
        command = [PROGRAM, "plan", "--json", "--config", CONFIGS / "reference.json", "--machine", ROOT / machine, *words]
        done = subprocess.run(command, capture_output=True, text=True, env={**os.environ, "GPUSEQ_ROOT": str(ROOT)}, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        return json.loads(done.stdout)["typical_s"]

    def test_the_reference_run_fits_its_time(self):
        """Three parts of nine minutes and twenty in all on an H200 and 16 processors, an hour on two processors."""
        parts = [self.seconds("results/h200", "--shard", f"{part}/3") for part in (1, 2, 3)]
        self.assertLess(max(parts), 540)
        self.assertLess(sum(parts), 1200)
        self.assertLess(self.seconds("tests/data/runs/zen5-machine"), 3600)

    def test_named_files_exist_and_recorded_configs_are_planned(self):
        recorded = set()
        for reader, text in texts().items():
            for name in re.findall(r"(?<![\w./-])(?:new/)?(configs/[\w./-]*\w)", text):
                self.assertTrue((ROOT / name).exists(), f"{reader}: {name}")
            recorded.update(re.findall(r"results/[\w-]+/run\.json", text))
        recorded.update(path.relative_to(ROOT).as_posix() for path in (ROOT / "results").rglob("run.json"))
        self.assertGreater(len(recorded), 20)
        for name in sorted(recorded):
            self.planned(ROOT / name)


if __name__ == "__main__":
    unittest.main(verbosity=2)
