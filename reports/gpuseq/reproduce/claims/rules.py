"""The rules that every row of the reproduction obeys. Each is a function from a row to its complaints."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from gpuseq.reproduce.claims.committed import Case, NoRecord, cases_of, fastest, found, rate_of
from gpuseq.reproduce.claims.differences import differences
from gpuseq.reproduce.claims.published import SCHEMES, PublishedValue
from gpuseq.reproduce.claims.rows import Claim, Count, Range, Row, Untested, Value
from gpuseq.reproduce.claims.terms import (
    BOUND,
    COUNTER,
    FACT,
    INSTRUCTIONS,
    RESOURCE,
    timing_of,
    value_of,
)

_VERDICTS = re.compile(r"\b(holds?|turned round|gone)\b", re.IGNORECASE)
_AXIS_VALUES = re.compile(r"\b[a-z_]+=\S+|\{\d+\}|\bL[12]\b")
_CAUSES = (COUNTER, RESOURCE, FACT)
_UNTIMED = ("counter", "share", "resource", "fact", INSTRUCTIONS, BOUND)
_TIMINGS = {"single launch": "single launch", "one launch": "single launch", "whole process": "whole process",
            "total time": "whole process"}  # fmt: skip


def has_records(row: Row) -> Iterator[str]:
    """Every number has a record, and every published value a fact."""
    for term in row.terms():
        try:
            term.value()
        except NoRecord as reason:
            yield str(reason)
    published = published_of(row)
    try:
        if published:
            published.value()
    except LookupError as reason:
        yield str(reason)


def published_of(row: Row) -> PublishedValue | None:
    """The fact of a row that has one."""
    published = row.published if isinstance(row, Claim | Value) else None
    return None if isinstance(published, str) else published


def published_axes(row: Row) -> Iterator[str]:
    """A row called published has the published axis values."""
    schemes = {term.scheme for term in row.terms() if term.scheme}
    if not schemes and not isinstance(row, Untested) and any("as published" in text for text in row.texts()):
        yield "is called as published, and no side names the published scheme"
    for term in row.terms():
        if term.scheme:
            case = term.case()
            for lack in SCHEMES[term.scheme].lacks(case.variant, case.point):
                yield f"{term.scheme}: {lack}"


def like_with_like(row: Row) -> Iterator[str]:
    """The two sides of a ratio are alike in all that the row does not state."""
    if not isinstance(row, Claim | Value):
        return
    tests = row.tests if isinstance(row, Claim) else (row.ours,)
    every: set[str] = set()
    for test in tests:
        if test.under:
            every |= differences(test.over, test.under)
    for name in sorted(every - set(row.differ)):
        yield f"the sides differ in {name}, which the row does not state"
    for name in sorted(set(row.differ) - every):
        yield f"the row states that the sides differ in {name}, and they do not"


def local_memory(row: Row) -> Iterator[str]:
    """A row about local memory has records that use it."""
    if isinstance(row, Untested) or not any("local memory" in text for text in row.texts()):
        return
    for term in row.terms():
        if term.case().point.get("row") == "local" and not term.case().data["resources"]["local_bytes"]:
            yield f"{term.case().data['state']} has no local bytes"
    if not any(term.case().data["resources"]["local_bytes"] for term in row.terms()):
        yield "no record of a row about local memory has local bytes"


def computed_verdict(row: Row) -> Iterator[str]:
    """A verdict follows from tests of named sizes, and its statement covers each size that was measured."""
    for text in row.texts():
        if not isinstance(row, Untested) and _VERDICTS.search(text):
            yield f"'{text}' types a verdict"
    if not isinstance(row, Claim):
        return
    sizes = [test.size for test in row.tests]
    if not sizes or not all(sizes) or len(set(sizes)) < len(sizes):
        yield f"its tests have the sizes {sizes}; wanted: one test or more, each of a size of its own"
    for covered in row.ranges:
        tested = {term.case().problem.get(covered.axis) for term in row.terms()}
        for value in sorted(measured_sizes(covered) - tested):
            yield f"{covered.axis}={value:.6g} was measured, is within the statement, and has no test"


def measured_sizes(covered: Range) -> set[float]:
    """The sizes within a range that all selections of it have."""
    measured: list[set[float]] = []
    for select in covered.selects:
        cases = [case for case in cases_of(select.run) if select.matches(case) and covered.covers(case)]
        measured.append({case.problem[covered.axis] for case in cases})
    return measured[0].intersection(*measured[1:]) if measured else set()


def counts_have_failures(row: Row) -> Iterator[str]:
    """A share of records is one of all records, failed ones too."""
    if isinstance(row, Count) and row.select.statuses:
        yield f"counts only records of the status {', '.join(row.select.statuses)}; failed ones have to count"


def reasons_name_evidence(row: Row) -> Iterator[str]:
    """A reason names a counter, a resource or a fact, and a record has it. It types no number."""
    if not isinstance(row, Claim) or row.reason is None:
        return
    if not any(
        term.quantity.startswith(_CAUSES) or term.quantity in (INSTRUCTIONS, BOUND) for term in row.reason.terms
    ):
        yield "its reason names no counter, resource, fact or bound"
    if re.search(r"\d", _AXIS_VALUES.sub("", row.reason.text)):
        yield f"its reason types a number: '{row.reason.text}'"
    for term in row.reason.terms:
        try:
            term.value()
        except NoRecord as reason:
            yield f"the record of its reason is missing: {reason}"


def others_stand_apart(row: Row) -> Iterator[str]:
    """A value that was measured on our machines is no published value."""
    published = published_of(row)
    if published and published.measured_here():
        yield f"'{published.label}' was measured for this suite, and is in the column of the paper"
    for fact in row.others if isinstance(row, Value) else ():
        if not fact.measured_here():
            yield f"'{fact.label}' is the paper's, and is in the column of other programs' results here"


def figures_are_named_right(row: Row) -> Iterator[str]:
    """A row of a published value names the figure or table that prints it."""
    published = published_of(row)
    figure = published.fact().get("figure", "") if published else ""
    printed = re.search(r"/(fig|table)(\d+)$", figure)
    named = re.findall(r"\b(figure|table)s? (\d+)", row.states)
    if printed and named:
        wanted = ("figure" if printed[1] == "fig" else "table", printed[2])
        if wanted not in named:
            yield f"names {', '.join(' '.join(name) for name in named)}; its value is printed in {' '.join(wanted)}"


def doubtful_units_stay_ratios(row: Row) -> Iterator[str]:
    """A time whose published unit is in doubt is not compared with ours."""
    if isinstance(row, Value) and row.unit == "s" and "ratios hold" in row.published.fact().get("stated", ""):
        yield "compares a time whose published unit is in doubt"


def timing_is_as_named(row: Row) -> Iterator[str]:
    """A row called a single launch or a whole process was timed as such."""
    tests = row.tests if isinstance(row, Claim) else (row.ours,) if isinstance(row, Value) else ()
    for test in tests:
        for words, timing in _TIMINGS.items():
            if not re.search(rf"\b{words}", f"{row.states} {test.size}"):
                continue
            for term in test.terms():
                found_as = timing_of(term.case(), term.quantity)
                if term.quantity.partition(":")[0] not in _UNTIMED and found_as != timing:
                    yield f"says {words}, and {term.case().data['state']} is a {found_as}"


def opponent_is_the_fastest(row: Row) -> Iterator[str]:
    """A GPU over a CPU: the CPU's side is a published program or the fastest that the run has of the problem."""
    if not isinstance(row, Claim):
        return
    for test in row.tests:
        if test.under is None or test.over.case().on_gpu == test.under.case().on_gpu:
            continue
        cpu = test.under if test.over.case().on_gpu else test.over
        chosen = cpu.case()
        if cpu.scheme or chosen.variant == "hybrid":
            continue
        rivals = [case for case in cases_of(chosen.run) if _is_rival(case, chosen)]
        best = max(rivals, key=rate_of, default=chosen)
        if rate_of(best) > rate_of(chosen):
            yield f"{best.variant} is {rate_of(best) / rate_of(chosen):.2f} x as fast as {chosen.variant} on that CPU"


