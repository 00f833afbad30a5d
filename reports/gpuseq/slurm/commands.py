"""The commands slurm, which submits and watches a run, and slurm-shard, which its jobs call."""

from __future__ import annotations

import argparse
import os
import re
import sys
from pathlib import Path

from gpuseq.errors import UsageError
from gpuseq.print_options import source_root
from gpuseq.runs import new_folder
from gpuseq.slurm.node import run_shard
from gpuseq.slurm.plan import FILE, ClusterRun
from gpuseq.slurm.watch import watch
from gpuseq.text import say

_MOST_NODES = 1_000_000  # as --shard


def add_slurm(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--nodes", type=int, default=0)
    for name in ("--partition", "--gres", "--time"):
        parser.add_argument(name, default="")
    parser.add_argument("--sbatch", action="append", default=[])
    parser.add_argument("--every", type=float, default=15)
    parser.add_argument("-o", "--output", "--out", type=Path)
    parser.add_argument("--resume", type=Path)
    parser.add_argument("words", nargs="*")


def run_slurm(given: argparse.Namespace) -> int:
    if given.resume:
        return watch(ClusterRun.read(given.resume.resolve()), resumed=True)
    run = _begun(given)
    try:
        job = run.submit(dict.fromkeys(range(1, run.nodes + 1), 0))
    except UsageError:
        for file in (run.folder / "job.sh", run.folder / FILE):
            file.unlink(missing_ok=True)
        run.folder.rmdir()
        raise
    say(f"job {job}: {run.nodes} shards in {run.folder}", sys.stderr)
    return watch(run, resumed=False)


def _begun(given: argparse.Namespace) -> ClusterRun:
    """The run with its folder, which is new."""
    if not 1 <= given.nodes <= _MOST_NODES:
        raise UsageError(f"slurm --nodes: found {given.nodes}; allowed: 1 to {_MOST_NODES}")
    program = os.environ.get("GPUSEQ_PROGRAM")
    if not program:
        raise UsageError("GPUSEQ_PROGRAM names no measuring program; start this as: gpuseq-bench slurm")
    folder: Path = given.output or new_folder("slurm")
    folder = folder.resolve()
    if re.search(r"[%\\,\s]", str(folder)):  # sbatch replaces %a and the like in names of files
        raise UsageError(f"slurm --output: found {folder}; allowed: a path without %, backslash, comma and spaces")
    folder.mkdir(parents=True, exist_ok=True)
    if any(folder.iterdir()):
        raise UsageError(f"{folder} is not empty; go on with a run by --resume, or name another folder by --output")
    options = [f"--{name}={value}" for name in ("partition", "gres", "time") if (value := getattr(given, name))]
    return ClusterRun(folder, program, str(source_root()), os.getcwd(), given.words, given.nodes,
                      options + given.sbatch, given.every)  # fmt: skip


def add_slurm_shard(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("folder", type=Path)
    parser.add_argument("shard", type=int)


def run_slurm_shard(given: argparse.Namespace) -> int:
    return run_shard(given.folder, given.shard)


COMMANDS = {"slurm": (add_slurm, run_slurm), "slurm-shard": (add_slurm_shard, run_slurm_shard)}
