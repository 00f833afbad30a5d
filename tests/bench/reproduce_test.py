"""`reproduce` measures the data of a figure, and no more, and draws it over a record that is there.

Usage: reproduce_test.py PROGRAM ROOT
"""

import csv
import json
import pathlib
import subprocess
import sys
import tempfile
import time
import unittest

ROOT = pathlib.Path(sys.argv.pop())
PROGRAM = sys.argv.pop()

CONFIG = {
    "name": "small", "devices": "cpu", "energy": "winners",
    "sampling": {"min_samples": 2, "max_samples": 2, "max_seconds": 0.01},
    "probes": {"latency": {"footprint_bytes": {"from": 65536, "to": 131072, "per_octave": 1}}},
    "families": {
        "fm_index": {"problems": [{"reference": "synthetic", "reference_bases": [20000, 40000], "query_count": 1000}],
                     "variants": {"scalar": {"k": [1, 2], "threads": 1}, "prefetch": {"threads": 1}}},
        "pairwise_distance": {"problems": [{"instance_count": 16, "attribute_count": 64}], "variants": {"bytes": {}}},
    },
    "tune": {"remeasure": 1, "rounds": 1},
}
OVER = ROOT / "results" / "x86-cpu"


class Reproduce(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="gpuseq_reproduce_")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        (self.folder / "small.json").write_text(json.dumps(CONFIG))

    def program(self, *arguments):
        return subprocess.run([PROGRAM, "reproduce", *arguments], cwd=self.folder, capture_output=True, text=True)

    def reproduced(self, figure, *more):
        done = self.program(figure, "--config", "small.json", "--output", "out", *more)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        lines = (self.folder / "out/run/records.jsonl").read_text().splitlines()
        records = [json.loads(line) for line in lines if '"state"' in line]
        plot = self.folder / "out/plots" / (figure.replace("/", "-") + ".vl.json")
        return [r["state"] for r in records], json.loads(plot.read_text())

    def test_runs_only_the_states_of_the_figure_and_draws_them_over_the_committed_ones(self):
        states, plot = self.reproduced("fm-index/fig8", "--over", OVER)
        self.assertTrue(states)
        for state in states:
            self.assertRegex(state, "^fm_index/.*/k=1,")
        panels = plot.get("concat", [plot])
        behind = [[row.get("behind", False) for row in panel["data"]["values"]] for panel in panels]
        # Queries of both have 100 bases; where prefix tables differ panels do, and each is alone.
        self.assertIn(False, [mark for panel in behind for mark in panel])
        self.assertIn("run reproduce-fm-index-fig8", " ".join(plot["title"]["subtitle"]))

    def test_lays_a_run_over_itself(self):
        self.reproduced("fm-index/fig8", "--over", OVER)
        first = self.folder / "first"
        (self.folder / "out").rename(first)
        _, plot = self.reproduced("fm-index/fig8", "--over", first / "run", "--format", "csv")
        for panel in plot.get("concat", [plot]):
            marks = [(row["series"], row["x"]) for row in panel["data"]["values"] if not row.get("behind")]
            under = [(row["series"], row["x"]) for row in panel["data"]["values"] if row.get("behind")]
            self.assertTrue(marks)
            self.assertEqual(sorted(marks), sorted(under))
        with (self.folder / "out/plots/fm-index-fig8.csv").open() as file:
            sides = [row["side"] for row in csv.DictReader(file)]
        before = [side for side in sides if side.endswith("run reproduce-fm-index-fig8, before")]
        self.assertEqual(2 * len(before), len(sides), sides)

    def test_runs_no_kernel_for_a_figure_of_probes(self):
        states, _ = self.reproduced("latency", "--over", ROOT / "tests/data/runs/zen5-machine")
        self.assertTrue(all(state.startswith("latency/") for state in states), states)

    def test_says_what_is_missing_where_nothing_of_a_figure_can_be_measured(self):
        for figure, missing in (("probes/transfer", "transfer: left out, it needs a cuda device"),
                                ("papara/ladder", "papara/blocked_shared: left out, it needs a cuda device")):
            done = self.program(figure, "--device", "cpu")
            self.assertEqual(done.returncode, 2, done.stderr)
            self.assertIn(missing, done.stderr)
            self.assertIn(f"reproduce {figure}: nothing that it draws can be measured here", done.stderr)
            self.assertIn("results/h200", done.stderr)

    def test_says_what_can_be_reproduced_and_what_cannot(self):
        listed = self.program("list")
        self.assertEqual(listed.returncode, 0)
        self.assertIn("fm-index/fig8", listed.stdout)
        self.assertEqual(self.program("suite/same_states").returncode, 2)
        nowhere = self.program("fm-index/fig8", "--over", "nowhere")
        self.assertEqual(nowhere.returncode, 2)
        self.assertIn("--over", nowhere.stderr)

    def test_prints_its_plan_and_obeys_the_budget(self):
        start = time.monotonic()
        done = self.program("fm-index/fig8", "--config", "small.json", "--over", OVER, "--output", "out", "--budget", "20")
        self.assertLess(time.monotonic() - start, 60)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertRegex(done.stderr, r"plan: \d+ cases, about .* on a quiet machine, at most .* on a busy one")
        budget = json.loads((self.folder / "out/run/run.json").read_text())["budget"]
        self.assertLess(budget["seconds"], 20)

    def test_reads_the_config_of_a_run_and_passes_flags_on(self):
        states, _ = self.reproduced("fm-index/fig8", "--over", OVER, "--set", "families.fm_index.variants.prefetch=null",
                                    "--benchmark_repetitions=1")
        self.assertTrue(all(state.startswith("fm_index/scalar/") for state in states), states)
        done = self.program("fm-index/fig8", "--config", "out/run/run.json", "--over", OVER, "--output", "again")
        self.assertEqual(done.returncode, 0, done.stderr)


if __name__ == "__main__":
    unittest.main()
