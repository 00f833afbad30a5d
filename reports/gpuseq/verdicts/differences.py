"""In which fields of their provenance two sides differ, and which of them make the sides incomparable."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from dataclasses import dataclass, field

from gpuseq.runs import Json, dict_at, point_text
from gpuseq.verdicts.sides import Measured, Side

_DRIVER = {"driver_version", "cuda_driver_api_version", "nvrtc_version", "toolkit_version"}
_DEVICE = {"name", "uuid", "ecc", "mig", "caches", "cores", "threads", "memory_bytes", "l2_bytes", "multiprocessors",
           "power_limit_w", "max_clock_mhz", "max_sm_clock_mhz", "max_memory_clock_mhz"}  # fmt: skip
# Differ from record to record, or repeat another field.
_VOLATILE = {"date", "clock_mhz", "sm_clock_mhz", "memory_clock_mhz", "id", "description_hash"}
# Time that a control group grants: it makes nothing incomparable, and explains much.
_QUOTA, _NO_QUOTA = "host/cpu_quota", "no limit"


@dataclass
class Allowed:
    """The fields that may differ between the sides without refusing to compare."""

    device: bool = False  # name, UUID, memory, caches, clocks, ECC, MIG
    driver: bool = False  # driver and toolkit
    problem: bool = False  # problem hash


@dataclass
class Difference:
    field: str  # "device cuda:0/driver_version", "problem_hash of fm_index/..."
    base: str
    new: str
    refuses: bool  # it makes the sides incomparable unless allowed


@dataclass
class _Field:
    group: str = ""  # device, driver, problem; empty: it is listed only
    texts: set[str] = field(default_factory=set[str])

    def __str__(self) -> str:
        return " and ".join(sorted(self.texts)) or "not recorded"


def _text(value: Json) -> str:
    return value if isinstance(value, str) else json.dumps(value, separators=(",", ":"), sort_keys=True)


def _device_fields(device: dict[str, Json], name: str) -> Iterator[tuple[str, str, str]]:
    for key, value in device.items():
        if value is None or key in _VOLATILE or key.endswith("_reason"):
            continue
        group = "driver" if key in _DRIVER else "device" if key in _DEVICE else ""
        # Memory of a host is the rest that its kernel left, which differs a little from boot to boot.
        is_of_host = key == "memory_bytes" and name == "cpu" and isinstance(value, int | float)
        yield f"device {name}/{key}", group, f"{value / (1 << 30):.0f} GiB" if is_of_host else _text(value)


def _record_fields(record: Measured) -> Iterator[tuple[str, str, str]]:
    """Name, group and text of each field of a record's provenance."""
    for key, value in record.provenance.items():
        if key == "device":
            yield from _device_fields(dict_at(record.provenance, "device"), record.device)
        elif isinstance(value, dict):
            for inner, of_inner in dict_at(record.provenance, key).items():
                name = f"{key}/{inner}"
                if of_inner is None and name == _QUOTA:
                    yield name, "", _NO_QUOTA
                elif of_inner is not None and not inner.endswith("_reason") and name != "host/caches":
                    yield name, "", _text(of_inner)
        elif value is not None and key not in _VOLATILE:
            yield key, "", _text(value)


def _fields(side: Side) -> dict[str, _Field]:
    fields: dict[str, _Field] = {}
    seen: set[tuple[int, str]] = set()  # records of one device share their provenance

    def add(name: str, group: str, text: str) -> None:
        known = fields.setdefault(name, _Field(group))
        known.texts.add(text)

    for process in side.processes:
        for record in process:
            key = (id(record.provenance), record.device)
            if key not in seen:
                seen.add(key)
                for name, group, text in _record_fields(record):
                    add(name, group, text)
            if record.plugin_hash:
                add(f"plugin_hash of {record.family}/{record.variant}", "", record.plugin_hash)
            if record.status == "ok" and record.problem_hash:
                name = f"problem_hash of {record.family}/{point_text(record.problem)}/{record.device}"
                add(name, "problem", record.problem_hash)
    return fields


def differences(base: Side, new: Side, allowed: Allowed) -> list[Difference]:
    """Every field in which the sides differ, but for dates and values that change by themselves while a machine runs; and the
    hashes of problems that both sides measured, or that a side measured with different data.

    A side that holds several values shows them all. A value that one side could not have (null) refuses nothing.
    """
    first, second = _fields(base), _fields(new)
    found: list[Difference] = []
    for name in sorted(first.keys() | second.keys()):
        of_base, of_new = first.get(name, _Field()), second.get(name, _Field())
        group = of_base.group or of_new.group
        on_both = bool(of_base.texts and of_new.texts)
        # A side whose processes measured different data under one name has no value to compare.
        mixed = group == "problem" and max(len(of_base.texts), len(of_new.texts)) > 1
        if not on_both and not mixed and (group == "problem" or name.startswith("device ")):
            continue
        if of_base.texts == of_new.texts and not mixed:
            continue
        if not on_both and name == _QUOTA and of_base.texts | of_new.texts == {_NO_QUOTA}:
            continue  # records of older versions do not say that there is none
        refuses = bool(group) and not getattr(allowed, group)
        found.append(Difference(name, str(of_base), str(of_new), (on_both or mixed) and refuses))
    return found


def why_refused(found: list[Difference]) -> str:
    """Lines of the differences that refuse: "device cpu/name: A in the base, B in the new side"."""
    return "".join(f"\n  {difference.field}: {difference.base} in the base, {difference.new} in the new side"
                   for difference in found if difference.refuses)  # fmt: skip


def device_hash(record: Measured) -> str:
    """The identity of a device without its driver: 16 hexadecimal digits of the fields that refuse as device, and of the
    CPU quota if there is one."""
    texts = sorted(f"{name}={text}" for name, group, text in _record_fields(record)
                   if group == "device" or (name == _QUOTA and text != _NO_QUOTA))  # fmt: skip
    return hashlib.sha256("\n".join(texts).encode()).hexdigest()[:16]
