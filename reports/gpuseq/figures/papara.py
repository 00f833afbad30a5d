"""Figures of PaPaRa (Alachiotis, Berger and Stamatakis 2012). Rates are GCUPS: 1e9 cells of the band per second."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from gpuseq.charts.values import (
    MOST_PANELS,
    LineChart,
    Mark,
    Panel,
    Quantity,
    RowChart,
    RowMark,
    RowPanel,
    Tips,
    sort_rows,
)
from gpuseq.drawing import Figure, NotDrawn, heading, keep_fastest, why_none
from gpuseq.figures.common.ablation import Ablation, AblationFigure, rates, steps
from gpuseq.figures.common.cell_rates import GCUPS_TITLE, GIGA, gcups_tips, gcups_tips_of_fact, place_of
from gpuseq.figures.common.published_schemes import as_published
from gpuseq.figures.papara_hybrid import draw_table3
from gpuseq.figures.papara_records import (
    FAMILY,
    HEADING,
    WIDTHS,
    Shape,
    arithmetic_of,
    column_of,
    is_hybrid,
    shape_of,
    shape_of_fact,
    width_of,
)
from gpuseq.published import Fact, Published, credit, papers_of
from gpuseq.runs import Record, Report, point_text, text_at
from gpuseq.units import Unit, format_value, plain
from gpuseq.words import problem_name, rate_of

COUNTED = (
    "Ours and the paper's GPU count the cells of the band, m (n - m + 1) per alignment. Its Seq and SSE(4) count all m n "
    "(as its seconds times its GCUPS show): 25 % more at 500 sites, 2 % at 5000. Speed-ups, in tooltips and in the table, "
    "are of the time for the same alignments."
)
RATE = Quantity(GCUPS_TITLE, Unit.number, log=True)

Place = tuple[bool, str, str, bool]
"""GPUs first; device with threads, the sizes that its records share, whether of protein."""
Fastest = dict[tuple[str, str, float], Record]
"""By variant, width of scores and size."""


@dataclass(frozen=True)
class RatesOver:
    """Rates over one size of the problem, next to those of the paper."""

    size: Callable[[Shape], float]
    x: Quantity
    rest: Callable[[Shape], str]  # the sizes that the records of a panel share
    need: str

    def draw(self, figure: Figure, report: Report, published: Published) -> LineChart:
        facts, seconds = published.find(figure.name, "value"), published.find(figure.name, "listed")
        theirs = f"published ({papers_of(facts)})"
        chart = LineChart(replace(self.x), RATE, series_title="variant", dash_title="scores")
        panels = self._panels(report)
        rests = sorted({rest for _, _, rest, _ in panels})
        used: list[Record] = []
        for place in sorted(panels)[:MOST_PANELS]:
            _, name, rest, of_protein = place
            records = [panels[place][key] for key in sorted(panels[place])]
            panel = Panel(name if len(rests) == 1 else f"{name}: {rest}")
            panel.marks = [self._mark(record, seconds) for record in records]
            if not of_protein:
                panel.marks += self._published(facts, seconds, column_of(records[0]), theirs)
            used += records
            chart.panels.append(panel)
        if not used:
            raise NotDrawn(why_none(report, FAMILY, self.need))
        marks = [mark for panel in chart.panels for mark in panel.marks]
        chart.x.ticks = sorted({mark.x for mark in marks})
        chart.series = sorted({mark.series for mark in marks if not mark.published})
        chart.dashes = [width for width in WIDTHS if any(mark.dash == width for mark in marks)]
        notes = [f"{rests[0]}."] if len(rests) == 1 else []
        notes.append("The fastest configuration of each variant in each width of scores. Counted: the band.")
        if facts and not all(of_protein for _, _, _, of_protein in panels):
            chart.series.append(theirs)
            notes.append(f"Grey: published, {credit(facts)}; Seq next to one thread, SSE(4) next to more, GPU next to "
                         "GPUs. Seq and SSE(4) count all m n cells, GPU the band.")  # fmt: skip
        chart.heading = heading(figure, report, used, notes)
        return chart

    def _panels(self, report: Report) -> dict[Place, Fastest]:
        panels: dict[Place, Fastest] = {}
        for record in report.settled(FAMILY):
            shape = shape_of(record)
            if shape is None or is_hybrid(record):
                continue
            place = (not record.on_gpu, place_of(record), self.rest(shape), shape.of_protein)
            key = (_series(record), width_of(record), self.size(shape))
            keep_fastest(panels.setdefault(place, {}), key, record)
        return {place: fastest for place, fastest in panels.items() if len({size for _, _, size in fastest}) > 1}

    def _speed_ups(self, seconds: list[Fact], cells_per_s: float, size: float) -> Tips:
        """The speed-up over the paper's programs at that size, by their published seconds; all m n cells count."""
        shapes = [(fact, shape_of_fact(fact)) for fact in seconds if fact.unit == "s"]
        return [
            (f"Over {text_at(fact.at, 'column')} (published)",
             format_value(cells_per_s / (shape.all_cells / fact.value), Unit.ratio))
            for fact, shape in shapes if shape and self.size(shape) == size
        ]  # fmt: skip

    def _mark(self, record: Record, seconds: list[Fact]) -> Mark:
        rate, shape = rate_of(record, 1 / GIGA), shape_of(record)
        assert shape
        mark = Mark(self.size(shape), rate.value, rate.low, rate.high, _series(record), width_of(record),
                    record=record.index, tips=gcups_tips(record))  # fmt: skip
        if shape.bases > 0 and not shape.of_protein:
            mark.tips += self._speed_ups(seconds, shape.all_cells / record.data["statistics"]["median_s"], mark.x)
        return mark

    def _published(self, facts: list[Fact], seconds: list[Fact], column: str, series: str) -> Iterator[Mark]:
        for fact in facts:
            shape = shape_of_fact(fact)
            if shape is None or text_at(fact.at, "column") != column:
                continue
            mark = Mark(self.size(shape), fact.value, fact.value, fact.value, series, published=True,
                        tips=gcups_tips_of_fact(fact))  # fmt: skip
            for own in seconds:
                if own.at == fact.at:
                    mark.tips += self._speed_ups(seconds, shape.all_cells / own.value, mark.x)
            yield mark


