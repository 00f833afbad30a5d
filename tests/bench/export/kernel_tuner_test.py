"""Kernel Tuner reads the output of `report --export`: its own strategies search our spaces, without a GPU.

Usage: kernel_tuner_test.py PROGRAM ROOT [unittest arguments]; exits with 77 where Kernel Tuner is not installed
(requirements-tests.txt).
"""

import contextlib
import importlib.resources
import io
import json
import os
import pathlib
import random
import subprocess
import sys
import tempfile
import unittest

PROGRAM, ROOT = sys.argv[1], pathlib.Path(sys.argv[2])
VENV = ROOT / ".venv" / "bin" / "python3"  # where requirements-tests.txt is installed

try:
    import jsonschema
    import kernel_tuner
    import numpy
except ImportError as error:
    if VENV.exists() and pathlib.Path(sys.prefix) != ROOT / ".venv":
        os.execv(VENV, [str(VENV), "-B", *sys.argv])
    print(f"skipped: {error}; requirements-tests.txt is not installed")
    sys.exit(77)

del sys.argv[1:3]

# The requirements of the cache format 1.1.0 (its schema is in Kernel Tuner's repository, not in its package).
HEAD = {"schema_version": str, "device_name": str, "kernel_name": str, "problem_size": str, "tune_params_keys": list,
        "tune_params": dict, "objective": str, "cache": dict}
TIMES = ["compile_time", "verification_time", "benchmark_time", "strategy_time", "framework_time"]
FAILURES = {"InvalidConfig", "CompilationFailedConfig", "RuntimeFailedConfig"}


class Exported(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory(prefix="gpuseq_kernel_tuner_")
        cls.addClassCleanup(folder.cleanup)
        cls.folder = pathlib.Path(folder.name)
        subprocess.run([PROGRAM, "report", ROOT / "results" / "h200-papers" / "titan", "--export", cls.folder], check=True,
                       capture_output=True)
        cls.caches = {path: json.loads(path.read_text()) for path in sorted(cls.folder.glob("*.cache.json"))}
        cls.results = [json.loads(path.read_text()) for path in sorted(cls.folder.glob("*.t4.json"))]

    def test_each_space_has_a_cache_and_its_results(self):
        self.assertGreater(len(self.caches), 0)
        self.assertEqual(len(self.caches), len(self.results))
        for cache, results in zip(self.caches.values(), self.results):
            self.assertEqual(len(cache["cache"]), len(results["results"]))

    def test_results_are_as_the_schema_of_t4_has_them(self):
        schema = importlib.resources.files("kernel_tuner") / "schema" / "T4" / "1.0.0" / "results-schema.json"
        validator = jsonschema.Draft202012Validator(json.loads(schema.read_text()))
        for results in self.results:
            self.assertEqual([error.message for error in validator.iter_errors(results)], [])

    def test_caches_are_as_format_1_1_0_has_them(self):
        for cache in self.caches.values():
            for key, kind in HEAD.items():
                self.assertIsInstance(cache[key], kind, key)
            self.assertEqual(cache["schema_version"], "1.1.0")
            for name, entry in cache["cache"].items():
                self.assertEqual(name, ",".join(str(entry[key]) for key in cache["tune_params_keys"]))
                self.assertTrue(entry["time"] in FAILURES if isinstance(entry["time"], str) else entry["time"] > 0)
                for key in TIMES:
                    self.assertGreaterEqual(entry[key], 0)
                for key in cache["tune_params_keys"]:
                    self.assertIn(entry[key], cache["tune_params"][key])

    def test_its_strategies_search_the_largest_space(self):
        path, cache = max(self.caches.items(), key=lambda item: len(item[1]["cache"]))
        times = [entry["time"] for entry in cache["cache"].values() if not isinstance(entry["time"], str)]
        self.assertGreater(len(times), 20)
        keys = cache["tune_params_keys"]
        evaluations = len(times) // 2

        def in_space(p):  # Kernel Tuner takes lambdas apart, and functions as they are
            return ",".join(str(p[key]) for key in keys) in cache["cache"]

        for strategy in ("random_sample", "genetic_algorithm", "mls"):
            random.seed(1)  # unseeded, a genetic search may see none of the faster half
            numpy.random.seed(1)
            with self.subTest(strategy), contextlib.redirect_stdout(io.StringIO()):
                results, _ = kernel_tuner.tune_kernel(
                    cache["kernel_name"], "", cache["problem_size"], [], cache["tune_params"],
                    restrictions=in_space, strategy=strategy, strategy_options={"max_fevals": evaluations}, simulation_mode=True,
                    lang="C", cache=str(path), verbose=False)
                found = [result for result in results if isinstance(result["time"], float)]
                self.assertLessEqual(len({tuple(result[key] for key in keys) for result in results}), evaluations)
                for result in found:
                    self.assertEqual(result["time"], cache["cache"][",".join(str(result[key]) for key in keys)]["time"])
                # The best of half of the space is at least as good as the middle one.
                self.assertLess(min(result["time"] for result in found), sorted(times)[len(times) // 2])


if __name__ == "__main__":
    unittest.main()
