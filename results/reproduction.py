#!/usr/bin/env python3
"""Writes docs/reproduction.md: what the papers print beside what the committed records say.

Usage: reproduction.py [--check]     with --check: exit code 1 if the document is not what the records say

Published values are those of configs/published-*.json where these have them. Ours are the medians of the fastest point of the
sweep that a row asks for.
"""

import functools
import json
import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
DOCUMENT = ROOT / "docs" / "reproduction.md"
PREFIXES = [(1e15, "P"), (1e12, "T"), (1e9, "G"), (1e6, "M"), (1e3, "k"), (1, ""), (1e-3, "m"), (1e-6, "µ"), (1e-9, "n")]


@functools.cache  # two sections ask for one folder
def kernels_of(name):
    lines = (ROOT / "results" / name / "records.jsonl").read_text(encoding="utf-8").splitlines()
    return [record for record in map(json.loads, lines)
            if record["kind"] == "kernel" and record["status"] == "ok" and record["phase"] == "sweep"]


class Run:
    """The kernels of a folder of records."""

    def __init__(self, name):
        self.name = name
        self.records = kernels_of(name)

    def best(self, variants, device, problem=None, **point):
        """The record with the most work a second."""
        names = [variants] if isinstance(variants, str) else variants
        found = [record for record in self.records
                 if record["variant"] in names and record["device"].startswith(device)
                 and all(record["problem"].get(axis) == value for axis, value in (problem or {}).items())
                 and all(record["point"].get(axis) == value for axis, value in point.items())]
        if not found:
            raise SystemExit(f"{self.name}: no record of {names} on {device}, {problem}, {point}")
        return max(found, key=lambda record: record["statistics"]["rate"])

    def rate(self, *args, **kwargs):
        return self.best(*args, **kwargs)["statistics"]["rate"]

    def seconds(self, *args, **kwargs):
        return self.best(*args, **kwargs)["statistics"]["median_s"]


def facts(family):
    """A function that gives the value published for a figure or label."""
    all_facts = json.loads((ROOT / "configs" / f"published-{family}.json").read_text(encoding="utf-8"))["facts"]

    def value(label=None, figure=None, **at):
        found = [fact for fact in all_facts
                 if (label is None or fact["label"] == label) and (figure is None or fact.get("figure") == figure)
                 and all((fact.get("at") or {}).get(key) == wanted for key, wanted in at.items())]
        if len(found) != 1:
            raise SystemExit(f"published-{family}.json: {len(found)} facts are {label}, {figure}, {at}")
        return found[0]["value"]

    return value


def number(value, unit=""):
    """"1.23 T", with the unit behind."""
    if unit in ("x", ""):
        text = f"{value:.3g}" if value < 1000 else f"{value:.0f}"
        return f"{text} x" if unit else text
    for factor, prefix in PREFIXES:
        if abs(value) >= 0.9995 * factor:
            return f"{value / factor:.3g} {prefix}{unit}"
    return f"{value:.3g} {unit}"


class Section:
    """A paper's tables."""

    def __init__(self, title, about):
        self.lines = [f"## {title}", "", about, ""]

    def values(self, device, rows):
        """@param rows: (what, published, ours, unit), of which a time is better the smaller it is"""
        self.lines += [f"| | published | {device} | ratio |", "|---|---|---|---|"]
        for what, published, ours, unit in rows:
            ratio = published / ours if unit == "s" else ours / published
            self.lines.append(f"| {what} | {number(published, unit)} | {number(ours, unit)} | {number(ratio)} |")
        self.lines.append("")

    def conclusions(self, rows):
        """@param rows: (conclusion, published, ours, verdict, why)"""
        self.lines += ["| the paper concludes | there | here | today | why |", "|---|---|---|---|---|"]
        self.lines += [f"| {' | '.join(row)} |" for row in rows]
        self.lines.append("")


def fraction(record):
    return record["ceiling"]["fraction"]


def verdict(holds):
    return "holds" if holds else "**turned round**"


def cooperative(run, bases, **point):
    return run.rate("full_cooperative", "cuda", {"reference_bases": bases}, prefix_symbols=0, **point)


