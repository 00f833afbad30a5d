"""Stands for the measuring program: `plan`, `run` and `merge` of CASES cases that are not measured.

FAULTS names attempts that end early: {"2": ["TIMEOUT", "CANCELLED"]} are the ends of the first two attempts of shard 2, each
after a case more; "exit:2" is an exit code of the program, "nothing" ends before a case.
"""

import json
import os
import sys
import time
from pathlib import Path

CASES = int(os.environ.get("CASES", "10"))
words = sys.argv[1:]


def after(name: str) -> str:
    return words[words.index(name) + 1]


def states_of(shard: int, count: int) -> list[str]:
    return [f"case-{number}" for number in range(CASES) if number % count == shard - 1]


def fault_of(shard: int) -> str:
    """The end of this attempt; empty: it has a good one."""
    faults = json.loads(os.environ.get("FAULTS", "{}")).get(str(shard), [])
    file = Path(os.environ["FAKE_SLURM"], f"attempts-{shard}")
    attempts = len(file.read_text()) if file.exists() else 0
    file.write_text("x" * (attempts + 1))
    return faults[attempts] if attempts < len(faults) else ""


def run() -> int:
    if "--resume" in words:
        folder = Path(after("--resume"))
        shard, count = json.loads((folder / "run.json").read_text())["shard"]
    else:
        folder = Path(after("--output"))
        folder.mkdir()
        shard, count = (int(part) for part in after("--shard").split("/"))
    fault = fault_of(shard)
    if fault.startswith("exit:"):
        print("no device cuda:7 here", file=sys.stderr)
        return int(fault.removeprefix("exit:"))
    (folder / "run.json").write_text(json.dumps({"shard": [shard, count], "complete": False}))
    journal = folder / "records.jsonl"
    done = journal.read_text().count("\n") if journal.exists() else 0
    with journal.open("a") as lines:
        for state in states_of(shard, count)[done:]:
            if fault == "nothing":
                return 1
            lines.write(json.dumps({"state": state}) + "\n")
            lines.flush()
            if fault:
                time.sleep(0.5)
                job = f"{os.environ['SLURM_ARRAY_JOB_ID']}_{os.environ['SLURM_ARRAY_TASK_ID']}"
                Path(os.environ["FAKE_SLURM"], f"{job}.state").write_text(fault)
                os.killpg(0, 9)
    (folder / "run.json").write_text(json.dumps({"shard": [shard, count], "complete": True}))
    return 0


def merge() -> int:
    output = Path(after("--output"))
    output.mkdir()
    folders = [Path(word) for word in words[1 : words.index("--output")]]
    (output / "run.json").write_text("{}")
    (output / "records.jsonl").write_text("".join((one / "records.jsonl").read_text() for one in folders))
    return 0


def plan() -> int:
    shard, count = (int(part) for part in after("--shard").split("/"))
    print(json.dumps({"states": len(states_of(shard, count))}))
    return 0


sys.exit({"plan": plan, "run": run, "merge": merge}[words[0]]())
