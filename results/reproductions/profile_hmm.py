"""Jiang and Ganesan: CUDAMPF."""

from .tables import Facts, Run, Section, counter, number, verdict

RUN, ROWS, LADDER, LOOK, CORE = "h200-profile-hmm", "h200-profile-hmm-rows", "h200-profile-hmm-ladder", "h200-first-look", "zen5-profile-hmm"
PIPELINE, THREADS = "h200-profile-hmm-pipeline", "h200-profile-hmm-threads"
FILTERS = {"msv": 12, "ssv": 13, "viterbi": 14}  # with the figure that compares with CPUs
BOTH = ["lane_groups", "video_warp"]
HIT_RATE = "l1tex__t_sector_hit_rate.pct"
READ_ONLY_HIT_RATE = "l1tex__t_sector_pipe_lsu_mem_global_op_ld_hit_rate.pct"


def title(name):
    return "Viterbi" if name == "viterbi" else name.upper()


def row(rows, name, length, memory):
    """video_warp with its row in a memory, compiled by NVRTC."""
    return rows.best("video_warp", "cuda", random_model(name, length), row=memory, compiled_by="nvrtc")


def random_model(name, length):
    """A problem: real models beside it have lengths of their own."""
    return {"filter": name, "models": "random", "model_length": length}


def compile_seconds(rows):
    """Of every kernel that NVRTC compiled in the run, ascending."""
    resources = [record["resources"] for record in rows.records]
    return sorted(of["compile_s"] for of in resources if of["compiled_by"] == "nvrtc" and not of["from_cache"])


def kernel(ladder, name, length, **changed):
    """The published kernel, by NVRTC unless changed."""
    published = {"compiled_by": "nvrtc", "stripes": "constant", "assignment": "static", "order": "file", "residues": "shared",
        "reduction": "each_row",
                 "deletions": "lazy_f", "loads": "words", "costs": "read_only", "steps": "read_only", "resident_warps": 32, "warps_per_block": 32}
    return ladder.best("video_warp", "cuda", {"filter": name, "model_length": length}, **(published | changed))["statistics"]["rate"]


def over_hmmer(run, threads, name, count):
    """The most over models of the GPU's rate over that of HMMER's filter on so many threads, by its own clock."""
    def rate(length):
        record = threads.best("hmmer_filter", "cpu", {"filter": name, "model_length": length}, threads=count)
        return record["work"]["amount"] / record["facts"]["own_s"]
    lengths = {record["problem"]["model_length"] for record in threads.all("hmmer_filter", "cpu", {"filter": name}, threads=count)}
    return max(run.rate(BOTH, "cuda", {"filter": name, "model_length": length}) / rate(length) for length in lengths)


class Pipeline:
    """hmmsearch on a core with several models, whole and ended after a filter: shares of the sequences and of its time, by model."""

    def __init__(self, run):
        whole = {record["problem"]["models"]: record for record in run.all("hmmsearch", "cpu", threads=1)}
        self.sequences = next(iter(whole.values()))["facts"]["sequence_count"]
        self.program = "hmmsearch " + next(iter(whole.values()))["facts"]["program_version"]
        self.passed = {filter_: {model: record["facts"]["answers"][filter_] / record["facts"]["sequence_count"]
                                 for model, record in whole.items()} for filter_ in ("MSV", "Vit")}
        seconds = {variant: {model: run.seconds(variant, "cpu", {"models": model}, threads=1) for model in whole}
                   for variant in ("hmmsearch_msv", "hmmsearch_viterbi", "hmmsearch")}
        share = lambda end, begin=None: {model: (seconds[end][model] - (seconds[begin][model] if begin else 0)) / seconds["hmmsearch"][model]
                                         for model in whole}
        self.msv, self.viterbi = share("hmmsearch_msv"), share("hmmsearch_viterbi", "hmmsearch_msv")
        self.behind = share("hmmsearch", "hmmsearch_viterbi")


