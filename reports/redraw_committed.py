"""Draws every committed figure again: results/*/plots/*.png and the Vega-Lite file beside each.

Usage: redraw_committed.py PROGRAM [FOLDER...]   (build/release/bench/gpuseq-bench; folders of results/, else all)

The program finds its renderer as `report` does (docs/usage.md). Figures that no picture is committed of are not drawn.
"""

import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent


def figure_names(program, folder):
    """Names of figures by the stem of their files."""
    listed = subprocess.run([program, "report", folder, "--figure", "list"], check=True, capture_output=True, text=True)
    names = (line.split()[0] for line in listed.stdout.splitlines() if line.strip())
    return {name.replace("/", "-"): name for name in names}


def redraw(program, folder):
    stems = sorted(picture.stem for picture in (folder / "plots").glob("*.png"))
    if not stems:
        return
    names = figure_names(program, folder)
    figures = [argument for stem in stems for argument in ("--figure", names[stem])]
    subprocess.run([program, "report", folder, *figures, "--format", "png"], check=True)


def main(program, *folders):
    for folder in map(pathlib.Path, folders or sorted((ROOT / "results").iterdir())):
        if (folder / "records.jsonl").exists():
            redraw(program, folder)


if __name__ == "__main__":
    main(*sys.argv[1:])
