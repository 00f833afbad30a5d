"""Draws every committed figure again: plots/*.png of each folder in results/, and the Vega-Lite file next to each.

Usage: redraw_committed.py [FOLDER...]   (folders of results/, else all; by a Python that has requirements.txt)

Figures that no picture is committed of are not drawn.
"""

import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "reports"))
from gpuseq.__main__ import main as gpuseq
from gpuseq.figures import figures


def redraw(folder):
    names = {figure.file_stem: figure.name for figure in figures()}
    pictures = sorted((folder / "plots").glob("*.png"))
    stems = sorted({re.sub(r"-\d+$", "", picture.stem) for picture in pictures})  # a tall figure has pages
    if stems:
        for picture in pictures:
            picture.unlink()
        chosen = [word for stem in stems for word in ("--figure", names[stem])]
        gpuseq(["report", str(folder), *chosen, "--format", "png"])


def main(*folders):
    everywhere = [path for depth in ("*", "*/*") for path in sorted((ROOT / "results").glob(depth)) if path.is_dir()]
    for folder in map(pathlib.Path, folders or everywhere):
        if (folder / "records.jsonl").exists():
            redraw(folder)


if __name__ == "__main__":
    main(*sys.argv[1:])