def _is_rival(case: Case, chosen: Case) -> bool:
    return (
        case.data["kind"] == "kernel"
        and case.data["family"] == chosen.data["family"]
        and not case.on_gpu
        and case.variant != "hybrid"
        and case.data["status"] == "ok"
        and case.data["phase"] == chosen.data["phase"]
        and case.problem == chosen.problem
    )


def untested_is_unmeasured(row: Row) -> Iterator[str]:
    """A statement listed as not tested has a reason, and no committed record could test it."""
    if not isinstance(row, Untested):
        return
    if not row.reason.strip():
        yield "gives no reason"
    for term in row.wanted:
        try:
            case = fastest(term.select)
            value_of(case, term.quantity)
        except NoRecord:
            continue
        yield f"is listed as not tested, and {case.run} has {case.data['state']}"
    if row.between:
        covered, size = row.between
        sizes = measured_sizes(covered)
        if any(value <= size for value in sizes) and any(value >= size for value in sizes):
            yield f"is listed as not tested, and {covered.axis} was measured on both sides of {size:.6g}"


RULES: tuple[Callable[[Row], Iterator[str]], ...] = (
    has_records,
    published_axes,
    like_with_like,
    local_memory,
    computed_verdict,
    counts_have_failures,
    reasons_name_evidence,
    others_stand_apart,
    figures_are_named_right,
    doubtful_units_stay_ratios,
    timing_is_as_named,
    opponent_is_the_fastest,
    untested_is_unmeasured,
)


def complaints(row: Row) -> list[str]:
    """The complaints about a row, one line each: "rule: complaint"."""
    missing = [f"has_records: {text}" for text in has_records(row)]
    if missing:  # the other rules read the records
        return missing
    return [f"{rule.__name__}: {text}" for rule in RULES for text in rule(row)]


def counted(row: Count) -> tuple[int, int]:
    """How many passed, of how many."""
    cases = [case for case in found(row.select) if row.among(case)]
    return sum(row.passed(case) for case in cases), len(cases)
