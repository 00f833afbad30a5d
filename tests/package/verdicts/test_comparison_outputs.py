"""The outputs of comparisons, whatever their names hold."""

from __future__ import annotations

import json
import math
import random
from xml.etree import ElementTree

import pytest
import sides
from gpuseq.charts.values import RowChart
from gpuseq.verdicts.compare import CaseComparison, Certificate, Comparison, Numbers, Options, Verdict
from gpuseq.verdicts.differences import Difference
from gpuseq.verdicts.distributions import draw_distributions
from gpuseq.verdicts.outputs import (
    certificate_text,
    headline,
    names_of,
    to_annotations,
    to_json,
    to_junit,
    to_markdown,
    to_table,
)
from gpuseq.verdicts.sides import Defaults, Values

# Text that would break a format that does not escape it.
HOSTILE = "]]> </testcase> & \"quoted\" 'x' %0A::error::\n|`*_<b>@me #1 \x01\x7f \ufffe \uffff é \ud800 \u202e"
WITHOUT_NUMBERS = (Verdict.failed, Verdict.missing, Verdict.new)


def empty() -> Comparison:
    return Comparison("runs/base", "runs/new", Options(), Defaults(), [], [])


def every_verdict() -> Comparison:
    comparison = empty()
    for verdict in Verdict:
        if verdict is Verdict.deleted:
            continue
        case = CaseComparison(sides.record(verdict.value, [], problem={}, point={"k": 2}), "", verdict)
        if verdict in WITHOUT_NUMBERS:
            case.reason = f"why {verdict.value}"
        else:
            ratio = 1.12 if verdict is Verdict.regressed else 1.0
            values = (Values([0.01 * factor] * 8, "process") for factor in (1, ratio))
            case.numbers = Numbers(
                ratio, ratio * 0.99, ratio * 1.01, 0.001, 0.03, *values, 0.01, 0.01 * ratio, 0.001, 0.03
            )
            case.rates = (1e8, 1e8 / ratio, "query bases/s")
        comparison.cases.append(case)
    comparison.differences = [Difference("program/commit", "aaaa", "bbbb", False)]
    comparison.skipped_on_both = 2
    return comparison


def hostile() -> Comparison:
    comparison = every_verdict()
    comparison.base = comparison.new = HOSTILE
    for case in comparison.cases:
        case.record.variant = case.reason = HOSTILE
        case.record.state += HOSTILE
    comparison.differences = [Difference(HOSTILE, HOSTILE, HOSTILE, False)]
    return comparison


def parsed(text: str) -> tuple[str | None, ...]:
    """Counts that a JUnit document states, and those of its elements."""
    suite = ElementTree.fromstring(text.encode()).find("testsuite")
    assert suite is not None
    elements = (len(suite.findall(path)) for path in ("testcase", "testcase/failure", "testcase/skipped"))
    return *(suite.get(name) for name in ("tests", "failures", "skipped")), *map(str, elements)


def test_table_shows_the_worst_first_and_totals_last() -> None:
    table = to_table(every_verdict())
    assert table.index("\nfailed") < table.index("\nregressed")
    for part in ("program/commit: aaaa -> bbbb", "+12 %", "why missing", "1 failed, 1 missing, 1 regressed, 1 inconclusive, "
                 "1 new, 1 same, 1 improved, 2 skipped on both sides"):  # fmt: skip
        assert part in " ".join(table.split())
    assert table.endswith("compared 7 cases.\n")
    assert "q: false discovery rate" in " ".join(table.split())
    assert "fm_index/same" not in table
    assert "fm_index/same" in to_table(every_verdict(), all_cases=True)
    assert "\x1b[31mregressed\x1b[0m" in to_table(every_verdict(), colour=True)


@pytest.mark.parametrize("width", [80, 120])
def test_table_breaks_between_words(width: int) -> None:
    comparison = every_verdict()
    comparison.cases[0].reason = "a reason of many words " * 20
    lines = to_table(comparison, width=width).splitlines()
    assert max(map(len, lines)) <= width
    words = {word for line in lines for word in line.split()}
    assert {"reason", "words", "many"} <= words
    assert not words & {"reaso", "word", "man"}


def test_markdown_puts_the_verdict_first_and_folds_what_is_the_same() -> None:
    markdown = to_markdown(every_verdict())
    assert markdown.startswith("**Fail: 1 case slower, the worst by +12 %; 1 case failed; 1 case missing")
    folded = markdown.index("<details><summary>1 case is the same")
    assert markdown.index("`fm_index/regressed/cpu`") < folded < markdown.index("`fm_index/same/cpu`")
    assert "| `program/commit` | aaaa | bbbb |" in markdown


def test_markdown_fits_a_comment_whatever_the_number_of_cases() -> None:
    comparison = every_verdict()
    comparison.cases *= 700
    markdown = to_markdown(comparison)
    assert len(markdown) < 65536
    assert "more." in markdown


def test_markdown_keeps_its_table_whatever_names_hold() -> None:
    markdown = to_markdown(hostile())
    assert "\n::error" not in markdown
    rows = [line for line in markdown.splitlines() if line.startswith("| ") and "fm_index" in line]
    assert len(rows) == 7
    for row in rows:
        assert row.replace("\\|", "").count("|") == 8
        assert "<b>" not in row.split("`")[-1]


def test_junit_counts_regressed_missing_and_failed_as_failures() -> None:
    assert parsed(to_junit(every_verdict())) == ("7", "3", "1", "7", "3", "1")
    lenient = every_verdict()
    lenient.options.allow_missing = True
    assert parsed(to_junit(lenient)) == ("7", "2", "2", "7", "2", "2")
    assert parsed(to_junit(hostile())) == ("7", "3", "1", "7", "3", "1")


