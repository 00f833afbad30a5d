"""Blocks of documents that are written from the reference folders.

A block is between `<!-- generated: NAME WORD... -->` and `<!-- end of NAME -->` in README.md or a page of docs/. The first
word of most names is a key of "pages" in results/folders.json, or a folder of results/. Blocks:

    rates KEY            the fastest configurations of a run on its GPU and on its host's processors
    first KEY            the same of the first case of each family
    sizes KEY            where a GPU overtakes the CPU, and at which size each reaches half of its rate
    family KEYS FAMILY   the fastest configurations of a family by case and device of runs, their keys with commas between
                         them; and the rates of all configurations of the first run
    tools KEYS           the rates of external tools and of exec, as whole processes
    figure KEY NAME      a committed picture of the folder
    run KEY              the folder: devices with their UUIDs, config, commit, date and seconds
    runs                 the same of all committed folders
    platforms            devices of all committed runs
    excerpt KEY FAMILY   the winners of a family as the program prints them
"""

from __future__ import annotations

import functools
import os
import re
import subprocess
import tempfile
from collections.abc import Callable, Sequence
from datetime import datetime
from pathlib import Path

from gpuseq.errors import UsageError
from gpuseq.reference.folders import ROOT, Folders, committed_folders, read_summary
from gpuseq.reproduce.claims.words import number
from gpuseq.runs import FEWEST_SAMPLES, Json, Record, Report, dict_at, list_at, load_runs, number_at, text_at

_MARKED = re.compile(r"(<!-- generated: (?P<name>[^\n]*?) -->\n).*?(<!-- end of (?P=name) -->)", re.DOTALL)
_OPENED = re.compile(r"<!-- generated: ([^\n]*?) -->")
_UNITS = {"query bases/s": "bases/s"}
_DATE = "%Y-%m-%dT%H:%M:%SZ"


class Source:
    """The folders that blocks read, and the program whose words are quoted."""

    def __init__(self, root: Path = ROOT, folders: Folders | None = None, program: Path | None = None) -> None:
        self.root, self.program = root, program
        self.folders = folders or committed_folders()

    @functools.cached_property
    def summaries(self) -> dict[str, Json]:
        """By the path of the folder below results/."""
        files = [file for depth in ("*", "*/*") for file in sorted((self.root / "results").glob(f"{depth}/run.json"))]
        return {file.parent.relative_to(self.root / "results").as_posix(): read_summary(file) for file in files}

    def run(self, key: str) -> tuple[str, dict[str, Json]]:
        """The folder's name and its run.json."""
        name = self.folders.pages.get(key, key)
        if name not in self.summaries:
            raise UsageError(
                f'generated block: found the folder "{key}"; allowed: {", ".join(self.folders.pages)}, or one of results/'
            )
        return name, self.summaries[name]

    def records(self, folder: str, family: str) -> list[Record]:
        """The settled records of a family, those of external tools among them."""
        return self.report(folder).settled(family, tools=True)

    @functools.cache  # noqa: B019
    def report(self, folder: str) -> Report:
        return load_runs([self.root / "results" / folder], by_model=True)

    def labels(self, folder: str, family: str) -> list[str]:
        """The labels of a family's problems, in the order of the winners."""
        tuned = list_at(self.summaries[folder], "tuned")
        return [text_at(one, "problem_label") for one in tuned if text_at(one, "family") == family]

    def host_alone(self, folder: str, winner: dict[str, Json]) -> list[dict[str, Json]]:
        """The host's fastest record without GPU on the problem of a winner, in the form of a winner."""
        alone = [one for one in self.records(folder, text_at(winner, "family"))
                 if one.device == "cpu" and not one.is_tool and "gpus" not in one.point and text_at(one.data, "problem_label") == winner["problem_label"]]  # fmt: skip
        if not alone:
            return []
        best = max(alone, key=lambda one: one.rate)
        bound = {"fraction_of_bound": number_at(best.bound, "fraction"), "bound_by": text_at(best.bound, "bound_by")}
        return [{**winner, **(best.statistics or {}), **bound, "variant": best.variant, "point": best.data["point"],
                 "memory": best.data["memory"], "fills_device": {}}]  # fmt: skip


def pages(root: Path = ROOT) -> list[Path]:
    return [root / "README.md", *sorted((root / "docs").rglob("*.md"))]


