"""Values of Chacón et al. 2015 next to ours, what was not tested, and the paper's rows together."""

from __future__ import annotations

from typing import Any

from gpuseq.reproduce.claims.committed import Select
from gpuseq.reproduce.claims.fm_index import (
    CLAIMS,
    DISTANCES,
    ENERGY_RUN,
    FULL,
    MACHINE,
    PAPER,
    SCHEMES,
    TASK,
    TITAN,
    cooperative,
    cpu,
    fact,
    scheme,
)
from gpuseq.reproduce.claims.published import Published
from gpuseq.reproduce.claims.rows import Paper, Trial, Untested, Value
from gpuseq.reproduce.claims.terms import ENERGY, FACT, INSTRUCTIONS, LEVEL, Term

_TABLE_2: tuple[tuple[str, str, str, dict[str, Any]], ...] = (
    ("Task-parallel FM-index", "task-parallel", TASK, {}),
    ("Full-cooperative FM-index", "full-cooperative", FULL, {}),
    ("2-step FM-index", "2 steps", FULL, {"k": 2, "counters": "full"}),
    ("2-step FM-index + alt. counters", "2 steps, alternate counters", FULL, {"k": 2, "counters": "alternate"}),
)


def _table2() -> list[Value]:
    return [
        Value(
            f"table 2: warp instructions per base, {short}, d={d}, as published",
            Published(PAPER, label, "fm-index/table2", at={"d": d}),
            Trial("250 Mbases", scheme(name, INSTRUCTIONS, d=d, **point)),
            "",
        )
        for label, short, name, point in _TABLE_2
        for d in DISTANCES
    ]


def _energy(k: int) -> Trial:
    return Trial(
        "3.1 Gbases",
        Term(
            Select(
                ENERGY_RUN,
                ("full_cooperative",),
                "cuda",
                {"reference_bases": 3_100_000_000},
                {"k": k, **({"d": 64} if k == 2 else {})},
            ),
            ENERGY,
        ),
    )


_TITAN_11 = {"figure": "fm-index/fig11", "device": "NVIDIA GTX Titan"}

VALUES = (
    Value(
        "figure 5: GPU, 2 steps, alternate counters (ours: a later kernel, d=64)",
        fact("GPU, 2-step, alternate counters", figure="fm-index/fig5"),
        Trial("3 Gbases", cooperative(3e9, k=2, d=64, counters="alternate")),
        "bases/s",
    ),
    Value(
        "figure 5: GPU, 1 step (ours: a later kernel)",
        fact("GPU, 1-step", figure="fm-index/fig5"),
        Trial("3 Gbases", cooperative(3e9, k=1)),
        "bases/s",
    ),
    Value(
        "figure 5: CPU, 1 step, as published",
        fact("CPU, 1-step", figure="fm-index/fig5"),
        Trial("3 Gbases", cpu(3e9, 1)),
        "bases/s",
    ),
    *(
        Value(
            f"section 5.3.2: index of 3 Gbases, k=2 d={d} {counters}",
            fact(f"index of the human genome, k=2 d={d} {counters}"),
            Trial(
                "3 Gbases",
                cooperative(3e9, quantity=FACT + "index_bytes", k=2, d=d, counters=counters, prefix_symbols=0),
            ),
            "B",
        )
        for d in (64, 192)
        for counters in ("full", "alternate")
    ),
    Value(
        "figure 3: the second drop of random reads (ours: TLB reach)",
        fact("Titan: drop at 2.5 GB"),
        Trial("blocks of random reads", Term(Select(MACHINE, ("cuda",), "cuda", phases=("probe",)), LEVEL + "TLB")),
        "B",
    ),
    *_table2(),
    Value(
        "figure 11: bases per joule, 2 steps, alternate counters, by its nominal 250 W (ours: measured, a "
        "later kernel)",
        fact("2-step, alternate counters", panel="energy", **_TITAN_11),
        _energy(2),
        "bases/J",
    ),
)

_SPLIT = Select(SCHEMES, ("full_cooperative_split",), "cuda")
UNTESTED = (
    Untested(
        "Schemes as published at other sizes than 250 Mbases (figures 5 to 9)",
        "titan.json measures them; no run of it is committed",
        (Term(_SPLIT.of(reference_bases=3_000_000_000)), Term(Select(TITAN, ("full_cooperative_split",), "cuda"))),
    ),
    Untested(
        "Task-parallel at its optimal occupancy with d=192 and d=448 (figure 7)",
        "titan.json measures it; no run of it is committed",
        (
            Term(
                Select(
                    SCHEMES,
                    ("task_parallel",),
                    "cuda",
                    point={"d": (192, 448), "active_threads": (128, 256, 512, 1024, 2048)},
                )
            ),
        ),
    ),
    Untested(
        "Alternate counters on the CPU (figure 5)",
        "titan.json measures them; no run of it is committed",
        (Term(Select(TITAN, ("prefetch",), "cpu", point={"counters": "alternate"})),),
    ),
    Untested(
        "3 to 5 times NVBIO's FM-index on the GPU, twice on the CPU (abstract, section 5.2)",
        "no committed record of NVBIO",
    ),
    Untested(
        "GPUs reach 4.8 to 8.5 times as many bases per joule as the CPU (figure 11)",
        "the hosts of our GPUs report no energy of their cores",
    ),
    Untested(
        "The paper's GPUs compared with each other (section 5.4, figures 10 and 11), low-end ones too",
        "none of them was at hand; [H100 and H200](h100-and-h200.md) are compared",
    ),
    Untested(
        "GRCh37 with simulated reads (section 5.1)",
        "the references of these records are synthetic and their queries have no errors",
    ),
    Untested(
        "Bits per base by layout (figure 2)", "the values follow from the layout by a formula, which both sides compute"
    ),
)

FM_INDEX = Paper(
    "FM-index (Chacón et al. 2015)",
    "Ours: an H200 and 16 vCPUs of a Xeon, 100-base queries that occur. The paper's: GTX Titan and two Xeon E5-2650.",
    (*CLAIMS, *VALUES, *UNTESTED),
)
