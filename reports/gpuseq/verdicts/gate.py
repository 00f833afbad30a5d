"""The gate: runs two builds in turn and judges the medians of their processes."""

from __future__ import annotations

import math
import os
import re
import subprocess
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path

from gpuseq.errors import UsageError
from gpuseq.seconds import seconds_text
from gpuseq.text import plural
from gpuseq.verdicts.certificate import certify
from gpuseq.verdicts.compare import CaseComparison, Comparison, Options, Verdict, compare
from gpuseq.verdicts.inference import FEWEST_VALUES
from gpuseq.verdicts.outputs import names_of
from gpuseq.verdicts.processes import elsewhere_since, processor_seconds, run_process
from gpuseq.verdicts.sides import Side

_LONGEST_FILTER = 64 << 10  # a longer one may not fit a command line; then everything is measured again
# A process that has finished no case for so long when the budget is spent, or that prints more, is killed.
_SILENT_S, _MOST_PRINTED = 5.0, 64 << 20
_CASES_FAILED = 1  # the exit code of a run in which a case failed
_MOST_FURTHER_ROUNDS = 200


@dataclass
class GateOptions:
    """The sides that a gate compares, and its time limit."""

    base_command: str  # words of a shell, such as "./old/gpuseq-bench"; empty: only the new one is run
    new_command: str
    arguments: list[str]  # of every process: --config ..., --set ..., --benchmark_filter=...
    output: Path  # holds base/001, base/002 ... and new/001 ...: run folders
    rounds: int = 5  # before the first verdict; of two processes for each command
    budget_s: float = 600  # no round is begun that would end later, none hangs longer
    probes: bool = False  # judge the probes as well
    compare: Options = field(default_factory=Options)
    base: Side | None = None  # measured earlier
    plugins: dict[str, str] = field(default_factory=dict[str, str])  # libraries of the sides "base" and "new"


@dataclass
class GateResult:
    comparison: Comparison
    new: Side
    rounds: int
    elapsed_s: float
    cut: bool  # the budget ended before the rounds that were asked for


class BudgetCut(Exception):
    """The budget ended a process."""


