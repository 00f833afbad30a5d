"""The figure of locating the occurrences that an FM-index finds."""

from __future__ import annotations

from gpuseq.charts.values import Mark, Quantity
from gpuseq.drawing import Figure
from gpuseq.figures.common.lines import Lines
from gpuseq.figures.fm_index_words import HEADING, by_problem, problem_title
from gpuseq.runs import Record, number_at
from gpuseq.units import Unit
from gpuseq.words import axis_text


def bytes_per_base(record: Record) -> float | None:
    """Size of the index with its samples; None where a configuration takes no samples."""
    if number_at(record.point, "sa_rate") is None:
        return None
    return (number_at(record.facts, "bits_per_base") or 0) / 8


def labelled(record: Record, mark: Mark) -> list[Mark]:
    mark.label = axis_text(record, "sa_rate")
    mark.bound = float(record.bound["rate"]) if record.bound else 0
    mark.tips.append(("Index with samples", f"{mark.x:.3g} bytes per base"))
    return [mark]


RATES = Figure("fm-locate/rates", "Positions located over the bytes of the index", HEADING,
               "How many suffixes a sample may represent within a number of bytes, and whether samples of the text or "
               "of rows are worth their bytes.",
               Lines("fm_locate", x=bytes_per_base, place=lambda record: number_at(record.point, "sa_rate") or 0,
                     series=lambda record: f"{record.variant}, {axis_text(record, 'sa_sampling')}",
                     panel=by_problem, title=problem_title, panels="panels, the largest references", marks=labelled,
                     x_axis=Quantity("index with its samples (bytes per base)", log=True,
                                     ticks=[0.25, 0.5, 1, 2, 4, 8]),
                     y_axis=Quantity("positions per second", Unit.number_si, log=True),
                     series_title="variant, order of samples",
                     notes=("Numbers: suffixes per sample (sa_rate), each with its fastest configuration. Ticks: "
                            "their bounds.",),
                     need="a rate of samples and the bytes of its index").draw)  # fmt: skip

FIGURES = [RATES]
