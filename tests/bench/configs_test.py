"""configs/: each run config is planned and has its line in configs/README.md; documents name files that exist.

Usage: configs_test.py PROGRAM ROOT
"""

import datetime
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
           "results/*.py", "configs/tools/*.py", ":!CHANGELOG.md"]


def read(path):
    return json.loads(path.read_text(encoding="utf-8"))


def run_configs():
    files = (path for path in CONFIGS.rglob("*.json") if not path.name.endswith("schema.json"))
    return sorted(path.relative_to(CONFIGS).as_posix() for path in files if "sampling" in read(path))


def texts():
    listed = subprocess.run(["git", "-C", ROOT, "ls-files", "-z", *READERS], capture_output=True, text=True, check=True)
    names = [name for name in listed.stdout.split("\0") if name]
    return {name: (ROOT / name).read_text(encoding="utf-8") for name in names}


def seconds(run):
    started, finished = (datetime.datetime.fromisoformat(run[key].replace("Z", "+00:00")) for key in ("started", "finished"))
    return (finished - started).total_seconds()


class Configs(unittest.TestCase):
    def planned(self, path):
        done = subprocess.run([PROGRAM, "plan", "--config", path, "--device", "cpu"], capture_output=True, text=True,
                              env={**os.environ, "GPUSEQ_ROOT": str(ROOT)}, check=False)
        self.assertEqual(done.returncode, 0, f"{path}: {done.stderr}")

    def test_each_is_planned(self):
        for name in run_configs():
            self.planned(CONFIGS / name)

    def test_each_has_a_line_in_the_readme(self):
        lines = re.findall(r"^\| `([a-z0-9/-]+\.json)` \|", (CONFIGS / "README.md").read_text(encoding="utf-8"), re.M)
        self.assertEqual(sorted(lines), run_configs())

    def test_times_of_the_readme_are_those_of_runs_of_the_same_config(self):
        rows = re.findall(r"^\| `(\S+)` \|.*\| (\d+) s \(\[(\S+)\]", (CONFIGS / "README.md").read_text(encoding="utf-8"), re.M)
        self.assertTrue(rows)
        for name, time, folder in rows:
            run = read(ROOT / "results" / folder / "run.json")
            self.assertEqual(float(time), seconds(run), folder)
            self.assertEqual(read(CONFIGS / name).get("families"), run["config"].get("families"), name)

    def test_named_files_exist_and_recorded_configs_are_planned(self):
        recorded = set()
        for reader, text in texts().items():
            for name in re.findall(r"(?<![\w./-])(?:new/)?(configs/[\w./-]*\w)", text):
                self.assertTrue((ROOT / name).exists(), f"{reader}: {name}")
            recorded.update(re.findall(r"results/[\w-]+/run\.json", text))
        for row in re.findall(r"^\|.*`run\.json`.*", (ROOT / "docs/results/index.md").read_text(encoding="utf-8"), re.M):
            recorded.update(f"results/{folder}/run.json" for folder in re.findall(r"\(\.\./results/([\w-]+)\)", row))
        self.assertGreater(len(recorded), 20)
        for name in sorted(recorded):
            self.planned(ROOT / name)


if __name__ == "__main__":
    unittest.main(verbosity=2)