def written(page: Path, source: Source) -> str:
    """The text of a page with all blocks as the records say. Raises UsageError for a block without an end, or one that
    is not known."""
    text = page.read_text(encoding="utf-8")
    up = "../" * (len(page.relative_to(source.root).parts) - 1)
    opened = _OPENED.findall(text)

    def replaced(match: re.Match[str]) -> str:
        lines = block(match["name"].split(), source, up)
        return match[1] + "\n".join(lines).rstrip() + "\n" + match[3]

    result, count = _MARKED.subn(replaced, text)
    if count != len(opened):
        raise UsageError(f"{page}: {len(opened)} generated blocks begin ({', '.join(opened)}), {count} have an end")
    return result


def block(words: Sequence[str], source: Source, up: str) -> list[str]:
    makers: dict[str, tuple[int, Callable[..., list[str]]]] = {
        "rates": (1, rates), "first": (1, functools.partial(rates, first=True)), "sizes": (1, sizes), "family": (2, family), "tools": (1, tools), "figure": (2, figure), "run": (1, run), "runs": (0, runs), "platforms": (0, platforms),
        "excerpt": (2, excerpt)}  # fmt: skip
    name, *rest = words or [""]
    if name not in makers or len(rest) != makers[name][0]:
        raise UsageError(f'generated block: found "{" ".join(words)}"; allowed: {", ".join(makers)}, with their words')
    return makers[name][1](source, up, *rest)


def _rate(winner: dict[str, Json]) -> str:
    unit = _UNITS.get(text_at(winner, "rate_unit"), text_at(winner, "rate_unit"))
    rate = number(number_at(winner, "rate") or 0, unit)
    if not number_at(winner, "rate_low"):  # one sample has no interval
        return rate
    ends = [number(number_at(winner, key) or 0, unit).split() for key in ("rate_low", "rate_high")]
    (low, low_unit), (high, high_unit) = ((one[0], one[1][0]) for one in ends)
    return f"{rate} ({low} {low_unit} to {high} {high_unit})"


def _share(winner: dict[str, Json]) -> str:
    share = number_at(winner, "fraction_of_bound")
    return f"{number(share, '%')}, {text_at(winner, 'bound_by')}" if share else "-"


def _bytes(winner: dict[str, Json]) -> str:
    held = number_at(dict_at(winner, "memory"), "bytes")
    return number(held, "B") if held else "-"


_NOTES = {"¹": "The rate still grew with the size of the case.", "²": "This interval holds at less than 95 %."}


def _marks(winner: dict[str, Json]) -> str:
    grows = dict_at(winner, "fills_device").get("fills") is False
    return ("¹" if grows else "") + (
        "²" if number_at(winner, "rate_low") and (number_at(winner, "confidence") or 0) < 0.95 else ""
    )


def _notes(marked: Sequence[str]) -> list[str]:
    used = set("".join(marked))
    return ["", *(f"{mark} {note}" for mark, note in _NOTES.items() if mark in used)] if used else []


def seconds_of(summary: dict[str, Json]) -> tuple[datetime, int]:
    """When a run began, and the seconds that it took; of one in parts, that these took together."""
    parts = [part for part in list_at(summary, "nodes") if text_at(part, "finished")] or [summary]
    begun, ended = ([datetime.strptime(text_at(part, key), _DATE) for part in parts] for key in ("started", "finished"))
    return min(begun), int(sum((end - start).total_seconds() for start, end in zip(begun, ended, strict=True)))


def _tuned(summary: dict[str, Json]) -> list[dict[str, Json]]:
    """The winners by rate."""
    of_rate = [one for one in list_at(summary, "tuned") if text_at(dict_at(one, "objective"), "metric") in ("rate", "")]
    return [one for one in of_rate if isinstance(one, dict)]  # pyright: ignore


