"""results/folders.json: the one place that names the folders which documents, figures and tests read."""

from __future__ import annotations

import functools
import json
import re
from dataclasses import dataclass
from pathlib import Path

from gpuseq.runs import Json, dict_at, list_at, read_json

ROOT = Path(__file__).resolve().parents[3]
FILE = ROOT / "results" / "folders.json"


@dataclass(frozen=True)
class Folders:
    """Names of folders of results/."""

    complete: tuple[str, ...]  # that obey the rules of reference folders
    pages: dict[str, str]  # by the name that generated blocks give them: gpu, cpu ...
    replaced_by: dict[str, str]  # of folders that are gone

    def of(self, name: str) -> str:
        """The folder that has the records of a folder today."""
        seen = {name}
        while name in self.replaced_by:
            name = self.replaced_by[name]
            if name in seen:
                raise ValueError(f"{FILE}: /replaced_by/{name}: it replaces itself")
            seen.add(name)
        return name


def read_folders(file: Path = FILE) -> Folders:
    data = json.loads(file.read_text(encoding="utf-8"))
    return Folders(tuple(data["complete"]), data["pages"], data["replaced_by"])


@functools.cache
def committed_folders() -> Folders:
    """Those of the checkout. An installed package has none."""
    return read_folders() if FILE.exists() else Folders((), {}, {})


def folder_of(name: str) -> str:
    return committed_folders().of(name)


def read_summary(file: Path) -> dict[str, Json]:
    """run.json of a committed run, whose devices have the second GPUs of its cases, too: only records name them."""
    summary: dict[str, Json] = read_json(file)
    journal = file.with_name("records.jsonl")
    records = journal.read_text(encoding="utf-8") if journal.exists() else ""
    peers = sorted(set(re.findall(r'"peer_name": ?"([^"]*)", ?"peer_uuid": ?"([^"]*)"', records)))
    first = (list_at(summary, "nodes") or [summary])[0]
    for number, (name, uuid) in enumerate(peers):
        dict_at(first, "devices")[f"peer:{number}"] = {"name": name, "uuid": uuid}
    return summary
