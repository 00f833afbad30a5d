"""suite/gpus_efficiency: one problem on several GPUs, against one of them."""

from __future__ import annotations

from gpuseq.charts.values import MOST_PANELS, Guide, LineChart, Mark, Panel, Quantity, Tips
from gpuseq.drawing import Figure, NotDrawn, heading, keep_fastest, note_left_out, why_none_of_kernels
from gpuseq.published import Published
from gpuseq.runs import Record, Report, dict_at, number_at, point_text, text_at
from gpuseq.units import Unit, format_value
from gpuseq.words import problem_name, rate_of, tips_of

# A side sample, of a part that one GPU computes while the others wait: "alone on cuda:0".
_ALONE = "alone on "


def _gpus(record: Record) -> int:
    return int(number_at(record.facts, "gpus") or 1)


def _index_on(record: Record) -> str:
    """How several GPUs hold an index: "copies", "parts"; empty on one, and of other families."""
    return text_at(record.point, "index_on").split("_")[0] if _gpus(record) > 1 else ""


def _alone_s(record: Record) -> list[float]:
    """Median seconds of the part of each GPU."""
    samples: dict[str, list[float]] = dict_at(record.data, "side_samples_s")
    return [sorted(each)[len(each) // 2] for name, each in samples.items() if name.startswith(_ALONE) and each]


def _median_s(record: Record) -> float | None:
    return number_at(record.data["statistics"], "median_s")


def _limits(record: Record, one: Record, gpus: int) -> Tips:
    """The three losses: parts that take more than their share of one GPU's time, unequal parts, the rest of the time."""
    alone, seconds, one_s = _alone_s(record), _median_s(record), _median_s(one)
    if not alone or not seconds or not one_s:
        return []
    mean, slowest = sum(alone) / len(alone), max(alone)
    losses = {"to parts slower than their share": mean - one_s / gpus, "to unequal parts": slowest - mean,
              "to beginning and ending together": seconds - slowest}  # fmt: skip
    return [(f"Lost {name}", format_value(max(lost, 0) / seconds, Unit.share)) for name, lost in losses.items()]


def draw_efficiency(figure: Figure, report: Report, published: Published) -> LineChart:
    """A panel per problem, a line per variant: the fastest case of each number of GPUs."""
    found: dict[str, dict[str, dict[tuple[str, int], Record]]] = {}
    for family in report.kernel_families():
        for record in report.settled(family):
            if record.kind == "kernel" and not number_at(record.facts, "threads"):
                problem = found.setdefault(f"{family} {point_text(record.problem)} {record.run}", {})
                keep_fastest(problem.setdefault(record.variant, {}), (_index_on(record), _gpus(record)), record)
    panels: list[Panel] = []
    used: list[Record] = []
    for variants in found.values():
        marks: list[Mark] = []
        for variant, fastest in variants.items():
            one = fastest.get(("", 1))
            if one is None or len(fastest) == 1:
                continue
            used += fastest.values()
            for index_on in sorted({how for how, gpus in fastest if gpus > 1}):
                series = f"{variant}, {index_on}" if index_on else variant
                marks += [_mark(fastest[how, gpus], one, gpus, series)
                          for how, gpus in sorted(fastest) if gpus == 1 or how == index_on]  # fmt: skip
        if marks:
            example = report.records[marks[0].record or 0]
            panels.append(Panel(f"{example.family}: {problem_name(example)}", marks=marks))
    if not panels:
        raise NotDrawn(why_none_of_kernels(report, "one problem on one GPU and on several"))
    ticks = sorted({mark.x for panel in panels for mark in panel.marks})
    chart = LineChart(Quantity("GPUs", ticks=ticks), Quantity("rate over that of as many single GPUs", Unit.share),
                      series_title="variant", guides=[Guide(vertical=False, at=1, label="each as fast as alone")])  # fmt: skip
    chart.panels = panels[:MOST_PANELS]
    chart.series = sorted({mark.series for panel in chart.panels for mark in panel.marks})
    notes = ["The fastest case of each number of GPUs. Parts slower than their share: a GPU alone needs more than that share "
             "of the time of one GPU with all work. Unequal parts: the slowest GPU over the mean, each measured alone. "
             "The rest is beginning and ending together."]  # fmt: skip
    note_left_out(len(chart.panels), len(panels), "problems", notes)
    chart.heading = heading(figure, report, used, notes)
    return chart


def _mark(record: Record, one: Record, gpus: int, series: str) -> Mark:
    rate = rate_of(record, 1 / (gpus * one.rate))
    return Mark(gpus, rate.value, rate.low, rate.high, series, label=f"{record.rate / one.rate:.2f} x" if gpus > 1 else "",
                record=record.index, tips=[*_limits(record, one, gpus), *tips_of(record, rate, Unit.share)])  # fmt: skip
