"""Alachiotis, Berger and Stamatakis 2012: Coupling SIMD and SIMT architectures (PaPaRa)."""

from __future__ import annotations

from typing import Any

from gpuseq.reproduce.claims.committed import Select
from gpuseq.reproduce.claims.published import Published, PublishedRatio
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
    within,
)
from gpuseq.reproduce.claims.terms import INSTRUCTIONS, RATE, RESOURCE, SECONDS, Term

PAPER = "papara"
RUN, PARTS, LADDER, THREADS, CORE = (
    "h200-papara",
    "h200-papara-parts",
    "h200-papara-ladder",
    "h200-papara-threads",
    "zen5-papara",
)
WHOLE, ALL_16S, HYBRID_16S, REAL_16S = (
    "h200-papara-whole",
    "h200-papara-16s-all",
    "h200-papara-16s-hybrid",
    "h200-papara-16s",
)
KERNELS = ("blocked_registers", "blocked_shared")
_PUBLISHED = {"recurrence": "printed", "ends": "square"}
_SSE = {"bits": 16, "target": "sse4"}


def fact(label: str = "", figure: str = "", **at: Any) -> Published:
    return Published(PAPER, label, figure, at=at)


def gpu(run: str, quantity: str = RATE, **problem: Any) -> Term:
    """The fastest of our kernels."""
    return Term(Select(run, KERNELS, "cuda", problem), quantity)


def hybrid(run: str, quantity: str = RATE, **problem: Any) -> Term:
    return Term(Select(run, ("hybrid",), "cpu", problem), quantity)


def printed(quantity: str = RATE) -> Term:
    """The GPU's kernel as published."""
    return Term(Select(LADDER, ("blocked_shared",), "cuda", point=_PUBLISHED), quantity, "PaPaRa, GPU")


def sse(threads: int) -> Term:
    schemes = {1: "PaPaRa, SSE on a core", 4: "PaPaRa, SSE(4)"}
    return Term(
        Select(THREADS, ("row_wise",), "cpu", point={**_SSE, "threads": threads}), scheme=schemes.get(threads, "")
    )


def core(variant: str, sites: int) -> Term:
    return Term(Select(CORE, (variant,), "cpu", {"sites": sites}))


SEQ = Term(Select(THREADS, ("sequential",), "cpu", point={"threads": 1}), scheme="PaPaRa, Seq")
TABLE1_SITES = (500, 1000, 5000, 10000, 50000, 100000)
TABLE2_QUERIES = (100, 250, 500, 750, 1000)
CORE_SITES = (5000, 500000)
PRANK: dict[str, Any] = {"query_count": 16040, "sites": 3060}
SHAPE_16S: dict[str, Any] = {"references": 2764, "sites": 6857, "query_count": 691}

_PARTS: tuple[dict[str, Any], ...] = ({"sites": 500}, {"sites": 3060}, {"sites": 10000})
_HYBRIDS = [
    *(
        Trial(
            f"320x{sites} sites, 1250 queries",
            hybrid(RUN, sites=sites, query_count=1250),
            gpu(RUN, sites=sites, query_count=1250),
        )
        for sites in TABLE1_SITES
    ),
    *(
        Trial(
            f"320x5000 sites, {queries} queries",
            hybrid(RUN, sites=5000, query_count=queries),
            gpu(RUN, sites=5000, query_count=queries),
        )
        for queries in TABLE2_QUERIES
    ),
    *(
        Trial(
            f"{references} references of 1604.PRANK's shape",
            hybrid(RUN, references=references, **PRANK),
            gpu(RUN, references=references, **PRANK),
        )
        for references in (802, 1601)
    ),
    Trial("a 200th of 16S.B.ALL", hybrid(RUN, **SHAPE_16S), gpu(RUN, **SHAPE_16S)),
]

