"""Schatz et al.: High-throughput sequence alignment using graphics processing units (MUMmerGPU)."""

from .tables import Facts, Run, Section, number, side_s, verdict

PAPER = "h200-exact-match-paper"
LENGTHS = (50, 100, 200, 400, 800)
PLAIN = {"memory": "global", "text_order": "plain", "node_order": "breadth_first", "query_order": "as_given"}


def with_transfers(record):
    """Seconds of a launch with the tree and the queries on their way to the GPU, and the results back."""
    return record["statistics"]["median_s"] + side_s(record, "upload_tree", "upload", "download")


def add_speedups(section, run):
    whole, alone = {}, {}
    section.lines += [f"Speed-ups of figure 3, of which the paper prints no numbers; from [{PAPER}](../results/{PAPER}). *With transfers*: of "
                      "the tree, the queries and the results, as the paper counts them, into pages that are locked; figure exact-match/speedup counts the "
                      "locking as well.", "",
                      "| H200 over | one core, a query after the other, as there; kernel alone | with transfers | "
                      "one core, 32 queries in turn, with transfers | 16 cores, kernel alone | 16 cores, with transfers |", "|---|---|---|---|---|---|"]
    for length in LENGTHS:
        problem = {"query_bases": length}
        gpu = run.best("tree_gpu", "cuda", problem, **PLAIN)
        port = run.seconds("tree", "cpu", problem, threads=1, in_flight=1)
        core, cores = (run.seconds("tree", "cpu", problem, threads=threads) for threads in (1, 0))
        alone[length] = port / gpu["statistics"]["median_s"]
        whole[length] = [port / with_transfers(gpu), core / with_transfers(gpu), cores / with_transfers(gpu)]
        cells = [alone[length], *whole[length][:2], cores / gpu["statistics"]["median_s"], whole[length][2]]
        section.lines.append(f"| reads of {length} | {' | '.join(number(cell, 'x') for cell in cells)} |")
    section.lines.append("")
    return alone, whole


def exact_match():
    run, published = Run(PAPER), Facts("exact-match")
    section = Section(
        "Exact matches (MUMmerGPU, Schatz et al. 2007)",
        "Of an H200 and 16 cores of a Xeon: E. coli and 100 M bases of reads without errors, l as long as the reads, the paper's tree; the paper: "
        "B. anthracis, GeForce 8800 GTX and one core of a Xeon.")
    alone, whole = add_speedups(section, run)
    gains = [run.rate(variant, device, {"query_bases": 800}) / run.rate(variant, device, {"query_bases": 50})
             for variant, device in (("tree", "cpu"), ("tree_gpu", "cuda"))]
    gpu = run.best("tree_gpu", "cuda", {"query_bases": 100}, **PLAIN)
    tree_share = side_s(gpu, "upload_tree") / with_transfers(gpu)
    section.conclusions([
        ("over 10 times one core on reads without errors, transfers included (results)",
         f"{number(published('Schatz et al.: over 10, transfers included'), 'x')}",
         f"{number(whole[50][0], 'x')} to {number(whole[800][0], 'x')} from 50 to 800 bases", verdict(min(w[0] for w in whole.values()) > 10),
         f"kernel alone {number(min(alone.values()), 'x')} and more; "
         f"the copy of the tree alone is {number(tree_share, '%')} of the time at 100 bases", [PAPER]),
        ("and over a CPU that hides its latencies, with all its cores", "not asked", f"{number(whole[50][2], 'x')} to {number(whole[800][2], 'x')}",
         "-",
         "transfers take longer than 16 cores do", [PAPER]),
        ("longer queries gain less (results, figure 3)", "the most for short reads",
         f"{number(alone[50], 'x')} at 50, {number(alone[800], 'x')} at 800, kernel alone",
         verdict(alone[50] > 1.5 * alone[800]), f"from 50 to 800 bases 16 cores gain {number(gains[0], 'x')}, the GPU {number(gains[1], 'x')}",
         [PAPER])])
    section.untested([
        ("over 3 times MUMmer in total time (abstract)", "no record times both as whole processes that build their index"),
        ("cached textures and reordered data bring up to 10 times (conclusion)", "no record has its kernel with and without them"),
        ("3 to 4 times MUMmer on reads of S. suis, L. monocytogenes, C. briggsae (table 1)",
         "these reads are not at hand; numbers of the paper's text are lost in our copy"),
        ("13 times, MUMmerGPU 2.0 over the serial CPU code (Parallel Computing 2009)", "its kernels were not run")])
    return section.lines
