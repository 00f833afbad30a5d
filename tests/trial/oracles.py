"""The right results, by brute force: no code or format is shared with the program."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from pathlib import Path

from case import Check, reverse_complement

Records = Sequence[tuple[str, str]]


def first_difference(found: Sequence[object], wanted: Sequence[object]) -> str | None:
    for row, (ours, right) in enumerate(zip(found, wanted, strict=False)):
        if ours != right:
            return f"row {row + 1}: found {ours}, right is {right}"
    if len(found) != len(wanted):
        return f"{len(found)} rows, right are {len(wanted)}"
    return None


def rows_of(path: Path) -> list[list[str]]:
    return [line.split("\t") for line in path.read_text().splitlines()[1:]]


def strands_of(letters: str, both: bool) -> list[tuple[str, str]]:
    forward = letters.upper()
    return [("+", forward), ("-", reverse_complement(forward))] if both else [("+", forward)]


def occurrences(text: str, sought: str) -> list[int]:
    """Places from 0, overlapping ones too; none where a letter is not A, C, G or T."""
    if not sought or re.search("[^ACGT]", sought):
        return []
    return [found.start() for found in re.finditer(f"(?={sought})", text.upper())]


def located(reference: Records, queries: Records, both: bool) -> Check:
    """The rows of exec fm_locate."""
    wanted = sorted((name, record, place + 1, strand)
                    for name, letters in queries for strand, sought in strands_of(letters, both)
                    for record, text in reference for place in occurrences(text, sought))

    def check(folder: Path, _output: str) -> str | None:
        found = sorted((name, record, int(place), strand) for name, record, place, strand in rows_of(folder / "out"))
        return first_difference(found, wanted)

    return check


def counted(reference: Records, queries: Records) -> Check:
    """Name and count of every query, in order, by exec fm_index: joined records without letters other than ACGT."""
    text = re.sub("[^ACGT]", "", "".join(letters.upper() for _, letters in reference))
    wanted = [(name, len(occurrences(text, letters.upper()))) for name, letters in queries]

    def check(folder: Path, _output: str) -> str | None:
        found = [(row[0], int(row[3])) for row in rows_of(folder / "out")]
        return first_difference(found, wanted)

    return check


def maximal_matches(reference: Records, queries: Records, shortest: int, both: bool, unique: bool) -> Check:
    """The blocks of exec exact_match with four columns: (record, place, place in the query, length)."""
    texts = [(name, letters.upper()) for name, letters in reference]
    wanted = []
    for name, letters in queries:
        for strand, query in strands_of(letters, both):
            rows = [row for record, text in texts for row in _matches(record, text, query, shortest)]
            if unique:
                rows = [row for row in rows
                        if sum(len(occurrences(text, query[row[2] - 1:row[2] - 1 + row[3]])) for _, text in texts) == 1]
            wanted.append((f"> {name}" + (" Reverse" if strand == "-" else ""), sorted(rows)))

    def check(folder: Path, _output: str) -> str | None:
        found: list[tuple[str, list[tuple[str, int, int, int]]]] = []
        for line in (folder / "out").read_text().splitlines():
            if line.startswith(">"):
                found.append((" ".join(line.split()), []))
            else:
                record, *numbers = line.split()
                place, in_query, length = map(int, numbers)
                found[-1][1].append((record, place, in_query, length))
        return first_difference([(head, sorted(rows)) for head, rows in found], wanted)

    return check


def _matches(record: str, text: str, query: str, shortest: int) -> list[tuple[str, int, int, int]]:
    rows = []
    length = [0] * (len(query) + 1)
    for place in range(len(text), 0, -1):  # common prefixes of suffixes, by the row below
        row = [0] * (len(query) + 1)
        for at in range(len(query)):
            if text[place - 1] == query[at] and query[at] in "ACGT":
                row[at] = length[at + 1] + 1
        for at in range(len(query)):
            goes_on = place > 1 and at > 0 and text[place - 2] == query[at - 1] and query[at - 1] in "ACGT"
            if row[at] >= shortest and not goes_on:
                rows.append((record, place, at + 1, row[at]))
        length = row
    return rows


def distances(names: Sequence[str], rows: Sequence[Sequence[float | None]], metric: str) -> Check:
    """The matrix of exec pairwise_distance: attributes that either has no value of add nothing."""
    def one(left: Sequence[float | None], right: Sequence[float | None]) -> str:
        both = [(a, b) for a, b in zip(left, right, strict=True) if a is not None and b is not None]
        if not both:
            return "NA"
        if metric == "hamming":
            return str(sum(a != b for a, b in both))
        if metric == "euclidean":
            return repr(math.sqrt(sum((a - b) ** 2 for a, b in both)))
        if metric == "ibs":
            return repr(1 - sum(abs(a - b) for a, b in both) / (2 * len(both)))
        return str(sum(abs(a - b) for a, b in both))

    wanted = [[one(left, right) for right in rows] for left in rows]

    def same(ours: str, right: str) -> bool:
        if "NA" in (ours, right):
            return ours == right
        return math.isclose(float(ours), float(right), rel_tol=2e-5, abs_tol=2e-5)

    def check(folder: Path, _output: str) -> str | None:
        header, *lines = [line.split("\t") for line in (folder / "out").read_text().splitlines()]
        if header[1:] != list(names) or [line[0] for line in lines] != list(names):
            return f"names {header[1:]}, right are {list(names)}"
        for line, right, name in zip(lines, wanted, names, strict=True):
            for other, ours, value in zip(names, line[1:], right, strict=True):
                if not same(ours, value):
                    return f"{name}, {other}: found {ours}, right is {value}"
        return None

    return check
