"""A run on a machine whose steady clock moves in steps, or goes back, leaves records that every command reads.

Usage: stepped_clock_test.py PROGRAM C_COMPILER
"""

import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

COMPILER = sys.argv.pop()
PROGRAM = str(pathlib.Path(sys.argv.pop()).resolve())

# Lies between the program and the C library: GPUSEQ_STEP_NS rounds the clock down, GPUSEQ_BACK_NS sets each
# 1000th reading back.
CLOCK = r"""
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>
#include <time.h>
int clock_gettime(clockid_t id, struct timespec* t) {
  static int (*real)(clockid_t, struct timespec*);
  static long long step = -1, back;
  static unsigned readings;
  if (step < 0) {
    real = (int (*)(clockid_t, struct timespec*))dlsym(RTLD_NEXT, "clock_gettime");
    back = atoll(getenv("GPUSEQ_BACK_NS"));
    step = atoll(getenv("GPUSEQ_STEP_NS"));
  }
  const int code = real(id, t);
  if (code != 0 || id != CLOCK_MONOTONIC) return code;
  long long ns = t->tv_sec * 1000000000LL + t->tv_nsec;
  ns -= ns % step;
  if (back > 0 && __atomic_add_fetch(&readings, 1, __ATOMIC_RELAXED) % 1000 == 0) ns -= back;
  t->tv_sec = ns / 1000000000LL;
  t->tv_nsec = ns % 1000000000LL;
  return 0;
}
"""
CONFIG = {
    "name": "clock", "devices": "cpu", "probe_budget_s": 0,
    "sampling": {"min_samples": 3, "max_samples": 5, "max_seconds": 0.3},
    "probes": {"latency": {"footprint_bytes": 65536}},
    "families": {
        "fm_index": {"problems": [{"reference_bases": 20000, "query_count": 500, "query_bases": 30}], "variants": {"scalar": {}}},
        "pairwise_distance": {"problems": [{"instance_count": 16, "attribute_count": 64}], "variants": {"bytes": {}}}},
    "tune": {"remeasure": 0},
}


class SteppedClock(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory(prefix="gpuseq_clock_")
        cls.addClassCleanup(folder.cleanup)
        cls.folder = pathlib.Path(folder.name)
        (cls.folder / "clock.c").write_text(CLOCK)
        subprocess.run([COMPILER, "-O1", "-shared", "-fPIC", "-o", "clock.so", "clock.c", "-ldl"], cwd=cls.folder, check=True)
        (cls.folder / "config.json").write_text(json.dumps(CONFIG))

    def program(self, *arguments, step_ns, back_ns=0):
        environment = {**os.environ, "LD_PRELOAD": str(self.folder / "clock.so"), "GPUSEQ_STEP_NS": str(step_ns),
                       "GPUSEQ_BACK_NS": str(back_ns), "XDG_CACHE_HOME": str(self.folder / "cache")}
        done = subprocess.run([PROGRAM, *map(str, arguments)], cwd=self.folder, env=environment, capture_output=True, text=True,
                              stdin=subprocess.DEVNULL, timeout=200)
        return done.returncode, done.stdout + done.stderr

    def check(self, name, **clock):
        run = self.folder / name
        code, said = self.program("run", "--config", "config.json", "--output", run, **clock)
        self.assertIn(code, (0, 1), said)
        self.assertNotRegex(said, r"\b(inf|nan)\b")
        for arguments in (["validate", run], ["report", run], ["compare", run, run], ["run", "--resume", run, "--no-report"]):
            code, said = self.program(*arguments, **clock)
            self.assertIn(code, (0, 1, 3) if arguments[0] in ("compare", "run") else (0,), said)
        lines = (run / "records.jsonl").read_text().splitlines()
        records = [json.loads(line) for line in lines if '"state"' in line]
        self.assertEqual({record["family"] for record in records}, {"latency", "fm_index", "pairwise_distance"})
        for record in records:
            if record["status"] != "ok":
                self.assertEqual(record["failure"]["kind"], "clock", record["failure"])
            else:
                self.assertGreater(min(record["samples_s"]), 0)
        return {record["status"] for record in records}

    def test_of_a_tenth_of_a_millisecond_measures_everything(self):
        self.assertEqual(self.check("tenth", step_ns=100_000), {"ok"})

    def test_of_a_timer_tick_measures_everything(self):
        self.assertEqual(self.check("tick", step_ns=15_600_000), {"ok"})

    def test_that_goes_back_leaves_records_that_are_read(self):
        self.check("back", step_ns=1, back_ns=50_000_000)


if __name__ == "__main__":
    unittest.main(verbosity=2)
