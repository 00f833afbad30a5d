"""The times of benchmark cases over commits: a file of JSON lines that runs are appended to, and its steps."""

from __future__ import annotations

import fcntl
import json
import math
import os
import re
import statistics
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from datetime import datetime
from pathlib import Path
from typing import BinaryIO

from gpuseq.errors import UsageError
from gpuseq.runs import Json, dict_at, kind_of, refuse_constant, require_regular, text_at
from gpuseq.statistics import CONFIDENCE, median_interval
from gpuseq.text import plural, printable, printable_json
from gpuseq.units import Unit, format_value
from gpuseq.verdicts.compare import Comparison
from gpuseq.verdicts.differences import device_hash
from gpuseq.verdicts.sides import Defaults, Observation, Side, observe, values_of
from gpuseq.verdicts.steps import Step, find_steps
from gpuseq.verdicts.words import change

SCHEMA_VERSION = 2  # 1 had no confidence and an interval of one value
_LONGEST_STATE = 4096
_TEXTS = ("date", "commit", "config", "device", "device_hash", "state")


@dataclass(frozen=True)
class Entry:
    """The result of one run for one case: a line of the history. Documented in docs/reference/comparison.md."""

    schema_version: int
    date: str  # UTC, "2026-11-20T21:41:58Z"
    commit: str  # of the program
    config: str
    device: str
    device_hash: str  # of everything but the driver, whose change may be a step
    state: str
    median_s: float
    low_s: float | None
    high_s: float | None
    confidence: float | None
    values: int  # that the median is of
    rate: float | None
    rate_unit: str | None
    verdict: str | None  # against the base of its comparison

    @property
    def identity(self) -> tuple[str, ...]:
        return self.state, self.device_hash, self.commit, self.date


def entries_of(side: Side, comparison: Comparison | None) -> Iterator[Entry]:
    """One entry for each case of a side that has numbers, with the verdicts of the comparison it was judged in."""
    verdicts = {case.name: case.verdict.value for case in comparison.cases} if comparison else {}
    for observation in observe(side, Defaults()).values():
        if observation.processes:
            yield _entry(observation, verdicts)


def _entry(observation: Observation, verdicts: dict[str, str]) -> Entry:
    record = observation.processes[0][0]
    seconds = values_of(observation, observation)[0].seconds
    interval, middle = median_interval(seconds), statistics.median(seconds)
    amount, unit = record.work
    provenance = record.provenance
    return Entry(
        SCHEMA_VERSION, record.date, text_at(dict_at(provenance, "program"), "commit"), text_at(provenance, "config"),
        text_at(dict_at(provenance, "device"), "name") or record.device, device_hash(record), record.state, middle,
        interval.low if interval else None, interval.high if interval else None,
        interval.confidence if interval else None, len(seconds), amount / middle if amount > 0 else None,
        f"{unit}/s" if amount > 0 else None, verdicts.get(record.state))  # fmt: skip


def append_history(file: Path, side: Side, comparison: Comparison | None) -> int:
    """Appends a side to a history, which is made where it is missing. Entries that it has already (same case, device, commit
    and date) are not appended again. Returns the number of lines written. Raises UsageError."""
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        if os.path.lexists(file):
            require_regular(file)
        with file.open("a+b") as target:
            fcntl.flock(target, fcntl.LOCK_EX)
            known = {entry.identity for entry in load_history(file)}
            lines: list[str] = []
            for entry in entries_of(side, comparison):
                if entry.identity not in known:
                    line = json.dumps(asdict(entry), ensure_ascii=False, separators=(",", ":"))
                    _read(json.loads(line), f"{file}: {entry.state[:100]}")  # it can be read again
                    known.add(entry.identity)
                    lines.append(line + "\n")
            _append(target, "".join(lines).encode("utf-8", "replace"))
            return len(lines)
    except OSError as error:
        raise UsageError(f"cannot write the history {file}: {error.strerror}") from None


def _append(target: BinaryIO, text: bytes) -> None:
    """All or nothing: a full disk leaves the file as it was, without the torn line of a writer that was killed."""
    target.seek(0)
    before = sum(len(line) for line in target if line.endswith(b"\n"))
    target.truncate(before)
    try:
        target.write(text)
        target.flush()
        os.fsync(target.fileno())
    except OSError:
        os.ftruncate(target.fileno(), before)
        raise


