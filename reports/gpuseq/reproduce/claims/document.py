"""docs/results/reproduction.md: the rows of all papers as tables, verdicts first."""

from __future__ import annotations

import functools
from collections.abc import Sequence

from gpuseq.reproduce.claims.committed import ROOT, cases_of
from gpuseq.reproduce.claims.cut import PAPERS_RUN, resolved
from gpuseq.reproduce.claims.exact_match import EXACT_MATCH
from gpuseq.reproduce.claims.fm_index_values import FM_INDEX
from gpuseq.reproduce.claims.pairwise_distance import PAIRWISE_DISTANCE
from gpuseq.reproduce.claims.papara_values import PAPARA
from gpuseq.reproduce.claims.profile_hmm import PROFILE_HMM
from gpuseq.reproduce.claims.rows import Claim, Count, Paper, Reason, Row, Untested, Value
from gpuseq.reproduce.claims.rules import complaints, counted
from gpuseq.reproduce.claims.sizes import ordered, sizes_text
from gpuseq.reproduce.claims.words import number, spread

PAPERS = (FM_INDEX, PAPARA, PROFILE_HMM, PAIRWISE_DISTANCE, EXACT_MATCH)
DOCUMENT = ROOT / "docs" / "results" / "reproduction.md"
_UP = "../" * len(DOCUMENT.relative_to(ROOT).parent.parts)
_NONE = "-"  # of a cell; a column without another cell is left out

_TERMS = (
    "A verdict follows from the measured values and the limit: the statement *holds* at the sizes that meet it, and nowhere else is it tested; a run's budget *cut* other sizes. *Faster* means by more than 2 %.",
    "*As published* means the axis values that the paper describes, which a test compares with the records; other rows are of later kernels.",
    "Both sides of a ratio have the same host, problem, run and phase, except for differences that the column *sides differ in* names. Up to four values are in the order of the sizes; more are a range with its median.",
)  # fmt: skip
ABLATIONS = ("fm-index", "papara-steps", "profile-hmm", "pairwise-distance-steps", "exact-match-ladder")


def document() -> str:
    """Raises ValueError if a row breaks a rule."""
    ablations = ", ".join(_picture(f"{run.partition('-steps')[0].partition('-ladder')[0]}/ladder", f"{PAPERS_RUN}/{run}")
                          for run in ABLATIONS)  # fmt: skip
    written = (
        f"{_link('results/reproduction.py')} writes this page from the rows in {_link('reports/gpuseq/reproduce/claims')} and the "
        f"committed records. {_link('reports/gpuseq/reproduce/claims/rules.py')} refuses rows that break these rules."
    )
    lines = ["# Reproduction of the papers", "", *summary(), "", written, "",
             f"From each published kernel to ours, step by step: {ablations}.", ""]  # fmt: skip
    for paper in PAPERS:
        lines += _section(paper)
    return "\n".join(lines).rstrip() + "\n"


def rows_of(paper: Paper) -> list[Row]:
    """The rows at the sizes that have records."""
    return _resolved(paper.title)


@functools.cache
def _resolved(title: str) -> list[Row]:
    return resolved(next(paper for paper in PAPERS if paper.title == title))


def summary() -> list[str]:
    """Twelve lines."""
    every = [kind_of(claim) for paper in PAPERS for claim in _claims(paper)]
    head = (f"{len(every)} statements of five papers are tested by committed records: {every.count('all')} hold at each tested size, "
            f"{every.count('some')} at some sizes, {every.count('none')} at none.")  # fmt: skip
    rows = ["| paper | hold | hold at some sizes | do not hold | not tested |", "|---|---:|---:|---:|---:|"]
    for paper in PAPERS:
        kinds = [kind_of(claim) for claim in _claims(paper)]
        untested = sum(isinstance(row, Untested) for row in rows_of(paper))
        rows.append(
            f"| {paper.title} | {kinds.count('all')} | {kinds.count('some')} | {kinds.count('none')} | {untested} |"
        )
    return [head, "", *rows, "", *_TERMS, _machines()]


