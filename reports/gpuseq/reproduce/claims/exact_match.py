"""Schatz et al. 2007: High-throughput sequence alignment using graphics processing units (MUMmerGPU)."""

from __future__ import annotations

from typing import Any

from gpuseq.reproduce.claims.committed import Select
from gpuseq.reproduce.claims.published import Published
from gpuseq.reproduce.claims.rows import (
    FASTER,
    Claim,
    Paper,
    Range,
    Reason,
    Trial,
    Untested,
    less_than,
    more_than,
)
from gpuseq.reproduce.claims.terms import (
    COUNTER,
    RATE,
    SECONDS,
    WITH_QUERIES,
    WITH_TRANSFERS,
    Term,
)

PAPER = "exact-match"
MUMMERGPU_2 = (
    "no committed record: MUMmerGPU 2.0 (`rmtheis/mummergpu`) does not compile with nvcc 13, as its kernels take texture "
    "references (`texture is not a template`)"
)
RUN, LADDER, TABLE1 = (f"h200-papers/{name}" for name in ("exact-match", "exact-match-ladder", "exact-match-table1"))
LENGTHS = (50, 100, 200, 400, 800)
READS = (36, 200, 720)
PLAIN = {
    "memory": "global",
    "text_order": "plain",
    "node_order": "breadth_first",
    "query_order": "as_given",
    "lanes": 1,
}
_OURS = {
    "leaves": "implicit",
    "edge_ends": "known",
    "reverse_complements": "uploaded",
    "memory_mib": 0,
    "result": "slots",
    "lanes": 1,
}
_TEXTURES = {"memory": "texture_2d", "text_order": "space_filling", "node_order": "hybrid"}
L1 = COUNTER + "l1tex__t_sector_hit_rate.pct"
MUMMERGPU, ON_A_CORE, MUMMER = "MUMmerGPU", "MUMmerGPU, traversal on a core", "MUMmer"
PUBLISHED = {**_TEXTURES, "leaves": "nodes", "edge_ends": "compared", "reverse_complements": "computed"}


def fact(label: str, **at: Any) -> Published:
    return Published(PAPER, label, at=at)


def gpu(length: int, quantity: str = WITH_TRANSFERS) -> Term:
    """A later kernel in plain global memory."""
    return Term(Select(RUN, ("tree_gpu",), "cuda", {"query_bases": length}, {**PLAIN, **_OURS}), quantity)


def printed(length: int, quantity: str = WITH_TRANSFERS) -> Term:
    """The kernel as published, with textures and reordered data."""
    return Term(Select(RUN, ("tree_gpu",), "cuda", {"query_bases": length}, PUBLISHED), quantity, MUMMERGPU)


def untextured(length: int, quantity: str = RATE) -> Term:
    """The published kernel in plain global memory, its data in the tree's order."""
    point = {**PUBLISHED, **PLAIN}
    return Term(Select(RUN, ("tree_gpu",), "cuda", {"query_bases": length}, point), quantity)


def core(length: int, in_flight: int = 1) -> Term:
    select = Select(RUN, ("tree",), "cpu", {"query_bases": length}, {"threads": 1, "in_flight": in_flight})
    return Term(select, SECONDS, ON_A_CORE if in_flight == 1 else "")


def all_cores(length: int) -> Term:
    return Term(Select(RUN, ("tree", "tree_words"), "cpu", {"query_bases": length}, {"threads": 0}), SECONDS)


def step(least: int, quantity: str = RATE, **point: Any) -> Term:
    return Term(Select(LADDER, ("tree_gpu",), "cuda", {"min_length": least}, {**_OURS, **point}), quantity)


def split(least: int, memory_mib: int, quantity: str = RATE) -> Term:
    select = Select(LADDER, ("tree_gpu",), "cuda", {"min_length": least}, {**PUBLISHED, "memory_mib": memory_mib})
    return Term(select, quantity, MUMMERGPU)


def process(variant: str, length: int, device: str, scheme: str = "", **point: Any) -> Term:
    """A whole process that builds its index, both strands."""
    return Term(Select(TABLE1, (variant,), device, {"query_bases": length}, point), SECONDS, scheme)


def bases(length: int) -> str:
    return f"{length} bases"


_PLAIN = {"memory": "global", "text_order": "plain", "node_order": "breadth_first"}
_ALONE_50 = Trial("50 bases", core(50), printed(50, SECONDS))
_LEAST = (20, 100)