def test_junit_names_a_case_shortly_and_has_its_state_in_the_body() -> None:
    comparison = every_verdict()
    for case in comparison.cases:
        case.record.problem = {"reference": "ecoli"}
        case.label = "ecoli, 4.94 Mbases"
        sides.named(case.record)
    text = to_junit(comparison)
    for variant in ("same", "regressed", "inconclusive"):
        assert f'name="fm_index/{variant}/ecoli, 4.94 Mbases/cpu"' in text
        assert f"state: fm_index/{variant}/reference=ecoli/k=2/cpu</" in text


def test_names_cases_of_one_problem_of_which_one_has_no_label() -> None:
    comparison = every_verdict()
    for case in comparison.cases:
        case.record.problem = {"reference": "ecoli"}
        case.label = "ecoli, 4.94 Mbases"
        sides.named(case.record)
    comparison.cases[-1].label = "reference=ecoli"  # it failed before its problem was read
    names = names_of(comparison)
    assert (
        names.of(comparison.cases[0].record) == f"fm_index/{comparison.cases[0].record.variant}/ecoli, 4.94 Mbases/cpu"
    )
    assert names.of(comparison.cases[-1].record) == f"fm_index/{comparison.cases[-1].record.variant}/cpu"


def test_annotations_are_errors_and_warnings_of_one_line_each() -> None:
    lines = to_annotations(every_verdict())
    assert lines.count("\n") == 4
    assert "::error title=regressed%3A fm_index/regressed::fm_index/regressed/cpu: +12 %25" in lines
    for part in ("::error title=missing", "::error title=failed", "::warning title=inconclusive"):
        assert part in lines
    assert "same" not in lines
    escaped = to_annotations(hostile())
    assert escaped.count("\n") == 4
    assert "%250A" in escaped


def test_json_holds_every_case_with_null_for_what_there_is_not() -> None:
    comparison = every_verdict()
    undecided = comparison.cases[3].numbers
    assert undecided
    undecided.noise_floor = undecided.threshold = math.inf
    document = json.loads(to_json(comparison))
    assert (document["schema_version"], document["exit_code"], document["counts"]["regressed"]) == (1, 1, 1)
    states = document["states"]
    assert len(states) == 7
    assert states[0]["ratio"] is None
    assert states[2]["ratio"] == 1.12
    assert states[3]["noise_floor"] is None
    assert states[4]["verdict"] == "new"
    assert json.loads(to_json(hostile()))["base"] == HOSTILE


def test_outputs_count_the_processes_that_neighbours_disturbed() -> None:
    comparison = every_verdict()
    assert "Other programs" not in to_table(comparison)
    for case, side, count in ((2, "base", 3), (3, "new", 1)):
        values = getattr(comparison.cases[case].numbers, side)
        values.disturbed, values.left_out = count, True
    text = ("Other programs on the host disturbed some processes, which were left out: in 2 cases, at most 3 processes per "
            "side.")  # fmt: skip
    assert text in to_table(comparison, width=200)
    assert text in to_markdown(comparison)
    state = json.loads(to_json(comparison))["states"][2]
    assert (state["base"]["left_out"], state["new"]["left_out"]) == (3, 0)


def test_headline_says_what_is_the_case() -> None:
    comparison = empty()
    assert headline(comparison) == "Pass: none of 0 cases is slower by more than 3 %."
    comparison.cases = [CaseComparison(sides.record("a", []), "") for _ in range(3)]
    assert headline(comparison) == "Inconclusive: 3 of 3 cases; none is known to be slower."
    for case in comparison.cases:
        case.verdict = Verdict.improved
    assert headline(comparison) == "Pass: none of 3 cases is slower by more than 3 %; 3 cases faster."


def test_certificate_says_what_verdicts_are_worth() -> None:
    comparison = empty()
    assert certificate_text(comparison) == ""
    comparison.certificate = "a side has fewer than 4 processes"
    assert certificate_text(comparison).endswith("is unknown: a side has fewer than 4 processes.")
    comparison.elsewhere = (0.125, 0.25)
    assert certificate_text(comparison).endswith("Meanwhile other processes took 12 % of the CPU time, and other virtual "
                                                 "machines of the host 25 %.")  # fmt: skip
    comparison.certificate = Certificate(200, 1, 0.0235, 0.05, 10, 10)
    assert ("1 of 200 comparisons of the base with itself gave a false alarm, so at most 2.4 % do. A slowdown of 5 % is found "
            "in 95 of 100") in certificate_text(comparison)  # fmt: skip


def test_figure_has_every_value_of_both_sides() -> None:
    chart = draw_distributions(every_verdict())
    assert isinstance(chart, RowChart)
    (panel,) = chart.panels
    assert panel.rows == ["regressed", "inconclusive", "same", "improved"]
    marks = [mark for mark in panel.marks if mark.row == "regressed"]
    assert [(mark.series, round(mark.value, 3)) for mark in marks if not mark.minor] == [("base", 1), ("new", 1.12)]
    assert sum(mark.minor for mark in marks) == 16
    assert marks[-1].label == "regressed, +12 %"


def test_outputs_end_without_a_crash_on_random_text() -> None:
    draw = random.Random(1)
    for number in range(200):
        comparison = every_verdict()
        for case in comparison.cases:
            case.reason += "".join(chr(draw.randrange(1, 0x3000)) for _ in range(draw.randrange(60)))
        assert json.loads(to_json(comparison))
        assert to_table(comparison) + to_markdown(comparison) + to_annotations(comparison)
        if number < 20:
            assert parsed(to_junit(comparison)) == ("7", "3", "1", "7", "3", "1")
