"""A chart as a Vega-Lite 5 specification.

Data rows have the fields that the page and the golden sets read: x, y, low, high, series, dash, bound, label, record
and tips of line charts; row, value and series of rows; row, from, to and value of heat maps.
"""

from __future__ import annotations

import json

from gpuseq.charts import heat_map, line_chart, row_chart
from gpuseq.charts.axis import Spec
from gpuseq.charts.style import Style, screen
from gpuseq.charts.values import Chart, HeatMap, LineChart

_of_screen: dict[int, tuple[Chart, Spec]] = {}


def screen_spec(chart: Chart) -> Spec:
    """The chart for the screen. A figure goes into a file and onto the page: it is drawn once."""
    chart_and_spec = _of_screen.get(id(chart))
    if chart_and_spec is None or chart_and_spec[0] is not chart:
        chart_and_spec = _of_screen[id(chart)] = (chart, draw(chart, screen()))
    return chart_and_spec[1]


def spec_text(spec: Spec) -> str:
    return json.dumps(spec, ensure_ascii=False) + "\n"


def draw(chart: Chart, style: Style) -> Spec:
    if isinstance(chart, LineChart):
        return line_chart.draw(chart, style)
    if isinstance(chart, HeatMap):
        return heat_map.draw(chart, style)
    return row_chart.draw(chart, style)
