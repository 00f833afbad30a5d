"""Tests of the gate: the order of its processes, and its verdicts on slower, failing and broken builds."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import golden_pairs
import pytest
import sides
from gpuseq.__main__ import main
from gpuseq.verdicts.compare import CaseComparison, Options, Verdict, compare
from gpuseq.verdicts.gate import filter_of, rounds_needed, worth_another_round
from test_comparison_outputs import every_verdict

HERE = Path(__file__).resolve().parent


def program(**environment: object) -> str:
    words = "".join(f"{name}={value} " for name, value in environment.items())
    return f"env {words} {sys.executable} -S -E {HERE / 'measuring.py'}"


@pytest.fixture
def gate(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Callable[..., tuple[int, str]]:
    """Runs a gate and returns its exit code and its output."""
    monkeypatch.chdir(tmp_path)

    def run(base: str, new: str, *words: str) -> tuple[int, str]:
        output = tmp_path / f"gate{len(list(tmp_path.iterdir()))}"
        given = [f"--base-cmd={base}"] if base else []
        code = main(["gate", *given, f"--new-cmd={new}", f"--output={output}", *words])
        captured = capsys.readouterr()
        return code, captured.out + captured.err

    return run


def test_catches_a_build_with_one_slow_variant_and_names_it(gate: Callable[..., tuple[int, str]]) -> None:
    code, said = gate(program(), program(FACTOR=1.5), "--rounds=3")
    assert code == 1, said
    assert re.search(r"regressed\s.*\n\s+toy/steady/cpu", said)
    assert "1 regressed, 1 same" in said


def test_finds_nothing_between_a_build_and_itself(gate: Callable[..., tuple[int, str]]) -> None:
    code, said = gate(program(), program(), "--rounds=4", "--require-decided")
    assert code == 0, said
    assert "Pass: none of 2 cases" in said
    assert "Power analysis: 0 of 200 comparisons" in said
    assert "4 rounds, 8 processes per side" in said


def test_runs_base_new_new_base_each_a_process_of_its_own(gate: Callable[..., tuple[int, str]], tmp_path: Path) -> None:
    gate(program(SIDE="base"), program(SIDE="new"), "--rounds=2", "--", "--config", "x y.json")
    written = sorted(tmp_path.glob("gate*/*/*/words.json"), key=lambda file: file.stat().st_mtime_ns)
    runs = [json.loads(file.read_text()) for file in written]
    assert [environment["SIDE"] for _, environment in runs] == ["base", "new", "new", "base"] * 2
    for words, environment in runs:
        assert words[:2] == ["run", "--no-report"]
        assert words[-2:] == ["--config", "x y.json"]
        assert environment["GPUSEQ_DEFAULT_POINTS"] == "1"
        assert "PYTHONPATH" not in environment


def test_repeats_only_what_is_undecided_until_it_is_decided(
    gate: Callable[..., tuple[int, str]], tmp_path: Path
) -> None:
    code, said = gate(program(), program(FACTOR=1.5), "--rounds=4")
    assert code == 1
    assert "more: measures toy/steady/cpu again" in said, "a verdict that stops a change is confirmed once"
    (last,) = tmp_path.glob("gate*/new/010/records.jsonl")
    assert [json.loads(line)["variant"] for line in last.read_text().splitlines()[1:]] == ["steady"]


def test_stops_where_the_rest_of_the_budget_cannot_decide(gate: Callable[..., tuple[int, str]]) -> None:
    code, said = gate(program(TWO_SPEEDS=1), program(TWO_SPEEDS=1), "--rounds=2", "--budget=100")
    assert code == 3, said
    assert "2 cases undecided: the rest of the budget is" in said
    assert "the first case needs a quieter machine" in said
    code, said = gate(program(TWO_SPEEDS=1), program(TWO_SPEEDS=1), "--rounds=2", "--budget=100", "--require-decided")
    assert code == 1
    assert "--require-decided" in said


def test_the_budget_bounds_the_first_rounds(gate: Callable[..., tuple[int, str]]) -> None:
    start = time.monotonic()
    code, said = gate(program(), program(), "--rounds=1000", "--budget=2")
    assert time.monotonic() - start < 20
    assert code == 3, said
    assert "the budget is spent before all rounds were measured" in said


def test_a_short_budget_ends_after_the_first_process_of_each_side(
    gate: Callable[..., tuple[int, str]], tmp_path: Path
) -> None:
    code, said = gate(program(), program(), "--budget=0.001")
    assert code == 3, said
    assert "the budget is spent before all rounds were measured" in said
    assert len(list(tmp_path.glob("gate*/*/*/words.json"))) == 2


def test_a_case_that_answers_wrong_in_the_new_build_fails(gate: Callable[..., tuple[int, str]]) -> None:
    code, said = gate(program(), program(WRONG=1), "--rounds=1")
    assert code == 1
    assert "toy 0 is blue" in said
    assert "1 failed" in said


@pytest.mark.parametrize(("command", "said"), [
    ("/no/such/program", "/no/such/program"), ("sh -c 'echo no such option >&2; exit 2'", "no such option"),
    ("true", "true: measured nothing"), ("sh -c yes", "it printed more than 64 MiB"),
])  # fmt: skip
def test_a_command_that_does_not_run_is_an_error_with_its_last_words(
    gate: Callable[..., tuple[int, str]], command: str, said: str
) -> None:
    for base, new in ((command, program()), (program(), command)):
        code, printed = gate(base, new, "--rounds=1")
        assert code == 2
        assert said in printed


def test_mistakes_are_found_before_anything_runs(gate: Callable[..., tuple[int, str]], tmp_path: Path) -> None:
    for words in (["--rounds=0"], ["--budget=-1"], ["--budget=x"], ["--baseline=x"], ["--save=a/b"]):
        assert gate(program(), program(), *words)[0] == 2
    assert gate("", program())[0] == 2
    assert not list(tmp_path.iterdir())
    (tmp_path / "gate1").write_text("a file")
    assert gate(program(), program())[0] == 2


def test_a_baseline_is_saved_and_compared_with(gate: Callable[..., tuple[int, str]], tmp_path: Path) -> None:
    code, said = gate("", program(), "--save=before", "--rounds=4")
    assert code == 0, said
    assert len(list(tmp_path.glob("runs/baselines/before/*/records.jsonl"))) == 8
    code, said = gate("", program(), "--baseline=before", "--rounds=4")
    assert code == 0, said
    assert "the baseline was measured earlier" in said
    assert gate("", program(FACTOR=1.5), "--baseline=before", "--rounds=4")[0] == 1
    assert gate(program(), program(), "--save=before", "--rounds=1")[0] == 0, "saved besides a comparison"
    assert len(list(tmp_path.glob("runs/baselines/before/*"))) < 8
    code, said = gate("", program(), "--baseline=never")
    assert code == 2
    assert "never" in said


def test_a_slower_build_of_a_plugin_is_caught(
    gate: Callable[..., tuple[int, str]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    script = tmp_path / "this program"
    script.write_text(f'#!/bin/sh\nexec {program()} "$@"\n')
    script.chmod(0o755)
    monkeypatch.setenv("GPUSEQ_PROGRAM", str(script))
    for name, factor in (("old.so", "1"), ("copy.so", "1"), ("slow.so", "1.5")):
        (tmp_path / name).write_text(factor)
    code, said = gate("", "", "--plugin=old.so", "--plugin=copy.so", "--rounds=4")
    assert code == 0, said
    assert "old.so -> copy.so" in said
    assert "2 same" in said
    assert "plugin_hash" not in said
    code, said = gate("", "", "--plugin=old.so", "--plugin=slow.so", "--rounds=4")
    assert code == 1, said
    assert "plugin_hash of toy/steady: hash of 1 -> hash of 1.5" in said
    assert re.search(r"regressed\s.*\n\s+toy/steady/cpu", said)
    runs = [json.loads(file.read_text())[0] for file in sorted(tmp_path.glob("gate*/new/*/words.json"))]
    assert {words[words.index("--plugin") + 1] for words in runs} == {f"{tmp_path}/copy.so", f"{tmp_path}/slow.so"}
    assert gate("", "", "--plugin=old.so", "--save=before", "--rounds=4")[0] == 0
    assert gate("", "", "--plugin=slow.so", "--baseline=before", "--rounds=4")[0] == 1
    for words in (["old.so"], ["old.so"] * 3, ["old.so", "copy.so", "--probes"], ["old.so", "copy.so", "--command=a"],
                  ["old.so", "copy.so", "--baseline=before"]):  # fmt: skip
        assert gate("", "", *(f"--plugin={word}" if word.endswith(".so") else word for word in words))[0] == 2


def lives(pid: Path) -> bool:
    """Whether the process is there and has not ended."""
    try:
        return ") Z" not in Path(f"/proc/{pid.read_text().strip()}/stat").read_text()
    except OSError:
        return False


def wait_until(condition: Callable[[], bool], seconds: float = 20) -> bool:
    end = time.monotonic() + seconds
    while not condition() and time.monotonic() < end:
        time.sleep(0.01)
    return condition()


def test_a_command_that_hangs_ends_with_the_budget_and_all_that_it_started(
    gate: Callable[..., tuple[int, str]], tmp_path: Path
) -> None:
    pid = tmp_path / "pid"
    hangs = f"sh -c 'trap \"\" TERM INT HUP; sleep 1000 & echo $! > {pid}; while :; do sleep 1; done'"
    code, said = gate(program(), hangs, "--rounds=1", "--budget=0.5")
    assert code == 2
    assert "is spent, and it has finished no case for 5 s" in said
    assert wait_until(lambda: not lives(pid))


def test_a_process_that_hangs_later_leaves_the_verdict_of_the_others(
    gate: Callable[..., tuple[int, str]], tmp_path: Path
) -> None:
    script = tmp_path / "new.sh"
    script.write_text(f'[ -e "$0.second" ] && sleep 1000\ntouch "$0.second"\nexec {program()} "$@"\n')
    code, said = gate(program(), f"sh {script}", "--rounds=1", "--budget=0.5")
    assert code == 3, said
    assert "the budget is spent before all rounds were measured" in said
    assert list(tmp_path.glob("gate*/unfinished")) != []


def started(tmp_path: Path, base: str) -> subprocess.Popen[str]:
    words = ["gate", f"--base-cmd={base}", f"--new-cmd={program()}", f"--output={tmp_path / 'gate'}", "--rounds=100"]
    environment = os.environ | {"PYTHONPATH": str(HERE.parents[2] / "reports")}
    return subprocess.Popen(
        [sys.executable, "-m", "gpuseq", *words], env=environment, stderr=subprocess.PIPE, text=True
    )


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_keeps_what_was_measured(tmp_path: Path, number: int) -> None:
    process = started(tmp_path, program())
    assert wait_until(lambda: (tmp_path / "gate/new/002").exists())
    process.send_signal(number)
    _, said = process.communicate(timeout=30)
    assert process.returncode == 130
    assert "gpuseq-bench compare" in said
    assert (tmp_path / "gate/base/001/records.jsonl").exists()


def test_a_gate_that_is_killed_leaves_no_process_behind(tmp_path: Path) -> None:
    pid = tmp_path / "pid"
    process = started(tmp_path, f"sh -c 'sleep 1000 & echo $! > {pid}.part; mv {pid}.part {pid}; wait'")
    assert wait_until(pid.exists)
    assert lives(pid)
    process.kill()
    process.communicate()
    assert wait_until(lambda: not lives(pid))


def test_worth_another_round_is_what_is_inconclusive_or_not_yet_confirmed() -> None:
    comparison = every_verdict()
    assert [case.record.variant for case in worth_another_round(comparison, set())] == ["regressed", "inconclusive"]
    confirmed = {case.name for case in comparison.cases if case.verdict is Verdict.regressed}
    assert [case.record.variant for case in worth_another_round(comparison, confirmed)] == ["inconclusive"]


def _undecided(noise: float, factor: float = 1.0, count: int = 10) -> CaseComparison:
    return compare(
        sides.processes({"a": 1}, 5, count, noise), sides.processes({"a": factor}, 6, count, noise), Options()
    ).cases[0]


def test_more_rounds_are_needed_the_noisier_a_machine_is() -> None:
    needed = [rounds_needed(_undecided(noise), Options()) for noise in (0.02, 0.1, 0.3)]
    assert needed == sorted(needed)
    assert needed[0] == 1
    assert needed[-1] > 5
    assert rounds_needed(_undecided(0.02, count=2), Options()) == 1, "four processes are needed at least"


def test_a_filter_lets_exactly_its_cases_through() -> None:
    names = ["toy/a.b//k=1,d=(2)/cpu", "toy/c+//k=1/cpu"]
    chosen = re.compile(filter_of(names))
    assert all(chosen.search(f"{name}/iterations:1/manual_time") for name in names)
    for other in ("toy/axb//k=1,d=(2)/cpu", "toy/c+//k=1/cpu2", "toy/c+//k=11/cpu", "x/toy/c+//k=1/cpu"):
        assert not chosen.search(f"{other}/iterations:1/manual_time")


def test_verdicts_are_those_of_the_frozen_program() -> None:
    """tests/golden/verdicts.tsv; three whose intervals end within the error of resampling of the smallest effect."""
    different = {pair: found for pair, frozen, found in golden_pairs.verdicts() if frozen != found}
    assert different == golden_pairs.ACCEPTED
