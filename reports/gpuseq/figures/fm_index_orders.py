"""Whether it pays to sort queries before the search."""

from __future__ import annotations

from dataclasses import replace

from gpuseq.charts.values import Mark
from gpuseq.drawing import Figure
from gpuseq.figures.common.lines import Lines, query_rates
from gpuseq.figures.fm_index_words import HEADING, REFERENCE_SIZE, queries_title
from gpuseq.runs import Record, dict_at, list_at, number_at, word_at
from gpuseq.units import Unit, format_value
from gpuseq.words import Rate, rate_of, reference_bases, tips_of, with_point_words

SEARCH, SORT_AND_SEARCH = "search", "sort and search"


def sort_s(record: Record) -> float:
    """Seconds in which the host sorted the queries; 0 where it did not."""
    return next(iter(list_at(dict_at(record.data, "side_samples_s"), "sort")), 0)


def device_order(record: Record) -> str:
    """The order in which each launch sorts the queries; empty where it does not."""
    order = word_at(record.point, "device_order")
    return "" if order == "as_given" else order


def order_of(record: Record) -> str:
    """ "sorted", "as_given, sorted on the device"; empty where the order is unknown, and for queries that were sorted
    twice."""
    order, again = word_at(record.problem, "query_order"), device_order(record)
    if not order or not again:
        return order
    return f"{order}, {again} on the device" if order == "as_given" else ""


def variant_title(record: Record) -> str:
    """Panels have one k: an order may make another k the fastest, which is not a gain of the order."""
    k = number_at(record.point, "k") or 0
    return with_point_words(f"{queries_title(record)}, {record.variant} of k={k:.0f}", record)


def with_sorting(record: Record, value: float) -> float:
    """The rate of a user who has to sort first."""
    return record.work / (record.work / value + sort_s(record)) if value > 0 else value


def timed_marks(record: Record, mark: Mark) -> list[Mark]:
    """The search alone, and with the sorting."""
    rate = rate_of(record)
    whole = Rate(*(with_sorting(record, value) for value in (rate.value, rate.low, rate.high)))
    with_sort = replace(mark, y=whole.value, low=whole.low, high=whole.high, dash=SORT_AND_SEARCH,
                        tips=tips_of(record, whole, Unit.bases_per_s), terms=[("timed", SORT_AND_SEARCH)])  # fmt: skip
    marks = [] if device_order(record) else [replace(mark, dash=SEARCH, terms=[("timed", SEARCH)])]
    if device_order(record) or sort_s(record) > 0:
        marks.append(with_sort)
    if sort_s(record) > 0:
        for each in marks:
            each.tips.append(("Sorting", format_value(sort_s(record), Unit.seconds)))
    return marks


def device_note(used: list[Record]) -> list[str]:
    sorts = any(device_order(record) for record in used)
    return ["Queries that are sorted on the device are sorted in each launch, before the search."] if sorts else []


ORDERS = Figure("fm-index/orders", "Order of queries", HEADING,
                "For which references sorting the queries makes their search faster, and for which that pays for the "
                "sorting.",
                Lines("fm_index", where=lambda record: order_of(record) != "", x=reference_bases, series=order_of,
                      panel=variant_title, title=variant_title, least_series=2, x_axis=REFERENCE_SIZE,
                      y_axis=query_rates(log=True), series_title="order of queries", marks=timed_marks,
                      dash_title="timed", dashes=(SEARCH, SORT_AND_SEARCH), more_notes=device_note,
                      notes=("The fastest configuration of a variant and k with each order. The host sorts with all "
                             "its threads.",),
                      need="a counterpart of another query_order").draw)  # fmt: skip
