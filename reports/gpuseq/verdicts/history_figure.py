"""The figure of a history: relative times over commits, with their steps."""

from __future__ import annotations

import json
import math
import re

from gpuseq.charts.values import Band, Heading, LineChart, Mark, Panel, Quantity
from gpuseq.errors import UsageError
from gpuseq.verdicts.history import Entry, Series
from gpuseq.verdicts.words import change

_MOST_SERIES = 6
_MOST_LABELS = 5  # of commits along an axis
_STEP_WIDTH = 0.3  # of the line that marks a step, in commits
_MOST_TICKS = 18  # of relative time
_TITLE_LETTERS = 66  # of a panel


def draw_history(found: list[Series]) -> LineChart:
    """A panel for each case, relative to its level before the first step; steps are shaded lines. As many cases are
    drawn as a figure has room for, those with the largest steps."""
    if not found:
        raise UsageError("no case of the history is chosen, so there is nothing to draw")
    drawn = found[:_MOST_SERIES]
    first: dict[str, str] = {}
    for series in drawn:
        for entry in series.entries:
            commit = _commit(entry)
            first[commit] = min(entry.date, first.get(commit, entry.date))
    commits = sorted(first, key=lambda commit: (first[commit], commit))
    places = {commit: float(place) for place, commit in enumerate(commits, 1)}
    names = [[part for part in re.split("[/,]", series.entries[0].state) if part] for series in drawn]
    common = set(names[0]).intersection(*names[1:])
    notes = ["Relative to the level before the first step, with intervals; shaded lines: steps."]
    if len(drawn) < len(found):
        notes.append(f"{len(drawn)} of {len(found)} cases, those with the largest steps.")
    notes.append(f"All: {', '.join(part for part in names[0] if part in common)}.")
    panels = [_panel(series, places, ", ".join(part for part in name if part not in common) or series.entries[0].device)
              for series, name in zip(drawn, names, strict=True)]  # fmt: skip
    every = math.ceil(len(commits) / _MOST_LABELS)
    labels = json.dumps([commit[:7] for commit in commits]) + "[datum.value - 1]"
    x = Quantity("commit", ticks=[float(place) for place in range(1, len(commits) + 1, every)], labels=labels)
    heading = Heading("Times over commits", notes, "Relative time of benchmark cases over commits, with steps.")
    return LineChart(x, _times(panels), heading, "time", ["median"], panels=panels)


def _commit(entry: Entry) -> str:
    """Entries without a commit stand for themselves, by date."""
    return entry.commit or entry.date


def _times(panels: list[Panel]) -> Quantity:
    """Logarithmic, so that the same factor is the same distance. Panels have ranges of their own but labels in common:
    as close as the widest range allows."""
    low = min([1.0, *(mark.low for panel in panels for mark in panel.marks)])
    high = max([1.0, *(mark.high for panel in panels for mark in panel.marks)])
    fitting = (step for step in (0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0) if (high - low) / step <= _MOST_TICKS)
    step = next(fitting, None)
    ticks = [] if step is None else [step * n for n in range(math.ceil(low * 0.9 / step), math.ceil(high * 1.1 / step))]
    return Quantity("relative time", log=True, ticks=ticks)


def _panel(series: Series, places: dict[str, float], title: str) -> Panel:
    level = series.steps[0].before if series.steps else series.entries[0].median_s
    marks = [
        Mark(places[_commit(entry)], entry.median_s / level, (entry.low_s or entry.median_s) / level,
             (entry.high_s or entry.median_s) / level, "median",
             tips=[("Time", change(entry.median_s / level)), ("Commit", entry.commit), ("Date", entry.date),
                   ("State", entry.state), ("Device", entry.device)])
        for entry in series.entries
    ]  # fmt: skip
    bands: list[Band] = []
    for step in series.steps:
        at = places[_commit(series.entries[step.place])] - 0.5
        bands.append(Band(at - _STEP_WIDTH / 2, at + _STEP_WIDTH / 2, change(step.after / step.before)))
    short = title if len(title) <= _TITLE_LETTERS else title[: _TITLE_LETTERS - 3] + "..."
    return Panel(short, marks, bands)
