"""Alachiotis, Berger and Stamatakis: Coupling SIMD and SIMT architectures (PaPaRa)."""

from .tables import Facts, Run, Section, instructions_of, number, verdict

RUN, PARTS, LADDER, CORE = "h200-papara", "h200-papara-parts", "h200-papara-ladder", "zen5-papara"
WHOLE, THREADS, ALL_16S = "h200-papara-whole", "h200-papara-threads", "h200-papara-16s-all"
GPU = ["blocked_registers", "blocked_shared"]
PRANK = {"query_count": 16040, "sites": 3060}
REAL_16S = {"references": 2764, "sites": 6857, "query_count": 691}


def add_values(section, run, parts, published):
    table1, table2, table3 = "papara/table1", "papara/table2", "papara/table3"
    rows = [(f"table 1: GPU, 1250 queries, references of {sites} sites", 1e9 * published("GPU", table1, sites=sites),
             run.rate(GPU, "cuda", {"sites": sites, "query_count": 1250}), "cells/s") for sites in (500, 1000, 5000, 10000, 50000, 100000)]
    rows += [(f"table 1: the same, time, {sites} sites", published("GPU: time", table1, sites=sites),
              run.seconds(GPU, "cuda", {"sites": sites, "query_count": 1250}), "s") for sites in (500, 5000, 100000)]
    rows += [(f"table 2: GPU, {queries} queries, 5000 sites", 1e9 * published("GPU", table2, queries=queries),
              run.rate(GPU, "cuda", {"sites": 5000, "query_count": queries}), "cells/s") for queries in (100, 250, 500, 750, 1000, 1250)]
    rows += [("abstract: GPU, peak", 1e9 * published("GPU: peak"), run.rate(GPU, "cuda"), "cells/s"),
             ("table 3: 1604.PRANK's shape, 1601 edges, time of the scoring phase, CPU and GPU",
              published("1604.PRANK: time of the scoring phase"), run.seconds("hybrid", "cpu", {"references": 1601, **PRANK}), "s"),
             ("table 3: 16S.B.ALL's shape, a 200th of its cells, CPU and GPU", 1e9 * published("CPU and GPU, 16S.B.ALL", table3),
              run.rate("hybrid", "cpu", REAL_16S), "cells/s"),
             ("table 3: the same, GPU (ours: alone)", 1e9 * published("GPU, 16S.B.ALL", table3), run.rate(GPU, "cuda", REAL_16S), "cells/s"),
             ("abstract: CPU and GPU, peak", 1e9 * published("CPU and GPU: peak"), run.rate("hybrid", "cpu"), "cells/s")]
    section.values("H200", [RUN], rows)
    rows = [("abstract: CPU, peak (the paper counts all m n cells)", 1e9 * published("SSE(4): peak"), parts.rate("blocked", "cpu"), "cells/s"),
             ("table 3: 1604.PRANK's shape, 802 sequences, CPU (ours: alone)", 1e9 * published("CPU, 1604.PRANK", table3),
              parts.rate("blocked", "cpu", PRANK), "cells/s"),
             ("table 3: the same, GPU (ours: alone)", 1e9 * published("GPU, 1604.PRANK", table3), parts.rate(GPU, "cuda", PRANK), "cells/s"),
             ("table 3: the same, CPU and GPU", 1e9 * published("CPU and GPU, 1604.PRANK", table3), parts.rate("hybrid", "cpu", PRANK), "cells/s")]
    section.values("16 cores of a Xeon, and an H200", [PARTS], rows)
    whole, longest = Run(WHOLE), {"sites": 500000, "query_count": 1250}
    section.values("H200", [WHOLE], [
        ("table 1: GPU, 1250 queries, references of 500000 sites", 1e9 * published("GPU", table1, sites=500000),
         whole.rate(GPU, "cuda", longest), "cells/s"),
        ("table 1: the same, time", published("GPU: time", table1, sites=500000), whole.seconds(GPU, "cuda", longest), "s")])
    every = Run(ALL_16S)
    section.values("H200 alone", [ALL_16S], [
        ("table 3: 16S.B.ALL's shape whole, 13820 queries against 27641 edges, time of the scoring phase, there with the CPU",
         published("16S.B.ALL: time of the scoring phase"), every.seconds("blocked_shared", "cuda"), "s"),
        ("table 3: the same, GPU", 1e9 * published("GPU, 16S.B.ALL", table3), every.rate("blocked_shared", "cuda"), "cells/s")])
    kernel = Run(LADDER).rate("blocked_shared", "cuda", recurrence="printed", ends="square")
    section.values("H200, the kernel as published", [LADDER], [
        ("table 1: GPU, 1250 queries, references of 5000 sites", 1e9 * published("GPU", table1, sites=5000), kernel, "cells/s")])


