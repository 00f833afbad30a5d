"""Alachiotis, Berger and Stamatakis 2012: Coupling SIMD and SIMT architectures (PaPaRa)."""

from __future__ import annotations

from typing import Any

from gpuseq.reproduce.claims.committed import Select
from gpuseq.reproduce.claims.published import Published, PublishedRatio
from gpuseq.reproduce.claims.rows import (
    FASTER,
    Claim,
    Range,
    Reason,
    Trial,
    less_than,
    more_than,
    within,
)
from gpuseq.reproduce.claims.terms import COUNTER, INSTRUCTIONS, RATE, RESOURCE, SECONDS, Term

PAPER = "papara"
RUN, STEPS, CPU_RUN, WHOLE = (
    f"h200-papers/{name}" for name in ("papara", "papara-steps", "papara-cpu", "papara-whole")
)
REFERENCE = "h200"
KERNELS = ("blocked_registers", "blocked_shared")
_PUBLISHED = {"arithmetic": "s32", "recurrence": "printed", "ends": "square", "unroll": 12, "elements": "compressed",
              "threads_per_block": 320, "references_per_launch": 320}  # fmt: skip
_SSE = {"bits": 16, "target": "sse4"}
ISSUED = COUNTER + "smsp__issue_active.avg.pct_of_peak_sustained_active"


def fact(label: str = "", figure: str = "", **at: Any) -> Published:
    return Published(PAPER, label, figure, at=at)


def of_table1(label: str, sites: int) -> Published:
    return fact(label, "papara/table1", sites=sites)


def gpu(run: str = RUN, quantity: str = RATE, **problem: Any) -> Term:
    """The fastest of our kernels."""
    select = Select(run, KERNELS, "cuda", problem, {"recurrence": (None, "potentials")})
    return Term(select, quantity)


def hybrid(run: str = RUN, quantity: str = RATE, **problem: Any) -> Term:
    return Term(Select(run, ("hybrid",), "cpu", problem), quantity)


def printed(sites: int = 5000, query_count: int = 1250, quantity: str = RATE, run: str = RUN, **point: Any) -> Term:
    """The GPU's kernel as published."""
    problem = {"sites": sites, "query_count": query_count, "references": 320}
    select = Select(run, ("blocked_shared",), "cuda", problem, {**_PUBLISHED, **point})
    return Term(select, quantity, "" if point else "PaPaRa, GPU")


def step(sites: int, quantity: str = RATE, **point: Any) -> Term:
    """The published kernel with one axis changed."""
    return printed(sites, run=STEPS, quantity=quantity, **point)


def by_rows(sites: int) -> Term:
    """The straightforward kernel, its row in global memory (figure 3)."""
    return Term(Select(STEPS, ("row_wise_global",), "cuda", {"sites": sites}, {"arithmetic": "s32"}))


def sse(threads: int, sites: int) -> Term:
    schemes = {1: "PaPaRa, SSE on a core", 4: "PaPaRa, SSE(4)"}
    select = Select(CPU_RUN, ("row_wise",), "cpu", {"sites": sites}, {**_SSE, "threads": threads})
    return Term(select, scheme=schemes.get(threads, ""))


def seq(sites: int) -> Term:
    return Term(Select(CPU_RUN, ("sequential",), "cpu", {"sites": sites}, {"threads": 1}), scheme="PaPaRa, Seq")


def core(variant: str, sites: int) -> Term:
    """One thread, the widest vectors, scores of 16 bits."""
    return Term(Select(CPU_RUN, (variant,), "cpu", {"sites": sites}, {"bits": 16, "target": "best", "threads": 1}))


TABLE1_SITES = (500, 1000, 5000, 10000, 50000, 100000, 500000)
TABLE2_QUERIES = (100, 250, 500, 750, 1000)
PRANK: dict[str, Any] = {"query_count": 16040, "sites": 3060}
SHAPE_16S: dict[str, Any] = {"references": 2764, "sites": 6857, "query_count": 691}
_DNA: tuple[dict[str, Any], ...] = ({"alphabet": "dna", "sites": 500}, {"alphabet": "dna", "sites": 5000})


def sites_text(sites: int) -> str:
    return f"{sites} sites"


def _hybrid(size: str, **problem: Any) -> Trial:
    return Trial(size, hybrid(**problem), gpu(**problem))


def _share(size: str, kernel: str, process: str, device: str) -> Trial:
    """T_scoring over T_all."""
    return Trial(
        size, Term(Select(WHOLE, (kernel,), device), SECONDS), Term(Select(WHOLE, (process,), device), SECONDS)
    )


