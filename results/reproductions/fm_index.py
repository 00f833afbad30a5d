"""Chacón et al.: Boosting the FM-index on the GPU."""

import json

from .tables import ROOT, Facts, Run, Section, counter, fraction, instructions_of, number, records_of, verdict

FM, SCHEMES, ENERGY, MACHINE = "h200-fm-index", "h200-fm-index-schemes", "h200-energy", "h200-machine"
BIG = {"reference_bases": 3_000_000_000}
# As published: axes of the variants with the names of the paper's schemes.
NAIVE = {"entry_reads": "separate", "chunks": "whole", "active_threads": 0}
WHOLE = {"chunks": "whole", "active_threads": 0}
LAYOUTS = [(k, d, counters) for k, counters in ((1, "full"), (2, "full"), (2, "alternate")) for d in (64, 192, 448)]


def cooperative(run, problem, **point):
    return run.best("full_cooperative", "cuda", problem, prefix_symbols=0, **point)


def rate(record):
    return record["statistics"]["rate"]


def level_bytes():
    machine = json.loads((ROOT / "results" / MACHINE / "machine.json").read_text(encoding="utf-8"))
    return {level["name"]: level["measured_bytes"] for level in machine["devices"]["cuda:0"]["levels"]}


def sequential_read(device):
    return max(rate(record) for record in records_of(MACHINE)
               if record["family"] == "sequential" and record["device"] == device and record["point"]["operation"] == "read")


def published_full(schemes, k, d, counters="full"):
    return schemes.best("full_cooperative_split", "cuda", k=k, d=d, counters=counters, **WHOLE)


def add_values(section, run, schemes, published):
    size, cpu = level_bytes(), {k: run.rate("prefetch", "cpu", BIG, k=k) for k in (1, 2)}
    one_step = max(rate(cooperative(run, BIG, k=1, d=d)) for d in (64, 192, 448))
    two_step = rate(cooperative(run, BIG, k=2, d=64, counters="alternate"))
    fig5, index = "fm-index/fig5", lambda d, counters: cooperative(run, BIG, k=2, d=d, counters=counters)["facts"]["index_bytes"]
    section.values("H200", [FM, MACHINE], [
        ("figure 5: search, 3 Gbases, GPU, 2 steps, alternate counters", published("GPU, 2-step, alternate counters", fig5), two_step, "bases/s"),
        ("figure 5: GPU, 1 step", published("GPU, 1-step", fig5), one_step, "bases/s"),
        ("figure 5: CPU, 2 steps (ours: full counters)", published("CPU, 2-step, alternate counters", fig5), cpu[2], "bases/s"),
        ("figure 5: CPU, 1 step", published("CPU, 1-step", fig5), cpu[1], "bases/s"),
        ("section 5.2: sequential bandwidth of the GPU over the CPU's", published("sequential bandwidth over the CPU's, about"),
         sequential_read("cuda:0") / sequential_read("cpu"), "x"),
        ("table 1: bandwidth, stated (ours: read)", published("memory bandwidth", "fm-index/table1", "NVIDIA GTX Titan"),
         sequential_read("cuda:0"), "B/s"),
        ("figures 3 and 10: second drop (TLB reach)", published("Titan: drop at 2.5 GB"), size["TLB"], "B"),
        *[(f"figure 2: bits a base, k={k} d={d} {counters}", published(figure="fm-index/fig2", k=k, d=d, counters=counters),
           cooperative(run, BIG, k=k, d=d, counters=counters)["facts"]["bits_per_base"], "bit") for k, d, counters in LAYOUTS],
        *[(f"section 5.3.2: index of 3 Gbases, k=2 d={d} {counters}",
           published(f"index of the human genome, k=2 d={d} {counters}"), index(d, counters), "B")
          for d in (64, 192) for counters in ("full", "alternate")]])
    rows = []
    for name, label, make in (
            ("Task-parallel", "Task-parallel FM-index", lambda d: schemes.best("task_parallel", "cuda", k=1, d=d, **NAIVE)),
            ("Full-cooperative", "Full-cooperative FM-index", lambda d: published_full(schemes, 1, d)),
            ("2 steps", "2-step FM-index", lambda d: published_full(schemes, 2, d)),
            ("2 steps, alternate counters", "2-step FM-index + alt. counters", lambda d: published_full(schemes, 2, d, "alternate"))):
        for d in (64, 192, 448):
            rows.append((f"table 2: {name}, d={d}: instructions of warps a query base", published(label, "fm-index/table2", d=d),
                         instructions_of(make(d)), ""))
    section.values("H200, the schemes as published, 250 Mbases", [SCHEMES], rows)
    titan = {"figure": "fm-index/fig11", "device": "NVIDIA GTX Titan"}
    section.values("H200, 3.1 Gbases, its energy measured", [ENERGY], [
        ("figure 11: GTX Titan, 2 steps, alternate counters, by its nominal 250 W",
         published("2-step, alternate counters", panel="energy", **titan), energy(2), "bases/J"),
        ("figure 11: the same, 1 step",
         published("2-step, alternate counters", panel="energy", **titan) / published("2-step, alternate counters", panel="rate", **titan)
         * published("1-step", panel="rate", **titan), energy(1), "bases/J")])


