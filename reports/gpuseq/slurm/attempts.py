"""The shared folder of a run: the state of its shards, written by renames alone.

Each start of a shard is an attempt with a folder of its own, to which one job publishes copies of its local run folder.
So no two jobs write one file, and the folder needs no locks.
"""

from __future__ import annotations

import json
import os
import shutil
import tempfile
from dataclasses import dataclass
from pathlib import Path

from gpuseq.runs import Json, number_at, read_json, text_at

JOURNAL, RUN, STATUS = "records.jsonl", "run.json", "status.json"
_LEAST_FREE_BYTES = 64 << 20


def local_folder() -> Path:
    """TMPDIR, or another folder if its disk is full."""
    usual = Path(tempfile.gettempdir())
    return next((folder for folder in (usual, Path("/var/tmp"), Path("/tmp"))
                 if folder.is_dir() and shutil.disk_usage(folder).free >= _LEAST_FREE_BYTES), usual)  # fmt: skip


def write_renamed(file: Path, text: str) -> None:
    """Writes a file as a whole."""
    part = file.with_name(f".{file.name}.part")
    part.write_text(text, encoding="utf-8")
    os.replace(part, file)


def copy_renamed(source: Path, to: Path) -> None:
    part = to.with_name(f".{to.name}.part")
    shutil.copyfile(source, part)
    os.replace(part, to)


@dataclass(frozen=True)
class Attempt:
    """The published records of an attempt."""

    folder: Path
    records: int = 0
    planned: int = 0  # cases; a run adds some, such as footprints where levels end
    complete: bool = False
    host: str = ""
    exit_code: int | None = None  # None: the job runs or was killed

    def write_status(self) -> None:
        status: dict[str, Json] = {"records": self.records, "planned": self.planned, "complete": self.complete,
                                   "host": self.host, "exit": self.exit_code}  # fmt: skip
        write_renamed(self.folder / STATUS, json.dumps(status) + "\n")


def shard_folder(folder: Path, shard: int) -> Path:
    return folder / f"shard-{shard}"


def log_of(folder: Path, shard: int) -> Path:
    return folder / f"shard-{shard}.log"


def attempts_of(folder: Path, shard: int) -> list[Attempt]:
    """The attempts that have published something."""
    found: list[Attempt] = []
    for file in sorted(shard_folder(folder, shard).glob(f"*/{STATUS}")):
        status = read_json(file)
        code = number_at(status, "exit")
        found.append(Attempt(file.parent, int(number_at(status, "records") or 0), int(number_at(status, "planned") or 0),
                             status["complete"] is True, text_at(status, "host"),
                             None if code is None else int(code)))  # fmt: skip
    return found


def best_attempt(folder: Path, shard: int) -> Attempt | None:
    """The one to go on with: complete, or with most records."""
    with_run = (one for one in attempts_of(folder, shard) if (one.folder / RUN).exists())
    return max(with_run, key=lambda one: (one.complete, one.records), default=None)
