"""The formats of a comparison; each a pure function: table, Markdown, JUnit XML, annotations and JSON."""

from __future__ import annotations

import json
import math
import shutil
import textwrap
from xml.sax.saxutils import quoteattr

from gpuseq.runs import Json
from gpuseq.text import plural, printable, without_commands
from gpuseq.units import Unit, format_value
from gpuseq.verdicts.certificate import CAUGHT
from gpuseq.verdicts.compare import CaseComparison, Certificate, Comparison, Verdict
from gpuseq.verdicts.names import ShortNames
from gpuseq.verdicts.words import change, percent, units

SCHEMA_VERSION = 1
_MOST_ROWS = 60  # of one table of Markdown: a comment holds 65 536 characters
_MOST_CHARACTERS = 240  # of one cell


def names_of(comparison: Comparison) -> ShortNames:
    """The names of the cases in everything but JSON."""
    return ShortNames(((case.record, case.label) for case in comparison.cases), comparison.defaults)


def totals(comparison: Comparison) -> str:
    """ "5 regressed, 1 missing, 110 same, 3 skipped on both sides"."""
    parts = [f"{count} {verdict.value}" for verdict in Verdict if (count := comparison.count(verdict))]
    for count, what in ((comparison.skipped_on_both, "skipped on both sides"),
                        (comparison.refined_on_one_side, "refined on one side only")):  # fmt: skip
        if count:
            parts.append(f"{count} {what}")
    return ", ".join(parts) or "no case"


def headline(comparison: Comparison) -> str:
    """The verdict on the whole, one sentence."""
    all_cases = plural(len(comparison.cases), "case")
    worst = next((case.numbers for case in comparison.cases if case.verdict is Verdict.regressed), None)
    bad: list[str] = []
    if worst:
        bad.append(f"{plural(comparison.count(Verdict.regressed), 'case')} slower, the worst by {change(worst.ratio)}")
    if failed := comparison.count(Verdict.failed):
        bad.append(f"{plural(failed, 'case')} failed")
    if missing := comparison.count(Verdict.missing):
        bad.append(f"{plural(missing, 'case')} missing{' (allowed)' if comparison.options.allow_missing else ''}")
    if comparison.exit_code() == 1:
        return f"Fail: {'; '.join(bad)}; compared {all_cases}."
    if undecided := comparison.count(Verdict.inconclusive):
        return f"Inconclusive: {undecided} of {all_cases}; none is known to be slower."
    if faster := comparison.count(Verdict.improved):
        bad.insert(0, f"{plural(faster, 'case')} faster")
    return (
        "; ".join([f"Pass: none of {all_cases} is slower by more than {percent(comparison.options.min_effect)}", *bad])
        + "."
    )


def caveat(comparison: Comparison) -> str:
    """Remarks for a reader on the origin of the numbers; empty: none."""
    numbers = [case.numbers for case in comparison.cases if case.numbers]
    if any(of_case.base.unit != "process" for of_case in numbers):
        return ("Each side has one process, so differences between processes and hours are not in these numbers. `gate` "
                "measures several processes of each side in turn; use it for small changes.")  # fmt: skip
    left_out = [
        max(side.disturbed if side.left_out else 0 for side in (of_case.base, of_case.new)) for of_case in numbers
    ]
    if not any(left_out):
        return ""
    most = max(left_out)
    return (f"Other programs on the host disturbed some processes, which were left out: in "
            f"{plural(sum(map(bool, left_out)), 'case')}, at most {most} {units('process', most)} per side.")  # fmt: skip


def certificate_text(comparison: Comparison) -> str:
    """The reliability of verdicts on this machine, or why it is unknown; empty where it was not asked for."""
    certificate = comparison.certificate
    if not certificate:
        return ""
    elsewhere = ""
    if comparison.elsewhere:
        others, guests = map(percent, comparison.elsewhere)
        elsewhere = (f" Meanwhile other processes took {others} of the CPU time, and other virtual machines of the host "
                     f"{guests}.")  # fmt: skip
    if isinstance(certificate, str):
        return f"The reliability of verdicts on this machine is unknown: {certificate}.{elsewhere}"
    smallest = certificate.smallest_caught
    caught = "None of the tried slowdowns" if smallest is None else f"A slowdown of {percent(smallest)}"
    return (f"Power analysis: {certificate.false_alarms} of {certificate.draws} comparisons of the base with itself gave a "
            f"false alarm, so at most {percent(certificate.false_alarm_bound)} do. {caught} is found in "
            f"{100 * CAUGHT:.0f} of 100 comparisons.{elsewhere}")  # fmt: skip


