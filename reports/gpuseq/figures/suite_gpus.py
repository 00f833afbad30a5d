"""suite/gpus: the GPUs of a node side by side."""

from __future__ import annotations

from gpuseq.charts.values import MOST_PANELS, Quantity, RowChart, RowMark, RowPanel
from gpuseq.deviating import FALSE_ALARMS, LEAST_EFFECT, deviating, fewest_cases, ratios_to_others
from gpuseq.drawing import Figure, NotDrawn, heading, why_none_of_kernels
from gpuseq.figures.suite_comparisons import SameCase, median_marks, same_cases
from gpuseq.published import Published
from gpuseq.runs import Record, Report, dict_at, point_text, text_at
from gpuseq.text import natural_order


def _by_run_and_model(record: Record) -> str | None:
    """The key of a case that GPUs of one model have in one run."""
    if not record.on_gpu:
        return None
    model = text_at(dict_at(record.provenance, "device"), "name")
    return f"{record.run} {model} {record.variant}/{point_text(record.problem)}/{point_text(record.point)}"


def _rates(cases: list[SameCase]) -> list[dict[str, float]]:
    return [{gpu: record.rate for gpu, record in case.items()} for case in cases]


def draw_gpus(figure: Figure, report: Report, published: Published) -> RowChart:
    """A panel per family, a row per GPU."""
    found = same_cases(report, _by_run_and_model)
    if not found:
        raise NotDrawn(why_none_of_kernels(report, "a case that a second GPU of the model has in the same run"))
    chart = RowChart(Quantity("rate over the median of the other GPUs"), series_title="device")
    used: list[Record] = []
    for family, cases in list(found.items())[:MOST_PANELS]:
        rows: dict[str, list[tuple[float, Record, Record]]] = {}
        for case in cases:
            for gpu, ratio in ratios_to_others({gpu: record.rate for gpu, record in case.items()}).items():
                rows.setdefault(gpu, []).append((ratio, case[gpu], case[gpu]))
            used += case.values()
        panel = RowPanel(family, rows=natural_order(list(rows)))
        marks: list[RowMark] = []
        for gpu in panel.rows:
            marks += median_marks(gpu, gpu, sorted(rows[gpu], key=lambda ratio: ratio[0]))
        panel.marks = marks
        chart.panels.append(panel)
    chart.series = natural_order({record.device_name for record in used})
    notes = ["Thin ticks: every case that several GPUs of one model have in a run; large mark: their median, from quartile "
             "to quartile.", _verdict(found)]  # fmt: skip
    chart.heading = heading(figure, report, used, notes)
    return chart


def _verdict(found: dict[str, list[SameCase]]) -> str:
    rates = [case for cases in found.values() for case in _rates(cases)]
    gpus = len({gpu for case in rates for gpu in case})
    test = (f"exact sign test over {len(rates)} cases, deviations above {LEAST_EFFECT:.0%}, false alarms in at most "
            f"{FALSE_ALARMS:.0%} of such figures")  # fmt: skip
    if len(rates) < fewest_cases(gpus):
        return f"Too few cases to say whether a GPU deviates: {len(rates)}, needed are {fewest_cases(gpus)} ({test})."
    words = [
        f"{one.gpu} deviates: {abs(one.ratio - 1):.1%} {'slower' if one.ratio < 1 else 'faster'} than the median of the "
        f"others, {one.beyond} of {one.cases} cases beyond {LEAST_EFFECT:.0%}"
        for one in deviating(rates)
    ]
    return f"{'; '.join(words) or 'No GPU deviates'} ({test})."
