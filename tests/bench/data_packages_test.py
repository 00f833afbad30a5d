"""The launcher asks for the packages of data that a command reads, and for no others.

Usage: data_packages_test.py ROOT
"""

import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(sys.argv.pop())

CONFIG = {
    "name": "c",
    "data": {name: {"path": f"/gone/{name}.fa", "package": f"of-{name}"} for name in ("genome", "reads", "other")},
    "families": {
        "fm_index": {"problems": [{"reference": "genome", "queries": ["sampled", "reads"]}], "variants": {"scalar": {}, "tool": {}}},
        "papara": {"problems": [{}], "variants": {"blocked": {}}},
    },
    "tools": {"tools": {"tool": {"command": ["gpuseq-no-such-tool"], "package": "of-tool"}}},
}


class DataPackages(unittest.TestCase):
    def packages(self, *arguments, config=CONFIG):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "c.json"
            path.write_text(json.dumps(config))
            done = subprocess.run([sys.executable, "-B", ROOT / "cmake/data_packages.py", *arguments, path],
                                  capture_output=True, text=True, check=True)
        return done.stdout.split()

    def test_of_a_run_are_those_of_the_config(self):
        self.assertEqual(self.packages(), ["of-genome", "of-other", "of-reads", "of-tool"])

    def test_of_a_recorded_run_are_those_of_its_config(self):
        self.assertEqual(self.packages(config={"schema": 1, "config": CONFIG}), ["of-genome", "of-other", "of-reads", "of-tool"])

    def test_of_a_search_are_those_that_the_problems_of_its_family_name(self):
        self.assertEqual(self.packages("--family", "fm_index"), ["of-genome", "of-reads"])
        self.assertEqual(self.packages("--family", "papara"), [])
        self.assertEqual(self.packages("--scripts", "--family", "fm_index"), [])

    def test_data_that_a_file_of_the_user_replaces_are_not_needed(self):
        self.assertEqual(self.packages("--role", "reference"), ["of-other", "of-reads", "of-tool"])
        self.assertEqual(self.packages("--family", "fm_index", "--role", "reference", "--role", "queries"), [])


if __name__ == "__main__":
    unittest.main(verbosity=2)
