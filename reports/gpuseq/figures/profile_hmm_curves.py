"""Curves over the length of the model, which most figures of profile HMMs are."""

from __future__ import annotations

import copy
from collections.abc import Callable
from dataclasses import dataclass, field

from gpuseq.charts.values import MOST_PANELS, Guide, LineChart, Mark, Panel, Quantity, Tips
from gpuseq.drawing import Figure, NotDrawn, heading, keep_fastest, why_none
from gpuseq.figures.common.cell_rates import GCUPS_TITLE, GIGA, gcups_tips, gcups_tips_of_fact, place_of
from gpuseq.figures.profile_hmm_records import FAMILY, filter_of, filter_title, is_of_file, model_length, sequences_of
from gpuseq.published import Fact, Published, credit
from gpuseq.runs import Json, Record, Report, list_at, number_at, text_at
from gpuseq.statistics import CONFIDENCE, median, median_interval
from gpuseq.units import Unit, format_value, plain
from gpuseq.words import Rate, rate_of

_NEAR_SHARE = 0.1  # guides nearer than this share of a logarithmic axis share one label
_LEAST_SAMPLE_S, _MOST_SAMPLE_S = 1e-12, 1e9


Counters = dict[tuple[str, ...], list[dict[str, Json]]]
"""By benchmark case: counters are of the sweep, and a case that was measured again has them in that record."""


@dataclass(frozen=True)
class Measure:
    """A property of a record that a panel shows; published values name it in `measure`."""

    name: str
    y: Quantity
    value: Callable[[Counters, Record], Rate | None]


def _exact(value: float) -> Rate:
    return Rate(value, value, value)


def _resource(name: str) -> Callable[[Counters, Record], Rate | None]:
    def value(_counters: Counters, record: Record) -> Rate | None:
        found = number_at(record.data["resources"], name)
        return None if found is None else _exact(found)

    return value


def _counted(counter: str) -> Callable[[Counters, Record], Rate | None]:
    def value(counters: Counters, record: Record) -> Rate | None:
        percents = (number_at(counted, counter) for counted in counters.get(record.case, []))
        percent = next((percent for percent in percents if percent is not None), None)
        return None if percent is None else _exact(percent / 100)

    return value


def _counters_of(report: Report) -> Counters:
    found: Counters = {}
    for record in report.records:
        if record.family == FAMILY and record.data["counters"]:
            found.setdefault(record.case, []).append(record.data["counters"])
    return found


GCUPS = Measure("gcups", Quantity(GCUPS_TITLE, Unit.number, log=True), lambda _, record: rate_of(record, 1 / GIGA))
REGISTERS = Measure("registers", Quantity("registers per thread", Unit.number), _resource("registers_per_thread"))
OCCUPANCY = Measure("occupancy", Quantity("occupancy", Unit.share), _resource("occupancy"))
L1_HIT_RATE = Measure("l1_hit_rate", Quantity("L1 hit rate", Unit.share), _counted("l1tex__t_sector_hit_rate.pct"))
READ_ONLY_HIT_RATE = Measure(
    "read_only_hit_rate", Quantity("L1 hit rate of read-only data", Unit.share),
    _counted("l1tex__t_sector_pipe_lsu_mem_global_op_ld_hit_rate.pct"),
)  # fmt: skip
L2_HIT_RATE = Measure("l2_hit_rate", Quantity("L2 hit rate", Unit.share), _counted("lts__t_sector_hit_rate.pct"))

Group = tuple[bool, str, bool, str, int]
"""GPUs first; place, whether the models are of files, sequences, and the filter, by its number in the figure."""
Key = tuple[str, str, float]
Fastest = dict[Key, Record]
"""By series, dash and length of the model."""


def by_own_clock(tool: Record) -> Record | None:
    """The record of an external tool with the statistics of its own clock: without its start, reading and writing."""
    samples = [float(sample) for sample in list_at(tool.data.get("side_samples_s"), "own")]
    if not samples or not all(_LEAST_SAMPLE_S <= sample <= _MOST_SAMPLE_S for sample in samples):
        return None
    middle, interval = median(samples), median_interval(samples, CONFIDENCE)
    statistics = dict(tool.data["statistics"]) | {
        "samples": len(samples),
        "median_s": middle,
        "rate": tool.work / middle,
    }
    for name in ("confidence", "rate_low", "rate_high", "low_s", "high_s"):
        statistics.pop(name, None)
    if interval:
        statistics |= {"confidence": interval.confidence, "rate_low": tool.work / interval.high,
                       "rate_high": tool.work / interval.low}  # fmt: skip
    else:
        statistics["interval_reason"] = "one sample has no interval"
    own = copy.copy(tool)
    own.data = tool.data | {"statistics": statistics}
    return own


def program_of(tool: Record) -> str:
    """ "HMMER 3.3.2, SSE": the name that the program gives itself, else its name here."""
    version = text_at(tool.facts, "program_version")
    return tool.variant if version in ("", "unknown") else version


