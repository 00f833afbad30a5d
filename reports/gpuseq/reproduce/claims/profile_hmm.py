"""Jiang and Ganesan 2016: CUDAMPF."""

from __future__ import annotations

from typing import Any

from gpuseq.reproduce.claims.committed import Case, Select, table
from gpuseq.reproduce.claims.published import Published
from gpuseq.reproduce.claims.rows import (
    FASTER,
    Claim,
    Count,
    Paper,
    Range,
    Reason,
    Row,
    Trial,
    Untested,
    Value,
    less_than,
    more_than,
)
from gpuseq.reproduce.claims.terms import COUNTER, FACT, OWN_RATE, RATE, RESOURCE, SECONDS, Term

PAPER = "profile-hmm"
RUN, ROWS, LADDER, THREADS, PIPELINE = (
    "h200-profile-hmm",
    "h200-profile-hmm-rows",
    "h200-profile-hmm-ladder",
    "h200-profile-hmm-threads",
    "h200-profile-hmm-pipeline",
)
FILTERS = {"msv": ("MSV", 12), "ssv": ("SSV", 13), "viterbi": ("Viterbi", 14)}
LENGTHS = (200, 400, 800, 1200)
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
L1 = COUNTER + "l1tex__t_sector_hit_rate.pct"
COMPILED_MOST_S = 0.8


def fact(label: str, figure: str = "", **at: Any) -> Published:
    return Published(PAPER, label, figure, at=at)


def kernel(name: str, length: int, scheme: str, quantity: str = RATE) -> Term:
    """The published kernel, compiled in one of the ways of the paper."""
    select = Select(
        LADDER, ("video_warp",), "cuda", {"filter": name, "model_length": length}, {**_POINT, **_COMPILED[scheme]}
    )
    return Term(select, quantity, scheme)


def freed(name: str, length: int, stripes: str) -> Term:
    """The published kernel with as many registers per thread as it takes."""
    point = {**_POINT, "compiled_by": "nvrtc", "stripes": stripes, "resident_warps": 0, "warps_per_block": 0}
    return Term(Select(LADDER, ("video_warp",), "cuda", {"filter": name, "model_length": length}, point))


def hmmer(name: str, length: int, threads: int) -> Term:
    select = Select(THREADS, ("hmmer_filter",), "cpu", {"filter": name, "model_length": length}, {"threads": threads})
    return Term(select, OWN_RATE, "HMMER")


def warp(name: str, length: int) -> Term:
    return Term(Select(THREADS, ("video_warp",), "cuda", {"filter": name, "model_length": length}))


def _over_hmmer(name: str, threads: int, published: str) -> Claim:
    title, _ = FILTERS[name]
    cores = "one core" if threads == 1 else "several cores"
    return Claim(
        f"{title} is faster than HMMER on {cores} (conclusion, figures 12 to 14). Ours: `video_warp`, a later "
        f"kernel of its design, over the filters of "
        f"HMMER 3.3.2 with threads={threads}, 20000 random proteins",
        fact(f"maximum speed-up of {title} over {published}"),
        tuple(Trial(f"{length} states", warp(name, length), hmmer(name, length, threads)) for length in LENGTHS),
        FASTER,
        differ=("device", "variant"),
        ranges=(
            Range(
                (
                    Select(THREADS, ("video_warp",), "cuda", {"filter": name}),
                    Select(THREADS, ("hmmer_filter",), "cpu", {"filter": name}),
                ),
                "model_length",
            ),
        ),
    )


def hmmsearch(variant: str, model: str, quantity: str = SECONDS) -> Term:
    return Term(Select(PIPELINE, (variant,), "cpu", {"models": model}, {"threads": 1}), quantity)


