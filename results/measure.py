#!/usr/bin/env python3
"""Measures what docs/results/index.md shows: all records of one family on one machine, by one command.

    results/measure.py MACHINE FAMILY [PROGRAM...]

MACHINE is the first part of the folders' names (h200, h100); FAMILY is one of the table below, or "all". Writes
results/MACHINE-PART for every part of the family. PROGRAM is ./gpuseq-bench unless given, and runs in the checkout. What a
folder has already is not measured again: a command that was cut off goes on where it stopped. Exit code: the worst of the
runs'.
"""

import json
import pathlib
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[1]

# By family: the name of each folder after the machine's, and its config.
PARTS = {
    "fm_index": [
        ("fm-index", "configs/fm-index-gpu.json"),
        ("fm-index-layouts", "configs/fm-index-layouts.json"),
        ("energy", "configs/paper/fm-index-energy.json"),
    ],
    "papara": [
        ("papara", "configs/papara-gpu.json"),
        ("papara-parts", "results/h200-papara-parts/run.json"),
        ("papara-16s", "configs/papara-16s.json"),
    ],
    "profile_hmm": [
        ("profile-hmm", "configs/profile-hmm-gpu.json"),
        ("profile-hmm-rows", "configs/paper/profile-hmm-rows.json"),
    ],
    "pairwise_distance": [
        ("pairwise-distance", "configs/pairwise-distance-gpu.json"),
        ("pairwise-distance-large", "results/h200-pairwise-distance-large/run.json"),
        ("pairwise-distance-paper", "configs/paper/pairwise-distance.json"),
    ],
    "exact_match": [
        ("exact-match", "configs/exact-match-gpu.json"),
        ("exact-match-paper", "configs/paper/exact-match.json"),
        ("exact-match-reads", "configs/exact-match-reads.json"),
    ],
    "peers": [("peers", "configs/external-tools.json")],
}

INTERRUPTED = 130


def measure(program, config, folder):
    """The exit code of a run of the config into the folder, or of one that goes on there. Paths are relative to the
    checkout: records name their config by them."""
    summary = ROOT / folder / "run.json"
    if summary.exists() and json.loads(summary.read_text(encoding="utf-8"))["complete"]:
        print(f"{folder}: has all records", flush=True)
        return 0
    place = ["--resume", folder] if summary.exists() else ["--output", folder]
    start = time.monotonic()
    command = [*program, "run", "--config", config, *place]
    code = subprocess.run(command, check=False, cwd=ROOT).returncode
    print(f"{folder}: {time.monotonic() - start:.0f} s, exit code {code}", flush=True)
    return code


def main():
    if len(sys.argv) < 3 or (sys.argv[2] != "all" and sys.argv[2] not in PARTS):
        print(f"{__doc__}\nfamilies: {', '.join(PARTS)}, all", file=sys.stderr)
        return 2
    machine, family, *program = sys.argv[1:]
    program = program or ["./gpuseq-bench"]
    worst = 0
    for name in list(PARTS) if family == "all" else [family]:
        for part, config in PARTS[name]:
            code = measure(program, config, f"results/{machine}-{part}")
            worst = max(worst, code)
            if code == INTERRUPTED:
                return worst
    return worst


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:  # the run below had it too, and keeps what it has
        sys.exit(INTERRUPTED)