@dataclass(frozen=True)
class Curves:
    """`line` gives series and dash of a record, or None for a record that is not drawn."""

    filters: list[str]  # a panel each, and measure, and place
    line: Callable[[Record], tuple[str, str] | None]
    measures: list[Measure]
    need: str
    series_title: str
    dash_title: str = ""
    series: list[str] = field(default_factory=list[str])  # in the order of the legend
    least_series: int = 1
    base: str = ""  # series with which others are compared, length by length
    tools: bool = False

    def draw(self, figure: Figure, report: Report, published: Published) -> LineChart:
        groups = self._groups(report)
        sequences = sorted({group[3] for group in groups})
        panels = _Panels(self, figure, report, published)
        left_out: list[str] = []
        for subject in dict.fromkeys(group[:4] for group in groups):
            of_subject = [group for group in groups if group[:4] == subject]
            if panels.used and not panels.fit(len(of_subject)):
                left_out.append(f"{subject[1]}: {subject[3]}")
                continue
            for group in of_subject:
                if panels.fit(1):
                    panels.add(group, groups[group], name_sequences=len(sequences) > 1)
        if not panels.used:
            raise NotDrawn(why_none(report, FAMILY, self.need))
        return panels.chart(sequences, left_out)

    def _groups(self, report: Report) -> dict[Group, Fastest]:
        groups: dict[Group, Fastest] = {}
        for record in report.settled(FAMILY, tools=self.tools):
            length, line = model_length(record), self.line(record)
            if filter_of(record) not in self.filters or length is None or line is None:
                continue
            group = (not record.on_gpu, place_of(record), is_of_file(record), sequences_of(record),
                     self.filters.index(filter_of(record)))  # fmt: skip
            keep_fastest(groups.setdefault(group, {}), (*line, length), record)
        return {group: groups[group] for group in sorted(groups) if self._worth_a_panel(groups[group])}

    def _worth_a_panel(self, fastest: Fastest) -> bool:
        ours = [key for key, record in fastest.items() if not record.is_tool]
        return (
            len({length for _, _, length in ours}) > 1 and len({series for series, _, _ in ours}) >= self.least_series
        )

    def ratio(self, fastest: Fastest, key: Key) -> float | None:
        """The rate over that of the series with which others are compared."""
        base = fastest.get((self.base, *key[1:]))
        if not self.base or key[0] == self.base or base is None:
            return None
        return fastest[key].rate / base.rate


