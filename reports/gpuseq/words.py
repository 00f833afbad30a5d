"""The words that figures, tables and the page use for a record."""

from __future__ import annotations

from dataclasses import dataclass

from gpuseq.charts.values import Tips
from gpuseq.runs import Record, number_at, point_text, text_at, word_at
from gpuseq.units import Unit, format_value, rate_text

DATA_SET_AXIS = "data_set"  # numbers data sets that were generated alike; only they may be pooled in one mark


@dataclass(frozen=True)
class Rate:
    """A value with its interval; of no width where there is none."""

    value: float
    low: float
    high: float


def rate_of(record: Record, factor: float = 1) -> Rate:
    statistics = record.data["statistics"]
    value = float(statistics["rate"])
    low, high = number_at(statistics, "rate_low"), number_at(statistics, "rate_high")
    return Rate(value * factor, (value if low is None else low) * factor, (value if high is None else high) * factor)


def axis_text(record: Record, axis: str) -> str:
    return word_at(record.point, axis)


def problem_name(record: Record) -> str:
    """ "random, 1 Gbases, 100-base queries": the words by which a reader distinguishes problems."""
    return text_at(record.data, "problem_label") or point_text(record.problem)


def point_words(record: Record) -> str:
    """The axes of a configuration that change the result: "prefix table of 12, slots"; may be empty."""
    words: list[str] = []
    if symbols := word_at(record.point, "prefix_symbols"):
        words.append("no prefix table" if symbols == "0" else f"prefix table of {symbols}")
    if result := word_at(record.point, "result"):
        words.append(result)
    return ", ".join(words)


def with_point_words(name: str, record: Record) -> str:
    words = point_words(record)
    return f"{name}, {words}" if words else name


def without(point: dict[str, int | str], axes: set[str]) -> str:
    """A point as text without some of its axes."""
    return point_text({axis: value for axis, value in point.items() if axis not in axes})


def errors_of(problem: dict[str, int | str]) -> str:
    """ "1 % errors" of simulated reads; empty where the problem does not have the axis."""
    errors = number_at(problem, "errors_per_1000")
    if errors is None:
        return ""
    return f"{errors / 10:g} % errors" if errors > 0 else "no errors"


def thread_words(threads: str) -> str:
    """The words of the axis `threads`; 0 means all."""
    if threads == "0":
        return "all threads"
    return "1 thread" if threads == "1" else f"{threads} threads"


def variant_name(record: Record) -> str:
    """The variant, or "bowtie (whole process, all threads)" for an external tool."""
    if not record.is_tool:
        return record.variant
    threads = axis_text(record, "threads")
    return f"{record.variant} (whole process{', ' + thread_words(threads) if threads else ''})"


def problem_order(record: Record) -> tuple[str, list[tuple[int, int, str]]]:
    """A sort key of problems: the family, then the values of the axes, numbers by size and before texts."""
    values = [(0, value, "") if isinstance(value, int) else (1, 0, value) for value in record.problem.values()]
    return record.family, values


def like_groups(records: list[Record]) -> list[list[Record]]:
    """Records that may be compared: of one problem, with the same point_words()."""
    groups: dict[str, list[Record]] = {}
    for record in records:
        groups.setdefault(f"{point_text(record.problem)}: {point_words(record)}", []).append(record)
    return [groups[key] for key in sorted(groups)]


def reference_bases(record: Record) -> float | None:
    """Length of the reference: a fact of the record, else an axis of the problem."""
    for values, key in (
        (record.facts, "reference_bases"),
        (record.facts, "bases"),
        (record.problem, "reference_bases"),
    ):
        bases = number_at(values, key)
        if bases is not None and bases > 0:
            return bases
    return None


def tips_of(record: Record, rate: Rate, unit: Unit) -> Tips:
    """The tooltip of a mark that shows `rate`."""
    statistics = record.data["statistics"]
    tips: Tips = [("Value", format_value(rate.value, unit))]
    if number_at(statistics, "confidence") is None:
        tips.append(("Interval", "none: " + text_at(statistics, "interval_reason")))
    elif 0 < rate.low < rate.high:
        confidence = f"{statistics['confidence'] * 100:.0f} %"
        tips.append(("Interval", f"{format_value(rate.low, unit)} to {format_value(rate.high, unit)} ({confidence})"))
    if record.has_few_samples:
        tips.append(("Samples", str(record.samples)))
    if record.disturbed:
        tips.append(("Disturbed", "no two passes agree"))
    tips += [("Device", record.device_name), ("Variant", variant_name(record)), ("Point", point_text(record.point)),
             ("Problem", point_text(record.problem))]  # fmt: skip
    if (bound := record.bound) is not None:
        is_rate = unit not in (Unit.seconds, Unit.ratio)
        limit = format_value(bound["rate"], unit) if is_rate else rate_text(bound["rate"], record.rate_unit)
        tips.append(("Bound", f"{format_value(bound['fraction'], Unit.share)} of {limit} ({bound['bound_by']})"))
        if "profile" in bound:
            tips.append(("Bound from", "the machine profile of " + text_at(bound["profile"], "made")))
    if record.synthetic:
        tips.append(("Text", "synthetic"))
    if record.data["notes"]:
        tips.append(("Notes", "; ".join(map(str, record.data["notes"]))))
    return tips