CLAIMS = (
    Claim(
        "The GPU is over 10 times as fast as one core on reads without errors, transfers included (results, "
        "figure 3). Both as published, transfers of reads and results; E. coli, 100 M bases of reads",
        fact("Schatz et al.: over 10, transfers included"),
        tuple(Trial(bases(length), core(length), printed(length, WITH_QUERIES)) for length in LENGTHS),
        more_than(10),
        differ=("device", "node_order", "timing", "variant"),
        figure="exact-match/speedup",
    ),
    Claim(
        "The same, with the phase of the tree's transfer, in which the host makes its published leaves",
        fact("Schatz et al.: over 10, transfers included"),
        tuple(Trial(bases(length), core(length), printed(length)) for length in LENGTHS),
        more_than(10),
        differ=("device", "node_order", "timing", "variant"),
        figure="exact-match/speedup",
    ),
    Claim(
        "The same, ours: a later kernel in plain global memory, locked pages, over the traversal as published on a core",
        fact("Schatz et al.: over 10, transfers included"),
        tuple(Trial(bases(length), core(length), gpu(length)) for length in LENGTHS),
        more_than(10),
        differ=("device", "timing", "variant"),
        figure="exact-match/speedup",
    ),
    Claim(
        "The later kernel over all cores with the fastest CPU program, transfers included",
        "not asked",
        tuple(Trial(bases(length), all_cores(length), gpu(length)) for length in LENGTHS),
        FASTER,
        differ=("device", "timing", "variant"),
        figure="exact-match/speedup",
    ),
    Claim(
        "Longer reads gain less (results, figure 3). As published, the speed-up of the kernel alone over that of reads of 50 bases",
        "less",
        tuple(Trial(bases(length), core(length), printed(length, SECONDS), _ALONE_50) for length in LENGTHS[1:]),
        less_than(1),
        differ=("device", "node_order", "variant"),
        figure="exact-match/speedup",
    ),
    Claim(
        "The whole program is over 3 times as fast as MUMmer (abstract, table 1). Whole processes that build their index, both "
        "strands: MUMmer 3 as published over `exec_exact_match_gpu_building`, a later kernel; simulated reads",
        fact("MUMmerGPU over MUMmer in total time, more than"),
        tuple(
            Trial(
                bases(length),
                process("mummer3_both_strands", length, "cpu", MUMMER),
                process("exec_exact_match_gpu_building", length, "cuda"),
            )
            for length in READS
        ),
        more_than(3),
        differ=("device", "variant"),
    ),
    Claim(
        "The GPU's whole process over that of all vCPUs, both of this program, which build their index (table 1)",
        "not asked",
        tuple(
            Trial(
                bases(length),
                process("exec_exact_match_building", length, "cpu", threads=0),
                process("exec_exact_match_gpu_building", length, "cuda"),
            )
            for length in READS
        ),
        FASTER,
        differ=("device", "variant"),
    ),
    Claim(
        "Cached textures and reordered data bring up to 10 times (conclusion). The kernel as published over itself in plain "
        "global memory, one lane per query on both sides, figure 3's reads",
        fact("speedup by cached textures and reordered data, as much as"),
        tuple(Trial(bases(length), printed(length, RATE), untextured(length)) for length in LENGTHS),
        FASTER,
        differ=("memory", "node_order", "text_order"),
        reason=Reason(
            "With query_bases=100 the L1 hit rate is {0} with textures and {1} without.",
            (printed(100, L1), untextured(100, L1)),
            (" %", " %"),
        ),
        figure="exact-match/speedup",
    ),
    Claim(
        "The same for a later kernel, both strands of 1 M reads with errors",
        fact("speedup by cached textures and reordered data, as much as"),
        tuple(
            Trial(f"matches of {least} bases and more", step(least, **_TEXTURES), step(least, **_PLAIN))
            for least in _LEAST
        ),
        FASTER,
        differ=("memory", "node_order", "text_order"),
        ranges=(Range((Select(LADDER, ("tree_gpu",), "cuda"),), "min_length"),),
        reason=Reason(
            "With min_length=20 the L1 hit rate is {0} with textures and {1} without.",
            (step(20, L1, **_TEXTURES), step(20, L1, **_PLAIN)),
            (" %", " %"),
        ),
        figure="exact-match/ladder",
    ),
    Claim(
        "The kernel as published is slower within the memory of its GPU, where the tree is split (methods). "
        "768 MiB over all of the memory",
        "not stated",
        tuple(Trial(f"matches of {least} bases and more", split(least, 768), split(least, 0)) for least in _LEAST),
        less_than(1),
        differ=("memory_mib",),
        figure="exact-match/ladder",
    ),
)

UNTESTED = (
    Untested(
        "3 to 4 times MUMmer on reads of S. suis, L. monocytogenes and C. briggsae (table 1)",
        "these reads are not at hand, and the numbers of the paper's text are lost in our copy",
    ),
    Untested("The curve of figure 3", "its values are lost in our copy"),
    Untested(
        "13 times, MUMmerGPU 2.0 over the serial CPU code (Parallel Computing 2009)",
        "no committed record of its kernels",
    ),
    Untested("The authors' program", MUMMERGPU_2),
    Untested(
        "Printing while aligning (future work)", "`exec` does so; its time with and without the overlap is not recorded"
    ),
    Untested("MUMmer 4 instead of MUMmer 3 (table 1)", "Debian 12 has no package of it, and the GPU's host had none"),
    Untested("B. anthracis", "no package has it; E. coli replaces it"),
)

EXACT_MATCH = Paper(
    "Exact matches (MUMmerGPU, Schatz et al. 2007)",
    "The paper's machines: GeForce 8800 GTX and one core of a Xeon.",
    (*CLAIMS, *UNTESTED),
)