def fm_index():
    run, published = Run("h200-fm-index"), facts("fm-index")
    big, small = 3_000_000_000, 10_000_000
    task = ["task_parallel", "task_parallel_16b", "task_parallel_split"]
    two_step = {d: cooperative(run, big, k=2, d=d, counters="alternate") for d in (64, 192)}
    one_step = max(cooperative(run, big, k=1, d=d) for d in (64, 192, 448))
    cpu = {k: run.rate("prefetch", "cpu", {"reference_bases": big}, k=k) for k in (1, 2)}
    section = Section(
        "FM-index (Chacón et al. 2015)",
        "[Records](../results/h200-fm-index) of an H200 and 16 cores of a Xeon; the paper: GTX Titan and two Xeon E5-2650. Synthetic "
        "references, 100-base queries that occur, no prefix table in the cooperative rows.")
    levels = json.loads((ROOT / "results/h200-machine/machine.json").read_text(encoding="utf-8"))["devices"]["cuda:0"]["levels"]
    size = {level["name"]: level["measured_bytes"] for level in levels}
    section.values("H200", [
        ("figure 5: search, 3 Gbases, 2 steps, alternate counters", published("GPU, 2-step, alternate counters", "fm-index/fig5"),
         max(two_step.values()), "bases/s"),
        ("figure 3: first drop of random access (the L2 here)", published("Titan: drop at 0.5 GB"), size["L2"], "B"),
        ("figure 3: second drop (translation)", published("Titan: drop at 2.5 GB"), size["translation"], "B"),
        *[(f"figure 2: bits a base, k={k} d={d} {counters}",
           published(figure="fm-index/fig2", k=k, d=d, counters=counters),
           run.best("full_cooperative", "cuda", {"reference_bases": big}, k=k, d=d, counters=counters)["facts"]["bits_per_base"], "bit")
          for k, d, counters in ((1, 64, "full"), (1, 448, "full"), (2, 64, "full"), (2, 192, "alternate"))]])
    rates = {d: (run.rate(task, "cuda", {"reference_bases": big}, k=1, d=d), cooperative(run, big, k=1, d=d)) for d in (64, 192, 448)}
    shared = {d: run.rate("memory_cooperative", "cuda", {"reference_bases": big}, k=1, d=d) for d in (64, 192, 448)}
    spread = {bases: cooperative(run, bases, k=1, d=64) / cooperative(run, bases, k=1, d=448) for bases in (small, big)}
    threads = {n: run.rate("task_parallel", "cuda", {"reference_bases": big}, k=1, d=64, active_threads=n) for n in (128, 512, 2048)}
    cooperative_share = fraction(run.best("full_cooperative", "cuda", {"reference_bases": big}, k=2, d=64, counters="alternate", prefix_symbols=0))
    cpu_share = fraction(run.best("prefetch", "cpu", {"reference_bases": big}, k=2))
    entry = {d: fraction(run.best("full_cooperative", "cuda", {"reference_bases": big}, k=1, d=d, prefix_symbols=0)) for d in (64, 448)}
    occupancy = run.best("memory_cooperative", "cuda", {"reference_bases": big}, k=1, d=448)["resources"]["occupancy"]
    gpu_gain, cpu_gain = max(two_step.values()) / one_step, cpu[2] / cpu[1]
    section.conclusions([
        ("2 steps over 1 on the GPU (section 5.2)", "1.8 x", number(gpu_gain, "x"), verdict(gpu_gain > 1.1),
         "half the steps, of 64 bytes in place of 32, as free as there; half of the counters stand in the next entry"),
        ("2 steps over 1 on the CPU", "1.4 x", number(cpu_gain, "x"), verdict(cpu_gain > 1.1), "half the steps, two cache lines each in place of one"),
        ("GPU over CPU, best of the paper's (section 5.2)", "8.1 x", number(max(two_step.values()) / max(cpu.values()), "x"),
         verdict(True), f"random access: both are at {cooperative_share:.2f} and {cpu_share:.2f} of what theirs allows"),
        ("task-parallel falls behind as d grows (figure 7)", "only d=64 competes",
         ", ".join(f"{number(a / b, 'x')} of full-cooperative at d={d}" for d, (a, b) in rates.items()),
         verdict(rates[448][0] / rates[448][1] < 0.7), "every lane fetches sectors of its own"),
        ("memory-cooperative stops at d=192 (figure 7)", "occupancy 0.12 at d=448",
         ", ".join(f"{number(shared[d] / rates[d][1], 'x')} of full-cooperative at d={d}" for d in shared),
         verdict(shared[448] / rates[448][1] < 0.9),
         f"a multiprocessor has 228 KB of shared memory in place of 48: occupancy is {occupancy:.2f} at d=448"),
        ("task-parallel is best with few threads (figure 6)", "peak, then a drop",
         ", ".join(f"{number(rate, 'bases/s')} with {n}" for n, rate in threads.items()),
         verdict(threads[2048] < max(threads.values()) * 0.9), "the drop is 4 %; what keeps it so small was not counted"),
        ("all d alike for large references (figure 8)", "beyond 1.5 Gbases", f"d=64 is {number(spread[big], 'x')} of d=448 at 3 Gbases",
         verdict(spread[big] < 1.1),
         f"both are at {entry[64]:.2f} and {entry[448]:.2f} of what their blocks of 32 and 128 bytes allow: only blocks up to 64 are free"),
        ("small d wins for small references (figure 8)", "below 0.5 Gbases", f"{number(spread[small], 'x')} at 10 Mbases",
         verdict(spread[small] > 1.1), "the rows are counted from caches, as there"),
        ("k=2 d=192 alternate is best from 1 to 3.5 Gbases (figure 9)", "past 2.3 GB of index the rate drops",
         f"d=64 {number(two_step[64], 'bases/s')}, d=192 {number(two_step[192], 'bases/s')} at 3 Gbases",
         verdict(two_step[192] > two_step[64]), "translation reaches 64 GB, so that the larger index of d=64 has no drop")])
    return section.lines


