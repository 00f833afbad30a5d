"""Values of Alachiotis et al. 2012 next to ours, untested statements, and the paper's rows together."""

from __future__ import annotations

from gpuseq.reproduce.claims.committed import Select
from gpuseq.reproduce.claims.papara import (
    CLAIMS,
    PRANK,
    REFERENCE,
    TABLE1_SITES,
    TABLE2_QUERIES,
    fact,
    gpu,
    hybrid,
    of_table1,
    printed,
    seq,
    sites_text,
    sse,
)
from gpuseq.reproduce.claims.rows import Paper, Trial, Untested, Value
from gpuseq.reproduce.claims.terms import SECONDS, Term


def _table1(column: str, words: str, terms: dict[int, Term]) -> list[Value]:
    return [
        Value(
            f"table 1: {words}, {sites} sites",
            of_table1(column, sites),
            Trial(sites_text(sites), term),
            "cells/s",
            group=f"table 1: {words}",
            figure="papara/table1",
        )
        for sites, term in terms.items()
    ]


def _table2(words: str, terms: dict[int, Term]) -> list[Value]:
    return [
        Value(
            f"table 2: {words}, {queries} queries",
            fact("GPU", "papara/table2", queries=queries),
            Trial(f"{queries} queries", term),
            "cells/s",
            group=f"table 2: {words}",
            figure="papara/table2",
        )
        for queries, term in terms.items()
    ]


_QUERIES = (*TABLE2_QUERIES, 1250)
VALUES = (
    *_table1("GPU", "GPU, 1250 queries, as published", {sites: printed(sites) for sites in TABLE1_SITES}),
    *_table1("GPU", "GPU, 1250 queries (ours: a later kernel)",
             {sites: gpu(sites=sites, query_count=1250) for sites in TABLE1_SITES}),
    *_table1("SSE(4)", "SSE(4), as published (ours: 8 references, 20 queries)",
             {sites: sse(4, sites) for sites in TABLE1_SITES}),
    *_table1("Seq", "Seq, as published (ours: 8 references, 20 queries)",
             {sites: seq(sites) for sites in TABLE1_SITES}),
    *_table2("GPU, 5000 sites, as published", {queries: printed(5000, queries) for queries in _QUERIES}),
    *_table2("GPU, 5000 sites (ours: a later kernel)",
             {queries: gpu(sites=5000, query_count=queries) for queries in _QUERIES}),
    Value(
        "table 3: 1604.PRANK's shape, 802 references, scoring phase, CPU and GPU",
        fact("1604.PRANK: time of the scoring phase"),
        Trial("802 references", hybrid(quantity=SECONDS, references=802, **PRANK)),
        "s",
    ),
    Value(
        "abstract: CPU, peak, all its cores (ours: by blocks, 8 bits, widest vectors, 16 vCPUs)",
        fact("SSE(4): peak"),
        Trial("5000 sites", Term(Select(REFERENCE, ("blocked",), "cpu", {"alphabet": "dna", "sites": 5000}))),
        "cells/s",
    ),
)  # fmt: skip

UNTESTED = (
    Untested(
        "The authors' program",
        "public is PaPaRa 2 (`sim82/papara_nt`), which scores another equation than the paper's and has no OpenCL kernel; it does not "
        "compile with gcc 12 (`boost/tr1/unordered_set.hpp: No such file`)",
    ),
    Untested(
        "The alignments of table 3, 1604.PRANK and 16S.B.ALL",
        "not in our hands; sequences of their shapes are evolved along a tree",
    ),
    Untested(
        "Table 2, columns Seq and SSE(4)",
        "no config varies the number of queries on the CPU; table 1 has its column at 5000 sites",
    ),
    Untested(
        "Table 3, 16S.B.ALL's 27 641 references as a whole",
        "scoring them takes longer than a run of the papers' configs; a 200th of its shape is in `paper/papara.json`",
    ),
    Untested("A kernel whose columns are not unrolled (methods)", "the kernel is compiled for a number of columns"),
    Untested("Slow on an AMD GPU; 20 % by overclocking (discussion)", "no such machine"),
    Untested("Its portability by OpenCL, and the effort of it", "the suite has CUDA kernels only"),
)

PAPARA = Paper(
    "PaPaRa (Alachiotis et al. 2012)",
    "The paper's machines: GTX 560 and a Core i7-2600 of four cores. Ours next to the H200: one core of a Zen 5. Cells are those "
    "of the band, as the paper counts those of its GPU.",
    (*CLAIMS, *VALUES, *UNTESTED),
)