def rates(source: Source, up: str, key: str, first: bool = False) -> list[str]:
    folder, summary = source.run(key)
    gpu, cpu = (dict_at(dict_at(summary, "devices"), device) for device in ("cuda:0", "cpu"))
    begun, seconds = seconds_of(summary)
    uuids = sorted({text_at(dict_at(node, "cuda:0"), "uuid") for node in _nodes(summary)})
    cases: dict[tuple[str, str], dict[str, dict[str, Json]]] = {}
    for winner in _tuned(summary):
        case = text_at(winner, "family"), text_at(winner, "problem_label")
        if first and case not in cases and case[0] in (family for family, _ in cases):
            continue
        alone = source.host_alone(folder, winner) if _uses_gpus(summary, dict_at(winner, "point")) else [winner]
        cases.setdefault(case, {}).update({text_at(one, "device"): one for one in alone})
    lines = [f"Fastest configurations on one {text_at(gpu, 'name')} ({', '.join(f'`{uuid}`' for uuid in uuids)}) and on the {cpu.get('threads')} vCPUs of its "
             f"host, {begun:%d %B %Y}, in [one run]({up}results/{folder}) of {seconds} s. *Share* is the part of the measured bound that "
             "was reached; in parentheses are 95 % confidence intervals.", "",
             f"| family: case | {text_at(gpu, 'name')} | share, limit | memory footprint | {cpu.get('threads')} vCPUs | share, limit |",
             "|---|---:|---|---:|---:|---|"]  # fmt: skip
    marked: list[str] = []
    for (family, label), devices in cases.items():
        there, here = devices.get("cuda:0"), devices.get("cpu")
        cells = [f"{family}: {label}"]
        cells += [_rate(there) + _marks(there), _share(there), _bytes(there)] if there else ["-"] * 3
        cells += [_rate(here) + _marks(here), _share(here)] if here else ["-"] * 2
        marked += [_marks(one) for one in (there, here) if one]
        lines.append(f"| {' | '.join(cells)} |")
    return lines + _notes(marked)


def sizes(source: Source, up: str, key: str) -> list[str]:
    folder, summary = source.run(key)
    found = [one for one in list_at(summary, "sizes") if list_at(one, "sentences")]
    if not found:
        raise UsageError(f"generated block: {folder} found no sizes")
    return [f"- {text_at(one, 'family')}, {text_at(one, 'problem_label')}: {' '.join(map(str, list_at(one, 'sentences')))}"
            for one in found]  # fmt: skip


def family(source: Source, up: str, keys: str, name: str) -> list[str]:
    runs = [source.run(key) for key in keys.split(",")]
    cases = _letters([label for folder, _ in runs for label in source.labels(folder, name)])
    if not cases:
        raise UsageError(f"generated block: {runs[0][0]} has no record of {name}")
    found = {label: [one for run in runs for one in _of_case(source, *run, name, label)] for label in cases}
    machines = ", ".join(f"[{folder}]({up}results/{folder}) ({_machine(summary)})" for folder, summary in runs)
    lines = [f"Fastest configuration of `{name}` by case and device, with 95 % intervals: {machines}.", "",
             "| case | device | fastest configuration | rate | share, limit | memory footprint |", "|---|---|---|---:|---|---:|"]  # fmt: skip
    for label, devices in found.items():
        for place, (device, winner, words) in enumerate(devices):
            few = "³" if (number_at(winner, "samples") or 0) < FEWEST_SAMPLES else ""
            lines.append(f"| {f'{cases[label]}: {label}' if place == 0 else ''} | {device} | {words} | "
                         f"{_rate(winner)}{_marks(winner)}{few} | {_share(winner)} | {_bytes(winner)} |")  # fmt: skip
    notes = _notes([_marks(winner) for devices in found.values() for _, winner, _ in devices])
    if any("³ |" in line for line in lines):
        notes += [*([] if notes else [""]), f"³ Fewer than {FEWEST_SAMPLES} samples."]
    return [*lines, *notes, "", *_configurations(source, *runs[0], name, cases)]


def _letters(labels: Sequence[str]) -> dict[str, str]:
    return {label: chr(ord("A") + place) for place, label in enumerate(dict.fromkeys(labels))}


def _machine(summary: dict[str, Json]) -> str:
    devices = dict_at(summary, "devices")
    gpus = [text_at(device, "name") for name, device in devices.items() if name != "cpu"]
    return "; ".join(
        [*gpus, f"{dict_at(devices, 'cpu').get('threads')} vCPUs, {text_at(dict_at(devices, 'cpu'), 'name')}"]
    )


