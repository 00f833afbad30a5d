"""Values that papers state, from files such as configs/published/fm-index.json.

A file is {"paper": {"short", "citation"}, "facts": [...]}. A fact gives "value", or {"of": id, "divided_by" | "times":
factor} with the id of an earlier fact.
"""

from __future__ import annotations

import math
import os
from dataclasses import dataclass, field
from pathlib import Path

from gpuseq.charts.values import Tips
from gpuseq.errors import UsageError
from gpuseq.runs import Json, kind_of, number_at, read_json, text_at
from gpuseq.units import Unit, format_value

_KINDS = ("value", "guide", "listed")
_TEXTS = ("paper", "id", "figure", "kind", "axis", "device", "label", "unit", "source", "stated")


@dataclass
class Fact:
    """A published value."""

    value: float
    paper: str  # "Chacón et al."
    id: str
    figure: str  # the figure that draws it; empty: only listed
    kind: str  # "value": a mark; "guide": a line across at `value` of `axis`; "listed"
    axis: str  # of a guide: "x" or "y"
    device: str  # "NVIDIA GTX Titan"
    label: str
    unit: str
    source: str  # "section 5.2, figure 5"
    stated: str  # the wording of the paper
    derived: bool = False  # computed from stated ratios
    at: dict[str, Json] = field(default_factory=dict[str, Json])  # coordinates: {"k": 2, "d": 192}

    def tips(self, unit: Unit) -> Tips:
        return [("Value", format_value(self.value, unit)), ("Device", self.device),
                ("Published", f"{self.paper}, {self.source}"),
                ("Stated", f"derived: {self.stated}" if self.derived else self.stated)]  # fmt: skip


@dataclass
class Published:
    citation: str = ""
    facts: list[Fact] = field(default_factory=list[Fact])

    def find(self, figure: str, kind: str) -> list[Fact]:
        return [fact for fact in self.facts if fact.figure == figure and fact.kind == kind]


def load_published(files: list[Path]) -> Published:
    """The facts of several files; a file given twice counts once. Raises UsageError naming file and JSON pointer."""
    published = Published()
    for file in dict.fromkeys(Path(os.path.realpath(file)) for file in files):
        root = read_json(file)
        if not isinstance(root, dict):
            raise UsageError(f'{file}: expected an object with "paper" and "facts"')
        paper: Json = root.get("paper")  # pyright: ignore
        facts: Json = root.get("facts")  # pyright: ignore
        if citation := text_at(paper, "citation"):
            published.citation += ("; " if published.citation else "") + citation
        if not isinstance(facts, list):
            raise UsageError(f"{file}: /facts: expected an array of facts")
        earlier: dict[str, Fact] = {}
        for number, given in enumerate(facts):  # pyright: ignore
            fact = _fact(given, earlier, text_at(paper, "short"), f"{file}: /facts/{number}")
            earlier.setdefault(fact.id, fact)
            published.facts.append(fact)
    return published


def _fact(given: Json, earlier: dict[str, Fact], paper: str, where: str) -> Fact:
    if not isinstance(given, dict):
        raise UsageError(f"{where}: expected an object, found {kind_of(given)}")
    texts: dict[str, str] = {}
    for key in _TEXTS:
        value: Json = given.get(key, "")  # pyright: ignore
        if not isinstance(value, str):
            raise UsageError(f"{where}/{key}: expected a string, found {kind_of(value)}")
        texts[key] = value
    texts["paper"] = texts["paper"] or paper
    if texts["kind"] not in _KINDS:
        raise UsageError(f'{where}/kind: found "{texts["kind"]}"; allowed: {", ".join(_KINDS)}')
    if texts["kind"] == "guide" and texts["axis"] not in ("x", "y"):
        raise UsageError(f'{where}/axis: found "{texts["axis"]}"; a guide needs x or y')
    if not texts["source"]:
        raise UsageError(f'{where}: needs "source": where the paper states the value')
    at: Json = given.get("at", {})  # pyright: ignore
    if not isinstance(at, dict):
        raise UsageError(f"{where}/at: expected an object, found {kind_of(at)}")
    return Fact(_value(given, earlier, where), **texts, derived="of" in given, at=at)  # pyright: ignore


def _value(given: Json, earlier: dict[str, Fact], where: str) -> float:
    def number(key: str) -> float:
        value = number_at(given, key)
        if value is None or not math.isfinite(value):
            raise UsageError(f'{where}: needs "{key}", a finite number')
        return value

    if "of" not in given:
        return number("value")
    base = earlier.get(text_at(given, "of"))
    if base is None:
        raise UsageError(f'{where}/of: no earlier fact has the id "{text_at(given, "of")}"')
    key = "divided_by" if "divided_by" in given else "times"
    factor = number(key)
    if factor <= 0:
        raise UsageError(f"{where}: the ratio must be positive")
    return base.value / factor if key == "divided_by" else base.value * factor


def papers_of(facts: list[Fact]) -> str:
    """ "Chacón et al.; Liu et al."."""
    return "; ".join(dict.fromkeys(fact.paper for fact in facts))


def credit(facts: list[Fact]) -> str:
    """ "Chacón et al. (section 5.2, figure 5; table 1)"."""
    sources: dict[str, set[str]] = {}
    for fact in facts:
        sources.setdefault(fact.paper, set()).add(fact.source)
    return "; ".join(f"{paper} ({'; '.join(sorted(of))})" for paper, of in sorted(sources.items()))
