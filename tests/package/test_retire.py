"""The kept rows of a run that leaves results/, and the files that name it."""

from __future__ import annotations

import gzip
import json
import subprocess
from pathlib import Path
from typing import Any

import pytest
from gpuseq.errors import UsageError
from gpuseq.reference.retire import drop_golden_rows, references, write_rows
from gpuseq.runs import load_runs
from made import Case, case, write_run

TEXT = {"reference": "a", "reference_bases": 1000}
LONG = {"reference": "a", "reference_bases": 2000}


def search(rate: float, k: int, problem: dict[str, Any], **more: Any) -> Case:
    state = f"fm_index/{more.get('variant', 'one_hot')}/{problem['reference_bases']}/k={k}/cuda:0"
    return case("fm_index", more.pop("variant", "one_hot"), rate, {"k": k}, problem, state=state,
                bound={"rate": 2 * rate, "fraction": 0.5, "bound_by": "DRAM"}) | more  # fmt: skip


def probe(rate: float, footprint: int, repetition: int = 0) -> Case:
    return case("random_access", "cuda", rate, {"footprint_bytes": footprint}, kind="probe", phase="probe", repetition=repetition,
                state=f"random_access/cuda//footprint_bytes={footprint}/cuda:0")  # fmt: skip


def rows_of(path: Path) -> list[Case]:
    lines = [json.loads(line) for line in (path / "records.jsonl").read_text().splitlines()]
    return [line for line in lines if "state" in line]


def test_the_fastest_configuration_of_each_variant_and_problem_is_kept_with_its_bound(tmp_path: Path) -> None:
    run = write_run(tmp_path / "run", search(10, 1, TEXT), search(30, 2, TEXT), search(20, 3, TEXT), search(5, 1, LONG),
                    search(7, 1, TEXT, variant="psi"), search(40, 2, TEXT, phase="tune"))  # fmt: skip
    assert write_rows([run], tmp_path / "rows") == 3
    kept = {(row["variant"], row["problem"]["reference_bases"]): row for row in rows_of(tmp_path / "rows")}
    best = kept["one_hot", 1000]
    assert (best["point"], best["statistics"]["rate"], best["statistics"]["rate_low"]) == ({"k": 2}, 40, 39.6)
    assert (best["bound"]["fraction"], best["phase"], best["samples_s"]) == (0.5, "sweep", [])
    assert kept["psi", 1000]["statistics"]["rate"] == 7
    assert kept["one_hot", 2000]["statistics"]["rate"] == 5


def test_each_point_of_the_probes_is_kept_once_over_all_runs(tmp_path: Path) -> None:
    one = write_run(tmp_path / "one", probe(10, 64), probe(30, 64, 1), probe(20, 64, 2), search(1, 1, TEXT))
    two = write_run(tmp_path / "two", probe(5, 128), search(2, 1, TEXT))
    assert write_rows([one, two], tmp_path / "rows") == 3
    rates = {row["state"]: row["statistics"]["rate"] for row in rows_of(tmp_path / "rows")}
    assert rates == {probe(1, 64)["state"]: 20, probe(1, 128)["state"]: 5, search(1, 1, TEXT)["state"]: 1}


def test_rows_are_read_like_a_run_and_name_their_folders(tmp_path: Path) -> None:
    old = write_run(
        tmp_path / "old",
        search(10, 1, TEXT),
        summary={"started": "2026-01-01T00:00:00Z", "devices": {"cpu": {"threads": 2}}},
    )
    new = write_run(tmp_path / "new", search(9, 2, TEXT), summary={"started": "2026-02-01T00:00:00Z", "devices": {"cuda:0": {"name": "G"}},
                                                                   "tuned": [1]})  # fmt: skip
    (new / "machine.json").write_text('{"started": "2026-02-01T00:00:00Z"}')
    write_rows([new, old], tmp_path / "rows")
    report = load_runs([tmp_path / "rows"], whole=True)
    assert [record.rate for record in report.records] == [10]
    summary = json.loads((tmp_path / "rows/run.json").read_text())
    assert summary["rows_of"] == ["old", "new"]
    assert summary["devices"] == {"cpu": {"threads": 2}, "cuda:0": {"name": "G"}}
    assert "tuned" not in summary
    assert (tmp_path / "rows/machine.json").read_text() == '{"started": "2026-02-01T00:00:00Z"}'


def test_slower_configurations_are_kept_where_they_take_less_memory(tmp_path: Path) -> None:
    run = write_run(tmp_path / "run", *(search(rate, k, TEXT, memory={"bytes": size})
                                        for rate, k, size in ((10, 1, 100), (30, 2, 300), (20, 3, 400), (5, 4, 100))))  # fmt: skip
    assert write_rows([run], tmp_path / "rows") == 2
    assert [row["point"]["k"] for row in rows_of(tmp_path / "rows")] == [2, 1]


def test_rows_of_a_problem_are_of_its_newest_data(tmp_path: Path) -> None:
    old = write_run(tmp_path / "old", search(30, 1, TEXT, problem_hash="1", date="2026-01-01T00:00:00Z"))
    new = write_run(tmp_path / "new", search(10, 2, TEXT, problem_hash="2", date="2026-02-01T00:00:00Z"))
    assert write_rows([new, old], tmp_path / "rows") == 1
    assert [record.rate for record in load_runs([tmp_path / "rows"]).records] == [10]


def test_a_folder_without_a_rate_has_no_rows(tmp_path: Path) -> None:
    run = write_run(tmp_path / "run", search(1, 1, TEXT, status="failed", statistics=None))
    with pytest.raises(UsageError, match="no record with a rate"):
        write_rows([run], tmp_path / "rows")


def test_references_are_found_by_whole_names_and_kind(tmp_path: Path) -> None:
    files = {"README.md": "h9-fm and h9-fm-index", "tests/golden/winners.tsv": "h9\t1", "results/h9/run.json": "h9-fm",
             "reports/gpuseq/reproduce/claims/fm.py": "'h9-fm-index'", "docs/a.md": "(../results/h9-fm/plots/x.png)", "docs/lab-notes/index.md": "`h9`", "CHANGELOG.md": "h9",
             "configs/machine/h9-rows/run.json": "h9"}  # fmt: skip
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    for words in (["init", "-q"], ["add", "."]):
        subprocess.run(["git", *words], cwd=tmp_path, check=True)
    assert references(["h9", "h9-fm", "h9-fm-index", "none"], tmp_path) == {
        "h9": {}, "h9-fm": {"documents": ["README.md", "docs/a.md"]},
        "h9-fm-index": {"documents": ["README.md"], "claims": ["reports/gpuseq/reproduce/claims/fm.py"]}, "none": {}}  # fmt: skip


def test_golden_rows_of_a_folder_leave_with_it(tmp_path: Path) -> None:
    rows = "a\tx\t1\nb\tx\t2\na\ty\t3\n"
    (tmp_path / "winners.tsv").write_text(rows)
    (tmp_path / "bounds.tsv.gz").write_bytes(gzip.compress(rows.encode()))
    (tmp_path / "sample.txt").write_text("a\nb\n")
    assert drop_golden_rows(["a"], tmp_path) == 4
    assert (tmp_path / "winners.tsv").read_text() == "b\tx\t2\n"
    assert gzip.decompress((tmp_path / "bounds.tsv.gz").read_bytes()).decode() == "b\tx\t2\n"
    assert (tmp_path / "sample.txt").read_text() == "b\n"
    assert drop_golden_rows(["a"], tmp_path) == 0