def scheme_conclusions(schemes, published):
    full = {d: published_full(schemes, 1, d) for d in (64, 192, 448)}
    naive = {d: schemes.best("task_parallel", "cuda", k=1, d=d, **NAIVE) for d in full}
    improved = {d: schemes.best("task_parallel_split", "cuda", k=1, d=d, **WHOLE) for d in full}
    memory = {d: schemes.best("memory_cooperative", "cuda", k=1, d=d, entry_reads="separate") for d in full}
    over = lambda others: ", ".join(f"{number(rate(full[d]) / rate(others[d]), 'x')} at d={d}" for d in full)
    threads = {n: schemes.rate("task_parallel", "cuda", k=1, d=64, entry_reads="separate", active_threads=n) for n in (128, 512, 1024, 2048)}
    scaled = {n: schemes.rate("full_cooperative_split", "cuda", k=1, d=64, active_threads=n) for n in (128, 1024, 2048)}
    cost = {d: instructions_of(full[d]) / instructions_of(naive[d]) for d in full}
    overhead = [instructions_of(published_full(schemes, 2, d)) / instructions_of(full[d]) for d in full]
    issue = "smsp__issue_active.avg.pct_of_peak_sustained_active"
    l1 = "l1tex__t_sector_hit_rate.pct"
    per_load = "l1tex__average_t_sectors_per_request_pipe_lsu_mem_global_op_ld.ratio"
    return [
        ("full-cooperative outperforms task-parallel, both as published (figure 7)", "in all cases", over(naive),
         verdict(min(rate(full[d]) / rate(naive[d]) for d in full) > 1),
         f"a load of a warp touches {counter(naive[448], per_load):.0f} sectors, in place of {counter(full[448], per_load):.1f}; at d=448 its "
         f"multiprocessors issue in {counter(naive[448], issue):.0f} % of their cycles", [SCHEMES]),
        ("and the improved task-parallel scheme, two threads a query (figures 6, 7)", "in all cases", over(improved),
         verdict(min(rate(full[d]) / rate(improved[d]) for d in full) > 1),
         f"it executes {number(instructions_of(full[448]))} instructions a base "
         f"in place of {number(instructions_of(improved[448]))} at d=448 and issues in "
         f"{counter(full[448], issue):.0f} % of all cycles; "
         f"the L1 serves {counter(improved[448], l1):.0f} % of what the threads of the improved one read in pieces", [SCHEMES]),
        ("and memory-cooperative (figure 7)", "in all cases", over(memory), verdict(min(rate(full[d]) / rate(memory[d]) for d in full) > 1),
         f"its occupancy at d=448 is {memory[448]['resources']['occupancy']:.2f}, there "
         f"{published('occupancy of memory-cooperative at d=448'):.2f}: a multiprocessor has more shared memory", [SCHEMES]),
        ("task-parallel peaks with few threads, then drops (figure 6)", "peak, then a drop",
         ", ".join(f"{number(r, 'bases/s')} with {n}" for n, r in threads.items()),
         verdict(threads[2048] < max(threads.values()) * 0.9),
         f"naive, as published: the drop is {number(1 - threads[2048] / max(threads.values()), '%')}; what "
         "keeps it so small was not counted", [SCHEMES]),
        ("full-cooperative scales gracefully (figure 6)", "up to 4 thousand threads",
         ", ".join(f"{number(r, 'bases/s')} with {n}" for n, r in scaled.items()), verdict(scaled[2048] == max(scaled.values())),
         "threads of a multiprocessor; as many as fit are the best", [SCHEMES]),
        ("cooperating costs instructions (section 5.3.3)", "2.5 x of task-parallel",
         ", ".join(f"{number(factor, 'x')} at d={d}" for d, factor in cost.items()), verdict(min(cost.values()) > 2),
         "as printed in table 2, above", [SCHEMES]),
        ("2 steps cost few more (section 5.3.3)", "10 to 18 % more", ", ".join(number(factor - 1, "%") for factor in overhead) + " at d=64, 192, 448",
         verdict(max(overhead) < 1.2), "full counters; a base of the query", [SCHEMES])]


