"""Measuring processes that a gate starts: none outlives it, none hangs or prints without an end."""

from __future__ import annotations

import os
import resource
import subprocess
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from gpuseq.text import printable

_POLL_S = 0.02
_LAST_WORDS = 2000  # characters of a process' error output that a message repeats


# The way in which the measuring program calls this package; not meant for other builds of it.
_OWN_VARIABLES = {"PYTHONPATH", "PYTHONDONTWRITEBYTECODE", "GPUSEQ_PROGRAM"}


@dataclass
class Ended:
    """How a process ended."""

    code: int  # its exit code; negative: a signal
    what: str  # unless the code is 0, what happened, with its last words
    seconds: float  # from before its start until its end


def run_process(
    command: list[str], out: Path, err: Path, why_end: Callable[[], str], more: dict[str, str] | None = None
) -> Ended:
    """Runs a command with its output in files until it ends or `why_end` gives a reason to kill it; `more` is added to its
    environment.

    A guard in the same process group, which reads from a pipe that only this process holds open, kills the group when
    this process ends in whatever way.
    """
    guard = subprocess.Popen(["/bin/sh", "-c", "read -r _; kill -KILL 0"], stdin=subprocess.PIPE, process_group=0)
    reason = ""
    environment = {name: value for name, value in os.environ.items() if name not in _OWN_VARIABLES} | (more or {})
    try:
        with out.open("wb") as out_file, err.open("wb") as err_file:
            start = time.perf_counter()
            child = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=out_file, stderr=err_file,
                                     process_group=guard.pid, env=environment)  # fmt: skip
            end = _End(child.pid)
            while not end.wait(_POLL_S) and not (reason := why_end()):
                pass
    finally:
        os.killpg(guard.pid, 9)
        guard.wait()
        assert guard.stdin
        guard.stdin.close()
    end.join()  # before the process is reaped
    code = child.wait()
    seconds = end.at - start
    if not code and not reason:
        return Ended(0, "", seconds)
    words = printable(err.read_text("utf-8", "replace").strip()[-_LAST_WORDS:])
    what = reason or (f"it was ended by signal {-code}" if code < 0 else f"it ended with exit code {code}")
    return Ended(code or 1, what + (f"; its last words: {words}" if words else ""), seconds)


class _End(threading.Thread):
    """Waits for the end of a process, to note its time at once, and leaves it for others to reap."""

    def __init__(self, pid: int) -> None:
        super().__init__(daemon=True)
        self.pid, self.at, self.over = pid, 0.0, threading.Event()
        self.start()

    def run(self) -> None:
        os.waitid(os.P_PID, self.pid, os.WEXITED | os.WNOWAIT)
        self.at = time.perf_counter()
        self.over.set()

    def wait(self, seconds: float) -> bool:
        return self.over.wait(seconds)


def processor_seconds() -> tuple[float, float, float, float] | None:
    """Seconds of all processors since boot: all, busy, stolen by other guests of the host; and those that this process
    and its children had. None where /proc/stat does not say."""
    try:
        name, *ticks = Path("/proc/stat").read_text("ascii").split("\n", 1)[0].split()
        user, nice, system, idle, wait, irq, soft, steal = (int(tick) / os.sysconf("SC_CLK_TCK") for tick in ticks[:8])
    except (OSError, ValueError):
        return None
    use = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    own = sum(each.ru_utime + each.ru_stime for each in use)
    busy = user + nice + system + irq + soft
    return (busy + idle + wait + steal, busy, steal, own) if name == "cpu" else None


def elsewhere_since(before: tuple[float, ...] | None) -> tuple[float, float] | None:
    """Shares of the processors' time that other processes and other guests of the host took since a moment."""
    now = processor_seconds()
    if before is None or now is None or now[0] <= before[0]:
        return None
    spent, busy, steal, own = (after - earlier for after, earlier in zip(now, before, strict=True))
    return max(0.0, busy - own) / spent, max(0.0, steal) / spent