CLAIMS = (
    Claim(
        "CPU and GPU deliver comparable rates if both are optimised (abstract, table 1). Ours: the fastest "
        "kernels, GPU over 16 vCPUs",
        fact("GPU over SSE(4), references of 10000 sites"),
        tuple(
            Trial(
                f"{problem['sites']} sites",
                gpu(PARTS, **problem),
                Term(Select(PARTS, ("blocked", "row_wise"), "cpu", problem)),
            )
            for problem in _PARTS
        ),
        within(0.5, 2),
        differ=("device", "variant"),
        ranges=(Range((Select(PARTS, KERNELS, "cuda"), Select(PARTS, ("blocked",), "cpu")), "sites"),),
    ),
    Claim(
        "The same, both as published: the GPU's kernel over SSE4.1 with four threads",
        PublishedRatio(fact("GPU", "papara/table1", sites=5000), fact("SSE(4)", "papara/table1", sites=5000)),
        (Trial("5000 sites", printed(), sse(4)),),
        within(0.5, 2),
        differ=("commit", "device", "problem.query_count", "problem.references", "run", "variant"),
        reason=Reason(
            "A cell takes {0} warp instructions in the published kernel and {1} in our fastest.",
            (printed(INSTRUCTIONS), gpu(LADDER, INSTRUCTIONS)),
        ),
    ),
    Claim(
        "The rate hardly depends on the number of queries (table 2). Ours: the fastest kernel, over its rate "
        "with 1250 queries",
        PublishedRatio(fact("GPU", "papara/table2", queries=100), fact("GPU", "papara/table2", queries=1250)),
        tuple(
            Trial(
                f"{queries} queries", gpu(RUN, sites=5000, query_count=queries), gpu(RUN, sites=5000, query_count=1250)
            )
            for queries in TABLE2_QUERIES
        ),
        more_than(0.9),
        differ=("problem.query_count",),
        reason=Reason(
            "The launch has {0} blocks with query_count=100, and {1} with query_count=1250.",
            (
                gpu(RUN, RESOURCE + "blocks", sites=5000, query_count=100),
                gpu(RUN, RESOURCE + "blocks", sites=5000, query_count=1250),
            ),
        ),
    ),
    Claim(
        "SSE4.1 brings 9 times on a core (abstract). Both as published",
        fact("SSE 4.1 over Seq on a single core"),
        (Trial("5000 sites", sse(1), SEQ),),
        more_than(8),
        differ=("variant",),
    ),
    Claim(
        "The rate grows linearly with the cores (abstract). SSE4.1 as published, the gain per thread; the "
        "vCPUs of a rented host",
        "1 x",
        tuple(Trial(f"{threads} threads", sse(threads), sse(1), shared_by=threads) for threads in (2, 4, 8, 16)),
        more_than(0.9),
        differ=("threads",),
    ),
    Claim(
        "Long references cost the CPU its caches (table 1). Ours: by rows, one core, widest vectors, over 500 sites",
        PublishedRatio(fact("SSE(4)", "papara/table1", sites=500000), fact("SSE(4)", "papara/table1", sites=500)),
        tuple(Trial(f"{sites} sites", core("row_wise", sites), core("row_wise", 500)) for sites in CORE_SITES),
        less_than(0.9),
        differ=("problem.sites",),
    ),
    Claim(
        "Blocks keep the CPU's rate with long references (future work, not tried there). Ours: one core, "
        "over 500 sites",
        "not tried",
        tuple(Trial(f"{sites} sites", core("blocked", sites), core("blocked", 500)) for sites in CORE_SITES),
        more_than(0.9),
        differ=("problem.sites",),
    ),
    Claim(
        "CPU and GPU together are faster than the GPU (table 3). Ours: all problems that a run has of both",
        PublishedRatio(fact("CPU and GPU, 16S.B.ALL", "papara/table3"), fact("GPU, 16S.B.ALL", "papara/table3")),
        tuple(_HYBRIDS),
        FASTER,
        differ=("device", "variant"),
        ranges=tuple(
            Range((Select(RUN, ("hybrid",), "cpu"), Select(RUN, KERNELS, "cuda")), axis)
            for axis in ("sites", "query_count", "references")
        ),
    ),
    Claim(
        "The same, in other runs",
        PublishedRatio(fact("CPU and GPU, 16S.B.ALL", "papara/table3"), fact("GPU, 16S.B.ALL", "papara/table3")),
        (
            *(
                Trial(f"{sites} sites, vCPUs measured alone too", hybrid(PARTS, sites=sites), gpu(PARTS, sites=sites))
                for sites in (500, 10000, 3060)
            ),
            Trial("500000 sites", hybrid(WHOLE), gpu(WHOLE)),
            Trial("25 real 16S, 1000 queries", hybrid(REAL_16S), gpu(REAL_16S)),
            Trial("16S.B.ALL whole", hybrid(HYBRID_16S), gpu(ALL_16S)),
        ),
        FASTER,
        differ=("commit", "device", "run", "variant"),
    ),
)