def papara():
    run, parts, published = Run("h200-papara"), Run("h200-papara-parts"), facts("papara")
    gpu = ["blocked_registers", "blocked_shared"]
    section = Section(
        "PaPaRa (Alachiotis et al. 2013)",
        "[Records](../results/h200-papara) of an H200, the CPU's of [another run](../results/h200-papara-parts) with 16 cores of a Xeon; the "
        "paper: GTX 560 and a Core i7-2600 of four cores. Cells are those of the band, as the paper counts them.")
    rows = []
    for sites in (500, 1000, 5000, 10000, 50000, 100000):
        rows.append((f"table 1: GPU, 1250 queries, references of {sites} sites",
                     1e9 * published("GPU", "papara/table1", sites=sites, column="GPU"),
                     run.rate(gpu, "cuda", {"sites": sites, "query_count": 1250}), "cells/s"))
    for queries in (100, 250, 500, 750, 1000):
        rows.append((f"table 2: GPU, {queries} queries, 5000 sites", 1e9 * published("GPU", "papara/table2", queries=queries, column="GPU"),
                     run.rate(gpu, "cuda", {"sites": 5000, "query_count": queries}), "cells/s"))
    cpu = parts.rate("blocked", "cpu")
    rows.append(("abstract: CPU, peak", 1e9 * published("SSE(4): peak"), cpu, "cells/s"))
    hybrid = run.rate("hybrid", "cpu", {"query_count": 16040, "sites": 3060})
    alone = run.rate(gpu, "cuda", {"query_count": 16040, "sites": 3060})
    rows.append(("table 3: 1604.PRANK's shape, CPU and GPU", 1e9 * published("CPU and GPU, 1604.PRANK"), hybrid, "cells/s"))
    section.values("H200", rows)
    best = run.rate(gpu, "cuda")
    few, many = (run.rate(gpu, "cuda", {"sites": 5000, "query_count": n}) for n in (100, 1250))
    section.conclusions([
        ("GPU over CPU (table 1)", "0.59 x (500 sites) to 1.55 x (5000)", number(best / cpu, "x"), verdict(True),
         "three-way minima of packed 16-bit numbers in one instruction (DPX)"),
        ("CPU and GPU together are worth it (table 3)", "1.67 x of the GPU alone", f"{number(hybrid / alone, 'x')} of the GPU alone",
         verdict(hybrid / alone > 1.1), f"the 16 cores do {number(cpu / alone, 'x')} of what the GPU does, less than sharing costs"),
        ("the rate hardly depends on the number of queries (table 2)", "20.2 to 21.2 GCUPS", f"{number(few / many, 'x')} at 100 of 1250 queries",
         verdict(few / many > 0.9), "100 queries make 250 blocks, where the GPU holds 528")])
    return section.lines


