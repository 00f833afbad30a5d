"""Charts of the measuring program, as JSON (bench/tools/chart.hpp): the input of `gpuseq-bench chart`."""

from __future__ import annotations

from typing import Any

from gpuseq.charts.values import Guide, Heading, LineChart, Mark, Panel, Quantity
from gpuseq.units import Unit

Json = Any


def _quantity(given: Json) -> Quantity:
    return Quantity(given["title"], Unit[given["unit"]], given["log"])


def _mark(given: Json) -> Mark:
    tips = [(str(name), str(text)) for name, text in given["tips"]]
    return Mark(given["x"], given["y"], series=given["series"], tips=tips)


def _panel(given: Json) -> Panel:
    return Panel(
        given["title"], [_mark(mark) for mark in given["marks"]],
        y=_quantity(given["y"]) if "y" in given else None,
    )  # fmt: skip


def line_chart(given: Json) -> LineChart:
    heading = given["heading"]
    return LineChart(
        _quantity(given["x"]), _quantity(given["y"]),
        Heading(heading["title"], heading["notes"], heading["description"]), given["series_title"], given["series"],
        guides=[Guide(guide["vertical"], guide["at"], guide["label"]) for guide in given["guides"]],
        panels=[_panel(panel) for panel in given["panels"]], connected=given["connected"],
    )  # fmt: skip
