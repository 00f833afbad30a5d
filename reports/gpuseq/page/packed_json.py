"""JSON text of thousands of objects of few shapes, a fraction of its plain size.

An object is [shape, values...], where a shape is a list of keys kept once; an array is [-1, items...]; a value that
share() took is [-2, place in the pool]. assets/records.js undoes it. Samples and other seconds keep six significant
digits, more than any timing has; all other numbers are exact.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from json.encoder import encode_basestring_ascii
from typing import NamedTuple

from gpuseq.runs import Json

_Pack = Callable[[Json], str]
_MOST_WHOLE = 1e15  # larger numbers have an exponent


class _Layout(NamedTuple):
    """How objects of one shape and types are written."""

    text: str  # a format of the values
    packed: list[tuple[int, _Pack]]  # places of values that are packed first


def number_json(value: float) -> str:
    """Six significant digits, or all of a whole number; null where it is not finite."""
    text = f"{value:.6g}"
    if "e" in text or "." not in text:
        if not math.isfinite(value):
            return "null"
        if value == math.floor(value) and abs(value) < _MOST_WHOLE:
            return str(int(value))
    return text


def numbers_json(values: list[float]) -> str:
    """The items of an array of floats."""
    text = ("%.6g," * len(values) % tuple(values))[:-1]
    # Where nothing is rounded away, all numbers are fractions of usual size.
    if "e" not in text and "n" not in text and text.count(".") == len(values):
        return text
    return ",".join([number_json(value) for value in values])


class JsonPacker:
    """Packs values. `dictionary` is complete once everything is packed."""

    def __init__(self) -> None:
        self._shapes: dict[tuple[str, ...], int] = {}
        self._pool: dict[str, int] = {}
        self._layouts: dict[tuple[tuple[str, ...], tuple[type, ...]], _Layout] = {}
        self._packers: dict[type, _Pack] = {
            float: number_json,
            int: int.__repr__,
            str: encode_basestring_ascii,
            bool: lambda value: "true" if value else "false",
            type(None): lambda value: "null",
            dict: lambda value: self.object(tuple(value), tuple(value.values())),
            list: self._array,
        }

    def pack(self, value: Json) -> str:
        return self._packers[type(value)](value)

    def object(self, names: tuple[str, ...], values: tuple[Json, ...]) -> str:
        """An object of these names and values."""
        key = (names, tuple(map(type, values)))
        layout = self._layouts.get(key)
        if layout is None:
            layout = self._layouts[key] = self._layout(*key)
        if not layout.packed:
            return layout.text % values
        texts = list(values)
        for place, pack in layout.packed:
            texts[place] = pack(texts[place])
        return layout.text % tuple(texts)

    def _layout(self, names: tuple[str, ...], types: tuple[type, ...]) -> _Layout:
        formats = [
            ("%.6g" if name.endswith("_s") else "%r") if of is float else "%d" if of is int else "%s"
            for name, of in zip(names, types, strict=True)
        ]
        packed = [(place, self._packers[of]) for place, of in enumerate(types) if formats[place] == "%s"]
        return _Layout(f"[{','.join([str(self._shape(names)), *formats])}]", packed)

    def share(self, value: Json) -> str:
        """A packed value that equal ones share."""
        return self._shared(self.pack(value))

    def share_members(self, values: dict[str, Json]) -> str:
        """A shared object whose members are shared, too."""
        return self._shared(f"[{','.join([str(self._shape(tuple(values))), *map(self.share, values.values())])}]")

    def _shared(self, text: str) -> str:
        return f"[-2,{self._pool.setdefault(text, len(self._pool))}]"

    def dictionary(self) -> str:
        """{"shapes": [[key, ...], ...], "pool": [packed value, ...]}"""
        return f'{{"shapes":{json.dumps(list(self._shapes))},"pool":[{",".join(self._pool)}]}}'

    def _shape(self, names: tuple[str, ...]) -> int:
        return self._shapes.setdefault(names, len(self._shapes))

    def _array(self, values: list[Json]) -> str:
        if not values:
            return "[-1]"
        if set(map(type, values)) == {float}:
            return f"[-1,{numbers_json(values)}]"
        return f"[-1,{','.join([self.pack(value) for value in values])}]"
