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
    Value,
    less_than,
    more_than,
)
from gpuseq.reproduce.claims.terms import (
    COUNTER,
    RATE,
    SECONDS,
    WITH_PREPARATION,
    WITH_TRANSFERS,
    Term,
)

PAPER = "exact-match"
RUN, LADDER = "h200-exact-match-paper", "h200-exact-match-ladder"
LENGTHS = (50, 100, 200, 400, 800)
READS = {36: "h200-exact-match-table1", 200: "h200-exact-match-table1-200", 720: "h200-exact-match-table1-720-mummer"}
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
    return Term(Select(RUN, ("tree_gpu",), "cuda", {"query_bases": length}, PLAIN), quantity)


def core(length: int, in_flight: int = 1) -> Term:
    select = Select(RUN, ("tree",), "cpu", {"query_bases": length}, {"threads": 1, "in_flight": in_flight})
    return Term(select, SECONDS, ON_A_CORE if in_flight == 1 else "")


def all_cores(length: int) -> Term:
    return Term(Select(RUN, ("tree", "tree_words"), "cpu", {"query_bases": length}), SECONDS)


def step(least: int, quantity: str = RATE, **point: Any) -> Term:
    return Term(Select(LADDER, ("tree_gpu",), "cuda", {"min_length": least}, {**_OURS, **point}), quantity)


def printed(least: int, memory_mib: int, quantity: str = RATE) -> Term:
    select = Select(LADDER, ("tree_gpu",), "cuda", {"min_length": least}, {**PUBLISHED, "memory_mib": memory_mib})
    return Term(select, quantity, MUMMERGPU)


_LENGTHS = Range((Select(RUN, ("tree",), "cpu"), Select(RUN, ("tree_gpu",), "cuda")), "query_bases")
_PLAIN = {"memory": "global", "text_order": "plain", "node_order": "breadth_first"}
_ALONE_50 = Trial("50 bases", core(50), gpu(50, SECONDS))

CLAIMS = (
    Claim(
        "The GPU is over 10 times as fast as one core on reads without errors, transfers included (results, "
        "figure 3). Ours: a later "
        "kernel in plain global memory, locked pages, over the traversal as published on a core; E. coli, "
        "100 M bases of reads",
        fact("Schatz et al.: over 10, transfers included"),
        tuple(Trial(f"{length} bases", core(length), gpu(length)) for length in LENGTHS),
        more_than(10),
        differ=("device", "timing", "variant"),
        ranges=(_LENGTHS,),
    ),
    Claim(
        "The same over all cores with the fastest CPU program, transfers included",
        "not asked",
        tuple(Trial(f"{length} bases", all_cores(length), gpu(length)) for length in LENGTHS),
        FASTER,
        differ=("device", "timing", "variant"),
        ranges=(_LENGTHS,),
    ),
    Claim(
        "Longer reads gain less (results, figure 3). The speed-up of the kernel alone over that of reads of 50 bases",
        "less",
        tuple(Trial(f"{length} bases", core(length), gpu(length, SECONDS), _ALONE_50) for length in LENGTHS[1:]),
        less_than(1),
        differ=("device", "variant"),
        ranges=(Range(_LENGTHS.selects, "query_bases", low=51),),
    ),
    Claim(
        "The whole program is over 3 times as fast as MUMmer (abstract, table 1). Whole processes that build "
        "their index: MUMmer 3 as published over "
        "`exec_exact_match_gpu`, a later kernel, with its preparation; one strand, simulated reads",
        fact("MUMmerGPU over MUMmer in total time, more than"),
        tuple(
            Trial(
                f"{length} bases",
                Term(Select(run, ("mummer3",), "cpu", {"query_bases": length}), SECONDS, MUMMER),
                Term(Select(run, ("exec_exact_match_gpu",), "cuda", {"query_bases": length}), WITH_PREPARATION),
            )
            for length, run in READS.items()
        ),
        more_than(3),
        differ=("device", "variant"),
    ),
    Claim(
        "Cached textures and reordered data bring up to 10 times (conclusion). Ours: a later kernel, one "
        "lane per query on both sides, "
        "over plain global memory",
        fact("speedup by cached textures and reordered data, as much as"),
        tuple(
            Trial(f"matches of {least} bases and more", step(least, **_TEXTURES), step(least, **_PLAIN))
            for least in (20, 100)
        ),
        FASTER,
        differ=("memory", "node_order", "text_order"),
        ranges=(Range((Select(LADDER, ("tree_gpu",), "cuda"),), "min_length"),),
        reason=Reason(
            "The L1 hit rate is {0} with textures and {1} without (min_length=20).",
            (step(20, L1, **_TEXTURES), step(20, L1, **_PLAIN)),
            (" %", " %"),
        ),
    ),
    Claim(
        "The kernel as published is slower within the memory of its GPU, where the tree is split (methods). "
        "768 MiB over all of the memory",
        "not stated",
        tuple(
            Trial(f"matches of {least} bases and more", printed(least, 768), printed(least, 0)) for least in (20, 100)
        ),
        less_than(1),
        differ=("memory_mib",),
    ),
)

VALUES: tuple[Value, ...] = ()

_BOTH_STRANDS = {"both_strands": "yes"}
UNTESTED = (
    Untested(
        "The published kernel with and without textures and reordered data",
        "no record has its leaves and edge ends in plain global memory",
        (Term(Select(LADDER, ("tree_gpu",), "cuda", point={**_PLAIN, "leaves": "nodes", "edge_ends": "compared"})),),
    ),
    Untested(
        "Figure 3 by the published kernel",
        "paper/exact-match.json measures it; no run of it is committed",
        (Term(Select(RUN, ("tree_gpu",), "cuda", point=PUBLISHED)),),
    ),
    Untested(
        "Table 1 with both strands",
        "paper/exact-match-table1.json searches both; no run of it is committed",
        tuple(Term(Select(run, ("mummer3",), "cpu", _BOTH_STRANDS), SECONDS) for run in READS.values()),
    ),
    Untested(
        "Cache hit rates and divergence of each step at figure 3's problem",
        "the paper could not count them either; paper/exact-match.json does",
        (Term(Select(RUN, ("tree_gpu",), "cuda", point=PUBLISHED), L1),),
    ),
    Untested(
        "3 to 4 times MUMmer on reads of S. suis, L. monocytogenes and C. briggsae (table 1)",
        "these reads are not at hand, and the numbers of the paper's text are lost in our copy",
    ),
    Untested("The curve of figure 3", "its values are lost in our copy"),
    Untested(
        "13 times, MUMmerGPU 2.0 over the serial CPU code (Parallel Computing 2009)",
        "no committed record of its kernels",
    ),
    Untested("B. anthracis", "no package has it; E. coli replaces it"),
)

EXACT_MATCH = Paper(
    "Exact matches (MUMmerGPU, Schatz et al. 2007)",
    "Ours: an H200 and 16 vCPUs of a Xeon. The paper's: GeForce 8800 GTX and one core of a Xeon.",
    (*CLAIMS, *VALUES, *UNTESTED),
)
