"""Draws every committed figure again: results/*/plots/*.png and the Vega-Lite file beside each.

A folder with a runs.txt has figures of the runs that are named there, a folder of results/ a line, boards of one model as one
device.

Usage: redraw_committed.py PROGRAM [FOLDER...]   (build/release/bench/gpuseq-bench; folders of results/, else all)

The program finds its renderer as `report` does (docs/usage.md). Figures that no picture is committed of are not drawn.
"""

import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
COMPARED = "runs.txt"


def runs_of(folder):
    """What `report` is asked for."""
    if not (folder / COMPARED).exists():
        return [folder]
    names = (folder / COMPARED).read_text(encoding="utf-8").split()
    return [*(folder.parent / name for name in names), "--by-model", "--output", folder]


def figure_names(program, folder):
    """Names of figures by the stem of their files."""
    listed = subprocess.run(
        [program, "report", *runs_of(folder), "--figure", "list"], check=True, capture_output=True, text=True
    )
    names = (line.split()[0] for line in listed.stdout.splitlines() if line.strip())
    return {name.replace("/", "-"): name for name in names}


def redraw(program, folder):
    stems = sorted(picture.stem for picture in (folder / "plots").glob("*.png"))
    if not stems:
        return
    names = figure_names(program, folder)
    figures = [argument for stem in stems for argument in ("--figure", names[stem])]
    subprocess.run([program, "report", *runs_of(folder), *figures, "--format", "png"], check=True)


def main(program, *folders):
    for folder in map(pathlib.Path, folders or sorted((ROOT / "results").iterdir())):
        if (folder / "records.jsonl").exists() or (folder / COMPARED).exists():
            redraw(program, folder)


if __name__ == "__main__":
    main(*sys.argv[1:])
