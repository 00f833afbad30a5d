"""Names of sizes as the document prints them: "d=64: 100 Mbases to 1 Gbases; d=448: 1 Gbases"."""

from __future__ import annotations

import re

_NUMBER = re.compile(r"(d=)?\d+(\.\d+)?\b(?!.*[a-z] [a-z])")
_AT_LEAST = 3  # sizes in a row that are written "A to B"


def sizes_text(chosen: list[str], every: list[str]) -> str:
    """The chosen of all sizes, which are in their order. The text before the last comma groups them."""
    spans = _groups_by_span(chosen, every)
    return "; ".join((f"{', '.join(named)}: " if any(named) else "") + text for text, named in spans.items())


def ordered(sizes: list[str]) -> list[int]:
    """Indices of the sizes in the order in which `sizes_text` names them."""
    groups = [group for named in _groups_by_span(sizes, sizes).values() for group in named]
    return sorted(range(len(sizes)), key=lambda index: groups.index(_parts(sizes[index])[0]))


def _groups_by_span(chosen: list[str], every: list[str]) -> dict[str, list[str]]:
    """Text of sizes: the groups that have these."""
    groups: dict[str, list[str]] = {}
    for size in every:
        groups.setdefault(_parts(size)[0], []).append(size)
    spans: dict[str, list[str]] = {}
    for group, sizes in groups.items():
        names = [_parts(size)[1] if size in chosen else "" for size in sizes]
        if any(names):
            spans.setdefault(_spans(names), []).append(group)
    return spans


def _parts(size: str) -> tuple[str, str]:
    group, _, name = size.rpartition(", ")
    return group, name


def _spans(names: list[str]) -> str:
    """Neighbours together, where they are numbers; an empty name parts them."""
    spans: list[list[str]] = [[]]
    for name in names:
        if name:
            spans[-1].append(name)
        elif spans[-1]:
            spans.append([])
    return ", ".join(_span(span) for span in spans if span)


def _span(names: list[str]) -> str:
    numbers = all(_NUMBER.match(name) for name in names)
    return f"{names[0]} to {names[-1]}" if numbers and len(names) >= _AT_LEAST else ", ".join(names)
