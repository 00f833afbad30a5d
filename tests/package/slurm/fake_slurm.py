"""Stands for sbatch and squeue: jobs of an array are processes of this machine, all at once.

`sbatch` starts each job in a session of its own; `squeue` prints their states. The folder FAKE_SLURM has a file of each job:
<job>_<index>.pid, and .state with the end of the job.
"""

import json
import os
import subprocess
import sys
from pathlib import Path

HERE = Path(os.environ["FAKE_SLURM"])


def option(name: str, words: list[str]) -> str:
    return next((word.partition("=")[2] for word in words if word.startswith(f"--{name}=")), "")


def sbatch(words: list[str]) -> int:
    with (HERE / "submitted").open("a") as log:
        log.write(json.dumps(words) + "\n")
    if option("partition", words) == "night":
        print("sbatch: error: invalid partition specified: night", file=sys.stderr)
        print("sbatch: error: Batch job submission failed: Invalid partition name specified", file=sys.stderr)
        return 1
    job = str(len((HERE / "submitted").read_text().splitlines()))
    for index in option("array", words).split(","):
        environment = os.environ | {"SLURM_ARRAY_JOB_ID": job, "SLURM_ARRAY_TASK_ID": index}
        with Path(option("output", words).replace("%a", index)).open("a") as log:
            child = subprocess.Popen([sys.executable, __file__, "job", words[-1]], env=environment, stdout=log, stderr=log,
                                     stdin=subprocess.DEVNULL, cwd=option("chdir", words), start_new_session=True)  # fmt: skip
        (HERE / f"{job}_{index}.pid").write_text(str(child.pid))
    print(f"{job};cluster")
    return 0


def job(script: str) -> int:
    """Runs a job's script and records its end."""
    name = f"{os.environ['SLURM_ARRAY_JOB_ID']}_{os.environ['SLURM_ARRAY_TASK_ID']}"
    code = subprocess.run(["/bin/sh", script], check=False).returncode
    state = HERE / f"{name}.state"
    if not state.exists():
        state.write_text("COMPLETED" if code == 0 else "FAILED")
    return code


def squeue(words: list[str]) -> int:
    job = option("jobs", words)
    for file in sorted(HERE.glob(f"{job}_*.pid")):
        index = file.stem.partition("_")[2]
        state = file.with_suffix(".state")
        print(f"{job}|{index}|{state.read_text() if state.exists() else 'RUNNING'}|n{index}|None")
    return 0


if __name__ == "__main__":
    command, *words = sys.argv[1:]
    sys.exit({"sbatch": sbatch, "squeue": squeue, "job": lambda words: job(words[0])}[command](words))
