"""The schemes of the FM-index: kernels as Chacón et al. describe them, and later ones of the same layouts."""

from __future__ import annotations

from gpuseq.figures.common.published_schemes import AS_PUBLISHED, as_published
from gpuseq.figures.fm_index_words import layout_kind, layout_of
from gpuseq.runs import Record, number_at
from gpuseq.words import variant_name

_PAPER = "FM-index, "
_COOPERATIVE = ("full_cooperative", "full_cooperative_split")


def scheme_name(record: Record) -> str:
    """ "task_parallel, as published"."""
    return as_published(variant_name(record), record, _PAPER)


def steps_text(record: Record) -> str:
    """ "2-step, alternate counters"; "one-hot 3-step"; empty for a program without steps."""
    layout = layout_of(record)
    if layout.k == 0:
        return layout_kind(record).strip()
    return f"{layout_kind(record)}{layout.k}-step{', alternate counters' if layout.alternate else ''}"


AS_FIT, FEWER = "as many threads as fit", "fewer threads"


def occupancy_text(record: Record) -> str:
    """The best of fewer threads is the paper's optimal occupancy."""
    return FEWER if number_at(record.point, "active_threads") else AS_FIT


def is_cooperative_or_cpu(record: Record) -> bool:
    """The design of the paper's figure 8, and its substitute on a machine without a GPU."""
    return record.variant in _COOPERATIVE or not record.on_gpu


def steps_as_published(record: Record) -> str:
    return as_published(steps_text(record), record, _PAPER)


def distance_text(record: Record) -> str:
    """The sampling distance; of a layout without one its only line is solid."""
    distance = layout_of(record).d
    return f"d={distance}" if distance else "no sampling"


def is_of_the_paper(series: str) -> bool:
    """Whether a guide line of figure 9 refers to a series: sampled layouts of one and two steps."""
    return series.startswith(("1-step", "2-step"))


def is_as_published(series: str) -> bool:
    return AS_PUBLISHED in series
