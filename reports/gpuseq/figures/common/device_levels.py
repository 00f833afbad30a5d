"""Levels of a device's memory. A level ends at a knee of the curves over footprint."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from gpuseq.charts.values import Band
from gpuseq.errors import UsageError
from gpuseq.runs import Json, Record, Report, dict_at, list_at, number_at, read_json, text_at
from gpuseq.units import Unit, format_value


@dataclass(frozen=True)
class DeviceLevel:
    name: str  # "L2"
    at_bytes: float
    low_bytes: float
    high_bytes: float
    stated_bytes: float  # 0: not stated
    uncertain: bool  # one curve alone shows it


def _levels(levels: list[Json]) -> list[DeviceLevel]:
    found: list[DeviceLevel] = []
    for level in levels:
        at = number_at(level, "measured_bytes")
        if at is None or at <= 0:
            continue
        low, high = number_at(level, "low_bytes"), number_at(level, "high_bytes")
        found.append(DeviceLevel(
            text_at(level, "name"), at, at if low is None else low, at if high is None else high,
            number_at(level, "stated_bytes") or 0, level.get("uncertain") is True))  # fmt: skip
    return found


def device_levels(report: Report, places: Iterable[tuple[int, str]]) -> list[DeviceLevel]:
    """Levels of a device, nearest first: those of run.json, else of the machine profile next to it.

    `places`: the runs that used the device, with its id in each; the first that has levels counts.
    """
    places = list(dict.fromkeys(places))
    for run, device in places:
        if levels := _levels(list_at(dict_at(report.runs[run].summary, "levels"), device)):
            return levels
    for run, device in places:
        profile = report.runs[run].folder / "machine.json"
        try:
            devices = dict_at(read_json(profile), "devices") if profile.is_file() else {}
        except UsageError:  # a report does not fail for a profile
            continue
        if levels := _levels(list_at(dict_at(devices, device), "levels")):
            return levels
    return []


def level_bands(report: Report, shown: list[Record]) -> list[Band]:
    """Levels of the one device of `shown` that end among its footprints."""
    footprints = [number_at(record.point, "footprint_bytes") or 0 for record in shown]
    levels = device_levels(report, ((record.run, record.device) for record in shown))
    return [
        Band(level.low_bytes, level.high_bytes, format_value(level.at_bytes, Unit.bytes))
        for level in levels
        if min(footprints) < level.at_bytes < max(footprints)
    ]
