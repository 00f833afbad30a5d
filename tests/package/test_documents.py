"""The examples of the documents run."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

DOCS = Path(__file__).resolve().parents[2] / "docs" / "guides"


def test_notebook(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(DOCS)
    cells = json.loads((DOCS / "figure.ipynb").read_text())["cells"]
    names: dict[str, object] = {}
    for cell in cells:
        if cell["cell_type"] == "code":
            exec("".join(cell["source"]), names)  # noqa: S102
    best = names["best"]
    assert best.height > 10 and set(best.columns) == {"variant", "fact_reference_bases", "rate"}  # type: ignore[attr-defined]
