"""Result files of other benchmark tools: those that the tools wrote are compared, and wrong ones are named."""

from __future__ import annotations

import json
import random
import shutil
import statistics
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from gpuseq.__main__ import main
from gpuseq.foreign.read import read_results
from gpuseq.foreign.result import Moments
from gpuseq.verdicts.compare import CaseComparison, Options, Verdict, compare
from gpuseq.verdicts.inference import of_moments
from gpuseq.verdicts.sides import load_side
from hypothesis import HealthCheck, configuration, given, settings
from hypothesis import strategies as st

configuration.set_hypothesis_home_dir(Path(tempfile.gettempdir()) / "gpuseq-hypothesis")  # not into the checkout
DATA = Path(__file__).resolve().parents[2] / "data/foreign"
FILES = sorted(path.name for path in DATA.glob("*.json"))

Json = Any


def judged(base: Path, new: Path) -> dict[str, CaseComparison]:
    return {case.name: case for case in compare(load_side(base), load_side(new), Options()).cases}


def edited(folder: Path, name: str, edit: Callable[[Json], None]) -> Path:
    """A copy of a committed file after an edit."""
    document = json.loads((DATA / name).read_text())
    edit(document)
    file = folder / name
    file.write_text(json.dumps(document))
    return file


def test_every_committed_file_is_read() -> None:
    cases = {
        name: [(result.name, len(result.samples)) for result in read_results(DATA / name).results] for name in FILES
    }
    assert set(cases) == set(FILES)
    assert cases["hyperfine.json"] == [("time", 6)]
    assert cases["hyperfine_two.json"] == [("sleep 0.01", 5), ("sleep 0.012", 5)]
    assert cases["pytest_benchmark.json"] == [("test_b.py::test_sort[10]", 8), ("test_b.py::test_sort[1000]", 8)]
    assert [case for case in cases["google_benchmark.json"] if case[1]] == [("BM_copy/64", 1)] * 6 + [
        ("BM_copy/4096", 1)
    ] * 6
    assert [name for name, _ in cases["nvbench.json"]] == ["copy", "copy", "copy", "host_sum"]
    assert [(result.name, len(result.samples)) for result in read_results(DATA / "criterion").results] == [
        ("sum/100", 10), ("sum/1000", 1)]  # fmt: skip


def test_times_are_those_that_the_tools_state() -> None:
    """Each tool writes the mean next to the samples."""
    stated = json.loads((DATA / "hyperfine.json").read_text())["results"][0]["mean"]
    assert statistics.fmean(read_results(DATA / "hyperfine.json").results[0].samples) == pytest.approx(stated)
    stated = json.loads((DATA / "pytest_benchmark.json").read_text())["benchmarks"][0]["stats"]["mean"]
    assert statistics.fmean(read_results(DATA / "pytest_benchmark.json").results[0].samples) == pytest.approx(stated)
    rows = json.loads((DATA / "google_benchmark.json").read_text())["benchmarks"]
    stated = next(row["real_time"] for row in rows if row.get("aggregate_name") == "mean")
    seconds = [result.samples[0] for result in read_results(DATA / "google_benchmark.json").results[:6]]
    assert statistics.fmean(seconds) == pytest.approx(stated * 1e-9)
    point = json.loads((DATA / "criterion/sum/100/new/estimates.json").read_text())["mean"]["point_estimate"]
    assert statistics.fmean(read_results(DATA / "criterion").results[0].samples) == pytest.approx(
        point * 1e-9, rel=0.01
    )


def test_moments_stand_where_a_file_has_no_samples() -> None:
    (_, aggregates, *_), with_data = read_results(DATA / "google_benchmark_aggregates.json").results[-3:], FILES
    assert with_data
    assert aggregates.moments
    assert aggregates.moments.values == 6
    for result in read_results(DATA / "pytest_benchmark_no_data.json").results:
        assert result.moments
        assert result.moments.values == 8
        assert result.reason.startswith("no samples: mean, standard deviation and count are compared")
    with_samples, with_moments, skipped, without = read_results(DATA / "nvbench.json").results
    assert len(with_samples.samples) == 12
    assert with_samples.reason == ""
    assert with_moments.moments == Moments(0.0025, pytest.approx(0.000025), 500)
    assert (skipped.status, skipped.reason) == ("skipped", "out of memory")
    assert without.moments is None
    assert without.reason.startswith("no samples, and no standard deviation with a count")


