"""Made charts of the three kinds, for tests of their output formats."""

from __future__ import annotations

from gpuseq.charts.values import (
    Band,
    Cell,
    Guide,
    Heading,
    HeatMap,
    HeatPanel,
    LineChart,
    Mark,
    Panel,
    Quantity,
    RowChart,
    RowMark,
    RowPanel,
)
from gpuseq.units import Unit

HEADING = Heading("A title", ["A note.", "Data: run a; 3 records."], "A title. Devices: H200.")
SIZES = [2.0**power for power in range(14, 32, 2)]


def lines(panels: int = 1) -> LineChart:
    """Rates of two series over footprints, with every kind of mark."""
    marks = [
        Mark(x, rate, 0.9 * rate, 1.1 * rate, series, label="fastest" if x == SIZES[3] else "", record=number,
             synthetic=x == SIZES[1], tips=[("Device", "H200"), ("Point", "k=1, d=64")])
        for number, x in enumerate(SIZES)
        for series, rate in (("one", 4e10 / (1 + x / 1e7)), ("other", 2e10 / (1 + x / 1e7)))
    ]  # fmt: skip
    marks += [
        Mark(SIZES[2], 1e9, series="published (A)", published=True),
        Mark(SIZES[4], 5e9, series="one", minor=True),
        Mark(SIZES[6], 3e9, series="one", disturbed=True),
        Mark(SIZES[5], 9e9, series="one", behind=True, bound=2e10),
    ]
    knees = [Band(2.4e7, 2.6e7, "25 MiB"), Band(4.8e7, 5.2e7, "50 MiB")]
    guides = [Guide(True, 1e6, "a limit"), Guide(False, 3e9, "published: 3 G")]
    panel = Panel("H200", marks, knees, guides=guides, steps=[(SIZES[0], 1e9), (SIZES[3], 2e9)])
    x, y = Quantity("footprint", Unit.bytes, log=True), Quantity("rate", Unit.bases_per_s)
    series = ["one", "other", "published (A)"]
    return LineChart(x, y, HEADING, "variant", series, panels=[panel] * panels)


def rows(count: int = 3, bars: bool = False, panels: int = 1) -> RowChart:
    """Shares of `count` variants with names of several words."""
    names = [f"variant {number} with a name of several words, k=2" for number in range(count)]
    marks = [RowMark(name, 0.1 + 0.8 * n / count, 0.1, 0.9, ("GPU", "CPU")[n % 2], f"{n} Gbases/s", "a detail",
                     hollow=n == 1, record=n) for n, name in enumerate(names)]  # fmt: skip
    marks.append(RowMark(names[0], 0.05, series="GPU", minor=True))
    value = Quantity("fraction of the bound", Unit.share)
    panel = RowPanel("H200", names, marks)
    return RowChart(value, HEADING, bars, series_title="device", series=["GPU", "CPU"], panels=[panel] * panels)


def heat(panels: int = 1) -> HeatMap:
    cells = [Cell(x, row, 1e12 / (1 + x / 1e6), record=1) for x in SIZES for row in ("64 B", "128 B")]
    panel = HeatPanel("H200", ["64 B", "128 B"], cells)
    value = Quantity("bandwidth", Unit.bytes_per_s)
    return HeatMap(Quantity("footprint", Unit.bytes, log=True), value, HEADING, "block", [panel] * panels)
