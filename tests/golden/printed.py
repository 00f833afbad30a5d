"""Reads the values of figures, LaTeX tables, winners and bounds that the program derives from committed runs.

A row is (run, name, panel, series, x, y, low, high); `x` is a number or a text, `y`, `low` and `high` are numbers or None.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

Json = Any


class Row(NamedTuple):
    """One value that the program prints; `text` is compared letter by letter."""

    run: str
    name: str
    panel: str
    series: str
    x: str
    y: float | None = None
    low: float | None = None
    high: float | None = None
    text: str = ""


class Program:
    """A build of gpuseq-bench with the checkout whose runs it reads."""

    def __init__(self, binary: Path, root: Path) -> None:
        self.binary = binary.resolve()
        self.root = root.resolve()
        self.environment = os.environ | {
            "GPUSEQ_ROOT": str(self.root),
            "GPUSEQ_PYTHON": os.environ.get("GPUSEQ_PYTHON", str(self.root / ".venv/bin/python")),
        }

    def call(self, *arguments: str, allowed: tuple[int, ...] = (0,)) -> str:
        """Standard output; raises unless the exit code is one of `allowed`."""
        done = subprocess.run(
            [str(self.binary), *arguments], cwd=self.root, env=self.environment, capture_output=True, text=True
        )
        if done.returncode not in allowed:
            raise RuntimeError(f"{' '.join(arguments)}: exit code {done.returncode}: {done.stderr.strip()[-400:]}")
        return done.stdout


def runs_of(root: Path) -> list[str]:
    """Names of the committed runs."""
    return sorted(path.parent.name for path in (root / "results").glob("*/records.jsonl"))


def shown(value: Json) -> str:
    """A position: nine digits are enough to tell two of them apart."""
    return f"{value:.9g}" if isinstance(value, int | float) else str(value)


def data_blocks(spec: Json, panel: str = "") -> Iterator[tuple[str, list[Json]]]:
    """The values of a Vega-Lite specification with the title of their panel."""
    if isinstance(spec, list):
        for part in spec:
            yield from data_blocks(part, panel)
    elif isinstance(spec, dict):
        title = spec.get("title", panel)
        panel = title.get("text", panel) if isinstance(title, dict) else title
        data = spec.get("data")
        if isinstance(data, dict) and "values" in data:
            yield panel, data["values"]
        for part in ("concat", "hconcat", "vconcat", "layer", "spec"):
            yield from data_blocks(spec.get(part), panel)


def rows_of_value(run: str, figure: str, panel: str, value: Json) -> Iterator[Row]:
    """A mark of a figure, whatever kind of chart it is in."""
    series, low, high = value.get("series"), value.get("low"), value.get("high")
    if "value" in value and "from" in value:  # a cell of a heat map
        series, x, y = value["row"], value["from"], value["value"]
    elif "value" in value:  # a bar
        series, x, y = series or "", value["row"], value["value"]
    elif "at" in value:  # a labelled line
        series, x, y = f"line: {value['label']}", value.get("x", value["at"]), value["at"]
    elif "from" in value:
        series, x, y = "band", value["from"], value["to"]
    else:
        series, x, y = series or "front", value["x"], value["y"]
    yield Row(run, figure, panel, series, shown(x), y, low, high)
    bound = value.get("bound", value.get("ceiling"))  # the program at the frozen commit calls a bound a ceiling
    if bound is not None:
        yield Row(run, figure, panel, f"{series} (bound)", shown(x), bound)


def figure_rows(run: str, figure: str, spec: Json) -> list[Row]:
    """All marks; two layers of one panel that hold the same lines count once."""
    spec = spec | {"title": ""}
    rows = [row for panel, values in data_blocks(spec) for value in values
            for row in rows_of_value(run, figure, panel, value)]
    lines = dict.fromkeys(row for row in rows if row.series.startswith("line: "))
    return [row for row in rows if not row.series.startswith("line: ")] + list(lines)


def plain_cell(cell: str) -> str:
    """The words and numbers of a LaTeX cell."""
    cell = re.sub(r"\\(?:parbox|multicolumn)(?:\[\w\])?\{[^{}]*\}", "", cell)
    cell = re.sub(r"\\(?:raggedright|raggedleft|itshape|strut|par)(?![a-zA-Z])|\\-", "", cell)
    cell = re.sub(r"\{@\{\}\w+@\{\}\}|\\(?:allowbreak|hspace)\{[^{}]*\}", "", cell)
    cell = re.sub(r"[{}]", "", cell)
    return re.sub(r"\\([_%&#$])", r"\1", cell).strip()


def table_rows(run: str, figure: str, latex: str) -> list[Row]:
    """The lines of a LaTeX table, its captions left out: they name the program's version."""
    inside = re.findall(r"\\begin\{tabular\}\{[^\n]*\}\n(.*?)\\end\{tabular\}", latex, re.DOTALL)
    rows, panel = [], ""
    for part in inside:
        for line in part.splitlines():
            if line.startswith("\\multicolumn"):
                panel = plain_cell(line.removesuffix("\\\\").strip())
            elif line.endswith("\\\\"):
                first, *rest = (plain_cell(cell) for cell in re.split(r"(?<!\\)&", line.removesuffix("\\\\")))
                rows.append(Row(run, figure, panel, "line", first, text=" | ".join(rest)))
    return rows


