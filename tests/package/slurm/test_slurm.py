"""`gpuseq-bench slurm` with a Slurm and a program that stand for the real ones; .ci/slurm has faults of a real cluster."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

import pytest
from gpuseq.__main__ import main
from gpuseq.slurm.attempts import Attempt, attempts_of, best_attempt

HERE = Path(__file__).resolve().parent
Capture = pytest.CaptureFixture[str]


class Cluster:
    def __init__(self, path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.path, self.folder, self._monkeypatch = path, path / "out", monkeypatch
        self.slurm = path / "slurm"
        self.slurm.mkdir()
        for name, script in (("sbatch", "fake_slurm.py"), ("squeue", "fake_slurm.py"), ("program", "fake_program.py")):
            first = "" if name == "program" else name
            (path / name).write_text(f'#!/bin/sh\nexec {sys.executable} {HERE / script} {first} "$@"\n')
            (path / name).chmod(0o755)
        monkeypatch.setenv("PATH", f"{path}:{os.environ['PATH']}")
        monkeypatch.setenv("FAKE_SLURM", str(self.slurm))
        monkeypatch.setenv("GPUSEQ_PROGRAM", str(path / "program"))
        monkeypatch.setenv("TMPDIR", str(path))

    def begin(self, *more: str, nodes: int = 3, faults: dict[str, list[str]] | None = None) -> int:
        self._monkeypatch.setenv("FAULTS", json.dumps(faults or {}))
        return main(["slurm", f"--nodes={nodes}", "--every=0.1", f"--output={self.folder}", *more, "--", "--config=c"])

    def resume(self) -> int:
        return main(["slurm", f"--resume={self.folder}"])

    def submitted(self) -> list[list[str]]:
        return [json.loads(line) for line in (self.slurm / "submitted").read_text().splitlines()]

    def merged(self) -> list[str]:
        lines = (self.folder / "merged" / "records.jsonl").read_text().splitlines()
        return sorted(json.loads(line)["state"] for line in lines)


ALL = sorted(f"case-{number}" for number in range(10))


@pytest.fixture
def cluster(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Cluster:
    return Cluster(tmp_path, monkeypatch)


def test_shards_are_submitted_watched_and_merged(cluster: Cluster, capfd: Capture) -> None:
    assert cluster.begin("--partition=gpu", "--gres=gpu:1", "--sbatch=--account=genes") == 0
    assert cluster.merged() == ALL
    (words,) = cluster.submitted()
    assert {"--array=1,2,3", "--partition=gpu", "--gres=gpu:1", "--account=genes", "--requeue"} <= set(words)
    assert "3 shards: 3 complete; 10 records of about 10" in capfd.readouterr().err
    assert not list(cluster.path.glob("gpuseq-*")), "local folders are removed"


def test_refused_jobs_end_with_slurms_words(cluster: Cluster, capfd: Capture) -> None:
    assert cluster.begin("--partition=night") == 2
    assert "sbatch: error: invalid partition specified: night" in capfd.readouterr().err
    assert not cluster.folder.exists()


def test_shards_that_end_early_continue_behind_their_records(cluster: Cluster, capfd: Capture) -> None:
    assert cluster.begin(faults={"1": ["NODE_FAIL"], "3": ["TIMEOUT", "TIMEOUT"]}) == 0
    assert cluster.merged() == ALL
    assert "--array=3" in cluster.submitted()[-1]
    said = capfd.readouterr().err
    assert "shard 3: TIMEOUT" in said and "shard 1: NODE_FAIL" in said
    assert "continues after" in (cluster.folder / "shard-3.log").read_text()


def test_shard_without_progress_is_left_after_three_attempts(cluster: Cluster, capfd: Capture) -> None:
    assert cluster.begin(faults={"2": ["nothing"] * 3}) == 1
    assert "shard 2 of 3: FAILED" in capfd.readouterr().err
    assert len(cluster.submitted()) == 3 and not (cluster.folder / "merged").exists()
    assert cluster.resume() == 0
    assert cluster.merged() == ALL


def test_usage_error_of_a_node_is_not_tried_again(cluster: Cluster, capfd: Capture) -> None:
    assert cluster.begin(faults={"2": ["exit:2"]}) == 1
    assert "no device cuda:7 here" in capfd.readouterr().err
    assert len(cluster.submitted()) == 1


def test_cancelled_shards_are_left_until_resumed(cluster: Cluster, capfd: Capture) -> None:
    assert cluster.begin(faults={"1": ["CANCELLED"], "2": ["CANCELLED"]}) == 1
    said = capfd.readouterr().err
    assert "shard 1 of 3: CANCELLED" in said and f"--resume {cluster.folder}" in said
    assert cluster.resume() == 0
    assert cluster.merged() == ALL


def test_forgotten_jobs_are_submitted_again(cluster: Cluster) -> None:
    assert cluster.begin(faults={"1": ["CANCELLED"]}) == 1
    for file in cluster.slurm.glob("1_*"):
        file.unlink()
    assert cluster.resume() == 0
    assert cluster.merged() == ALL


def test_folder_with_files_is_refused(cluster: Cluster, capfd: Capture) -> None:
    cluster.folder.mkdir()
    (cluster.folder / "mine").touch()
    assert cluster.begin() == 2
    assert "is not empty" in capfd.readouterr().err
    assert main(["slurm", f"--resume={cluster.folder}"]) == 2
    assert "no slurm.json here" in capfd.readouterr().err


def test_best_attempt_is_complete_or_has_most_records(tmp_path: Path) -> None:
    for name, records, complete in (("7-0", 5, False), ("7-1", 3, True), ("8-0", 9, False)):
        folder = tmp_path / "shard-1" / name
        folder.mkdir(parents=True)
        Attempt(folder, records=records, complete=complete).write_status()
        (folder / "run.json").write_text("{}")
    (tmp_path / "shard-1" / "9-0").mkdir()  # has published nothing
    assert len(attempts_of(tmp_path, 1)) == 3
    best = best_attempt(tmp_path, 1)
    assert best and best.folder.name == "7-1"
    assert best_attempt(tmp_path, 2) is None