def middle_of(shares):
    return sorted(shares.values())[len(shares) // 2]


def range_of(shares):
    return f"{number(min(shares.values()), '%')} to {number(max(shares.values()), '%')}"


def add_pipeline(section, published, pipeline):
    """Figure 2. A stage's time is what a run that ends behind it takes longer than one that ends before it."""
    section.values(f"{pipeline.program}, a core of the H200's host", [PIPELINE], [
        (f"methods, figure 2: {label} (ours: the middle of {len(shares)} models, {range_of(shares)}{remark})", published(label), middle_of(shares), "%")
        for label, shares, remark in (
            ("sequences that pass the MSV/SSV filter", pipeline.passed["MSV"], ""),
            ("sequences that pass the Viterbi filter", pipeline.passed["Vit"], ""),
            ("MSV/SSV's share of the pipeline's time", pipeline.msv, "; with start and files"),
            ("Viterbi's share of the pipeline's time", pipeline.viterbi, "; at most, with the bias filter"),
            ("forward and backward's share of the pipeline's time", pipeline.behind, "; at least, with the output"))])


def add_values(section, published):
    run, rows, ladder, core = Run(RUN), Run(ROWS), Run(LADDER), Run(CORE)
    values = [(f"abstract: {title(name)}, the most over all models", 1e9 * published("CUDAMPF, K40, up to", f"profile-hmm/fig{number_of}"),
               run.rate(BOTH, "cuda", {"filter": name}), "cells/s") for name, number_of in FILTERS.items()]
    for name, figure in FILTERS.items():
        for length in (200, 400, 800, 1200, 2405):
            own = published(f"CUDAMPF, SIMD intrinsics, {length} states", figure=f"profile-hmm/fig{figure}")
            values.append((f"CUDAMPF's own kernels on an H200 (not in the paper), {title(name)}, {length} states", 1e9 * own,
                           run.rate(BOTH, "cuda", {"filter": name, "model_length": length}), "cells/s"))
    section.values("H200", [RUN], values)
    compiled = compile_seconds(rows)
    values = [("table 2: compiling a kernel at run time, at most", published("published: at most about 800 ms"), max(compiled), "s")]
    values += [(f"results, figure 9: MSV, {length} states, rows in {memory} memory", 1e9 * published(f"MSV, {memory} memory, {length} states"),
                row(rows, "msv", length, memory)["statistics"]["rate"], "cells/s") for length in (100, 200, 300) for memory in ("shared", "local")]
    values += [(f"results, figure 9: MSV, rows in shared memory, occupancy at {length} states",
        published(f"MSV, shared memory, occupancy at {length} states"),
                row(rows, "msv", length, "shared")["resources"]["occupancy"], "%") for length in (600, 2405)]
    values += [("results, figure 9: MSV, rows in local memory, occupancy at 2405 states", published("K40, local memory"),
                row(rows, "msv", 2405, "local")["resources"]["occupancy"], "%"),
               ("results, figure 10: SSV, local over shared memory at 2405 states", published("SSV: local over shared memory at 2405 states"),
                row(rows, "ssv", 2405, "local")["statistics"]["rate"] / row(rows, "ssv", 2405, "shared")["statistics"]["rate"], "x"),
               ("results, figure 11: Viterbi, 300 states, rows in local memory", 1e9 * published("Viterbi, local memory, 300 states"),
                row(rows, "viterbi", 300, "local")["statistics"]["rate"], "cells/s"),
               ("results, figure 11: Viterbi, large models (ours: 2405 states), rows in local memory",
                1e9 * published("K40, local memory, large models, roughly"),
                row(rows, "viterbi", 2405, "local")["statistics"]["rate"], "cells/s")]
    for length in (200, 2405):
        for how, record in (("static", rows.best("video_warp", "cuda", random_model("viterbi", length), compiled_by="nvcc")),
                            ("NVRTC", row(rows, "viterbi", length, "local"))):
            values.append((f"table 4: Viterbi, {length} states, hit rate of the L1, {how}", published(f"L1 hit rate, {how}, {length} states"),
                           counter(record, HIT_RATE) / 100, "%"))
            values.append((f"table 4: Viterbi, {length} states, hit rate of read-only data, {how}",
                           published(f"Viterbi, read-only cache hit rate, {how}, {length} states"), counter(record, READ_ONLY_HIT_RATE) / 100, "%"))
    section.values("H200, `video_warp`", [ROWS], values)
    section.values("H200, the kernel as published", [LADDER], [
        (f"table 3: {title(name)}, NVRTC over static compilation, up to (ours: 400 and 1200 states)",
         published(f"{title(name)}: NVRTC over static compilation, up to"),
         max(kernel(ladder, name, length) / kernel(ladder, name, length, compiled_by="nvcc", stripes="variable") for length in (400, 1200)), "x")
        for name in ("ssv", "msv")])
    section.values("a core of a Zen 5, AVX-512", [CORE], [
        (f"figure {figure}: {title(name)}, HMMER 3.1b2 on a core of a {processor} (ours: the most over all models)",
         1e9 * published(processor, f"profile-hmm/fig{figure}"),
         core.rate("striped", "cpu", {"filter": name}), "cells/s") for name,
         figure in FILTERS.items() for processor in ("E5620", "i7-2600", "i5-3570K")])


def profile_hmm():
    run, rows, ladder, look, published = Run(RUN), Run(ROWS), Run(LADDER), Run(LOOK), Facts("profile-hmm")
    section = Section(
        "Profile HMMs (CUDAMPF, Jiang and Ganesan 2016)",
        "Of an H200, a Xeon of 16 cores at 400 states, and a core of a Zen 5; the paper: Tesla K40, and up to 8 threads of a Xeon E5620, i7-2600 and "
        "i5-3570K.")
    pipeline = Pipeline(Run(PIPELINE))
    add_values(section, published)
    add_pipeline(section, published, pipeline)
    speedups = {name: look.rate(BOTH, "cuda", {"filter": name}) / look.rate("striped", "cpu", {"filter": name}) for name in FILTERS}
    threads = Run(THREADS)
    hmmer = {name: {count: over_hmmer(run, threads, name, count) for count in (1, 4, 0)} for name in FILTERS}
    video = {name: run.rate("video_warp", "cuda", {"filter": name}) / run.rate("lane_groups", "cuda", {"filter": name}) for name in FILTERS}
    nvrtc = {name: kernel(ladder, name, 400, stripes="variable") / kernel(ladder, name, 400, compiled_by="nvcc", stripes="variable")
        for name in FILTERS}
    constant = {name: kernel(ladder, name, 400) / kernel(ladder, name, 400, stripes="variable") for name in FILTERS}
    spilled = [kernel(ladder, "viterbi", 1200) / kernel(ladder, "viterbi", 1200, stripes="variable"),
               kernel(ladder, "viterbi", 1200, resident_warps=0, warps_per_block=0) / kernel(ladder, "viterbi", 1200, stripes="variable")]
    local = {name: row(rows, name, 2405, "local")["statistics"]["rate"] / row(rows, name, 2405, "shared")["statistics"]["rate"] for name in FILTERS}
    checked = [record["verification"]["passed"] for of in (run, rows, ladder) for record in of.records if record["kind"] == "kernel"]
    several = lambda values: ", ".join(f"{number(value, 'x')} ({title(name)})" for name, value in values.items())
    compiled = compile_seconds(rows)
    occupancy = [row(rows, "msv", 2405, memory)["resources"]["occupancy"] for memory in ("shared", "local")]
    section.conclusions([
        ("MSV takes most of the pipeline's time (figure 2)", number(published("MSV/SSV's share of the pipeline's time"), "%"),
         ", ".join(f"{number(share, '%')} ({model})" for model, share in pipeline.msv.items()), verdict(middle_of(pipeline.msv) > 0.5),
         f"{range_of(pipeline.passed['Vit'])} of {pipeline.sequences} proteins pass Viterbi, there {number(published('sequences that pass the Viterbi filter'), '%')}; "
         f"forward, backward and the output then take {range_of(pipeline.behind)}", [PIPELINE]),
        *[(f"{title(name)} over HMMER on one core (abstract)", number(published(f"maximum speed-up of {title(name)} over one core"), "x"),
           number(gain[1], "x"), verdict(gain[1] > 1), f"by its own clock, it has SSE only; over 4 threads {number(gain[4], 'x')}, over 16 {number(gain[0], 'x')}",
           [RUN, THREADS]) for name, gain in hmmer.items()],
        *[(f"{title(name)} over several cores (conclusion)", number(published(f"maximum speed-up of {title(name)} over several cores"), "x"),
            number(speedups[name], "x"),
           verdict(speedups[name] > 1), "16 cores here, with AVX-512", [LOOK]) for name in FILTERS],
        ("video instructions on 4 x 8 bits are the way (methods)", "all results", several(video) + " of 2 x 16 bits",
         verdict(min(video.values()) > 1),
         "vmax4 and vadd4 are emulated by 12 to 19 instructions; their pipe is what they wait for (44 %)", [RUN]),
        ("runtime compilation brings 2 to 3 times, as it unrolls loops (abstract)", "3.2 x (SSV), 2 x (MSV)", several(constant),
         verdict(min(constant.values()) > 1.1),
         "the number of stripes as a constant; " + several(nvrtc) + " by NVRTC without it", [LADDER]),
        ("but not Viterbi, whose registers spill (results)", "loop count kept variable",
         f"{number(spilled[0], 'x')} with 64 registers a thread, {number(spilled[1], 'x')} with as many as "
         "it takes, 1200 states", verdict(spilled[0] < 1), "it spills where registers are held to 64, as there; a thread may have 255", [LADDER]),
        ("rows of large models belong into local memory (results)", "1.87 x of shared memory (SSV, 2405 states)", several(local),
         verdict(min(local.values()) > 1),
         f"occupancy of MSV is {occupancy[0]:.2f} with shared memory and {occupancy[1]:.2f} with local, of whose sectors the L1 serves "
         f"{counter(row(rows, 'msv', 2405, 'local'), HIT_RATE):.0f} %: occupancy no longer decides", [ROWS]),
        ("a kernel compiles in at most about 800 ms (table 2)", number(published("published: at most about 800 ms"), "s"),
         f"{number(compiled[-1], 's')}, {number(compiled[len(compiled) // 2], 's')} in the median", verdict(compiled[-1] < 1),
         f"on the Xeon; {sum(seconds > 0.8 for seconds in compiled)} of {len(compiled)} take more than 800 ms", [ROWS]),
        ("100 % accuracy (abstract)", "all scores", f"{sum(checked)} of {len(checked)} records agree with the oracle", verdict(all(checked)),
         "a wrong record is a failed one",
         [RUN, ROWS, LADDER])])
    section.untested([
        ("GCUPS of tables 3 and 4, milliseconds of table 2", "our copy of the paper has only their percentages"),
        ("exceeds all other accelerations (conclusion)", "the programs of others were not run, but for HMMER's filters")])
    return section.lines
