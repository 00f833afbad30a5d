"""Figures of profile-HMM filters (CUDAMPF: Jiang and Ganesan 2016)."""

from __future__ import annotations

import math

from gpuseq.drawing import Figure
from gpuseq.figures.common.ablation import Ablation, AblationFigure, Step, rates, steps
from gpuseq.figures.common.cell_rates import GCUPS_TITLE, GIGA, gcups_tips
from gpuseq.figures.common.published_schemes import AS_PUBLISHED, as_published
from gpuseq.figures.profile_hmm_compiling import draw_table2
from gpuseq.figures.profile_hmm_curves import (
    GCUPS,
    L1_HIT_RATE,
    L2_HIT_RATE,
    OCCUPANCY,
    READ_ONLY_HIT_RATE,
    REGISTERS,
    Curves,
    Measure,
    by_own_clock,
    program_of,
)
from gpuseq.figures.profile_hmm_pipeline import draw_fig2
from gpuseq.figures.profile_hmm_records import (
    AHEAD_OF_TIME,
    CONSTANT_NVRTC,
    FAMILY,
    HEADING,
    VARIABLE_NVRTC,
    compilation_of,
    filter_index,
    filter_of,
    filter_title,
    model_length,
    row_memory_of,
    sequences_of,
    vectors_of,
)
from gpuseq.runs import Record, word_at
from gpuseq.units import plain

_USUAL_LENGTH = 400  # of a model, in figure 2 of the paper
_LOCAL = "local memory"
_MEMORIES = {"local": _LOCAL, "shared": "shared memory", "registers": "registers"}


def _by_machine(filter_name: str) -> Curves:
    """GPUs, CPUs and external tools that time the filter alone."""

    def line(record: Record) -> tuple[str, str] | None:
        if record.is_tool:
            return (program_of(record), "") if by_own_clock(record) else None
        vectors = vectors_of(record)
        name = as_published(record.variant, record, "CUDAMPF, ") + (f", {vectors}" if vectors else "")
        # MSV of other programs computes rows with the J state for every sequence.
        always = filter_of(record) == "msv" and word_at(record.point, "follow_j") == "always"
        return f"{name}, J always" if always else name, ""

    return Curves(
        [filter_name], line, [GCUPS], "two or more model lengths of this filter", "variant", tools=True,
        series=["lane_groups", "video_warp", "video_warp" + AS_PUBLISHED, "striped, AVX-512", "striped, AVX2", "striped, SSE4", "scalar"],
    )  # fmt: skip


def _by_row_memory(filter_name: str) -> Curves:
    """The memory of the row of a sequence."""

    def line(record: Record) -> tuple[str, str] | None:
        memory = row_memory_of(record)
        return (_MEMORIES.get(memory, memory), record.variant) if record.on_gpu and memory else None

    return Curves(
        [filter_name], line, [GCUPS, OCCUPANCY],
        "two or more model lengths, and rows in two memories, of this filter", "row in", "variant",
        series=["registers", "shared memory", _LOCAL], least_series=2, base=_LOCAL,
    )  # fmt: skip


def _by_compilation(filters: list[str], *measures: Measure) -> Curves:
    """Kernels that know the model when they are compiled, and kernels that do not."""

    def line(record: Record) -> tuple[str, str] | None:
        compilation = compilation_of(record)
        return (compilation, record.variant) if record.on_gpu and compilation else None

    return Curves(
        filters, line, list(measures), "two or more model lengths, and kernels compiled in two ways", "compiled", "variant",
        series=[CONSTANT_NVRTC, VARIABLE_NVRTC, AHEAD_OF_TIME], least_series=2, base=AHEAD_OF_TIME,
    )  # fmt: skip


def _place(record: Record) -> tuple[str, str] | None:
    length, name = model_length(record), filter_of(record)
    return None if length is None else (str(filter_index(name)), f"{filter_title(name)}, {plain(length)} states")


