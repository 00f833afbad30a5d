"""The two sides of a comparison: records of processes, by benchmark case, and the values that are compared."""

from __future__ import annotations

import math
import os
import statistics
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path

from gpuseq.errors import UsageError
from gpuseq.foreign.result import Moments, Result
from gpuseq.journal import read_records
from gpuseq.runs import PHASES, Json, dict_at, number_at, point_text, read_json, text_at
from gpuseq.text import printable
from gpuseq.verdicts.inference import FEWEST_VALUES

# A process whose reference loop took so many times the shortest median of any process was disturbed by neighbours.
DISTURBED = 1.25


@dataclass(slots=True, eq=False)
class Measured:
    """The part of a record that comparisons and histories use."""

    state: str  # the name of its benchmark case
    family: str
    variant: str
    problem: dict[str, int | str]
    point: dict[str, int | str]
    device: str
    phase: int  # its place in PHASES
    status: str
    reason: str  # why there is no number; of other tools' results also what they lack
    samples: list[float]
    loop: tuple[int, float] | None  # threads of the reference loop, and its median in s
    work: tuple[float, str]
    problem_hash: str
    label: str  # of its problem
    provenance: dict[str, Json]
    date: str
    plugin_hash: str = ""  # of the library that has its kernel
    moments: Moments | None = None  # where a result file has no samples; then the only sample is the mean

    @property
    def has_numbers(self) -> bool:
        """A record can come from anywhere: ok alone does not promise numbers."""
        return self.status == "ok" and bool(self.samples) and all(0 < value < math.inf for value in self.samples)

    @property
    def group(self) -> tuple[str, str, str]:
        return self.family, self.variant, self.device


Point = dict[str, int | str]


@dataclass
class Defaults:
    """Defaults of axes that the builds of the runs have: of problems by family, of points by family and variant."""

    of: dict[tuple[str, str], Point] = field(default_factory=dict[tuple[str, str], Point])

    def update(self, summary: Json) -> None:
        for family, given in dict_at(summary, "defaults").items():
            variants = dict_at(given, "variants")
            self.of.setdefault((family, ""), {}).update(dict_at(given, "problem"))
            for variant in variants:
                self.of.setdefault((family, variant), {}).update(dict_at(variants, variant))

    def updated(self, others: Defaults) -> Defaults:
        """The same with the results of the others in addition."""
        both = Defaults({key: dict(point) for key, point in self.of.items()})
        for key, point in others.of.items():
            both.of.setdefault(key, {}).update(point)
        return both

    def complete(self, family: str, variant: str, point: Point) -> Point:
        """With the axes that older builds did not have yet."""
        return self.of.get((family, variant), {}) | point


@dataclass
class Side:
    """The records of one or several processes that measured the same config."""

    name: str  # "runs/base" or the command
    processes: list[list[Measured]] = field(default_factory=list[list[Measured]])  # one for each run folder
    defaults: Defaults = field(default_factory=Defaults)

    def add(self, journal: Path) -> None:
        """Adds the records of a journal as a process. Raises UsageError with file and line."""
        # Sizes on the way differ from process to process.
        self.processes.append([
            measured(data, provenance) for _, data, provenance in read_records(journal) if data["phase"] != "size"
        ])  # fmt: skip
        summary = journal.parent / "run.json"
        if summary.is_file():
            try:
                self.defaults.update(read_json(summary))
            except UsageError:
                pass  # names can do without, and a journal can be compared alone

    def add_results(self, path: Path) -> None:
        """Adds the results of another benchmark tool as a process. Raises UsageError with file and JSON pointer."""
        from gpuseq.foreign.read import read_results

        read = read_results(path)
        self.processes.append([
            _measured_by_tool(result, {**read.provenance, "device": result.hardware}, read.date) for result in read.results
        ])  # fmt: skip