def drawn_figures(program: Program, folder: str) -> list[str]:
    """Names of the figures that the run can draw."""
    lines = program.call("report", folder, "--figure", "list").splitlines()
    return [line.split()[0] for line in lines if line.strip() and "[not drawn" not in line]


def drawn(program: Program, run: str) -> tuple[list[Row], list[Row]]:
    """The figures of a run and their LaTeX tables."""
    figures = drawn_figures(program, f"results/{run}")
    if not figures:
        return [], []
    rows: list[Row] = []
    tables: list[Row] = []
    with tempfile.TemporaryDirectory() as folder:
        program.call("report", f"results/{run}", "--figure", *figures, "--format", "tex", "--output", folder)
        for name in figures:
            stem = Path(folder) / "plots" / name.replace("/", "-")
            rows += figure_rows(run, name, json.loads(stem.with_suffix(".vl.json").read_text()))
            if stem.with_suffix(".tex").exists():
                tables += table_rows(run, name, stem.with_suffix(".tex").read_text())
    return rows, tables


def text_of(values: dict[str, Json]) -> str:
    return ",".join(f"{key}={value}" for key, value in values.items())


def winner_row(run: str, winner: Json) -> Row:
    """A winner of a run: `y` is its score, the text its variant, its point and the limiting resource."""
    chosen = f"{winner['variant']} {text_of(winner['point'])} bound by {winner.get('bound_by')}"
    return Row(run, winner["family"], winner.get("problem_label", ""), winner["objective"]["metric"], winner["device"],
               winner["score"], winner.get("rate_low"), winner.get("rate_high"), chosen)


def bound_rows(run: str, record: Json) -> Iterator[Row]:
    """The bound of a record's rate, the limiting resource, and the share that the kernel reaches."""
    bound = record.get("bound")
    if bound:
        place = f"{record['phase']} {record['repetition']}"
        yield Row(run, record["family"], record["state"], "bound", place, bound["rate"], text=bound["bound_by"])
        yield Row(run, record["family"], record["state"], "share", place, bound["fraction"])


def judged_again(program: Program, run: str) -> tuple[list[Row], list[Row]]:
    """Winners and bounds, which `merge` derives again from the samples and probes of a run."""
    source = program.root / "results" / run
    if not (source / "records.jsonl").exists():
        return [], []
    with tempfile.TemporaryDirectory() as folder:
        merged = Path(folder) / "merged"
        program.call("merge", "--allow-gaps", "--no-report", str(source), "--output", str(merged), allowed=(0, 1))
        winners = [winner_row(run, winner) for winner in json.loads((merged / "run.json").read_text()).get("tuned", [])]
        with (merged / "records.jsonl").open() as lines:
            bounds = [row for line in lines if '"state"' in line for row in bound_rows(run, json.loads(line))]
    return winners, bounds
