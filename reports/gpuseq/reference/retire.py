"""Folders of results/ that leave: the rows that are kept, the files that name them, and their rows in the golden sets."""

from __future__ import annotations

import gzip
import json
import re
import shutil
import subprocess
from collections.abc import Iterable, Sequence
from pathlib import Path

from gpuseq.errors import UsageError
from gpuseq.reference.folders import ROOT
from gpuseq.runs import Json, Record, Report, dict_at, load_runs, number_at, text_at

_DROPPED: dict[str, Json] = {"samples_s": [], "side_samples_s": {}, "single_launch": None, "counters": None, "energy": None,
            "notes": [], "repetition": 0}  # fmt: skip
_WHY_DROPPED = {"counters_reason": "not kept in rows", "energy_reason": "not kept in rows"}
_KINDS = {"documents": r"(README|docs/|kernels/|probes/|configs/|CHANGELOG|bench/|results/)",
          "tests": r"tests/", "claims": r"reports/gpuseq/reproduce/claims/",
          "figures": r"reports/|results/reproductions/"}  # fmt: skip
_GOLDEN = ("winners.tsv", "bounds.tsv.gz", "figures.tsv.gz", "tables.tsv.gz", "verdicts.tsv")


def write_rows(folders: Sequence[Path], target: Path) -> int:
    """Writes a run folder with the configurations of each device, variant and problem to which no other one is faster in
    as little memory, and a record per point of the probes, all without samples, so that `machine`, `compare`, `report`
    and predictions read it like a run.
    GPUs of one model count as one. Returns the number of records."""
    report = load_runs(list(folders), by_model=True)
    rows = [*_probes(report), *_fastest(report)]
    if not rows:
        raise UsageError(f"{', '.join(map(str, folders))}: no record with a rate")
    provenances = {str(row.data["provenance"]): row.provenance for row in rows}
    lines = [{"provenance_id": name, "provenance": of} for name, of in provenances.items()]
    target.mkdir(parents=True, exist_ok=True)
    text = "".join(json.dumps(line, separators=(",", ":")) + "\n" for line in [*lines, *map(_row, rows)])
    (target / "records.jsonl").write_text(text, encoding="utf-8")
    (target / "run.json").write_text(json.dumps(_summary(report, target.name), indent=1) + "\n", encoding="utf-8")
    profiles = [folder / "machine.json" for folder in folders if (folder / "machine.json").is_file()]
    if profiles:
        newest = max(profiles, key=lambda file: text_at(json.loads(file.read_text(encoding="utf-8")), "started"))
        shutil.copyfile(newest, target / "machine.json")
    return len(rows)


def _row(record: Record) -> dict[str, Json]:
    phase = "probe" if record.kind == "probe" else "sweep"
    kept = {key: value for key, value in record.data.items() if key != "reference_loop"}
    return kept | _DROPPED | _WHY_DROPPED | {"phase": phase}


def _probes(report: Report) -> list[Record]:
    families = sorted({record.family for record in report.records if record.kind == "probe"})
    return _once(record for family in families for record in report.settled(family))


def _fastest(report: Report) -> list[Record]:
    """By device, variant and problem the configurations to which no other one is faster in as little memory."""
    groups: dict[tuple[str, ...], list[Record]] = {}
    settled = [one for family in report.kernel_families() for one in report.settled(family, tools=True)]
    newest = {
        _problem(one): one.data["problem_hash"] for one in sorted(settled, key=lambda one: text_at(one.data, "date"))
    }
    for record in settled:
        if record.data["problem_hash"] == newest[_problem(record)]:  # a folder has one set of data of a problem
            groups.setdefault((record.data["device"], record.variant, *_problem(record)), []).append(record)
    return _once(one for group in groups.values() for one in _front(group))


def _front(records: Sequence[Record]) -> list[Record]:
    kept: list[Record] = []
    for record in sorted(records, key=lambda one: -one.rate):
        if not kept or _memory(record) < _memory(kept[-1]):
            kept.append(record)
    return kept


def _memory(record: Record) -> float:
    return number_at(dict_at(record.data, "memory"), "bytes") or 0


def _problem(record: Record) -> tuple[str, str]:
    return record.family, json.dumps(record.problem, sort_keys=True)


def _once(records: Iterable[Record]) -> list[Record]:
    """Two GPUs of a host have the same id on another host: the first record of a state counts."""
    kept: dict[str, Record] = {}
    for record in records:
        kept.setdefault(str(record.data["state"]), record)
    return list(kept.values())


def _summary(report: Report, name: str) -> dict[str, Json]:
    """run.json of the newest run, with the devices of all and without the winners and levels of one."""
    runs = sorted(report.runs, key=lambda run: text_at(run.summary, "started"))
    newest = runs[-1].summary if isinstance(runs[-1].summary, dict) else {}
    devices: dict[str, Json] = {}
    for run in runs:
        devices |= dict_at(run.summary, "devices")
    kept = {key: newest[key] for key in ("schema", "started", "finished", "program", "config", "config_hash", "config_source",
                                         "invocation", "data", "defaults") if key in newest}  # fmt: skip
    folders = [run.folder.name for run in runs]
    return kept | {"name": name, "complete": True, "devices": devices, "rows_of": folders}


def references(names: Sequence[str], root: Path = ROOT) -> dict[str, dict[str, list[str]]]:
    """By folder and kind of reference (documents, tests, claims, figures) the tracked files that name it.
    Rows of the golden sets leave with their folder and do not count. Lab notes, the changelog and kept rows may name
    folders that are gone."""
    listed = subprocess.run(
        ["git", "ls-files"], cwd=root, check=True, capture_output=True, text=True
    ).stdout.splitlines()
    own = re.compile(
        r"results/[^/]+/(records\.jsonl|run\.json|machine\.json|plots/)|results/folders\.json|"
        r"tests/(fuzz/corpus/|golden/.*\.tsv|golden/sample\.txt)|docs/lab-notes/|CHANGELOG\.md|configs/machine/[^/]+/"
    )
    found: dict[str, dict[str, list[str]]] = {name: {} for name in names}
    patterns = {name: re.compile(rf"(?<![\w-]){re.escape(name)}(?![\w-])") for name in names}
    for file in listed:
        if own.match(file) or file.endswith((".gz", ".png")) or not (root / file).is_file():
            continue
        text = (root / file).read_text(encoding="utf-8", errors="replace")
        kind = next((kind for kind, place in reversed(_KINDS.items()) if re.match(place, file)), "documents")
        for name, pattern in patterns.items():
            if name in text and pattern.search(text):
                found[name].setdefault("claims" if "/claims/" in file else kind, []).append(file)
    return found


def drop_golden_rows(names: Sequence[str], golden: Path) -> int:
    """Removes the rows of these runs from the golden sets. Returns their number."""
    dropped = 0
    for name in _GOLDEN:
        file = golden / name
        if not file.exists():
            continue
        data = file.read_bytes()
        lines = (gzip.decompress(data) if file.suffix == ".gz" else data).decode().splitlines(keepends=True)
        kept = [line for line in lines if line.split("\t", 1)[0] not in names]
        if len(kept) == len(lines):
            continue
        dropped += len(lines) - len(kept)
        text = "".join(kept).encode()
        file.write_bytes(gzip.compress(text, mtime=0) if file.suffix == ".gz" else text)
    sample = golden / "sample.txt"
    if sample.exists():
        lines = sample.read_text(encoding="utf-8").splitlines(keepends=True)
        sample.write_text("".join(line for line in lines if line.strip() not in names), encoding="utf-8")
    return dropped
