"""A reference folder is complete, of one commit, with bounds that hold, and measured once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from gpuseq.journal import read_records
from gpuseq.runs import FEWEST_SAMPLES, Json, dict_at, list_at, number_at, read_json, text_at
from gpuseq.text import plural

VIOLATED = 1.02  # share of a bound; as kViolatedFraction of the measuring program
FEWEST_BOUNDS = 0.99  # share of the kernels with a rate
_SHOWN = 3


@dataclass(frozen=True)
class Folder:
    path: Path
    summary: dict[str, Json]
    records: list[dict[str, Json]]
    commits: set[str]


def read_folder(path: Path) -> Folder:
    summary = read_json(path / "run.json")
    records: list[dict[str, Json]] = []
    commits = {text_at(dict_at(summary, "program"), "commit")}
    for _, data, provenance in read_records(path / "records.jsonl", whole=True):
        records.append(data)
        commits.add(text_at(dict_at(provenance, "program"), "commit"))
    return Folder(path, summary if isinstance(summary, dict) else {}, records, commits)  # pyright: ignore


def complaints(folder: Folder) -> list[str]:
    """A sentence for each rule that the folder breaks."""
    rules = (_incomplete, _several_commits, _violated, _without_bounds, _few_samples, _twice)
    return [complaint for rule in rules if (complaint := rule(folder))]


def complaints_of_runs(folders: Sequence[Folder]) -> list[str]:
    """About the runs of one folder, such as h200-papers: each is whole and all are of one commit.

    Slow cases of a paper may have few samples, and runs of several GPUs few bounds.
    """
    rules = (_incomplete, _violated, _twice)
    found = [f"{one.path.name}: {complaint}" for one in folders for rule in rules if (complaint := rule(one))]
    mixed = _several_commits(replace(folders[0], commits=set().union(*(one.commits for one in folders))))
    return [*found, mixed] if mixed else found


def _some(names: Sequence[str]) -> str:
    more = f" and {len(names) - _SHOWN} more" if len(names) > _SHOWN else ""
    return "; ".join(names[:_SHOWN]) + more


def _incomplete(folder: Folder) -> str:
    if folder.summary.get("complete") is not True:
        return "incomplete: the run did not end; `gpuseq-bench --resume` finishes it"
    counted = dict_at(folder.summary, "counts")
    here = Counter(str(record["status"]) for record in folder.records)
    wrong = [f"{here[status]} {status}, run.json has {int(number_at(counted, status) or 0)}"
             for status in ("ok", "failed", "skipped") if here[status] != (number_at(counted, status) or 0)]  # fmt: skip
    return f"incomplete: records are {'; '.join(wrong)}" if wrong else ""


def _several_commits(folder: Folder) -> str:
    commits = sorted(folder.commits)
    changed = [commit for commit in commits if "+" in commit or not commit]
    if len(commits) > 1:
        return f"of {len(commits)} commits: {', '.join(commits)}"
    return f"of a commit that cannot be built again: {commits[0] or 'unknown'}" if changed else ""


def _kernels(folder: Folder) -> list[dict[str, Json]]:
    return [
        one for one in folder.records if one["kind"] == "kernel" and one["status"] == "ok" and one["phase"] != "size"
    ]


def _violated(folder: Folder) -> str:
    over = [f"{record['state']} ({share:.3f})" for record in _kernels(folder)
            if (share := number_at(dict_at(record, "bound"), "fraction") or 0) > VIOLATED]  # fmt: skip
    return f"bound violated in {plural(len(over), 'record')}: {_some(over)}" if over else ""


def _without_bounds(folder: Folder) -> str:
    kernels = _kernels(folder)
    bare = [str(record["state"]) for record in kernels if not record["bound"]]
    if len(bare) <= (1 - FEWEST_BOUNDS) * len(kernels):
        return ""
    return f"{len(bare)} of {len(kernels)} records of kernels have no bound: {_some(bare)}"


def _few_samples(folder: Folder) -> str:
    few = [f"{text_at(winner, 'variant')}, {text_at(winner, 'problem_label')}, {text_at(winner, 'device')} ({samples:.0f})"
           for winner in list_at(folder.summary, "tuned")
           if (samples := number_at(winner, "samples") or 0) < FEWEST_SAMPLES]  # fmt: skip
    return f"{plural(len(few), 'winner')} under {FEWEST_SAMPLES} samples: {_some(few)}" if few else ""


def _twice(folder: Folder) -> str:
    """A probe has passes and a winner rounds, which are repetitions; the sweep measures a case once."""
    measured = Counter((str(one["state"]), str(one["phase"]), 0 if one["phase"] == "sweep" else one["repetition"])
                       for one in folder.records)  # fmt: skip
    twice = [f"{state}, {phase}" for (state, phase, _), count in measured.items() if count > 1]
    return f"measured twice: {_some(twice)}" if twice else ""