def _device(summary: dict[str, Json], device: str, point: dict[str, Json]) -> str:
    """A variant of the host with the axis "gpus" uses these as well."""
    devices = dict_at(summary, "devices")
    if device != "cpu":
        return text_at(dict_at(devices, device), "name")
    return f"{dict_at(devices, 'cpu').get('threads')} vCPUs" + (" and GPU" if _uses_gpus(summary, point) else "")


def _uses_gpus(summary: dict[str, Json], point: dict[str, Json]) -> bool:
    return "gpus" in point and len(dict_at(summary, "devices")) > 1


def _words(summary: dict[str, Json], family: str, variant: str, point: dict[str, Json]) -> str:
    """The variant, and the axes that differ from their defaults."""
    usual = dict_at(dict_at(dict_at(dict_at(summary, "defaults"), family), "variants"), variant)
    return " ".join([f"`{variant}`", *(f"{axis}={value}" for axis, value in point.items() if usual.get(axis) != value)])


def _of_case(
    source: Source, folder: str, summary: dict[str, Json], family: str, label: str
) -> list[tuple[str, dict[str, Json], str]]:
    """Device, winner and its words. After a winner that uses host and GPU, the host's fastest without GPU."""
    of_case = [
        one for one in _tuned(summary) if (text_at(one, "family"), text_at(one, "problem_label")) == (family, label)
    ]
    alone = [
        other
        for one in of_case
        if _uses_gpus(summary, dict_at(one, "point"))
        for other in source.host_alone(folder, one)
    ]
    found: list[tuple[str, dict[str, Json], str]] = []
    for one in of_case + alone:
        point = dict_at(one, "point")
        words = _words(summary, family, text_at(one, "variant"), point)
        found.append((_device(summary, text_at(one, "device"), point), one, words))
    return sorted(found, key=lambda row: -(number_at(row[1], "rate") or 0))


def _configurations(
    source: Source, folder: str, summary: dict[str, Json], family: str, cases: dict[str, str]
) -> list[str]:
    """A line per configuration of a run, a column per case."""
    cells: dict[tuple[str, str], dict[str, str]] = {}
    best: dict[tuple[str, str], float] = {}
    units: set[str] = set()
    for record in source.records(folder, family):
        if record.is_tool:
            continue
        point = dict_at(record.data, "point")
        row = _device(summary, record.device, point), _words(summary, family, record.variant, point)
        value, unit = number(record.rate, record.rate_unit).split(" ")[:2]
        share = number_at(record.bound, "fraction")
        cell = f"{value} {unit[0]}" + (f" ({number(share, '%')})" if share else "")
        cells.setdefault(row, {})[text_at(record.data, "problem_label")] = cell
        best[row] = max(best.get(row, 0), record.rate)
        units.add(_UNITS.get(record.rate_unit, record.rate_unit))
    measured = [label for label in cases if any(label in of for of in cells.values())]
    lines = [f"All configurations of {folder} by case, in {', '.join(sorted(units))}, with the share of the bound:", "",
             f"| device | configuration | {' | '.join(cases[label] for label in measured)} |",
             "|---|---|" + "---:|" * len(measured)]  # fmt: skip
    for row in sorted(cells, key=lambda row: -best[row]):
        lines.append(f"| {' | '.join(row)} | {' | '.join(cells[row].get(label, '-') for label in measured)} |")
    return lines


def tools(source: Source, up: str, keys: str) -> list[str]:
    lines = ["| run | case | program | rate |", "|---|---|---|---:|"]
    for key in keys.split(","):
        folder, summary = source.run(key)
        report = source.report(folder)
        found = [
            one
            for family in sorted({one.family for one in report.records})
            for one in report.settled(family, tools=True)
            if one.is_tool
        ]
        if not found:
            raise UsageError(f"generated block: {folder} has no record of an external tool")
        for record in sorted(found, key=lambda one: (one.family, text_at(one.data, "problem_label"), -one.rate)):
            words = _words(summary, record.family, record.variant, dict_at(record.data, "point"))
            winner: dict[str, Json] = {**(record.statistics or {})}
            lines.append(f"| [{folder}]({up}results/{folder}) | {record.family}: {text_at(record.data, 'problem_label')} | {words} | "
                         f"{_rate(winner)}{_marks(winner)} |")  # fmt: skip
    return [*lines, *_notes(lines)]


