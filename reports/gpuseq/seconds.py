"""Times in the words of options and messages."""

from __future__ import annotations

import argparse
import re


def seconds_of(text: str) -> float:
    """Seconds of "90", "90s", "2min" or "1h", for an option of argparse."""
    found = re.fullmatch(r"([0-9.e+-]+)(s|min|h)?", text)
    seconds = float(found[1]) * {"min": 60, "h": 3600}.get(found[2], 1) if found else 0
    if not 0 < seconds <= 31_536_000:
        raise argparse.ArgumentTypeError(f"found {text}; allowed: 90, 90s, 2min, 1h")
    return seconds


def seconds_text(seconds: float) -> str:
    """ "90 s", "12 min", "1.5 h"."""
    if seconds < 120:
        return f"{seconds:.3g} s"
    return f"{seconds / 60:.3g} min" if seconds < 7200 else f"{seconds / 3600:.3g} h"