def profile_hmm():
    run, published = Run("h200-profile-hmm"), facts("profile-hmm")
    look = Run("h200-first-look")
    section = Section(
        "Profile HMMs (CUDAMPF, Jiang and Ganesan 2016)",
        "[Records](../results/h200-profile-hmm) of an H200, the CPU's of [a first look](../results/h200-first-look) at 400 states with 16 cores of a "
        "Xeon; the paper: Tesla K40 and up to 8 threads.")
    guides = {"msv": 277, "ssv": 440, "viterbi": 14.3}
    rows, speedups = [], {}
    for name, most in guides.items():
        rows.append((f"{name.upper() if name != 'viterbi' else 'Viterbi'}, the most over all models (abstract)", 1e9 * most,
                     run.rate(["lane_groups", "video_warp"], "cuda", {"filter": name}), "cells/s"))
    for name in ("msv", "ssv", "viterbi"):
        for length in (400, 2405 if name != "viterbi" else 800):
            own = published(f"CUDAMPF, SIMD intrinsics, {length} states", figure=f"profile-hmm/fig{12 + list(guides).index(name)}")
            rows.append((f"CUDAMPF's own kernels on an H200, {name}, {length} states", 1e9 * own,
                         run.rate(["lane_groups", "video_warp"], "cuda", {"filter": name, "model_length": length}), "cells/s"))
        speedups[name] = (look.rate(["lane_groups", "video_warp"], "cuda", {"filter": name})
                          / look.rate("striped", "cpu", {"filter": name}))
    section.values("H200", rows)
    video = {name: run.rate("video_warp", "cuda", {"filter": name}) / run.rate("lane_groups", "cuda", {"filter": name}) for name in guides}
    section.conclusions([
        ("MSV over several cores", f"{number(published('maximum speed-up of MSV over several cores'), 'x')}", number(speedups["msv"], "x"),
         verdict(True), "16 cores here, with AVX-512"),
        ("SSV over several cores", f"{number(published('maximum speed-up of SSV over several cores'), 'x')}", number(speedups["ssv"], "x"),
         verdict(True), "the same"),
        ("Viterbi over several cores", f"{number(published('maximum speed-up of Viterbi over several cores'), 'x')}",
         number(speedups["viterbi"], "x"), verdict(True), "the same"),
        ("video instructions on 4 x 8 bits are the way (methods)", "all results", ", ".join(
            f"{number(share, 'x')} of 2 x 16 bits ({name})" for name, share in video.items()), verdict(min(video.values()) > 1),
         "vmax4 and vadd4 are emulated by 12 to 19 instructions; their pipe is what they wait for (44 %)")])
    return section.lines


def pairwise_distance():
    run, published = Run("h200-pairwise-distance-paper"), facts("pairwise-distance")
    section = Section(
        "All-pairs distance (Payne et al. 2010)",
        "[Records](../results/h200-pairwise-distance-paper) of an H200 and 16 cores of a Xeon; the paper: GeForce 9600M GT and a Core 2 Duo. 112 "
        "instances of 512 attributes, figure 4; times of one launch, on the CPU by one thread of the appendix's program.")
    rungs = ["naive", "coalesced", "char4", "register", "shared"]
    ours = {rung: run.seconds(rung, "cuda") for rung in rungs}
    then = {rung: published(rung, "pairwise-distance/fig4") for rung in rungs}
    cpu, cpu_then = run.seconds("appendix", "cpu"), published("CPU", "pairwise-distance/fig4")
    section.values("H200", [("CPU", cpu_then, cpu, "s"), *[(rung, then[rung], ours[rung], "s") for rung in rungs]])
    look = Run("h200-first-look")
    large = [look.best(["tensor", "bit_planes"], device) for device in ("cuda", "cpu")]
    best_cpu, best_gpu = run.seconds(["bit_planes", "bytes"], "cpu"), run.seconds(["register_tiled", "tensor", "dp4a"], "cuda")
    section.conclusions([
        ("coalescing is the first step", number(then["naive"] / then["coalesced"], "x"), number(ours["naive"] / ours["coalesced"], "x"),
         verdict(ours["naive"] / ours["coalesced"] > 1.1), "lanes that are not beside each other fetch a sector each, as then"),
        ("registers come next", number(then["coalesced"] / then["register"], "x"), number(ours["coalesced"] / ours["register"], "x"),
         verdict(ours["coalesced"] / ours["register"] > 1.1), "an empty launch is a quarter of the time left"),
        ("shared memory is the largest step", number(then["register"] / then["shared"], "x"), number(ours["register"] / ours["shared"], "x"),
         verdict(ours["register"] / ours["shared"] > 1.1), "57 KB of input fit the L1, which a multiprocessor of then had not"),
        ("GPU over the CPU's program", number(cpu_then / then["shared"], "x"), number(cpu / min(ours.values()), "x"), verdict(True),
         "against one thread"),
        ("GPU over the best CPU program", "not asked", number(best_cpu / best_gpu, "x"), "-",
         f"so small a matrix does not fill a GPU; one of {large[0]['problem']['instance_count']} x {large[0]['problem']['attribute_count']} "
         f"makes it {number(large[0]['statistics']['rate'] / large[1]['statistics']['rate'], 'x')}")])
    return section.lines


