"""Watches the shards of a cluster run: prints their progress, submits lost ones again, and merges them."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

from gpuseq.slurm.attempts import RUN, Attempt, attempts_of, best_attempt, local_folder, log_of, write_renamed
from gpuseq.slurm.plan import ClusterRun
from gpuseq.slurm.queue import GONE, Task, tasks_of
from gpuseq.text import plural, printable, say

FINE, FAILED, INTERRUPTED = 0, 1, 130
_WRONG_USE = 2
_MOST_FRUITLESS = 3  # attempts in a row without a new record
_LOG_LINES, _LOG_BYTES = 3, 4096


def watch(run: ClusterRun, resumed: bool) -> int:
    """Until all shards have ended. Returns an exit code."""
    watcher = _Watcher(run)
    if resumed:
        watcher.submit_ended()
    try:
        while not watcher.look():
            time.sleep(run.every_s)
    except KeyboardInterrupt:
        jobs = " ".join(one.job for one in run.submitted)
        say(
            f"the jobs continue; watch them: gpuseq-bench slurm --resume {run.folder}; end them: scancel {jobs}",
            sys.stderr,
        )
        return INTERRUPTED
    if not watcher.failed:
        return merge(run)
    for shard, why in sorted(watcher.failed.items()):
        say(f"shard {shard} of {run.nodes}: {why}", sys.stderr)
    say(f"go on with: gpuseq-bench slurm --resume {run.folder}", sys.stderr)
    return FAILED


class _Watcher:
    def __init__(self, run: ClusterRun) -> None:
        self._run = run
        self.failed: dict[int, str] = {}  # shards that are not submitted again
        self._fruitless: Counter[int] = Counter()
        self._said = self._trouble = ""

    def look(self) -> bool:
        """Returns whether all shards have ended."""
        seen = self._tasks()
        if seen is None:
            return False
        best = {shard: best_attempt(self._run.folder, shard) or Attempt(Path()) for shard in self._shards()}
        lost: list[int] = []
        for shard in self._shards():
            if not best[shard].complete and shard not in self.failed and not seen[shard].active:
                self._end(shard, seen[shard], best[shard], lost)
        if lost:
            job = self._run.submit({shard: best[shard].records for shard in lost})
            say(f"submitted again as job {job}: {_names(lost)}", sys.stderr)
        self._say_progress(seen, best)
        return not lost and all(best[shard].complete or shard in self.failed for shard in self._shards())

    def submit_ended(self) -> None:
        """Submits all shards that neither wait nor run nor are complete, whatever ended them."""
        while (seen := self._tasks()) is None:
            time.sleep(self._run.every_s)
        ended: dict[int, int] = {}
        for shard, task in seen.items():
            best = best_attempt(self._run.folder, shard)
            if not task.active and not (best and best.complete):
                ended[shard] = best.records if best else 0
        if ended:
            say(f"submitted as job {self._run.submit(ended)}: {_names(list(ended))}", sys.stderr)

    def _shards(self) -> range:
        return range(1, self._run.nodes + 1)

    def _tasks(self) -> dict[int, Task] | None:
        """The last job of each shard; None while Slurm does not answer."""
        last = {shard: one.job for one in self._run.submitted for shard in one.records}
        found = tasks_of(sorted(set(last.values())))
        if isinstance(found, str):
            if found != self._trouble:
                say(f"{found}; trying again", sys.stderr)
            self._trouble = found
            return None
        self._trouble = ""
        return {shard: found.get((last.get(shard, ""), shard), GONE) for shard in self._shards()}

    def _end(self, shard: int, task: Task, best: Attempt, lost: list[int]) -> None:
        """Decides whether a shard that ended early is submitted again."""
        submitted = next(one for one in reversed(self._run.submitted) if shard in one.records)
        own = [one for one in attempts_of(self._run.folder, shard) if one.folder.name.startswith(f"{submitted.job}-")]
        self._fruitless[shard] = 0 if best.records > submitted.records[shard] else self._fruitless[shard] + 1
        where = f" on {own[-1].host}" if own else f" on {task.node}" if task.node else ""
        ended = f"{task.state}{where} after {plural(best.records, 'record')}"
        if task.state == "CANCELLED":
            self.failed[shard] = ended
        elif own and own[-1].exit_code == _WRONG_USE:
            self.failed[shard] = f"{ended}; {_end_of_log(self._run.folder, shard)}"
        elif self._fruitless[shard] >= _MOST_FRUITLESS:
            self.failed[shard] = f"{ended}; {_MOST_FRUITLESS} attempts without a new record; " \
                                 f"{_end_of_log(self._run.folder, shard)}"  # fmt: skip
        else:
            say(f"shard {shard}: {ended}", sys.stderr)
            lost.append(shard)

    def _say_progress(self, seen: dict[int, Task], best: dict[int, Attempt]) -> None:
        words = Counter("complete" if best[shard].complete else seen[shard].state.lower() for shard in self._shards())
        states = ", ".join(f"{count} {word}" for word, count in sorted(words.items()))
        records = sum(one.records for one in best.values())
        planned = sum(max(one.planned, one.records) for one in best.values())
        why = {task.reason for task in seen.values() if task.state == "PENDING" and task.reason}
        text = f"{plural(self._run.nodes, 'shard')}: {states}; {records} records"
        if all(one.planned for one in best.values()):
            text += f" of about {planned}"
        if why:
            text += f" ({', '.join(sorted(why))})"
        if text != self._said:
            say(text, sys.stderr)
        self._said = text


def merge(run: ClusterRun) -> int:
    """Merges the shards into the sub-folder merged and draws its page. Returns the exit code of the program."""
    merged = run.folder / "merged"
    if not merged.exists():
        shards = [best_attempt(run.folder, shard) for shard in range(1, run.nodes + 1)]
        with tempfile.TemporaryDirectory(prefix="gpuseq-merge-", dir=local_folder()) as scratch:
            local = Path(scratch) / "merged"
            code = subprocess.run([run.program, "merge", *(str(one.folder) for one in shards if one), "--output",
                                   str(local)], stdin=subprocess.DEVNULL, check=False).returncode  # fmt: skip
            if not (local / RUN).exists():
                return code
            write_renamed(local / "code", f"{code}\n")
            part = run.folder / ".merged.part"
            shutil.rmtree(part, ignore_errors=True)
            shutil.copytree(local, part)
            os.replace(part, merged)
    say(f"merged: {merged}")
    return int((merged / "code").read_text())


def _names(shards: list[int]) -> str:
    return f"shard{'' if len(shards) == 1 else 's'} {', '.join(map(str, sorted(shards)))}"


def _end_of_log(folder: Path, shard: int) -> str:
    file = log_of(folder, shard)
    try:
        with file.open("rb") as log:
            log.seek(max(0, file.stat().st_size - _LOG_BYTES))
            lines = [line.strip() for line in log.read().decode(errors="replace").splitlines() if line.strip()]
    except OSError:
        return f"no {file}"
    return printable("; ".join(lines[-_LOG_LINES:])) or f"{file} is empty"
