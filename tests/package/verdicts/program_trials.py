"""Gates a program against itself, and prints how often a side was called slower or faster. It measures, so it is no test.

Usage: program_trials.py [TRIALS [SLOWDOWN]]; the new side takes 1 + SLOWDOWN times as long, default 0
"""

from __future__ import annotations

import collections
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
BUSY = "python3 -S -c 'import time; end = time.perf_counter() + {seconds}\nwhile time.perf_counter() < end: pass'"


def main() -> int:
    trials, slowdown = int((*sys.argv[1:], "40")[0]), float((*sys.argv[2:], "0")[0])
    commands = [f"--command={BUSY.format(seconds=seconds)}" for seconds in (0.02, 0.02 * (1 + slowdown))]
    found: collections.Counter[str] = collections.Counter()
    processes = 0
    for _ in range(trials):
        with tempfile.TemporaryDirectory() as folder:
            words = ["gate", *commands, f"--output={folder}/gate", "--budget=10", "--json=-"]
            ended = subprocess.run([sys.executable, "-m", "gpuseq", *words], stdout=subprocess.PIPE, check=False, text=True,
                                   stderr=subprocess.DEVNULL, env=os.environ | {"PYTHONPATH": str(ROOT / "reports")})  # fmt: skip
        (case,) = json.loads(ended.stdout)["states"]
        found[case["verdict"]] += 1
        processes += case["base"]["values"] + case["new"]["values"]
    verdicts = ", ".join(f"{count} {verdict}" for verdict, count in found.most_common())
    print(f"{trials} gates: {verdicts}; {processes / trials:.0f} processes each on average")
    return 0


if __name__ == "__main__":
    sys.exit(main())
