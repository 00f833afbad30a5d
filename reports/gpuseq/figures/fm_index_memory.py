"""Memory of the FM-index: bits per base by layout, and the rate over the memory footprint of a case."""

from __future__ import annotations

import math
import re

from gpuseq.charts.values import MOST_PANELS, Guide, LineChart, Mark, Panel, Quantity, Tips
from gpuseq.drawing import Figure, NotDrawn, heading, note_left_out, why_none
from gpuseq.figures.common.lines import grouped, query_rates
from gpuseq.figures.fm_index_words import HEADING, by_problem, layout_kind, layout_of, problem_title
from gpuseq.published import Fact, Published, credit
from gpuseq.runs import Json, Record, Report, dict_at, number_at, point_text
from gpuseq.text import natural_order, plural
from gpuseq.units import Unit, format_value, with_decimal_prefix
from gpuseq.words import problem_name, rate_of, reference_bases, tips_of

GB_PER_BIT = 0.375  # of an index of 3 Gbases


# Bits per base by layout


def bits_per_base(record: Record) -> float:
    return number_at(record.facts, "bits_per_base") or 0


def layouts_of_one_problem(report: Report) -> list[Record]:
    """The records of the problem and device with the most layouts, with all their prefix tables."""
    records = [record for record in report.records
               if record.family == "fm_index" and layout_of(record).d > 0 and bits_per_base(record) > 0]  # fmt: skip
    places = grouped(records, lambda record: (record.device_name, point_text(record.problem)))
    return max(places.values(), default=list[Record](),
               key=lambda of: (len({layout_of(record) for record in of}), reference_bases(of[0]) or 0))  # fmt: skip


def footprint_mark(place: Record | Fact, kind: str, bits: float, tips: Tips) -> Mark:
    layout = layout_of(place)
    return Mark(layout.d, bits, bits, bits, f"{kind}k={layout.k}", "alternate" if layout.alternate else "full",
                tips=tips, terms=[("prefix table", "not counted")])  # fmt: skip


def record_mark(record: Record) -> Mark:
    bits = bits_per_base(record)
    mark = footprint_mark(record, layout_kind(record), bits,
                          [("Value", format_value(bits, Unit.bits_per_base)),
                           ("Index of 3 Gbases", f"{bits * GB_PER_BIT:.3g} GB"),
                           ("Point", point_text(record.point))])  # fmt: skip
    mark.record = record.index
    return mark


def published_mark(fact: Fact) -> Mark:
    mark = footprint_mark(fact, "", fact.value, fact.tips(Unit.bits_per_base))
    mark.published = True
    return mark


def draw_fig2(figure: Figure, report: Report, published: Published) -> LineChart:
    facts = published.find(figure.name, "value")
    found = layouts_of_one_problem(report)
    if not found:
        raise NotDrawn(why_none(report, "fm_index", "the fact bits_per_base"))
    marks: dict[tuple[bool, str, str, float], Mark] = {}  # a layout that several records have is drawn once
    for mark in [*map(record_mark, found), *map(published_mark, facts)]:
        marks.setdefault((mark.published, mark.series, mark.dash, mark.x), mark)
    used = [report.records[mark.record] for mark in marks.values() if mark.record is not None]
    notes = [f"{problem_name(used[0])}, without the prefix tables."]
    if facts:
        notes.append(f"Large hollow marks: published, {credit(facts)}.")
    return LineChart(
        Quantity("sampling distance d (bases per block)", log=True, ticks=sorted({mark.x for mark in marks.values()})),
        Quantity("bits per base (index of 3 Gbases)", Unit.bits_per_base, log=True,
                 labels=f"format(datum.value, '.3~g') + ' (' + format(datum.value * {GB_PER_BIT}, '.3~g') + ' GB)'"),
        heading(figure, report, used, notes), "bases per step", natural_order({mark.series for mark in marks.values()}),
        "counters", ["full", *{mark.dash for mark in marks.values() if mark.dash != "full"}],
        panels=[Panel(marks=list(marks.values()))],
    )  # fmt: skip


FIG2 = Figure("fm-index/fig2", "Footprint of the index by layout", HEADING,
              "Bits per base of each layout; in brackets the size of an index of 3 Gbases.", draw_fig2,
              of_samples=False)  # fmt: skip


# Rate over the memory footprint of a case


