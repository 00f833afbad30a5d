"""Draws every committed figure again: plots/*.png of each folder in results/.

Usage: redraw_committed.py [FOLDER...]   (folders of results/, else all; by a Python that has
requirements.txt and requirements-tests.txt)

Figures that no picture is committed of are not drawn. plots/SHA256SUMS has the sums of the Vega-Lite files, which are too large to be
committed; `sha256sum` and tests/package/test_committed_figures.py compare them.
"""

import hashlib
import pathlib
import re
import sys

import oxipng

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "reports"))
from gpuseq.__main__ import main as gpuseq
from gpuseq.figures import figures


def sum_of(specification):
    """Removes the file and returns its line of sha256sum."""
    line = f"{hashlib.sha256(specification.read_bytes()).hexdigest()}  {specification.name}\n"
    specification.unlink()
    return line


def redraw(folder):
    names = {figure.file_stem: figure.name for figure in figures()}
    pictures = sorted((folder / "plots").glob("*.png"))
    stems = sorted({re.sub(r"-\d+$", "", picture.stem) for picture in pictures})  # a tall figure has pages
    if stems:
        for picture in pictures:
            picture.unlink()
        chosen = [word for stem in stems for word in ("--figure", names[stem])]
        gpuseq(["report", str(folder), *chosen, "--format", "png"])
        for picture in (folder / "plots").glob("*.png"):
            # The same pixels in a ninth fewer bytes, which every clone carries; 8 s a picture.
            oxipng.optimize(picture, level=4, deflate=oxipng.Deflaters.zopfli(5))
        sums = [sum_of(folder / "plots" / f"{stem}.vl.json") for stem in stems]
        (folder / "plots/SHA256SUMS").write_text("".join(sums), encoding="utf-8")


def main(*folders):
    everywhere = [path for depth in ("*", "*/*") for path in sorted((ROOT / "results").glob(depth)) if path.is_dir()]
    for folder in map(pathlib.Path, folders or everywhere):
        if (folder / "records.jsonl").exists():
            redraw(folder)


if __name__ == "__main__":
    main(*sys.argv[1:])
