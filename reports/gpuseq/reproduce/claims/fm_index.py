"""Chacón et al. 2015: Boosting the FM-index on the GPU."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

from gpuseq.reproduce.claims.committed import Select
from gpuseq.reproduce.claims.published import Published, PublishedRatio
from gpuseq.reproduce.claims.rows import FASTER, Claim, Range, Reason, Trial, less_than, more_than, within
from gpuseq.reproduce.claims.terms import BOUND, COUNTER, FACT, INSTRUCTIONS, LEVEL, RATE, RESOURCE, Term

PAPER = "fm-index"
TITAN, THREADS, ENERGY_RUN = "h200-papers/titan", "h200-papers/fm-index", "h200-papers/fm-index-energy"
GPU = MACHINE = "h200"
DISTANCES = (64, 192, 448)
FULL, TASK, BY_16, IMPROVED, MEMORY, CPU = (
    "FM-index, full-cooperative",
    "FM-index, task-parallel",
    "FM-index, task-parallel by 16 bytes",
    "FM-index, improved task-parallel",
    "FM-index, memory-cooperative",
    "FM-index, CPU",
)
_ALL_THREADS = {"active_threads": 0}
_POINTS = {
    FULL: ("full_cooperative_split", {"chunks": "whole", **_ALL_THREADS}),
    TASK: ("task_parallel", {"entry_reads": "separate", "chunks": "whole", **_ALL_THREADS}),
    BY_16: ("task_parallel_16b", {"entry_reads": "separate", "chunks": "whole", **_ALL_THREADS}),
    IMPROVED: ("task_parallel_split", {"chunks": "whole", **_ALL_THREADS}),
    MEMORY: ("memory_cooperative", {"entry_reads": "separate"}),
}
L1 = COUNTER + "l1tex__t_sector_hit_rate.pct"
ISSUED = COUNTER + "smsp__issue_active.avg.pct_of_peak_sustained_active"
PER_LOAD = COUNTER + "l1tex__average_t_sectors_per_request_pipe_lsu_mem_global_op_ld.ratio"
SIZES = (100e6, 250e6, 500e6, 700e6, 1e9, 1.5e9, 2e9, 3e9, 3.5e9)  # of titan.json
GPU_SIZES = (100e6, 1e9)
_FEWER = (64, 128, 256, 512, 1024)  # threads of a multiprocessor


def fact(label: str = "", **more: Any) -> Published:
    at = {key: more.pop(key) for key in list(more) if key not in ("figure", "device")}
    return Published(PAPER, label, at=at, **more)


def scheme(name: str, bases: float = 250e6, quantity: str = RATE, run: str = TITAN, **point: Any) -> Term:
    """A scheme as published."""
    variant, axes = _POINTS[name]
    select = Select(run, (variant,), "cuda", {"reference_bases": bases}, {**axes, "k": 1, **point})
    return Term(select, quantity, name)


def cooperative(bases: float, run: str = TITAN, quantity: str = RATE, **point: Any) -> Term:
    """Our cooperative kernel with the paper's layout."""
    point = {"active_threads": (0, None), **point}
    return Term(Select(run, ("full_cooperative",), "cuda", {"reference_bases": bases}, point), quantity)


def cpu(bases: float, k: int, counters: str = "full") -> Term:
    point = {"k": k, "counters": counters}
    return Term(Select(TITAN, ("prefetch",), "cpu", {"reference_bases": bases}, point), scheme=CPU)


def mbases(bases: float) -> str:
    return f"{bases / 1e9:g} Gbases" if bases >= 1e9 else f"{bases / 1e6:g} Mbases"


def _by(over: str, under: str, quantity: str = RATE, distances: tuple[int, ...] = DISTANCES) -> tuple[Trial, ...]:
    """Two schemes with 1 step, at each d and each size."""
    return tuple(
        Trial(f"d={d}, {mbases(bases)}", scheme(over, bases, quantity, d=d), scheme(under, bases, quantity, d=d))
        for d in distances
        for bases in SIZES
    )


