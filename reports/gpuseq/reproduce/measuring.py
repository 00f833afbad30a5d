"""The measuring program, started for one figure: its words, its plan, its run."""

from __future__ import annotations

import json
import os
import signal
import subprocess
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from gpuseq.errors import UsageError
from gpuseq.reproduce.table import Reproduction
from gpuseq.runs import Json, dict_at, number_at, read_json, text_at

_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


@dataclass
class Measuring:
    """The measured part of a config, and its devices."""

    row: Reproduction
    config: Path
    overrides: list[str] = field(default_factory=list[str])  # of the user; they come last
    device: str = ""
    flags: list[str] = field(default_factory=list[str])  # of Google Benchmark

    def words(self) -> list[str]:
        """The options of `plan` and `run`."""
        words = ["--config", str(self.config)]
        for override in [*overrides_of(self.row, self.config), *self.overrides]:
            words += ["--set", override]
        if self.device:
            words += ["--device", self.device]
        if self.row.states and not any(flag.startswith("--benchmark_filter=") for flag in self.flags):
            words.append(f"--benchmark_filter={self.row.states}")
        return words + self.flags


@dataclass
class Plan:
    states: float
    typical_s: float
    most_s: float
    remarks: list[str]


def run_name(row: Reproduction) -> str:
    return "reproduce-" + row.figure.replace("/", "-")


def overrides_of(row: Reproduction, config: Path) -> list[str]:
    """Values of --set that reduce a config to the data of a figure; null removes a member."""
    document = _document(config)
    changes: list[tuple[str, Json]] = [
        ("name", run_name(row)),
        ("description", f"The cases of {text_at(document, 'name')} that the figure {row.figure} draws."),
        ("expects_device", None), ("budget_s", None), ("tune.remeasure", 0)]  # fmt: skip
    changes += [(f"families.{name}", None) for name in dict_at(document, "families") if name not in row.families]
    if row.probes:
        probes = dict_at(document, "probes") | _probes_of(document, config)
        changes += [(f"probes.{name}", None) for name in probes if name not in row.probes]
    else:
        changes.append(("probes", {}))
    if not row.bounds:
        changes += [("bounds_from", "run"), ("probe_budget_s", 0)]
    for key, drawn in (("counters", row.counters), ("energy", row.energy)):
        if not drawn:
            changes.append((key, None))
        elif key == "counters" and document.get(key) in (None, False, "winners"):
            changes.append((key, True))  # a figure compares the counters of every case
    return [f"{key}={json.dumps(value)}" for key, value in changes]


def _document(config: Path) -> dict[str, Json]:
    """A config, or that of a run.json."""
    document = read_json(config)
    if not isinstance(document, dict):
        raise UsageError(f"{config}: not a config; allowed: an object")
    return dict_at(document, "config") or document  # pyright: ignore[reportUnknownVariableType]


def _probes_of(document: dict[str, Json], config: Path) -> dict[str, Json]:
    """The probes of the file that a config names."""
    file = text_at(document, "probes_of")
    return dict_at(read_json(config.parent / file), "probes") if file else {}


def _program() -> str:
    try:
        return os.environ["GPUSEQ_PROGRAM"]
    except KeyError:
        raise UsageError("GPUSEQ_PROGRAM names no measuring program; start this as: gpuseq-bench reproduce") from None


def plan(measuring: Measuring) -> Plan | int:
    """The plan of the measuring program, or the exit code where it refuses, after it has said why."""
    command = [_program(), "plan", "--json", *measuring.words()]
    done = subprocess.run(command, stdout=subprocess.PIPE, stdin=subprocess.DEVNULL, check=False)
    if done.returncode:
        return done.returncode
    found: Any = json.loads(done.stdout)
    states, typical_s, most_s = (number_at(found, key) or 0 for key in ("states", "typical_s", "most_s"))
    return Plan(states, typical_s, most_s, found["remarks"])


def measure(measuring: Measuring, output: Path, budget_s: float | None) -> int:
    """Runs the cases into a run folder. Returns the exit code of the program, which gets every signal itself."""
    command = [_program(), "run", "--no-report", "--output", str(output), *measuring.words()]
    if budget_s is not None:
        command += ["--budget", f"{budget_s:.3f}"]
    child = subprocess.Popen(command, stdin=subprocess.DEVNULL, process_group=0)
    before = {number: signal.signal(number, lambda sent, _: child.send_signal(sent)) for number in _SIGNALS}
    try:
        code = child.wait()
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
    return code if code >= 0 else 128 - code
