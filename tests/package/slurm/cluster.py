"""The cluster of .ci/slurm, and a run on it."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[3]
PROGRAM = os.environ.get("GPUSEQ_BENCH", str(ROOT / "build" / "release" / "bench" / "gpuseq-bench"))
CLUSTER = Path(os.environ.get("GPUSEQ_CLUSTER", "/nonexistent"))
_PATIENCE_S = 900


def config(cases: int, seconds: float) -> dict[str, Any]:
    """Cases of about so many seconds each."""
    return {"name": "cluster", "devices": "cpu", "probe_budget_s": 0,
            "sampling": {"min_samples": 6, "min_seconds": seconds, "max_seconds": seconds, "max_samples": 1000000},
            "families": {"fm_index": {
                "problems": [{"reference": "random", "reference_bases": 10000, "query_count": 100, "query_bases": 30}],
                "variants": {"scalar": {"k": 1, "d": 64, "threads": 1, "prefix_symbols": list(range(cases))}}}},
            "tune": {"remeasure": 0}}  # fmt: skip


def slurm(*words: str) -> str:
    return subprocess.run(words, check=True, capture_output=True, text=True).stdout.strip()


def wait_for(what: Callable[[], Any], seconds: float = _PATIENCE_S) -> Any:
    """The first value that is true."""
    end = time.monotonic() + seconds
    while not (value := what()):
        assert time.monotonic() < end, "waited too long"
        time.sleep(0.5)
    return value


def start_node(name: str) -> None:
    subprocess.run(["slurmd", "-f", str(CLUSTER / "slurm.conf"), "-N", name], check=True)


def kill_node(name: str) -> None:
    """As a power cut: the node's daemon and all processes of its jobs end at once."""
    os.kill(int((CLUSTER / "pid" / f"slurmd-{name}.pid").read_text()), signal.SIGKILL)
    for entry in Path("/proc").iterdir():
        if not entry.name.isdigit():
            continue
        try:
            if f"SLURMD_NODENAME={name}".encode() in (entry / "environ").read_bytes():
                os.kill(int(entry.name), signal.SIGKILL)
        except OSError:
            continue


class Watched:
    """A `gpuseq-bench slurm` in the background."""

    def __init__(self, folder: Path, *words: str, environment: dict[str, str] | None = None) -> None:
        self.folder = folder
        self._log = folder.with_suffix(".said")
        with self._log.open("a") as log:
            self.process = subprocess.Popen([PROGRAM, "slurm", *words], stdout=log, stderr=log, stdin=subprocess.DEVNULL,
                                            env=os.environ | (environment or {}))  # fmt: skip

    def said(self) -> str:
        return self._log.read_text()

    def end(self) -> int:
        return self.process.wait(_PATIENCE_S)

    @property
    def job(self) -> str:
        file = self.folder / "slurm.json"
        return wait_for(lambda: file.exists() and json.loads(file.read_text())["submitted"])[-1]["job"]

    def node_of(self, shard: int) -> str:
        """The node on which a shard runs."""
        return wait_for(lambda: slurm("squeue", "-h", "-r", "-t", "running", "-o", "%N", "-j", f"{self.job}_{shard}"))

    def published(self, shard: int) -> int:
        """The records of a shard in the shared folder."""
        files = self.folder.glob(f"shard-{shard}/*/status.json")
        return max((json.loads(file.read_text())["records"] for file in files), default=0)


def begin(path: Path, cases: int, seconds: float, *words: str, **more: Any) -> Watched:
    path.mkdir(parents=True, exist_ok=True)
    file = path / "config.json"
    file.write_text(json.dumps(config(cases, seconds)))
    folder = path / "out"
    return Watched(folder, f"--config={file}", "--nodes=3", "--every=1", f"--output={folder}", *words, **more)


def resume(watched: Watched) -> Watched:
    return Watched(watched.folder, f"--resume={watched.folder}")


def merged_states(folder: Path) -> list[str]:
    """The cases of the merged run, sorted."""
    lines = (folder / "merged" / "records.jsonl").read_text().splitlines()
    records = [json.loads(line) for line in lines]
    return sorted(record["state"] for record in records if "state" in record)