def fm_index():
    run, schemes, published = Run(FM), Run(SCHEMES), Facts("fm-index")
    section = Section(
        "FM-index (Chacón et al. 2015)",
        "Of an H200 and 16 cores of a Xeon; the paper: GTX Titan and two Xeon E5-2650. Synthetic references, 100-base queries that occur, no "
        "prefix table in the cooperative rows, but one of 8 bases, the paper's, in those of the published schemes.")
    add_values(section, run, schemes, published)
    two_step = {d: cooperative(run, BIG, k=2, d=d, counters="alternate") for d in (64, 192)}
    one_step = max(rate(cooperative(run, BIG, k=1, d=d)) for d in (64, 192, 448))
    cpu = {k: run.best("prefetch", "cpu", BIG, k=k) for k in (1, 2)}
    spread = rate(cooperative(run, BIG, k=1, d=64)) / rate(cooperative(run, BIG, k=1, d=448))
    entry = {d: fraction(cooperative(run, BIG, k=1, d=d)) for d in (64, 448)}
    gpu_gain, cpu_gain = rate(two_step[64]) / one_step, rate(cpu[2]) / rate(cpu[1])
    section.conclusions([
        ("about 2 Gbases/s (abstract)", "2 Gbases/s", number(rate(two_step[64]), "bases/s"),
         verdict(rate(two_step[64]) >= 2e9), "the same layout, 3 Gbases; the kernel is not the published one",
         [FM]),
        ("2 steps over 1 on the GPU (section 5.2)", "1.8 x", number(gpu_gain, "x"), verdict(gpu_gain > 1.1),
         "half the steps, of 64 bytes in place of 32, as free as there; half of the counters stand in the next entry", [FM]),
        ("2 steps over 1 on the CPU (section 5.2)", "1.4 x", number(cpu_gain, "x"), verdict(cpu_gain > 1.1),
         "half the steps, two cache lines each in place of one", [FM]),
        *scheme_conclusions(schemes, published),
        ("blocks are what costs, not bytes: all d alike for large references (section 7; figure 8)", "beyond 1.5 Gbases",
         f"d=64 is {number(spread, 'x')} of d=448 at 3 Gbases", verdict(spread < 1.1),
         f"both are at {entry[64]:.2f} and {entry[448]:.2f} of what their blocks of 32 and 128 bytes allow: only blocks up to 64 are free", [FM]),
        ("k=2 d=192 alternate is best from 1 to 3.5 Gbases (figure 9)", "past 2.3 GB of index the rate drops",
         f"d=64 {number(rate(two_step[64]), 'bases/s')}, d=192 {number(rate(two_step[192]), 'bases/s')} at 3 Gbases",
         verdict(rate(two_step[192]) > rate(two_step[64])), "the TLB reaches 64 GB, so that the larger index of d=64 has no drop",
         [FM, MACHINE])])
    section.untested([
        ("3 to 5 times NVBIO's FM-index on the GPU, twice on the CPU (abstract; section 5.2)", "NVBIO was not run"),
        ("all GPUs do 4.8 to 8.5 times as many bases a joule as the CPU (figure 11)", "of the host's cores no energy was to be had"),
        ("the three GPUs of the paper beside each other (section 5.4, figures 10 and 11)",
         "of its GPUs none was at hand; [H100 and H200](h100-and-h200.md) are compared")])
    return section.lines


def energy(k):
    """Of as many bases as the human genome has."""
    human = Run(ENERGY).all("full_cooperative", "cuda", {"reference_bases": 3_100_000_000}, k=k)
    return max(record["energy"]["work_per_joule"] for record in human if record["energy"])
