"""The rows that a machine leaves behind: the program validates them, prints their profile and predicts from them.

Usage: machine_rows_test.py PROGRAM ROOT
"""

import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(sys.argv.pop())
PROGRAM = sys.argv.pop()
sys.path.insert(0, str(ROOT / "reports"))

from gpuseq.reference.retire import write_rows

KERNELS, PROBES, ELSEWHERE = (ROOT / "results" / name for name in ("h200", "h200", "h100-first-look"))


class MachineRows(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        scratch = tempfile.TemporaryDirectory()
        cls.addClassCleanup(scratch.cleanup)
        cls.folder = pathlib.Path(scratch.name)
        cls.rows = cls.folder / "rows"
        write_rows([KERNELS], cls.rows)

    def run_program(self, *words):
        done = subprocess.run([PROGRAM, *words], capture_output=True, text=True, cwd=self.folder,
                              env={**os.environ, "GPUSEQ_ROOT": str(ROOT)}, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout

    def predicted(self, machine, run):
        """By problem and device, the rate that is predicted to be best."""
        output = self.folder / f"{machine.name}-{run.name}"
        self.run_program("tune", "papara", "--machine", machine, "--from", run, "--output", output)
        contests = json.loads((output / "predicted.json").read_text(encoding="utf-8"))["contests"]
        return {(contest["problem_label"], contest["device"]): contest["ranking"][0]["rate"] for contest in contests}

    def test_the_program_validates_them_and_prints_their_profile(self):
        self.assertIn(" valid records", self.run_program("validate", self.rows))
        text = self.run_program("machine", self.rows, "--output", self.folder / "profile")
        for word in ("NVIDIA H200", "executes", "host link"):
            self.assertIn(word, text)

    def test_the_best_rates_elsewhere_are_those_that_the_run_predicts(self):
        of_run, of_rows = (self.predicted(ELSEWHERE, run) for run in (KERNELS, self.rows))
        self.assertEqual(of_run.keys(), of_rows.keys())
        for contest, rate in of_run.items():
            self.assertGreater(of_rows[contest], 0.9 * rate, contest)
            self.assertLess(of_rows[contest], 1.1 * rate, contest)

    def test_their_machine_is_one_to_predict_for(self):
        of_probes, of_rows = (self.predicted(machine, KERNELS) for machine in (PROBES, self.rows))
        self.assertEqual(of_probes.keys(), of_rows.keys())
        for contest, rate in of_probes.items():
            # The rows have the probes of two hosts, whose processors differ more than their GPUs.
            delta = 0.02 if contest[1] == "cuda:0" else 0.25
            self.assertAlmostEqual(of_rows[contest] / rate, 1, delta=delta, msg=contest)


if __name__ == "__main__":
    unittest.main(verbosity=2)