def footprint_bytes(record: Record) -> float:
    """Bytes of index, prefix table, queries and output; 0 where they are unknown."""
    if record.data["memory"]:
        return number_at(record.data["memory"], "bytes") or 0
    # Older records state the index with its prefix table. Queries of one length are packed into 16-byte words of 64
    # bases and have two numbers each; an interval is two numbers.
    index, count, bases, length = (
        number_at(record.facts, key) or 0
        for key in ("index_bytes", "queries_searched", "query_bases", "longest_query_bases")
    )
    if index == 0 or count == 0 or count * length != bases:
        return 0
    interval = 16 if record.facts.get("wide") is True else 8
    return index + count * (math.ceil(length / 64) * 16 + 8 + interval)


def pareto_front(records: list[Record]) -> list[Record]:
    """The records that are faster than every record with the same footprint or a smaller one (the Pareto front).
    Takes records with the smallest footprint first."""
    front: list[Record] = []
    for record in records:
        if not front or record.rate > front[-1].rate:
            front.append(record)
    return front


def memory_mark(record: Record, on_front: bool) -> Mark:
    rate = rate_of(record)
    tips = tips_of(record, rate, Unit.bases_per_s)
    tips.append(("Memory", bytes_words(footprint_bytes(record))))
    parts = dict_at(record.data["memory"], "parts")
    tips += [(f"Memory of {part}", bytes_words(parts[part])) for part in sorted(parts)]
    mark = Mark(footprint_bytes(record), rate.value, series=record.variant, minor=not on_front, record=record.index,
                tips=tips, terms=[("prefix table", "among the bytes")])  # fmt: skip
    if on_front:
        mark.low, mark.high, mark.synthetic = rate.low, rate.high, record.synthetic
        mark.bound = number_at(record.bound, "rate") or 0
    return mark


def bytes_words(value: float) -> str:
    return with_decimal_prefix(value, "B")


def bytes_of(limit: Json) -> float | None:
    """A number of bytes or a text as "1.5 GiB"; None for anything else."""
    if isinstance(limit, str):
        match = re.fullmatch(r"(\d+(?:\.\d*)?) ?(?:([kKMGT])(i?))?B?", limit)
        if match is None:
            return None
        prefix, binary = match[2] or "", bool(match[3])
        return float(match[1]) * (1024 if binary else 1000) ** " KMGT".index(prefix.upper() or " ")
    return number_at({"limit": limit}, "limit")


def memory_panel(report: Report, records: list[Record]) -> Panel:
    front = pareto_front(records)
    names = {record.index for record in front}
    limits = {bytes_of(dict_at(dict_at(report.runs[record.run].summary, "config"), "limits").get("max_bytes"))
              for record in records}  # fmt: skip
    return Panel(problem_title(records[0]), [memory_mark(record, record.index in names) for record in records],
                 guides=[Guide(True, limit, f"limit {bytes_words(limit)}")
                         for limit in sorted(limit for limit in limits if limit)],
                 steps=[(footprint_bytes(record), record.rate) for record in front])  # fmt: skip


def draw_memory(figure: Figure, report: Report, _published: Published) -> LineChart:
    """Rate over the bytes of index, prefix table, queries, output and workspace."""
    settled = report.settled("fm_index")
    panels = list(grouped([record for record in settled if footprint_bytes(record)], by_problem).values())
    if not panels:
        raise NotDrawn(why_none(report, "fm_index", "a memory footprint"))
    shown = [
        sorted(panel, key=lambda record: (footprint_bytes(record), -record.rate)) for panel in panels[:MOST_PANELS]
    ]
    used = [record for panel in shown for record in panel]
    notes = ["Memory: index, prefix table, queries, output and workspace in the memory of the searching device. Large "
             "marks and the line: no case with as little memory is faster (Pareto). Ticks: their bounds."]  # fmt: skip
    if unknown := sum(not footprint_bytes(record) for record in settled):
        notes.append(
            f"{plural(unknown, 'record')} without a memory footprint {'is' if unknown == 1 else 'are'} left out."
        )
    note_left_out(len(shown), len(panels), "panels, the largest references", notes)
    return LineChart(Quantity("memory footprint (bytes)", Unit.number_si, log=True), query_rates(),
                     heading(figure, report, used, notes), "variant", sorted({record.variant for record in used}),
                     panels=[memory_panel(report, panel) for panel in shown], connected=False)  # fmt: skip


MEMORY = Figure("fm-index/memory", "Rate over the memory footprint", HEADING,
                "How fast a search can be within a number of bytes, and with which layout.", draw_memory)  # fmt: skip
