"""Values as the page words them, and JSON that is safe in a script element."""

from __future__ import annotations

import json
from dataclasses import dataclass, field

from gpuseq.runs import Json, kind_of
from gpuseq.text import printable
from gpuseq.units import Unit, format_value


@dataclass
class Cell:
    """A cell of a table. The template escapes every text."""

    text: str = ""
    sort: float | None = None  # the number that the column sorts by; None: by text
    style: str = ""  # CSS class: "number", "ok", "failed"
    note: str = ""  # a second line, smaller
    more_title: str = ""  # opens `more`
    more: list[str] = field(default_factory=list[str])  # lines that are closed at first
    link: str = ""
    badges: list[tuple[str, str]] = field(default_factory=list[tuple[str, str]])  # word, sentence


@dataclass
class Row:
    cells: list[Cell]
    record: int | None = None  # the page's filter hides the row with this record
    below: list[tuple[str, str]] = field(default_factory=list[tuple[str, str]])  # closed under it: title, line to copy
    below_title: str = ""


@dataclass
class Table:
    """A table with a caption for screen readers. On a narrow screen each row is a block."""

    caption: str
    columns: list[str]
    rows: list[Row] = field(default_factory=list[Row])
    sortable: bool = False

    def number(self, column: int) -> bool:
        return bool(self.rows) and self.rows[0].cells[column].style == "number"

    def drop_empty(self, first: int) -> None:
        """Drops columns from `first` on that have no text in any row."""
        for column in range(len(self.columns) - 1, first - 1, -1):
            if not any(row.cells[column].text for row in self.rows):
                del self.columns[column]
                for row in self.rows:
                    del row.cells[column]


def number_cell(text: str, value: float | None, note: str = "") -> Cell:
    return Cell(text, value, "number", note)


def script_json(value: Json) -> str:
    """JSON without "<", which could end the script element."""
    return json.dumps(value, separators=(",", ":")).replace("<", "\\u003c")


def words_of(key: str) -> str:
    """ "memory bytes" of "memory_bytes"."""
    return key.replace("_", " ")


def number_text(value: float) -> str:
    """All digits of a number: 3, 0.1, 10000000."""
    return str(int(value)) if value == int(value) and abs(value) < 1e15 else repr(value)


def value_text(value: Json) -> str:
    """The value of an axis."""
    if isinstance(value, str):
        return value
    if isinstance(value, bool) or not isinstance(value, int | float):
        return json.dumps(value)
    return number_text(value)


def describe(key: str, value: Json) -> str:
    """A value in words: "yes", "132"; "141 GiB" where the key says bytes; lists and objects in one line."""
    if isinstance(value, str):
        return value
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int | float):
        is_bytes = key == "bytes" or key.endswith("_bytes") or "_bytes_per_" in key
        return format_value(value, Unit.bytes) if is_bytes else number_text(value)
    if isinstance(value, list):
        return "; ".join(describe("", item) for item in value)  # pyright: ignore[reportUnknownVariableType]
    if isinstance(value, dict):
        return ", ".join(f"{words_of(str(name))} {describe(str(name), item)}" for name, item in value.items())  # pyright: ignore
    return kind_of(value)


def definitions(described: Json) -> list[tuple[str, str]]:
    """Names and texts of a JSON object, by name. A null reads "not available: " and its reason."""
    if not isinstance(described, dict):
        return []
    values: dict[str, Json] = described  # pyright: ignore[reportUnknownVariableType]
    pairs: list[tuple[str, str]] = []
    for key in sorted(values):
        if key.endswith("_reason") and key.removesuffix("_reason") in values:
            continue
        text = describe(key, values[key])
        if values[key] is None:
            reason = values.get(f"{key}_reason")
            text = f"not available: {reason}" if isinstance(reason, str) else "not available"
        pairs.append((words_of(key), text))
    return pairs


def pretty_json(value: Json) -> str:
    return printable_lines(json.dumps(value, indent=1, ensure_ascii=False, sort_keys=True))


def printable_lines(text: str) -> str:
    """printable(), with the ends of lines kept."""
    return "\n".join(printable(line) for line in text.split("\n"))
