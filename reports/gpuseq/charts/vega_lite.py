"""A chart as a Vega-Lite 5 specification.

Data rows have the fields that the page and the golden sets read: x, y, low, high, series, dash, bound, label, record
and tips of line charts; row, value and series of rows; row, from, to and value of heat maps.
"""

from __future__ import annotations

from gpuseq.charts import heat_map, line_chart, row_chart
from gpuseq.charts.axis import Spec
from gpuseq.charts.style import Style, screen
from gpuseq.charts.values import Chart, HeatMap, LineChart


def draw(chart: Chart, style: Style | None = None) -> Spec:
    """For the screen unless a style is given."""
    style = style or screen()
    if isinstance(chart, LineChart):
        return line_chart.draw(chart, style)
    if isinstance(chart, HeatMap):
        return heat_map.draw(chart, style)
    return row_chart.draw(chart, style)
