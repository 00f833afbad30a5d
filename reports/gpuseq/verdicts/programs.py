"""The gate between any two programs: wall times, a value that they print, or result files that they write."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from gpuseq.errors import UsageError
from gpuseq.seconds import seconds_text
from gpuseq.text import printable
from gpuseq.units import Unit, format_value
from gpuseq.verdicts.compare import Comparison
from gpuseq.verdicts.gate import BudgetCut, Gate, GateOptions, printed_too_much
from gpuseq.verdicts.processes import Ended, run_process
from gpuseq.verdicts.sides import Side

_PROGRESS_S = 1.0  # between two lines on short rounds


@dataclass
class Program:
    """How the commands of both sides are measured."""

    prepare: str = ""  # a line for the shell, before each measurement
    value: re.Pattern[str] | None = None  # its first group is the value; none: wall time
    is_rate: bool = False  # more is better


class ProgramGate(Gate):
    """Each process of a side is one run of its command, a line for the shell.

    A command finds in $GPUSEQ_RESULT the path of a file or folder. Where it writes results of a known tool there, they
    are the process' cases; else its wall time or value is the only case, and is written there in hyperfine's format.
    """

    chooses_cases = False

    def __init__(self, options: GateOptions, program: Program, say: Callable[[str], None]) -> None:
        super().__init__(options, say)
        self.program = program
        self._last_said = 0.0

    def progress(self, line: str) -> None:
        if time.monotonic() - self._last_said > _PROGRESS_S:
            self._last_said = time.monotonic()
            self.say(line)

    def judged(self) -> Comparison:
        """With the medians of both sides, as a program has no rate."""
        comparison = super().judged()
        for case in comparison.cases:
            if case.numbers and case.record.family == "program":
                base, new = map(self._text, (case.numbers.base_median, case.numbers.new_median))
                case.remark(f"medians: {base} in the base, {new} in the new side")
        return comparison

    def _text(self, seconds: float) -> str:
        return (
            format_value(1 / seconds, Unit.number_si) if self.program.is_rate else format_value(seconds, Unit.seconds)
        )

    def measure(self, side: Side, folder: str, command: str, cases: list[str]) -> None:
        place = self.options.output / folder / f"{len(side.processes) + 1:03}.json"
        place.parent.mkdir(parents=True, exist_ok=True)
        if self.program.prepare:
            self._shell(self.program.prepare, "--prepare ", place)
        ended = self._shell(command, "", place)
        if not place.exists():
            seconds = self._seconds_of_value(command) if self.program.value else ended.seconds
            place.write_text(
                json.dumps({"results": [{"command": command, "mean": seconds, "times": [seconds]}]}) + "\n"
            )
        elif self.program.value:
            raise UsageError(f"{command}: wrote {place}, whose results --value does not read")
        side.add_results(place)

    @property
    def _out(self) -> Path:
        return self.options.output / "last.out" if self.program.value else Path("/dev/null")

    @property
    def _err(self) -> Path:
        return self.options.output / "last.err"

    def _shell(self, command: str, which: str, place: Path) -> Ended:
        spent = False

        def why_end() -> str:
            nonlocal spent
            spent = self.elapsed() > self.options.budget_s
            return (f"the budget of {seconds_text(self.options.budget_s)} is spent" if spent
                    else printed_too_much((self._out, self._err)))  # fmt: skip

        ended = run_process(["/bin/sh", "-c", command], self._out, self._err, why_end, {"GPUSEQ_RESULT": str(place)})
        if not ended.code:
            return ended
        if spent and self.base.processes and self.new.processes:
            raise BudgetCut
        raise UsageError(f"{which}{command}: {ended.what}")

    def _seconds_of_value(self, command: str) -> float:
        pattern = self.program.value
        assert pattern
        printed = "".join(file.read_text("utf-8", "replace") for file in (self._out, self._err))
        found = pattern.search(printed)
        text = (found[1] or "") if found else ""
        try:
            value = float(text)
        except ValueError:
            value = 0.0
        if not 1e-30 < value < 1e30:
            what = f'found "{printable(text)}"; allowed: a number above 0' if found else "is not in its output"
            raise UsageError(f"{command}: --value {pattern.pattern}: {what}")
        return 1 / value if self.program.is_rate else value
