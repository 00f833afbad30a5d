"""Jiang and Ganesan 2016: CUDAMPF."""

from __future__ import annotations

from typing import Any

from gpuseq.reproduce.claims.committed import Case, Select, table
from gpuseq.reproduce.claims.published import Published, PublishedRatio
from gpuseq.reproduce.claims.rows import (
    FASTER,
    Claim,
    Count,
    Paper,
    Reason,
    Row,
    Trial,
    Untested,
    Value,
    less_than,
    more_than,
)
from gpuseq.reproduce.claims.terms import COUNTER, FACT, OWN_RATE, RATE, RESOURCE, SECONDS, SHARE, Term

PAPER = "profile-hmm"
CUDAMPF = (
    "no committed record: the PTX in its kernels has `shfl` without `.sync`, which ptxas refuses from sm_70 on, and it asks NVRTC "
    "for compute_35; the values next to figures 12 to 14 are of kernels that were changed"
)
RUN, ROWS = "h200-papers/profile-hmm", "h200-papers/profile-hmm-rows"
PIPELINE = "x86-cpu-papers/profile-hmm-pipeline"
FILTERS = {"msv": ("MSV", 12), "ssv": ("SSV", 13), "viterbi": ("Viterbi", 14)}
LENGTHS = (200, 400, 800, 1200, 2405)  # of paper/profile-hmm.json
ROW_LENGTHS = (100, 150, 200, 250, 300, 350, 400, 450, 500, 600, 700, 800, 900, 1000, 1100, 1200, 1300, 1400, 1528,
               1700, 1900, 2100, 2250, 2405)  # fmt: skip
SPILL_LENGTHS = ROW_LENGTHS[2:]  # where NVRTC's Viterbi kernel has local memory
LONG_ROWS = ROW_LENGTHS[9:]  # from which a row of one byte per state takes local memory
MODELS = ("globins", "fibronectin", "kinase")
_POINT = {
    "warps_per_block": 32,
    "resident_warps": 32,
    "assignment": "static",
    "order": "file",
    "residues": "shared",
    "reduction": "each_row",
    "deletions": "lazy_f",
    "loads": "words",
    "costs": "read_only",
    "steps": "read_only",
}
_COMPILED = {
    "CUDAMPF, static": {"stripes": "variable", "compiled_by": "nvcc"},
    "CUDAMPF, NVRTC": {"stripes": "constant", "compiled_by": "nvrtc"},
    "CUDAMPF, NVRTC, loop count variable": {"stripes": "variable", "compiled_by": "nvrtc"},
}
STATIC, NVRTC, VARIABLE = _COMPILED
LOCAL = COUNTER + "l1tex__t_sector_pipe_lsu_mem_local_op_ld_hit_rate.pct"
READ_ONLY = COUNTER + "l1tex__t_sector_pipe_lsu_mem_global_op_ld_hit_rate.pct"
COMPILED_MOST_S = 0.8


def fact(label: str, figure: str = "", **at: Any) -> Published:
    return Published(PAPER, label, figure, at=at)


def kernel(name: str, length: int, scheme: str, quantity: str = RATE, run: str = ROWS, row: str = "auto") -> Term:
    """The published kernel, compiled in one of the ways of the paper."""
    point = {**_POINT, **_COMPILED[scheme], "row": row}
    return Term(Select(run, ("video_warp",), "cuda", {"filter": name, "model_length": length}, point), quantity, scheme)


def hmmer(name: str, length: int, threads: int) -> Term:
    select = Select(RUN, ("hmmer_filter",), "cpu", {"filter": name, "model_length": length}, {"threads": threads})
    return Term(select, OWN_RATE, "HMMER")


def best(name: str, length: int) -> Term:
    return Term(Select(RUN, ("lane_groups", "video_warp"), "cuda", {"filter": name, "model_length": length}))


def states(length: int) -> str:
    return f"{length} states"


def _over_hmmer(name: str, threads: int, published: str) -> Claim:
    title, figure = FILTERS[name]
    scheme = VARIABLE if name == "viterbi" else NVRTC
    return Claim(
        f"{title} is faster than HMMER on {published} (conclusion, figure {figure}). Both as published, HMMER 3.3.2's filter "
        f"by its own clock with threads={threads}, on the same proteins",
        fact(f"maximum speed-up of {title} over {published}"),
        tuple(
            Trial(states(length), kernel(name, length, scheme, run=RUN), hmmer(name, length, threads))
            for length in LENGTHS
        ),
        FASTER,
        differ=("device", "variant"),
        figure=f"profile-hmm/fig{figure}",
    )


def hmmsearch(variant: str, model: str, quantity: str = SECONDS) -> Term:
    select = Select(PIPELINE, (variant,), "cpu", {"models": model}, {"threads": 1})
    return Term(select, quantity)


