"""results/folders.json: the one place that names the folders which documents, figures and tests read."""

from __future__ import annotations

import functools
import json
from dataclasses import dataclass
from pathlib import Path

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
