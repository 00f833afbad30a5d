"""Cases of a row that a run's budget cut: the row keeps the sizes that have records, and the other sizes are not tested.

A run of a paper's config is completed later by `run --resume --budget`. Then the same rows cover more sizes, without a change here.
"""

from __future__ import annotations

import functools
import json
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from gpuseq.reproduce.claims.committed import ROOT, Axes, NoRecord, Select
from gpuseq.reproduce.claims.differences import differences
from gpuseq.reproduce.claims.rows import Claim, Paper, Reason, Row, Trial, Untested, Value
from gpuseq.reproduce.claims.sizes import sizes_text
from gpuseq.reproduce.claims.terms import Term

PAPERS_RUN = "h200-papers"  # of results/: a folder per config of configs/paper/, and titan


def resolved(paper: Paper) -> list[Row]:
    """The rows of a paper at the sizes that have records. A value that a budget cut as a whole is a row that is not tested, and values
    that it cut of other rows are one such row for each run."""
    rows: list[Row] = []
    whole: dict[tuple[str, str], list[str]] = {}  # statement and run: its sizes
    partly: dict[str, set[str]] = {}  # run: statements
    for row in paper.rows:
        tests = row.tests if isinstance(row, Claim) else (row.ours,) if isinstance(row, Value) else ()
        cut = [test for test in tests if _cut(test)]
        kept = tuple(test for test in tests if test not in cut)
        if isinstance(row, Claim) and kept:
            rows.append(_kept(row, kept))
            for test in cut:
                partly.setdefault(_run(test), set()).add(row.states)
        elif isinstance(row, Claim | Value) and cut:
            for test in cut:
                whole.setdefault((_short(row), _run(test)), []).append(test.size)
        elif isinstance(row, Value):
            rows.append(replace(row, differ=_differ(row.differ, (row.ours,))))
        else:
            rows.append(row)
    rows += [Untested(f"{states} ({sizes_text(sizes, sizes)})", _why(run)) for (states, run), sizes in whole.items()]
    return rows + [
        Untested(f"{len(states)} of the statements above at more sizes", _why(run)) for run, states in partly.items()
    ]


_ORIGINS = {"host", "GPU", "commit"}


def _why(run: str) -> str:
    if not (ROOT / "results" / run / "records.jsonl").exists():
        return f"paper/{run.rpartition('/')[2]}.json measures it, and no run of it is committed"
    return f"the budget of {run} ended before; its config with a larger `--budget` measures it"


def _short(row: Claim | Value) -> str:
    return (row.group if isinstance(row, Value) and row.group else row.states).partition(". ")[0]


def _run(test: Trial) -> str:
    return next(term.select.run for term in test.terms() if _lacks(term))


def _kept(row: Claim, tests: tuple[Trial, ...]) -> Claim:
    planned = tuple(test.size for test in row.tests) if len(tests) < len(row.tests) else ()
    return replace(
        row,
        tests=tests,
        differ=_differ(row.differ, tests, bool(planned)),
        reason=_recorded(row.reason),
        planned=planned,
    )


def _differ(stated: tuple[str, ...], tests: tuple[Trial, ...], fewer: bool = False) -> tuple[str, ...]:
    """With fewer sizes less may differ between their sides. A run of a paper that was resumed elsewhere has two origins, which
    the row then states."""
    found: set[str] = set()
    resumed: set[str] = set()
    for test in tests:
        if test.under:
            found |= differences(test.over, test.under)
            if all(term.select.run.startswith(PAPERS_RUN) for term in test.terms()):
                resumed |= differences(test.over, test.under) & _ORIGINS
    kept = [name for name in stated if name in found or not fewer]
    return (*kept, *sorted(resumed - set(kept)))


def _recorded(reason: Reason | None) -> Reason | None:
    cut = reason and any(_lacks(term) and planned(term.select) for term in reason.terms)
    return None if cut else reason


def _cut(test: Trial) -> bool:
    lacking = [term for term in test.terms() if _lacks(term)]
    return bool(lacking) and all(planned(term.select) for term in lacking)


def _lacks(term: Term) -> bool:
    try:
        term.value()
    except NoRecord:
        return True
    return False


def planned(select: Select) -> bool:
    """Whether the config of a paper's run has such a case."""
    return any(
        variant in family["variants"]
        and _listed(family["problems"], select.problem)
        and _listed(family["variants"][variant], select.point)
        for family in _families(select.run)
        for variant in select.variants
    )


@functools.cache
def _families(run: str) -> list[dict[str, Any]]:
    folder, _, name = run.partition("/")
    if folder != PAPERS_RUN:
        return []
    file = ROOT / "configs" / ("titan.json" if name == "titan" else f"paper/{name}.json")
    return list(json.loads(file.read_text(encoding="utf-8"))["families"].values())


def _listed(listed: Mapping[str, Any] | list[Mapping[str, Any]], wanted: Axes) -> bool:
    """Whether one of the entries has a wanted value of each axis; an axis that it lacks has its default."""
    entries = listed if isinstance(listed, list) else [listed]
    return any(
        all(set(_values(entry[axis])) & set(_values(value)) for axis, value in wanted.items() if axis in entry)
        for entry in entries
    )


def _values(value: Any) -> Iterable[Any]:
    return value if isinstance(value, list | tuple) else (value,)  # pyright: ignore[reportUnknownVariableType]
