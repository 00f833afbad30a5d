"""The figure of a comparison: the values of both sides, one by one."""

from __future__ import annotations

import statistics

from gpuseq.charts.values import Heading, Quantity, RowChart, RowMark, RowPanel
from gpuseq.errors import UsageError
from gpuseq.units import Unit
from gpuseq.verdicts.compare import Comparison
from gpuseq.verdicts.outputs import headline, names_of
from gpuseq.verdicts.words import change, units

_MOST_CASES = 15


def draw_distributions(comparison: Comparison) -> RowChart:
    """A row for each case, relative to the median of its base: every value as a tick, the medians as marks; the worst
    cases."""
    drawn = [(case, case.numbers) for case in comparison.cases if case.numbers][:_MOST_CASES]
    if not drawn:
        raise UsageError("no case has numbers on both sides, so there is nothing to draw")
    measured = sum(case.numbers is not None for case in comparison.cases)
    names = names_of(comparison)
    parts = [names.of(case.record).split("/") for case, _ in drawn]
    common = set(parts[0]).intersection(*parts[1:]) if len(parts) > 1 else set[str]()
    rows = [", ".join(part for part in of_case if part not in common) for of_case in parts]
    marks: list[RowMark] = []
    for row, (case, numbers) in zip(rows, drawn, strict=True):
        for word, values in (("base", numbers.base), ("new", numbers.new)):
            times = [seconds / numbers.base_median for seconds in values.seconds]
            label = f"{case.verdict.value}, {change(numbers.ratio)}" if word == "new" else ""
            marks += [RowMark(row, time, series=word, minor=True) for time in times]
            marks.append(RowMark(row, statistics.median(times), series=word, label=label))
    unit = units(drawn[0][1].base.unit, 2)
    notes = [headline(comparison), f"Thin ticks: single {unit}; marks: their medians. 1 is the median of the base."]
    if common:
        notes.append(f"All: {', '.join(part for part in parts[0] if part in common)}.")
    if len(drawn) < measured:
        notes.append(f"{len(drawn)} of {measured} cases, the worst ones.")
    heading = Heading("Times of both sides", notes, f"Times of {comparison.new} against {comparison.base}.")
    value = Quantity("time over the median of the base", Unit.ratio, log=True)
    return RowChart(value, heading, series_title="side", series=["base", "new"], panels=[RowPanel("", rows, marks)])