VALUES = (
    *(
        Value(
            f"table 1: GPU, 1250 queries, {sites} sites (ours: a later kernel)",
            fact("GPU", "papara/table1", sites=sites),
            Trial(f"{sites} sites", gpu(RUN, sites=sites, query_count=1250)),
            "cells/s",
        )
        for sites in TABLE1_SITES
    ),
    Value(
        "table 1: GPU, 1250 queries, 500000 sites (ours: a later kernel)",
        fact("GPU", "papara/table1", sites=500000),
        Trial("500000 sites", gpu(WHOLE, sites=500000)),
        "cells/s",
    ),
    Value(
        "table 1: GPU, 1250 queries, 5000 sites, as published",
        fact("GPU", "papara/table1", sites=5000),
        Trial("5000 sites", printed()),
        "cells/s",
    ),
    Value(
        "table 1: SSE(4), 5000 sites, as published (ours: 64 references, 128 queries)",
        fact("SSE(4)", "papara/table1", sites=5000),
        Trial("5000 sites", sse(4)),
        "cells/s",
    ),
    Value(
        "table 1: Seq, 5000 sites, as published (ours: 64 references, 128 queries)",
        fact("Seq", "papara/table1", sites=5000),
        Trial("5000 sites", SEQ),
        "cells/s",
    ),
    *(
        Value(
            f"table 2: GPU, {queries} queries, 5000 sites (ours: a later kernel)",
            fact("GPU", "papara/table2", queries=queries),
            Trial("5000 sites", gpu(RUN, sites=5000, query_count=queries)),
            "cells/s",
        )
        for queries in (*TABLE2_QUERIES, 1250)
    ),
    Value(
        "table 3: 1604.PRANK's shape, 1601 edges, scoring phase, CPU and GPU",
        fact("1604.PRANK: time of the scoring phase"),
        Trial("1601 references", hybrid(RUN, SECONDS, references=1601, **PRANK)),
        "s",
    ),
    Value(
        "table 3: 16S.B.ALL's shape whole, scoring phase, CPU and GPU",
        fact("16S.B.ALL: time of the scoring phase"),
        Trial("27641 references", hybrid(HYBRID_16S, SECONDS)),
        "s",
    ),
    Value(
        "table 3: 16S.B.ALL's shape whole, GPU alone (there with the CPU)",
        fact("GPU, 16S.B.ALL", "papara/table3"),
        Trial("27641 references", gpu(ALL_16S)),
        "cells/s",
    ),
    Value(
        "abstract: CPU, peak, all its cores (ours: by blocks, 8 bits, widest vectors, 16 vCPUs)",
        fact("SSE(4): peak"),
        Trial("10000 sites", Term(Select(PARTS, ("blocked",), "cpu", {"sites": 10000}))),
        "cells/s",
    ),
)

_PRINTED = Select(RUN, ("blocked_shared",), "cuda", point=_PUBLISHED)
UNTESTED = (
    Untested(
        "The published kernel at the other six lengths of table 1 and the six query counts of table 2: "
        "square blocks make short references slow",
        "paper/papara.json measures it; no run of it is committed",
        (Term(_PRINTED),),
    ),
    Untested(
        "Table 1, columns Seq and SSE(4), but at 5000 sites",
        "paper/papara-cpu.json measures them; no run of it is committed",
        tuple(Term(Select(run, ("row_wise",), "cpu", point={**_SSE, "threads": 4})) for run in (RUN, PARTS)),
    ),
    Untested(
        "T_all of table 3, with traceback and files", "paper/papara-whole.json measures it; no run of it is committed"
    ),
    Untested(
        "The gain of compression and of more shared memory in the published kernel",
        "paper/papara-steps.json measures it; no run of it is committed",
        (Term(Select(LADDER, ("blocked_shared",), "cuda", point={**_PUBLISHED, "elements": "plain"})),),
    ),
    Untested(
        "The alignments of table 3, 1604.PRANK and 16S.B.ALL",
        "not in our hands; sequences of their shapes are evolved along a tree",
    ),
    Untested("Slow on an AMD GPU; 20 % by overclocking (discussion)", "no such machine"),
    Untested("Its portability by OpenCL, and the effort of it", "the suite has CUDA kernels only"),
)

PAPARA = Paper(
    "PaPaRa (Alachiotis et al. 2012)",
    "Ours: an H200 and 16 vCPUs of a Xeon, one core of a Zen 5. The paper's: GTX 560 and a Core i7-2600 of "
    "four cores. Cells are those "
    "of the band, as the paper counts those of its GPU.",
    (*CLAIMS, *VALUES, *UNTESTED),
)
