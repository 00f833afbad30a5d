"""Tells devices apart: the fingerprint of a device is the same in every run, its name is unique in a report."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from dataclasses import dataclass, field

from gpuseq.runs import Json, Record, Report, Run, dict_at, list_at, number_at, text_at
from gpuseq.units import Unit, format_value

# Current clocks, page settings and the number of the device in its run do not identify it.
_IDENTITY = ["name", "uuid", "driver_version", "cuda_driver_api_version", "toolkit_version", "nvrtc_version", "ecc",
             "mig", "multiprocessors", "l2_bytes", "max_sm_clock_mhz", "max_memory_clock_mhz", "max_clock_mhz",
             "power_limit_w", "cores", "threads", "caches"]  # fmt: skip


@dataclass
class _Seen:
    """A device, and the ids and runs that it was seen as."""

    description: dict[str, Json]
    ids: set[str] = field(default_factory=set[str])
    runs: set[str] = field(default_factory=set[str])

    def shortened(self) -> str:
        runs = sorted(self.runs)
        return "run " + ", ".join(runs) if len(runs) <= 2 else f"run {runs[0]} and {len(runs) - 1} others"


_WORDS: list[Callable[[_Seen], str]] = [
    lambda seen: "driver " + text_at(seen.description, "driver_version"),
    lambda seen: "toolkit " + text_at(seen.description, "toolkit_version"),
    lambda seen: format_value(number_at(seen.description, "memory_bytes") or 0, Unit.bytes),
    lambda seen: ", ".join(sorted(seen.ids)) if len(seen.runs) == 1 else "",
    _Seen.shortened,
    lambda seen: "run " + ", ".join(sorted(seen.runs)),
    lambda seen: f"{', '.join(sorted(seen.ids))}, run {', '.join(sorted(seen.runs))}",
    lambda seen: text_at(seen.description, "uuid"),
]


def _description(run: Run, record: Record) -> dict[str, Json]:
    return dict_at(record.provenance, "device") or dict_at(dict_at(run.summary, "devices"), record.device)


def _hash(value: Json) -> str:
    return hashlib.blake2b(json.dumps(value, sort_keys=True).encode(), digest_size=8).hexdigest()


def _without_ways(cache: Json) -> Json:
    return {key: cache[key] for key in sorted(cache) if key != "ways"} if isinstance(cache, dict) else cache  # pyright: ignore


def fingerprint(run: Run, record: Record, by_model: bool) -> str:
    description = _description(run, record)
    if not description:
        return _hash(f"{record.device} of {run.folder}")
    identity = {key: description[key] for key in _IDENTITY if key in description}
    if by_model:
        identity.pop("uuid", None)
    if "caches" in identity:  # older programs do not report the ways
        identity["caches"] = [_without_ways(cache) for cache in list_at(identity, "caches")]
    if (size := number_at(description, "memory_bytes")) is not None:  # kernels reserve different amounts
        identity["memory_gib"] = round(size / (1 << 30))
    if "uuid" not in description:
        identity["id"] = record.device
    return _hash(identity)


def device_name(summary: dict[str, Json] | None, provenance: dict[str, Json], device: str) -> str:
    """The name that run.json gives a device, else that of the provenance, else the id."""
    in_summary = dict_at(dict_at(summary, "devices"), device)
    return text_at(in_summary, "name") or text_at(dict_at(provenance, "device"), "name") or device


def _told_apart(name: str, devices: dict[str, _Seen]) -> dict[str, str]:
    """Names of devices that share `name`, by fingerprint."""
    if len(devices) == 1:
        return {next(iter(devices)): name}
    for word in _WORDS:
        words = {key: word(seen) for key, seen in devices.items()}
        if len(set(words.values())) == len(devices):
            return {key: f"{name} ({text})" for key, text in words.items()}
    return {key: f"{name} ({key[:6]})" for key in devices}


def identify_devices(report: Report) -> None:
    """Sets fingerprint and device_name of every record."""
    known: dict[tuple[int, str, int], str] = {}  # most records of a run and a device share their provenance
    by_name: dict[str, dict[str, _Seen]] = {}
    for record in report.records:
        run = report.runs[record.run]
        source = (record.run, record.device, id(record.provenance))
        if source not in known:
            known[source] = fingerprint(run, record, report.by_model)
            name = device_name(run.summary, record.provenance, record.device)
            seen = by_name.setdefault(name, {}).setdefault(known[source], _Seen(_description(run, record)))
            seen.ids.add(record.device)
            seen.runs.add(run.name)
        record.fingerprint = known[source]
    names: dict[str, str] = {}
    for name in sorted(by_name):
        names = _told_apart(name, by_name[name]) | names
    for record in report.records:
        record.device_name = names[record.fingerprint]
