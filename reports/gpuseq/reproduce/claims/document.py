"""docs/results/reproduction.md: the rows of all papers as tables, verdicts first."""

from __future__ import annotations

from gpuseq.reference.folders import folder_of
from gpuseq.reproduce.claims.exact_match import EXACT_MATCH
from gpuseq.reproduce.claims.fm_index_values import FM_INDEX
from gpuseq.reproduce.claims.pairwise_distance import PAIRWISE_DISTANCE
from gpuseq.reproduce.claims.papara import PAPARA
from gpuseq.reproduce.claims.profile_hmm import PROFILE_HMM
from gpuseq.reproduce.claims.rows import Claim, Count, Paper, Reason, Row, Untested, Value
from gpuseq.reproduce.claims.rules import complaints, counted
from gpuseq.reproduce.claims.words import number

PAPERS = (FM_INDEX, PAPARA, PROFILE_HMM, PAIRWISE_DISTANCE, EXACT_MATCH)

_TERMS = (
    "A statement *holds* at the sizes that its verdict names, and nowhere else is it tested. A verdict follows from the measured values and the limit in brackets.",
    "*As published* means the axis values that the paper describes, which a test compares with the records; other rows are of later kernels. *Faster* means by more than 2 %.",
    "Both sides of a ratio have the same host, problem, run and phase, unless the column *sides differ in* names the difference.",
)  # fmt: skip
WRITTEN = (
    "[results/reproduction.py](../../results/reproduction.py) writes this page from the rows in "
    "[reports/gpuseq/reproduce/claims](../../reports/gpuseq/reproduce/claims) and the committed records. "
    "[rules.py](../../reports/gpuseq/reproduce/claims/rules.py) refuses rows that break these rules, and a test compares the page."
)
_LADDERS = (
    ("fm-index/ladder", "h200-fm-index-schemes", "fm-index-ladder-1"),
    ("papara/ladder", "h200-papara-ladder", "papara-ladder"),
    ("profile-hmm/ladder", "h200-profile-hmm-ladder", "profile-hmm-ladder-1"),
    ("pairwise-distance/ladder", "h200-pairwise-distance-paper", "pairwise-distance-ladder"),
    ("exact-match/ladder", "h200-exact-match-ladder", "exact-match-ladder"),
)
ABLATIONS = (
    "The way from each published kernel to ours, a step at a time: "
    + ", ".join(f"[{figure}](../../results/{folder_of(run)}/plots/{picture}.png)" for figure, run, picture in _LADDERS)
    + "."
)


def verdict(claim: Claim) -> str:
    """ "holds at d=64; does not hold at d=448"."""
    held = [test.size for test in claim.tests if claim.holds.admits(test.value())]
    failed = [test.size for test in claim.tests if test.size not in held]
    parts = [f"**holds** at {', '.join(held)}"] if held else []
    return "; ".join(parts + ([f"**does not hold** at {', '.join(failed)}"] if failed else []))


def kind_of(claim: Claim) -> str:
    """all, some or none: at how many sizes it holds."""
    held = sum(claim.holds.admits(test.value()) for test in claim.tests)
    return "all" if held == len(claim.tests) else "some" if held else "none"


def document() -> str:
    """Raises ValueError if a row breaks a rule."""
    lines = ["# Reproduction of the papers", "", *summary(), "", WRITTEN, "", ABLATIONS, ""]
    for paper in PAPERS:
        lines += _section(paper)
    return "\n".join(lines).rstrip() + "\n"


def summary() -> list[str]:
    """Twelve lines."""
    claims = [_claims(paper) for paper in PAPERS]
    every = [kind_of(claim) for of_paper in claims for claim in of_paper]
    head = (f"{len(every)} statements of five papers are tested by committed records: {every.count('all')} hold at each tested size, "
            f"{every.count('some')} at some sizes, {every.count('none')} at none.")  # fmt: skip
    rows = ["| paper | hold | hold at some sizes | do not hold | not tested |", "|---|---:|---:|---:|---:|"]
    for paper, of_paper in zip(PAPERS, claims, strict=True):
        kinds = [kind_of(claim) for claim in of_paper]
        untested = sum(isinstance(row, Untested) for row in paper.rows)
        rows.append(
            f"| {paper.title} | {kinds.count('all')} | {kinds.count('some')} | {kinds.count('none')} | {untested} |"
        )
    return [
        head,
        "",
        *rows,
        "",
        *_TERMS,
        "The evidence column names a counter, a resource or a fact, and the records that have it; - where none was counted.",
    ]


