"""Lines of records.jsonl, parsed and checked."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from itertools import islice
from operator import itemgetter
from pathlib import Path

import orjson

from gpuseq.errors import UsageError
from gpuseq.runs import PHASES, Json, dict_at, kind_of, number_at, point_text, refuse_constant, require_regular
from gpuseq.text import printable, printable_json

SCHEMA_VERSION = 3
_LINES_AT_ONCE = 256

_FIELDS: dict[str, tuple[type, ...]] = {
    "family": (str,), "variant": (str,), "problem": (dict,), "point": (dict,), "device": (str,), "kind": (str,),
    "phase": (str,), "repetition": (int,), "status": (str,), "samples_s": (list,), "facts": (dict,), "notes": (list,),
    "synthetic": (bool,), "problem_hash": (str,), "provenance": (str,),
    "statistics": (dict, type(None)), "bound": (dict, type(None)), "traffic": (dict, type(None)),
    "resources": (dict, type(None)), "memory": (dict, type(None)), "counters": (dict, type(None)),
    "energy": (dict, type(None)), "work": (dict, type(None)),
}  # fmt: skip

_values_of_fields: Callable[[dict[str, Json]], tuple[Json, ...]] = itemgetter(*_FIELDS)
_right_kinds: set[tuple[type, ...]] = set()  # types of the fields of records that were right


def read_records(journal: Path, whole: bool = False) -> Iterator[tuple[int, dict[str, Json], dict[str, Json]]]:
    """Line number, record and provenance of each record. A last line without its end, as a killed run leaves it, is
    skipped. Raises UsageError with file and line for any other line that is wrong."""
    provenances: dict[str, dict[str, Json]] = {}
    hashes: dict[tuple[str, str], str] = {}  # of the data of each problem
    for number, data in _lines(journal, whole):
        if "provenance_id" in data:
            provenances[str(data["provenance_id"])] = dict_at(data, "provenance")
            continue
        _check(data, f"{journal}:{number}")
        if data["provenance"] not in provenances:
            raise UsageError(f"{journal}:{number}: /provenance: found {data['provenance']}, which no line above "
                             "gives")  # fmt: skip
        if data["kind"] != "probe" and data["problem_hash"]:
            known = hashes.setdefault((data["family"], point_text(data["problem"])), data["problem_hash"])
            if known != data["problem_hash"]:
                raise UsageError(f"{journal}:{number}: /problem_hash: found {data['problem_hash']}; the records above "
                                 f"have {known} for the same problem")  # fmt: skip
        yield number, data, provenances[data["provenance"]]


def _lines(journal: Path, whole: bool) -> Iterator[tuple[int, dict[str, Json]]]:
    """Number and object of each line."""
    require_regular(journal)
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
    """Lines that are parsed together share the texts of their keys, half of the memory of most records. orjson takes half
    of json's time; where it refuses a line, json reports its error."""
    try:
        values: Json = orjson.loads(b"[%b]" % b",".join(block))
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


def _parsed(line: bytes, where: str) -> Json:
    try:
        return json.loads(line, parse_constant=refuse_constant)
    except (ValueError, RecursionError) as error:
        raise UsageError(f"{where}: not a JSON object: {printable(str(error))}") from None


def _check(data: dict[str, Json], where: str) -> None:
    version = data.get("schema_version")
    if version != SCHEMA_VERSION:
        advice = (
            "; `gpuseq-bench migrate RUN` converts it" if isinstance(version, int) and version < SCHEMA_VERSION else ""
        )
        raise UsageError(f"{where}: /schema_version: found {json.dumps(version)}; allowed: {SCHEMA_VERSION}{advice}")
    try:
        kinds = tuple(map(type, _values_of_fields(data)))
    except KeyError:
        kinds = ()
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
