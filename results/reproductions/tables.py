"""What the papers' tables are made of: committed records, published values, and numbers as text."""

import functools
import json
import pathlib

ROOT = pathlib.Path(__file__).resolve().parents[2]
PREFIXES = [(1e15, "P"), (1e12, "T"), (1e9, "G"), (1e6, "M"), (1e3, "k"), (1, ""), (1e-3, "m"), (1e-6, "µ"), (1e-9, "n")]
PLAIN = ("x", "")  # units without prefix


@functools.cache  # several sections ask for one folder
def records_of(name):
    lines = (ROOT / "results" / name / "records.jsonl").read_text(encoding="utf-8").splitlines()
    records = [json.loads(line) for line in lines if '"state"' in line]  # the others are provenances
    return [record for record in records if record["status"] == "ok" and record["phase"] in ("sweep", "probe")]


def rate_of(record):
    return record["statistics"]["rate"]


def middle(records, key):
    return sorted(records, key=key)[len(records) // 2]


class Run:
    """The kernels of a folder of records."""

    def __init__(self, name):
        self.name = name
        self.records = [record for record in records_of(name) if record["kind"] in ("kernel", "tool")]

    def all(self, variants, device, problem=None, **point):
        names = [variants] if isinstance(variants, str) else variants
        found = [record for record in self.records
                 if record["variant"] in names and record["device"].startswith(device)
                 and all(record["problem"].get(axis) == value for axis, value in (problem or {}).items())
                 and all(record["point"].get(axis) == value for axis, value in point.items())]
        if not found:
            raise SystemExit(f"{self.name}: no record of {names} on {device}, {problem}, {point}")
        return found

    def best(self, *args, **kwargs):
        """The record with the most work a second; of a point with several data sets made alike the middle one, not the luckiest."""
        alike = {}
        for record in self.all(*args, **kwargs):
            problem = {axis: value for axis, value in record["problem"].items() if axis != "data_set"}
            key = json.dumps([record["variant"], record["device"], record["repetition"], problem, record["point"]], sort_keys=True)
            alike.setdefault(key, []).append(record)
        return max((middle(records, rate_of) for records in alike.values()), key=rate_of)

    def data_sets(self):
        return len({record["problem"].get("data_set", 0) for record in self.records})

    def rate(self, *args, **kwargs):
        return rate_of(self.best(*args, **kwargs))

    def seconds(self, *args, **kwargs):
        return self.best(*args, **kwargs)["statistics"]["median_s"]


class Facts:
    """The published values of a family."""

    def __init__(self, family):
        self.name = f"published/{family}.json"
        self.facts = json.loads((ROOT / "configs" / self.name).read_text(encoding="utf-8"))["facts"]

    def __call__(self, label=None, figure=None, device=None, **at):
        """The value of the one fact with a label, of a figure, a device, at a place."""
        found = [fact for fact in self.facts
                 if (label is None or fact["label"] == label) and (figure is None or fact.get("figure") == figure)
                 and (device is None or fact.get("device") == device)
                 and all((fact.get("at") or {}).get(key) == wanted for key, wanted in at.items())]
        if len(found) != 1:
            raise SystemExit(f"{self.name}: {len(found)} facts are {label}, {figure}, {device}, {at}")
        return self.value_of(found[0])

    def value_of(self, fact):
        """Its value, which may be stated as a multiple of another's."""
        if "value" in fact:
            return fact["value"]
        base = self.value_of(next(other for other in self.facts if other.get("id") == fact["of"]))
        return base * fact.get("times", 1) / fact.get("divided_by", 1)


def number(value, unit=""):
    """"1.23 T", with the unit behind."""
    if unit in PLAIN:
        text = f"{value:.3g}" if value < 1000 else f"{value:.0f}"
        return f"{text} x" if unit else text
    if unit == "%":
        return f"{100 * value:.3g} %"
    for factor, prefix in PREFIXES:
        if abs(value) >= 0.9995 * factor:
            return f"{value / factor:.3g} {prefix}{unit}"
    return f"{value:.3g} {unit}"


def links(folders):
    return ", ".join(f"[{folder}](../results/{folder})" for folder in folders)


class Section:
    """A paper's tables."""

    def __init__(self, title, about):
        self.lines = [f"## {title}", "", about, ""]

    def values(self, device, folders, rows):
        """@param rows: (what, published, ours, unit), of which a time is better the smaller it is"""
        self.lines += [f"From {links(folders)}:", "", f"| | published | {device} | ratio |", "|---|---|---|---|"]
        for what, published, ours, unit in rows:
            ratio = published / ours if unit == "s" else ours / published
            self.lines.append(f"| {what} | {number(published, unit)} | {number(ours, unit)} | {number(ratio)} |")
        self.lines.append("")

    def conclusions(self, rows):
        """@param rows: (conclusion, published, ours, verdict, why, folders)"""
        self.lines += ["| the paper concludes | there | here | today | why | records |", "|---|---|---|---|---|---|"]
        self.lines += [f"| {' | '.join(row[:5])} | {links(row[5])} |" for row in rows]
        self.lines.append("")

    def untested(self, rows):
        """@param rows: (conclusion, why)"""
        self.lines += ["| not tested | why |", "|---|---|", *[f"| {' | '.join(row)} |" for row in rows], ""]


def fraction(record):
    return record["bound"]["fraction"]


def counter(record, name):
    return record["counters"][name]


def instructions_of(record):
    """Instructions of warps for a piece of work."""
    return counter(record, "sm__inst_executed.sum") / record["work"]["amount"]


def side_s(record, *names):
    """Medians of what was timed beside the kernel, together."""
    return sum(sorted(record["side_samples_s"][name])[len(record["side_samples_s"][name]) // 2]
               for name in names if record["side_samples_s"].get(name))


def verdict(holds):
    return "holds" if holds else "**turned round**"


def gain_verdict(gain):
    """Of what is said to be faster, and is so many times as fast."""
    return "holds" if gain > 1.1 else "**gone**" if gain > 0.9 else "**turned round**"
