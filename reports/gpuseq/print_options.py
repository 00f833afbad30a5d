"""Options of the commands that write figures: report and reproduce."""

from __future__ import annotations

import argparse
import os
from pathlib import Path

from gpuseq.errors import UsageError
from gpuseq.report import FORMATS, PICTURES, Options


def source_root() -> Path:
    """The folder with configs/: GPUSEQ_ROOT, else the checkout of this package."""
    given = os.environ.get("GPUSEQ_ROOT")
    return Path(given) if given else Path(__file__).resolve().parents[2]


def add_print_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--format", action="append", default=[], metavar="FORMAT[,FORMAT]",
                        help="besides vl.json: svg, pdf, png in print size; csv, tex: tables of the same data")  # fmt: skip
    parser.add_argument("--width", default="auto",
                        help="width of pictures and LaTeX tables: column (80.6 mm) and page (164.8 mm) of LaTeX's article with "
                        "two columns, millimetres, or auto: page for several panels")  # fmt: skip
    parser.add_argument("--bare", action="store_true",
                        help="pictures without title, notes and provenance, which go to <figure>.caption.tex and .txt; "
                        "several pictures where one would be too high")  # fmt: skip
    parser.add_argument("--height", type=float, metavar="MM",
                        help="greatest height of a picture; default: a page, 0.8 of the width with --bare")  # fmt: skip


def print_options(given: argparse.Namespace) -> Options:
    """The formats and sizes to write. Raises UsageError before anything is read."""
    formats = [name for value in given.format for name in value.split(",")]
    for name in formats:
        if name not in FORMATS:
            raise UsageError(f"no format '{name}'; allowed: {', '.join(FORMATS)}")
    if given.bare and not PICTURES.intersection(formats):
        raise UsageError("--bare is about pictures: give it --format pdf, svg or png")
    if given.height is not None and (not PICTURES.intersection(formats) or not 20 <= given.height <= 500):
        raise UsageError(f"--height: found {given.height:g}; allowed: 20 to 500 mm, with --format pdf, svg or png")
    return Options([], formats=formats, width_mm=_width_mm(given.width), bare=given.bare, height_mm=given.height or 0)


def _width_mm(text: str) -> float:
    from gpuseq.charts.style import COLUMN_MM, PAGE_MM

    named = {"auto": 0.0, "column": COLUMN_MM, "page": PAGE_MM}
    try:
        width = named[text] if text in named else float(text)
    except ValueError:
        width = -1
    if text not in named and not 60 <= width <= 500:
        raise UsageError(f'--width: found "{text[:40]}"; allowed: column, page, auto, or millimetres from 60 to 500')
    return width
