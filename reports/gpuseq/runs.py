"""Run folders as records.

A run folder has records.jsonl (results/record.schema.json) and run.json. `load_runs` reads both and joins the
parts that a record refers to: its run, its provenance, and a name of its device that no other device of the report has.
"""

from __future__ import annotations

import json
import math
import os
import stat
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from itertools import chain, count
from pathlib import Path
from typing import Any

from gpuseq.errors import UsageError
from gpuseq.text import plural, printable, printable_json

Json = Any
PHASES = ["probe", "refine", "size", "winner", "sweep", "tune"]  # later ones measure a case again
FEWEST_SAMPLES = 6  # for a confidence interval of 95 %


@dataclass
class Run:
    """A run folder; `summary` is run.json, or None where there is none."""

    folder: Path
    name: str
    summary: dict[str, Json] | None

    @property
    def program(self) -> str:
        """ "gpuseq-bench 0.1.0, 1b9a0f61bb"; empty where run.json does not name it."""
        program = dict_at(self.summary, "program")
        commit, version = text_at(program, "commit")[:10], text_at(program, "version")
        return f"gpuseq-bench {version}{', ' if commit else ''}{commit}" if version else ""


@dataclass(slots=True, eq=False)
class Record:
    """A measurement of a benchmark case on a device. `data` is its line of records.jsonl."""

    data: dict[str, Json]
    index: int  # place in Report.records
    run: int  # place in Report.runs
    provenance: dict[str, Json]
    family: str
    variant: str
    problem: dict[str, int | str]
    point: dict[str, int | str]
    device: str  # "cuda:0"
    kind: str  # probe, kernel or tool
    phase: str
    disturbed: bool = False  # a point of a probe on which no two passes agree
    fingerprint: str = ""  # the same for every run on the device
    device_name: str = ""  # "NVIDIA H200"
    case: tuple[str, ...] = ()  # the benchmark case and its device
    other_samples: int = 0  # of the same point of a probe, in other passes

    @property
    def ok(self) -> bool:
        return self.data["status"] == "ok"

    @property
    def facts(self) -> dict[str, Json]:
        return self.data["facts"]

    @property
    def statistics(self) -> dict[str, Json] | None:
        return self.data["statistics"]

    @property
    def rate(self) -> float:
        """Work per second; 0 where the record has none."""
        statistics = self.data["statistics"]
        return float(statistics["rate"]) if statistics else 0.0

    @property
    def rate_unit(self) -> str:
        return text_at(self.data["statistics"], "rate_unit")

    @property
    def samples(self) -> int:
        statistics = self.data["statistics"]
        return int(statistics["samples"]) if statistics else 0

    @property
    def work(self) -> float:
        """Work per launch; 0 where the record has none."""
        return number_at(self.data["work"], "amount") or 0.0

    @property
    def bound(self) -> dict[str, Json] | None:
        """The bound of the rate: "rate", "fraction", "bound_by"."""
        return self.data["bound"]

    @property
    def synthetic(self) -> bool:
        return self.data["synthetic"]

    @property
    def is_tool(self) -> bool:
        """Whether it is an external tool, run as a whole process."""
        return self.kind == "tool"

    @property
    def on_gpu(self) -> bool:
        return self.device.startswith("cuda")

    @property
    def has_few_samples(self) -> bool:
        return self.data["statistics"] is not None and self.samples + self.other_samples < FEWEST_SAMPLES

    @property
    def work_per_joule(self) -> float | None:
        value = number_at(self.data["energy"], "work_per_joule")
        return value if value and value > 0 else None


@dataclass
class Report:
    """Some runs with their records."""

    runs: list[Run]
    records: list[Record]
    by_model: bool = False  # GPUs of one model are one device, whose runs count as repetitions
    warnings: list[str] = field(default_factory=list[str])
    _settled: dict[str, list[Record]] = field(default_factory=dict[str, list[Record]], repr=False)  # of each family
    _cases: dict[str, list[list[Record]]] = field(default_factory=dict[str, list[list["Record"]]], repr=False)

    def settled(
        self, family: str, *, tools: bool = False, having: Callable[[Record], bool] | None = None
    ) -> list[Record]:
        """The reported record of each benchmark case and device of a family.

        It is of the last phase that measured the case, and the median repetition of that phase, so that no lucky
        repetition is selected. Runs on one device count as repetitions. Phase "size" does not count.
        `tools` adds external tools; only records for which `having` is true count.
        """
        if having is None:
            if family not in self._settled:
                self._settled[family] = [_median_of_last_phase(records) for records in self._cases_of(family)]
            return [record for record in self._settled[family] if tools or not record.is_tool]
        settled: list[Record] = []
        for records in self._cases_of(family):
            if records[0].is_tool and not tools:
                continue
            if same := [record for record in records if having(record)]:
                settled.append(_median_of_last_phase(same))
        return settled

    def _cases_of(self, family: str) -> list[list[Record]]:
        """The records with a rate of each benchmark case and device; grouped once, because many figures ask."""
        if not self._cases:
            cases: dict[tuple[str, ...], list[Record]] = {}
            for record in self.records:
                if record.ok and record.phase != "size" and 0 < record.rate < math.inf:
                    cases.setdefault(record.case, []).append(record)
            for case in sorted(cases):
                self._cases.setdefault(cases[case][0].family, []).append(cases[case])
        return self._cases.get(family, [])

    def only(self, takes: Callable[[Record], bool]) -> Report:
        """A report of the records that `takes` is true for."""
        records = [record for record in self.records if takes(record)]
        return Report(self.runs, [replace(record, index=place) for place, record in enumerate(records)], self.by_model)

    def kernel_families(self) -> list[str]:
        return sorted({record.family for record in self.records if record.kind == "kernel"})


