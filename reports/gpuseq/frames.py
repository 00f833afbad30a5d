"""Records as a table: one row per record, in a polars data frame with documented columns."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gpuseq.runs import Record, Report, dict_at, list_at, load_runs, number_at, point_text, text_at

if TYPE_CHECKING:
    import polars

_Cell = str | float | int | bool | list[float] | list[str] | None
_Column = tuple[str, str, Callable[[Report, Record], _Cell]]


def _number(part: str, key: str) -> Callable[[Report, Record], _Cell]:
    return lambda _, record: number_at(record.data.get(part), key)


def _text(part: str, key: str) -> Callable[[Report, Record], _Cell]:
    return lambda _, record: text_at(record.data.get(part), key) or None


_COLUMNS: list[_Column] = [
    ("run", "name of the run", lambda report, record: report.runs[record.run].name),
    ("folder", "folder of the run", lambda report, record: str(report.runs[record.run].folder)),
    ("device_name", "device, unique in the table", lambda _, record: record.device_name),
    ("device", "id of the device in its run: cpu, cuda:0", lambda _, record: record.device),
    ("kind", "kernel, probe or tool (an external program)", lambda _, record: record.kind),
    ("family", "kernel family or probe", lambda _, record: record.family),
    ("variant", "variant of the family", lambda _, record: record.variant),
    ("problem", "axes of the problem as text", lambda _, record: point_text(record.problem)),
    ("problem_label", "the problem in words", lambda _, record: text_at(record.data, "problem_label") or None),
    ("point", "configuration of the variant as text", lambda _, record: point_text(record.point)),
    ("phase", "phase of the run that measured it", lambda _, record: record.phase),
    ("repetition", "repetition within the phase", lambda _, record: record.data["repetition"]),
    ("status", "ok, failed or skipped", lambda _, record: record.data["status"]),
    ("failure", "why it is not ok", lambda _, record: text_at(record.data.get("failure"), "reason") or None),
    ("settled", "whether figures and tables report this record of the benchmark case", None),  # type: ignore[list-item]
    ("rate", "work per second", _number("statistics", "rate")),
    ("rate_low", "lower end of its 95 % interval", _number("statistics", "rate_low")),
    ("rate_high", "upper end of its 95 % interval", _number("statistics", "rate_high")),
    ("rate_unit", "unit of the rate", _text("statistics", "rate_unit")),
    ("median_s", "median seconds per launch", _number("statistics", "median_s")),
    ("samples", "number of samples", lambda _, record: record.samples if record.statistics else None),
    ("samples_s", "seconds per launch of each sample", lambda _, record: [float(s) for s in record.data["samples_s"]]),
    ("work", "work per launch", _number("work", "amount")),
    ("work_unit", "unit of the work", _text("work", "unit")),
    ("bound", "bound of the rate by the probes of the machine", _number("bound", "rate")),
    ("bound_fraction", "rate divided by its bound", _number("bound", "fraction")),
    ("bound_by", "resource that limits the bound", _text("bound", "bound_by")),
    ("footprint_bytes", "bytes that a launch reads at random", _number("traffic", "footprint_bytes")),
    ("memory_bytes", "memory footprint", _number("memory", "bytes")),
    ("registers_per_thread", "registers per GPU thread", _number("resources", "registers_per_thread")),
    ("occupancy", "occupancy of a multiprocessor", _number("resources", "occupancy")),
    ("work_per_joule", "work per joule", lambda _, record: record.work_per_joule),
    ("synthetic", "whether the reference is a generated BWT", lambda _, record: record.synthetic),
    ("problem_hash", "hash of the data", lambda _, record: record.data["problem_hash"]),
    ("notes", "notes of the program", lambda _, record: [str(note) for note in list_at(record.data, "notes")]),
    ("date", "UTC", lambda _, record: text_at(record.data, "date") or None),
    ("host_cpu", "processor of the host", lambda _, record: text_at(dict_at(record.provenance, "host"), "cpu") or None),
    ("driver", "version of the GPU driver",
     lambda _, record: text_at(dict_at(record.provenance, "device"), "driver_version") or None),
    ("version", "version of gpuseq-bench",
     lambda _, record: text_at(dict_at(record.provenance, "program"), "version") or None),
    ("commit", "commit of gpuseq-bench",
     lambda _, record: text_at(dict_at(record.provenance, "program"), "commit") or None),
]  # fmt: skip

COLUMNS = {name: meaning for name, meaning, _ in _COLUMNS}
"""Columns of every table. Axes follow as problem_<axis> and point_<axis>, facts as fact_<name>."""


def records(*runs: str | Path, by_model: bool = False) -> polars.DataFrame:
    """The records of run folders as a table. Raises UsageError for wrong input."""
    return frame_of(load_runs([Path(run) for run in runs], by_model=by_model))


def frame_of(report: Report) -> polars.DataFrame:
    import polars

    all_records = report.records
    settled = {
        id(record)
        for family in {record.family for record in all_records}
        for record in report.settled(family, tools=True)
    }
    columns: dict[str, list[Any]] = {}
    for name, _, cell in _COLUMNS:
        if name == "settled":
            columns[name] = [id(record) in settled for record in all_records]
        else:
            columns[name] = [cell(report, record) for record in all_records]
    parts: list[tuple[str, Callable[[Record], dict[str, Any]]]] = [
        ("problem", lambda record: record.problem),
        ("point", lambda record: record.point),
        ("fact", lambda record: record.facts),
    ]
    for prefix, values in parts:
        for key in sorted({key for record in all_records for key in values(record)}):
            columns[f"{prefix}_{key}"] = _uniform([values(record).get(key) for record in all_records])
    schema = {"settled": polars.Boolean, "samples_s": polars.List(polars.Float64), "notes": polars.List(polars.String)}
    return polars.DataFrame(columns, schema_overrides=schema, strict=False, infer_schema_length=None)


def _uniform(values: list[Any]) -> list[Any]:
    """Values of one type: numbers or truth values where all are such, else texts."""
    present = [value for value in values if value is not None]
    if all(isinstance(value, bool) for value in present) or all(
        isinstance(value, int | float) and not isinstance(value, bool) for value in present
    ):
        return values
    return [None if value is None else value if isinstance(value, str) else _json(value) for value in values]


def _json(value: Any) -> str:
    import json

    return json.dumps(value)
