"""The committed pictures are those that their records draw now."""

from __future__ import annotations

import hashlib
import re
import subprocess
from pathlib import Path

import golden_figures
import pytest
from gpuseq.charts.vega_lite import screen_spec, spec_text
from gpuseq.figures import drawn, figures

ROOT = Path(__file__).resolve().parents[2]
RESULTS = ROOT / "results"
LARGEST = 25_000_000  # bytes of results/, which every clone and every archive carries
FOLDERS = sorted({file.parent for file in RESULTS.rglob("plots/*.png")})
SUMS = [
    (file.parent, *line.split())
    for file in sorted(RESULTS.rglob("plots/SHA256SUMS"))
    for line in file.read_text().splitlines()
]


@pytest.mark.parametrize(("folder", "sum_", "name"), SUMS, ids=lambda word: str(word).removeprefix(f"{RESULTS}/"))
def test_picture_is_that_of_the_records(folder: Path, sum_: str, name: str) -> None:
    figure = next(figure for figure in figures() if f"{figure.file_stem}.vl.json" == name)
    report = golden_figures.report_of(ROOT, str(folder.parent.relative_to(RESULTS)))
    spec = spec_text(screen_spec(drawn(figure, report, golden_figures.published_of(ROOT, report))))
    found = hashlib.sha256(spec.encode()).hexdigest()
    assert found == sum_, "reports/redraw_committed.py draws all committed figures again"


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: str(folder.relative_to(RESULTS)))
def test_every_picture_has_a_sum(folder: Path) -> None:
    stems = {re.sub(r"-\d+$", "", picture.stem) for picture in folder.glob("*.png")}
    assert [f"{stem}.vl.json" for stem in sorted(stems)] == [name for where, _, name in SUMS if where == folder]


def test_committed_records_and_pictures_stay_small() -> None:
    listed = subprocess.run(["git", "ls-files", "-z", "results"], cwd=ROOT, capture_output=True, text=True, check=False)
    if listed.returncode:
        pytest.skip("no checkout of git")
    sizes = {name: (ROOT / name).stat().st_size for name in listed.stdout.split("\0") if (ROOT / name).is_file()}
    largest = sorted(sizes.items(), key=lambda item: -item[1])[:3]
    assert sum(sizes.values()) <= LARGEST, f"reports/retire.py removes folders; the largest files: {largest}"
