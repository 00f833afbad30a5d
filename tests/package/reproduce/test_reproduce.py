"""`reproduce` with a program that measures nothing: its arguments, the drawn figures, and the exit codes."""

from __future__ import annotations

import csv
import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from gpuseq.__main__ import main
from gpuseq.reproduce.table import ALL_FAMILIES, REPRODUCTIONS
from made import ON_OTHER_GPU, Case, case, write_run

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[2]
PLAN = {"states": 4, "probes": 0, "typical_s": 30, "most_s": 90, "budget_s": None, "remarks": []}
FIGURE = "fm-index/fig8"
Capture = pytest.CaptureFixture[str]


def searches(rate: float, **more: Any) -> list[Case]:
    """Rates of one layout at two reference sizes, and of a case that the figure does not draw."""
    cases: list[Case] = []
    for bases in (10**6, 2 * 10**6):
        problem = {"reference": "synthetic", "reference_bases": bases, "queries": "sampled", "query_bases": 100}
        point = {"k": 1, "d": 64, "counters": "full"}
        for variant in ("full_cooperative", "one_hot"):
            cases.append(case("fm_index", variant, rate * 10**12 / bases, point, problem,
                              state=f"fm_index/{variant}/reference_bases={bases}/k=1,d=64/x") | more)  # fmt: skip
    return cases


