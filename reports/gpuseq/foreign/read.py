"""Finds out which tool wrote a result file, and reads it."""

from __future__ import annotations

import re
from pathlib import Path
from types import ModuleType

from gpuseq.foreign import criterion, google_benchmark, hyperfine, nvbench, pytest_benchmark
from gpuseq.foreign.place import Place
from gpuseq.foreign.result import ResultFile

_FORMATS: tuple[ModuleType, ...] = (google_benchmark, pytest_benchmark, hyperfine, nvbench)
FORMATS_TEXT = "JSON of Google Benchmark, NVBench, hyperfine or pytest-benchmark, or Criterion's folder"


def read_results(path: Path) -> ResultFile:
    """Raises UsageError with file and JSON pointer for a file that is of no known format, or wrong in it."""
    if path.is_dir():
        return criterion.read(path)
    root = Place.load(path)
    for module in _FORMATS:
        if module.is_one(root):
            found: ResultFile = module.read(root)
            return found
    raise root.wrong(FORMATS_TEXT)


def result_files(folder: Path) -> list[Path]:
    """The result files of a folder's processes, or the folder itself where it is Criterion's."""
    found = [path for path in sorted(folder.glob("*.json")) if path.is_file() or re.fullmatch(r"\d+\.json", path.name)]
    return found or ([folder] if criterion.folders_of(folder) else [])
