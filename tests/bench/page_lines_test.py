"""The lines that a page has for its winners work as described: `exec` runs on other files, and the filter of the other
line takes one state out of the run's config.

Usage: page_lines_test.py PROGRAM
"""

import html
import json
import pathlib
import random
import re
import shlex
import subprocess
import sys
import tempfile
import unittest

PROGRAM = sys.argv.pop(1)

CONFIG = {
    "name": "lines", "devices": "cpu", "probe_budget_s": 0,
    "sampling": {"min_samples": 2, "max_samples": 2, "max_seconds": 0.01},
    "probes": {"random_access": {"footprint_bytes": {"from": 65536, "to": 8388608, "per_octave": 1},
                                 "cpu": {"block_bytes": 64, "threads": 1}}},
    "families": {
        "fm_index": {"problems": [{"reference": "random", "reference_bases": 20000, "query_count": 100, "query_bases": 30}],
                     "variants": {"scalar": {"threads": 1}, "prefetch": {"k": [1, 2], "threads": 1}}},
        "exact_match": {"problems": [{"reference": "random", "reference_bases": 20000, "query_count": 50, "query_bases": 60,
                                      "min_length": 15, "both_strands": "yes"}],
                        "variants": {"tree": {"threads": 1}}},
        "pairwise_distance": {"problems": [{"instance_count": 16, "attribute_count": 64}], "variants": {"bytes": {}}},
    },
    "tune": {"remeasure": 1, "rounds": 1},
}


def fasta(random_source, sequences, bases):
    letters = lambda: "".join(random_source.choices("ACGT", k=bases))
    return "".join(f">s{i}\n{letters()}\n" for i in range(sequences))


class Lines(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory(prefix="gpuseq_lines_")
        cls.addClassCleanup(folder.cleanup)
        cls.folder = pathlib.Path(folder.name)
        (cls.folder / "my config.json").write_text(json.dumps({**CONFIG, "output": "never"}))
        source = random.Random(1)
        (cls.folder / "REFERENCE").write_text(fasta(source, 1, 5000))
        (cls.folder / "QUERIES").write_text(fasta(source, 3, 40))
        (cls.folder / "INSTANCES").write_text("name,a,b,c\nx,0,1,0\ny,1,1,0\nz,0,0,1\n")
        cls.program("run", "--config", "my config.json", "--set", 'output="there"', "--set", "seed=7")
        page = (cls.folder / "there" / "report.html").read_text()
        found = re.findall(r'<pre class="copyable"[^>]*><code>(.*?)</code></pre>', page, re.S)
        cls.lines = [shlex.split(html.unescape(line)) for line in found if line.startswith("gpuseq-bench ")]

    @classmethod
    def program(cls, *arguments):
        done = subprocess.run([PROGRAM, *arguments], cwd=cls.folder, capture_output=True, text=True)
        if done.returncode != 0:
            raise AssertionError(f"{arguments}: {done.stdout}{done.stderr}")
        return done.stdout

    def lines_of(self, command):
        lines = [line[1:] for line in self.lines if line[1] == command]
        self.assertEqual(len(lines), len(CONFIG["families"]))
        return lines

    def test_exec_runs_on_other_files(self):
        for line in self.lines_of("exec"):
            with self.subTest(line[1]):
                self.program(*line)
                self.assertTrue((self.folder / "ANSWERS").stat().st_size)
                (self.folder / "ANSWERS").unlink()

    def test_exec_takes_the_options_that_the_problem_set(self):
        line = next(line for line in self.lines_of("exec") if line[1] == "exact_match")
        self.assertIn("--both-strands", line)
        self.assertEqual(line[line.index("--min-length") + 1], "15")

    def test_the_run_says_what_they_are_made_of_and_which_levels_its_probes_show(self):
        summary = json.loads((self.folder / "there" / "run.json").read_text())
        self.assertEqual(summary["invocation"]["overrides"], ['output="there"', "seed=7"])
        self.assertEqual(list(summary["levels"]), ["cpu"])
        for level in summary["levels"]["cpu"]:
            self.assertLessEqual({"name", "measured_bytes", "low_bytes", "high_bytes", "uncertain"}, set(level))
        page = (self.folder / "there" / "report.html").read_text()
        self.assertEqual(page.count('<figure id="device-'), 1)

    def test_the_other_line_measures_one_state_again(self):
        winners = json.loads((self.folder / "there" / "run.json").read_text())["tuned"]
        for line in self.lines_of("--config"):
            self.assertEqual(json.loads((self.folder / line[1]).read_text())["config"]["seed"], 7)
            self.assertEqual(line[2:4], ["--output", "runs/lines-again"])
            states = self.program(*line, "--benchmark_list_tests").split()
            self.assertEqual(len(states), 1, states)
            family, variant = states[0].split("/")[:2]
            self.assertIn((family, variant), [(winner["family"], winner["variant"]) for winner in winners])
        self.assertEqual(len({tuple(line) for line in self.lines_of("--config")}), len(winners))

    def test_of_a_search_it_measures_one_state_of_the_whole_space(self):
        self.program("tune", "pairwise_distance", "--config", "my config.json", "--evaluations", "2", "--device", "cpu",
                     "--variants", "bit_planes", "--set", "tune.remeasure=0", "--output", "searched")
        page = (self.folder / "searched" / "report.html").read_text()
        found = re.findall(r'<pre class="copyable"[^>]*><code>(.*?)</code></pre>', page, re.S)
        lines = [shlex.split(html.unescape(line)) for line in found]
        line = next(line[1:] for line in lines if line[:2] == ["gpuseq-bench", "tune"])
        winner = json.loads((self.folder / "searched" / "run.json").read_text())["tuned"][0]
        states = self.program(*line, "--benchmark_list_tests").split()
        self.assertEqual(len(states), 1, states)
        self.assertTrue(states[0].startswith("pairwise_distance/" + winner["variant"] + "/"), states)


if __name__ == "__main__":
    unittest.main(verbosity=2)
