"""Sizes and widths of PaPaRa records and of the paper's tables."""

from __future__ import annotations

from dataclasses import dataclass

from gpuseq.published import Fact
from gpuseq.runs import Record, number_at, word_at
from gpuseq.units import plain

FAMILY = "papara"
HEADING = "PaPaRa"
WIDTHS = ["16 bits", "32 bits", "8 bits", "half floats"]  # of scores, in the order of the patterns of lines


@dataclass(frozen=True)
class Shape:
    """Sizes of a problem; `bases` of a query, 0 where queries differ in length."""

    references: float
    sites: float
    queries: float
    bases: float = 0
    of_protein: bool = False

    @property
    def all_cells(self) -> float:
        return self.references * self.queries * self.bases * self.sites

    @property
    def query_text(self) -> str:
        letters = "residues" if self.of_protein else "bases"
        if self.bases > 0:
            return f" of {plain(self.bases)} {letters}"
        return f" of {letters}" if self.of_protein else ""


def shape_of(record: Record) -> Shape | None:
    """None where a size is missing."""
    facts, problem = record.facts, record.problem
    shortest, longest = number_at(problem, "shortest_query"), number_at(problem, "longest_query")
    same = word_at(problem, "queries") == "evolved" and shortest is not None and shortest == longest
    shape = Shape(
        number_at(facts, "references") or 0, number_at(facts, "sites") or 0, number_at(facts, "queries_aligned") or 0,
        (longest or 0) if same else 0, word_at(problem, "alphabet") == "protein",
    )  # fmt: skip
    return shape if min(shape.references, shape.sites, shape.queries) > 0 else None


def shape_of_fact(fact: Fact) -> Shape | None:
    sizes = [number_at(fact.at, key) or 0 for key in ("references", "sites", "queries", "bases")]
    return Shape(sizes[0], sizes[1], sizes[2], sizes[3]) if min(sizes[:3]) > 0 else None


def arithmetic_of(record: Record) -> str:
    """ "8 bits", "s16x2"; "32 bits" where a variant has one only."""
    return word_at(record.point, "arithmetic") or f"{word_at(record.point, 'bits') or 32} bits"


def width_of(record: Record) -> str:
    """`s16x2` and `16 bits` are one width."""
    arithmetic = arithmetic_of(record)
    return {"s16x2": "16 bits", "s32": "32 bits", "f16x2": "half floats"}.get(arithmetic, arithmetic)


def is_hybrid(record: Record) -> bool:
    """`hybrid` runs on the CPU and on GPUs; it is compared with its parts only."""
    return record.variant.startswith("hybrid")


def column_of(record: Record) -> str:
    """The column of the paper's tables 1 and 2 with which a record is compared."""
    if record.on_gpu:
        return "GPU"
    return "Seq" if record.point.get("threads") == 1 else "SSE(4)"
