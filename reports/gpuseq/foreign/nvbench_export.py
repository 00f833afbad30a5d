"""A run in NVBench's JSON, for its nvbench_compare and for tools that read it."""

from __future__ import annotations

import re
import statistics
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import orjson

from gpuseq.errors import UsageError
from gpuseq.foreign.nvbench import HARDWARE
from gpuseq.runs import Json, Record, Report, dict_at

_VERSION = {"major": 1, "minor": 0, "patch": 0, "string": "1.0.0"}  # of the JSON, as nvbench_json/version.py checks it
_TIME = "nv/cold/time/gpu"


def export_nvbench(report: Report, file: Path) -> int:
    """Writes the cases of the GPUs, and their sample times into the folder FILE-bin. Returns the number of cases.

    A benchmark is a variant, its axes are those of problem and point. CPUs are left out, as NVBench numbers GPUs only.
    """
    groups: dict[str, list[Record]] = {}
    for family in sorted({record.family for record in report.records}):
        for record in report.settled(family):
            if re.fullmatch(r"cuda:\d+", record.device):
                groups.setdefault(f"{record.family}/{record.variant}", []).append(record)
    if not groups:
        raise UsageError(f"{report.runs[0].folder}: holds no case of a GPU, and NVBench's format has no CPUs")
    samples: list[Sequence[float]] = []
    devices: dict[int, Json] = {}
    benchmarks: list[Json] = []
    for name, records in groups.items():
        names = list(dict.fromkeys(axis for record in records for axis in _axes(record)))
        states = [_state(record, names, f"{file.name}-bin", samples) for record in records]
        for record in records:
            devices[_number(record)] = _device(record)
        benchmarks.append({
            "name": name, "index": len(benchmarks), "devices": sorted({_number(record) for record in records}),
            "axes": [_axis(axis, states) for axis in names] or None, "states": states,
        })  # fmt: skip
    document: Json = {"meta": {"argv": [], "version": {"json": _VERSION}}, "devices": [devices[key] for key in sorted(devices)],
                "benchmarks": benchmarks}  # fmt: skip
    from gpuseq.report import write_atomically

    folder = file.with_name(f"{file.name}-bin")
    folder.mkdir(parents=True, exist_ok=True)
    for number, values in enumerate(samples):
        np.asarray(values, dtype="<f4").tofile(folder / f"{number}.bin")
    write_atomically(file, orjson.dumps(document, option=orjson.OPT_INDENT_2).decode() + "\n")
    return len(samples)


def _number(record: Record) -> int:
    return int(record.device.removeprefix("cuda:"))


def _device(record: Record) -> Json:
    known = dict_at(record.provenance, "device")
    return {"id": _number(record), "name": known.get("name") or record.device_name,
            **{theirs: known[ours] for theirs, ours in HARDWARE.items() if ours != "name" and known.get(ours) is not None}}  # fmt: skip


def _axes(record: Record) -> dict[str, int | str]:
    """By the names that they have in `query`."""
    return {f"{kind}_{axis}": value for kind, values in (("problem", record.problem), ("point", record.point))
            for axis, value in values.items()}  # fmt: skip


def _named(name: str, value: float | str) -> Json:
    """Numbers are texts, as NVBench writes them."""
    kind = "string" if isinstance(value, str) else "int64" if isinstance(value, int) else "float64"
    return {"name": name, "type": kind, "value": str(value)}


def _axis(name: str, states: list[Json]) -> Json:
    values = [value for state in states for value in state["axis_values"] if value["name"] == name]
    is_text = any(value["type"] == "string" for value in values)
    texts = dict.fromkeys(value["value"] for value in values)
    return {"name": name, "type": "string" if is_text else "int64", "flags": "",
            "values": [{"input_string": text, "description": "", "value": text if is_text else int(text)}
                       for text in texts]}  # fmt: skip


def _state(record: Record, names: list[str], folder: str, samples: list[Sequence[float]]) -> Json:
    """Every state has every axis of its benchmark: the tables of nvbench_compare have a column for each."""
    axes = _axes(record)
    values = [_named(axis, axes.get(axis, "")) for axis in names]
    times: list[float] = record.data["samples_s"]
    summaries = [{"tag": tag, "name": tag.rsplit("/", 1)[1], "hint": hint, "data": [_named("value", value)]}
                 for tag, hint, value in _summaries(times)]  # fmt: skip
    summaries.append({"tag": "nv/json/bin:nv/cold/sample_times", "name": "Sample Times File", "hint": "file/sample_times",
                      "data": [_named("filename", f"{folder}/{len(samples)}.bin"), _named("size", len(times))]})  # fmt: skip
    samples.append(times)
    return {"name": " ".join([f"Device={_number(record)}", *(f"{value['name']}={value['value']}" for value in values)]),
            "device": _number(record), "type_config_index": 0, "axis_values": values, "summaries": summaries,
            "is_skipped": False}  # fmt: skip


def _summaries(times: list[float]) -> list[tuple[str, str, int | float]]:
    """Deviations of a single sample are infinite, as NVBench has them."""
    mean, middle = statistics.fmean(times), statistics.median(times)
    deviation = statistics.stdev(times) if len(times) > 1 else float("inf")
    first, third = (float(value) for value in np.quantile(times, (0.25, 0.75)))
    of_times = {"min": min(times), "max": max(times), "mean": mean, "stdev/absolute": deviation, "q1": first,
                "median": middle, "q3": third, "iqr/absolute": third - first}  # fmt: skip
    relative = {"stdev/relative": deviation / mean, "iqr/relative": (third - first) / middle}
    return [("nv/cold/sample_size", "sample_size", len(times)),
            *((f"{_TIME}/{name}", "duration", value) for name, value in of_times.items()),
            *((f"{_TIME}/{name}", "percentage", value) for name, value in relative.items())]  # fmt: skip
