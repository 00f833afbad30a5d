"""Numbers as the documents print them: three digits with a decimal prefix."""

from __future__ import annotations

import statistics

_PREFIXES = [(1e15, "P"), (1e12, "T"), (1e9, "G"), (1e6, "M"), (1e3, "k"), (1.0, ""), (1e-3, "m"), (1e-6, "µ"),
             (1e-9, "n")]  # fmt: skip
_PLAIN = ("x", "")  # units without prefix


def number(value: float, unit: str = "") -> str:
    """ "1.23 Gbases/s", "12 %", "3.4 x"; no unit: the number alone."""
    if unit in _PLAIN:
        text = f"{value:.3g}" if value < 1000 else f"{value:.0f}"
        return f"{text} x" if unit else text
    if unit == "%":
        return f"{100 * value:.3g} %"
    for factor, prefix in _PREFIXES:
        if abs(value) >= 0.9995 * factor:
            return f"{value / factor:.3g} {prefix}{unit}"
    return f"{value:.3g} {unit}"


MOST_IN_ORDER = 4  # values that are written one by one


def spread(values: list[float], unit: str = "") -> str:
    """Up to four values in their order: "1.3, 1.2, 4 x"; of more the range and the median: "1.2 to 4 x, median 1.3"."""
    if len(values) > MOST_IN_ORDER:
        ends, middle = _joined([min(values), max(values)], unit, " to "), number(statistics.median(values), unit)
        return f"{ends}, median {middle}" if " to " in ends else ends
    return _joined(values, unit, ", ")


def _joined(values: list[float], unit: str, between: str) -> str:
    """With the unit at the end, where it is the same."""
    texts = [number(value, unit) for value in values]
    if len(set(texts)) == 1:
        return texts[0]
    parts = [text.partition(" ") for text in texts]
    alike = len({after for _, _, after in parts}) == 1
    return between.join([before for before, _, _ in parts[:-1]] + texts[-1:] if alike else texts)
