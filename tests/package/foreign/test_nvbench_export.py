"""A run in NVBench's JSON has all that NVBench's nvbench_compare.py and nvbench_compare_robust.py look up in it."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import pytest
from example_run import write_example
from gpuseq.__main__ import main
from gpuseq.foreign.read import read_results
from gpuseq.verdicts.compare import Options, compare
from gpuseq.verdicts.sides import load_side
from made import ON_CPU, ON_OTHER_GPU, case, write_run

Json = Any
TIME = "nv/cold/time/gpu"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("nvbench")
    run = write_example(folder / "run")
    assert main(["report", "--export-nvbench", str(folder / "run.json"), str(run)]) == 0
    return folder


@pytest.fixture(scope="module")
def document(folder: Path) -> Json:
    return json.loads((folder / "run.json").read_text(), parse_constant=lambda word: pytest.fail(f"{word} is no JSON"))


def value_of(state: Json, tag: str) -> str:
    """As extract_value() of the scripts: the item named value, a float64 in a text."""
    (summary,) = (summary for summary in state["summaries"] if summary["tag"] == tag)
    (item,) = (item for item in summary["data"] if item["name"] == "value")
    assert item["type"] == "float64"
    return item["value"]


def test_version_and_devices_are_there(document: Json) -> None:
    assert document["meta"]["version"]["json"]["string"] == "1.0.0"
    assert [(device["id"], bool(device["name"])) for device in document["devices"]] == [(0, True), (1, True)]


def test_benchmarks_have_what_the_scripts_look_up(document: Json) -> None:
    names = [benchmark["name"] for benchmark in document["benchmarks"]]
    assert len(names) == len(set(names)) > 1, "the scripts take the first of a name"
    for benchmark in document["benchmarks"]:
        assert set(benchmark["devices"]) <= {0, 1}
        axes = {axis["name"]: axis for axis in benchmark["axes"] or []}
        states = [state["name"] for state in benchmark["states"]]
        assert len(states) == len(set(states)) > 0
        for state in benchmark["states"]:
            assert state["device"] in benchmark["devices"]
            assert [value["name"] for value in state["axis_values"]] == list(axes), "a column of their tables each"
            for value in state["axis_values"]:
                axis = axes[value["name"]]
                assert (axis["type"], axis["flags"]) in (("int64", ""), ("string", ""))
                if axis["type"] == "int64":
                    int(value["value"])
            mean, noise = (float(value_of(state, f"{TIME}/{ending}")) for ending in ("mean", "stdev/relative"))
            assert 0 < mean < math.inf
            assert noise >= 0
            quartiles = [float(value_of(state, f"{TIME}/{ending}")) for ending in ("min", "q1", "median", "q3", "max")]
            assert quartiles == sorted(quartiles)


def test_cases_are_read_back(tmp_path: Path) -> None:
    """With axes that some cases lack or that hold words, on two GPUs; results of a CPU are left out."""
    made = [case("a", "x", 2.0, {"k": 1}, {"n": 8}, samples_s=[0.5, 0.25, 0.125]), case("a", "x", 4.0, {"k": 2}, {"n": 8}),
            case("a", "y", 5.0, {"k": 1, "order": "sorted"}, **ON_OTHER_GPU), case("a", "y", 5.0, {"k": 1}, **ON_OTHER_GPU),
            case("a", "x", 3.0, **ON_CPU)]  # fmt: skip
    write_run(tmp_path / "run", *made)
    assert main(["report", "--export-nvbench", str(tmp_path / "x.json"), str(tmp_path / "run")]) == 0
    read = [
        (result.name, result.point, result.device, result.samples[0])
        for result in read_results(tmp_path / "x.json").results
    ]
    assert sorted(read, key=str) == sorted([
        ("a/x", {"problem_n": "8", "point_k": "1"}, "cuda:0", 0.5), ("a/x", {"problem_n": "8", "point_k": "2"}, "cuda:0", 0.25),
        ("a/y", {"point_k": "1", "point_order": "sorted"}, "cuda:1", pytest.approx(0.2)),
        ("a/y", {"point_k": "1", "point_order": ""}, "cuda:1", pytest.approx(0.2)),
    ], key=str)  # fmt: skip
    assert len(read_results(tmp_path / "x.json").results[0].samples) == 3


def test_a_run_equals_itself_in_the_other_format(folder: Path) -> None:
    side = load_side(folder / "run.json")
    comparison = compare(side, side, Options())
    assert comparison.exit_code() in (0, 3)
    assert all(case.numbers and case.numbers.ratio == 1 for case in comparison.cases)


def test_a_single_sample_has_infinite_noise(tmp_path: Path) -> None:
    write_run(tmp_path / "run", case("a", "x", 2.0, samples_s=[0.5]))
    assert main(["report", "--export-nvbench", str(tmp_path / "x.json"), str(tmp_path / "run")]) == 0
    (benchmark,) = json.loads((tmp_path / "x.json").read_text())["benchmarks"]
    assert [value_of(benchmark["states"][0], f"{TIME}/{ending}") for ending in ("mean", "stdev/relative")] == [
        "0.5",
        "inf",
    ]


def test_a_run_of_a_cpu_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run = write_run(tmp_path / "run", case("a", "x", 1.0, **ON_CPU))
    for runs, said in (([run], "holds no case of a GPU"), ([run] * 2, "found 2 runs; allowed: one")):
        assert main(["report", "--export-nvbench", str(tmp_path / "x.json"), *map(str, runs)]) == 2
        assert said in capsys.readouterr().err
    assert not (tmp_path / "x.json").exists()