def _series(record: Record) -> str:
    return as_published(record.variant, record, "PaPaRa, ")


def _table2_rest(shape: Shape) -> str:
    queries = f", queries{shape.query_text}" if shape.query_text else ""
    return f"{plain(shape.references)} references of {plain(shape.sites)} sites{queries}"


TABLE1 = RatesOver(
    lambda shape: shape.sites, Quantity("reference length (sites)", Unit.number_si, log=True),
    lambda shape: f"{plain(shape.queries)} queries{shape.query_text} x {plain(shape.references)} references",
    "two or more reference lengths with as many queries and references",
)  # fmt: skip
TABLE2 = RatesOver(
    lambda shape: shape.queries, Quantity("queries", Unit.number_si, log=True), _table2_rest,
    "two or more numbers of queries for the same references",
)  # fmt: skip


def _arithmetic_mark(row: str, record: Record) -> RowMark:
    rate, bound = rate_of(record, 1 / GIGA), record.bound
    label = format_value(rate.value, Unit.number)
    detail = [text_at(record.facts, "highway_target")]
    if bound:
        label += f" ({format_value(bound['fraction'], Unit.share)})"
        detail.append(bound["bound_by"])
    return RowMark(row, rate.value, rate.low, rate.high, record.variant, label, ", ".join(filter(None, detail)),
                   record=record.index, tips=gcups_tips(record))  # fmt: skip


def _draw_arithmetic(figure: Figure, report: Report, published: Published) -> RowChart:
    """Rate by variant and arithmetic, on the problem of each device with the most rows, then with the most cells."""
    by_place: dict[str, dict[str, dict[str, Record]]] = {}
    for record in report.settled(FAMILY):
        if not is_hybrid(record):
            rows = by_place.setdefault(place_of(record), {}).setdefault(point_text(record.problem), {})
            keep_fastest(rows, f"{record.variant}, {arithmetic_of(record)}", record)
    if not by_place:
        raise NotDrawn(why_none(report, FAMILY, "a rate"))
    best = {
        place: max((problems[key] for key in sorted(problems)), key=lambda rows: (len(rows), rows[min(rows)].work))
        for place, problems in sorted(by_place.items())
    }
    problems = sorted({problem_name(rows[min(rows)]) for rows in best.values()})
    chart = RowChart(RATE, series_title="variant")
    used: list[Record] = []
    for place, rows in list(best.items())[:MOST_PANELS]:
        title = place if len(problems) == 1 else f"{place}: {problem_name(rows[min(rows)])}"
        panel = RowPanel(title, marks=[_arithmetic_mark(row, rows[row]) for row in sorted(rows)])
        sort_rows(panel)
        chart.panels.append(panel)
        used += [rows[row] for row in sorted(rows)]
    chart.series = sorted({record.variant for record in used})
    notes = [f"{problems[0]}."] if len(problems) == 1 else []
    notes.append("The fastest configuration of each variant in each arithmetic, on the problem of the device with the "
                 "most of them. In brackets: share of the bound, where the run has one.")  # fmt: skip
    chart.heading = heading(figure, report, used, notes)
    return chart


LADDER = AblationFigure(
    FAMILY,
    [Ablation(
        {"variant": "blocked_shared", "elements": "compressed", "ends": "square", "recurrence": "printed",
         "references_per_launch": "320", "arithmetic": "s32", "threads_per_block": "320", "unroll": "12"},
        steps(("ends = blocks", {"ends": "blocks"}),
              ("recurrence = potentials", {"recurrence": "potentials"}),
              ("references of a launch as they fit", {"references_per_launch": "0"}),
              ("arithmetic = s16x2", {"arithmetic": "s16x2"}),
              ("threads_per_block = 64", {"threads_per_block": "64"}),
              ("unroll = 24", {"unroll": "24"}),
              ("blocked_registers, unroll = 30", {"variant": "blocked_registers", "unroll": "30"})))],
    rates(GCUPS_TITLE),
    factor=1 / GIGA,
    tips=gcups_tips,
    notes=["The published kernel is blocked_shared with recurrence = printed, ends = square, arithmetic = s32, unroll = 12, "
           "320 threads per block and 320 references per launch. The last row keeps rows of blocks in registers instead "
           "of shared memory."],
)  # fmt: skip

FIGURES = [
    Figure("papara/table1", "Rate over reference length", HEADING,
           f"Whether a variant keeps its rate as references outgrow the caches. {COUNTED}", TABLE1.draw),
    Figure("papara/table2", "Rate over the number of queries", HEADING,
           f"How many queries a variant needs to reach its rate. {COUNTED}", TABLE2.draw),
    Figure("papara/table3", "CPU and GPU together", HEADING,
           "The gain of sharing the work between CPU and GPU over either, the share of each, and the time that they "
           "waited for each other.", draw_table3),
    Figure("papara/arithmetic", "Rate by variant and arithmetic", HEADING,
           "The effect of narrower scores, and the share that each variant reaches of the rate that the instructions "
           "allow.", _draw_arithmetic),
    Figure("papara/ladder", "From the published kernel to ours", HEADING,
           "The effect of each difference between the paper's kernel and the fastest kernel of the same blocks on this "
           "GPU.", LADDER.draw),
]  # fmt: skip
