"""The examples of the documents run."""

from __future__ import annotations

import json
from pathlib import Path

import gpuseq
import polars as pl
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


def test_memory_column_is_the_footprint_of_records() -> None:
    table = gpuseq.records(str(DOCS.parents[1] / "results" / "h200"))
    kernels = table.filter((pl.col("kind") == "kernel") & (pl.col("status") == "ok"))
    assert kernels["memory_bytes"].null_count() == 0
    assert kernels.filter(pl.col("variant") == "task_parallel_split")["memory_bytes"].max() == 880283640


def test_glossary_is_alphabetical_short_and_without_repetition() -> None:
    lines = (DOCS.parent / "reference" / "glossary.md").read_text(encoding="utf-8").splitlines()
    terms = [line.split("|")[1].strip() for line in lines if line.startswith("| ")][1:]
    words = [word.strip() for term in terms for word in term.split(",")]
    assert 40 < len(terms) <= 60
    assert terms == sorted(terms, key=str.lower)
    assert len(words) == len(set(words))
