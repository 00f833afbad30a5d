"""All figures, in the order of the page. The module of a family has its figures as FIGURES."""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from importlib import import_module

from gpuseq.charts.series_limit import limit_series
from gpuseq.charts.values import Chart
from gpuseq.drawing import Figure
from gpuseq.errors import UsageError
from gpuseq.published import Published
from gpuseq.runs import Report

FAMILIES = ["suite", "probes", "fm_index", "fm_locate", "papara", "profile_hmm", "pairwise_distance", "exact_match"]


def figures() -> list[Figure]:
    return [figure for family in FAMILIES for figure in import_module(f"gpuseq.figures.{family}").FIGURES]


def find_figures(names: Iterable[str]) -> list[Figure]:
    """The figures of these names. Raises UsageError for an unknown name, with the nearest one and all others."""
    known = {figure.name: figure for figure in figures()}
    names = list(dict.fromkeys(names))
    for name in names:
        if name not in known:
            nearest = difflib.get_close_matches(name, known, n=1)
            hint = f"; did you mean '{nearest[0]}'?" if nearest else "."
            raise UsageError(f"no figure '{name}'{hint} Allowed: list, {', '.join(known)}")
    return [known[name] for name in names]


def drawn(figure: Figure, report: Report, published: Published) -> Chart:
    """The chart of a figure, with at most eight series. Raises NotDrawn."""
    chart = figure.draw(figure, report, published)
    limit_series(chart)
    return chart
