"""Texts of foreign files, made safe to print."""

from __future__ import annotations

import json
import re
import sys
from typing import Any, TextIO

# C0, DEL and C1 controls, marks that set the direction of writing, line and paragraph separators, lone surrogates.
_INVISIBLE = re.compile("[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")


def printable(text: str) -> str:
    """The text with every invisible character written as JSON writes it ("\\n", "\\u001b")."""
    if text.isascii() and text.isprintable():
        return text
    return _INVISIBLE.sub(
        lambda match: json.dumps(match[0])[1:-1] if match[0] < "\x7f" else f"\\u{ord(match[0]):04x}", text
    )


def say(text: str, file: TextIO | None = None) -> None:
    """Prints one line that acts neither on a terminal nor on a program that reads logs."""
    print(without_commands(printable(text)), file=file or sys.stdout)


def without_commands(line: str) -> str:
    """A line that is not a command: "::" at its beginning and "##word[" are commands of GitHub Actions, Azure Pipelines
    and TeamCity."""
    line = re.sub(r"^(\s*):(?=:)", r"\1\\u003a", line)
    return re.sub(r"##(?=\w*\[)", r"#\\u0023", line)


def printable_json(value: Any) -> Any:
    """A parsed JSON value whose texts and keys are printable."""
    if isinstance(value, str):
        return printable(value)
    if isinstance(value, list):
        return [printable_json(item) for item in value]  # pyright: ignore[reportUnknownVariableType]
    if isinstance(value, dict):
        return {printable(str(key)): printable_json(item) for key, item in value.items()}  # pyright: ignore
    return value


def natural_key(name: str) -> list[tuple[int, int, str]]:
    """A sort key that orders numbers within texts by value: "k=2" before "k=10"."""
    return [(0, int(part), part) if part.isdigit() else (1, 0, part) for part in re.findall(r"\d+|\D", name)]


def natural_order(names: set[str] | list[str]) -> list[str]:
    return sorted(set(names), key=natural_key)


def plural(count: int, singular: str) -> str:
    return f"{count} {singular}" + ("" if count == 1 else "s")
