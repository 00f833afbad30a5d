"""Tests of the gate between any two programs: its measurements, its verdicts, and how it ends."""

from __future__ import annotations

import json
import os
import random
import re
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from gpuseq.__main__ import main
from gpuseq.verdicts import programs
from gpuseq.verdicts.compare import Comparison, Options, Verdict
from gpuseq.verdicts.gate import GateOptions
from gpuseq.verdicts.processes import Ended
from gpuseq.verdicts.programs import Program, ProgramGate
from test_gate import lives, wait_until

ROOT = Path(__file__).resolve().parents[3]
HYPERFINE = ROOT / "tests/data/foreign/hyperfine_two.json"

Gate = Callable[..., tuple[int, str]]


@pytest.fixture
def gate(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Gate:
    """Runs a gate of programs in a folder of its own and returns its exit code and its output."""
    monkeypatch.chdir(tmp_path)

    def run(*words: str) -> tuple[int, str]:
        output = tmp_path / f"gate{len(list(tmp_path.iterdir()))}"
        code = main(["gate", f"--output={output}", "--budget=60", *words])
        captured = capsys.readouterr()
        return code, captured.out + captured.err

    return run


def values(base: str, new: str) -> list[str]:
    """Options of a gate between two programs that print a time."""
    return [f"--command=echo took {base} s", f"--command=echo took {new} s", "--value=took ([^ ]*) s"]


@pytest.mark.parametrize(("words", "code"), [
    (values("2", "2"), 0), (values("2", "2.2"), 1), (values("2.2", "2"), 0), (values("2", "2.01"), 0),
    ([*values("2", "2.2"), "--value-is=rate"], 0), ([*values("2.2", "2"), "--value-is=rate"], 1),
    ([*values("2e-9", "2.2e-9"), "--value-is=seconds", "--min-effect=0.2"], 0),
])  # fmt: skip
def test_a_value_is_judged_in_its_direction(gate: Gate, words: list[str], code: int) -> None:
    assert gate(*words)[0] == code


def test_outputs_are_those_of_any_gate(gate: Gate, tmp_path: Path) -> None:
    code, said = gate(*values("2", "2.2"), "--markdown=c.md", "--junit=c.xml", "--json=c.json", "--plot=p.vl.json")
    assert code == 1
    assert re.search(r"regressed .*\n\s+program/time\n\s+medians: 2 s in the base, 2.2 s in the new side", said)
    assert "Power analysis: 0 of 200 comparisons" in said
    assert "**Fail: 1 case slower, the worst by +10 %" in (tmp_path / "c.md").read_text()
    assert '<failure type="regressed"' in (tmp_path / "c.xml").read_text()
    (state,) = json.loads((tmp_path / "c.json").read_text())["states"]
    assert (state["base"]["median_s"], state["new"]["median_s"], state["values_are"]) == (2.0, 2.2, "process")


def test_compare_gives_the_verdict_again(gate: Gate, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert gate(*values("2", "2.2"))[0] == 1
    (output,) = tmp_path.glob("gate*")
    assert main(["compare", str(output / "base"), str(output / "new")]) == 1
    assert "1 regressed" in capsys.readouterr().out


def test_commands_are_lines_for_the_shell_and_alternate(gate: Gate, tmp_path: Path) -> None:
    words = [f"--command=x='{name} y'; echo $x | cat >> order; echo 1" for name in ("base", "new")]
    gate(*words, "--prepare=echo prepared >> order", "--rounds=2", "--value=(1)")
    lines = (tmp_path / "order").read_text().splitlines()
    assert lines[::2] == ["prepared"] * (len(lines) // 2)
    assert lines[1:16:2] == ["base y", "new y", "new y", "base y"] * 2


def test_wall_time_is_that_of_the_command_alone(gate: Gate, tmp_path: Path) -> None:
    gate("--command=true", "--command=true", "--prepare=sleep 1", "--rounds=1", "--budget=5")
    seconds = [json.loads(file.read_text())["results"][0]["times"][0] for file in tmp_path.glob("gate*/*/*.json")]
    assert len(seconds) >= 4
    assert min(seconds) < 1


def test_results_that_a_program_writes_are_its_cases(gate: Gate, tmp_path: Path) -> None:
    slower = "import json,sys; d = json.load(open(sys.argv[1])); [r.update(times=[2 * t for t in r['times']]) for r in " \
             "d['results'][1:]]; json.dump(d, open(sys.argv[2], 'w'))"  # fmt: skip
    code, said = gate(f"--command=cp {HYPERFINE} $GPUSEQ_RESULT",
                      f'--command={sys.executable} -c "{slower}" {HYPERFINE} "$GPUSEQ_RESULT"')  # fmt: skip
    assert code == 1, said
    assert re.search(r"regressed .*\n\s+hyperfine/sleep 0.012\n", said)
    assert "1 regressed, 1 same" in said
    code, said = gate(*[f"--command=cp {HYPERFINE} $GPUSEQ_RESULT"] * 2, "--value=(x)")
    assert code == 2
    assert "whose results --value does not read" in said
    code, said = gate(*['--command=echo {} > "$GPUSEQ_RESULT"'] * 2)
    assert code == 2
    assert "base/001.json: /: found an object" in said


@pytest.mark.parametrize(("words", "said"), [
    (["--command=true", "--command=echo no such device >&2; exit 3"],
     "exit 3: it ended with exit code 3; its last words: no such device"),
    (["--command=kill -9 $$", "--command=true"], "it was ended by signal 9"),
    (["--command=true", "--command=true", "--prepare=echo full >&2; false"], "--prepare echo full"),
    (["--command=yes >&2", "--command=true"], "it printed more than 64 MiB"),
    (values("2", "fast"), '--value took ([^ ]*) s: found "fast"; allowed: a number above 0'),
    (values("2", "-1"), 'found "-1"; allowed: a number above 0'),
    (values("2", "nan"), 'found "nan"; allowed: a number above 0'),
    (["--command=true", "--command=true", "--value=(x)?y"], "is not in its output"),
    (["--command=echo y", "--command=echo y", "--value=(x)?y"], 'found ""; allowed: a number above 0'),
])  # fmt: skip
def test_a_command_that_fails_ends_the_gate_with_its_words(gate: Gate, words: list[str], said: str) -> None:
    code, printed = gate(*words)
    assert code == 2
    assert said in printed


@pytest.mark.parametrize("words", [
    ["--command=true"], ["--command=true"] * 3, ["--command=true", "--command="], ["--prepare=true", "--new-cmd=true"],
    ["--command=true", "--command=true", "--base-cmd=true"], ["--command=true", "--command=true", "--value-is=rate"],
    ["--command=true", "--command=true", "--value=("], ["--command=true", "--command=true", "--value=x"],
    ["--command=true", "--command=true", "--value=(x)", "--value-is=hours"], ["--command=true", "--command=true", "--", "x"], [],
])  # fmt: skip
def test_mistakes_are_found_before_anything_runs(gate: Gate, tmp_path: Path, words: list[str]) -> None:
    assert gate(*words)[0] == 2
    assert not list(tmp_path.iterdir())


def test_a_baseline_of_a_program_is_saved_and_compared_with(gate: Gate) -> None:
    base, new, value = values("2", "2.2")
    assert gate(base, value, "--save=before")[0] == 0
    assert gate(base, value, "--baseline=before")[0] == 0
    assert gate(new, value, "--baseline=before")[0] == 1


def test_a_program_that_hangs_ends_with_the_budget(gate: Gate, tmp_path: Path) -> None:
    pid = tmp_path / "pid"
    code, said = gate("--command=true", f"--command=sleep 1000 & echo $! > {pid}; wait", "--budget=1")
    assert code == 2
    assert "the budget of 1 s is spent" in said
    assert wait_until(lambda: not lives(pid))


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_the_children_and_prints_what_was_measured(tmp_path: Path, number: int) -> None:
    pid, output = tmp_path / "pid", tmp_path / "gate"
    slow = f"--command=[ -e {output}/new/004.json ] && {{ sleep 1000 & echo $! > {pid}.part; mv {pid}.part {pid}; wait; }}; true"
    words = ["gate", slow, "--command=true", f"--output={output}", "--rounds=100"]
    process = subprocess.Popen([sys.executable, "-m", "gpuseq", *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                               env=os.environ | {"PYTHONPATH": str(ROOT / "reports")}, text=True)  # fmt: skip
    assert wait_until(pid.exists)
    assert lives(pid)
    process.send_signal(number)
    printed, said = process.communicate(timeout=30)
    assert process.returncode == 130
    assert "program/time" in printed
    assert f"gpuseq-bench compare {output}/base {output}/new" in said
    assert wait_until(lambda: not lives(pid))


class SimulatedGate(ProgramGate):
    """Its clock is the sum of the simulated times."""

    now = 0.0

    def elapsed(self) -> float:
        return self.now


def simulated(
    folder: Path, monkeypatch: pytest.MonkeyPatch, factor: float, seed: int, noise: float, neighbours: float
) -> Comparison:
    """A gate between programs of 0.1 s. Times have a noise that is normal in the logarithm, a slow drift of the machine, and
    a neighbour in a share of the processes."""
    draw = random.Random(seed)
    options = GateOptions("base", "new", [], folder, 5, 10, False, Options(min_effect=0.01))
    gate = SimulatedGate(options, Program(), lambda _: None)

    def run(command: list[str], *_: object) -> Ended:
        drift = 1 + 0.01 * gate.now / 10
        seconds = 0.1 * drift * draw.lognormvariate(0, noise) * (1 + 0.3 * (draw.random() < neighbours))
        gate.now += seconds
        return Ended(0, "", seconds * (factor if command[-1] == "new" else 1))

    monkeypatch.setattr(programs, "run_process", run)
    gate.first_rounds()
    return gate.further_rounds(gate.judged())[0]


def test_equal_programs_are_rarely_called_slower(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """However noisy the machine is. Further rounds judge again and again, so this is more than the share of one verdict."""
    found = [simulated(tmp_path / f"{noise}-{seed}", monkeypatch, 1.0, seed, noise, 0.1).cases[0].verdict
             for noise in (0.003, 0.02) for seed in range(40)]  # fmt: skip
    assert found.count(Verdict.regressed) <= 2
    assert found.count(Verdict.improved) <= 2


def test_three_per_cent_are_caught_on_a_quiet_machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    found = [simulated(tmp_path / str(seed), monkeypatch, 1.03, seed, 0.003, 0).cases[0].verdict for seed in range(20)]
    assert found.count(Verdict.regressed) >= 19