@pytest.mark.parametrize("factor", [1.0, 1.1])
def test_moments_give_the_verdict_that_samples_give(tmp_path: Path, factor: float) -> None:
    def slower(document: Json) -> None:
        for state in document["benchmarks"][0]["states"][:2]:
            for summary in state["summaries"]:
                if summary["tag"] == "nv/cold/time/gpu/mean":
                    summary["data"][0]["value"] = str(float(summary["data"][0]["value"]) * factor)

    cases = judged(DATA / "nvbench.json", edited(tmp_path, "nvbench.json", slower))
    expected = Verdict.regressed if factor > 1 else Verdict.same
    case = cases[f"nvbench/copy/Elements{{io}}={1 << 20}/cuda:0"]
    assert case.verdict is expected
    assert case.numbers
    assert case.numbers.low < factor < case.numbers.high
    # The copy lacks the file of samples, so this side has moments, and those of the base are of its samples.
    assert cases[f"nvbench/copy/Elements{{io}}={1 << 16}/cuda:0"].verdict is expected
    assert "nvbench.json-bin/0.bin is missing" in cases[f"nvbench/copy/Elements{{io}}={1 << 16}/cuda:0"].reason
    undecided = cases["nvbench/host_sum/cpu"]
    assert undecided.verdict is Verdict.inconclusive
    assert "no samples" in undecided.reason


def test_an_interval_of_moments_covers_the_ratio() -> None:
    draw, covered, alarms = random.Random(1), 0, 0
    for _ in range(400):
        base, new = ([draw.gauss(1, 0.02) for _ in range(12)] for _ in range(2))
        moments = [Moments(statistics.fmean(side), statistics.stdev(side), 12) for side in (base, new)]
        _, low, high, p, floor = of_moments(moments[0], moments[1], 0.95)
        covered += low <= 1 <= high
        alarms += p <= 0.05
        assert floor == pytest.approx(0.017, rel=0.9)
    assert 0.92 <= covered / 400 <= 0.98
    assert alarms <= 32


def test_moments_without_a_deviation_are_certain() -> None:
    assert of_moments(Moments(1, 0, 9), Moments(1, 0, 9), 0.95) == (1, 1, 1, 1, 0)
    assert of_moments(Moments(1, 0, 9), Moments(2, 0, 9), 0.95) == (2, 2, 2, 0, 0)


def test_a_slower_google_benchmark_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    draw = random.Random(1)

    def quiet(factor: float) -> Callable[[Json], None]:
        def edit(document: Json) -> None:
            rows = document["benchmarks"]
            document["benchmarks"] = [row for row in rows if not row.get("error_occurred")]
            for row in rows:
                row["real_time"] = 1000 * factor * (1 + 0.002 * draw.random())

        return edit

    base = edited(tmp_path, "google_benchmark.json", quiet(1)).rename(tmp_path / "base.json")
    new = edited(tmp_path, "google_benchmark.json", quiet(1.1)).rename(tmp_path / "new.json")
    assert main(["compare", str(base), str(new)]) == 1
    printed = capsys.readouterr().out
    assert "google_benchmark/BM_copy/64/cpu" in printed
    assert "2 regressed" in printed
    assert main(["compare", str(base), str(base)]) == 0


def test_a_failed_benchmark_fails(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["compare", *[str(DATA / "google_benchmark_1_9.json")] * 2]) == 1
    assert "no such device" in capsys.readouterr().out