class _Panels:
    """The panels of one figure, with the records and published values that they use."""

    def __init__(self, curves: Curves, figure: Figure, report: Report, published: Published) -> None:
        self.curves, self.figure, self.report = curves, figure, report
        self.counters = _counters_of(report)
        self.values, self.guides = published.find(figure.name, "value"), published.find(figure.name, "guide")
        self.panels: list[Panel] = []
        self.used: dict[int, Record] = {}
        self.programs: set[str] = set()
        self.used_values: list[Fact] = []
        self.used_guides: list[Fact] = []
        self.largest: dict[tuple[int, str], tuple[float, str, float]] = {}  # ratio, dash and length

    def fit(self, filters: int) -> bool:
        return len(self.panels) + filters * len(self.curves.measures) <= MOST_PANELS

    def add(self, group: Group, fastest: Fastest, name_sequences: bool) -> None:
        _, place, _, sequences, number = group
        for key in sorted(fastest):
            ratio = self.curves.ratio(fastest, key)
            place_of_largest = (number, key[0])
            if ratio is not None and ratio > self.largest.get(place_of_largest, (0.0, "", 0.0))[0]:
                self.largest[place_of_largest] = (ratio, key[1], key[2])
        filter_name = self.curves.filters[number]
        title = f"{filter_title(filter_name)}, {place}" if len(self.curves.filters) > 1 else place
        for measure in self.curves.measures:
            panel = Panel(f"{title}: {sequences}" if name_sequences else title, guided=False, y=measure.y)
            measured = {record.variant for record in fastest.values() if record.is_tool}
            for key in sorted(fastest):
                self._add_mark(measure, key, fastest, panel)
            if panel.marks:
                kind = _panel_kind(fastest[min(fastest)])
                self._add_others(panel, filter_name, measure.name, kind, measured)
                self.panels.append(panel)

    def _add_mark(self, measure: Measure, key: Key, fastest: Fastest, panel: Panel) -> None:
        series, dash, length = key
        record = fastest[key]
        timed = by_own_clock(record) if record.is_tool else record
        value = measure.value(self.counters, timed) if timed else None
        if timed is None or value is None:
            return
        mark = Mark(length, value.value, value.low, value.high, series, record=record.index, tips=gcups_tips(timed))
        panel.marks.append(mark)
        if record.is_tool:
            own = f"{record.variant} (by its own clock)"
            mark.tips = [(name, own if name == "Variant" else text) for name, text in mark.tips]
            mark.tips.append(("Whole process", format_value(record.data["statistics"]["median_s"], Unit.seconds)))
            mark.terms = [("timed", "")]  # as a launch of ours
            self.programs.add(series)
            return
        mark.dash = dash
        if resources := record.data["resources"]:
            mark.tips.append(("Registers", str(resources["registers_per_thread"])))
            mark.tips.append(("Occupancy", format_value(resources["occupancy"], Unit.share)))
        if (ratio := self.curves.ratio(fastest, key)) is not None:
            mark.tips.append((f"Over {self.curves.base}", format_value(ratio, Unit.ratio)))
        self.used[record.index] = record

    def _add_others(self, panel: Panel, filter_name: str, measure: str, kind: str, measured: set[str]) -> None:
        """Hollow marks and dashed lines of the published values for such a panel."""

        def is_for(fact: Fact) -> bool:
            stated = (text_at(fact.at, "filter") or filter_name, text_at(fact.at, "on") or kind,
                      text_at(fact.at, "measure") or "gcups")  # fmt: skip
            return stated == (filter_name, kind, measure) and text_at(fact.at, "unless") not in measured

        own = [mark.y for mark in panel.marks if mark.y > 0]
        for fact in self.values:
            length = number_at(fact.at, "model_length")
            if length is None or not is_for(fact):
                continue
            tips: Tips = gcups_tips_of_fact(fact) if fact.unit == "GCUPS" else fact.tips(_unit(fact))
            series = text_at(fact.at, "series") or f"published ({fact.paper})"
            panel.marks.append(Mark(length, fact.value, fact.value, fact.value, series, published=True, tips=tips))
            own.append(fact.value)
            self.used_values += [fact] if fact not in self.used_values else []
        guides = sorted(filter(is_for, self.guides), key=lambda fact: fact.value)
        if not guides:
            return
        low, high = min([guides[0].value, *own]), max([guides[-1].value, *own])
        near = (high / low) ** _NEAR_SHARE if low > 0 else 1.0
        for fact in guides:
            label = f"{fact.label} {format_value(fact.value, _unit(fact))}"
            if panel.guides and fact.value < panel.guides[-1].at * near:
                label = f"{panel.guides[-1].label}, {label}"
                panel.guides[-1].label = ""
            panel.guides.append(Guide(False, fact.value, label))
            self.used_guides += [fact] if fact not in self.used_guides else []

    def chart(self, sequences: list[str], left_out: list[str]) -> LineChart:
        curves = self.curves
        chart = LineChart(
            Quantity("model length (match states)", Unit.number, log=True), curves.measures[0].y,
            series_title=curves.series_title, dash_title=curves.dash_title, panels=self.panels,
        )  # fmt: skip
        marks = [mark for panel in self.panels for mark in panel.marks]
        there = {mark.series for mark in marks}
        named = [name for name in curves.series if name in there]
        chart.series = named + sorted(there - set(named))
        chart.dashes = sorted({mark.dash for mark in marks} - {""})
        chart.x.ticks = sorted({mark.x for mark in marks})
        notes = [f"{sequences[0]}."] if len(sequences) == 1 else []
        notes += [self._ratio_note()] if self.largest else []
        notes.append("Each mark: the fastest configuration of its line at that length.")
        notes += [f"{program}: the filter alone in the same run, by the program's own clock."
                  for program in sorted(self.programs)]  # fmt: skip
        notes += [f"Not drawn, for lack of space: {'; '.join(left_out)}."] if left_out else []
        if self.used_values:
            notes.append(f"Hollow, in the colour of the line that they compare with: values of others, "
                         f"{credit(self.used_values)}.")  # fmt: skip
        if self.used_guides:
            notes.append(f"Dashed grey lines: published, {credit(self.used_guides)}.")
        chart.heading = heading(self.figure, self.report, [self.used[index] for index in sorted(self.used)], notes)
        return chart

    def _ratio_note(self) -> str:
        """ "Largest ratio to local memory: SSV 2.1 x (registers, lane_groups, 400 states)."."""
        words: list[str] = []
        for (number, series), (ratio, dash, length) in sorted(self.largest.items()):
            of_filter = f"{filter_title(self.curves.filters[number])} " if len(self.curves.filters) > 1 else ""
            words.append(f"{of_filter}{format_value(ratio, Unit.ratio)} ({series}, {dash}, {plain(length)} states)")
        return f"Largest ratio to {self.curves.base}: {'; '.join(words)}."


def _panel_kind(record: Record) -> str:
    """The panels that a published value is for: "gpu", "1 thread" or "threads"."""
    if record.on_gpu:
        return "gpu"
    return "1 thread" if record.point.get("threads") == 1 else "threads"


def _unit(fact: Fact) -> Unit:
    return Unit.share if fact.unit == "share" else Unit.number
