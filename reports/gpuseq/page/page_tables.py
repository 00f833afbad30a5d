"""Tables of the page that are closed at first: failures, and published values."""

from __future__ import annotations

from gpuseq.page.html import Cell, Row, Table, number_cell
from gpuseq.page.winners import point_words
from gpuseq.published import Published
from gpuseq.runs import Record, Report, point_text, text_at
from gpuseq.units import Unit, format_value

_MOST_CASES, _MOST_REASONS = 20, 500


def failures(report: Report) -> tuple[Table, int]:
    """Benchmark cases without a rate, by reason, and the number of reasons, of which the table has the first."""
    reasons: dict[tuple[str, ...], list[Record]] = {}
    for record in report.records:
        if not record.ok:
            failure = record.data.get("failure")
            reason = (record.data["status"], text_at(failure, "kind"), text_at(failure, "reason") or "none given",
                      record.family, record.variant, record.device_name)  # fmt: skip
            reasons.setdefault(reason, []).append(record)
    table = Table("Benchmark cases without a rate, and why",
                  ["Status", "Kind", "Reason", "Family", "Variant", "Device", "Cases"], sortable=True)  # fmt: skip
    for reason in sorted(reasons)[:_MOST_REASONS]:
        status, *texts = reason
        cases = [f"{point_text(record.problem)}; {point_text(record.point)}" for record in reasons[reason]]
        count = number_cell(str(len(cases)), len(cases))
        count.more_title, count.more = "which", cases[:_MOST_CASES]
        if len(cases) > _MOST_CASES:
            count.more.append("and more, see the table of records")
        table.rows.append(Row([Cell(status, style=status, link=f"#filter=status:{status}"), *map(Cell, texts), count]))
    return table, len(reasons)


def published_table(published: Published) -> Table:
    table = Table("Published values that figures draw or quote",
                  ["Figure", "Device", "Quantity", "Value", "Unit", "Source", "As stated"], sortable=True)  # fmt: skip
    for fact in published.facts:
        table.rows.append(Row([
            Cell(fact.figure), Cell(fact.device), Cell(fact.label, note=point_words(fact.at)),
            number_cell(format_value(fact.value, Unit.number_si).rstrip(), fact.value), Cell(fact.unit), Cell(fact.source),
            Cell(f"from a ratio: {fact.stated}" if fact.derived else fact.stated),
        ]))  # fmt: skip
    return table
