"""`reproduce` measures what a figure draws, and no more, and draws it over a record that is there.

Usage: reproduce_test.py PROGRAM ROOT
"""

import copy
import json
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(sys.argv.pop())
PROGRAM = sys.argv.pop()
sys.path.insert(0, str(ROOT / "reports"))
from gpuseq.charts.values import HeatMap  # noqa: E402
from gpuseq.drawing import NotDrawn  # noqa: E402
from gpuseq.figures import drawn, figures, find_figures  # noqa: E402
from gpuseq.published import Published  # noqa: E402
from gpuseq.runs import load_runs  # noqa: E402

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
OVER = ROOT / "results" / "zen4"


def marks_of(figure, report):
    """The number of marks by panel and series."""
    chart = drawn(figure, report, Published())
    marks = {}
    for panel in chart.panels:
        for mark in panel.cells if isinstance(chart, HeatMap) else panel.marks:
            key = (panel.title, "" if isinstance(chart, HeatMap) else mark.series)
            marks[key] = marks.get(key, 0) + 1
    return marks


class Rows(unittest.TestCase):
    """The table of `reproduce list`."""

    @classmethod
    def setUpClass(cls):
        done = subprocess.run([PROGRAM, "reproduce", "list", "--json"], check=True, capture_output=True, text=True)
        cls.rows = json.loads(done.stdout)

    def test_there_is_one_for_each_figure_that_one_run_draws(self):
        names = [figure.name for figure in figures() if figure.name != "suite/same_states"]
        self.assertCountEqual([row["figure"] for row in self.rows], names)

    def test_each_takes_all_of_the_committed_record_that_its_figure_draws(self):
        def takes(row, record):
            if record.kind == "probe":
                return row["bounds"] or record.family in row["probes"]
            return record.family in row["families"] and re.search(row["states"], record.data["state"])

        runs = {}
        for row in self.rows:
            with self.subTest(row["figure"]):
                figure = find_figures([row["figure"]])[0]
                if row["run"] not in runs:
                    runs[row["run"]] = load_runs([ROOT / "results" / row["run"]])
                kept = copy.copy(runs[row["run"]])
                whole = marks_of(figure, kept)
                kept.records = [record for record in kept.records if takes(row, record)]
                for index, record in enumerate(kept.records):
                    record.index = index
                try:
                    self.assertEqual(marks_of(figure, kept), whole)
                except NotDrawn as reason:
                    self.fail(f"{row['figure']}: {reason}")
                for index, record in enumerate(runs[row["run"]].records):
                    record.index = index


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
        # Queries of both have 100 bases; where prefix tables differ panels do, and each stands alone.
        self.assertIn(False, [mark for panel in behind for mark in panel])
        self.assertIn("run reproduce-fm-index-fig8", " ".join(plot["title"]["subtitle"]))

    def test_lays_a_run_over_itself(self):
        self.reproduced("fm-index/fig8", "--over", OVER)
        first = self.folder / "first"
        (self.folder / "out").rename(first)
        _, plot = self.reproduced("fm-index/fig8", "--over", first / "run")
        for panel in plot.get("concat", [plot]):
            marks = [(row["series"], row["x"]) for row in panel["data"]["values"] if not row.get("behind")]
            under = [(row["series"], row["x"]) for row in panel["data"]["values"] if row.get("behind")]
            self.assertTrue(marks)
            self.assertEqual(sorted(marks), sorted(under))

    def test_runs_no_kernel_for_a_figure_of_probes(self):
        states, _ = self.reproduced("latency", "--over", ROOT / "results" / "zen5-machine")
        self.assertTrue(all(state.startswith("latency/") for state in states), states)

    def test_says_what_is_missing_where_nothing_of_a_figure_can_be_measured(self):
        for figure, missing in (("probes/transfer", "transfer: left out, it needs a cuda device"),
                                ("papara/ladder", "papara/blocked_shared: left out, it needs a cuda device")):
            done = self.program(figure, "--device", "cpu")
            self.assertEqual(done.returncode, 2, done.stderr)
            self.assertIn(missing, done.stderr)
            self.assertIn(f"reproduce {figure}: nothing that it draws can be measured here", done.stderr)
            self.assertIn("results/h200-", done.stderr)

    def test_says_what_can_be_reproduced_and_what_cannot(self):
        listed = self.program("list")
        self.assertEqual(listed.returncode, 0)
        self.assertIn("fm-index/fig8", listed.stdout)
        self.assertEqual(self.program("suite/same_states").returncode, 2)
        nowhere = self.program("fm-index/fig8", "--over", "nowhere")
        self.assertEqual(nowhere.returncode, 2)
        self.assertIn("--over", nowhere.stderr)


if __name__ == "__main__":
    unittest.main()