def papara():
    run, parts, ladder, core, published = Run(RUN), Run(PARTS), Run(LADDER), Run(CORE), Facts("papara")
    section = Section(
        "PaPaRa (Alachiotis et al. 2012)",
        "Of an H200 and 16 cores of a Xeon; the paper: GTX 560 and a Core i7-2600 of four cores. Cells are those of the band, as the paper "
        "counts those of its GPU.")
    add_values(section, run, parts, published)
    at = lambda sites, column="GPU": published(column, "papara/table1", sites=sites)
    over = {sites: parts.rate(GPU, "cuda", {"sites": sites}) / parts.rate("blocked", "cpu", {"sites": sites}) for sites in (500, 10000)}
    there = {sites: published(f"GPU over SSE(4), references of {sites} sites") for sites in over}
    kernel = ladder.best("blocked_shared", "cuda", recurrence="printed", ends="square")
    ours = ladder.best("blocked_registers", "cuda", arithmetic="s16x2")
    few, many = (run.rate(GPU, "cuda", {"sites": 5000, "query_count": n}) for n in (100, 1250))
    rows = {n: core.rate("row_wise", "cpu", {"sites": n}) for n in (500, 500000)}
    of_threads = Run(THREADS)
    one = {"threads": 1, "bits": 16, "target": "sse4"}
    vectors = of_threads.rate("row_wise", "cpu", **one) / of_threads.rate("sequential", "cpu", threads=1)
    grown = {n: of_threads.rate("row_wise", "cpu", **{**one, "threads": n}) / of_threads.rate("row_wise", "cpu", **one) for n in (4, 16)}
    blocks = {n: core.rate("blocked", "cpu", {"sites": n}) for n in (500, 500000)}
    section.conclusions([
        ("CPUs and GPUs deliver comparable performance if both are optimised (abstract, conclusions)",
         f"{number(there[500], 'x')} (500 sites), {number(there[10000], 'x')} (10000) of four cores",
         ", ".join(f"{number(x, 'x')} ({sites})" for sites, x in over.items()) + " of 16 cores", verdict(max(over.values()) < 4),
         f"three-way minima of packed 16-bit numbers in one instruction (DPX): "
         f"{number(32 * instructions_of(ours))} instructions a cell, where the published "
         f"recurrence takes {number(32 * instructions_of(kernel))}", [PARTS, LADDER]),
        ("the rate hardly depends on the number of queries (table 2)",
         f"{number(published('GPU', 'papara/table2', queries=100) / published('GPU', 'papara/table2', queries=1250), 'x')} at 100 of 1250 queries",
         f"{number(few / many, 'x')} at 100 of 1250 queries",
         verdict(few / many > 0.9), "100 queries make fewer blocks than the GPU holds; its blocks were not counted", [RUN]),
        ("SSE 4.1 brings 9 times on a single core (abstract)", number(published("SSE 4.1 over Seq on a single core"), "x"),
         f"{number(vectors, 'x')}, 5000 sites", verdict(vectors > 4), "eight numbers of 16 bits a vector, as there", [THREADS]),
        ("linear speed-ups with the number of cores (abstract)", "4 x of 4",
         f"{number(grown[4], 'x')} of 4, {number(grown[16], 'x')} of 16", verdict(grown[4] > 3.6),
         "by rows, the same vectors; cores of a rented host, whose clock nothing tells", [THREADS]),
        ("long references cost the CPU its caches (table 1)", f"{number(at(500000, 'SSE(4)') / at(500, 'SSE(4)'), 'x')} at 500000 of 500 sites",
         f"{number(rows[500000] / rows[500], 'x')}, by rows, one core",
         verdict(rows[500000] / rows[500] < 0.9), "Zen 5; a row of vectors of 64 bytes has 32 MB and more", [CORE]),
        ("blocks would keep the CPU's rate (future work)", "not tried",
         f"{number(blocks[500000] / blocks[500], 'x')} at 500000 of 500 sites, one core",
         "holds" if blocks[500000] / blocks[500] > 0.9 else "**does not**", "a block's rows stay in the nearest cache", [CORE])])
    section.untested([
        ("table 1, columns Seq but at 5000 sites; means over all tests", "in no committed record: Seq takes hours of it"),
        ("poor performance of the same kernel on an AMD GPU; 20 % by overclocking (discussion)", "no such machine")])
    return section.lines
