"""Whether the panels of a chart compare like with like, read off the records that their marks stand for."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from gpuseq.charts.values import Chart, Guide, HeatMap, LineChart, Terms
from gpuseq.runs import Record, Report, word_at
from gpuseq.words import DATA_SET_AXIS


@dataclass
class Seen:
    """A mark: its record, its place, and the words that a reader sees of it."""

    record: Record
    x: float | None
    words: str
    terms: dict[str, str]


def _seen(report: Report, record: int, x: float | None, words: list[str], terms: Terms) -> Seen:
    of_mark = dict(terms)
    if report.records[record].is_tool:
        of_mark.setdefault("timed", "whole process")
    return Seen(report.records[record], x, "\n".join(words), of_mark)


def _panels(chart: Chart, report: Report) -> list[tuple[str, list[Seen], list[Guide]]]:
    panels: list[tuple[str, list[Seen], list[Guide]]] = []
    for panel in chart.panels:
        seen: list[Seen] = []
        guides: list[Guide] = []
        if isinstance(chart, HeatMap):
            for cell in panel.cells:  # type: ignore[union-attr]
                seen.append(_seen(report, cell.record, cell.x, [cell.row], []))
        elif isinstance(chart, LineChart):
            guides = panel.guides + (chart.guides if panel.guided else [])  # type: ignore[union-attr]
            for mark in panel.marks:  # type: ignore[union-attr]
                if mark.record is not None:
                    seen.append(_seen(report, mark.record, mark.x, [mark.series, mark.dash, mark.label], mark.terms))
        else:
            for mark in panel.marks:  # type: ignore[union-attr]
                if mark.record is not None:
                    seen.append(_seen(report, mark.record, None, [mark.row, mark.series, mark.label], mark.terms))
        panels.append((panel.title, seen, guides))
    return panels


def _unsaid(marks: list[Seen], terms_of: Callable[[Seen], dict[str, str]], count_missing: bool) -> dict[str, list[str]]:
    """Terms in which marks differ although not every mark shows its own, with the words of each mark."""
    of_marks = [terms_of(mark) for mark in marks]
    unsaid: dict[str, list[str]] = {}
    for name in sorted({name for terms in of_marks for name in terms}):
        words = [terms.get(name, "") for terms in of_marks]
        different = set(words) if count_missing else set(words) - {""}
        if len(different) > 1 and not all(text in mark.words for text, mark in zip(words, marks, strict=True)):
            unsaid[name] = words
    return unsaid


def _problem_terms(mark: Seen) -> dict[str, str]:
    pooled = DATA_SET_AXIS in mark.terms
    return {axis: str(value) for axis, value in mark.record.problem.items() if not (pooled and axis == DATA_SET_AXIS)}


def _point_terms(mark: Seen) -> dict[str, str]:
    symbols, result = word_at(mark.record.point, "prefix_symbols"), word_at(mark.record.point, "result")
    terms = {"device": mark.record.device_name, "family": mark.record.family}
    if symbols:
        terms["prefix table"] = "no prefix table" if symbols == "0" else f"prefix table of {symbols}"
    if result:
        terms["result"] = result
    return {name: text for name, text in terms.items() if name not in mark.terms}


def _one_to_one(marks: list[Seen], unsaid: dict[str, list[str]]) -> bool:
    """Whether x stands for all terms: each place has one combination of them, and each combination one place."""
    if any(mark.x is None for mark in marks):
        return False
    pairs = {(mark.x, tuple(words[i] for words in unsaid.values())) for i, mark in enumerate(marks)}
    return len(pairs) == len({x for x, _ in pairs}) == len({words for _, words in pairs})


def mixtures(chart: Chart, report: Report) -> list[str]:
    """A sentence for each panel and each term in which its records differ although neither x nor the row, series, dash or
    label of every mark shows it, and for each guide that crosses marks of other terms."""
    found: list[str] = []
    for title, marks, guides in _panels(chart, report):
        problems = _unsaid(marks, _problem_terms, count_missing=False)
        if problems and _one_to_one(marks, problems):
            problems = {}
        unsaid = [problems, _unsaid(marks, _point_terms, count_missing=False),
                  _unsaid(marks, lambda mark: mark.terms, count_missing=True)]  # fmt: skip
        found += [f"panel '{title}' mixes {name}: {', '.join(sorted(set(words)))}"
                  for terms in unsaid for name, words in terms.items()]  # fmt: skip
        for guide in guides:
            for name, text in guide.terms:
                if any(mark.terms.get(name) != text for mark in marks):
                    found.append(f"panel '{title}' has '{guide.label}' ({name} {text}) across marks that are not")
    return found
