"""How every output of a comparison words its numbers."""

from __future__ import annotations

import math


def percent(share: float) -> str:
    """ "3 %", "7.1 %"; "unknown" for values that are not finite."""
    if not math.isfinite(share):
        return "unknown"
    value = share * 100
    return f"{value:.0f} %" if abs(value) >= 10 else f"{value:.2g} %"


def change(ratio: float) -> str:
    """A ratio of times as a change: "+5.0 %", "-12 %"."""
    value = (ratio - 1) * 100
    return f"{value:+.0f} %" if abs(value) >= 10 else f"{value:+.1f} %"


def units(unit: str, count: int) -> str:
    """ "process" or "processes"."""
    return unit if count == 1 else unit + ("es" if unit.endswith("s") else "s")
