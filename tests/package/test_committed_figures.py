"""The committed pictures are those that their records draw now."""

from __future__ import annotations

import json
from pathlib import Path

import golden_figures
import pytest
from gpuseq.charts.vega_lite import screen_spec
from gpuseq.figures import drawn, figures

ROOT = Path(__file__).resolve().parents[2]
RESULTS = ROOT / "results"
SPECIFICATIONS = sorted([*RESULTS.glob("*/plots/*.vl.json"), *RESULTS.glob("*/*/plots/*.vl.json")])


@pytest.mark.parametrize("file", SPECIFICATIONS, ids=lambda file: str(file.relative_to(RESULTS)))
def test_specification_is_that_of_the_records(file: Path) -> None:
    figure = next(figure for figure in figures() if f"{figure.file_stem}.vl.json" == file.name)
    report = golden_figures.report_of(ROOT, str(file.parents[1].relative_to(RESULTS)))
    spec = screen_spec(drawn(figure, report, golden_figures.published_of(ROOT, report)))
    committed = json.loads(file.read_text(encoding="utf-8"))
    assert committed == json.loads(json.dumps(spec)), "reports/redraw_committed.py draws all committed figures again"
