"""Figures of all-pairs distance (Payne, Sinnott-Armstrong and Moore 2010)."""

from __future__ import annotations

from gpuseq.charts.values import MOST_PANELS, MOST_SERIES, LineChart, Mark, Panel, Quantity
from gpuseq.drawing import Figure, NotDrawn, heading, note_left_out, why_none
from gpuseq.figures.common.pools import Candidates, Pool, note_data_sets
from gpuseq.figures.common.variant_rows import VariantRows, bound_percent
from gpuseq.figures.pairwise_distance_steps import draw_steps, seconds_of_batches
from gpuseq.published import Fact, Published
from gpuseq.runs import Record, Report, number_at, word_at
from gpuseq.units import Unit, plain, rate_text
from gpuseq.words import DATA_SET_AXIS, Rate, rate_of, without

FAMILY = "pairwise_distance"
HEADING = "All-pairs distance"


def _stated_of(fact: Fact, record: Record) -> bool:
    instances, attributes = (number_at(record.facts, key) for key in ("instance_count", "attribute_count"))
    return (
        None not in (instances, attributes)
        and number_at(fact.at, "instances") == instances
        and number_at(fact.at, "attributes") == attributes
    )


def _pairs(record: Record) -> Rate:
    """Pairs of the full matrix per second: comparisons over the attributes of each pair."""
    return rate_of(record, 1 / (number_at(record.facts, "attribute_count") or 1))


def _title(record: Record) -> str:
    """ "random, 512 attributes": the properties that the sizes of a panel share."""
    problem = record.problem
    title = f"{plain(number_at(record.facts, 'attribute_count') or 0)} attributes"
    if (data := word_at(problem, "instances")) not in ("random", ""):
        title = f"{data}, {title}"
    if (metric := word_at(problem, "metric")) not in ("hamming", ""):
        title += f", {metric}"
    if (alphabet := number_at(problem, "alphabet")) not in (3, None):
        title += f", {plain(alphabet)} symbols"
    if missing := number_at(problem, "missing"):
        title += f", {plain(missing)} of 1000 values missing"
    return title


_OF_THE_PAPER = {"appendix", "naive", "coalesced", "char4", "register", "shared"}
Curves = dict[tuple[str, str, float], Candidates]
"""By variant, device and number of instances."""


def _curves(report: Report) -> list[Curves]:
    """By all of the problem but its instances; a problem of one size is not a curve."""
    panels: dict[str, Curves] = {}
    drawn = _drawn_variants(report)
    for record in report.settled(FAMILY, having=lambda record: record.variant in drawn):
        instances = number_at(record.facts, "instance_count")
        if instances is None or number_at(record.facts, "attribute_count") is None:
            continue
        curves = panels.setdefault(without(record.problem, {"instance_count", DATA_SET_AXIS}), {})
        curves.setdefault((record.variant, record.device_name, instances), Candidates()).add(record)
    return [panels[key] for key in sorted(panels) if len({instances for _, _, instances in panels[key]}) > 1]


def _drawn_variants(report: Report) -> set[str]:
    """The paper's programs, and the fastest others."""
    highest: dict[str, float] = {}
    for record in report.settled(FAMILY):
        highest[record.variant] = max(highest.get(record.variant, 0), record.rate)
    others = sorted(highest.keys() - _OF_THE_PAPER, key=lambda variant: -highest[variant])
    return {*_OF_THE_PAPER, *others[: MOST_SERIES - len(_OF_THE_PAPER)]}


def _draw_sizes(figure: Figure, report: Report, published: Published) -> LineChart:
    panels = _curves(report)
    if not panels:
        raise NotDrawn(why_none(report, FAMILY, "a second number of instances"))
    chart = LineChart(
        Quantity("instances", Unit.number, log=True), Quantity("pairs per second", Unit.number_si, log=True),
        series_title="variant", dash_title="device",
    )  # fmt: skip
    pools: list[Pool] = []
    for curves in panels[:MOST_PANELS]:
        of_panel: list[Pool] = []
        panel = Panel()
        for place in sorted(curves):
            pool = Pool(curves[place].fastest(), _pairs)
            variant, device, instances = place
            panel.marks.append(Mark(instances, pool.rate.value, pool.rate.low, pool.rate.high, variant, device,
                                    record=pool.typical.index, tips=pool.tips(Unit.number_si)))  # fmt: skip
            of_panel.append(pool)
        panel.title = _title(of_panel[0].typical)
        pools += of_panel
        chart.panels.append(panel)
    best: dict[str, float] = {}
    for pool in pools:
        best[pool.typical.variant] = max(best.get(pool.typical.variant, 0), pool.rate.value)
    chart.series = sorted(sorted(best), key=lambda variant: -best[variant])
    gpus_first = {(not pool.typical.on_gpu, pool.typical.device_name) for pool in pools}
    chart.dashes = [device for _, device in sorted(gpus_first)]
    notes = [
        "The paper's programs and the fastest others, by their fastest configuration at each size. Pairs: instances squared, "
        "however many are computed."
    ]
    note_data_sets(pools, notes)
    note_left_out(len(chart.panels), len(panels), "problems, the first", notes)
    chart.heading = heading(figure, report, [record for pool in pools for record in pool.records], notes)
    return chart


TIMES = VariantRows(
    FAMILY, Quantity("time of all pairs", Unit.seconds, log=True), value=seconds_of_batches, stated_of=_stated_of, tools=True,
    stated_only=True,
    detail=lambda record: rate_text(record.rate, record.rate_unit),
)  # fmt: skip
RATES = VariantRows(
    FAMILY, Quantity("attribute comparisons per second", Unit.number_si, log=True), label_unit="/s",
    detail=bound_percent, stated_of=_stated_of, tools=True,
)  # fmt: skip

FIGURES = [
    Figure("pairwise-distance/fig4", "Time of all pairs by variant", HEADING,
           "The effect of each step of the paper's optimisations, and of ours. The paper's factor of 1700 is over a loop "
           "that is not vectorised: the fastest variant on a CPU is next to it.", TIMES.draw),
    Figure("pairwise-distance/ladder", "The paper's steps", HEADING,
           "The gain of each step of the paper on this GPU, for batches of launches and for single launches.",
           draw_steps),
    Figure("pairwise-distance/rates", "Attribute comparisons by variant", HEADING,
           "Instances squared times attributes over the time, however many of the pairs were computed: the rate of each "
           "variant at each size, and its share of the bound.", RATES.draw),
    Figure("pairwise-distance/sizes", "Pairs per second by instances", HEADING,
           "The number of instances from which each step of the paper pays, where a variant fills its device, and the "
           "paper's loop on a CPU at each size.", _draw_sizes),
]  # fmt: skip