def _median_of_last_phase(records: list[Record]) -> Record:
    if len(records) == 1:
        return records[0]
    last = max(PHASES.index(record.phase) for record in records)
    same = sorted((record for record in records if PHASES.index(record.phase) == last), key=lambda record: record.rate)
    return same[(len(same) - 1) // 2]


def load_runs(folders: list[Path], *, by_model: bool = False, whole: bool = False) -> Report:
    """Reads run folders. Raises UsageError with file, line and reason for input that is wrong.

    A run that was killed may end with half a line, which is skipped; `whole` refuses it.
    """
    from gpuseq.devices import identify_devices

    if not folders:
        raise UsageError("no run folder given")
    report = Report([], [], by_model)
    for folder in folders:
        _load_run(report, folder, whole)
    if len(report.runs) > 1:
        _add_newer_axes(report)
        report.warnings += _different_data(report)
    _name_runs_apart(report.runs)
    identify_devices(report)
    for record in report.records:
        record.case = (record.fingerprint, record.kind, record.family, record.variant, point_text(record.problem),
                       point_text(record.point))  # fmt: skip
    _count_samples_of_passes(report.records)
    return report


def _load_run(report: Report, folder: Path, whole: bool) -> None:
    summary_file, journal = folder / "run.json", folder / "records.jsonl"
    summary = read_json(summary_file) if os.path.lexists(summary_file) else None
    if not isinstance(summary, dict | None):
        raise UsageError(f"{summary_file}: found {kind_of(summary)}; allowed: an object")
    if summary is None and not os.path.lexists(journal):
        raise UsageError(f"{folder}: neither records.jsonl nor run.json is here; give the folder of a run")
    name = text_at(summary, "name") or printable(folder.name or folder.absolute().name)
    report.runs.append(Run(folder, name, summary))  # pyright: ignore[reportUnknownArgumentType]
    disturbed = {
        state for device in dict_at(summary, "probe_points").values() for state in list_at(device, "disturbed")
    }
    if not os.path.lexists(journal):
        return
    from gpuseq.journal import read_records

    for _, data, provenance in read_records(journal, whole):
        record = Record(data, len(report.records), len(report.runs) - 1, provenance, data["family"], data["variant"],
                        data["problem"], data["point"], data["device"], data["kind"], data["phase"],
                        data["state"] in disturbed)  # fmt: skip
        report.records.append(record)


def refuse_constant(name: str) -> float:
    """For json.loads: no value may be infinite or not a number."""
    raise ValueError(f"found {name}; allowed: a finite number")


def new_folder(name: str) -> Path:
    """The default output of a command, named as the measuring program names its runs."""
    begun = f"runs/{name}-{datetime.now(UTC):%Y%m%dT%H%M%SZ}"
    numbered = (f"{begun}-{i}" for i in count(2))  # another run began in the same second
    return next(path for path in map(Path, chain([begun], numbered)) if not path.exists())


def require_regular(file: Path) -> None:
    """Raises UsageError for a pipe, device, socket or loop of links, which a reader would wait for or never end."""
    try:
        mode = file.stat().st_mode
    except OSError as error:
        raise UsageError(f"cannot read {file}: {error.strerror}") from None
    if not stat.S_ISREG(mode):
        raise UsageError(f"cannot read {file}: it is not a regular file")


def read_json(file: Path, finite: bool = True) -> Json:
    """A JSON file with printable texts; unless `finite`, numbers may be NaN and Infinity. Raises UsageError."""
    require_regular(file)
    try:
        return printable_json(json.loads(file.read_bytes(), parse_constant=refuse_constant if finite else None))
    except OSError as error:
        raise UsageError(f"cannot read {file}: {error.strerror}") from None
    except (ValueError, RecursionError) as error:
        raise UsageError(f"{file}: not JSON: {printable(str(error))}") from None


def _add_newer_axes(report: Report) -> None:
    """Gives cases of older runs the axes that newer runs have, with their defaults, so that both are one case."""
    defaults: dict[tuple[str, str], dict[str, Json]] = {}  # by family and variant; no variant: of the problem
    for run in report.runs:
        for family, given in dict_at(run.summary, "defaults").items():
            defaults.setdefault((family, ""), {}).update(dict_at(given, "problem"))
            for variant, point in dict_at(given, "variants").items():
                defaults.setdefault((family, variant), {}).update(dict_at({"point": point}, "point"))
    longest: dict[tuple[str, str], dict[str, Json]] = {}
    for record in report.records:
        for key, point in (((record.family, ""), record.problem), ((record.family, record.variant), record.point)):
            if len(point) > len(longest.get(key, {})):
                longest[key] = point

    def completed(key: tuple[str, str], point: dict[str, Json]) -> dict[str, Json]:
        missing = {axis: value for axis, value in defaults.get(key, {}).items() if axis not in point}
        if not missing:
            return point
        complete = point | missing
        return {axis: complete[axis] for axis in [*longest[key], *complete] if axis in complete}

    for record in report.records:
        record.problem = completed((record.family, ""), record.problem)
        record.point = completed((record.family, record.variant), record.point)


def _different_data(report: Report) -> list[str]:
    """A warning about problems that several runs measured with different data: their rates are not comparable."""
    first: dict[tuple[str, str], Record] = {}
    problems: dict[tuple[str, str], Record] = {}
    for record in report.records:
        if record.kind == "probe" or not record.data["problem_hash"]:
            continue
        key = (record.family, point_text(record.problem))
        known = first.setdefault(key, record)
        if known.data["problem_hash"] != record.data["problem_hash"]:
            problems.setdefault(key, record)
    if not problems:
        return []
    (family, problem), record = next(iter(problems.items()))
    places = [f"{of.data['problem_hash']} in {report.runs[of.run].folder}" for of in (first[family, problem], record)]
    return [f"warning: the data of {plural(len(problems), 'problem')} differ between runs, so their rates cannot be compared; "
            f"the first: {family}/{problem}: {places[0]}, {places[1]}"]  # fmt: skip


def _name_runs_apart(runs: list[Run]) -> None:
    """Appends its folder to the name of a run where several runs have the same name."""
    with_folder = [f"{run.name} ({printable(run.folder.absolute().name)})" for run in runs]
    names = [run.name for run in runs]
    for run, name, longer in zip(runs, names, with_folder, strict=True):
        if names.count(name) > 1:
            run.name = longer if with_folder.count(longer) == 1 else f"{name} ({printable(str(run.folder))})"


def _count_samples_of_passes(records: list[Record]) -> None:
    """A point of a probe has the samples of all passes."""
    of_point: dict[tuple[int, tuple[str, ...]], int] = {}
    probes = [record for record in records if record.kind == "probe"]
    for record in probes:
        key = (record.run, record.case)
        of_point[key] = of_point.get(key, 0) + record.samples
    for record in probes:
        record.other_samples = of_point[record.run, record.case] - record.samples


def point_text(point: dict[str, int | str]) -> str:
    """ "k=2,d=192,counters=alternate"."""
    return ",".join([f"{axis}={value}" for axis, value in point.items()])


def kind_of(value: Json) -> str:
    """The JSON type of a value, for messages."""
    names = {dict: "an object", list: "an array", str: "a string", bool: "a truth value", type(None): "null"}
    return names.get(type(value), "a number")  # pyright: ignore[reportUnknownArgumentType]


# Lenient access: records of other versions may lack an axis or a fact.


def number_at(values: Json, key: str) -> float | None:
    value = values.get(key) if type(values) is dict else None  # pyright: ignore
    kind = type(value)  # pyright: ignore
    return value if kind is float else float(value) if kind is int else None  # pyright: ignore


def text_at(values: Json, key: str) -> str:
    value = values.get(key) if isinstance(values, dict) else None  # pyright: ignore
    return value if isinstance(value, str) else ""


def word_at(values: Json, key: str) -> str:
    """A text or a number as text; empty where there is none."""
    value = values.get(key) if isinstance(values, dict) else None  # pyright: ignore
    return "" if value is None else str(value)  # pyright: ignore


def dict_at(values: Json, key: str) -> dict[str, Json]:
    value = values.get(key) if isinstance(values, dict) else None  # pyright: ignore
    return value if isinstance(value, dict) else {}  # pyright: ignore


def list_at(values: Json, key: str) -> list[Json]:
    value = values.get(key) if isinstance(values, dict) else None  # pyright: ignore
    return value if isinstance(value, list) else []  # pyright: ignore
