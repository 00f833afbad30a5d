"""The first screen of a page: the best configurations as the terminal lists them, and one picture of them."""

from __future__ import annotations

import math
from dataclasses import dataclass

from gpuseq.charts.values import Heading, Quantity, RowChart, RowMark, RowPanel
from gpuseq.page.device_profiles import DeviceProfile
from gpuseq.page.findings import Finding
from gpuseq.page.html import Cell, Row, number_cell, value_text
from gpuseq.page.winners import Winner, interval_words, problem_words
from gpuseq.runs import Json, Report, dict_at, number_at, point_text, text_at
from gpuseq.units import Unit, format_value, rate_text, significant, with_decimal_prefix

COLUMNS = ["Device", "Best configuration", "Rate", "95 % interval", "Of bound", "Memory", "User waits"]
MOST_PROBLEMS = 12  # before the others are closed
_LONG_POINT = 60  # letters of a configuration, beyond which only unusual values are named


@dataclass
class Problem:
    """A problem with a row per device, the best first."""

    family: str
    label: str
    rows: list[Row]


class ShortPoints:
    """Names configurations by the axes in which the cases of their run differ, or that are not at their defaults."""

    def __init__(self, report: Report) -> None:
        self._report = report
        self._points: dict[tuple[int, str, str], dict[str, dict[str, int | str]]] = {}  # by run and variant; by case
        for record in report.records:
            cases = self._points.setdefault((record.run, record.family, record.variant), {})
            cases[record.data["state"]] = record.data["point"]
        self._usual: dict[tuple[int, str, str], tuple[dict[str, Json], set[str]]] = {}

    def text(self, winner: Winner, tuned: Json) -> str:
        """ "k=2,d=224"."""
        key = (winner.run, winner.family, text_at(tuned, "variant"))
        if key not in self._usual:
            self._usual[key] = self._learn(key)
        usual, varying = self._usual[key]
        return _named(dict_at(tuned, "point"), usual, varying)

    def _learn(self, key: tuple[int, str, str]) -> tuple[dict[str, Json], set[str]]:
        """Usual values, and the axes that are always named."""
        points = self._points.get(key, {}).values()
        counts: dict[str, dict[int | str, int]] = {}
        for point in points:
            for axis, value in point.items():
                values = counts.setdefault(axis, {})
                values[value] = values.get(value, 0) + 1
        of_family = dict_at(dict_at(self._report.runs[key[0]].summary, "defaults"), key[1])
        usual: dict[str, Json] = {
            axis: max(sorted(values, key=_value_order), key=lambda value: values[value])
            for axis, values in counts.items()
        } | dict_at(dict_at(of_family, "variants"), key[2])
        varying = {axis for axis, values in counts.items() if len(values) > 1}
        terse = any(len(_named(point, usual, varying)) > _LONG_POINT for point in points)
        return usual, set() if terse else varying


def _value_order(value: int | str) -> tuple[bool, int | str]:
    return isinstance(value, str), value


def _named(point: dict[str, Json], usual: dict[str, Json], varying: set[str]) -> str:
    return point_text({axis: value_text(value) for axis, value in point.items()
                       if axis in varying or axis not in usual or usual[axis] != value})  # fmt: skip


def _common_parts(labels: set[str]) -> list[str]:
    """Parts that all labels have: a group says them once."""
    if len(labels) < 2:
        return []
    first, *others = [label.split(", ") for label in sorted(labels)]
    return [part for part in first if all(part in other for other in others)]


def _without(label: str, common: list[str]) -> str:
    return ", ".join(part for part in label.split(", ") if part not in common) or label


def problems(found: list[Finding], winners: list[Winner], points: ShortPoints) -> list[Problem]:
    return [
        Problem(finding.winners[0].family, problem_words(winners, finding.winners[0]),
                [_row(winner, finding, points) for winner in finding.winners])
        for finding in found
    ]  # fmt: skip


def _row(winner: Winner, finding: Finding, points: ShortPoints) -> Row:
    tuned = winner.tuned
    configuration = Cell(" ".join([text_at(tuned, "variant"), points.text(winner, tuned)]).strip())
    if winner.objective_words:
        configuration.note = f"{winner.objective_words}: {format_value(winner.score, Unit.number)}"
    if winner.record:
        configuration.link = f"#record-{winner.record.index}"
    configuration.badges = [(of.word, of.sentence) for of in finding.warnings if of.winner is winner]
    memory, waits = _memory(tuned), _waits(tuned)
    return Row([
        Cell(winner.device_name), configuration, number_cell(rate_text(winner.rate, text_at(tuned, "rate_unit")), winner.rate),
        Cell(interval_words(tuned), style="number"), number_cell(_share(tuned), number_at(tuned, "fraction_of_bound")),
        number_cell("" if memory is None else with_decimal_prefix(memory, "B"), memory),
        number_cell("" if waits is None else format_value(waits, Unit.seconds), waits),
    ], winner.record.index if winner.record else None)  # fmt: skip


