"""compare and history from the command line: the sides, the files that are written, and the exit codes."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
import sides
from gpuseq.__main__ import main


class Folder:
    def __init__(self, path: Path) -> None:
        self.path = path

    def side(self, name: str, side: sides.Side) -> str:
        return sides.write_side(self.path / name, side)


@pytest.fixture
def made(tmp_path: Path) -> Folder:
    return Folder(tmp_path)


def test_exit_code_is_one_for_a_regression_and_zero_for_none(made: Folder, capsys: pytest.CaptureFixture[str]) -> None:
    base, same, slow = (made.side(name, sides.processes({"scalar": factor}, seed))
                        for seed, (name, factor) in enumerate({"base": 1, "same": 1, "slow": 1.1}.items(), 1))  # fmt: skip
    assert main(["compare", base, same]) == 0
    assert "Power analysis: " in capsys.readouterr().out
    assert main(["compare", base, slow]) == 1
    printed = capsys.readouterr().out
    assert "regressed" in printed
    assert "1 case slower" in printed
    assert main(["compare", base, slow, "--min-effect=0.2"]) == 0


def test_exit_code_is_one_for_256_regressions(made: Folder, capsys: pytest.CaptureFixture[str]) -> None:
    sides_of = (sides.processes({f"v{i}": factor for i in range(256)}, seed) for seed, factor in ((1, 1), (2, 2)))
    base, slow = (made.side(str(number), side) for number, side in enumerate(sides_of))
    assert main(["compare", base, slow]) == 1
    assert "256 regressed" in capsys.readouterr().out


def test_exit_code_is_three_where_nothing_can_be_decided(made: Folder) -> None:
    base = made.side("base", sides.one_process(sides.record("a", [1, 1.1, 1])))
    assert main(["compare", base, base]) == 3


def test_exit_code_is_two_for_what_cannot_be_compared(made: Folder, capsys: pytest.CaptureFixture[str]) -> None:
    other = sides.record("a", [1.0] * 4)
    other.provenance["device"]["name"] = "Intel Xeon"
    base = made.side("base", sides.one_process(sides.record("a", [1.0] * 4)))
    far = made.side("far", sides.one_process(other))
    assert main(["compare", base, far]) == 2
    assert "device cpu/name" in capsys.readouterr().err
    assert main(["compare", base, far, "--allow=device"]) == 0
    assert main(["compare", base, str(made.path / "none")]) == 2
    assert main(["compare", base]) == 2
    for option in ("--min-effect", "--confidence", "--fdr"):
        for wrong in ("0", "1", "-0.1", "nan", "x"):
            assert main(["compare", base, base, f"{option}={wrong}"]) == 2
    for words in (["--allow=anything"], ["--json=-", "--junit=-"], ["--plot=x.gif"], ["--color=red"]):
        assert main(["compare", base, base, *words]) == 2
    capsys.readouterr()
    assert main(["compare", base, base, "--fdr=2"]) == 2
    assert capsys.readouterr().err == "gpuseq-bench: compare: --fdr: found 2; allowed: between 0 and 1\n"


def test_a_broken_line_is_named(made: Folder, capsys: pytest.CaptureFixture[str]) -> None:
    base = made.side("base", sides.one_process(sides.record("a", [1.0] * 4)))
    with (Path(base) / "records.jsonl").open("a") as journal:
        journal.write('{"schema_version": 1}\n')
    assert main(["compare", base, base]) == 2
    assert re.search(r"records.jsonl:3: /schema_version: found 1; .*migrate", capsys.readouterr().err)


def test_different_data_under_one_name_are_refused(made: Folder, capsys: pytest.CaptureFixture[str]) -> None:
    mixed = sides.one_process(
        sides.record("a", [1.0] * 4), sides.record("b", [1.0] * 4, problem_hash="fedcba9876543210")
    )
    folder = made.side("mixed", mixed)
    for words in (["compare", folder, folder], ["history", f"{made.path}/h.jsonl", f"--add={folder}"]):
        assert main(words) == 2
        assert "records.jsonl:3: /problem_hash: found fedcba9876543210" in capsys.readouterr().err


def test_writes_what_is_asked_for_and_leaves_standard_output_to_one(
    made: Folder, capsys: pytest.CaptureFixture[str]
) -> None:
    base, slow = (made.side(name, sides.processes({"a": factor}, seed)) for name, factor, seed in
                  (("base", 1, 1), ("slow", 1.2, 2)))  # fmt: skip
    files = [made.path / name for name in ("c.md", "c.xml", "history.jsonl", "plot.vl.json", "plot.svg")]
    words = [f"--{option}={file}" for option, file in
             zip(("markdown", "junit", "history", "plot"), files, strict=False)]  # fmt: skip
    assert main(["compare", base, slow, "--json=-", *words]) == 1
    assert json.loads(capsys.readouterr().out)["counts"]["regressed"] == 1
    assert "**Fail" in files[0].read_text()
    assert "<testsuite " in files[1].read_text()
    assert '"verdict":"regressed"' in files[2].read_text()
    assert "vega-lite" in files[3].read_text()
    assert main(["compare", base, slow, "--annotations", f"--plot={files[4]}"]) == 1
    printed = capsys.readouterr().out
    assert "::error title=regressed" in printed
    assert "1 regressed" in printed
    assert "<svg" in files[4].read_text()
    assert main(["compare", base, slow, f"--json={made.path}/none/c.json"]) == 2


def test_names_of_what_was_deleted_are_taken_from_a_file(made: Folder, capsys: pytest.CaptureFixture[str]) -> None:
    base = made.side("base", sides.processes({"a": 1, "b": 1}, 1))
    less = made.side("less", sides.processes({"a": 1}, 2))
    names = made.path / "deleted"
    for text, code, said in (("# slow\nfm_index/b  # replaced by a\n\n", 0, "1 deleted"), ("fm_index/c\n", 1, "1 missing"),
                             ("toy/b\ntoy b\n", 2, 'deleted:2: found "toy b"')):  # fmt: skip
        names.write_text(text)
        assert main(["compare", base, less, f"--deleted={names}"]) == code
        captured = capsys.readouterr()
        assert said in captured.out + captured.err
    assert main(["compare", base, less, f"--deleted={made.path}/none"]) == 2
    assert main(["compare", base, less, "--allow-missing"]) == 0


def test_history_adds_runs_and_shows_steps(made: Folder, capsys: pytest.CaptureFixture[str]) -> None:
    history, plot = made.path / "history.jsonl", made.path / "history.svg"
    words: list[str] = []
    for number in range(16):
        side = sides.processes({"a": 1 if number < 8 else 1.1}, number + 1)
        for process in side.processes:
            for record in process:
                record.date = f"2026-11-{number + 1:02}T10:00:00Z"
        words.append(f"--add={made.side(f'run{number}', side)}")
    assert main(["history", str(history), *words, f"--plot={plot}"]) == 0
    printed = capsys.readouterr().out
    assert "1 step\n" in printed
    assert "2026-11-09" in printed
    assert "<svg" in plot.read_text()
    assert "vega-lite" in plot.with_suffix(".vl.json").read_text()
    assert main(["history", str(made.path / "none.jsonl")]) == 2
    assert main(["history", str(history), "--plot=x.gif"]) == 2
    assert main(["history", str(history), "--state=("]) == 2