_HYBRIDS = (
    *(_hybrid(f"1250 queries, {sites} sites", sites=sites, query_count=1250) for sites in TABLE1_SITES),
    *(_hybrid(f"5000 sites, {queries} queries", sites=5000, query_count=queries) for queries in TABLE2_QUERIES),
    *(_hybrid(f"1604.PRANK's shape, {references} references", references=references, **PRANK) for references in (802, 1601)),
    _hybrid("a 200th of 16S.B.ALL", **SHAPE_16S),
)  # fmt: skip
_TOGETHER = PublishedRatio(fact("CPU and GPU, 16S.B.ALL", "papara/table3"), fact("GPU, 16S.B.ALL", "papara/table3"))

CLAIMS = (
    Claim(
        "Short references cost the GPU more than half of its rate (table 1). As published, over 100000 sites",
        PublishedRatio(of_table1("GPU", 500), of_table1("GPU", 100000)),
        tuple(Trial(sites_text(sites), printed(sites), printed(100000)) for sites in TABLE1_SITES[:2]),
        less_than(0.5),
        differ=("problem.sites",),
        reason=Reason(
            "The SMs issue in {0} of their cycles with sites=500, and in {1} with sites=100000.",
            (printed(500, quantity=ISSUED), printed(100000, quantity=ISSUED)),
            (" %", " %"),
        ),
        figure="papara/table1",
    ),
    Claim(
        "CPU and GPU deliver comparable rates if both are optimised (abstract, table 1). Ours: the fastest "
        "kernels, GPU over 16 vCPUs",
        fact("GPU over SSE(4), references of 10000 sites"),
        tuple(
            Trial(
                f"{problem['sites']} sites",
                gpu(REFERENCE, **problem),
                Term(Select(REFERENCE, ("blocked",), "cpu", problem)),
            )
            for problem in _DNA
        ),
        within(0.5, 2),
        differ=("device", "variant"),
    ),
    Claim(
        "CPU and GPU deliver comparable rates at the seven lengths of table 1, both as published",
        PublishedRatio(of_table1("GPU", 5000), of_table1("SSE(4)", 5000)),
        tuple(Trial(sites_text(sites), printed(sites), sse(4, sites)) for sites in TABLE1_SITES),
        within(0.5, 2),
        differ=("device", "problem.query_count", "problem.references", "run", "variant"),
        reason=Reason(
            "A cell takes {0} warp instructions in the published kernel and {1} in our fastest.",
            (printed(quantity=INSTRUCTIONS), gpu(quantity=INSTRUCTIONS, sites=5000, query_count=1250)),
        ),
        figure="papara/table1",
    ),
    Claim(
        "The rate hardly depends on the number of queries (table 2). As published, over 1250 queries",
        PublishedRatio(fact("GPU", "papara/table2", queries=100), fact("GPU", "papara/table2", queries=1250)),
        tuple(Trial(f"{queries} queries", printed(5000, queries), printed()) for queries in TABLE2_QUERIES),
        more_than(0.9),
        differ=("problem.query_count",),
        figure="papara/table2",
    ),
    Claim(
        "The same, ours: the fastest kernel",
        PublishedRatio(fact("GPU", "papara/table2", queries=100), fact("GPU", "papara/table2", queries=1250)),
        tuple(
            Trial(f"{queries} queries", gpu(sites=5000, query_count=queries), gpu(sites=5000, query_count=1250))
            for queries in TABLE2_QUERIES
        ),
        more_than(0.9),
        differ=("problem.query_count",),
        reason=Reason(
            "The launch has {0} blocks with query_count=100, and {1} with query_count=1250.",
            (
                gpu(quantity=RESOURCE + "blocks", sites=5000, query_count=100),
                gpu(quantity=RESOURCE + "blocks", sites=5000, query_count=1250),
            ),
        ),
        figure="papara/table2",
    ),
    Claim(
        "Blocks in shared memory are faster than rows in global memory (methods, figures 3 and 4). The kernel as "
        "published over the straightforward one, 32 bits",
        "needed for shared memory",
        tuple(Trial(sites_text(sites), step(sites), by_rows(sites)) for sites in (500, 5000)),
        FASTER,
        differ=("variant", "unroll", "threads_per_block", "references_per_launch"),
        figure="papara/ladder",
    ),
    Claim(
        "Unrolled columns improve the kernel significantly (methods). As published, over columns=4 of unroll",
        "significantly",
        tuple(
            Trial(
                f"{sites} sites, {unroll} columns",
                step(sites) if unroll == 12 else step(sites, unroll=unroll),
                step(sites, unroll=4),
            )
            for sites in (500, 5000)
            for unroll in (6, 8, 12, 16, 24)
        ),
        more_than(1.1),
        differ=("unroll",),
        figure="papara/ladder",
    ),
    Claim(
        "Compressed references improve the kernel (methods). As published, over elements=plain",
        "further improved",
        tuple(Trial(sites_text(sites), step(sites), step(sites, elements="plain")) for sites in (500, 5000)),
        FASTER,
        differ=("elements",),
        reason=Reason(
            "With sites=500 the kernel executes {0} warp instructions per cell compressed and {1} plain.",
            (step(500, INSTRUCTIONS), step(500, INSTRUCTIONS, elements="plain")),
        ),
        figure="papara/ladder",
    ),
    Claim(
        "SSE4.1 brings 9 times on a core at the seven lengths of table 1. Both as published",
        fact("SSE 4.1 over Seq on a single core"),
        tuple(Trial(sites_text(sites), sse(1, sites), seq(sites)) for sites in TABLE1_SITES),
        more_than(8),
        differ=("variant",),
        figure="papara/table1",
    ),
    Claim(
        "The rate grows linearly with the cores (abstract). SSE4.1 as published, the gain per thread of four; the "
        "vCPUs of a rented host",
        "1 x",
        tuple(Trial(sites_text(sites), sse(4, sites), sse(1, sites), shared_by=4) for sites in TABLE1_SITES),
        more_than(0.9),
        differ=("threads",),
    ),
    Claim(
        "Long references cost the CPU its caches (table 1). Ours: by rows, one core, widest vectors, over 500 sites",
        PublishedRatio(of_table1("SSE(4)", 500000), of_table1("SSE(4)", 500)),
        tuple(Trial(sites_text(sites), core("row_wise", sites), core("row_wise", 500)) for sites in TABLE1_SITES[1:]),
        less_than(0.9),
        differ=("problem.sites",),
    ),
    Claim(
        "Long references cost the CPU its caches (table 1), SSE4.1 with four threads as published, over 500 sites",
        PublishedRatio(of_table1("SSE(4)", 500000), of_table1("SSE(4)", 500)),
        tuple(Trial(sites_text(sites), sse(4, sites), sse(4, 500)) for sites in TABLE1_SITES[1:]),
        less_than(0.9),
        differ=("problem.sites",),
    ),
    Claim(
        "Blocks keep the CPU's rate with long references (future work, not tried there). Ours: one core, "
        "over 500 sites",
        "not tried",
        tuple(Trial(sites_text(sites), core("blocked", sites), core("blocked", 500)) for sites in TABLE1_SITES[1:]),
        more_than(0.9),
        differ=("problem.sites",),
    ),
    Claim(
        "CPU and GPU together are faster than the GPU (table 3). Ours: all problems that the run has of both",
        _TOGETHER,
        _HYBRIDS,
        FASTER,
        differ=("device", "variant"),
        ranges=tuple(
            Range((Select(RUN, ("hybrid",), "cpu"), Select(RUN, KERNELS, "cuda")), axis)
            for axis in ("sites", "query_count", "references")
        ),
    ),
    Claim(
        "CPU and GPU together are faster than the GPU, in the reference run (table 3)",
        _TOGETHER,
        tuple(
            Trial(sites_text(problem["sites"]), hybrid(REFERENCE, **problem), gpu(REFERENCE, **problem))
            for problem in _DNA
        ),
        FASTER,
        differ=("device", "variant"),
    ),
    Claim(
        "CPU and GPU together are faster than the GPU, 25 real 16S over 10 142 edges (table 3)",
        _TOGETHER,
        (Trial("25 queries", hybrid(WHOLE), gpu(WHOLE)),),
        FASTER,
        differ=("device", "variant"),
    ),
    Claim(
        "Scoring takes most of the whole program's time, files and traceback included (table 3). Ours: the kernel's "
        "seconds over those of the whole process with the same kernel",
        PublishedRatio(fact("1604.PRANK: time of the scoring phase"), fact("1604.PRANK: time of the whole program")),
        (
            _share("25 real 16S, CPU", "blocked", "exec_papara", "cpu"),
            _share("25 real 16S, GPU", "blocked_registers", "exec_papara_gpu", "cuda"),
        ),
        more_than(0.5, "%"),
        "%",
        differ=("timing", "variant"),
    ),
)
