"""The records of a page: columns, which its table and filter read as it opens, and details, read for one record."""

from __future__ import annotations

import json
from collections.abc import Callable, Hashable, Iterator
from operator import itemgetter

from gpuseq.page.packed_json import JsonPacker, number_json
from gpuseq.runs import Json, Record, Report, dict_at, number_at, text_at

RECORDS_PER_CHUNK = 256  # details that the page parses at once

# Fields of a record that are columns, or that the page does not show.
_IN_COLUMNS = {"schema_version", "state", "family", "variant", "problem", "point", "device", "kind", "phase",
               "repetition", "status", "failure", "synthetic", "provenance", "date"}  # fmt: skip

_TEXTS: dict[str, Callable[[Report, Record], Json]] = {
    "status": lambda _, record: record.data["status"],
    "kind": lambda _, record: record.kind,
    "phase": lambda _, record: record.phase,
    "family": lambda _, record: record.family,
    "variant": lambda _, record: record.variant,
    "device": lambda _, record: record.device_name,
    "device_id": lambda _, record: record.device,
    "run": lambda report, record: report.runs[record.run].name,
    "repetition": lambda _, record: record.data["repetition"],
    "synthetic": lambda _, record: record.synthetic,
    "verified": lambda _, record: dict_at(record.data, "verification").get("passed"),
    "rate_unit": lambda _, record: record.rate_unit,
    "failure_kind": lambda _, record: text_at(record.data.get("failure"), "kind"),
    "reason": lambda _, record: text_at(record.data.get("failure"), "reason"),
}
"""Columns of few different values."""

_POINTS: dict[str, Callable[[Record], dict[str, int | str]]] = {
    "problem": lambda record: record.problem,
    "point": lambda record: record.point,
}

_Fields = tuple[tuple[str, ...], Callable[[dict[str, Json]], tuple[Json, ...]]]
"""Names of the fields that details have of a record, and the function that takes them out of it."""

_STATISTICS = ["rate", "rate_low", "rate_high", "confidence", "median_s"]


def record_scripts(report: Report) -> tuple[str, Iterator[tuple[str, str]]]:
    """The JSON of the columns, and id and JSON of the scripts of details, which may follow the page's own scripts."""
    return _columns(report), _details(report)


def _columns(report: Report) -> str:
    records = report.records
    pooled = [_pooled(name, [value(report, record) for record in records]) for name, value in _TEXTS.items()]
    pooled += [_pooled_points(name, [point(record) for record in records]) for name, point in _POINTS.items()]
    numbers = [_numbers(name, [number_at(record.data["statistics"], name) for record in records])
               for name in _STATISTICS]  # fmt: skip
    numbers.append(_numbers("samples", [float(len(record.data["samples_s"])) for record in records]))
    numbers.append(_numbers("fraction_of_bound", [number_at(record.bound, "fraction") for record in records]))
    return (f'{{"count":{len(records)},"per_chunk":{RECORDS_PER_CHUNK},"pooled":{{{",".join(pooled)}}},'
            f'"numbers":{{{",".join(numbers)}}}}}')  # fmt: skip


def _pooled(name: str, values: list[Json]) -> str:
    """{"values": [each value once], "rows": [place of each record's value]}"""
    places: dict[Hashable, int] = {}
    rows = [places.setdefault(value, len(places)) for value in values]
    return f'"{name}":{{"values":{json.dumps(list(places))},"rows":{json.dumps(rows, separators=(",", ":"))}}}'


def _pooled_points(name: str, points: list[dict[str, int | str]]) -> str:
    places: dict[tuple[tuple[str, int | str], ...], int] = {}
    rows = [places.setdefault(tuple(point.items()), len(places)) for point in points]
    values = json.dumps([dict(point) for point in places], separators=(",", ":"))
    return f'"{name}":{{"values":{values},"rows":{json.dumps(rows, separators=(",", ":"))}}}'


def _numbers(name: str, values: list[float | None]) -> str:
    texts = ["null" if value is None else number_json(value) for value in values]
    return f'"{name}":[{",".join(texts)}]'


def _details(report: Report) -> Iterator[tuple[str, str]]:
    """Ids and JSON of the scripts of details."""
    details = _Details()
    for first in range(0, len(report.records), RECORDS_PER_CHUNK):
        texts = [details.packed(record) for record in report.records[first : first + RECORDS_PER_CHUNK]]
        yield f"record-details-{first // RECORDS_PER_CHUNK}", f"[{','.join(texts)}]"
    yield "record-dictionary", details.packer.dictionary()


class _Details:
    """Packs the fields that columns do not hold."""

    def __init__(self) -> None:
        self.packer = JsonPacker()
        self._common: dict[int, str] = {}  # by provenance, which many records share
        self._fields: dict[tuple[str, ...], _Fields] = {}

    def packed(self, record: Record) -> str:
        """[its own fields, its own of the provenance, the shared ones of the provenance]"""
        names = tuple(record.data)
        if names not in self._fields:
            kept = tuple([name for name in names if name not in _IN_COLUMNS])
            self._fields[names] = (kept, itemgetter(*kept))
        kept, values_of = self._fields[names]
        date = record.data.get("date") or record.provenance.get("date")
        own = self.packer.object(kept, values_of(record.data))
        return f"[{own},{self.packer.pack({'date': date} if date else {})},{self._shared(record.provenance)}]"

    def _shared(self, provenance: dict[str, Json]) -> str:
        place = id(provenance)
        if place not in self._common:
            shared = {key: value for key, value in provenance.items() if key != "date"}
            self._common[place] = self.packer.share_members(shared)
        return self._common[place]