def test_files_of_one_command_each_are_compared(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    def renamed(document: Json) -> None:
        document["results"][0]["command"] = "sleep 0.02"

    assert main(["compare", str(DATA / "hyperfine.json"), str(edited(tmp_path, "hyperfine.json", renamed))]) == 3
    printed = capsys.readouterr().out
    assert "program/time" in printed
    assert "command: sleep 0.01 -> sleep 0.02" in printed


@pytest.mark.parametrize("name", ["google_benchmark.json", "google_benchmark_aggregates.json"])
def test_a_folder_of_files_has_a_process_each(tmp_path: Path, name: str) -> None:
    for number in range(5):
        shutil.copy(DATA / name, tmp_path / f"{number:03}.json")
    shutil.copytree(DATA / "criterion", tmp_path / "criteria/001.json")
    side = load_side(tmp_path)
    assert len(side.processes) == 5
    case = next(case for case in compare(side, side, Options()).cases if case.numbers)
    assert case.numbers
    assert case.numbers.base.unit == "process"
    assert "no samples" not in case.reason
    assert len(load_side(tmp_path / "criteria").processes) == 1


def test_other_hardware_refuses(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    def other(document: Json) -> None:
        document["devices"][0]["name"] = "NVIDIA A100"

    assert main(["compare", str(DATA / "nvbench.json"), str(edited(tmp_path, "nvbench.json", other))]) == 2
    assert "device cuda:0/name: NVIDIA H200 in the base, NVIDIA A100 in the new side" in capsys.readouterr().err


def test_a_history_takes_other_tools(tmp_path: Path) -> None:
    history = tmp_path / "history.jsonl"
    files = [str(DATA / name) for name in FILES]
    assert main(["history", str(history), "--add", *files]) == 0
    assert len(history.read_text().splitlines()) >= len(files)


@pytest.mark.parametrize(("name", "edit", "pointer"), [
    ("google_benchmark.json", lambda d: d["benchmarks"][1].pop("real_time"), "/benchmarks/1/real_time: found nothing"),
    ("google_benchmark.json", lambda d: d["benchmarks"][0].update(time_unit="min"), '/benchmarks/0/time_unit: found "min"'),
    ("google_benchmark.json", lambda d: d["benchmarks"][0].update(time_unit=[]), "/benchmarks/0/time_unit: found an array"),
    ("google_benchmark.json", lambda d: d.update(benchmarks={"a": 1}), "/benchmarks: found an object; allowed: an array"),
    ("hyperfine.json", lambda d: d["results"][0]["times"].append("x"), '/results/0/times/6: found "x"'),
    ("hyperfine.json", lambda d: d["results"][0].pop("command"), "/results/0/command: found nothing"),
    ("pytest_benchmark.json", lambda d: d["benchmarks"][1].update(stats=3), "/benchmarks/1/stats: found 3"),
    ("nvbench.json", lambda d: d["benchmarks"][0]["states"][1]["axis_values"][0].update(value=[]),
     "/benchmarks/0/states/1/axis_values/0/value: found an array"),
    ("nvbench.json", lambda d: d["benchmarks"][0]["states"][1]["summaries"][1]["data"][0].update(value="fast"),
     '/benchmarks/0/states/1/summaries/1/data/0/value: found "fast"'),
    ("nvbench.json", lambda d: d["devices"].append({}), "/devices/1/id: found nothing; allowed: a count"),
    ("hyperfine.json", lambda d: d.pop("results"), "/: found an object; allowed: JSON of Google Benchmark"),
])  # fmt: skip
def test_a_wrong_file_is_named_with_its_pointer(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str, edit: Callable[[Json], None], pointer: str
) -> None:
    file = edited(tmp_path, name, edit)
    assert main(["compare", str(file), str(file)]) == 2
    said = capsys.readouterr().err
    assert f"{file}: {pointer}" in said


@pytest.mark.parametrize("text", ["", "{", "[1", "\x00", "[" * 100000, '{"results": ' + "9" * 5000 + "}", "null", "[]"])
def test_a_file_that_is_no_json_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str], text: str) -> None:
    file = tmp_path / "x.json"
    file.write_text(text)
    assert main(["compare", str(file), str(file)]) == 2
    assert str(file) in capsys.readouterr().err


def test_samples_of_another_number_are_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    shutil.copytree(DATA / "nvbench.json-bin", tmp_path / "nvbench.json-bin")
    file = shutil.copy(DATA / "nvbench.json", tmp_path)
    with (tmp_path / "nvbench.json-bin/0.bin").open("ab") as samples:
        samples.write(b"\0" * 4)
    assert main(["compare", str(file), str(file)]) == 2
    assert '/benchmarks/0/states/0/summaries/3/data/1/value: found "12"; allowed: 13' in capsys.readouterr().err


