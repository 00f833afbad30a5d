"""Slurm's sbatch and squeue. Accounting (sacct) is not needed: many clusters have none."""

from __future__ import annotations

import subprocess
from collections.abc import Sequence
from dataclasses import dataclass

from gpuseq.errors import UsageError
from gpuseq.text import printable

# States of a job that Slurm still has work with. All others are ends.
_ACTIVE = {"CONFIGURING", "COMPLETING", "PENDING", "REQUEUED", "REQUEUE_FED", "REQUEUE_HOLD", "RESIZING", "RESV_DEL_HOLD",
           "RUNNING", "SIGNALING", "SPECIAL_EXIT", "STAGE_OUT", "STOPPED", "SUSPENDED"}  # fmt: skip
_TIMEOUT_S = 120


@dataclass(frozen=True)
class Task:
    """One job of an array."""

    state: str  # Slurm's word
    node: str = ""
    reason: str = ""  # why it waits or ended

    @property
    def active(self) -> bool:
        return self.state in _ACTIVE


GONE = Task("GONE")  # Slurm forgets a job some minutes after its end


def submit(words: Sequence[str]) -> str:
    """Submits a job and returns its number. Raises UsageError with Slurm's words."""
    done = _call(["sbatch", "--parsable", *words])
    if done.returncode:
        raise UsageError(f"sbatch: {_said(done)}")
    return done.stdout.strip().partition(";")[0]


def tasks_of(jobs: Sequence[str]) -> dict[tuple[str, int], Task] | str:
    """The jobs of arrays that Slurm has not forgotten, or its words where it does not answer."""
    found: dict[tuple[str, int], Task] = {}
    for job in jobs:
        done = _call(["squeue", "--noheader", "--array", "--states=all", "--format=%F|%K|%T|%N|%r", f"--jobs={job}"])
        if done.returncode and "Invalid job id" not in done.stderr:
            return f"squeue: {_said(done)}"
        for line in done.stdout.splitlines():
            array, index, state, node, reason = line.strip().split("|", 4)
            if index.isdigit():
                found[array, int(index)] = Task(state, node, "" if reason == "None" else printable(reason))
    return found


def _call(command: list[str]) -> subprocess.CompletedProcess[str]:
    try:
        return subprocess.run(command, capture_output=True, text=True, errors="replace", check=False,
                              stdin=subprocess.DEVNULL, timeout=_TIMEOUT_S)  # fmt: skip
    except FileNotFoundError:
        raise UsageError(f"slurm: {command[0]} is not here; allowed: a machine that submits jobs to Slurm") from None
    except subprocess.TimeoutExpired:
        return subprocess.CompletedProcess(command, 1, "", f"no answer in {_TIMEOUT_S} s")


def _said(done: subprocess.CompletedProcess[str]) -> str:
    lines = [line.strip() for line in done.stderr.splitlines() if line.strip()]
    return printable("; ".join(lines)) or f"ended with {done.returncode}"
