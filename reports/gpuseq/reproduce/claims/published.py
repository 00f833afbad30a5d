"""Published values, and the axis values that make a variant the published implementation."""

from __future__ import annotations

import functools
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from gpuseq.reproduce.claims.committed import ROOT, Axes, table

MEASURED_HERE = "measured for this suite"


@dataclass(frozen=True)
class Published:
    """The one fact of configs/published/ that has a label, and where that is not enough a figure, a device, a place."""

    paper: str  # the name of the file
    label: str = ""
    figure: str = ""
    device: str = ""
    at: Axes = field(default_factory=dict[str, Any])

    def fact(self) -> dict[str, Any]:
        wanted = {key: value for key, value in (("label", self.label), ("figure", self.figure),
                                                ("device", self.device)) if value}  # fmt: skip
        facts = [fact for fact in _facts(self.paper)
                 if all(fact.get(key) == value for key, value in wanted.items())
                 and all(table(fact.get("at")).get(key) == value for key, value in self.at.items())]  # fmt: skip
        if len(facts) != 1:
            raise LookupError(
                f"published/{self.paper}.json has {len(facts)} facts {wanted}, {dict(self.at)}; wanted: 1"
            )
        return facts[0]

    def value(self) -> float:
        """In SI units: GCUPS as cells/s."""
        factor = 1e9 if self.fact().get("unit") == "GCUPS" else 1.0
        return factor * _value(self.paper, self.fact())

    def measured_here(self) -> bool:
        return self.fact().get("paper") == MEASURED_HERE


@dataclass(frozen=True)
class PublishedRatio:
    """The ratio of two published values."""

    over: Published
    under: Published

    @property
    def label(self) -> str:
        return f"{self.over.label} over {self.under.label}"

    def fact(self) -> dict[str, Any]:
        return self.over.fact()

    def value(self) -> float:
        return self.over.value() / self.under.value()

    def measured_here(self) -> bool:
        return self.over.measured_here() or self.under.measured_here()


PublishedValue = Published | PublishedRatio


@functools.cache
def _facts(paper: str) -> list[dict[str, Any]]:
    file = ROOT / "configs" / "published" / f"{paper}.json"
    return json.loads(file.read_text(encoding="utf-8"))["facts"]


def _value(paper: str, fact: dict[str, Any]) -> float:
    """A fact may be stated as a multiple of another."""
    if "value" in fact:
        return fact["value"]
    base = _value(paper, next(other for other in _facts(paper) if other.get("id") == fact["of"]))
    return base * fact.get("times", 1) / fact.get("divided_by", 1)


@dataclass(frozen=True)
class Scheme:
    """An implementation as its paper describes it."""

    variant: str
    point: Axes = field(default_factory=dict[str, Any])

    def lacks(self, variant: str, point: Axes) -> list[str]:
        """The differences of a variant's point from it, as texts."""
        if variant != self.variant:
            return [f"variant={variant}, published: {self.variant}"]
        return [f"{axis}={point.get(axis)}, published: {value}"
                for axis, value in self.point.items() if point.get(axis) != value]  # fmt: skip


_TABLE = {"prefix_symbols": 8}  # section 4.1: the first 8 symbols by a table
_CUDAMPF = {"warps_per_block": 32, "resident_warps": 32, "assignment": "static", "order": "file", "residues": "shared",
            "reduction": "each_row", "deletions": "lazy_f", "loads": "words", "costs": "read_only",
            "steps": "read_only"}  # fmt: skip

# kernels/<family>/README.md states where each value comes from.
SCHEMES: Mapping[str, Scheme] = {
    "FM-index, task-parallel": Scheme("task_parallel", {**_TABLE, "entry_reads": "separate", "chunks": "whole"}),
    "FM-index, task-parallel by 16 bytes": Scheme(
        "task_parallel_16b", {**_TABLE, "entry_reads": "separate", "chunks": "whole"}
    ),
    "FM-index, improved task-parallel": Scheme("task_parallel_split", {**_TABLE, "chunks": "whole"}),
    "FM-index, memory-cooperative": Scheme("memory_cooperative", {**_TABLE, "entry_reads": "separate"}),
    "FM-index, full-cooperative": Scheme("full_cooperative_split", {**_TABLE, "chunks": "whole"}),
    "FM-index, CPU": Scheme("prefetch", {**_TABLE, "d": 64}),
    "PaPaRa, GPU": Scheme("blocked_shared", {"arithmetic": "s32", "unroll": 12, "threads_per_block": 320,
                                             "references_per_launch": 320, "elements": "compressed",
                                             "recurrence": "printed", "ends": "square"}),
    "PaPaRa, SSE(4)": Scheme("row_wise", {"bits": 16, "target": "sse4", "threads": 4}),
    "PaPaRa, SSE on a core": Scheme("row_wise", {"bits": 16, "target": "sse4", "threads": 1}),
    "PaPaRa, Seq": Scheme("sequential", {"threads": 1}),
    "CUDAMPF, static": Scheme("video_warp", {**_CUDAMPF, "stripes": "variable", "compiled_by": "nvcc"}),
    "CUDAMPF, NVRTC": Scheme("video_warp", {**_CUDAMPF, "stripes": "constant", "compiled_by": "nvrtc"}),
    "CUDAMPF, NVRTC, loop count variable": Scheme(
        "video_warp", {**_CUDAMPF, "stripes": "variable", "compiled_by": "nvrtc"}
    ),
    "HMMER": Scheme("hmmer_filter"),
    "hmmsearch": Scheme("hmmsearch"),
    "MUMmerGPU": Scheme("tree_gpu", {"node_order": "hybrid", "memory": "texture_2d", "text_order": "space_filling",
                                     "leaves": "nodes", "edge_ends": "compared", "reverse_complements": "computed",
                                     "lanes": 1}),
    "MUMmerGPU, traversal on a core": Scheme("tree", {"in_flight": 1, "threads": 1}),
    "MUMmer": Scheme("mummer3_both_strands"),
    **{f"all-pairs, {name}": Scheme(name) for name in ("naive", "coalesced", "char4", "register", "shared")},
    "all-pairs, CPU": Scheme("appendix"),
}  # fmt: skip