def figure(source: Source, up: str, key: str, name: str) -> list[str]:
    from gpuseq.figures import find_figures

    folder, _ = source.run(key)
    found = find_figures([name])[0]
    plots = source.root / "results" / folder / "plots"
    pictures = sorted(plots.glob(f"{found.file_stem}.png")) or sorted(plots.glob(f"{found.file_stem}-[0-9]*.png"))
    if not pictures:
        raise UsageError(f"generated block: {plots} has no picture of {name}: "
                         f"./gpuseq-bench report results/{folder} --figure {name} --format png")  # fmt: skip
    return [f"![{found.title}]({up}results/{folder}/plots/{picture.name})" for picture in pictures]


_RUN_HEAD = ["| folder | devices | GPU UUIDs | config | commit | begun, seconds |", "|---|---|---|---|---|---|"]


def _run_row(up: str, folder: str, summary: dict[str, Json]) -> str:
    begun, seconds = seconds_of(summary)
    devices = [device for node in _nodes(summary) for device in node.values()]
    uuids = sorted({text_at(device, "uuid") for device in devices} - {""})
    names = sorted({text_at(device, "name") for device in devices})
    return (f"| [{folder}]({up}results/{folder}) | {', '.join(names)} | {', '.join(f'`{uuid}`' for uuid in uuids) or '-'} | "
            f"`{text_at(summary, 'config_source').rpartition('configs/')[2]}` | {text_at(dict_at(summary, 'program'), 'commit')[:8]} | "
            f"{begun:%d %B %Y}, {seconds} s{'' if summary.get('complete') else ', not complete'} |")  # fmt: skip


def _nodes(summary: dict[str, Json]) -> list[dict[str, Json]]:
    """The devices of each part of a run."""
    return [dict_at(node, "devices") for node in list_at(summary, "nodes")] or [dict_at(summary, "devices")]


def run(source: Source, up: str, key: str) -> list[str]:
    return [*_RUN_HEAD, _run_row(up, *source.run(key))]


def runs(source: Source, up: str) -> list[str]:
    return [*_RUN_HEAD, *(_run_row(up, folder, summary) for folder, summary in source.summaries.items())]


def platforms(source: Source, up: str) -> list[str]:
    """A line per kind of device in the committed runs, with the number of different ones."""
    seen: dict[str, dict[str, set[str]]] = {}
    for folder, summary in source.summaries.items():
        system = text_at(dict_at(dict_at(summary, "devices"), "cpu"), "operating_system")
        for node in _nodes(summary):
            for device in node.values():
                of = seen.setdefault(
                    text_at(device, "name"), {"runs": set(), "uuids": set(), "drivers": set(), "systems": set()}
                )
                of["runs"].add(folder)
                of["uuids"].add(text_at(device, "uuid"))
                of["drivers"].add(text_at(device, "driver_version"))
                of["systems"].add(system)
    lines = [
        "| device | operating system | CUDA driver | different GPUs, by UUID | committed runs |",
        "|---|---|---|---:|---:|",
    ]
    for name, of in sorted(seen.items()):
        systems, drivers = (", ".join(sorted(of[key] - {""})) or "-" for key in ("systems", "drivers"))
        lines.append(f"| {name} | {systems} | {drivers} | {len(of['uuids'] - {''}) or '-'} | {len(of['runs'])} |")
    return lines


def excerpt(source: Source, up: str, key: str, family: str) -> list[str]:
    """The winners of a family, as the program prints them for the records of the run."""
    folder, _ = source.run(key)
    if source.program is None:
        raise UsageError("generated block excerpt: give the program, gpuseq-bench, whose words it quotes")
    with tempfile.TemporaryDirectory() as scratch:
        command = [source.program, "merge", "--allow-gaps", source.root / "results" / folder, "--output", Path(scratch) / "run",
                   "--no-report"]  # fmt: skip
        environment = {**os.environ, "GPUSEQ_ROOT": str(source.root)}  # configs name files below it
        printed = subprocess.run(command, check=True, capture_output=True, text=True, env=environment).stdout
    found = [text for text in printed.split("\n\n") if text.startswith(f"{family}, ")]
    if not found:
        raise UsageError(f"generated block: {source.program} prints no winners of {family} for {folder}")
    return ["```text", *found[0].splitlines(), "```"]