def _si(value: float) -> str:
    return format_value(value, Unit.number_si)


def _rates(case: CaseComparison) -> str:
    if not case.rates:
        return ""
    base, new, unit = case.rates
    return f"{_si(base)} to {_si(new)} {unit}"


def summary(case: CaseComparison) -> str:
    """ "+5.0 % (+4.1 % to +5.8 %, noise floor 1 %), 12.1 M to 11.5 M query bases/s", or the reason."""
    if not (numbers := case.numbers):
        return case.reason
    text = (f"{change(numbers.ratio)} ({change(numbers.low)} to {change(numbers.high)}, noise floor "
            f"{percent(numbers.noise_floor)})")  # fmt: skip
    return text + (f", {_rates(case)}" if case.rates else "") + (f"; {case.reason}" if case.reason else "")


_LEGEND = ("time: the new side against the base; interval: of this change; noise: the base against itself; q: false "
           "discovery rate, which --fdr limits")  # fmt: skip
_INK = {Verdict.regressed: "31", Verdict.failed: "31", Verdict.missing: "31", Verdict.inconclusive: "33",
        Verdict.improved: "32"}  # fmt: skip


def to_table(comparison: Comparison, all_cases: bool = False, colour: bool = False, width: int = 0) -> str:
    """For a terminal: worst first, then totals. Cases that are the same are left out unless `all_cases`. Lines break
    between words at `width` columns; default those of the terminal, else 120."""
    width = width or shutil.get_terminal_size((120, 24)).columns
    lines = [f"{comparison.base} -> {comparison.new}", ""]

    def add(text: str, indent: str = "") -> None:
        lines.extend(textwrap.wrap(text, max(width, 40), initial_indent=indent, subsequent_indent=indent or "  ",
                                   break_long_words=False, break_on_hyphens=False))  # fmt: skip

    if comparison.differences:
        lines.append("the sides differ in:")
        for difference in comparison.differences:
            add(f"{difference.field}: {difference.base} -> {difference.new}", "  ")
        lines.append("")
    shown = [case for case in comparison.cases if all_cases or case.verdict is not Verdict.same]
    if shown:
        lines.append(f"{'verdict':<12}  {'time':>8}  {'interval':<20}  {'noise':>7}  {'q':>8}")
    names = names_of(comparison)
    for case in shown:
        word = f"{case.verdict.value:<12}"
        if colour and case.verdict in _INK:
            word = f"\x1b[{_INK[case.verdict]}m{case.verdict.value}\x1b[0m{word[len(case.verdict.value) :]}"
        if numbers := case.numbers:
            word += (f"  {change(numbers.ratio):>8}  {change(numbers.low) + ' to ' + change(numbers.high):<20}  "
                     f"{percent(numbers.noise_floor):>7}  {numbers.q:>8.2g}")  # fmt: skip
        lines.append(word.rstrip())
        for text in (names.of(case.record), case.reason):
            add(text, "    ")
    if any(case.numbers for case in shown):
        lines.append("")
        add(_LEGEND)
    if shown:
        lines.append("")
    for note in (caveat(comparison), certificate_text(comparison), totals(comparison), headline(comparison)):
        add(note)
    return "\n".join(lines) + "\n"


def _plain(text: str) -> str:
    """One line that Markdown and the HTML in it leave as it is, also within a table; @ and # would name people and
    issues."""
    escaped = "".join(f"&#{ord(letter)};" if letter in "<>&@#|\\`*_[]~$" else letter
                      for letter in printable(text[:_MOST_CHARACTERS]))  # fmt: skip
    return escaped + ("..." if len(text) > _MOST_CHARACTERS else "")


def _code(text: str) -> str:
    """A name as code, which Markdown leaves alone but for the bars of a table."""
    return "`" + printable(text).replace("`", " ").replace("|", "\\|") + "`"


def _cut(rows: list[str]) -> str:
    more = f"\n... and {len(rows) - _MOST_ROWS} more.\n" if len(rows) > _MOST_ROWS else ""
    return "".join(rows[:_MOST_ROWS]) + more


