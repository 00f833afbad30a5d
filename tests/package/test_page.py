"""The page of a report: its records, and the escaping of their texts."""

from __future__ import annotations

import json
import math
import re
import subprocess
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from gpuseq.charts.values import Heading, LineChart, Mark, Panel, Quantity
from gpuseq.drawing import Figure
from gpuseq.page import PageFigure, page_figure, page_text
from gpuseq.page.commands import ExecUse, case_expression, config_of, literal, measure_line
from gpuseq.page.findings import findings
from gpuseq.page.html import describe
from gpuseq.page.packed_json import JsonPacker, number_json, numbers_json
from gpuseq.page.winners import winner_tables, winners_of
from gpuseq.published import Published
from gpuseq.runs import Report, Run, load_runs
from gpuseq.units import Unit

Json = Any
ROOT = Path(__file__).resolve().parents[2]
RUNS = sorted(file.parent for file in (ROOT / "results").glob("*/run.json"))
HOSTILE = "</script><script>document.title='hacked'</script><img src=x onerror=\"alert(1)\">\u202e{{ 7 * 7 }}"


def unpacked(packed: Json, dictionary: Json) -> Json:
    """As assets/records.js reads."""
    if not isinstance(packed, list):
        return packed
    shape, *items = packed
    if shape == -2:
        return unpacked(dictionary["pool"][items[0]], dictionary)
    values = [unpacked(item, dictionary) for item in items]
    return values if shape == -1 else dict(zip(dictionary["shapes"][shape], values, strict=True))


def scripts_of(page: str) -> dict[str, Json]:
    found = re.findall(r'<script type="application/json" id="([^"]*)">(.*?)</script>', page, re.DOTALL)
    return {name: json.loads(text) for name, text in found}


