"""Writes golden sets of the numbers that gpuseq-bench derives from committed runs, or compares a build with them.

    golden.py write PROGRAM ROOT     ROOT is a checkout of the program's commit
    golden.py check PROGRAM ROOT     a sample of the runs; --all: every run

README.md in this folder describes the sets.
"""

from __future__ import annotations

import argparse
import gzip
import json
import os
import sys
from collections import defaultdict
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from fnmatch import fnmatchcase
from pathlib import Path
from typing import NamedTuple

from printed import Json, Program, Row, drawn, judged_again, runs_of

HERE = Path(__file__).resolve().parent
FILES = {
    "figures": "figures.tsv.gz",
    "tables": "tables.tsv.gz",
    "winners": "winners.tsv",
    "bounds": "bounds.tsv.gz",
}
# Small runs that together have every family and most figures.
SAMPLE = (HERE / "sample.txt").read_text().split()
RELATIVE = 1e-9
OF_WIDTH = 0.02
SHOWN = 200  # differences that are printed
Sets = dict[str, list[Row]]
KEY = tuple[str, str, str, str, str]


class Difference(NamedTuple):
    """A value of a golden set that the program prints differently; `field` is y, low, high, text, missing or extra."""

    set: str
    row: Row
    field: str
    expected: object
    found: object

    def is_within(self, share: float) -> bool:
        """Whether both are numbers that differ by at most a share of the expected one."""
        if not isinstance(self.expected, float) or not isinstance(self.found, float):
            return False
        return abs(self.found - self.expected) <= share * abs(self.expected)

    def __str__(self) -> str:
        run, name, panel, series, x = self.row[:5]
        return (f"{self.set}: run {run}, {name}, panel '{panel}', series '{series}', x {x}, {self.field}: "
                f"expected {self.expected}, found {self.found}")


def number(value: float | None) -> str:
    return "" if value is None else f"{value:.12g}"


def line_of(row: Row) -> str:
    fields = [*row[:5], number(row.y), number(row.low), number(row.high), row.text]
    return "\t".join(field.replace("\t", " ").replace("\n", " ") for field in fields) + "\n"


def row_of(line: str) -> Row:
    fields = line.rstrip("\n").split("\t")
    y, low, high = (float(field) if field else None for field in fields[5:8])
    return Row(*fields[:5], y, low, high, fields[8])


def read_set(name: str) -> list[Row]:
    data = (HERE / FILES[name]).read_bytes()
    text = (gzip.decompress(data) if FILES[name].endswith(".gz") else data).decode()
    return [row_of(line) for line in text.splitlines()]


def write_set(name: str, rows: list[Row]) -> None:
    data = "".join(map(line_of, rows)).encode()
    path = HERE / FILES[name]
    path.write_bytes(gzip.compress(data, 9, mtime=0) if path.suffix == ".gz" else data)
    print(f"{path.name}: {len(rows)} rows, {path.stat().st_size} bytes")


def sets_of(program: Program, runs: list[str], with_figures: bool) -> Sets:
    """The sets of these runs."""
    sets: Sets = {name: [] for name in FILES}

    def attempted(what: Callable[[Program, str], tuple[list[Row], list[Row]]], run: str) -> tuple[list[Row], list[Row]]:
        try:
            return what(program, run)
        except RuntimeError as error:
            print(error)
            return [], []

    with ThreadPoolExecutor(os.cpu_count()) as workers:
        figures = workers.map(lambda run: attempted(drawn, run), runs if with_figures else [])
        derived = workers.map(lambda run: attempted(judged_again, run), runs)
        for rows, tables in figures:
            sets["figures"] += rows
            sets["tables"] += tables
        for winners, bounds in derived:
            sets["winners"] += winners
            sets["bounds"] += bounds
    return {name: [row_of(line_of(row)) for row in rows] for name, rows in sets.items()}


def is_near(expected: float | None, found: float | None, width: float) -> bool:
    if expected is None or found is None:
        return expected is found
    return abs(expected - found) <= max(RELATIVE * max(abs(expected), abs(found)), OF_WIDTH * width)


def differing_fields(expected: Row, found: Row) -> list[str]:
    """The fields that differ; the ends of an interval may move by a share of its width."""
    width = expected.high - expected.low if expected.low is not None and expected.high is not None else 0.0
    fields = [name for name in ("low", "high") if not is_near(getattr(expected, name), getattr(found, name), width)]
    if not is_near(expected.y, found.y, 0.0):
        fields.insert(0, "y")
    return fields if expected.text == found.text else [*fields, "text"]