def measured(data: dict[str, Json], provenance: dict[str, Json]) -> Measured:
    """The part of a line of records.jsonl that comparisons use."""
    failure, loop, work = (dict_at(data, name) for name in ("failure", "reference_loop", "work"))
    reason = f"{text_at(failure, 'kind')}: {text_at(failure, 'reason')}" if failure else ""
    best_s = number_at(loop, "best_s")
    label = text_at(data, "problem_label") or point_text(data["problem"])
    return Measured(
        data["state"], data["family"], data["variant"], data["problem"], data["point"], data["device"],
        PHASES.index(data["phase"]), data["status"], reason, data["samples_s"],
        None if best_s is None else (int(loop["threads"]), best_s * float(loop["slowdown"])),
        (number_at(work, "amount") or 0, text_at(work, "unit")), data["problem_hash"], label, provenance,
        text_at(data, "date"), text_at(dict_at(data, "facts"), "plugin_hash"))  # fmt: skip


def _measured_by_tool(result: Result, provenance: dict[str, Json], date: str) -> Measured:
    name = "/".join(filter(None, (result.tool, result.name, point_text(result.point), result.device)))
    return Measured(name, result.tool, result.name, {}, result.point, result.device, PHASES.index("sweep"), result.status,
                    result.reason, list(result.samples), None, (0, ""), "", "", provenance, date,
                    moments=result.moments)  # fmt: skip


def load_side(path: Path) -> Side:
    """The records of a journal or of a run folder, or the results of another tool; of a folder of these each is a
    process. Raises UsageError."""
    from gpuseq.foreign.read import FORMATS_TEXT, result_files

    side = Side(printable(str(path)))
    journal = path / "records.jsonl"
    if os.path.lexists(path) and not path.is_dir():
        (side.add_results if path.suffix == ".json" else side.add)(path)
    elif os.path.lexists(journal):
        side.add(journal)
    else:
        for found in sorted(path.glob("*/records.jsonl")):
            side.add(found)
        for found in [] if side.processes else result_files(path):
            side.add_results(found)
    if not side.processes:
        raise UsageError(f"{path}: is no journal (records.jsonl), no run folder, no folder of run folders, and no result of "
                         f"another tool ({FORMATS_TEXT})")  # fmt: skip
    return side


@dataclass
class Observation:
    """The records of one benchmark case on one side."""

    last: Measured | None = None
    label: str = ""
    processes: list[list[Measured]] = field(default_factory=list[list[Measured]])  # those with numbers
    failed: list[Measured] = field(default_factory=list[Measured])
    skipped: list[Measured] = field(default_factory=list[Measured])
    refined_only: bool = True  # no phase but the refinement of curves has it

    @property
    def is_there(self) -> bool:
        return bool(self.processes or self.failed or self.skipped)


def observe(side: Side, defaults: Defaults) -> dict[str, Observation]:
    """By name of the case with its axes sorted, so that their order in a record does not tell cases apart."""
    keys: dict[str, str] = {}
    observations: dict[str, Observation] = {}
    for process in side.processes:
        with_numbers: dict[str, list[Measured]] = {}
        for record in process:
            key = keys.get(record.state) or keys.setdefault(record.state, _key(record, defaults))
            observation = observations.setdefault(key, Observation())
            observation.last = record
            if record.has_numbers or not observation.label:  # a crash leaves no label
                observation.label = record.label or observation.label
            observation.refined_only &= record.phase == PHASES.index("refine")
            if record.has_numbers:
                with_numbers.setdefault(key, []).append(record)
            else:
                (observation.skipped if record.status == "skipped" else observation.failed).append(record)
        for key, records in with_numbers.items():
            observations[key].processes.append(records)
    return dict(sorted(observations.items()))


def _key(record: Measured, defaults: Defaults) -> str:
    problem = defaults.complete(record.family, "", record.problem)
    point = defaults.complete(record.family, record.variant, record.point)
    texts = [point_text(dict(sorted(axes.items()))) for axes in (problem, point)]
    return "/".join([record.family, record.variant, *texts, record.device])