def exact_match():
    run, published = Run("h200-exact-match-paper"), facts("exact-match")
    section = Section(
        "Exact matches (MUMmerGPU, Schatz et al. 2007)",
        "[Records](../results/h200-exact-match-paper) of an H200 and 16 cores of a Xeon: E. coli and reads without errors, l as long as the reads, the "
        "paper's tree; the paper: GeForce 8800 GTX and one core of a Xeon at 3 GHz.")
    rows, kernel = [], {}
    for length in (50, 100, 200, 400, 800):
        problem = {"query_bases": length}
        kernel[length] = run.rate("tree_gpu", "cuda", problem) / run.rate("tree", "cpu", problem)
        gpu = run.best("tree_gpu", "cuda", problem)
        sides = gpu["side_samples_s"]
        moved = sum(sorted(sides[name])[len(sides[name]) // 2] for name in ("upload", "download") if sides.get(name))
        if length == 100:
            moved_share = moved / gpu["statistics"]["median_s"]
        whole = gpu["work"]["amount"] / (gpu["statistics"]["median_s"] + moved) / run.rate("tree", "cpu", problem)
        rows.append((f"reads of {length}", number(kernel[length], "x"), number(whole, "x")))
    gains = [run.rate(variant, device, {"query_bases": 800}) / run.rate(variant, device, {"query_bases": 50})
             for variant, device in (("tree", "cpu"), ("tree_gpu", "cuda"))]
    section.lines += ["| GPU over 16 cores | kernel alone | with transfers |", "|---|---|---|", *[f"| {' | '.join(row)} |" for row in rows], ""]
    section.conclusions([
        ("the GPU is over 10 times as fast on reads without errors, transfers included",
         f"{number(published('Schatz et al.: over 10, transfers included'), 'x')}, over one core", f"{rows[0][2]} to {rows[-1][2]} over 16 cores",
         "holds over one core, if 16 scale", f"copies take {number(moved_share, 'x')} as long as the kernel at 100 bases"),
        ("longer queries gain less (figure 3)", "the most at 25 and 50 bases", f"{rows[0][1]} at 50, {rows[-1][1]} at 800, kernel alone",
         verdict(kernel[50] > 2 * kernel[800]),
         f"from 50 to 800 bases the cores gain {number(gains[0], 'x')}, the GPU {number(gains[1], 'x')}")])
    return section.lines


def document():
    lines = ["# The papers' numbers beside ours", "",
             "Written by [results/reproduction.py](../results/reproduction.py) from the committed records, so that no number here was typed; a test",
             "compares. *Ratio* is how many times as fast or as large (of times: as short) ours is. What the figures of the papers print as curves only is",
             "drawn in the folders of the records, not here.", ""]
    for section in (fm_index, papara, profile_hmm, pairwise_distance, exact_match):
        lines += section()
    return "\n".join(lines).rstrip() + "\n"


def main():
    text = document()
    if "--check" in sys.argv[1:]:
        if DOCUMENT.read_text(encoding="utf-8") != text:
            raise SystemExit(f"{DOCUMENT.relative_to(ROOT)} is not what the records say: run results/reproduction.py")
        return
    DOCUMENT.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
