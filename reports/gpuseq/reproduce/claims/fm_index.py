"""Chacón et al. 2015: Boosting the FM-index on the GPU."""

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
from gpuseq.reproduce.claims.terms import BOUND, COUNTER, FACT, INSTRUCTIONS, LEVEL, RATE, RESOURCE, Term

PAPER = "fm-index"
GPU, SCHEMES, TITAN, ENERGY_RUN, MACHINE = (
    "h200-fm-index",
    "h200-fm-index-schemes",
    "h200-titan",
    "h200-energy",
    "h200-machine",
)
DISTANCES = (64, 192, 448)
FULL, TASK, IMPROVED, MEMORY, CPU = (
    "FM-index, full-cooperative",
    "FM-index, task-parallel",
    "FM-index, improved task-parallel",
    "FM-index, memory-cooperative",
    "FM-index, CPU",
)
_ALL_THREADS = {"active_threads": 0}
_POINTS = {
    FULL: ("full_cooperative_split", {"chunks": "whole", **_ALL_THREADS}),
    TASK: ("task_parallel", {"entry_reads": "separate", "chunks": "whole", **_ALL_THREADS}),
    IMPROVED: ("task_parallel_split", {"chunks": "whole", **_ALL_THREADS}),
    MEMORY: ("memory_cooperative", {"entry_reads": "separate"}),
}
L1 = COUNTER + "l1tex__t_sector_hit_rate.pct"
ISSUED = COUNTER + "smsp__issue_active.avg.pct_of_peak_sustained_active"
PER_LOAD = COUNTER + "l1tex__average_t_sectors_per_request_pipe_lsu_mem_global_op_ld.ratio"


def fact(label: str = "", **more: Any) -> Published:
    at = {key: more.pop(key) for key in list(more) if key not in ("figure", "device")}
    return Published(PAPER, label, at=at, **more)


def scheme(name: str, quantity: str = RATE, **point: Any) -> Term:
    """A published scheme at the one size that it was measured at."""
    variant, axes = _POINTS[name]
    return Term(Select(SCHEMES, (variant,), "cuda", point={**axes, "k": 1, **point}), quantity, name)


def cooperative(bases: float, run: str = GPU, quantity: str = RATE, **point: Any) -> Term:
    """Our cooperative kernel with the paper's layout."""
    point = {"active_threads": (0, None), **point}
    return Term(Select(run, ("full_cooperative",), "cuda", {"reference_bases": bases}, point), quantity)


def cpu(bases: float, k: int) -> Term:
    return Term(Select(TITAN, ("prefetch",), "cpu", {"reference_bases": bases}, {"k": k}), scheme=CPU)


def mbases(bases: float) -> str:
    return f"{bases / 1e9:g} Gbases" if bases >= 1e9 else f"{bases / 1e6:g} Mbases"


TITAN_SIZES = (250e6, 500e6, 1e9, 1.5e9, 2e9, 3e9)
GPU_SIZES = (10e6, 100e6, 300e6, 1e9, 3e9)


def _sizes(run: str, variant: str, device: str, **point: Any) -> Select:
    return Select(run, (variant,), device, point=point)


def _by_distance(over: str, under: str, quantity: str = RATE) -> tuple[Trial, ...]:
    return tuple(Trial(f"d={d}", scheme(over, quantity, d=d), scheme(under, quantity, d=d)) for d in DISTANCES)


def _threads(name: str, more: int, fewer: int | tuple[int, ...], quantity: str = RATE) -> tuple[Term, Term]:
    """Threads of a multiprocessor."""
    return scheme(name, quantity, d=64, active_threads=more), scheme(name, quantity, d=64, active_threads=fewer)


_FIGURE_7 = "Both kernels as published, 250 Mbases, 1 step"
_SIZES_OF_TITAN = Range(
    (_sizes(TITAN, "full_cooperative", "cuda", k=1, d=64), _sizes(TITAN, "full_cooperative", "cuda", k=1, d=192)),
    "reference_bases",
)
_BEST_OF_CPU = ("one_hot_simd", "prefetch")