def _memory(tuned: Json) -> float | None:
    return number_at(dict_at(tuned, "memory"), "bytes")


def _waits(tuned: Json) -> float | None:
    return number_at(dict_at(tuned, "waits"), "total_s")


def _share(tuned: Json) -> str:
    """ "94 % (L2)", "0.43 % (L2)"; empty without a bound."""
    fraction, bound_by = number_at(tuned, "fraction_of_bound"), text_at(tuned, "bound_by")
    if fraction is None:
        return ""
    share = f"{100 * fraction:.0f}" if fraction >= 0.095 else significant(100 * fraction, 2)
    return f"{share} %{f' ({bound_by})' if bound_by else ''}"


def picture(found: list[Finding], winners: list[Winner]) -> RowChart | None:
    """The rate of each best configuration with its bound, a panel per unit; None without a rate."""
    shown = [finding for finding in found if finding.winners[0].rate > 0][:MOST_PROBLEMS]
    if not shown:
        return None
    names = _row_names(shown, winners)
    panels: dict[str, RowPanel] = {}
    series: set[str] = set()
    for finding, row in zip(shown, names, strict=True):
        unit = text_at(finding.winners[0].tuned, "rate_unit")
        panel = panels.setdefault(unit, RowPanel(value=Quantity(unit, Unit.number_si, log=True)))
        panel.rows.append(row)
        for winner in finding.winners:
            series.add(winner.device_name)
            panel.marks += _marks(winner, row)
    notes = ["Dots: rates with their intervals. Ticks: bounds."]
    if len(shown) < len(found):
        notes.append(f"{len(shown)} of {len(found)} problems.")
    heading = Heading("Rates of the best configurations", notes, "Rate and bound of the best configuration per problem")
    only = next(iter(panels.values()))
    return RowChart(only.value or Quantity(), heading, series_title="device", series=sorted(series),
                    panels=list(panels.values()))  # fmt: skip


def _row_names(found: list[Finding], winners: list[Winner]) -> list[str]:
    """Short and unique: the family where it has one problem, else the differences of its problems."""
    labels: dict[str, list[str]] = {}
    for finding in found:
        labels.setdefault(finding.winners[0].family, []).append(problem_words(winners, finding.winners[0]))
    names: list[str] = []
    for finding in found:
        family = finding.winners[0].family
        label = _without(problem_words(winners, finding.winners[0]), _common_parts(set(labels[family])))
        name = label if len(labels) == 1 else family if len(labels[family]) == 1 else f"{family}: {label}"
        names.append(f"{name}, {finding.winners[0].objective_words}" if name in names else name)
    return names


def _marks(winner: Winner, row: str) -> list[RowMark]:
    tuned, rate = winner.tuned, winner.rate
    low, high = number_at(tuned, "rate_low"), number_at(tuned, "rate_high")
    fraction = number_at(tuned, "fraction_of_bound")
    memory, waits = _memory(tuned), _waits(tuned)
    unit = text_at(tuned, "rate_unit")
    tips = [("Value", rate_text(rate, unit)), ("Interval", interval_words(tuned)),
            ("Device", winner.device_name), ("Variant", text_at(tuned, "variant")),
            *((axis, value_text(value)) for axis, value in dict_at(tuned, "point").items()),
            ("Of bound", _share(tuned)),
            ("Memory", "" if memory is None else with_decimal_prefix(memory, "B")),
            ("User waits", "" if waits is None else format_value(waits, Unit.seconds))]  # fmt: skip
    mark = RowMark(row, rate, rate if low is None else low, rate if high is None else high, winner.device_name,
                   record=winner.record.index if winner.record else None, tips=tips)  # fmt: skip
    if not fraction or not math.isfinite(bound := rate / fraction):
        return [mark]
    tip = [("Bound", rate_text(bound, unit)), ("Bound by", text_at(tuned, "bound_by")),
           ("Device", winner.device_name)]  # fmt: skip
    return [RowMark(row, bound, bound, bound, winner.device_name, minor=True, tips=tip), mark]


def level_rows(profiles: list[DeviceProfile]) -> list[Row]:
    """Levels of memory, for runs that tuned nothing."""
    return [
        Row([
            Cell(profile.name if level is profile.levels[0] else ""),
            Cell(level.name, badges=[("uncertain", "One curve alone shows the level.")] if level.uncertain else []),
            number_cell(format_value(level.at_bytes, Unit.bytes), level.at_bytes),
            Cell(f"{format_value(level.low_bytes, Unit.bytes)} to {format_value(level.high_bytes, Unit.bytes)}"
                 if level.high_bytes > level.low_bytes else "", style="number"),
            Cell(format_value(level.stated_bytes, Unit.bytes) if level.stated_bytes else "", style="number"),
        ])
        for profile in profiles for level in profile.levels
    ]  # fmt: skip


LEVEL_COLUMNS = ["Device", "Level of memory", "Ends at", "95 % interval", "Stated"]