def _table(cases: list[CaseComparison], names: ShortNames) -> str:
    rows: list[str] = []
    for case in cases:
        columns = [
            case.verdict.value,
            _code(names.of(case.record)),
            "",
            "",
            "",
            _plain(_rates(case)),
            _plain(case.reason),
        ]
        if numbers := case.numbers:
            columns[2:5] = [change(numbers.ratio), f"{change(numbers.low)} to {change(numbers.high)}",
                            percent(numbers.noise_floor)]  # fmt: skip
        rows.append(f"| {' | '.join(columns)} |\n")
    head = "| verdict | case | time | interval | noise floor | rate | remark |\n|---|---|--:|---|--:|---|---|\n"
    return head + _cut(rows)


def _folded(title: str, text: str) -> str:
    return f"\n<details><summary>{title}</summary>\n\n{text}\n</details>\n"


def to_markdown(comparison: Comparison) -> str:
    """For a pull request on GitHub: the verdict first, cases that are the same folded away, then differences between
    the sides. Long lists are cut, with a line that says so."""
    names = names_of(comparison)
    same = [case for case in comparison.cases if case.verdict is Verdict.same]
    shown = [case for case in comparison.cases if case.verdict is not Verdict.same]
    text = (f"**{headline(comparison)}**\n\n{_code(comparison.new)} against {_code(comparison.base)}: "
            f"{totals(comparison)}.\n")  # fmt: skip
    for note in filter(None, (caveat(comparison), certificate_text(comparison))):
        text += f"\n{note}\n"
    if shown:
        text += "\n" + _table(shown, names)
    if same:
        text += _folded(
            "1 case is the same" if len(same) == 1 else f"{len(same)} cases are the same", _table(same, names)
        )
    if comparison.differences:
        rows = [
            f"| {_code(each.field)} | {_plain(each.base)} | {_plain(each.new)} |\n" for each in comparison.differences
        ]
        text += _folded("Differences between the sides", "| field | base | new |\n|---|---|---|\n" + _cut(rows))
    return "".join(without_commands(line) for line in text.splitlines(keepends=True))


def _is_bad(case: CaseComparison, comparison: Comparison) -> bool:
    missing = case.verdict is Verdict.missing and not comparison.options.allow_missing
    return missing or case.verdict in (Verdict.regressed, Verdict.failed)


def _attribute(text: str) -> str:
    """XML 1.0 cannot hold control characters, nor U+FFFE and U+FFFF."""
    lines = (printable(line).replace("\ufffe", "\\ufffe").replace("\uffff", "\\uffff") for line in text.split("\n"))
    return quoteattr("\n".join(lines), {"\n": "&#10;", '"': "&quot;"})


def _content(text: str) -> str:
    return _attribute(text)[1:-1]


def to_junit(comparison: Comparison) -> str:
    """JUnit XML: a test case for each benchmark case. Regressed, missing and failed are failures, inconclusive is
    skipped."""
    failures = sum(_is_bad(case, comparison) for case in comparison.cases)
    undecided = (Verdict.inconclusive, Verdict.missing)
    skipped = sum(case.verdict in undecided and not _is_bad(case, comparison) for case in comparison.cases)
    counts = f'tests="{len(comparison.cases)}" failures="{failures}" errors="0" skipped="{skipped}"'
    lines = ['<?xml version="1.0" encoding="UTF-8"?>', f"<testsuites {counts}>",
             f"  <testsuite name={_attribute(f'{comparison.new} against {comparison.base}')} {counts}>"]  # fmt: skip
    properties = [(f"differs: {each.field}", f"{each.base} -> {each.new}") for each in comparison.differences]
    if text := certificate_text(comparison):
        properties.append(("certificate", text))
    if properties:
        lines.append("    <properties>")
        lines += [f"      <property name={_attribute(name)} value={_attribute(value)}/>" for name, value in properties]
        lines.append("    </properties>")
    names = names_of(comparison)
    for case in comparison.cases:
        said, key = summary(case), _content(f"state: {case.name}")
        if _is_bad(case, comparison):
            outcome = f'<failure type="{case.verdict.value}" message={_attribute(said)}/><system-out>{key}</system-out>'
        elif case.verdict in undecided:
            message = _attribute(f"{case.verdict.value}: {said}")
            outcome = f"<skipped message={message}/><system-out>{key}</system-out>"
        else:
            outcome = f"<system-out>{_content(f'{case.verdict.value}: {said}')}&#10;{key}</system-out>"
        of_class = _attribute(f"{case.record.family}.{case.record.variant}")
        lines.append(
            f"    <testcase classname={of_class} name={_attribute(names.of(case.record))}>{outcome}</testcase>"
        )
    return "\n".join([*lines, "  </testsuite>", "</testsuites>", ""])


