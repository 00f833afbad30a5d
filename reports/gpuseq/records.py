"""Run folders as records.

A run folder has records.jsonl (results/record.schema.json) and run.json. `load_runs` reads both and joins what a
record refers to: its run, its provenance, and a name of its device that no other device of the report has.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import Any

from gpuseq.errors import UsageError
from gpuseq.text import plural, printable, printable_json

Json = Any
SCHEMA_VERSION = 3
PHASES = ["probe", "refine", "size", "winner", "sweep", "tune"]  # later ones measure a case again
_LINES_AT_ONCE = 256
FEWEST_SAMPLES = 6  # for a confidence interval of 95 %

_FIELDS: dict[str, tuple[type, ...]] = {
    "family": (str,), "variant": (str,), "problem": (dict,), "point": (dict,), "device": (str,), "kind": (str,),
    "phase": (str,), "repetition": (int,), "status": (str,), "samples_s": (list,), "facts": (dict,), "notes": (list,),
    "synthetic": (bool,), "problem_hash": (str,), "provenance": (str,),
    "statistics": (dict, type(None)), "bound": (dict, type(None)), "traffic": (dict, type(None)),
    "resources": (dict, type(None)), "memory": (dict, type(None)), "counters": (dict, type(None)),
    "energy": (dict, type(None)), "work": (dict, type(None)),
}  # fmt: skip

_right_kinds: set[tuple[str, ...]] = set()  # types of the fields of records that were right


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

    def settled(
        self, family: str, *, tools: bool = False, having: Callable[[Record], bool] | None = None
    ) -> list[Record]:
        """The reported record of each benchmark case and device of a family.

        It is of the last phase that measured the case, and the median repetition of that phase, so that no lucky
        repetition is selected. Runs on one device count as repetitions. Phase "size" does not count.
        `tools` adds external tools; only records for which `having` is true count.
        """
        cases: dict[tuple[str, ...], list[Record]] = {}
        for record in self.records:
            if record.family != family or (record.is_tool and not tools) or record.phase == "size":
                continue
            if record.ok and 0 < record.rate < math.inf and (having is None or having(record)):
                cases.setdefault(record.case, []).append(record)
        return [_median_of_last_phase(cases[case]) for case in sorted(cases)]

    def kernel_families(self) -> list[str]:
        return sorted({record.family for record in self.records if record.kind == "kernel"})


def _median_of_last_phase(records: list[Record]) -> Record:
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
    summary = read_json(summary_file) if summary_file.exists() else None
    if not isinstance(summary, dict | None):
        raise UsageError(f"{summary_file}: found {kind_of(summary)}; allowed: an object")
    if summary is None and not journal.exists():
        raise UsageError(f"{folder}: neither records.jsonl nor run.json is here; give the folder of a run")
    name = text_at(summary, "name") or printable(folder.name or folder.absolute().name)
    report.runs.append(Run(folder, name, summary))  # pyright: ignore[reportUnknownArgumentType]
    disturbed = {
        state for device in dict_at(summary, "probe_points").values() for state in list_at(device, "disturbed")
    }
    if not journal.exists():
        return
    hashes: dict[tuple[str, str], str] = {}
    for number, data, provenance in read_records(journal, whole):
        record = Record(data, len(report.records), len(report.runs) - 1, provenance, data["family"], data["variant"],
                        data["problem"], data["point"], data["device"], data["kind"], data["phase"],
                        data["state"] in disturbed)  # fmt: skip
        if record.kind != "probe" and data["problem_hash"]:
            known = hashes.setdefault((record.family, point_text(record.problem)), data["problem_hash"])
            if known != data["problem_hash"]:
                raise UsageError(f"{journal}:{number}: /problem_hash: found {data['problem_hash']}; the records "
                                 f"above have {known} for the same problem")  # fmt: skip
        report.records.append(record)


def read_records(journal: Path, whole: bool = False) -> Iterator[tuple[int, dict[str, Json], dict[str, Json]]]:
    """Line number, record and provenance of each record. A last line without its end, as a killed run leaves it, is
    skipped. Raises UsageError with file and line for any other line that is wrong."""
    provenances: dict[str, dict[str, Json]] = {}
    for number, data in _lines(journal, whole):
        if "provenance_id" in data:
            provenances[str(data["provenance_id"])] = dict_at(data, "provenance")
            continue
        _check(data, f"{journal}:{number}")
        if data["provenance"] not in provenances:
            raise UsageError(f"{journal}:{number}: /provenance: found {data['provenance']}, which no line above "
                             "gives")  # fmt: skip
        yield number, data, provenances[data["provenance"]]


def _lines(journal: Path, whole: bool) -> Iterator[tuple[int, dict[str, Json]]]:
    """Number and object of each line."""
    with journal.open("rb") as lines:
        first = 1
        while block := list(islice(lines, _LINES_AT_ONCE)):
            end = len(block) - (not block[-1].endswith(b"\n"))
            yield from enumerate(_parsed_block(block[:end], first, journal), start=first)
            if end < len(block) and whole:
                raise UsageError(
                    f"{journal}:{first + end}: the line has no end: the run was killed or is running; "
                    "`gpuseq-bench --resume` finishes it"
                )
            first += len(block)


def _parsed_block(block: list[bytes], first: int, journal: Path) -> Iterator[dict[str, Json]]:
    """Lines that are parsed together share the texts of their keys, half of the memory of most records."""
    try:
        values: Json = json.loads(b"[%b]" % b",".join(block), parse_constant=_refuse_constant)
    except (ValueError, RecursionError):
        values = []
    if len(values) != len(block):  # a line is wrong, which its own parsing names
        values = None
    for place, line in enumerate(block):
        data = values[place] if values else _parsed(line, f"{journal}:{first + place}")
        if not isinstance(data, dict):
            raise UsageError(f"{journal}:{first + place}: found {kind_of(data)}; allowed: an object")
        if b"\\u" in line or not line.isascii() or b"\x7f" in line:
            data = printable_json(data)
        yield data  # pyright: ignore[reportUnknownVariableType]


def _refuse_constant(name: str) -> float:
    raise ValueError(f"found {name}; allowed: a finite number")


def _parsed(line: bytes, where: str) -> Json:
    try:
        return json.loads(line, parse_constant=_refuse_constant)
    except (ValueError, RecursionError) as error:
        raise UsageError(f"{where}: not a JSON object: {printable(str(error))}") from None


def _check(data: dict[str, Json], where: str) -> None:
    version = data.get("schema_version")
    if version != SCHEMA_VERSION:
        advice = (
            "; `gpuseq-bench migrate RUN` converts it" if isinstance(version, int) and version < SCHEMA_VERSION else ""
        )
        raise UsageError(f"{where}: /schema_version: found {json.dumps(version)}; allowed: {SCHEMA_VERSION}{advice}")
    kinds = tuple([type(data[name]).__name__ if name in data else "" for name in _FIELDS])
    for name, types in () if kinds in _right_kinds else _FIELDS.items():
        if name not in data or not isinstance(data[name], types):
            found = type(data[name]).__name__ if name in data else "nothing"
            raise UsageError(f"{where}: /{name}: found {found}; allowed: {' or '.join(t.__name__ for t in types)}")
    _right_kinds.add(kinds)
    if data["phase"] not in PHASES:
        raise UsageError(f'{where}: /phase: found "{data["phase"]}"; allowed: {", ".join(PHASES)}')
    statistics = data["statistics"]
    for name in ("rate", "samples") if statistics else ():
        if number_at(statistics, name) is None:
            raise UsageError(
                f"{where}: /statistics/{name}: found {json.dumps(statistics.get(name))}; allowed: a number"
            )


def read_json(file: Path) -> Json:
    """A JSON file with printable texts. Raises UsageError."""
    try:
        return printable_json(json.loads(file.read_bytes(), parse_constant=_refuse_constant))
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
    value = values.get(key) if isinstance(values, dict) else None  # pyright: ignore
    return float(value) if isinstance(value, int | float) and not isinstance(value, bool) else None


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
