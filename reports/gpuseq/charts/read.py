"""Charts of the measuring program, as JSON (reports/charts/chart.hpp): the input of `gpuseq-bench chart`."""

from __future__ import annotations

from typing import Any

from gpuseq.charts.values import Band, Guide, Heading, LineChart, Mark, Panel, Quantity
from gpuseq.units import Unit

Json = dict[str, Any]


def _quantity(given: Json) -> Quantity:
    return Quantity(**{**given, "unit": Unit[given["unit"]]})


def _panel(given: Json) -> Panel:
    marks = [Mark(**{**mark, "tips": [(name, text) for name, text in mark["tips"]]}) for mark in given["marks"]]
    return Panel(given["title"], marks, [Band(**band) for band in given["bands"]],
                 y=_quantity(given["y"]) if "y" in given else None)  # fmt: skip


def line_chart(given: Json) -> LineChart:
    return LineChart(
        _quantity(given["x"]), _quantity(given["y"]), Heading(**given["heading"]), given["series_title"], given["series"],
        guides=[Guide(**guide) for guide in given["guides"]], panels=[_panel(panel) for panel in given["panels"]],
        connected=given["connected"],
    )  # fmt: skip