def compare_place(kind: str, expected: list[Row], found: list[Row]) -> list[Difference]:
    """Compares the rows of one place. Points that differ only in axes outside the figure share a place."""
    left = list(found)
    unmatched: list[Row] = []
    for row in expected:
        same = next((other for other in left if not differing_fields(row, other)), None)
        if same is None:
            unmatched.append(row)
        else:
            left.remove(same)
    differences: list[Difference] = []
    for row, other in zip(unmatched, left, strict=False):
        differences += [Difference(kind, row, field, getattr(row, field), getattr(other, field))
                        for field in differing_fields(row, other)]
    differences += [Difference(kind, row, "missing", row.text or row.y, "nothing") for row in unmatched[len(left):]]
    differences += [Difference(kind, row, "extra", "nothing", row.text or row.y) for row in left[len(unmatched):]]
    return differences


def by_key(rows: list[Row]) -> dict[KEY, list[Row]]:
    places: dict[KEY, list[Row]] = defaultdict(list)
    for row in rows:
        places[row[:5]].append(row)
    return places


def compare(kind: str, golden: list[Row], found: list[Row]) -> list[Difference]:
    """All differences of a set. A figure that the golden set does not have is new, and no difference."""
    drawn_before = {(row.run, row.name) for row in golden}
    drawn_now = {(row.run, row.name) for row in found}
    differences: list[Difference] = []
    for run, name in sorted(drawn_before - drawn_now):
        differences.append(Difference(kind, Row(run, name, "*", "*", "*"), "missing", "rows", "nothing"))
    expected_at = by_key([row for row in golden if (row.run, row.name) in drawn_now])
    found_at = by_key([row for row in found if (row.run, row.name) in drawn_before])
    for place in dict.fromkeys([*expected_at, *found_at]):
        differences += compare_place(kind, expected_at.get(place, []), found_at.get(place, []))
    return differences


class Accepted:
    """The intended differences. README.md describes an entry."""

    def __init__(self, entries: list[dict[str, Json]]) -> None:
        self.renames = [entry for entry in entries if "rename" in entry]
        self.entries = [entry for entry in entries if "rename" not in entry]
        self.used = [0] * len(self.entries)
        self.renamed_rows = [0] * len(self.renames)

    def renamed(self, row: Row) -> Row:
        texts = list(row)
        for number, entry in enumerate(self.renames):
            for i in (1, 2, 3, 4, 8):
                if entry["rename"] in str(texts[i]):
                    texts[i] = str(texts[i]).replace(entry["rename"], entry["to"])
                    self.renamed_rows[number] += 1
        return Row(*texts)  # type: ignore[arg-type]

    def takes(self, difference: Difference) -> bool:
        values = {"set": difference.set, "run": difference.row.run, "name": difference.row.name,
                  "series": difference.row.series, "field": difference.field}
        for i, entry in enumerate(self.entries):
            is_small = "within" not in entry or difference.is_within(float(entry["within"]))
            if is_small and all(fnmatchcase(values[key], entry.get(key, "*")) for key in values):
                self.used[i] += 1
                return True
        return False

    def stale(self, all_runs: bool) -> list[str]:
        """Entries that no difference needs; in a sample, only those that must occur in it."""
        uses = zip([*self.entries, *self.renames], [*self.used, *self.renamed_rows], strict=True)
        return [json.dumps(entry) for entry, used in uses if not used and (all_runs or entry.get("in_sample"))]


def check(program: Program, all_runs: bool) -> int:
    golden = {name: read_set(name) for name in FILES}
    known = list(dict.fromkeys(row.run for name in ("figures", "winners") for row in golden[name]))
    runs = known if all_runs else [run for run in SAMPLE if run in known]
    found = sets_of(program, runs, with_figures=False)
    accepted = Accepted(json.loads((HERE / "accepted.json").read_text()))
    differences: list[Difference] = []
    for name in ("winners", "bounds"):  # tests/package compares the others
        rows = [accepted.renamed(row) for row in golden[name] if row.run in runs]
        differences += [each for each in compare(name, rows, found[name]) if not accepted.takes(each)]
        print(f"{name}: {len(rows)} rows compared")
    for difference in differences[:SHOWN]:
        print(difference)
    if len(differences) > SHOWN:
        print(f"... and {len(differences) - SHOWN} more differences")
    stale = [entry for entry in accepted.stale(all_runs) if '"set": "winners"' in entry]
    for entry in stale:
        print(f"accepted.json: no difference needs {entry}")
    print(f"{len(runs)} runs; {len(differences)} differences, {sum(accepted.used)} accepted ones")
    return 1 if differences or stale else 0


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("action", choices=["write", "check"])
    parser.add_argument("program", type=Path)
    parser.add_argument("root", type=Path)
    parser.add_argument("--all", action="store_true", help="every run instead of a sample")
    arguments = parser.parse_args()
    program = Program(arguments.program, arguments.root)
    if arguments.action == "check":
        return check(program, arguments.all)
    for name, rows in sets_of(program, runs_of(arguments.root), with_figures=True).items():
        write_set(name, rows)
    return 0


if __name__ == "__main__":
    sys.exit(main())
