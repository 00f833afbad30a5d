"""Tables of docs/results from committed records: FM-index layouts by memory and size of the reference, and levels of memory."""

import json
import pathlib

import gpuseq
import polars as pl

ROOT = pathlib.Path(__file__).resolve().parents[1]
SOURCES = {"h200": "results/h200", "h200-2026-11": "configs/machine/h200-2026-11"}  # the reference run, and rows of older ones
BUDGETS = [1, 2, 4, 8, 16, 32, 64, 140]
REFERENCES = {"100 Mbases": (98e6, 100e6), "1 Gbase": (1e9, 1e9), "3 Gbases": (3e9, 3.1e9)}
PLAIN = {"problem_query_bases": 100, "problem_occurring_percent": 100, "problem_kmer_bases": 0, "problem_query_order": "as_given",
         "problem_query_count": 4194304, "problem_n_percent": 0, "problem_shortest_query_bases": 0, "problem_strains": 1,
         "point_index_on": "one", "point_device_order": "as_given"}
AXES = {"k": "k", "d": "d", "line_bytes": "line", "row_bytes": "row", "counters": "counters", "windows": "windows"}


def records():
    table = pl.concat([gpuseq.records(str(ROOT / folder)) for folder in SOURCES.values()], how="diagonal_relaxed")
    kept = pl.col("settled") & (pl.col("family") == "fm_index") & (pl.col("kind") == "kernel") & (pl.col("status") == "ok")
    for column, value in PLAIN.items():
        kept &= pl.col(column).is_null() | (pl.col(column) == value)
    return table.filter(kept)


def words(row):
    """A layout with the axes that decide its memory."""
    shown = [f"{word}={row[f'point_{axis}']}" for axis, word in AXES.items()
             if row.get(f"point_{axis}") is not None and not (axis == "counters" and row["point_counters"] == "full")]
    return f"`{row['variant']}` " + " ".join(shown)


def best(table, device, limit, reference):
    low, high = REFERENCES[reference]
    fitting = table.filter(pl.col("device").str.starts_with(device) & pl.col("fact_reference_bases").is_between(low, high)
                           & (pl.col("memory_bytes") <= limit * 1e9)).sort("rate", descending=True)
    if fitting.is_empty():
        return "-"
    row = fitting.row(0, named=True)
    return f"{words(row)}: **{row['rate'] / 1e9:.3g}** ({row['memory_bytes'] / 1e9:.3g} GB)"


def matrix(table, device):
    lines = ["| memory | " + " | ".join(REFERENCES) + " |", "|--:|" + "---|" * len(REFERENCES)]
    before = ""
    for budget in BUDGETS:
        cells = " | ".join(best(table, device, budget, reference) for reference in REFERENCES)
        if cells != before:  # more memory alone changes nothing
            lines.append(f"| {budget} GB | {cells} |")
        before = cells
    return "\n".join(lines)


def decisions():
    table = records()
    sources = " and ".join(f"[{name}](../../{folder})" for name, folder in SOURCES.items())
    return (f"Records: {sources}, rows of older runs. These are several GPUs of one model, which differ by up to 11 %.\n\n**H200**\n\n{matrix(table, 'cuda')}\n\n"
            f"**16 vCPUs of its host**\n\n{matrix(table, 'cpu')}\n")


def sizes(*counts):
    """Each in the unit that suits the first, and the unit."""
    factor, unit = next((factor, unit) for factor, unit in ((2**30, "GiB"), (2**20, "MiB"), (2**10, "KiB")) if counts[0] >= factor)
    return *(f"{count / factor:.3g}" for count in counts), unit


def measured(level):
    """The size with its interval; uncertain ones with a question mark."""
    text, low, high, unit = sizes(*(level[key] for key in ("measured_bytes", "low_bytes", "high_bytes")))
    return f"{text} {unit} ({low} to {high}){'?' if level['uncertain'] else ''}"


def levels():
    """Levels that are caches of a stated size, or TLB reach, by device and run."""
    rows = {}
    files = [path for depth in ("*", "*/*") for path in sorted((ROOT / "results").glob(f"{depth}/run.json"))]
    for path in files:
        run = json.loads(path.read_text(encoding="utf-8"))
        folder = path.parent.relative_to(ROOT / "results").as_posix()
        for device, found in run.get("levels", {}).items():
            for level in found.get("levels", []) if isinstance(found, dict) else found:
                if level["stated_bytes"] or (level["name"] == "TLB" and not level["uncertain"]):
                    stated = " ".join(sizes(level["stated_bytes"])) if level["stated_bytes"] else "-"
                    rows.setdefault((run["devices"][device]["name"], level["name"], stated), []).append(
                        f"[{folder}](../../results/{folder}): {measured(level)}")
    lines = ["| device | level | stated | measured (95 %) |", "|---|---|--:|---|"]
    return "\n".join([*lines, *(f"| {' | '.join(key)} | {'<br>'.join(found)} |" for key, found in sorted(rows.items()))]) + "\n"
