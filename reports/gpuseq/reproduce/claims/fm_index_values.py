"""Values of Chacón et al. 2015 next to ours, the untested ones, and the paper's rows together."""

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
    TASK,
    THREADS,
    cooperative,
    cpu,
    fact,
    mbases,
    scheme,
)
from gpuseq.reproduce.claims.published import Published
from gpuseq.reproduce.claims.rows import Paper, Trial, Untested, Value
from gpuseq.reproduce.claims.terms import ENERGY, FACT, INSTRUCTIONS, LEVEL, Term

NVBIO = (
    "no committed record: its sources do not compile with nvcc 13 (`namespace thrust has no member "
    "input_universal_iterator_tag`, nvbio/basic/iterator.h)"
)
_TABLE_2: tuple[tuple[str, str, str, dict[str, Any]], ...] = (
    ("Task-parallel FM-index", "task-parallel", TASK, {}),
    ("Full-cooperative FM-index", "full-cooperative", FULL, {}),
    ("2-step FM-index", "2 steps", FULL, {"k": 2, "counters": "full"}),
    ("2-step FM-index + alt. counters", "2 steps, alternate counters", FULL, {"k": 2, "counters": "alternate"}),
)


def _table2() -> list[Value]:
    return [
        Value(
            f"table 2: warp instructions per base, {short}, as published, d={d}",
            Published(PAPER, label, "fm-index/table2", at={"d": d}),
            Trial(f"d={d}", scheme(name, quantity=INSTRUCTIONS, d=d, **point)),
            "",
            group=f"table 2: warp instructions per base, {short}, as published, 250 Mbases",
            figure="fm-index/table2",
        )
        for label, short, name, point in _TABLE_2
        for d in DISTANCES
    ]


def _energy(variant: str, bases: float, **point: Any) -> Term:
    return Term(Select(ENERGY_RUN, (variant,), "cuda", {"reference_bases": bases}, point), ENERGY)


_TITAN_11 = {"figure": "fm-index/fig11", "device": "NVIDIA GTX Titan", "panel": "energy"}
_HUMAN = 3_100_000_000

_GPU_5: tuple[tuple[str, str, dict[str, Any]], ...] = (
    ("2 steps, alternate counters", "GPU, 2-step, alternate counters", {"k": 2, "counters": "alternate"}),
    ("1 step", "GPU, 1-step", {}),
)
_CPU_5 = (
    ("2 steps, alternate counters", "CPU, 2-step, alternate counters", 2, "alternate"),
    ("1 step", "CPU, 1-step", 1, "full"),
)

VALUES = (
    *(
        Value(
            f"figure 5: GPU, {words}, as published, d={d}",
            fact(label, figure="fm-index/fig5"),
            Trial(f"d={d}, {mbases(bases)}", scheme(FULL, bases, d=d, **point)),
            "bases/s",
            group=f"figure 5: GPU, {words}, as published",
            figure="fm-index/fig9",
        )
        for words, label, point in _GPU_5
        for d in DISTANCES
        for bases in (1e9, 3e9)
    ),
    *(
        Value(
            f"figure 5: CPU, {words}, as published",
            fact(label, figure="fm-index/fig5"),
            Trial(mbases(bases), cpu(bases, k, counters)),
            "bases/s",
            group=f"figure 5: CPU, {words}, as published",
            figure="fm-index/fig5",
        )
        for words, label, k, counters in _CPU_5
        for bases in (1e9, 3e9)
    ),
    *(
        Value(
            f"section 5.3.2: index of 3 Gbases, k=2 d={d} {counters}",
            fact(f"index of the human genome, k=2 d={d} {counters}"),
            Trial(f"d={d} {counters}", cooperative(3e9, THREADS, FACT + "index_bytes", k=2, d=d, counters=counters)),
            "B",
            group="section 5.3.2: index of 3 Gbases, 2 steps",
            figure="fm-index/fig2",
        )
        for d, counters in ((64, "full"), (64, "alternate"), (192, "alternate"))
    ),
    Value(
        "figure 3: the second drop of random reads (ours: TLB reach)",
        fact("Titan: drop at 2.5 GB"),
        Trial("blocks of random reads", Term(Select(MACHINE, ("cuda",), "cuda", phases=("probe",)), LEVEL + "TLB")),
        "B",
    ),
    *_table2(),
    Value(
        "figure 11: bases per joule, 2 steps, alternate counters, by its nominal 250 W (ours: measured, a later kernel)",
        fact("2-step, alternate counters", **_TITAN_11),
        Trial("3.1 Gbases", _energy("full_cooperative", _HUMAN, k=2, d=64)),
        "bases/J",
        figure="fm-index/fig11",
    ),
)

UNTESTED = (
    Untested(
        "3 to 5 times NVBIO's FM-index on the GPU, twice on the CPU (abstract, section 5.2)",
        NVBIO,
    ),
    Untested(
        "The authors' own k-step FM-index",
        "`configs/tools/build_kstep.py` builds its CPU and GPU programs from a checkout, for sm_90 too; no committed record has "
        "the tools `kstep_cpu` and `kstep_gpu`",
    ),
    Untested(
        "GPUs reach 4.8 to 8.5 times as many bases per joule as the CPU (figure 11)",
        "the hosts of our GPUs report no energy of their cores",
    ),
    Untested(
        "The paper's GPUs compared with each other (section 5.4, figures 10 and 11), low-end ones too",
        "none of them was at hand; an H100 and an H200 are compared",
    ),
    Untested(
        "GRCh37 with simulated reads (section 5.1)",
        "the references of these records are synthetic and their queries have no errors; paper/fm-index-reads.json has chromosome 20 of "
        "GRCh37 and reads of Mason, and no run of it is committed",
    ),
    Untested(
        "Bits per base by layout (figure 2)", "the values follow from the layout by a formula, which both sides compute"
    ),
)

FM_INDEX = Paper(
    "FM-index (Chacón et al. 2015)",
    "The paper's machines: GTX Titan and two Xeon E5-2650. Ours: 10 M queries of 100 bases that occur, references of nine sizes.",
    (*CLAIMS, *VALUES, *UNTESTED),
)