def to_annotations(comparison: Comparison) -> str:
    """Workflow commands of GitHub Actions: ::error for regressed, missing and failed, ::warning for inconclusive."""
    names = names_of(comparison)
    lines = ""
    for case in comparison.cases:
        if not (bad := _is_bad(case, comparison)) and case.verdict not in (Verdict.inconclusive, Verdict.missing):
            continue
        title = f"{case.verdict.value}: {case.record.family}/{case.record.variant}"
        message = _escaped(f"{names.of(case.record)}: {summary(case)}")
        lines += f"::{'error' if bad else 'warning'} title={_escaped(title, ':,')}::{message}\n"
    return lines


def _escaped(text: str, more: str = "") -> str:
    """As actions/toolkit does in command.ts: the runner takes these back."""
    return "".join(f"%{ord(letter):02X}" if letter in "%\r\n" + more else letter for letter in printable(text))


def _number(value: float) -> float | None:
    return value if math.isfinite(value) else None


def _case_json(case: CaseComparison) -> dict[str, Json]:
    record, numbers, rates = case.record, case.numbers, case.rates
    sides: dict[str, Json] = {}
    for place, name in enumerate(("base", "new")):
        of_side = (numbers.base, numbers.new)[place] if numbers else None
        sides[name] = {
            "median_s": (numbers.base_median, numbers.new_median)[place] if numbers else None,
            "rate": rates[place] if rates else None,
            "values": of_side.count if of_side else 0,
            "left_out": of_side.disturbed if of_side and of_side.left_out else 0,
        }
    judged = {"ratio": None, "low": None, "high": None, "p": None, "q": None, "noise_floor": None, "threshold": None}
    if numbers:
        judged = {"ratio": numbers.ratio, "low": numbers.low, "high": numbers.high, "p": numbers.p, "q": numbers.q,
                  "noise_floor": _number(numbers.noise_floor), "threshold": _number(numbers.threshold)}  # fmt: skip
    return {
        "state": case.name, "family": record.family, "variant": record.variant, "problem": record.problem,
        "point": record.point, "device": record.device, "verdict": case.verdict.value, "reason": case.reason, **judged,
        **sides, "values_are": numbers.base.unit if numbers else None, "rate_unit": rates[2] if rates else None,
    }  # fmt: skip


def to_json(comparison: Comparison) -> str:
    """Everything, as documented in docs/reference/comparison.md; null where there is no number."""
    options, certificate = comparison.options, comparison.certificate
    counts = {verdict.value: comparison.count(verdict) for verdict in Verdict}
    document: dict[str, Json] = {
        "schema_version": SCHEMA_VERSION,
        "exit_code": comparison.exit_code(),
        "headline": headline(comparison),
        "base": comparison.base,
        "new": comparison.new,
        "options": {
            "min_effect": options.min_effect, "confidence": options.confidence,
            "false_discovery_rate": options.false_discovery_rate, "allow_device": options.allowed.device,
            "allow_driver": options.allowed.driver, "allow_problem": options.allowed.problem,
            "allow_missing": options.allow_missing, "deleted": options.deleted,
        },
        "counts": counts | {"skipped_on_both": comparison.skipped_on_both,
                            "refined_on_one_side": comparison.refined_on_one_side},
        "certificate": vars(certificate) if isinstance(certificate, Certificate) else None,
        "states": [_case_json(case) for case in comparison.cases],
        "differences": [{"field": each.field, "base": each.base, "new": each.new} for each in comparison.differences],
    }  # fmt: skip
    if comparison.elsewhere:
        others, guests = comparison.elsewhere
        document["elsewhere"] = {"steal_share": guests, "others_share": others}
    if not isinstance(certificate, Certificate):
        document["certificate_reason"] = certificate or "not asked for"
    return json.dumps(document, indent=1, ensure_ascii=False) + "\n"
