"""Schatz et al.: High-throughput sequence alignment using graphics processing units (MUMmerGPU)."""

from .tables import Facts, Run, Section, number, side_s, verdict

PAPER, LAYOUTS, PEERS = "h200-exact-match-paper", "h200-exact-match", "h200-peers"
LENGTHS = (50, 100, 200, 400, 800)
PUBLISHED = {"memory": "texture_2d", "text_order": "space_filling", "node_order": "hybrid"}
PLAIN = {"memory": "global", "text_order": "plain", "node_order": "breadth_first", "query_order": "as_given"}
KERNEL = "MUMmerGPU's kernel"  # its label among the published values


def with_transfers(record):
    """Seconds of a launch with the tree and the queries on their way to the GPU, and the results back."""
    return record["statistics"]["median_s"] + side_s(record, "upload_tree", "upload", "download")


def add_speedups(section, run):
    whole, alone = {}, {}
    section.lines += [f"Speed-ups of figure 3, of which the paper prints no numbers; from [{PAPER}](../results/{PAPER}). *With transfers*: of "
                      "the tree, the queries and the results, as the paper counts them, into pages that are locked; figure exact-match/speedup counts the "
                      "locking as well.", "",
                      "| H200 over | one core, a query after the other, as there; kernel alone | with transfers | its kernel and layout, with transfers | "
                      "one core, 32 queries in turn, with transfers | 16 cores, kernel alone | 16 cores, with transfers |", "|---|---|---|---|---|---|---|"]
    for length in LENGTHS:
        problem = {"query_bases": length}
        gpu, published = run.best("tree_gpu", "cuda", problem, **PLAIN), run.best("tree_gpu", "cuda", problem, **PUBLISHED)
        port = run.seconds("tree", "cpu", problem, threads=1, in_flight=1)
        core, cores = (run.seconds("tree", "cpu", problem, threads=threads) for threads in (1, 0))
        alone[length] = port / gpu["statistics"]["median_s"]
        whole[length] = [port / with_transfers(gpu), port / with_transfers(published), core / with_transfers(gpu), cores / with_transfers(gpu)]
        cells = [alone[length], *whole[length][:3], cores / gpu["statistics"]["median_s"], whole[length][3]]
        section.lines.append(f"| reads of {length} | {' | '.join(number(cell, 'x') for cell in cells)} |")
    section.lines.append("")
    return alone, whole


def exact_match():
    run, layouts, published = Run(PAPER), Run(LAYOUTS), Facts("exact-match")
    section = Section(
        "Exact matches (MUMmerGPU, Schatz et al. 2007)",
        "Of an H200 and 16 cores of a Xeon: E. coli and 100 M bases of reads without errors, l as long as the reads, the paper's tree; the paper: "
        "B. anthracis, GeForce 8800 GTX and one core of a Xeon.")
    alone, whole = add_speedups(section, run)
    rate = lambda length, **point: layouts.rate("tree_gpu", "cuda", {"min_length": length}, result="slots", **point)
    at = lambda length: published(KERNEL, "exact-match/rates", min_length=length)
    section.values("H200", [LAYOUTS], [
        row for length in (20, 100) for row in (
            (f"its kernels on an H200 (not in the paper), reads of 100 with 1 % errors, l = {length}; ours: its layout", at(length),
             rate(length, **PUBLISHED), "bases/s"),
            (f"the same; ours: `tree_words_gpu`, l = {length}", at(length), layouts.rate("tree_words_gpu", "cuda", {"min_length": length}),
             "bases/s"))])
    mummer = Run(PEERS)
    problem = {"query_bases": 100, "min_length": 20}
    peer, ours = mummer.best("mummer3", "cpu", problem), mummer.best("tree_words_gpu", "cuda", problem)
    process = with_transfers(ours) + side_s(ours, "tree", "words", "load_kernel", "strands", "listing", "printing")
    mummer_s = peer["statistics"]["median_s"]
    ratio = mummer_s / process
    gains = [run.rate(variant, device, {"query_bases": 800}) / run.rate(variant, device, {"query_bases": 50})
             for variant, device in (("tree", "cpu"), ("tree_gpu", "cuda"))]
    reordered = rate(20, **PLAIN) / rate(20, **PUBLISHED)
    gpu = run.best("tree_gpu", "cuda", {"query_bases": 100}, **PLAIN)
    tree_share = side_s(gpu, "upload_tree") / with_transfers(gpu)
    section.conclusions([
        ("over 10 times one core on reads without errors, transfers included (results)",
         f"{number(published('Schatz et al.: over 10, transfers included'), 'x')}",
         f"{number(whole[50][0], 'x')} to {number(whole[800][0], 'x')} from 50 to 800 bases", verdict(min(w[0] for w in whole.values()) > 10),
         f"kernel alone {number(min(alone.values()), 'x')} and more; "
         f"the copy of the tree alone is {number(tree_share, '%')} of the time at 100 bases", [PAPER]),
        ("so it is with its kernel and layout", f"{number(published('Schatz et al.: over 10, transfers included'), 'x')}",
         f"{number(whole[50][1], 'x')} to {number(whole[800][1], 'x')}", verdict(min(w[1] for w in whole.values()) > 10), "the same", [PAPER]),
        ("and over a CPU that hides its latencies, with all its cores", "not asked", f"{number(whole[50][3], 'x')} to {number(whole[800][3], 'x')}",
         "-",
         "transfers take longer than 16 cores do", [PAPER]),
        ("longer queries gain less (results, figure 3)", "the most for short reads",
         f"{number(alone[50], 'x')} at 50, {number(alone[800], 'x')} at 800, kernel alone",
         verdict(alone[50] > 1.5 * alone[800]), f"from 50 to 800 bases 16 cores gain {number(gains[0], 'x')}, the GPU {number(gains[1], 'x')}",
         [PAPER]),
        ("over 3 times MUMmer in total time (abstract)", f"{number(published('MUMmerGPU over MUMmer in total time, more than'), 'x')}",
         f"{number(ratio, 'x')}",
         verdict(ratio > 3),
         f"MUMmer 3, {number(mummer_s, 's')}; ours, from tree to output, {number(process, 's')} of phases one after the other; 100 000 "
         "reads of 100 with 1 % errors, one strand, l = 20", [PEERS]),
        ("cached textures and reordered data bring up to 10 times (conclusion)",
         f"{number(published('speedup by cached textures and reordered data, as much as'), 'x')}",
         f"{number(1 / reordered, 'x')} of plain global memory", verdict(reordered < 1),
         "loads of global memory go through the same L1; addresses of the texture's order cost instructions; neither was counted", [LAYOUTS])])
    section.untested([
        ("3 to 4 times MUMmer on reads of S. suis, L. monocytogenes, C. briggsae (table 3)",
         "these reads are not at hand; numbers of the paper's text are lost in our copy"),
        ("13 times, MUMmerGPU 2.0 over the serial CPU code (Parallel Computing 2009)", "its kernels were not run")])
    return section.lines