def _steps(quantity: str) -> tuple[Trial, ...]:
    """2 steps over 1, full counters."""
    return tuple(
        Trial(
            f"d={d}, {mbases(bases)}",
            scheme(FULL, bases, quantity, k=2, d=d, counters="full"),
            scheme(FULL, bases, quantity, d=d),
        )
        for d in DISTANCES
        for bases in SIZES
    )


def _peaks(name: str) -> tuple[Trial, ...]:
    """All threads over the best of fewer."""
    return tuple(
        Trial(f"d={d}, {mbases(bases)}", scheme(name, bases, d=d), scheme(name, bases, d=d, active_threads=_FEWER))
        for d in DISTANCES
        for bases in SIZES
    )


def _over_d(sizes: tuple[float, ...], fast: int, slow: int, name: str = FULL) -> tuple[Trial, ...]:
    return tuple(Trial(mbases(bases), scheme(name, bases, d=fast), scheme(name, bases, d=slow)) for bases in sizes)


_AS_PUBLISHED = "Both as published, 1 step"
_SMALL, _LARGE = SIZES[:2], SIZES[3:]

CLAIMS = (
    Claim(
        "The GPU reaches about 2 Gbases/s with 2 steps and alternate counters (abstract, figure 5). As published",
        fact("GPU, 2-step, alternate counters", figure="fm-index/fig5"),
        tuple(
            Trial(f"d={d}, {mbases(bases)}", scheme(FULL, bases, k=2, d=d, counters="alternate"))
            for d in DISTANCES
            for bases in SIZES
        ),
        more_than(2e9, "bases/s"),
        "bases/s",
        figure="fm-index/fig9",
    ),
    Claim(
        "It is about 8 times as fast as the comparable CPU version (abstract). Both as published, 2 steps, alternate "
        "counters, d=64; the CPU with all vCPUs",
        fact("over a comparable multi-core CPU version, about"),
        tuple(
            Trial(mbases(bases), scheme(FULL, bases, k=2, d=64, counters="alternate"), cpu(bases, 2, "alternate"))
            for bases in SIZES
        ),
        more_than(8),
        differ=("device", "variant", "queries_in_flight"),
        figure="fm-index/fig5",
    ),
    Claim(
        "The same by the fastest of both sides: a later kernel of the paper's layout over the fastest CPU program",
        fact("over a comparable multi-core CPU version, about"),
        tuple(
            Trial(
                mbases(bases),
                cooperative(bases, GPU, k=2, d=64, counters="alternate"),
                Term(Select(GPU, ("psi_lines_simd", "one_hot_simd", "prefetch"), "cpu", {"reference_bases": bases})),
            )
            for bases in GPU_SIZES
        ),
        more_than(8),
        differ=("device", "variant", "k", "d", "queries_in_flight"),
    ),
    Claim(
        "2 steps are faster than 1 on the GPU (section 5.2, figure 5). As published, full counters",
        PublishedRatio(
            fact("GPU, 2-step, alternate counters", figure="fm-index/fig5"), fact("GPU, 1-step", figure="fm-index/fig5")
        ),
        _steps(RATE),
        more_than(1.1),
        differ=("k", "lanes_per_entry"),
        reason=Reason(
            "With d=448 the kernel executes {0} warp instructions per base with k=2 and {1} with k=1.",
            (
                scheme(FULL, quantity=INSTRUCTIONS, k=2, d=448, counters="full"),
                scheme(FULL, quantity=INSTRUCTIONS, d=448),
            ),
        ),
        figure="fm-index/fig9",
    ),
    Claim(
        "2 steps with alternate counters are faster than 1 on the CPU (section 5.2, figure 5). As published",
        PublishedRatio(
            fact("CPU, 2-step, alternate counters", figure="fm-index/fig5"), fact("CPU, 1-step", figure="fm-index/fig5")
        ),
        tuple(Trial(mbases(bases), cpu(bases, 2, "alternate"), cpu(bases, 1)) for bases in SIZES),
        more_than(1.1),
        differ=("k", "counters"),
        figure="fm-index/fig5",
    ),
    Claim(
        f"Full-cooperative outperforms task-parallel (figure 7). {_AS_PUBLISHED}",
        "in all cases",
        _by(FULL, TASK),
        FASTER,
        differ=("variant", "lanes_per_query"),
        reason=Reason(
            "With d=448 a load touches {0} sectors instead of {1}; the SMs issue in {2} of their cycles instead of {3}.",
            (
                scheme(FULL, quantity=PER_LOAD, d=448),
                scheme(TASK, quantity=PER_LOAD, d=448),
                scheme(FULL, quantity=ISSUED, d=448),
                scheme(TASK, quantity=ISSUED, d=448),
            ),
            ("", "", " %", " %"),
        ),
        figure="fm-index/fig7",
    ),
    Claim(
        f"Full-cooperative outperforms the improved task-parallel scheme, two threads per query (figures 6 and 7). {_AS_PUBLISHED}",
        "in all cases",
        _by(FULL, IMPROVED),
        FASTER,
        differ=("variant",),
        reason=Reason(
            "With d=448 it executes {0} warp instructions per base instead of {1}; the L1 serves {2} of the other's reads.",
            (
                scheme(FULL, quantity=INSTRUCTIONS, d=448),
                scheme(IMPROVED, quantity=INSTRUCTIONS, d=448),
                scheme(IMPROVED, quantity=L1, d=448),
            ),
            ("", "", " %"),
        ),
        figure="fm-index/fig7",
    ),
    Claim(
        f"Full-cooperative outperforms memory-cooperative (figure 7). {_AS_PUBLISHED}",
        "in all cases",
        _by(FULL, MEMORY),
        FASTER,
        differ=("variant",),
        reason=Reason(
            "Memory-cooperative has an occupancy of {0} with d=448; the paper states twelve percent.",
            (scheme(MEMORY, quantity=RESOURCE + "occupancy", d=448),),
        ),
        figure="fm-index/fig7",
    ),
    Claim(
        "Memory-cooperative has a low occupancy with large blocks (section 5.3, figure 7). As published",
        fact("occupancy of memory-cooperative at d=448"),
        (Trial("d=448", scheme(MEMORY, quantity=RESOURCE + "occupancy", d=448)),),
        less_than(0.25, ""),
        unit="",
    ),
    Claim(
        "Task-parallel peaks with few threads, then drops (figures 6 and 7). As published, all threads over the best of fewer",
        "a peak, then a drop",
        _peaks(TASK),
        less_than(0.9),
        differ=("active_threads",),
        reason=Reason(
            "With d=64 the L1 hit rate is {0} with active_threads=256 and {1} with all threads.",
            (scheme(TASK, quantity=L1, d=64, active_threads=256), scheme(TASK, quantity=L1, d=64)),
            (" %", " %"),
        ),
        figure="fm-index/fig6",
    ),
    Claim(
        "The same, task-parallel by 16 bytes (figure 6). As published, d=64",
        "a peak, then a drop",
        tuple(
            Trial(mbases(bases), scheme(BY_16, bases, d=64), scheme(BY_16, bases, d=64, active_threads=_FEWER))
            for bases in SIZES
        ),
        less_than(0.9),
        differ=("active_threads",),
        figure="fm-index/fig6",
    ),
    Claim(
        "Full-cooperative scales with the number of threads (figure 6). As published, d=64, threads per multiprocessor",
        "up to 4 thousand threads of the GPU",
        tuple(
            Trial(
                f"{mbases(bases)}, doubled to {more}",
                scheme(FULL, bases, run=THREADS, d=64, active_threads=more),
                scheme(FULL, bases, run=THREADS, d=64, active_threads=fewer),
            )
            for bases in (250e6, 3e9)
            for fewer, more in pairwise((128, 256, 512, 1024, 2048))
        ),
        FASTER,
        differ=("active_threads",),
        figure="fm-index/fig6",
    ),
    Claim(
        f"Cooperation costs instructions (section 5.3.3, table 2). {_AS_PUBLISHED}",
        fact("instructions of the cooperative design over the task-parallel one"),
        _by(FULL, TASK, INSTRUCTIONS),
        within(2, 3.1),
        differ=("variant", "lanes_per_query"),
        figure="fm-index/table2",
    ),
    Claim(
        "2 steps cost 10 to 18 % more instructions than 1 (section 5.3.3, table 2). As published, full counters",
        "1.1 x to 1.18 x",
        _steps(INSTRUCTIONS),
        less_than(1.18),
        differ=("k", "lanes_per_entry"),
        figure="fm-index/table2",
    ),
    Claim(
        "Below 0.5 Gbases d=64 is always faster than d=192 (figure 8). The cooperative design as published, 1 step",
        "always",
        _over_d(_SMALL, 64, 192),
        FASTER,
        differ=("d", "lanes_per_entry"),
        ranges=(Range((Select(TITAN, ("full_cooperative_split",), "cuda"),), "reference_bases", high=499e6),),
        figure="fm-index/fig8",
    ),
    Claim(
        "The same for memory-cooperative as published",
        "always",
        _over_d(_SMALL, 64, 192, MEMORY),
        FASTER,
        differ=("d",),
        ranges=(Range((Select(TITAN, ("memory_cooperative",), "cuda"),), "reference_bases", high=499e6),),
        figure="fm-index/fig8",
    ),
    Claim(
        "From 0.7 Gbases d=192 is faster than d=64 (figure 8). The cooperative design as published, 1 step",
        "from 0.7 Gbases",
        _over_d(_LARGE, 192, 64),
        FASTER,
        differ=("d", "lanes_per_entry"),
        figure="fm-index/fig8",
    ),
    Claim(
        "The same for memory-cooperative as published",
        "from 0.7 Gbases",
        _over_d(_LARGE, 192, 64, MEMORY),
        FASTER,
        differ=("d",),
        figure="fm-index/fig8",
    ),
    Claim(
        "Beyond 1.5 Gbases all distances are alike, since blocks cost, not bytes (section 7, figure 8). Our "
        "cooperative kernel, 1 step, d=64 over d=448",
        "alike",
        (Trial("3 Gbases", cooperative(3e9, THREADS, k=1, d=64), cooperative(3e9, THREADS, k=1, d=448)),),
        within(0.9, 1.1),
        differ=("d", "lanes_per_query"),
        reason=Reason(
            "d=64 reaches {0} of its bound and d=448 {1}: blocks of more bytes have a lower bound.",
            (cooperative(3e9, THREADS, BOUND, k=1, d=64), cooperative(3e9, THREADS, BOUND, k=1, d=448)),
        ),
    ),
    Claim(
        "Beyond 1.5 Gbases d=64 and d=448 are alike, the cooperative design as published (section 7, figure 8)",
        "alike",
        _over_d(SIZES[5:], 64, 448),
        within(0.9, 1.1),
        differ=("d", "lanes_per_entry"),
        figure="fm-index/fig8",
    ),
    Claim(
        "2 steps with d=192 and alternate counters are the best from 1 to 3.5 Gbases (figure 9). As published, over "
        "the best 2 steps with another d",
        "best",
        tuple(
            Trial(
                mbases(bases),
                scheme(FULL, bases, k=2, d=192, counters="alternate"),
                scheme(FULL, bases, k=2, d=(64, 448)),
            )
            for bases in SIZES[4:]
        ),
        FASTER,
        differ=("d", "lanes_per_entry", "counters"),
        reason=Reason(
            "With k=2 and d=64 the index takes {0} at the human genome's size; random reads keep their rate up to {1}.",
            (
                cooperative(3e9, THREADS, FACT + "index_bytes", k=2, d=64, counters="alternate"),
                Term(Select(MACHINE, ("cuda",), "cuda", phases=("probe",)), LEVEL + "TLB"),
            ),
            ("B", "B"),
        ),
        figure="fm-index/fig9",
    ),
)
