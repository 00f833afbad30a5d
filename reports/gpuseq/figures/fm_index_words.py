"""The words for layouts, queries and panels of FM-index records."""

from __future__ import annotations

from typing import Any, NamedTuple

from gpuseq.charts.values import Quantity
from gpuseq.published import Fact
from gpuseq.runs import Json, Record, number_at, text_at, word_at
from gpuseq.units import Unit
from gpuseq.words import point_words, problem_name, reference_bases, with_point_words

HEADING = "FM-index"
REFERENCE_SIZE = Quantity("reference size (bases)", Unit.number_si, log=True)


class Layout(NamedTuple):
    """The axes of an index; d is 0 where a variant does not sample."""

    k: int
    d: int
    counters: str  # "full", "alternate", empty

    @property
    def text(self) -> str:
        """ "k=2 d=192 alternate"."""
        parts = [f"k={self.k}"] if self.k > 0 else []
        parts += [f"d={self.d}"] if self.d > 0 else []
        parts += ["alternate"] if self.alternate else []
        return " ".join(parts)

    @property
    def alternate(self) -> bool:
        return self.counters == "alternate"


def layout_of(place: Record | Fact) -> Layout:
    point: Json = place.at if isinstance(place, Fact) else place.point
    return Layout(int(number_at(point, "k") or 0), int(number_at(point, "d") or 0), text_at(point, "counters"))


def layout_kind(record: Record) -> str:
    """ "Elias-Fano ": the words before the text of a layout; empty for sampled layouts."""
    kinds = {"one_hot": "one-hot ", "psi_lines": "psi lines ", "elias_fano": "Elias-Fano ", "verify": "verify ",
             "psi": "psi "}  # fmt: skip
    return next((words for start, words in kinds.items() if record.variant.startswith(start)), "")


def by_problem(record: Record) -> tuple[Any, ...]:
    """A sort key of panels of one device and one problem, the largest reference first."""
    return -(reference_bases(record) or 0), record.device_name, record.case[4]


def by_problem_and_words(record: Record) -> tuple[Any, ...]:
    """The same, apart by the axes that change the result."""
    return *by_problem(record), point_words(record)


def problem_title(record: Record) -> str:
    return f"{record.device_name}: {problem_name(record)}"


def problem_and_words_title(record: Record) -> str:
    return f"{record.device_name}: {with_point_words(problem_name(record), record)}"


def queries_title(record: Record) -> str:
    """ "NVIDIA H200: 31-mers of reads of 30 to 1000 bases, 50 % occur": the queries and the reference, but not their
    order and size."""
    problem = record.problem
    numbers = {axis: number_at(problem, axis) or 0 for axis in problem}
    text = record.device_name
    if kmer := numbers.get("kmer_bases"):
        text += f": {kmer:.0f}-mers"
    if (longest := numbers.get("query_bases", 0)) > 0:
        shortest = numbers.get("shortest_query_bases", 0)
        mixed = f"{shortest:.0f} to " if 0 < shortest < longest else ""
        text += f"{' of reads' if kmer else ': queries'} of {mixed}{longest:.0f} bases"
    if numbers.get("occurring_percent", 100) < 100:
        text += f", {problem['occurring_percent']} % occur"
    if numbers.get("n_percent", 0) > 0:
        text += f", {problem['n_percent']} % with N"
    if (reference := word_at(problem, "reference")) not in ("", "synthetic"):
        text += ", " + reference
    if numbers.get("strains", 0) > 1:
        mutations = numbers.get("mutations_per_1000", 0)
        text += f", {problem['strains']} strains with {mutations:.0f} mutations of 1000 bases"
    return text


def ordered_queries_title(record: Record) -> str:
    """The same with the order of the queries and the axes that change the result."""
    order = word_at(record.problem, "query_order")
    return with_point_words(queries_title(record) + (f", {order}" if order not in ("", "as_given") else ""), record)