def _machines() -> str:
    """Which GPUs, hosts and commits the runs of the papers have."""
    names: dict[str, str] = {}  # by UUID
    hosts: set[str] = set()
    runs: dict[str, set[str]] = {}  # by commit
    for journal in sorted((ROOT / "results" / PAPERS_RUN).glob("*/records.jsonl")):
        for case in cases_of(f"{PAPERS_RUN}/{journal.parent.name}"):
            device, host = case.provenance["device"], case.provenance["host"]
            runs.setdefault(case.provenance["program"]["commit"][:8], set()).add(journal.parent.name)
            hosts.add(
                f"{host['available_cpus']} vCPUs of an {host['cpu'].replace('(R)', '')}, {host['operating_system']}"
            )
            if case.on_gpu:
                names[device["uuid"]] = f"{device['name']} (driver {device['driver_version']})"
    commits = [f"`{commit}` ({len(of)})" for commit, of in sorted(runs.items(), key=lambda one: -len(one[1]))]
    return (f"Runs in {_link('results/' + PAPERS_RUN)}: each on one {' or '.join(sorted(set(names.values())))}, of "
            f"{len(names)}, and {' or '.join(sorted(hosts))}; commits {', '.join(commits)}. "
            "Other folders are other days and hosts.")  # fmt: skip


def verdict(claim: Claim) -> str:
    """ "holds at 1 of 2: d=64; not: d=448"."""
    sizes = [test.size for test in claim.tests]
    every = list(claim.planned) or sizes
    held = [test.size for test in claim.tests if claim.holds.admits(test.value())]
    failed = [size for size in sizes if size not in held]
    word = "does not hold" if not held else "holds"
    cut = f" ({len(every) - len(sizes)} cut)" if len(every) > len(sizes) else ""
    if len(sizes) == 1:
        return f"**{word}** at {sizes[0]}{cut}"
    if not held or not failed:
        return f"**{word} at {'any' if failed else 'all'} of {len(sizes)}**: {sizes_text(sizes, every)}{cut}"
    few = f"all but {sizes_text(failed, every)}" if len(failed) < len(held) else sizes_text(held, every)
    return f"**holds at {len(held)} of {len(sizes)}**: {few}{cut}"


def kind_of(claim: Claim) -> str:
    """all, some or none: at how many sizes it holds."""
    held = sum(claim.holds.admits(test.value()) for test in claim.tests)
    return "all" if held == len(claim.tests) else "some" if held else "none"


def _claims(paper: Paper) -> list[Claim]:
    return [row for row in rows_of(paper) if isinstance(row, Claim)]


def _section(paper: Paper) -> list[str]:
    rows = rows_of(paper)
    for row in rows:
        if wrong := complaints(row):
            raise ValueError(f"{paper.title}: {row.states}: {'; '.join(wrong)}")
    claims = [_claim(row) for row in rows if isinstance(row, Claim)]
    lines = [f"## {paper.title}", "", paper.machines, ""]
    lines += _table(("verdict", "the paper states", "published", "here", "limit", "sides differ in", "evidence", "records"),
                    claims + [_count(row) for row in rows if isinstance(row, Count)])  # fmt: skip
    groups: dict[str, list[Value]] = {}
    for row in rows:
        if isinstance(row, Value):
            groups.setdefault(row.group or row.states, []).append(row)
    if groups:
        lines += ["Ratio: how many times as fast or as large ours is; of times, how many times as short.", ""]
        lines += _table(("value", "published", "here", "ratio", "sides differ in",
                         "the authors' program on our machines, without committed records", "records"),
                        [_values(name, group) for name, group in groups.items()])  # fmt: skip
    untested = [[row.states, row.reason] for row in rows if isinstance(row, Untested)]
    return lines + _table(("not tested", "why"), untested)