def test_wrong_criterion_files_are_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for text, said in (('{"iters": [1, 0], "times": [1, 2]}', "/iters/1: found 0; allowed: 1 or more"),
                       ('{"iters": [1], "times": [1, 2]}', "/times: found 2 values; allowed: 1"),
                       ("[[1]]", "/: found an array"), ('{"iters": [1]}', "/times: found nothing")):  # fmt: skip
        folder = tmp_path / "a/new"
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "sample.json").write_text(text)
        assert main(["compare", str(tmp_path), str(tmp_path)]) == 2
        assert f"{folder}/sample.json: {said}" in capsys.readouterr().err


_WORDS = ["context", "benchmarks", "results", "machine_info", "devices", "states", "summaries", "data", "name", "value", "times",
          "iters", "stats", "mean", "stddev", "rounds", "real_time", "time_unit", "run_type", "aggregate", "ns", "command", "tag",
          "nv/cold/time/gpu/mean", "nv/cold/time/gpu/stdev/relative", "nv/cold/sample_size", "filename", "size", "id", "device",
          "repetitions", "aggregate_name", "exit_codes", "mean", "median", "point_estimate", "commit_info"]  # fmt: skip
_SCALARS = st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=8), st.sampled_from(_WORDS))
_VALUES = st.recursive(_SCALARS, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(_WORDS), inner,
                                                                                            max_size=5), max_leaves=20)  # fmt: skip
_ALL = [path.relative_to(DATA) for path in sorted(DATA.rglob("*.json")) if path.is_file()]


def _places(value: Json, place: tuple[Json, ...] = ()) -> list[tuple[Json, ...]]:
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [place, *(found for key, of_key in inner for found in _places(of_key, (*place, key)))]


def _short(value: Json) -> Json:
    """With the first two items of each array, so that most edits hit another kind of value."""
    if isinstance(value, dict):
        return {key: _short(of_key) for key, of_key in value.items() if key != "caches"}
    return [_short(item) for item in value[:2]] if isinstance(value, list) else value


@st.composite
def _broken(draw: st.DrawFn) -> tuple[Path, bytes]:
    """A committed file in which values are replaced or removed, or a part of whose bytes is cut or overwritten."""
    name = draw(st.sampled_from(_ALL))
    text = (DATA / name).read_bytes()
    if draw(st.booleans()):
        document = _short(json.loads(text))
        for _ in range(draw(st.integers(1, 3))):
            place = draw(st.sampled_from(_places(document)))
            inner = document
            for key in place[:-1]:
                inner = inner[key]
            if not place:
                document = draw(_VALUES)
            elif draw(st.booleans()):
                inner[place[-1]] = draw(_VALUES)
            else:
                del inner[place[-1]]
        return name, json.dumps(document).encode("utf-8", "surrogatepass")
    begin = draw(st.integers(0, len(text)))
    return name, text[:begin] + draw(st.binary(max_size=8)) + text[begin + draw(st.integers(0, 40)) :]


@settings(max_examples=300, deadline=None, derandomize=True, database=None,
          suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])  # fmt: skip
@given(broken=_broken())
def test_no_file_crashes_a_comparison(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], broken: tuple[Path, bytes]
) -> None:
    """Exit code 2 names the file; the readable rest is compared, whatever its numbers are."""
    name, text = broken
    shutil.rmtree(tmp_path / "data", ignore_errors=True)
    shutil.copytree(DATA, tmp_path / "data")
    (tmp_path / "data" / name).write_bytes(text)
    side = tmp_path / "data" / (name if len(name.parts) == 1 else name.parts[0])
    code = main(["compare", str(side), str(side), "--json=-"])
    captured = capsys.readouterr()
    assert code in (0, 1, 2, 3)
    if code == 2:
        assert str(side) in captured.err, captured.err
        assert "not as their schema says" not in captured.err, captured.err
    else:
        json.loads(captured.out, parse_constant=lambda word: pytest.fail(f"{word} is no JSON"))