def _by_length(
    over: str, under: str, *names: str, lengths: tuple[int, ...] = ROW_LENGTHS, **more: Any
) -> tuple[Trial, ...]:
    return tuple(
        Trial(
            f"{FILTERS[name][0]}, {length} states",
            kernel(name, length, over, **more),
            kernel(name, length, under, **more),
        )
        for name in names
        for length in lengths
    )


def _rows(name: str, quantity: str = RATE) -> tuple[Trial, ...]:
    """Rows in local memory over rows in shared memory."""
    return tuple(
        Trial(states(length), kernel(name, length, NVRTC, quantity, row="local"), kernel(name, length, NVRTC, quantity, row="shared"))
        for length in LONG_ROWS
    )  # fmt: skip


def compiled_now(case: Case) -> bool:
    """Whether NVRTC compiled its kernel in the run."""
    resources = table(case.data["resources"])
    return resources.get("compiled_by") == "nvrtc" and not resources.get("from_cache")


def agrees(case: Case) -> bool:
    return case.data["status"] == "ok" and bool(table(case.data["verification"]).get("passed"))


_PHASES = ("sweep", "tune", "winner")

CLAIMS: tuple[Row, ...] = (
    Claim(
        "MSV takes most of the pipeline's time (figure 2). Ours: hmmsearch that ends after MSV over the "
        "whole, one core, start and files included",
        fact("MSV/SSV's share of the pipeline's time"),
        tuple(Trial(model, hmmsearch("hmmsearch_msv", model), hmmsearch("hmmsearch", model)) for model in MODELS),
        more_than(0.5, "%"),
        "%",
        differ=("variant",),
        reason=Reason(
            "{0} proteins pass its Viterbi filter with globins, {1} with kinase.",
            tuple(hmmsearch("hmmsearch", model, FACT + "answers.Vit") for model in ("globins", "kinase")),
        ),
        figure="profile-hmm/fig2",
    ),
    *(
        _over_hmmer(name, threads, words)
        for threads, words in ((1, "one core"), (4, "several cores"))
        for name in FILTERS
    ),
    Claim(
        "Runtime compilation brings 2 to 3 times for MSV and SSV (abstract, table 3). As published, over its static "
        "compilation, 24 lengths",
        "2 x (MSV) and 3.2 x (SSV), at most",
        _by_length(NVRTC, STATIC, "msv", "ssv"),
        more_than(2),
        differ=("compiled_by", "stripes"),
        figure="profile-hmm/table3",
    ),
    Claim(
        "It does so as loops are unrolled (results). As published by NVRTC, loop count constant over variable",
        "unrolled loops",
        _by_length(NVRTC, VARIABLE, "msv", "ssv"),
        more_than(1.1),
        differ=("stripes",),
        figure="profile-hmm/table3",
    ),
    Claim(
        "Unrolling does not pay for Viterbi, whose registers spill (results). As published, 64 registers, loop count constant "
        "by NVRTC over the static kernel",
        "loop count kept variable",
        _by_length(NVRTC, STATIC, "viterbi"),
        less_than(1),
        differ=("compiled_by", "stripes"),
        reason=Reason(
            "It spills {0} per thread with model_length=350; the static kernel has {1} of local memory.",
            (
                kernel("viterbi", 350, NVRTC, RESOURCE + "spill_bytes"),
                kernel("viterbi", 350, STATIC, RESOURCE + "local_bytes"),
            ),
            ("B", "B"),
        ),
        figure="profile-hmm/table4",
    ),
    Claim(
        "Unrolling lowers the L1 hit rate of Viterbi's local memory (table 4). As published, NVRTC over static, where both have "
        "local bytes",
        "43.4 % from 99.9 % (200 states), 0.4 % from 49.5 % (2405 states)",
        tuple(
            Trial(states(length), kernel("viterbi", length, NVRTC, LOCAL), kernel("viterbi", length, STATIC, LOCAL))
            for length in SPILL_LENGTHS
        ),
        less_than(0.9),
        differ=("compiled_by", "stripes"),
        reason=Reason(
            "The hit rate is {0} static and {1} by NVRTC with model_length=350.",
            (kernel("viterbi", 350, STATIC, LOCAL), kernel("viterbi", 350, NVRTC, LOCAL)),
            (" %", " %"),
        ),
        figure="profile-hmm/table4",
    ),
    Claim(
        "Read-only hit rates of model parameters fall with their length, Viterbi over that of 200 states (table 4). As published, static",
        PublishedRatio(
            fact("Viterbi, read-only cache hit rate, static, 2405 states"),
            fact("Viterbi, read-only cache hit rate, static, 200 states"),
        ),
        tuple(
            Trial(
                states(length), kernel("viterbi", length, STATIC, READ_ONLY), kernel("viterbi", 200, STATIC, READ_ONLY)
            )
            for length in SPILL_LENGTHS[1:]
        ),
        less_than(0.9),
        differ=("problem.model_length",),
        figure="profile-hmm/table4",
    ),
    *(
        Claim(
            f"{title}: large rows belong into local memory, small ones into shared memory (figure {figure}). As published by "
            "NVRTC, local over shared, where the row has local bytes",
            published,
            _rows(name),
            FASTER,
            differ=("row",),
            figure=f"profile-hmm/fig{figure}",
        )
        for name, title, figure, published in (
            ("msv", "MSV", 9, "local memory from about 1000 states"),
            ("ssv", "SSV", 10, fact("SSV: local over shared memory at 2405 states")),
            ("viterbi", "Viterbi", 11, "local memory for all but the smallest"),
        )
    ),
    Count(
        "Kernels that NVRTC compiles within 800 ms (table 2: at most about 800 ms)",
        Select(ROWS, ("video_warp",), "cuda", statuses=()),
        lambda case: case.data["status"] == "ok" and case.data["resources"]["compile_s"] <= COMPILED_MOST_S,
        lambda case: case.data["status"] != "skipped" and compiled_now(case),
    ),
    *(
        Count(
            f"Cases whose scores equal the oracle's (results: identical to hmmsearch), {run.partition('/')[2]}",
            Select(run, ("video_warp", "lane_groups"), "cuda", phases=_PHASES, statuses=()),
            agrees,
        )
        for run in (RUN, ROWS)
    ),
)

