"""Payne, Sinnott-Armstrong and Moore 2010: Exploiting graphics processing units."""

from __future__ import annotations

from gpuseq.reproduce.claims.committed import Select
from gpuseq.reproduce.claims.published import Published, PublishedRatio
from gpuseq.reproduce.claims.rows import FASTER, Claim, Limit, Paper, Reason, Trial, Untested, Value, more_than, within
from gpuseq.reproduce.claims.terms import COUNTER, SECONDS, SINGLE_LAUNCH, Term

PAPER, FIGURE, RUN = "pairwise-distance", "pairwise-distance/fig4", "h200-papers/pairwise-distance"
COUNTED = "h200-papers/pairwise-distance-steps"
STEPS = ("naive", "coalesced", "char4", "register", "shared")
TIMINGS = {"batches of launches": SECONDS, "single launches": SINGLE_LAUNCH}


def fact(label: str, figure: str = "") -> Published:
    return Published(PAPER, label, figure)


PAPERS_SIZE = {"instance_count": 112, "attribute_count": 512}
PER_LOAD = COUNTER + "l1tex__average_t_sectors_per_request_pipe_lsu_mem_global_op_ld.ratio"
ADDED = COUNTER + "l1tex__t_requests_pipe_lsu_mem_global_op_red.sum"
EXECUTED = COUNTER + "sm__inst_executed.sum"


def step(name: str, quantity: str = SECONDS) -> Term:
    return Term(Select(RUN, (name,), "cuda", PAPERS_SIZE), quantity, f"all-pairs, {name}")


def counted(name: str, quantity: str = SECONDS, instances: int = 112) -> Term:
    return Term(Select(COUNTED, (name,), "cuda", {"instance_count": instances}), quantity, f"all-pairs, {name}")


def _gain(states: str, slow: str, fast: str, holds: Limit, reason: Reason) -> Claim:
    tests = tuple(Trial(words, step(slow, quantity), step(fast, quantity)) for words, quantity in TIMINGS.items())
    large = Trial("1792 instances", counted(slow, instances=1792), counted(fast, instances=1792))
    return Claim(
        f"{states} (figure 4). Both as published",
        PublishedRatio(fact(slow, FIGURE), fact(fast, FIGURE)),
        (*tests, large),
        holds,
        differ=("variant",),
        reason=reason,
        figure="pairwise-distance/ladder",
    )


def _because(text: str, *terms: Term) -> Reason:
    return Reason(text, terms)


CPU = Term(Select(RUN, ("appendix",), "cpu", PAPERS_SIZE), SECONDS, "all-pairs, CPU")
_CPUS, _KERNELS = ("bit_planes", "bytes", "appendix"), ("register_tiled", "tensor", "dp4a")

CLAIMS = (
    _gain(
        "Coalescing is the first step",
        "naive",
        "coalesced",
        more_than(1.1),
        _because(
            "A load touches {0} sectors in the naive kernel and {1} in the coalesced one.",
            counted("naive", PER_LOAD),
            counted("coalesced", PER_LOAD),
        ),
    ),
    _gain(
        "Four characters per word bring nothing by themselves",
        "coalesced",
        "char4",
        within(0.9, 1.1),
        _because(
            "The kernel executes {0} warp instructions instead of {1}.",
            counted("char4", EXECUTED),
            counted("coalesced", EXECUTED),
        ),
    ),
    _gain(
        "Registers come next",
        "char4",
        "register",
        more_than(1.1),
        _because(
            "The kernel executes {0} warp instructions instead of {1}, with {2} instead of {3} reductions to global memory.",
            counted("register", EXECUTED),
            counted("char4", EXECUTED),
            counted("register", ADDED),
            counted("char4", ADDED),
        ),
    ),
    _gain(
        "Shared memory is the largest step",
        "register",
        "shared",
        more_than(2),
        _because(
            "It executes {0} warp instructions instead of {1}; the reductions to global memory fall from {2} to {3}.",
            counted("shared", EXECUTED),
            counted("register", EXECUTED),
            counted("register", ADDED),
            counted("shared", ADDED),
        ),
    ),
    Claim(
        "Shared memory is 1700 times as fast as the CPU's program (abstract). As published, batches of "
        "launches over one thread",
        fact("shared over the CPU"),
        (Trial("112 x 512", CPU, step("shared")),),
        more_than(1000),
        differ=("device", "timing", "variant"),
    ),
    Claim(
        "The GPU over the best CPU program at the paper's size; ours on both sides",
        "not asked",
        (
            Trial(
                "112 x 512",
                Term(Select(RUN, _CPUS, "cpu", PAPERS_SIZE), SECONDS),
                Term(Select(RUN, _KERNELS, "cuda", PAPERS_SIZE), SECONDS),
            ),
        ),
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
        figure="pairwise-distance/fig4",
        differ=("device", "timing", "variant"),
    )
    for name in ("naive", "coalesced", "register", "shared")
)

UNTESTED = (
    Untested(
        "The published times themselves",
        "their unit is in doubt: 44 865 ms for a loop that takes milliseconds; their ratios hold",
    ),
    Untested(
        "The gain of shared memory where the input exceeds the L1, and on its GeForce 9600M GT", "no such machine"
    ),
    Untested("The authors' programs (sourceforge all-pairsgpu)", "no public mirror of them was found"),
)

PAIRWISE_DISTANCE = Paper(
    "All-pairs distance (Payne et al. 2010)",
    "The paper's machines: GeForce 9600M GT and a Core 2 Duo. Ours: 112 instances of 512 attributes, the median of 25 data sets.",
    (*CLAIMS, *VALUES, *UNTESTED),
)
