"""Values of a JSON file that know their place in it, for messages."""

from __future__ import annotations

import json
from pathlib import Path

from gpuseq.errors import UsageError
from gpuseq.runs import Json, kind_of, read_json

_MOST_SHOWN = 60  # characters of a wrong value


class Place:
    """A value, its file and its JSON pointer (RFC 6901). Every access raises UsageError where the value is wrong."""

    def __init__(self, file: Path, value: Json, pointer: str = "", missing: bool = False) -> None:
        self.file, self.value, self.pointer, self.missing = file, value, pointer, missing

    @staticmethod
    def load(file: Path) -> Place:
        """Google Benchmark and Criterion write NaN and Infinity, which are no JSON."""
        return Place(file, read_json(file, finite=False))

    def wrong(self, allowed: str) -> UsageError:
        value = self.value
        scalar = isinstance(value, str | int | float) and not isinstance(value, bool)
        found = "nothing" if self.missing else json.dumps(value)[:_MOST_SHOWN] if scalar else kind_of(value)
        return UsageError(f"{self.file}: {self.pointer or '/'}: found {found}; allowed: {allowed}")

    def get(self, key: str) -> Place:
        if not isinstance(self.value, dict):
            raise self.wrong("an object")
        members: dict[str, Json] = self.value  # pyright: ignore
        pointer = f"{self.pointer}/{key.replace('~', '~0').replace('/', '~1')}"
        return Place(self.file, members.get(key), pointer, key not in members)

    def has(self, key: str) -> bool:
        """Whether there is a value other than null."""
        return isinstance(self.value, dict) and self.get(key).value is not None

    def items(self) -> list[Place]:
        if not isinstance(self.value, list):
            raise self.wrong("an array")
        return [Place(self.file, value, f"{self.pointer}/{number}") for number, value in enumerate(self.value)]  # pyright: ignore

    def text(self) -> str:
        if not isinstance(self.value, str):
            raise self.wrong("a text")
        return self.value

    def number(self) -> float:
        """May be infinite or not a number."""
        if isinstance(self.value, bool) or not isinstance(self.value, int | float):
            raise self.wrong("a number")
        try:
            return float(self.value)
        except OverflowError:
            raise self.wrong("a number that a double holds") from None

    def numbers(self) -> list[float]:
        return [item.number() for item in self.items()]

    def count(self) -> int:
        if isinstance(self.value, bool) or not isinstance(self.value, int) or self.value < 0:
            raise self.wrong("a count")
        return self.value

    def number_at(self, key: str) -> float | None:
        return self.get(key).number() if self.has(key) else None

    def text_at(self, key: str) -> str:
        return self.get(key).text() if self.has(key) else ""