def _by_length(over: str, under: str, *names: str) -> tuple[Trial, ...]:
    return tuple(
        Trial(f"{FILTERS[name][0]} {length} states", kernel(name, length, over), kernel(name, length, under))
        for name in names
        for length in (400, 1200)
    )


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
    ),
    *(_over_hmmer(name, 4, "several cores") for name in FILTERS),
    *(_over_hmmer(name, 1, "one core") for name in FILTERS),
    Claim(
        "Runtime compilation brings 2 to 3 times for MSV and SSV (abstract, table 3). The kernel as "
        "published, over its static compilation",
        "2 x (MSV) and 3.2 x (SSV), at most",
        _by_length(NVRTC, STATIC, "msv", "ssv"),
        more_than(2),
        differ=("compiled_by", "stripes"),
        ranges=(Range((Select(LADDER, ("video_warp",), "cuda", {"filter": "msv"}),), "model_length"),),
    ),
    Claim(
        "It does so as loops are unrolled (results). The kernel as published by NVRTC, loop count constant "
        "over variable",
        "unrolled loops",
        _by_length(NVRTC, VARIABLE, "msv", "ssv"),
        more_than(1.1),
        differ=("stripes",),
    ),
    Claim(
        "Unrolling does not pay for Viterbi, whose registers spill (results). The kernel as published by "
        "NVRTC, 64 registers, "
        "loop count constant over variable",
        "loop count kept variable",
        _by_length(NVRTC, VARIABLE, "viterbi"),
        less_than(1),
        differ=("stripes",),
        reason=Reason(
            "It spills {0} per thread with model_length=400 and {1} with model_length=1200.",
            tuple(kernel("viterbi", length, NVRTC, RESOURCE + "spill_bytes") for length in (400, 1200)),
            ("B", "B"),
        ),
    ),
    Claim(
        "Unrolling lowers Viterbi's L1 hit rate (table 4). The kernel as published, NVRTC over static; with "
        "local memory in both",
        "43.4 % from 99.9 % (200 states), 0.4 % from 49.5 % (2405 states)",
        tuple(
            Trial(f"{length} states", kernel("viterbi", length, NVRTC, L1), kernel("viterbi", length, STATIC, L1))
            for length in (400, 1200)
        ),
        less_than(0.9),
        differ=("compiled_by", "stripes"),
        reason=Reason(
            "The hit rate is {0} static and {1} by NVRTC with model_length=1200.",
            (kernel("viterbi", 1200, STATIC, L1), kernel("viterbi", 1200, NVRTC, L1)),
            (" %", " %"),
        ),
    ),
    Count(
        "Kernels that NVRTC compiles within 800 ms (table 2: at most about 800 ms)",
        Select(ROWS, ("video_warp", "lane_groups"), "cuda", statuses=()),
        lambda case: case.data["status"] == "ok" and case.data["resources"]["compile_s"] <= COMPILED_MOST_S,
        lambda case: case.data["status"] != "skipped" and compiled_now(case),
    ),
    *(
        Count(
            f"Cases whose scores equal the oracle's (results: identical to hmmsearch), {run}",
            Select(run, ("video_warp", "lane_groups"), "cuda", phases=_PHASES, statuses=()),
            agrees,
        )
        for run in (RUN, ROWS, LADDER)
    ),
)

VALUES = (
    *(
        Value(
            f"figure {figure}: {title}, the most over all models (ours: 400 states), as published",
            fact("CUDAMPF, K40, up to", f"profile-hmm/fig{figure}"),
            Trial("400 states", kernel(name, 400, VARIABLE if name == "viterbi" else NVRTC)),
            "cells/s",
            others=(fact("CUDAMPF, SIMD intrinsics, 400 states", f"profile-hmm/fig{figure}"),),
        )
        for name, (title, figure) in FILTERS.items()
    ),
    *(
        Value(
            f"figure {figure}: {title}, the most over all models (ours: a later kernel)",
            fact("CUDAMPF, K40, up to", f"profile-hmm/fig{figure}"),
            Trial("the fastest model", Term(Select(RUN, ("lane_groups", "video_warp"), "cuda", {"filter": name}))),
            "cells/s",
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
        )
        for label, answer in (
            ("sequences that pass the MSV/SSV filter", "MSV"),
            ("sequences that pass the Viterbi filter", "Vit"),
        )
        for model in MODELS
    ),
)

_LOCAL = Select(LADDER, ("video_warp",), "cuda", point={**_POINT, "row": "local"})
_READ_ONLY = "l1tex__t_sector_pipe_lsu_mem_global_op_ld_hit_rate.pct"
UNTESTED = (
    Untested(
        "Large rows belong into local memory, small ones into shared memory (figures 9 to 11)",
        "the published kernel has no records with row=local or row=shared; paper/profile-hmm-rows.json has the sweep",
        (Term(_LOCAL), Term(_LOCAL.at(row="shared"))),
    ),
    Untested(
        "Read-only hit rates of tables 3 and 4",
        "no record of the published kernel counts them; paper/profile-hmm-rows.json does",
        (Term(Select(LADDER, ("video_warp",), "cuda", point=_POINT), COUNTER + _READ_ONLY),),
    ),
    Untested(
        "The other 22 model lengths (tables 3 and 4, figures 9 to 14)",
        "paper/profile-hmm-rows.json measures 24 lengths; no run of it is committed",
        (Term(Select(LADDER, ("video_warp",), "cuda", {"model_length": (200, 800, 1528, 2405)}, _POINT)),),
    ),
    Untested(
        "The published kernel over HMMER (figures 12 to 14)",
        "no run has both; paper/profile-hmm.json measures both on the same proteins",
        (Term(Select(LADDER, ("hmmer_filter",), "cpu")), Term(Select(THREADS, ("video_warp",), "cuda", point=_POINT))),
    ),
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
)

PROFILE_HMM = Paper(
    "Profile HMMs (CUDAMPF, Jiang and Ganesan 2016)",
    "Ours: an H200 and 16 vCPUs of a Xeon. The paper's: Tesla K40, and up to 8 threads of a Xeon E5620, a "
    "Core i7-2600 and a Core i5-3570K.",
    (*CLAIMS, *VALUES, *UNTESTED),
)
