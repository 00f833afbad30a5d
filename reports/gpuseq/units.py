"""Numbers with their units, as figures, tables and the page print them: three significant digits."""

from __future__ import annotations

import math
import statistics
from dataclasses import dataclass
from enum import Enum

BINARY_PREFIXES = ["", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei"]
DECIMAL_PREFIXES = ["p", "n", "µ", "m", "", "k", "M", "G", "T"]


class Unit(Enum):
    """The unit of an axis or of a column; the value is its suffix."""

    number = ""
    number_si = " "  # with k, M, G
    bytes = "B"
    bytes_per_s = "B/s"
    bases = "bases"
    bases_per_s = "bases/s"
    bases_per_joule = "bases/J"
    seconds = "s"
    hertz = "Hz"
    watts = "W"
    share = "%"
    ratio = "x"
    bits_per_base = "bits"

    @property
    def suffix(self) -> str:
        return self.value.strip()


def significant(value: float, digits: int) -> str:
    """The value with so many significant digits and no trailing zeros; "n/a" if it is not finite."""
    if not math.isfinite(value):
        return "n/a"
    magnitude = abs(value)
    if magnitude >= 1e6 or 0 < magnitude < 1e-4:
        return f"{value:.{digits}g}"
    before = math.floor(math.log10(magnitude)) + 1 if magnitude > 0 else 1
    text = f"{value:.{max(0, digits - before)}f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


def with_decimal_prefix(value: float, unit: str) -> str:
    """ "46.7 Gbases/s"; the prefix changes where three digits would round to 1000."""
    step = 4
    while abs(value) >= 999.5 and step + 1 < len(DECIMAL_PREFIXES):
        value /= 1000
        step += 1
    while value != 0 and abs(value) < 0.9995 and step > 0:
        value *= 1000
        step -= 1
    return f"{significant(value, 3)} {DECIMAL_PREFIXES[step]}{unit}"


def with_binary_prefix(value: float) -> str:
    step = 0
    while abs(value) >= 1024 and step + 1 < len(BINARY_PREFIXES):
        value /= 1024
        step += 1
    return f"{significant(value, 3)} {BINARY_PREFIXES[step]}B"


def format_value(value: float, unit: Unit) -> str:
    """ "96 GiB", "4.65 TB/s", "46.7 Gbases/s", "780 ns", "88.3 %"."""
    if not math.isfinite(value):
        return "n/a"
    if unit is Unit.bytes:
        return with_binary_prefix(value)
    if unit is Unit.share:
        return significant(value * 100, 3) + " %"
    if unit is Unit.number:
        return significant(value, 3)
    if unit is Unit.ratio:
        return significant(value, 3) + " x"
    if unit is Unit.bits_per_base:
        return significant(value, 3) + " bits/base"
    return with_decimal_prefix(value, unit.suffix)


def rate_text(rate: float, unit: str) -> str:
    """ "64.5 G query bases/s"."""
    value = with_decimal_prefix(rate, "")
    return value + ("" if value.endswith(" ") else " ") + unit


def base_unit(unit: Unit) -> str:
    """The unit of a plain value in a header: "B/s"; empty for plain numbers and shares."""
    if unit is Unit.bits_per_base:
        return "bits/base"
    return "" if unit in (Unit.share, Unit.ratio) else unit.suffix


@dataclass(frozen=True)
class Scale:
    """The divisor of a column of values and the unit in its header: 1e9, "Gbases/s"."""

    divisor: float = 1
    unit: str = ""


def common_scale(values: list[float], unit: Unit) -> Scale:
    """A scale at which the values have few digits."""
    sizes = [abs(value) for value in values if math.isfinite(value) and value != 0]
    if unit is Unit.share:
        return Scale(0.01, "%")
    if unit in (Unit.number, Unit.ratio, Unit.bits_per_base) or not sizes:
        return Scale(1, base_unit(unit))
    middle = statistics.median_high(sizes)
    if unit is Unit.bytes:
        step, divisor = 0, 1.0
        while middle / divisor >= 1024 and step + 1 < len(BINARY_PREFIXES):
            divisor *= 1024
            step += 1
        return Scale(divisor, f"{BINARY_PREFIXES[step]}B")
    step = min(max(math.floor(math.log10(middle) / 3), -4), 4)
    return Scale(1000.0**step, DECIMAL_PREFIXES[step + 4] + unit.suffix)


def label_expression(unit: Unit) -> str:
    """A Vega expression over `datum.value` that labels an axis as format_value() does."""
    if unit in (Unit.number, Unit.bits_per_base):
        return "format(datum.value, '.7~g')"  # '.3~g' would write 10 000 as 1e+4
    if unit is Unit.ratio:
        return "format(datum.value, '.7~g') + ' x'"
    if unit is Unit.share:
        return "format(datum.value * 100, '.4~g') + ' %'"
    if unit is Unit.bytes:
        expression = "format(datum.value, '.4~g') + ' B'"
        for step, prefix in enumerate(BINARY_PREFIXES[1:], start=1):
            scale = 1024**step
            expression = f"datum.value < {scale} ? {expression} : format(datum.value / {scale}, '.4~g') + ' {prefix}B'"
        return expression
    # format(..., 's') ends with the prefix, if there is one; the space goes before it.
    return f"replace(format(datum.value, '.3~s'), regexp('([a-zA-Zµ]?)$'), ' $1') + '{unit.suffix}'"


def even_ticks(low: float, high: float) -> list[float]:
    """Three to seven round values from `low` to `high`."""
    rough = (high - low) / 4
    power = 10 ** math.floor(math.log10(rough))
    step = power * next(
        factor for most, factor in ((1.5, 1), (3.5, 2), (7.5, 5), (math.inf, 10)) if rough / power < most
    )
    first = math.ceil(low / step)
    return [n * step for n in range(first, math.floor(high / step + 1e-9) + 1)]


def log_ticks(low: float, high: float, unit: Unit, most: int = 9) -> list[float]:
    """Values to label on a logarithmic axis: powers of two for bytes, 1-2-5 or decades for the rest."""
    if not (low > 0 and high > low):
        return []
    most = max(most, 2)
    if unit is Unit.bytes:
        first, last = math.ceil(math.log2(low) - 1e-9), math.floor(math.log2(high) + 1e-9)
        step = 1
        while (last - first) // step + 1 > most:
            step += 1
        return [2.0**power for power in range(-(-first // step) * step, last + 1, step)]
    first, last = math.floor(math.log10(low)), math.floor(math.log10(high))

    def collect(mantissas: tuple[int, ...], step: int = 1) -> list[float]:
        ticks = [mantissa * 10.0**power for power in range(first, last + 1, step) for mantissa in mantissas]
        return [tick for tick in ticks if low * (1 - 1e-9) <= tick <= high * (1 + 1e-9)]

    ticks = collect((1, 2, 3, 4, 5, 6, 7, 8, 9))
    if len(ticks) <= most:
        return ticks if len(ticks) > 2 else even_ticks(low, high)
    for mantissas in ((1, 2, 5), (1, 3)):
        if len(ticks := collect(mantissas)) <= most:
            return ticks
    step = 1
    while len(ticks := collect((1,), step)) > most and step <= last - first:
        step += 1
    return ticks


def plain(value: float) -> str:
    """All digits of a number: "3", "0.1", "10000000"."""
    return repr(float(value)).removesuffix(".0")
