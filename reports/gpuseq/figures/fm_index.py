"""The figures of the FM-index. Their numbers are those of the paper (Chacón et al. 2015); others are named for the
quantity that they show."""

from __future__ import annotations

from typing import Any

from gpuseq.charts.values import Quantity
from gpuseq.drawing import Figure
from gpuseq.figures.common.lines import Lines
from gpuseq.figures.fm_index_bandwidth import FIG3, FIG10
from gpuseq.figures.fm_index_ladder import LADDER
from gpuseq.figures.fm_index_memory import FIG2, MEMORY
from gpuseq.figures.fm_index_orders import ORDERS
from gpuseq.figures.fm_index_rows import BOUND, FIG5, FIG11, OCCURRING
from gpuseq.figures.fm_index_schemes import (
    distance_text,
    is_as_published,
    is_cooperative_or_cpu,
    is_of_the_paper,
    occupancy_text,
    scheme_name,
    steps_as_published,
)
from gpuseq.figures.fm_index_tables import TABLE1, TABLE2
from gpuseq.figures.fm_index_words import (
    HEADING,
    REFERENCE_SIZE,
    by_problem_and_words,
    layout_kind,
    layout_of,
    ordered_queries_title,
    problem_and_words_title,
)
from gpuseq.runs import Record, number_at
from gpuseq.units import Unit
from gpuseq.words import reference_bases


def resident_threads(record: Record) -> float:
    return number_at(record.facts, "resident_threads") or 0


_ONE_SIZE = "The reference size with the most configurations; others have fewer."


def by_layout(record: Record) -> tuple[Any, ...]:
    layout = layout_of(record)
    return *by_problem_and_words(record), layout.k, layout.d, layout.text


def thread_sweep(records: list[Record]) -> list[Record]:
    """The records of a layout where some have fewer threads than fit."""
    return records if any(number_at(record.point, "active_threads") for record in records) else []


def is_sampled_one_step(record: Record) -> bool:
    return layout_of(record).k == 1 and layout_of(record).d > 0


FIG6 = Figure("fm-index/fig6", "Rate over active threads", HEADING,
              "The number of threads that saturates a scheme, and whether more threads slow it down.",
              Lines("fm_index", x=resident_threads, series=scheme_name,
                    one_of=by_problem_and_words, one_of_note=_ONE_SIZE, panel=by_layout, within=thread_sweep,
                    title=lambda record: f"{problem_and_words_title(record)}, {layout_of(record).text}",
                    x_axis=Quantity("active threads on the device", Unit.number_si, log=True),
                    series_title="scheme", most_series_of="schemes", always=is_as_published, least_x=2,
                    need="two or more values of active_threads").draw)  # fmt: skip

FIG7 = Figure("fm-index/fig7", "Rate over sampling distance by scheme", HEADING,
              "How the rate of each scheme falls with larger blocks.",
              Lines("fm_index", where=is_sampled_one_step, x=lambda record: layout_of(record).d,
                    series=scheme_name, dash=occupancy_text, dash_title="occupancy",
                    one_of=by_problem_and_words, one_of_note=_ONE_SIZE,
                    panel=by_problem_and_words, title=problem_and_words_title,
                    x_axis=Quantity("sampling distance d", log=True), label_every_x=True, series_title="scheme",
                    most_series_of="schemes", always=is_as_published, least_x=2,
                    panels="panels, the largest references", need="two or more values of d at k=1",
                    notes=("k = 1; the fastest configuration of each scheme, with as many threads as fit and with "
                           "fewer.",)).draw)  # fmt: skip

FIG8 = Figure("fm-index/fig8", "Rate over reference size, 1-step index", HEADING,
              "How the memory footprint slows the search down.",
              Lines("fm_index", where=lambda record: is_sampled_one_step(record) and is_cooperative_or_cpu(record)
                    and layout_kind(record) != "one-hot ",
                    x=reference_bases, series=scheme_name, dash=distance_text, dash_title="sampling distance",
                    panel=ordered_queries_title, title=ordered_queries_title, x_axis=REFERENCE_SIZE,
                    series_title="scheme", least_x=2, need="two or more reference sizes at k=1",
                    notes=("k = 1, sampled index: the cooperative design on GPUs, each scheme on CPUs.",)).draw)  # fmt: skip

FIG9 = Figure("fm-index/fig9", "Rate over reference size by layout", HEADING,
              "Which layout to choose for which reference.",
              Lines("fm_index", x=reference_bases, series=steps_as_published, dash=distance_text,
                    dash_title="sampling distance", panel=ordered_queries_title, title=ordered_queries_title,
                    x_axis=REFERENCE_SIZE, series_title="layout", most_series_of="layouts", always=is_of_the_paper,
                    least_x=2, need="two or more reference sizes",
                    notes=("The fastest variant of each layout; schemes as published are lines of their own.",)).draw)  # fmt: skip

FIGURES = [
    MEMORY, ORDERS, OCCURRING, LADDER, TABLE1, FIG2, FIG3, FIG5, FIG6, FIG7, FIG8, FIG9, FIG10, FIG11, TABLE2, BOUND,
]  # fmt: skip