class Gate:
    """Runs base, new, new, base, each a process of its own, so that neither a slow drift of the machine nor the luck of
    one process falls on one side; and repeats the cases that the rest of the budget can decide. Every process keeps its folder."""

    chooses_cases = True  # whether a process can measure some of its cases only

    def __init__(self, options: GateOptions, say: Callable[[str], None]) -> None:
        self.options = options
        self.say = say
        self.base = options.base or Side(options.plugins.get("base", options.base_command))
        self.new = Side(options.plugins.get("new", options.new_command))
        self.rounds = 0
        self.round_s = 0.0  # of the last one, had it measured all cases
        self.process_s = 0.0  # of the last process
        self.start = time.monotonic()

    def run(self) -> GateResult:
        """A process that hangs is killed at the end of the budget; the verdict is then that of the processes that ended.

        Raises UsageError if a command cannot be run, refuses its arguments, prints without an end or leaves no record.
        """
        load = processor_seconds()
        cut = not self.first_rounds()
        comparison = self.judged()
        if not cut:
            comparison, cut = self.further_rounds(comparison)
        comparison.elsewhere = elsewhere_since(load)  # the processes of both sides have ended, and are our own
        comparison.certificate = certify(self.base, len(self.new.processes), self.options.compare)
        return GateResult(comparison, self.new, self.rounds, self.elapsed(), cut)

    def elapsed(self) -> float:
        return time.monotonic() - self.start

    def progress(self, line: str) -> None:
        self.say(line)

    def judged(self) -> Comparison:
        return compare(self.base, self.new, self.options.compare)

    def first_rounds(self) -> bool:
        """Whether all were measured within the budget; at least one is tried. Without a base only the new side is."""
        for number in range(1, self.options.rounds + 1):
            if number > 1 and self.elapsed() + self.round_s > self.options.budget_s:
                return False
            if not self.round([], 1.0):
                return False
            self.progress(f"round {number} of {self.options.rounds}")
        return True

    def further_rounds(self, comparison: Comparison) -> tuple[Comparison, bool]:
        """Repeats the cases that the rest of the budget can decide. Also returns whether the budget cut a round."""
        confirmed: set[str] = set()
        while undecided := worth_another_round(comparison, confirmed):
            rest = self.options.budget_s - self.elapsed()
            # A process takes time before its first case: a tenth of the time of all cases, so that it is not forgotten.
            share = len(undecided) / max(1, len(comparison.cases)) if self.chooses_cases else 1
            cost = self.round_s * (0.1 + 0.9 * share)
            needed = {case.name: rounds_needed(case, self.options.compare) for case in undecided}
            possible = max(0, int(rest / cost)) if cost > 0 else _MOST_FURTHER_ROUNDS
            again = [case for case in undecided if needed[case.name] <= possible]
            if not again:
                least = min(needed.values())
                needs = f"about {seconds_text(least * cost)} more" if math.isfinite(least) else "a quieter machine"
                self.say(f"{plural(len(undecided), 'case')} undecided: the rest of the budget is "
                         f"{seconds_text(max(rest, 0))} of {seconds_text(self.options.budget_s)}, and the first case needs "
                         f"{needs}")  # fmt: skip
                break
            left = len(undecided) - len(again)
            names = names_of(comparison).of(again[0].record) if len(again) == 1 else plural(len(again), "case")
            self.progress(f"round {self.rounds + 1}, at most {possible} more: measures {names} again"
                          + (f"; the budget is too short for {plural(left, 'other case')}" if left else ""))  # fmt: skip
            share = len(again) / len(comparison.cases) if self.chooses_cases else 1
            if not self.round([case.name for case in again], share):
                return self.judged(), True
            confirmed |= {case.name for case in again}
            comparison = self.judged()
        return comparison, False

    def round(self, cases: list[str], share: float) -> bool:
        """base, new, new, base. `cases`: only these, a `share` of all; empty: all. Whether it came to its end."""
        start = self.elapsed()
        base = [(self.base, "base", self.options.base_command)] if self.options.base_command else []
        new = [(self.new, "new", self.options.new_command)]
        try:
            for side, folder, command in base + new + new + base:
                begun = self.elapsed()
                is_late = begun + self.process_s > self.options.budget_s
                if is_late and not self.rounds and self.base.processes and self.new.processes:
                    raise BudgetCut
                self.measure(side, folder, command, cases)
                self.process_s = self.elapsed() - begun
        except BudgetCut:
            return False
        self.round_s = (self.elapsed() - start) / (0.1 + 0.9 * share)
        self.rounds += 1
        return True

    def measure(self, side: Side, folder: str, command: str, cases: list[str]) -> None:
        """Adds a process to a side. Raises BudgetCut."""
        place = self.options.output / folder / f"{len(side.processes) + 1:03}"
        place.parent.mkdir(parents=True, exist_ok=True)
        self._run(side, command, place, cases)
        journal = place / "records.jsonl"
        program = os.environ.get("GPUSEQ_PROGRAM")
        if program and journal.exists():  # an older build's records are converted
            subprocess.run([program, "migrate", place], check=False, capture_output=True)
        if journal.exists():
            side.add(journal)
        if not journal.exists() or not side.processes[-1]:
            raise UsageError(f"{side.name}: measured nothing; see {place}.log")

    def _run(self, side: Side, command: str, place: Path, cases: list[str]) -> None:
        """A case that failed is the records' to tell; anything else that goes wrong ends the gate.

        The shell takes the command apart; the arguments reach the program as they are. Winners that the cache has by now
        are not taken, as both sides measure the same points; an option would be refused by older builds.
        """
        started = f'GPUSEQ_DEFAULT_POINTS=1; export GPUSEQ_DEFAULT_POINTS; exec {command} "$@"'
        arguments = ["/bin/sh", "-c", started, "sh", "run", "--no-report", "--output", str(place),
                     "--set", "probe_budget_s=0", "--set", "tune.remeasure=0"]  # fmt: skip
        if not self.options.probes:
            arguments += ["--set", "probes={}"]
        if library := self.options.plugins.get(place.parent.name):
            arguments += ["--plugin", os.path.abspath(library)]  # the command may change the folder
        arguments += self.options.arguments
        chosen = filter_of(cases)
        if cases and len(chosen) < _LONGEST_FILTER:
            arguments.append(f"--benchmark_filter={chosen}")
        out, err = (place.with_name(place.name + ending) for ending in (".log", ".err"))
        watch = _Watch(self, place / "records.jsonl", (out, err))
        ended = run_process(arguments, out, err, watch.why_end)
        if not ended.code:
            return
        if watch.spent:
            self._set_aside(place)
            self.say(f"{side.name}: {ended.what}")
            if self.base.processes and self.new.processes:
                raise BudgetCut
        if watch.ended or ended.code != _CASES_FAILED or not watch.journal.exists():
            raise UsageError(f"{side.name}: {ended.what}")
        self.say(f"{side.name}: a case failed, see {err}")

    def _set_aside(self, place: Path) -> None:
        """The records of a killed process are not counted for its side."""
        aside = self.options.output / "unfinished"
        aside.mkdir(exist_ok=True)
        if place.exists():
            place.rename(aside / f"{place.parent.name}-{place.name}")


