"""The rows of the reproduction: statements with their tests, values, counts, and untested rows."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from gpuseq.reproduce.claims.committed import Case, Select
from gpuseq.reproduce.claims.published import Published, PublishedValue
from gpuseq.reproduce.claims.terms import Term
from gpuseq.reproduce.claims.words import number


@dataclass(frozen=True)
class Limit:
    """The values for which a statement holds."""

    text: str  # "more than 1 x"
    admits: Callable[[float], bool]


def more_than(bound: float, unit: str = "x") -> Limit:
    return Limit(f"more than {number(bound, unit)}", lambda value: value > bound)


def less_than(bound: float, unit: str = "x") -> Limit:
    return Limit(f"less than {number(bound, unit)}", lambda value: value < bound)


def within(low: float, high: float, unit: str = "x") -> Limit:
    return Limit(f"{number(low, unit)} to {number(high, unit)}", lambda value: low <= value <= high)


FASTER = more_than(1.02)  # less may be noise


@dataclass(frozen=True)
class Trial:
    """One size: a value, or the ratio of two."""

    size: str
    over: Term
    under: Term | None = None
    base: Trial | None = None  # the ratio is that of this test times so much
    shared_by: int = 1  # threads: the ratio is for each of them

    def terms(self) -> list[Term]:
        own = [self.over] + ([self.under] if self.under else [])
        return own + (self.base.terms() if self.base else [])

    def value(self) -> float:
        ratio = self.over.value() / (self.under.value() if self.under else 1.0)
        return ratio / (self.base.value() if self.base else 1.0) / self.shared_by


@dataclass(frozen=True)
class Reason:
    """Why: a sentence whose numbers are places, {0} and so on, for terms: counters, resources, facts of records."""

    text: str
    terms: tuple[Term, ...]
    units: tuple[str, ...] = ()


@dataclass(frozen=True)
class Range:
    """A statement covers each size that the records have: values of a problem axis between two bounds."""

    selects: tuple[Select, ...]
    axis: str
    low: float = 0.0
    high: float = float("inf")

    def covers(self, case: Case) -> bool:
        value = case.problem.get(self.axis)
        return isinstance(value, int | float) and self.low <= value <= self.high


@dataclass(frozen=True)
class Claim:
    """A statement of a paper, tested size by size."""

    states: str
    published: str | PublishedValue
    tests: tuple[Trial, ...]
    holds: Limit
    unit: str = "x"
    differ: tuple[str, ...] = ()  # all in which the two sides of a test differ
    ranges: tuple[Range, ...] = ()  # the sizes that the statement speaks of
    reason: Reason | None = None
    figure: str = ""  # that shows it: fm-index/fig7
    planned: tuple[str, ...] = ()  # all sizes in their order, where a run's budget cut some; set by `resolved`

    def texts(self) -> list[str]:
        texts = [self.states, *(test.size for test in self.tests)]
        return texts + ([self.reason.text] if self.reason else [])

    def terms(self) -> list[Term]:
        return [term for test in self.tests for term in test.terms()]


@dataclass(frozen=True)
class Value:
    """A published value next to ours."""

    states: str
    published: PublishedValue
    ours: Trial
    unit: str
    differ: tuple[str, ...] = ()
    others: tuple[Published, ...] = ()  # values of the authors' program on our machines, without committed records
    group: str = ""  # values of one group are one row of the document
    figure: str = ""

    def texts(self) -> list[str]:
        return [self.states, self.ours.size]

    def terms(self) -> list[Term]:
        return self.ours.terms()


@dataclass(frozen=True)
class Count:
    """How many records of a folder passed, of all."""

    states: str
    select: Select
    passed: Callable[[Case], bool]
    among: Callable[[Case], bool] = lambda case: case.data["status"] != "skipped"

    def texts(self) -> list[str]:
        return [self.states]

    def terms(self) -> list[Term]:
        return []


@dataclass(frozen=True)
class Untested:
    """A statement that is not tested, with its reason."""

    states: str
    reason: str
    wanted: tuple[Term, ...] = ()  # the records that would test it; none of them is committed
    between: tuple[Range, float] | None = None  # a size: no committed sizes enclose it

    def texts(self) -> list[str]:
        return [self.states, self.reason]

    def terms(self) -> list[Term]:
        return []


Row = Claim | Value | Count | Untested


@dataclass(frozen=True)
class Paper:
    """A paper's rows."""

    title: str
    machines: str  # its machines and ours, in a sentence
    rows: tuple[Row, ...]