def _claims(paper: Paper) -> list[Claim]:
    return [row for row in paper.rows if isinstance(row, Claim)]


def _section(paper: Paper) -> list[str]:
    for row in paper.rows:
        if wrong := complaints(row):
            raise ValueError(f"{paper.title}: {row.states}: {'; '.join(wrong)}")
    values = [row for row in paper.rows if isinstance(row, Value)]
    untested = [row for row in paper.rows if isinstance(row, Untested)]
    lines = [f"## {paper.title}", "", paper.machines, "",
             "| verdict | the paper states | published | here [limit] | sides differ in | evidence | records |",
             "|---|---|---|---|---|---|---|"]  # fmt: skip
    lines += [_claim(row) for row in paper.rows if isinstance(row, Claim)]
    lines += [_count(row) for row in paper.rows if isinstance(row, Count)] + [""]
    if values:
        lines += ["Ratio: how many times as fast or as large ours is; of times, how many times as short.", "",
                  "| value | published | here | ratio | the authors' program on our machines, without committed records | records |",
                  "|---|---|---|---|---|---|", *map(_value, values), ""]  # fmt: skip
    return [*lines, "| not tested | why |", "|---|---|", *(f"| {row.states} | {row.reason} |" for row in untested), ""]


def _claim(row: Claim) -> str:
    published = row.published if isinstance(row.published, str) else number(row.published.value(), row.unit)
    here = ", ".join(f"{test.size}: {number(test.value(), row.unit)}" for test in row.tests) + f" [{row.holds.text}]"
    cells = [verdict(row), row.states, published, here, ", ".join(sorted(row.differ)) or "-",
             _reason(row.reason) if row.reason else "-", _links(row)]  # fmt: skip
    return f"| {' | '.join(cells)} |"


def _reason(reason: Reason) -> str:
    units = reason.units or ("",) * len(reason.terms)
    numbers = [_with_unit(term.value(), unit) for term, unit in zip(reason.terms, units, strict=True)]
    names = sorted({f"`{term.evidence()}`" for term in reason.terms})
    runs = sorted({term.case().run for term in reason.terms})
    return f"{reason.text.format(*numbers)} ({', '.join(names)}; {', '.join(runs)})"


def _with_unit(value: float, unit: str) -> str:
    """Counters in percent are percentages already."""
    return f"{value:.3g} %" if unit == " %" else number(value, unit) if unit else f"{value:.3g}"


def _count(row: Count) -> str:
    passed, every = counted(row)
    return f"| **{passed} of {every}** | {row.states} | all | {number(passed / every, '%')} | - | failed cases count | {_linked([row.select.run])} |"


def _value(row: Value) -> str:
    published, ours = row.published.value(), row.ours.value()
    ratio = published / ours if row.unit == "s" else ours / published
    others = ", ".join(f"{number(fact.value(), row.unit)} ({fact.label})" for fact in row.others) or "-"
    differ = f" (sides differ in {', '.join(sorted(row.differ))})" if row.differ else ""
    cells = [
        row.states + differ,
        number(published, row.unit),
        f"{number(ours, row.unit)} ({row.ours.size})",
        number(ratio),
        others,
        _links(row),
    ]
    return f"| {' | '.join(cells)} |"


def _links(row: Row) -> str:
    runs: list[str] = []
    for term in row.terms():
        if term.select.run not in runs:
            runs.append(term.select.run)
    return _linked(runs)


def _linked(runs: list[str]) -> str:
    return ", ".join(f"[{run}](../../results/{run})" for run in runs)