class _Watch:
    """Says when a process is to be killed, and why."""

    def __init__(self, gate: Gate, journal: Path, printed: tuple[Path, ...]) -> None:
        self.gate, self.journal, self.printed = gate, journal, printed
        self.size, self.grown = 0, time.monotonic()
        self.ended = self.spent = False

    def why_end(self) -> str:
        reason = self._reason()
        self.ended = bool(reason)
        return reason

    def _reason(self) -> str:
        if why := printed_too_much(self.printed):
            return why
        if (size := _bytes(self.journal)) != self.size:
            self.size, self.grown = size, time.monotonic()
        budget = self.gate.options.budget_s
        if self.gate.elapsed() > budget and time.monotonic() - self.grown > _SILENT_S:
            self.spent = True
            return (f"the budget of {seconds_text(budget)} is spent, and it has finished no case for "
                    f"{_SILENT_S:g} s")  # fmt: skip
        return ""


def printed_too_much(files: Iterable[Path]) -> str:
    """Why a process that prints to these files is to be killed; empty: it is not."""
    return f"it printed more than {_MOST_PRINTED >> 20} MiB" if sum(map(_bytes, files)) > _MOST_PRINTED else ""


def _bytes(file: Path) -> int:
    try:
        return file.stat().st_size
    except OSError:
        return 0


def worth_another_round(comparison: Comparison, confirmed: set[str]) -> list[CaseComparison]:
    """Cases that are inconclusive, and those that regressed and were not measured again since (`confirmed`), because a
    verdict that stops a change is confirmed first."""
    return [case for case in comparison.cases
            if case.verdict is Verdict.inconclusive or (case.verdict is Verdict.regressed and case.name not in confirmed)]  # fmt: skip


def rounds_needed(case: CaseComparison, options: Options) -> float:
    """Further rounds, of two processes a side, that decide a case if its medians keep their spread: the interval and the
    noise floor shrink with the root of their number. Infinite if many more do not."""
    numbers = case.numbers
    if case.verdict is Verdict.regressed:
        return 1
    if not numbers or numbers.base.unit != "process":
        return math.inf
    if numbers.fewest < FEWEST_VALUES:
        return math.ceil((FEWEST_VALUES - numbers.fewest) / 2)
    effect, distance = math.log1p(options.min_effect), abs(math.log(numbers.ratio))
    half = math.log(numbers.high / numbers.low) / 2
    for rounds in range(1, _MOST_FURTHER_ROUNDS):
        shrunk = math.sqrt(numbers.fewest / (numbers.fewest + 2 * rounds))
        same = distance + half * shrunk < effect
        if same or distance - half * shrunk > max(effect, math.log1p(numbers.noise_floor) * shrunk):
            return rounds
    return math.inf


def filter_of(cases: list[str]) -> str:
    """A regular expression (of --benchmark_filter) that lets exactly these cases through."""
    escaped = (re.sub(r"[\\^$.|?*+()\[\]{}]", r"\\\g<0>", case) for case in cases)
    return f"^({'|'.join(escaped)})/iterations:1/"