@dataclass
class Values:
    """The values of one side that are compared."""

    seconds: list[float]
    unit: str  # what they are: "process", "repetition", "sample"
    disturbed: int = 0  # processes that neighbours disturbed
    left_out: bool = False  # whether these are not among the values
    moments: Moments | None = None  # in place of more values than their mean

    @property
    def count(self) -> int:
        return self.moments.values if self.moments else len(self.seconds)


def values_of(base: Observation, new: Observation) -> tuple[Values, Values]:
    """Both sides' values, of the same unit and, where there is one, the same phase.

    The medians of the processes where either side has several; else the medians of the repetitions where both sides
    have at least FEWEST_VALUES of them; else the samples, or mean, standard deviation and count where a side has no more.
    The last phase counts that every process measured the case
    in. Processes that neighbours disturbed are left out on both sides or on none, as the undisturbed of one are faster
    than all of the other.
    """
    phase = common_phase(base, new)
    sides = [[of_phase(process, phase) for process in side.processes] for side in (base, new)]
    if max(map(len, sides)) > 1:
        shortest = _shortest_loops(chain(*sides))
        disturbed = [[_is_disturbed(records, shortest) for records in side] for side in sides]
        without = all(None not in of and of.count(False) >= FEWEST_VALUES for of in disturbed)
        values: list[Values] = []
        for side, of in zip(sides, disturbed, strict=True):
            count = of.count(True)
            seconds = [_median_of(records) for records, is_disturbed in zip(side, of, strict=True)
                       if not (without and is_disturbed)]  # fmt: skip
            values.append(Values(seconds, "process", count, without and count > 0))
        return values[0], values[1]
    first, second = sides[0][0], sides[1][0]
    if any(record.moments for record in chain(first, second)):
        return _values_of_moments(first), _values_of_moments(second)
    if min(len(first), len(second)) >= FEWEST_VALUES:
        repetitions = ([statistics.median(record.samples) for record in side] for side in (first, second))
        return tuple(Values(seconds, "repetition") for seconds in repetitions)  # type: ignore[return-value]
    samples = ([value for record in side for value in record.samples] for side in (first, second))
    return tuple(Values(seconds, "sample") for seconds in samples)  # type: ignore[return-value]


def _values_of_moments(records: list[Measured]) -> Values:
    """The moments that the last record has, or those of the samples."""
    last, samples = records[-1], [value for record in records for value in record.samples]
    moments = last.moments
    if not moments and len(samples) > 1:
        moments = Moments(statistics.fmean(samples), statistics.stdev(samples), len(samples))
    return Values([moments.mean] if moments else samples, "sample", moments=moments)


def common_phase(base: Observation, new: Observation) -> int | None:
    """The last phase that every process of both sides measured the case in."""
    phases = [{record.phase for record in process} for side in (base, new) for process in side.processes]
    common = set[int].intersection(*phases)
    return max(common) if common else None


def of_phase(process: list[Measured], phase: int | None) -> list[Measured]:
    """Records of a phase; without one, of the last that the process has."""
    wanted = max(record.phase for record in process) if phase is None else phase
    return [record for record in process if record.phase == wanted]


def _median_of(records: list[Measured]) -> float:
    return statistics.median([statistics.median(record.samples) for record in records])


def _shortest_loops(processes: chain[list[Measured]]) -> dict[int, float]:
    """The shortest median of the reference loop, by its threads, next to this case in any process of both sides: one
    that neighbours disturbed for all of its life cannot know it."""
    shortest: dict[int, float] = {}
    for record in chain.from_iterable(processes):
        if record.loop:
            threads, seconds = record.loop
            shortest[threads] = min(seconds, shortest.get(threads, math.inf))
    return shortest


def _is_disturbed(records: list[Measured], shortest: dict[int, float]) -> bool | None:
    """Whether most samples of each of these records were disturbed; None where a record does not say."""
    loops = [record.loop for record in records]
    if None in loops:
        return None
    return all(loop[1] >= DISTURBED * shortest[loop[0]] for loop in loops if loop)