class Elements(HTMLParser):
    """Every element of a page with its attributes, and the texts outside of scripts and styles."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.texts: list[str] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        if self.cdata_elem is None:
            self.texts.append(data)


def page_of(report: Report, figures: list[PageFigure] | None = None, vega: str = "vega") -> str:
    return "".join(page_text(report, Published(), figures or [], vega, "", ROOT, {}))


def made_run(folder: Path, text: str = "") -> Report:
    """A run with two records and a winner; `text` is in every text of them."""
    provenance = {"device": {"name": f"GPU{text}", "uuid": "1"}, "host": {f"name{text}": text}, "seed": 1}
    record: dict[str, Json] = {
        "schema_version": 3, "state": "s", "family": f"family{text}", "variant": f"variant{text}",
        "problem": {"bases": 1000}, "point": {"k": 2, f"axis{text}": f"value{text}"}, "device": "cuda:0",
        "kind": "kernel", "phase": "sweep", "repetition": 0, "status": "ok", "failure": None,
        "samples_s": [0.123456789, 1e-7, 3.0], "launches_per_sample": 1,
        "work": {"amount": 8447459328.0, "unit": "bases"},
        "statistics": {"samples": 3, "median_s": 0.125, "confidence": 0.75, "rate": 6.5e10, "rate_low": 6.25e10,
                       "rate_high": 7e10, "rate_unit": f"bases/s{text}"},
        "traffic": None, "resources": None, "memory": None, "memory_reason": text, "counters": None, "energy": None,
        "bound": {"rate": 1e11, "fraction": 0.65, "bound_by": f"L2{text}"}, "facts": {"__proto__": text, "whole": 12.0},
        "notes": [text], "synthetic": False, "problem_hash": "h", "problem_label": f"label{text}",
        "date": "2026-11-20T10:00:00Z", "provenance": "p",
    }  # fmt: skip
    failed = {**record, "status": "skipped", "statistics": None, "bound": None, "samples_s": [], "phase": "tune",
              "failure": {"kind": "does_not_fit", "reason": f"no memory{text}"}, "point": {"k": 3}}  # fmt: skip
    lines = [{"provenance_id": "p", "provenance": provenance}, record, failed]
    winner = {
        "family": record["family"], "problem": record["problem"], "problem_label": record["problem_label"],
        "device": "cuda:0", "objective": {"metric": "rate", "direction": "max"}, "variant": record["variant"],
        "point": record["point"], "score": 6.5e10, "rate": 6.5e10, "rate_low": 6.25e10, "rate_high": 7e10,
        "confidence": 0.75, "samples": 3, "rate_unit": record["statistics"]["rate_unit"], "fraction_of_bound": 0.65,
        "bound_by": record["bound"]["bound_by"], "memory": {"bytes": 403140792}, "waits": {"total_s": 0.1, "parts": {}},
        "runners_up": [{"variant": f"other{text}", "point": {"k": 1}, "rate": 5e10}],
    }  # fmt: skip
    summary = {"name": f"run{text}", "config_source": f"configs/gone{text}.json", "config": {"families": {text: text}},
               "devices": {"cuda:0": {"name": f"GPU{text}", f"fact{text}": text}}, "tuned": [winner]}  # fmt: skip
    folder.mkdir()
    (folder / "records.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    (folder / "run.json").write_text(json.dumps(summary))
    return load_runs([folder])


def chart_with(text: str) -> tuple[Figure, LineChart]:
    chart = LineChart(
        Quantity(f"x{text}", Unit.bytes, log=True), Quantity("y", Unit.number), Heading("t", [f"n{text}"])
    )
    chart.series = [f"s{text}"]
    marks = [Mark(10, 1, series=f"s{text}", record=0, tips=[("Tip", text)]), Mark(100, 2, series=f"s{text}", record=1)]
    chart.panels.append(Panel(f"p{text}", marks))

    def draw(*_: object) -> LineChart:
        return chart

    return Figure("family/figure", f"title{text}", f"heading{text}", f"caption{text}", draw), chart


def test_hostile_texts_stay_texts(tmp_path: Path) -> None:
    report = made_run(tmp_path / "run", HOSTILE)
    page = page_of(report, [page_figure(*chart_with(HOSTILE)), page_figure(chart_with(HOSTILE)[0], f"no {HOSTILE}")])
    plain = Elements(
        page_of(made_run(tmp_path / "plain"), [page_figure(*chart_with("")), page_figure(chart_with("")[0], "no")])
    )
    elements = Elements(page)
    tags = [tag for tag, _ in elements.elements]
    assert "img" not in tags
    assert tags.count("script") == [tag for tag, _ in plain.elements].count("script")
    assert not [name for _, attributes in elements.elements for name in attributes if name.startswith("on")]
    texts = "".join(elements.texts)
    assert texts.count("<img src=x") > 15
    assert "{{ 7 * 7 }}" in texts
    assert "\u202e" not in page


def test_nothing_is_loaded_from_anywhere(tmp_path: Path) -> None:
    page = page_of(made_run(tmp_path / "run"), [page_figure(*chart_with(""))])
    elements = Elements(page).elements
    assert not [attributes for tag, attributes in elements if "src" in attributes]
    assert {attributes.get("href") for tag, attributes in elements if tag == "link"} == {"data:,"}
    policy = next(attributes["content"] for tag, attributes in elements if "http-equiv" in attributes)
    assert policy and policy.startswith("default-src 'none';")
    assert "http" not in policy


def test_packed_records_read_back(tmp_path: Path) -> None:
    report = made_run(tmp_path / "run", "é<")
    scripts = scripts_of(page_of(report))
    columns, dictionary = scripts["record-columns"], scripts["record-dictionary"]
    for place, record in enumerate(report.records):
        rest, own, shared = (unpacked(part, dictionary) for part in scripts["record-details-0"][place])
        expected = {name: value for name, value in record.data.items() if name in rest}
        assert set(record.data) - set(rest) == {
            "schema_version", "state", "family", "variant", "problem", "point", "device", "kind", "phase", "repetition",
            "status", "failure", "synthetic", "provenance", "date"}  # fmt: skip
        assert rest.pop("samples_s") == pytest.approx(expected.pop("samples_s"), rel=1e-5)
        assert rest == expected
        assert shared | own == {**record.provenance, "date": "2026-11-20T10:00:00Z"}
        pooled = {name: column["values"][column["rows"][place]] for name, column in columns["pooled"].items()}
        assert pooled["point"] == record.point
        assert pooled["problem"] == record.problem
        assert pooled["device"] == record.device_name
        assert pooled["status"] == record.data["status"]
    assert columns["numbers"]["rate"] == [6.5e10, None]
    assert columns["numbers"]["samples"] == [3, 0]
    assert columns["numbers"]["fraction_of_bound"] == [0.65, None]


@pytest.mark.parametrize(
    ("value", "text"),
    [(0.123456789, "0.123457"), (8447459328.0, "8447459328"), (3.0, "3"), (1e-7, "1e-07"), (1e300, "1e+300"),
     (123456.7, "123457"), (-0.5, "-0.5"), (math.nan, "null"), (math.inf, "null"), (0.0, "0")],
)  # fmt: skip
def test_numbers_keep_six_digits_or_are_whole(value: float, text: str) -> None:
    assert number_json(value) == text
    assert numbers_json([0.25, value]) == f"0.25,{text}"


def test_equal_values_are_shared() -> None:
    packer = JsonPacker()
    assert packer.share({"a": [1, "b"]}) == packer.share({"a": [1, "b"]}) != packer.share({"a": [True, None]})
    dictionary = json.loads(packer.dictionary())
    assert dictionary["shapes"] == [["a"]]
    assert [unpacked([-2, place], dictionary) for place in (0, 1)] == [{"a": [1, "b"]}, {"a": [True, None]}]


@pytest.mark.parametrize("run", RUNS, ids=lambda run: run.name)
def test_winners_are_those_of_run_json(run: Path) -> None:
    report = load_runs([run])
    tuned = (report.runs[0].summary or {}).get("tuned", [])
    winners = winners_of(report)
    assert [winner.tuned for winner in winners] == tuned
    assert all(winner.record is not None for winner in winners)
    tables = winner_tables(report, winners, ROOT, {})
    assert sum(len(table.rows) for table in tables) == len(tuned)
    best: dict[tuple[str, ...], float] = {}
    for one in tuned:
        problem = (one["family"], json.dumps(one["problem"], sort_keys=True), one["objective"]["metric"])
        sign = -1 if one["objective"]["direction"] == "min" else 1
        best[problem] = max(best.get(problem, -math.inf), sign * one["score" if problem[2] != "rate" else "rate"])
    shown = [abs(finding.winners[0].score) for finding in findings(report, winners)]
    assert sorted(shown) == sorted(abs(score) for score in best.values())


def test_first_screen_has_the_units_of_the_terminal(tmp_path: Path) -> None:
    texts = "".join(Elements(page_of(made_run(tmp_path / "run"))).texts)
    first = texts[texts.index("Best configurations") : texts.index("Comparisons")]
    for text in ("label", "GPU", "variant", "65 Gbases/s", "62.5 to 70 G (75 %)", "65 % (L2)", "403 MB", "100 ms"):
        assert text in first.replace("65 G bases/s", "65 Gbases/s"), text


def test_page_without_scripts_tells_how_to_get_plots(tmp_path: Path) -> None:
    page = "".join(page_text(made_run(tmp_path / "run"), Published(), [], "", "no module", ROOT, {}))
    assert 'class="plot"' not in page
    assert "This page has no plots: no module" in page


def test_commands_name_configs_that_exist(tmp_path: Path) -> None:
    report = made_run(tmp_path / "run")
    assert config_of(report.runs[0], ROOT) == f"{tmp_path}/run/run.json"
    config = json.loads((ROOT / "configs/quick.json").read_text())
    summary = report.runs[0].summary or {}
    summary["config_source"], summary["config"] = "configs/quick.json", config
    assert config_of(report.runs[0], ROOT) == "quick.json"
    summary["config"] = {**config, "families": {}}
    assert config_of(report.runs[0], ROOT) == f"{tmp_path}/run/run.json"
    for folder in RUNS:
        name = config_of(Run(folder, folder.name, json.loads((folder / "run.json").read_text())), ROOT)
        assert (ROOT / name).is_file() or (ROOT / "configs" / name).is_file(), name


def test_expression_finds_a_case_in_newer_programs(tmp_path: Path) -> None:
    report = made_run(tmp_path / "run")
    record, run = report.records[1], report.runs[0]
    record.family, record.variant = "f", "v"
    record.data |= {"problem": {"a": 1, "b": "x|y"}, "point": {"k": 2}}
    expression = re.compile(case_expression(record, run))
    for case in ("f/v/a=1,b=x|y/k=2/cuda:0", "f/v/new=0,a=1,other=2,b=x|y/k=2,d=64/cuda:0"):
        assert expression.search(case), case
    for case in ("f/v/a=11,b=x|y/k=2/cuda:0", "f/v/a=1,b=x|y/k=22/cuda:0", "f/v2/a=1,b=x|y/k=2/c", "f/v/a=1,b=x/k=2/c"):
        assert not expression.search(case), case
    run.summary = {"sizes": [{"family": "f", "axis": "a"}]}
    assert re.search(case_expression(record, run), "f/v/a=5,b=x|y/k=2/cuda:0")


def test_literal_matches_its_text_only() -> None:
    for text in ("a=1.5,b=x|y/c=(2)", "a+b*c?[d]{2}^$\\", "Größe × 1"):
        assert re.fullmatch(literal(text), text)
    assert not re.search(literal("a.b"), "axb")


def test_commands_survive_a_shell(tmp_path: Path) -> None:
    report = made_run(tmp_path / "it's a run")
    line = measure_line(report.records[0], report.runs[0], ROOT)
    words = subprocess.run(["sh", "-c", f"printf '%s\\n' {line}"], capture_output=True, text=True, check=True).stdout
    assert words.splitlines()[:5] == [
        "gpuseq-bench",
        "--config",
        f"{tmp_path}/it's a run/run.json",
        "--device",
        "cuda:0",
    ]


def test_exec_line_has_point_options_and_roles(tmp_path: Path) -> None:
    report = made_run(tmp_path / "run")
    use = ExecUse(["reference", "queries"], ["variant"], {"bases": False, "both_strands": True})
    table = winner_tables(report, winners_of(report), ROOT, {"family": use})[0]
    assert table.rows[0].below[0][1] == (
        "gpuseq-bench exec family --variant variant --point k=2,axis=value --bases 1000 --data reference=REFERENCE "
        "--data queries=QUERIES --device cuda:0 --out ANSWERS"
    )


def test_values_are_described_in_words() -> None:
    assert describe("memory_bytes", 1 << 30) == "1 GiB"
    assert describe("", [True, 2.5, "x"]) == "yes; 2.5; x"
    assert describe("", {"max_mhz": 1980.0, "none": None}) == "max mhz 1980, none null"


def test_devices_are_compared_at_their_own_sizes() -> None:
    def winner(device: str, size: int, rate: float) -> dict[str, Json]:
        return {"family": "papara", "problem": {"query_count": size, "sites": 2000}, "problem_label": f"{size} reads",
                "size": {"axis": "query_count", "noun": "reads", "value": size}, "device": device, "variant": "v",
                "point": {}, "objective": {"metric": "rate", "direction": "max"}, "rate": rate, "score": rate,
                "rate_unit": "cells/s"}  # fmt: skip

    devices = {"cuda:0": {"name": "GPU"}, "cpu": {"name": "CPU"}}
    summary = {"tuned": [winner("cuda:0", 8192, 7e12), winner("cpu", 512, 4e11)], "devices": devices}
    report = Report([Run(Path("run"), "run", summary)], [])
    [finding] = findings(report, winners_of(report))
    assert [one.device_name for one in finding.winners] == ["GPU", "CPU"]
    assert "at 512 reads" in finding.sentences[1]