def _table(titles: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    """A table without the columns that say nothing."""
    kept = [column for column, _ in enumerate(titles) if any(row[column] != _NONE for row in rows)]
    lines = [[titles[column] for column in kept], ["---"] * len(kept), *([row[column] for column in kept] for row in rows)]  # fmt: skip
    return [f"| {' | '.join(cells)} |" for cells in lines] + [""]


def _claim(row: Claim) -> list[str]:
    published = row.published if isinstance(row.published, str) else number(row.published.value(), row.unit)
    here = spread([row.tests[index].value() for index in ordered([test.size for test in row.tests])], row.unit)
    return [verdict(row), row.states, published, here, row.holds.text, ", ".join(sorted(row.differ)) or _NONE,
            _reason(row.reason, {term.case().run for term in row.terms()}) if row.reason else _NONE, _links(row, row.figure)]  # fmt: skip


def _reason(reason: Reason, shown: set[str]) -> str:
    """With the runs that the row does not link."""
    units = reason.units or ("",) * len(reason.terms)
    numbers = [_with_unit(term.value(), unit) for term, unit in zip(reason.terms, units, strict=True)]
    names = sorted({f"`{term.evidence()}`" for term in reason.terms})
    runs = sorted({term.case().run for term in reason.terms} - shown)
    return f"{reason.text.format(*numbers)} ({', '.join(names)}{'; ' if runs else ''}{', '.join(runs)})"


def _with_unit(value: float, unit: str) -> str:
    """Counters in percent are percentages already."""
    return f"{value:.3g} %" if unit == " %" else number(value, unit) if unit else f"{value:.3g}"


def _count(row: Count) -> list[str]:
    passed, every = counted(row)
    return [f"**{passed} of {every}**", row.states, "all", number(passed / every, "%"), _NONE, _NONE, "failed cases count",
            _link(f"results/{row.select.run}")]  # fmt: skip


def _values(name: str, rows: list[Value]) -> list[str]:
    unit = rows[0].unit
    rows = [rows[index] for index in ordered([row.ours.size for row in rows])]
    published, ours = ([value.value() for value in values]
                       for values in ([row.published for row in rows], [row.ours for row in rows]))  # fmt: skip
    ratios = [one / other if unit == "s" else other / one for one, other in zip(published, ours, strict=True)]
    sizes = [row.ours.size for row in rows]
    differ = sorted({name for row in rows for name in row.differ})
    others = [f"{number(fact.value(), unit)} ({fact.label})" for row in rows for fact in row.others]
    named = name if sizes == [sizes[0]] and sizes[0] in name else f"{name} ({sizes_text(sizes, sizes)})"
    return [named, spread(published, unit), spread(ours, unit), spread(ratios),
            ", ".join(differ) or _NONE, ", ".join(others) or _NONE, _links(rows[0], rows[0].figure, rows)]  # fmt: skip


def _links(row: Row, figure: str, rows: Sequence[Row] = ()) -> str:
    """The picture of a row, and the runs of its records."""
    runs: list[str] = []
    for one in rows or (row,):
        for term in one.terms():
            if (run := term.case().run) not in runs:
                runs.append(run)
    picture = next((text for run in runs if figure and (text := _picture(figure, run))), "")
    return ", ".join(([picture] if picture else []) + [_link(f"results/{run}") for run in runs])


def _picture(figure: str, run: str) -> str:
    """A link to the picture of a figure, or nothing where none is committed."""
    stem = f"results/{run}/plots/{figure.replace('/', '-')}"
    pictures = [f"{stem}{page}.png" for page in ("", "-1") if (ROOT / f"{stem}{page}.png").exists()]
    return f"[{figure}]({_UP}{pictures[0]})" if pictures else ""


def _link(path: str) -> str:
    return f"[{path.removeprefix('results/').removeprefix(PAPERS_RUN + '/')}]({_UP}{path})"
