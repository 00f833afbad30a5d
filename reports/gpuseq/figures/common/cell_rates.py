"""Rates of dynamic programming in GCUPS: 1e9 cell updates per second."""

from __future__ import annotations

from gpuseq.charts.values import Tips
from gpuseq.published import Fact
from gpuseq.runs import Record, number_at
from gpuseq.text import plural
from gpuseq.units import Unit, format_value
from gpuseq.words import rate_of, tips_of

GIGA = 1e9
GCUPS_TITLE = "GCUPS (1e9 cells per second)"


def place_of(record: Record) -> str:
    """The device, and the number of threads on a CPU."""
    threads = number_at(record.point, "threads")
    if record.on_gpu or threads is None:
        return record.device_name
    return f"{record.device_name}, {'all threads' if threads == 0 else plural(int(threads), 'thread')}"


def gcups_text(gcups: float) -> str:
    return format_value(gcups, Unit.number) + " GCUPS"


def gcups_tips(record: Record) -> Tips:
    in_gcups = dict(tips_of(record, rate_of(record, 1 / GIGA), Unit.number))
    tips = tips_of(record, rate_of(record), Unit.number_si)
    tips = [(name, f"{in_gcups[name]} GCUPS" if name in ("Value", "Interval") else text) for name, text in tips]
    return [*tips, ("Time", format_value(record.data["statistics"]["median_s"], Unit.seconds))]


def gcups_tips_of_fact(fact: Fact) -> Tips:
    return [("Value", gcups_text(fact.value)), *fact.tips(Unit.number)[1:]]