def load_history(file: Path) -> list[Entry]:
    """A torn last line is left out. Raises UsageError with file, line and JSON pointer."""
    require_regular(file)
    entries: list[Entry] = []
    with file.open("rb") as lines:
        for number, line in enumerate(lines, 1):
            where = f"{file}:{number}"
            if not line.endswith(b"\n"):
                begin = line.replace(b" ", b"")[:18]
                if not b'{"schema_version":'.startswith(begin):
                    raise UsageError(f"{where}: found no line of a history; allowed: an object with schema_version")
                continue
            try:
                data = printable_json(json.loads(line, parse_constant=refuse_constant))
            except (ValueError, RecursionError) as error:
                raise UsageError(f"{where}: not JSON: {printable(str(error))}") from None
            entries.append(_read(data, where))
    return entries


def _read(value: Json, where: str) -> Entry:
    if not isinstance(value, dict):
        raise UsageError(f"{where}: found {kind_of(value)}; allowed: an object")
    data: dict[str, Json] = value  # pyright: ignore[reportUnknownVariableType]

    def fail(name: str, allowed: str) -> UsageError:
        found = json.dumps(data[name]) if name in data else "nothing"
        return UsageError(f"{where}: /{name}: found {found[:200]}; allowed: {allowed}")

    def number(name: str) -> float | None:
        value = data.get(name)
        is_number = isinstance(value, int | float) and not isinstance(value, bool)
        if value is None or (is_number and 0 < value < math.inf):
            return value
        raise fail(name, "a positive number or null")

    version, values = data.get("schema_version"), data.get("values")
    if not isinstance(version, int) or not 1 <= version <= SCHEMA_VERSION:
        raise fail("schema_version", f"1 to {SCHEMA_VERSION}")
    for name in _TEXTS:
        if not isinstance(data.get(name), str):
            raise fail(name, "a text")
    date, commit, config, device, device_hash, state = (str(data[name]) for name in _TEXTS)
    if len(state) > _LONGEST_STATE:
        raise UsageError(f"{where}: /state: has {len(state)} characters; allowed: {_LONGEST_STATE}")
    if date and not _is_date(date):  # records may have none
        raise fail("date", "a date such as 2026-11-20T21:26:08Z")
    median_s, low, high = number("median_s"), number("low_s"), number("high_s")
    if median_s is None:
        raise fail("median_s", "a positive number")
    if low and high and not low <= median_s <= high:
        raise fail("median_s", "a value within low_s and high_s")
    if not isinstance(values, int) or values < 0:
        raise fail("values", "a count")
    confidence = number("confidence") or (CONFIDENCE if low else None)  # version 1 meant that
    return Entry(version, date, commit, config, device, device_hash, state, median_s, low, high, confidence, values,
                 number("rate"), text_at(data, "rate_unit") or None, text_at(data, "verdict") or None)  # fmt: skip


def _is_date(text: str) -> bool:
    try:
        datetime.strptime(text, "%Y-%m-%dT%H:%M:%SZ")
    except ValueError:
        return False
    return True


@dataclass
class Series:
    """One case on one device, by date, with the steps of its times."""

    entries: list[Entry]
    steps: list[Step]

    @property
    def largest_step(self) -> float:
        return max((abs(math.log(step.after / step.before)) for step in self.steps), default=0.0)


def history_series(entries: list[Entry], state: str, confidence: float) -> list[Series]:
    """Series of the cases whose names the regular expression `state` is found in; those with the largest steps first.
    Raises UsageError if the expression cannot be read."""
    try:
        wanted = re.compile(state)
    except re.error as error:
        raise UsageError(f'--state: found "{printable(state)}", no regular expression: {error}') from None
    by_case: dict[tuple[str, str], list[Entry]] = {}
    for entry in entries:
        if wanted.search(entry.state):
            by_case.setdefault((entry.state, entry.device_hash), []).append(entry)
    found: list[Series] = []
    for _, of_case in sorted(by_case.items()):
        of_case.sort(key=lambda entry: entry.date)
        found.append(Series(of_case, find_steps([entry.median_s for entry in of_case], confidence)))
    return sorted(found, key=lambda series: -series.largest_step)


def to_text(found: list[Series]) -> list[str]:
    """The steps in words, and totals; lines."""
    lines: list[str] = []
    for series in found:
        if series.steps:
            lines.append(f"{series.entries[0].state} ({series.entries[0].device})")
        for step in series.steps:
            entry = series.entries[step.place]
            before, after = (format_value(level, Unit.seconds) for level in (step.before, step.after))
            lines.append(f"  {change(step.after / step.before):>8}  {before} -> {after}  at commit "
                         f"{entry.commit[:10] or '(not recorded)'}, {entry.date}, confidence {step.confidence:.3f}")  # fmt: skip
    commits = {entry.commit for series in found for entry in series.entries}
    steps = sum(len(series.steps) for series in found)
    return [*lines, f"{plural(len(found), 'case')} over {plural(len(commits), 'commit')}: {plural(steps, 'step')}"]
