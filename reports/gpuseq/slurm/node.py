"""One shard on its node: measures in a local folder and publishes copies to the shared one.

The shared folder may be slow: the program, which flushes its journal, never waits for it.
"""

from __future__ import annotations

import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from dataclasses import replace
from pathlib import Path

from gpuseq.runs import number_at, read_json
from gpuseq.slurm.attempts import JOURNAL, RUN, STATUS, Attempt, best_attempt, copy_renamed, local_folder, shard_folder
from gpuseq.slurm.plan import ClusterRun
from gpuseq.text import say

_SHARE = 0.05  # of the time, at most, is spent on copies
_LAST_TRIES = 10  # to publish the end of an attempt


class _Publisher:
    """Publishes a local run folder as an attempt."""

    def __init__(self, local: Path, attempt: Attempt) -> None:
        self._local, self.attempt = local, attempt
        self._published: dict[str, tuple[int, int]] = {}
        self._said = ""

    def publish(self, exit_code: int | None = None) -> bool:
        """Copies the changed files. Returns whether the shared folder took it, and prints why not."""
        try:
            self._publish(exit_code)
        except OSError as error:
            why = f"{error.filename or self.attempt.folder}: {error.strerror}"
            if why != self._said:
                say(f"cannot publish to the shared folder yet: {why}", sys.stderr)
            self._said = why
            return False
        self._said = ""
        return True

    def _publish(self, exit_code: int | None) -> None:
        self.attempt.folder.mkdir(parents=True, exist_ok=True)
        # run.json, which reports the end, comes last.
        files = sorted(
            (file for file in self._local.glob("[!.]*") if file.is_file()), key=lambda file: file.name == RUN
        )
        for file in files:
            state = (file.stat().st_size, file.stat().st_mtime_ns)
            if self._published.get(file.name) == state:
                continue
            copy_renamed(file, self.attempt.folder / file.name)
            self._published[file.name] = state
        journal, run = self.attempt.folder / JOURNAL, self.attempt.folder / RUN
        self.attempt = replace(self.attempt, records=records_in(journal), exit_code=exit_code,
                               complete=run.exists() and read_json(run).get("complete") is True)  # fmt: skip
        self.attempt.write_status()


def records_in(journal: Path) -> int:
    """The whole records of a journal; its other lines are provenances."""
    if not journal.exists():
        return 0
    with journal.open("rb") as lines:
        return sum(1 for line in lines if b'"state"' in line and line.endswith(b"\n"))


def run_shard(folder: Path, shard: int) -> int:
    """Begins or continues a shard. Returns the exit code of the program."""
    run = ClusterRun.read(folder)
    best = best_attempt(folder, shard)
    if best and best.complete:
        return 0
    host = os.environ.get("SLURMD_NODENAME") or socket.gethostname()
    name = f"{os.environ.get('SLURM_ARRAY_JOB_ID', '0')}-{os.environ.get('SLURM_RESTART_COUNT', '0')}"
    part = f"{shard}/{run.nodes}"
    scratch = Path(tempfile.mkdtemp(prefix=f"gpuseq-shard-{shard}-", dir=local_folder()))
    local = scratch / "run"
    try:
        planned = _planned(run, part)
        if best:
            shutil.copytree(best.folder, local, ignore=shutil.ignore_patterns(STATUS, ".*"))
            say(f"shard {part} continues after {best.records} records of {best.host}", sys.stderr)
            words = ["--resume", str(local), "--on-other-devices"]
        else:
            words = ["--shard", part, "--output", str(local), *run.words]
        attempt = Attempt(shard_folder(folder, shard) / name, planned=planned, host=host)
        publisher = _Publisher(local, attempt)
        code = _measure([run.program, "run", "--no-report", *words], run, publisher)
        if not _publish_end(publisher, code, run.every_s):
            say(f"the records of shard {part} are in {local} on {host}", sys.stderr)
            return code or 1
    except OSError as error:
        say(f"shard {part} on {host}: {error.filename}: {error.strerror}", sys.stderr)
        return 1
    shutil.rmtree(scratch, ignore_errors=True)
    return code


def _planned(run: ClusterRun, part: str) -> int:
    """The number of cases of a shard. The run itself prints why where there is none."""
    done = subprocess.run([run.program, "plan", "--json", "--shard", part, *run.words], stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=False)  # fmt: skip
    return 0 if done.returncode else int(number_at(json.loads(done.stdout), "states") or 0)


def _measure(command: list[str], run: ClusterRun, publisher: _Publisher) -> int:
    """Runs the program to its end, which SIGTERM brings about early, and publishes its records meanwhile."""
    child = subprocess.Popen(command, stdin=subprocess.DEVNULL)
    signal.signal(signal.SIGTERM, lambda _signal, _frame: child.terminate())
    wait_s = run.every_s
    while True:
        try:
            code = child.wait(wait_s)
            return code if code >= 0 else 128 - code
        except subprocess.TimeoutExpired:
            begun = time.monotonic()
            publisher.publish()
            wait_s = max(run.every_s, (time.monotonic() - begun) / _SHARE)


def _publish_end(publisher: _Publisher, code: int, every_s: float) -> bool:
    for _ in range(_LAST_TRIES):
        if publisher.publish(code):
            return True
        time.sleep(every_s)
    return False
