"""Faults of a cluster, on that of .ci/slurm."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import time
from pathlib import Path

import pytest
from cluster import (
    CLUSTER,
    PROGRAM,
    ROOT,
    Watched,
    begin,
    config,
    kill_node,
    merged_states,
    resume,
    slurm,
    start_node,
    wait_for,
)

pytestmark = pytest.mark.skipif(not CLUSTER.exists(), reason="no cluster is here; .ci/slurm starts one")
HERE = Path(__file__).resolve().parent
CASES = 12


def require_whole(watched: Watched, cases: int = CASES) -> None:
    """The run ended well, and its merged run has every case once."""
    assert watched.end() == 0, watched.said()
    states = merged_states(watched.folder)
    assert len(states) == len(set(states)) == cases, watched.said()
    run = json.loads((watched.folder / "merged" / "run.json").read_text())
    assert run["complete"] and run["counts"]["failed"] == 0
    assert (watched.folder / "merged" / "report.html").exists()


def test_shards_of_three_nodes_are_merged(tmp_path: Path) -> None:
    watched = begin(tmp_path, CASES, 1, "--gres=gpu:1", "--partition=short")
    nodes = {watched.node_of(shard) for shard in (1, 2, 3)}
    require_whole(watched)
    assert nodes == {"n1", "n2", "n3"}
    assert "3 shards: 3 complete; 12 records of about 12" in watched.said()


def test_wrong_partition_ends_with_slurms_words(tmp_path: Path) -> None:
    watched = begin(tmp_path, CASES, 1, "--partition=night")
    assert watched.end() == 2
    assert "invalid partition specified: night" in watched.said()
    assert not watched.folder.exists()


def test_shard_of_a_killed_node_continues(tmp_path: Path) -> None:
    watched = begin(tmp_path, CASES, 6)
    node = watched.node_of(2)
    kept = wait_for(lambda: watched.published(2))
    kill_node(node)
    wait_for(lambda: "down" in slurm("sinfo", "-h", "-N", "-n", node, "-o", "%T"))
    start_node(node)
    require_whole(watched)
    assert f"continues after {kept} record" in (watched.folder / "shard-2.log").read_text()


def test_shard_beyond_its_time_limit_is_submitted_again(tmp_path: Path) -> None:
    watched = begin(tmp_path, CASES, 20, "--time=2")
    require_whole(watched)
    assert "submitted again as job" in watched.said()


def test_cancelled_array_is_left_and_can_be_resumed(tmp_path: Path) -> None:
    watched = begin(tmp_path, CASES, 4)
    wait_for(lambda: watched.published(1))
    slurm("scancel", watched.job)
    assert watched.end() == 1
    assert "shard 1 of 3: CANCELLED" in watched.said() and "--resume" in watched.said()
    assert not (watched.folder / "merged").exists()
    require_whole(resume(watched))


def test_requeued_shard_continues(tmp_path: Path) -> None:
    watched = begin(tmp_path, CASES, 4)
    wait_for(lambda: watched.published(3))
    slurm("scontrol", "requeue", f"{watched.job}_3")
    require_whole(watched)
    assert len(list((watched.folder / "shard-3").iterdir())) == 2
    assert "continues after" in (watched.folder / "shard-3.log").read_text()


def test_reframe_continues_a_lost_shard(tmp_path: Path) -> None:
    reframe = os.environ.get("REFRAME") or shutil.which("reframe")
    if not reframe:
        pytest.skip("no reframe is here; REFRAME names it")
    file = tmp_path / "config.json"
    file.write_text(json.dumps(config(CASES, 5)))
    words = [reframe, "-C", str(HERE / "reframe_site.py"), "-c", str(ROOT / "configs/tools/reframe_gpuseq.py"), "-r",
             f"--prefix={tmp_path}", "--max-retries=2", "-S", f"GpuseqShard.config={file}"]  # fmt: skip
    environment = os.environ | {"GPUSEQ_SHARDS": "3", "GPUSEQ_BENCH": PROGRAM}
    with (tmp_path / "said").open("w") as said:
        process = subprocess.Popen(words, env=environment, stdout=said, stderr=said, cwd=tmp_path)
    journal = wait_for(lambda: [one for one in tmp_path.glob("output/**/records.jsonl") if one.stat().st_size])[0]
    lines = wait_for(lambda: '"state"' in journal.read_text() and journal.read_text())
    slurm("scancel", slurm("squeue", "-h", "-o", "%i").splitlines()[0])
    assert process.wait(900) == 0, (tmp_path / "said").read_text()
    assert journal.read_text().startswith(lines)
    (merged,) = tmp_path.glob("output/**/merged/run.json")
    assert json.loads(merged.read_text())["complete"]


@pytest.fixture
def small_disk(tmp_path: Path):
    disk = tmp_path / "disk"
    disk.mkdir()
    subprocess.run(["mount", "-t", "tmpfs", "-o", "size=128m", "tmpfs", str(disk)], check=True)
    yield disk
    subprocess.run(["umount", "-l", str(disk)], check=True)


def fill(disk: Path) -> Path:
    ballast = disk / "ballast"
    with ballast.open("wb", buffering=0) as file:
        for size in (1 << 16, 1):
            try:
                while file.write(bytes(size)) == size:
                    pass
            except OSError:
                continue
    return ballast


def test_full_shared_folder_delays_records_only(small_disk: Path) -> None:
    watched = begin(small_disk / "shared", CASES, 4)
    wait_for(lambda: watched.published(1))
    ballast = fill(small_disk)
    time.sleep(8)
    ballast.unlink()
    require_whole(watched)


def test_shard_on_a_full_local_disk_continues_elsewhere(tmp_path: Path, small_disk: Path) -> None:
    watched = begin(tmp_path / "shared", CASES, 4, environment={"TMPDIR": str(small_disk)})
    wait_for(lambda: all(watched.published(shard) for shard in (1, 2, 3)))
    fill(small_disk)
    require_whole(watched)
    assert "FAILED" in watched.said() and "submitted again" in watched.said()
    assert "No space left on device" in (watched.folder / "shard-1.log").read_text()


def test_watcher_outlives_the_controller(tmp_path: Path) -> None:
    watched = begin(tmp_path, CASES, 5)
    watched.node_of(1)
    slurm("scontrol", "shutdown", "slurmctld")
    wait_for(lambda: "trying again" in watched.said())
    subprocess.run(["slurmctld", "-f", str(CLUSTER / "slurm.conf")], check=True)
    require_whole(watched)


def test_watching_ends_and_jobs_continue(tmp_path: Path) -> None:
    watched = begin(tmp_path, CASES, 4)
    watched.node_of(1)
    watched.process.send_signal(2)
    assert watched.end() == 130
    assert "the jobs continue" in watched.said()
    require_whole(resume(watched))


def test_config_that_the_nodes_refuse_is_not_tried_again(tmp_path: Path) -> None:
    watched = begin(tmp_path, CASES, 1, "--data=sequences=/nonexistent.fasta")
    assert watched.end() == 1
    assert '"sequences"; allowed: queries, reference' in watched.said()
    assert "again" not in watched.said()
