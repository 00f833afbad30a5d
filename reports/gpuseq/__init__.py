"""Reads the records of gpuseq-bench.

>>> import gpuseq
>>> table = gpuseq.records("results/h200-papers/titan")      # a polars data frame; columns: gpuseq.COLUMNS
>>> chart = gpuseq.figure("fm-index/fig9", "results/h200-papers/titan")  # an altair chart, to change and save
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from gpuseq.errors import UsageError
from gpuseq.frames import COLUMNS, records

if TYPE_CHECKING:
    import altair

__all__ = ["COLUMNS", "UsageError", "figure", "records"]


def figure(name: str, *runs: str | Path, published: list[str | Path] | None = None) -> altair.TopLevelMixin:
    """A figure of run folders as an altair chart. Raises UsageError for an unknown figure or wrong input, NotDrawn if
    the runs have nothing for it."""
    from gpuseq.charts.render import chart_object
    from gpuseq.figures import drawn, find_figures
    from gpuseq.published import load_published
    from gpuseq.runs import load_runs

    report = load_runs([Path(run) for run in runs])
    facts = load_published([Path(file) for file in published or []])
    return chart_object(drawn(find_figures([name])[0], report, facts))