LADDER = AblationFigure(
    FAMILY,
    [Ablation(
        {"variant": "video_warp", "row": "auto", "compiled_by": "nvcc", "stripes": "variable", "resident_warps": "32",
         "warps_per_block": "32", "assignment": "static", "order": "file", "residues": "shared", "reduction": "each_row",
         "deletions": "lazy_f", "loads": "words", "costs": "read_only", "steps": "read_only"},
        [*steps(("by NVRTC", {"compiled_by": "nvrtc"}),
                ("stripes = constant", {"stripes": "constant"}),
                ("resident warps as they fit", {"resident_warps": "0", "warps_per_block": "0"}),
                ("assignment = queue", {"assignment": "queue"}),
                ("order = sorted", {"order": "sorted"}),
                ("residues = registers", {"residues": "registers"}),
                ("reduction = skipped", {"reduction": "skipped"})),
         Step("deletions = in_row", {"deletions": "in_row"}, lambda record: filter_of(record) == "viterbi"),
         *steps(("loads = wide", {"loads": "wide"}), ("costs, steps = auto", {"costs": "auto", "steps": "auto"}))],
        published_row="as published, ahead of time")],
    rates(GCUPS_TITLE),
    place=_place,
    worth=lambda record: -abs(math.log((model_length(record) or 1) / _USUAL_LENGTH)),
    about=sequences_of,
    factor=1 / GIGA,
    tips=gcups_tips,
    notes=["The published kernel of SSV and MSV is the one with stripes = constant, that of Viterbi the one before it."],
)  # fmt: skip

_MACHINES = ("The rate of the filter on each machine at each length of the model: by the paper's design (video_warp) and by "
             "others, with each instruction set of the CPU, and by the paper's and HMMER's programs.")  # fmt: skip
_ROWS = ("The memory in which the row of a sequence is fastest at each length: shared memory costs occupancy, local memory "
         "traffic, and registers are few. Short rows that the compiler kept in registers although local memory was asked "
         "for count as registers.")  # fmt: skip

FIGURES = [
    Figure("profile-hmm/fig2", "Stages of hmmsearch", HEADING,
           "The share of the sequences that passes each filter and the share of the time of each stage. Filters on GPUs "
           "leave the time of the later stages.", draw_fig2),
    Figure("profile-hmm/fig13", "SSV on GPU and CPU", HEADING, _MACHINES, _by_machine("ssv").draw),
    Figure("profile-hmm/fig12", "MSV on GPU and CPU", HEADING,
           f"{_MACHINES} J always: rows with the J state for every sequence, as in other programs, and not only where SSV "
           "finds that it can be used.", _by_machine("msv").draw),
    Figure("profile-hmm/fig14", "Viterbi on GPU and CPU", HEADING, _MACHINES, _by_machine("viterbi").draw),
    Figure("profile-hmm/table3", "SSV and MSV compiled at run time and ahead of time", HEADING,
           "The gain of a kernel that knows the length of its model, so that its loops are unrolled and its row stays in "
           "registers. The paper found up to 3.2 x for SSV and 2 x for MSV.",
           _by_compilation(["ssv", "msv"], GCUPS, REGISTERS, READ_ONLY_HIT_RATE, L2_HIT_RATE).draw),
    Figure("profile-hmm/table4", "Viterbi compiled at run time and ahead of time", HEADING,
           "Whether unrolled loops still pay for a kernel with three cells per state, or spill: the paper's kernel "
           "spilled, its L1 hit rate fell, and its Viterbi kept loops.",
           _by_compilation(["viterbi"], GCUPS, REGISTERS, L1_HIT_RATE, READ_ONLY_HIT_RATE, L2_HIT_RATE).draw),
    Figure("profile-hmm/fig10", "SSV by the memory of a row", HEADING, _ROWS, _by_row_memory("ssv").draw),
    Figure("profile-hmm/fig9", "MSV by the memory of a row", HEADING, _ROWS, _by_row_memory("msv").draw),
    Figure("profile-hmm/fig11", "Viterbi by the memory of a row", HEADING, _ROWS, _by_row_memory("viterbi").draw),
    Figure("profile-hmm/ladder", "From the published kernel to video_warp", HEADING,
           "The effect of each difference between the paper's kernel and ours of the same design on this GPU.", LADDER.draw),
    Figure("profile-hmm/table2", "Time to compile a kernel", HEADING,
           "The one-time cost of a model for which no kernel was compiled, and of one from the cache.", draw_table2,
           of_samples=False),
]  # fmt: skip
