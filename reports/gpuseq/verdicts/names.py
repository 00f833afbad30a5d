"""Short names of benchmark cases that a reader sees together."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

from gpuseq.runs import point_text
from gpuseq.verdicts.sides import Defaults, Measured, Point

_LONG_POINT = 60  # a point whose varying axes take more characters names only those that are not as usual


@dataclass
class _Axes:
    """The values of the axes of a variant's points, or of the problems that have one label."""

    counts: dict[str, Counter[int | str]] = field(default_factory=dict[str, Counter[int | str]])
    usual: Point = field(default_factory=Point)  # the default; where that is not known the most frequent value
    terse: bool = False  # names leave out what varies where it is as usual

    def count(self, point: Point) -> None:
        for axis, value in point.items():
            self.counts.setdefault(axis, Counter())[value] += 1

    def settle(self, defaults: Point) -> None:
        for axis, counts in self.counts.items():
            most = max(counts.values())
            frequent = (
                value
                for value in sorted(counts, key=lambda value: (isinstance(value, str), value))
                if counts[value] == most
            )
            self.usual[axis] = defaults[axis] if axis in defaults else next(frequent)

    def varies(self, axis: str) -> bool:
        return len(self.counts[axis]) > 1

    def text(self, point: Point) -> str:
        return point_text({axis: value for axis, value in point.items()
                           if value != self.usual[axis] or (not self.terse and self.varies(axis))})  # fmt: skip


class ShortNames:
    """The parts of a case's name, in the same order, with the problem's label instead of its axes and only those axes
    of the point that vary among the cases of the variant or differ from their defaults.

    "fm_index/simd/ecoli, 4.94 Mbases/k=2,d=64/cpu". No two cases have one name.
    """

    def __init__(self, records: Iterable[tuple[Measured, str]], defaults: Defaults) -> None:
        """`records` of the cases, each with the label of its problem."""
        cases = {record.state: (record, label) for record, label in records}
        self._problems: dict[tuple[str, str], _Axes] = {}
        self._points: dict[tuple[str, str], _Axes] = {}
        counted: set[tuple[str, str, str]] = set()
        for record, label in cases.values():
            self._points.setdefault((record.family, record.variant), _Axes()).count(record.point)
            # A case that failed before its problem was read has another label than the rest.
            if (key := (record.family, label, point_text(record.problem))) not in counted:
                counted.add(key)
                self._problems.setdefault((record.family, label), _Axes()).count(record.problem)
        for (family, _), axes in self._problems.items():
            axes.settle(defaults.of.get((family, ""), {}))
        for key, axes in self._points.items():
            axes.settle(defaults.of.get(key, {}))
        for record, _ in cases.values():
            axes = self._points[record.family, record.variant]
            axes.terse = axes.terse or len(axes.text(record.point)) > _LONG_POINT
        names = {state: self._joined(record, label) for state, (record, label) in cases.items()}
        times = Counter(names.values())
        self._names = {state: name if times[name] == 1 else state for state, name in names.items()}

    def of(self, record: Measured) -> str:
        return self._names[record.state]

    def _joined(self, record: Measured, label: str) -> str:
        axes = self._problems[record.family, label]
        apart = {axis: value for axis, value in record.problem.items() if axes.varies(axis)}
        has_label = label != point_text(record.problem)
        problem = (label + (f" ({point_text(apart)})" if apart else "")) if has_label else axes.text(record.problem)
        point = self._points[record.family, record.variant].text(record.point)
        return "/".join(part for part in (record.family, record.variant, problem, point, record.device) if part)
