"""The plan of a cluster run, as its folder records it."""

from __future__ import annotations

import json
import shlex
import sys
from dataclasses import asdict, dataclass, field
from pathlib import Path

from gpuseq.errors import UsageError
from gpuseq.runs import Json, dict_at, read_json
from gpuseq.slurm.attempts import write_renamed
from gpuseq.slurm.queue import submit

FILE = "slurm.json"
_SCHEMA = 1
_END_S = 30  # before the time limit of a job, in which it publishes its last records


@dataclass
class Submitted:
    """A job array, and the records that each of its shards had then."""

    job: str
    records: dict[int, int]


@dataclass
class ClusterRun:
    """The contents of slurm.json. Only the command that watches the run writes it."""

    folder: Path
    program: str
    root: str  # of the checkout
    cwd: str  # relative paths among `words` are relative to it
    words: list[str]  # options of `run`
    nodes: int
    sbatch: list[str]  # options
    every_s: float  # between two looks, and between two copies of a journal
    submitted: list[Submitted] = field(default_factory=list[Submitted])

    @classmethod
    def read(cls, folder: Path) -> ClusterRun:
        file = folder / FILE
        if not file.is_file():
            raise UsageError(f"{folder}: no {FILE} here; allowed: the folder of a run that `gpuseq-bench slurm` began")
        found: dict[str, Json] = dict_at({"run": read_json(file)}, "run")
        if (schema := found.pop("schema", None)) != _SCHEMA:
            raise UsageError(f"{file}: /schema: found {schema}; allowed: {_SCHEMA}")
        arrays = [Submitted(one["job"], {int(shard): number for shard, number in one["records"].items()})
                  for one in found.pop("submitted")]  # fmt: skip
        return cls(folder=folder, submitted=arrays, **found)

    def write(self) -> None:
        values = {key: value for key, value in asdict(self).items() if key != "folder"}
        write_renamed(self.folder / FILE, json.dumps({"schema": _SCHEMA, **values}, indent=1) + "\n")

    def submit(self, records: dict[int, int]) -> str:
        """Submits an array of these shards. Returns its job. Raises UsageError with Slurm's words."""
        script = self.folder / "job.sh"
        write_renamed(script, self._script())
        job = submit([f"--job-name=gpuseq-{self.folder.name}", f"--array={','.join(map(str, sorted(records)))}",
                      "--nodes=1", "--exclusive", "--requeue", "--open-mode=append", f"--signal=B:TERM@{_END_S}",
                      f"--chdir={self.cwd}", f"--output={self.folder / 'shard-%a.log'}", *self.sbatch,
                      str(script)])  # fmt: skip
        self.submitted.append(Submitted(job, records))
        self.write()
        return job

    def _script(self) -> str:
        variables = {"GPUSEQ_PROGRAM": self.program, "GPUSEQ_ROOT": self.root, "PYTHONPATH": f"{self.root}/reports"}
        exports = "".join(f"export {name}={shlex.quote(value)}\n" for name, value in variables.items())
        call = shlex.join([sys.executable, "-m", "gpuseq", "slurm-shard", str(self.folder)])
        return f'#!/bin/sh\n{exports}exec {call} "$SLURM_ARRAY_TASK_ID"\n'