VALUES = (
    *(
        Value(
            f"figure {figure}: {title}, the most over all models, as published",
            fact("CUDAMPF, K40, up to", f"profile-hmm/fig{figure}"),
            Trial(words, term),
            "cells/s",
            others=(fact("CUDAMPF, SIMD intrinsics, 400 states", f"profile-hmm/fig{figure}"),),
            figure=f"profile-hmm/fig{figure}",
        )
        for name, (title, figure) in FILTERS.items()
        for words, term in (
            ("the fastest model", Term(Select(ROWS, ("video_warp",), "cuda", {"filter": name},
                                              {**_POINT, **_COMPILED[STATIC if name == "viterbi" else NVRTC], "row": "auto"}),
                                       scheme=STATIC if name == "viterbi" else NVRTC)),
        )
    ),
    *(
        Value(
            f"figure {figure}: {title}, the most over all models (ours: a later kernel)",
            fact("CUDAMPF, K40, up to", f"profile-hmm/fig{figure}"),
            Trial("the fastest model", Term(Select(RUN, ("lane_groups", "video_warp"), "cuda", {"filter": name}))),
            "cells/s",
            figure=f"profile-hmm/fig{figure}",
        )
        for name, (title, figure) in FILTERS.items()
    ),
    *(
        Value(
            f"figure 2: {label}, {model}",
            fact(label),
            Trial(
                model,
                hmmsearch("hmmsearch", model, FACT + f"answers.{answer}"),
                hmmsearch("hmmsearch", model, FACT + "sequence_count"),
            ),
            "%",
            group=f"figure 2: {label}",
            figure="profile-hmm/fig2",
        )
        for label, answer in (
            ("sequences that pass the MSV/SSV filter", "MSV"),
            ("sequences that pass the Viterbi filter", "Vit"),
        )
        for model in MODELS
    ),
    *(
        Value(
            f"table 4: Viterbi, {words}, {kind}, {length} states, as published",
            fact(f"{label}, {kind}, {length} states"),
            Trial(f"{kind}, {length} states", kernel("viterbi", length, scheme, quantity.replace(COUNTER, SHARE))),
            "%",
            group=f"table 4: Viterbi, {words}, as published",
            figure="profile-hmm/table4",
        )
        for words, label, quantity in (
            ("L1 hit rate of local memory", "L1 hit rate", LOCAL),
            ("read-only hit rate", "Viterbi, read-only cache hit rate", READ_ONLY),
        )
        for kind, scheme in (("static", STATIC), ("NVRTC", NVRTC))
        for length in (200, 2405)
    ),
)  # fmt: skip

UNTESTED = (
    Untested(
        "Table 2 by its steps: from source to PTX, from PTX to a module",
        "the records time the compilation as a whole, and apart from it the loading of the kernel",
    ),
    Untested("GCUPS of tables 3 and 4, milliseconds of table 2", "the values are lost in our copy of the paper"),
    Untested(
        "Pfam 27's 24 models, Swiss-Prot of July 2015",
        "no package has them; models of random residues and Swiss-Prot of 2014 replace them",
    ),
    Untested(
        "It exceeds all other accelerations (conclusion)", "the programs of others were not run, except HMMER's filters"
    ),
    Untested("The authors' program on the same data in the same run (figures 9 to 14)", CUDAMPF),
)

PROFILE_HMM = Paper(
    "Profile HMMs (CUDAMPF, Jiang and Ganesan 2016)",
    "The paper's machines: Tesla K40, and up to 8 threads of a Xeon E5620, a Core i7-2600 and a Core i5-3570K. Ours: random "
    "models against the first 50 000 proteins of Swiss-Prot.",
    (*CLAIMS, *VALUES, *UNTESTED),
)
