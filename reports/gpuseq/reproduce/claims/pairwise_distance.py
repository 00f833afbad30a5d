"""Payne, Sinnott-Armstrong and Moore 2010: Exploiting graphics processing units."""

from __future__ import annotations

from gpuseq.reproduce.claims.committed import Select
from gpuseq.reproduce.claims.published import Published, PublishedRatio
from gpuseq.reproduce.claims.rows import FASTER, Claim, Limit, Paper, Trial, Untested, Value, more_than, within
from gpuseq.reproduce.claims.terms import COUNTER, SECONDS, SINGLE_LAUNCH, Term

PAPER, FIGURE, RUN = "pairwise-distance", "pairwise-distance/fig4", "h200-pairwise-distance-paper"
STEPS = ("naive", "coalesced", "char4", "register", "shared")
TIMINGS = {"batches of launches": SECONDS, "single launches": SINGLE_LAUNCH}


def fact(label: str, figure: str = "") -> Published:
    return Published(PAPER, label, figure)


def step(name: str, quantity: str = SECONDS) -> Term:
    return Term(Select(RUN, (name,), "cuda"), quantity, f"all-pairs, {name}")


def _gain(states: str, slow: str, fast: str, holds: Limit) -> Claim:
    tests = tuple(Trial(words, step(slow, quantity), step(fast, quantity)) for words, quantity in TIMINGS.items())
    return Claim(
        f"{states} (figure 4). Both as published",
        PublishedRatio(fact(slow, FIGURE), fact(fast, FIGURE)),
        tests,
        holds,
        differ=("variant",),
    )


CPU = Term(Select(RUN, ("appendix",), "cpu"), SECONDS, "all-pairs, CPU")
_CPUS, _KERNELS = ("bit_planes", "bytes", "appendix"), ("register_tiled", "tensor", "dp4a")

CLAIMS = (
    _gain("Coalescing is the first step", "naive", "coalesced", more_than(1.1)),
    _gain("Four characters per word bring nothing by themselves", "coalesced", "char4", within(0.9, 1.1)),
    _gain("Registers come next", "char4", "register", more_than(1.1)),
    _gain("Shared memory is the largest step", "register", "shared", more_than(2)),
    Claim(
        "The last step is 1700 times as fast as the CPU's program (abstract). As published, batches of "
        "launches over one thread",
        fact("shared over the CPU"),
        (Trial("112 x 512", CPU, step("shared")),),
        more_than(1000),
        differ=("device", "timing", "variant"),
    ),
    Claim(
        "The GPU over the best CPU program at the paper's size; ours on both sides",
        "not asked",
        (Trial("112 x 512", Term(Select(RUN, _CPUS, "cpu"), SECONDS), Term(Select(RUN, _KERNELS, "cuda"), SECONDS)),),
        FASTER,
        differ=("device", "timing", "variant"),
    ),
)

VALUES = tuple(
    Value(
        f"section 6, figure 4: {name} over the CPU, as published, batches of launches",
        fact(f"{name} over the CPU"),
        Trial("112 x 512", CPU, step(name)),
        "x",
        differ=("device", "timing", "variant"),
    )
    for name in ("naive", "coalesced", "register", "shared")
)

_L1 = COUNTER + "l1tex__t_sector_hit_rate.pct"
_PER_LOAD = COUNTER + "l1tex__average_t_sectors_per_request_pipe_lsu_mem_global_op_ld.ratio"
UNTESTED = (
    Untested(
        "Why a step gains: sectors per request, atomic additions, L1 hits of each step at 112 x 512",
        "no record of a step has counters; paper/pairwise-distance-steps.json counts them",
        tuple(Term(Select(RUN, (name,), "cuda"), counter) for name in STEPS for counter in (_L1, _PER_LOAD)),
    ),
    Untested(
        "The published times themselves",
        "their unit is in doubt: 44 865 ms for a loop that takes milliseconds; their ratios hold",
    ),
    Untested(
        "The gain of shared memory where the input exceeds the L1, and on its GeForce 9600M GT", "no such machine"
    ),
    Untested("The authors' programs (sourceforge all-pairsgpu)", "no committed record of them"),
)

PAIRWISE_DISTANCE = Paper(
    "All-pairs distance (Payne et al. 2010)",
    "Ours: an H200 and 16 vCPUs of a Xeon; 112 instances of 512 attributes, the median of 25 data sets. The "
    "paper's: GeForce 9600M GT "
    "and a Core 2 Duo.",
    (*CLAIMS, *VALUES, *UNTESTED),
)
