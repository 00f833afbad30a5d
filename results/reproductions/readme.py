#!/usr/bin/env python3
"""Writes the numbers of README.md: the blocks between its markers, from the committed records.

Usage: readme.py [--check] PROGRAM     PROGRAM: gpuseq-bench, whose summary of the records is quoted; with --check: exit code 1
                                       if README.md is not what the records and the program say
"""

import datetime
import json
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "reports"))

from gpuseq.reproduce.claims.words import number

DOCUMENT, RUN = ROOT / "README.md", "h200-first-look"
UNITS = {"query bases/s": "bases/s"}
DATE = "%Y-%m-%dT%H:%M:%SZ"


def summary_of(name):
    return json.loads((ROOT / "results" / name / "run.json").read_text(encoding="utf-8"))


def rate(winner):
    unit = UNITS.get(winner["rate_unit"], winner["rate_unit"])
    low, high = (number(winner[key], unit) for key in ("rate_low", "rate_high"))
    return f"{number(winner['rate'], unit)} ({low.split()[0]} {low.split()[1][0]} to {high.split()[0]} {high.split()[1][0]})"


def table(run):
    """A line a benchmark case, of winners on the one GPU of a run and on its host's processors."""
    gpu, cpu = run["devices"]["cuda:0"], run["devices"]["cpu"]
    begun = datetime.datetime.strptime(run["started"], DATE)
    seconds = (datetime.datetime.strptime(run["finished"], DATE) - begun).seconds
    winners = {}
    for winner in run["tuned"]:
        winners.setdefault((winner["family"], winner["problem_label"]), {})[winner["device"]] = winner
    lines = [f"Fastest configurations on one {gpu['name']} (`{gpu['uuid']}`) and on the {cpu['threads']} vCPUs of its host, "
             f"{begun:%d %B %Y}, in [one run](results/{RUN}) of {seconds} s. *Share* is the part of the measured bound that was reached; "
             "in parentheses are 95 % confidence intervals.", "",
             f"| family: case | {gpu['name']} | share, limit | memory footprint | {cpu['threads']} vCPUs | share, limit |",
             "|---|---:|---|---:|---:|---|"]
    marked = set()
    for (family, label), devices in winners.items():
        there, here = devices["cuda:0"], devices["cpu"]
        share = lambda winner: f"{number(winner['fraction_of_bound'], '%')}, {winner['bound_by']}"
        marks = {winner["device"]: ("¹" if winner["fills_device"]["fills"] is False else "") + ("²" if winner["confidence"] < 0.95 else "")
                 for winner in (there, here)}
        marked.update(*marks.values())
        lines.append(f"| {family}: {label} | {rate(there)}{marks['cuda:0']} | {share(there)} | {number(there['memory']['bytes'], 'B')} | "
                     f"{rate(here)}{marks['cpu']} | {share(here)} |")
    notes = {"¹": "The rate still grew with the size of the case.", "²": "This interval holds at less than 95 %."}
    return [*lines, "", *(f"{mark} {note}" for mark, note in notes.items() if mark in marked)]


def platforms():
    """A line per kind of device in the committed runs, with the number of different ones."""
    seen = {}
    for folder in sorted((ROOT / "results").glob("*/run.json")):
        devices = json.loads(folder.read_text(encoding="utf-8"))["devices"]
        for device in devices.values():
            of = seen.setdefault(device["name"], {"runs": set(), "uuids": set(), "drivers": set(), "systems": set()})
            of["runs"].add(folder.parent.name)
            for key, value in (("uuids", device.get("uuid")), ("drivers", device.get("driver_version")),
                               ("systems", devices.get("cpu", {}).get("operating_system"))):
                if value:
                    of[key].add(value)
    lines = ["| device | operating system | CUDA driver | different GPUs, by UUID | committed runs |", "|---|---|---|---:|---:|"]
    for name, of in sorted(seen.items()):
        systems, drivers = (", ".join(sorted(of[key])) or "-" for key in ("systems", "drivers"))
        lines.append(f"| {name} | {systems} | {drivers} | {len(of['uuids']) or '-'} | {len(of['runs'])} |")
    return lines


def excerpt(program):
    """The winners of a family, as the program prints them for the records of the run."""
    with tempfile.TemporaryDirectory() as folder:
        command = [program, "merge", "--allow-gaps", str(ROOT / "results" / RUN), "--output", str(pathlib.Path(folder) / "run")]
        printed = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    blocks = [block for block in printed.split("\n\n") if block.startswith("fm_index, ")]
    if len(blocks) != 1:
        raise SystemExit("the program prints its winners in another way")
    return ["```text", *blocks[0].splitlines(), "```"]


def document(text, blocks):
    for name, lines in blocks.items():
        marked = re.compile(rf"(<!-- {name}: written by results/reproductions/readme.py -->\n).*?(<!-- end of {name} -->)", re.DOTALL)
        text, found = marked.subn(lambda match: match[1] + "\n".join(lines).rstrip() + "\n" + match[2], text)
        if found != 1:
            raise SystemExit(f"README.md has {found} blocks {name}")
    return text


def main():
    arguments = [argument for argument in sys.argv[1:] if argument != "--check"]
    if len(arguments) != 1:
        raise SystemExit(__doc__)
    run, before = summary_of(RUN), DOCUMENT.read_text(encoding="utf-8")
    text = document(before, {"rates": table(run), "platforms": platforms(), "excerpt": excerpt(arguments[0])})
    if "--check" not in sys.argv[1:]:
        DOCUMENT.write_text(text, encoding="utf-8")
    elif text != before:
        raise SystemExit("README.md is not what the records say: run results/reproductions/readme.py")


if __name__ == "__main__":
    main()