CLAIMS = (
    Claim(
        "The GPU reaches about 2 Gbases/s with 2 steps and alternate counters (abstract, figure 5). Ours: a "
        "later kernel of the same layout",
        fact("GPU, 2-step, alternate counters", figure="fm-index/fig5"),
        tuple(Trial(mbases(bases), cooperative(bases, k=2, d=64, counters="alternate")) for bases in GPU_SIZES),
        more_than(2e9, "bases/s"),
        "bases/s",
        ranges=(Range((_sizes(GPU, "full_cooperative", "cuda", k=2),), "reference_bases"),),
    ),
    Claim(
        "The same, the kernel as published, 250 Mbases",
        fact("GPU, 2-step, alternate counters", figure="fm-index/fig5"),
        tuple(Trial(f"d={d}", scheme(FULL, k=2, d=d, counters="alternate")) for d in DISTANCES),
        more_than(2e9, "bases/s"),
        "bases/s",
    ),
    Claim(
        "The GPU is about 8 times as fast as a comparable version on all cores (abstract). Ours: the fastest "
        "kernel with the paper's "
        "layout over the fastest CPU kernel of the same run",
        fact("over a comparable multi-core CPU version, about"),
        tuple(
            Trial(
                mbases(bases),
                cooperative(bases, k=2, d=64, counters="alternate"),
                Term(Select(GPU, _BEST_OF_CPU, "cpu", {"reference_bases": bases})),
            )
            for bases in GPU_SIZES
        ),
        more_than(8),
        differ=("device", "variant", "k", "d", "queries_in_flight"),
        ranges=(
            Range(
                (_sizes(GPU, "full_cooperative", "cuda", k=2), _sizes(GPU, "one_hot_simd", "cpu")), "reference_bases"
            ),
        ),
    ),
    Claim(
        "2 steps are faster than 1 on the GPU (section 5.2, figure 5). The kernel as published, full "
        "counters, 250 Mbases",
        PublishedRatio(
            fact("GPU, 2-step, alternate counters", figure="fm-index/fig5"), fact("GPU, 1-step", figure="fm-index/fig5")
        ),
        tuple(Trial(f"d={d}", scheme(FULL, k=2, d=d, counters="full"), scheme(FULL, d=d)) for d in DISTANCES),
        more_than(1.1),
        differ=("k", "lanes_per_entry"),
        reason=Reason(
            "A base of the query takes {0} warp instructions with k=2 and {1} with k=1 (d=448).",
            (scheme(FULL, INSTRUCTIONS, k=2, d=448, counters="full"), scheme(FULL, INSTRUCTIONS, d=448)),
        ),
    ),
    Claim(
        "2 steps are faster than 1 on the CPU (section 5.2, figure 5). The loop as published, but with full counters",
        PublishedRatio(
            fact("CPU, 2-step, alternate counters", figure="fm-index/fig5"), fact("CPU, 1-step", figure="fm-index/fig5")
        ),
        tuple(Trial(mbases(bases), cpu(bases, 2), cpu(bases, 1)) for bases in TITAN_SIZES),
        more_than(1.1),
        differ=("k",),
        ranges=(Range((_sizes(TITAN, "prefetch", "cpu"),), "reference_bases"),),
    ),
    Claim(
        f"Full-cooperative outperforms task-parallel (figure 7). {_FIGURE_7}",
        "in all cases",
        _by_distance(FULL, TASK),
        FASTER,
        differ=("variant", "lanes_per_query"),
        reason=Reason(
            "A load touches {0} sectors instead of {1} (d=448); the multiprocessors issue in {2} of their "
            "cycles instead of {3}.",
            (
                scheme(FULL, PER_LOAD, d=448),
                scheme(TASK, PER_LOAD, d=448),
                scheme(FULL, ISSUED, d=448),
                scheme(TASK, ISSUED, d=448),
            ),
            ("", "", " %", " %"),
        ),
    ),
    Claim(
        f"Full-cooperative outperforms the improved task-parallel scheme, two threads per query (figures 6 "
        f"and 7). {_FIGURE_7}",
        "in all cases",
        _by_distance(FULL, IMPROVED),
        FASTER,
        differ=("variant",),
        reason=Reason(
            "It executes {0} warp instructions per base instead of {1} (d=448); the L1 serves {2} of the "
            "other's reads.",
            (scheme(FULL, INSTRUCTIONS, d=448), scheme(IMPROVED, INSTRUCTIONS, d=448), scheme(IMPROVED, L1, d=448)),
            ("", "", " %"),
        ),
    ),
    Claim(
        f"Full-cooperative outperforms memory-cooperative (figure 7). {_FIGURE_7}",
        "in all cases",
        _by_distance(FULL, MEMORY),
        FASTER,
        differ=("variant",),
        reason=Reason(
            "Memory-cooperative has an occupancy of {0} here (d=448); the paper states twelve percent.",
            (scheme(MEMORY, RESOURCE + "occupancy", d=448),),
        ),
    ),
    Claim(
        "Memory-cooperative has a low occupancy with large blocks (section 5.3, figure 7). The kernel as "
        "published, 250 Mbases",
        fact("occupancy of memory-cooperative at d=448"),
        (Trial("d=448", scheme(MEMORY, RESOURCE + "occupancy", d=448)),),
        less_than(0.25, ""),
        unit="",
    ),
    Claim(
        "Task-parallel peaks with few threads, then drops (figure 6). The kernel as published, 250 Mbases, "
        "d=64; all 2048 threads of "
        "a multiprocessor over the best of fewer",
        "a peak, then a drop",
        (Trial("2048 threads", *_threads(TASK, 2048, (128, 256, 512, 1024))),),
        less_than(0.9),
        differ=("active_threads",),
        reason=Reason(
            "The L1 hit rate is {0} with active_threads=512 and {1} with active_threads=2048.",
            (scheme(TASK, L1, d=64, active_threads=512), scheme(TASK, L1, d=64, active_threads=2048)),
            (" %", " %"),
        ),
    ),
    Claim(
        "Full-cooperative scales with the number of threads (figure 6). The kernel as published, 250 Mbases, "
        "d=64, threads of a multiprocessor",
        "up to 4 thousand threads of the GPU",
        tuple(
            Trial(f"{fewer} to {2 * fewer} threads", *_threads(FULL, 2 * fewer, fewer))
            for fewer in (128, 256, 512, 1024)
        ),
        FASTER,
        differ=("active_threads",),
    ),
    Claim(
        "Cooperation costs instructions (section 5.3.3, table 2). Both kernels as published, 250 Mbases",
        fact("instructions of the cooperative design over the task-parallel one"),
        _by_distance(FULL, TASK, INSTRUCTIONS),
        within(2, 3.1),
        differ=("variant", "lanes_per_query"),
    ),
    Claim(
        "2 steps cost 10 to 18 % more instructions than 1 (section 5.3.3, table 2). The kernel as published, "
        "full counters, 250 Mbases",
        "1.1 x to 1.18 x",
        tuple(
            Trial(f"d={d}", scheme(FULL, INSTRUCTIONS, k=2, d=d, counters="full"), scheme(FULL, INSTRUCTIONS, d=d))
            for d in DISTANCES
        ),
        less_than(1.18),
        differ=("k", "lanes_per_entry"),
    ),
    Claim(
        "Below 0.5 Gbases the smaller blocks of d=64 are always faster than those of d=192 (figure 8). Our "
        "cooperative kernel, 1 step",
        "always",
        tuple(
            Trial(f"{mbases(bases)}", cooperative(bases, run, k=1, d=64), cooperative(bases, run, k=1, d=192))
            for bases, run in ((10e6, GPU), (100e6, GPU), (250e6, TITAN), (300e6, GPU))
        ),
        FASTER,
        differ=("d", "lanes_per_query"),
        ranges=tuple(
            Range((_sizes(run, "full_cooperative", "cuda", k=1),), "reference_bases", high=499e6)
            for run in (GPU, TITAN)
        ),
    ),
    Claim(
        "From 0.7 Gbases d=192 is faster than d=64 (figure 8). Our cooperative kernel, 1 step; the nearest "
        "smaller size is a test, too",
        "from 0.7 Gbases",
        tuple(
            Trial(mbases(bases), cooperative(bases, TITAN, k=1, d=192), cooperative(bases, TITAN, k=1, d=64))
            for bases in TITAN_SIZES[1:]
        ),
        FASTER,
        differ=("d", "lanes_per_query"),
        ranges=(Range(_SIZES_OF_TITAN.selects, "reference_bases", low=500e6),),
    ),
    Claim(
        "Beyond 1.5 Gbases all distances are alike, since blocks cost, not bytes (section 7, figure 8). Our "
        "cooperative kernel, d=64 "
        "over d=448",
        "alike",
        tuple(
            Trial(mbases(bases), cooperative(bases, TITAN, k=1, d=64), cooperative(bases, TITAN, k=1, d=448))
            for bases in TITAN_SIZES[3:]
        ),
        within(0.9, 1.1),
        differ=("d", "lanes_per_query"),
        ranges=(Range(_SIZES_OF_TITAN.selects, "reference_bases", low=1.5e9),),
        reason=Reason(
            "At the largest size d=64 reaches {0} of its bound and d=448 {1}: blocks of more bytes have a lower bound.",
            (cooperative(3e9, TITAN, BOUND, k=1, d=64), cooperative(3e9, TITAN, BOUND, k=1, d=448)),
        ),
    ),
    Claim(
        "2 steps with d=192 and alternate counters are the best from 1 to 3.5 Gbases (figure 9). Our "
        "cooperative kernel, over the best "
        "2 steps with another d",
        "best",
        tuple(
            Trial(
                mbases(bases),
                cooperative(bases, TITAN, k=2, d=192, counters="alternate"),
                cooperative(bases, TITAN, k=2, d=(64, 448)),
            )
            for bases in TITAN_SIZES[2:]
        ),
        FASTER,
        differ=("d",),
        ranges=(Range(_SIZES_OF_TITAN.selects, "reference_bases", low=1e9),),
        reason=Reason(
            "The index of d=64 takes {0} at the largest size, and random reads keep their rate up to {1}.",
            (
                cooperative(3e9, TITAN, FACT + "index_bytes", k=2, d=64, counters="alternate"),
                Term(Select(MACHINE, ("cuda",), "cuda", phases=("probe",)), LEVEL + "TLB"),
            ),
            ("B", "B"),
        ),
    ),
)