class Setting:
    """A folder with a committed run, a run that the program will measure, and its environment."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.committed = write_run(path / "committed", *searches(2, **ON_OTHER_GPU), summary={"name": "of old"})
        self.run = write_run(path / "measured", *searches(3), summary={"name": "of today"})
        program = path / "program"
        program.write_text(f'#!/bin/sh\nexec {sys.executable} {HERE / "reproduced_program.py"} "$@"\n')
        program.chmod(0o755)
        self.environment = {"GPUSEQ_PROGRAM": str(program), "WORDS": str(path / "words"), "PLAN": json.dumps(PLAN),
                            "RUN": str(self.run)}  # fmt: skip

    def words(self) -> list[list[str]]:
        log = self.path / "words"
        return [json.loads(line) for line in log.read_text().splitlines()] if log.exists() else []

    def arguments(self, *more: str, figure: str = FIGURE) -> list[str]:
        return ["reproduce", figure, f"--over={self.committed}", f"--output={self.path / 'out'}", *more]


@pytest.fixture
def made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Setting:
    setting = Setting(tmp_path)
    for name, value in setting.environment.items():
        monkeypatch.setenv(name, value)
    return setting


def overridden(words: list[str]) -> dict[str, Any]:
    texts = [words[place + 1] for place, word in enumerate(words) if word == "--set"]
    return {key: json.loads(value) for key, value in (text.split("=", 1) for text in texts)}


def test_the_program_plans_and_measures_the_cases_of_the_figure(made: Setting, capfd: Capture) -> None:
    assert main(made.arguments("--device=cpu", "--set=seed=7", "--benchmark-flag=--benchmark_repetitions=2")) == 0
    planned, measured = made.words()
    assert planned[:2] == ["plan", "--json"]
    assert measured[:4] == ["run", "--no-report", "--output", str(made.path / "out/run")]
    assert planned[2:] == measured[4:], "the plan is that of the run"
    assert measured[measured.index("--config") + 1] == str(ROOT / "configs/titan.json")
    assert measured[measured.index("--device") + 1] == "cpu"
    assert [word for word in measured if word.startswith("--benchmark")] == [
        "--benchmark_filter=^fm_index/(scalar|prefetch|simd|full_coop)[^/]*/[^/]*/k=1,",
        "--benchmark_repetitions=2"]  # fmt: skip
    assert overridden(measured)["seed"] == 7
    assert list(overridden(measured))[-1] == "seed", "what the user sets comes last"
    said = capfd.readouterr()
    assert "plan: 4 cases, about 30 s on a quiet machine, at most 90 s on a busy one" in said.err
    assert said.out.splitlines() == [str(made.path / "out/plots/fm-index-fig8.vl.json")]


def test_a_filter_and_a_config_of_the_user_replace_those_of_the_row(made: Setting) -> None:
    config = made.path / "mine.json"
    config.write_text('{"name": "mine", "families": {"fm_index": {}}}')
    assert main(made.arguments(f"--config={config}", "--benchmark-flag=--benchmark_filter=scalar")) == 0
    measured = made.words()[1]
    assert [word for word in measured if word.startswith("--benchmark")] == ["--benchmark_filter=scalar"]
    assert measured[measured.index("--config") + 1] == str(config)


def test_the_measuring_gets_the_rest_of_the_budget(made: Setting, capfd: Capture) -> None:
    assert main(made.arguments("--budget=1h")) == 0
    budget = float(made.words()[1][-1])
    assert made.words()[1][-2] == "--budget"
    assert 3500 < budget < 3600
    assert "left out" not in capfd.readouterr().err


def test_a_plan_over_the_budget_is_said_before_the_start(made: Setting, capfd: Capture) -> None:
    assert main(made.arguments("--budget=20")) == 0
    lines = capfd.readouterr().err.splitlines()
    assert lines[0].startswith("plan: 4 cases")
    assert lines[1].endswith(" for measuring, less than 30 s: cases that do not fit are left out")
    assert main(["reproduce", FIGURE, f"--over={made.committed}", f"--output={made.path / 'two'}", "--budget=0.1"]) == 0
    assert made.words()[-1][-2:] == ["--budget", "1.000"]


def test_a_run_without_a_case_of_the_figure_is_named(made: Setting, capfd: Capture) -> None:
    write_run(made.run, searches(3)[0], summary={"name": "of today"})  # one size is no curve
    assert main(made.arguments()) == 0
    assert "fm-index/fig8: nothing of run of today is drawn: " in capfd.readouterr().err


def test_cases_of_both_runs_are_drawn_and_no_others(made: Setting) -> None:
    assert main(made.arguments("--format=csv")) == 0
    with (made.path / "out/plots/fm-index-fig8.csv").open() as file:
        header, *rows = csv.reader(file)
    assert header[0] == "side"
    assert [(row[0], *map(float, row[3:5])) for row in rows] == [
        ("Test GPU", 1e6, 3e6), ("Test GPU", 2e6, 1.5e6), ("Other GPU", 1e6, 2e6), ("Other GPU", 2e6, 1e6)]  # fmt: skip


def test_a_run_without_a_measured_case_is_not_drawn(made: Setting, capfd: Capture) -> None:
    write_run(made.run, *(one | {"status": "skipped"} for one in searches(3)), summary={"name": "of today"})
    assert main(made.arguments()) == 1
    assert "no case was measured, so nothing is drawn" in capfd.readouterr().err
    assert not (made.path / "out/plots").exists()


def test_an_installed_program_draws_the_machine_alone(
    made: Setting, monkeypatch: pytest.MonkeyPatch, capfd: Capture
) -> None:
    (made.path / "configs").symlink_to(ROOT / "configs")
    monkeypatch.setenv("GPUSEQ_ROOT", str(made.path))  # which has no results/
    assert main(["reproduce", FIGURE, f"--output={made.path / 'out'}", "--format=csv"]) == 0
    assert "the figure will have this machine alone" in capfd.readouterr().err
    text = (made.path / "out/plots/fm-index-fig8.csv").read_text()
    assert re.findall(r"\b(?:3e\+06|3000000|1500000)(?:\.0)?\b", text) == ["3000000", "1500000"]
    assert "Other GPU" not in text


def test_tables_have_a_block_for_each_device(made: Setting) -> None:
    assert main(made.arguments("--format=tex")) == 0
    text = re.sub(r"\\\\(allowbreak|hspace\{0pt\}|raggedright|strut|-)(\{\})?", "",
                  (made.path / "out/plots/fm-index-fig8.tex").read_text())  # fmt: skip
    ours, theirs = text.index("Test GPU: "), text.index("Other GPU: ")
    assert ours < theirs
    assert ("3" in text[ours:theirs], "1.5" in text[ours:theirs]) == (True, True)
    assert "1.5" not in text[theirs:]


def test_blocks_of_one_device_are_headed_by_its_runs(made: Setting) -> None:
    write_run(made.committed, *searches(2), summary={"name": "of old"})
    assert main(made.arguments("--format=csv")) == 0
    text = (made.path / "out/plots/fm-index-fig8.csv").read_text()
    assert re.findall(r'^"(.*?)"', text, re.MULTILINE) == ["Test GPU, run of today"] * 2 + ["Test GPU, run of old"] * 2


def test_a_run_with_a_failed_case_is_drawn_and_has_exit_code_one(
    made: Setting, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CODE", "1")
    assert main(made.arguments()) == 1
    assert (made.path / "out/plots/fm-index-fig8.vl.json").exists()


@pytest.mark.parametrize("code", ["2", "130"])
def test_a_run_that_stops_is_not_drawn(made: Setting, monkeypatch: pytest.MonkeyPatch, code: str) -> None:
    monkeypatch.setenv("CODE", code)
    assert main(made.arguments()) == int(code)
    assert not (made.path / "out/plots").exists()


def test_nothing_to_measure_names_the_reason_and_the_committed_run(
    made: Setting, monkeypatch: pytest.MonkeyPatch, capfd: Capture
) -> None:
    monkeypatch.setenv("PLAN", json.dumps(PLAN | {"states": 0, "remarks": ["x: left out, it needs a cuda device"]}))
    assert main(made.arguments()) == 2
    said = capfd.readouterr().err
    assert "x: left out, it needs a cuda device" in said
    assert f"{made.committed} has the committed records" in said
    assert [words[0] for words in made.words()] == ["plan"]


@pytest.mark.parametrize(("arguments", "said"), [
    (["fm-index/fig88"], "did you mean 'fm-index/fig8'"), (["suite/same_states"], "several machines"),
    ([FIGURE, "--over=nowhere"], "nowhere has no records.jsonl; --over names the run"), ([FIGURE, "--format=bmp"], "bmp"),
    ([FIGURE, "--bare"], "--format pdf"), ([FIGURE, "--budget=soon"], "allowed: 90, 90s, 2min, 1h"),
])  # fmt: skip
def test_mistakes_are_found_before_anything_runs(
    made: Setting, capfd: Capture, arguments: list[str], said: str
) -> None:
    assert main(["reproduce", *arguments]) == 2
    assert said in capfd.readouterr().err
    assert made.words() == []


def test_a_signal_goes_to_the_program_and_stops_the_command(made: Setting) -> None:
    words = [sys.executable, "-m", "gpuseq", *made.arguments()]
    environment = os.environ | made.environment | {"PYTHONPATH": str(ROOT / "reports"), "WAIT": "1"}
    process = subprocess.Popen(words, env=environment)
    waits = made.path / "words.waits"
    end = time.monotonic() + 30
    while not waits.exists() and time.monotonic() < end:
        time.sleep(0.02)
    process.send_signal(signal.SIGTERM)
    assert process.wait(timeout=30) == 130


def test_the_list_has_a_row_per_figure_as_text_and_as_json(capsys: Capture) -> None:
    assert main(["reproduce", "list"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == len(REPRODUCTIONS)
    assert "fm-index/fig8                  titan.json                     over results/h200-papers/titan" in lines
    assert main(["reproduce", "list", "--json"]) == 0
    rows = json.loads(capsys.readouterr().out)
    assert rows[0] == {"figure": "suite/devices", "config": "reference.json", "run": "h200",
                       "families": [*ALL_FAMILIES, "fm_locate", "fm_mismatch"], "probes": [], "states": "",
                       "bounds": False, "published": None}  # fmt: skip
    assert {row["figure"]: row["published"] for row in rows}["papara/table3"] is False
