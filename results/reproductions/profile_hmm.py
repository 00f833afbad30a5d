"""Jiang and Ganesan: CUDAMPF."""

from .tables import Facts, Run, Section, number, verdict

RUN, ROWS, LADDER, LOOK, CORE = "h200-profile-hmm", "h200-profile-hmm-rows", "h200-profile-hmm-ladder", "h200-first-look", "zen5-profile-hmm"
PIPELINE = "h200-profile-hmm-pipeline"
FILTERS = {"msv": 12, "ssv": 13, "viterbi": 14}  # with the figure that compares with CPUs
BOTH = ["lane_groups", "video_warp"]


def title(name):
    return "Viterbi" if name == "viterbi" else name.upper()


def row(rows, name, length, memory):
    """video_warp with its row in a memory, compiled by NVRTC. A compiler may keep a row of local memory in registers."""
    record = rows.best("video_warp", "cuda", random_model(name, length), row=memory, compiled_by="nvrtc")
    if memory == "local" and record["resources"]["local_bytes"] == 0:
        raise SystemExit(f"{rows.name}: {name} of {length} states has no row in local memory")
    return record


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
    section.values("H200", [RUN], values)
    compiled = compile_seconds(rows)
    values = [("table 2: compiling a kernel at run time, at most", published("published: at most about 800 ms"), max(compiled), "s")]
    values += [("results, figure 11: Viterbi, 300 states, rows in local memory", 1e9 * published("Viterbi, local memory, 300 states"),
                row(rows, "viterbi", 300, "local")["statistics"]["rate"], "cells/s"),
               ("results, figure 11: Viterbi, large models (ours: 2405 states), rows in local memory",
                1e9 * published("K40, local memory, large models, roughly"),
                row(rows, "viterbi", 2405, "local")["statistics"]["rate"], "cells/s")]
    section.values("H200, `video_warp`", [ROWS], values)
    section.values("H200, the kernel as published", [LADDER], [
        (f"table 3: {title(name)}, NVRTC over static compilation, up to (ours: 400 and 1200 states)",
         published(f"{title(name)}: NVRTC over static compilation, up to"),
         max(kernel(ladder, name, length) / kernel(ladder, name, length, compiled_by="nvcc", stripes="variable") for length in (400, 1200)), "x")
        for name in ("ssv", "msv")])


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
    nvrtc = {name: kernel(ladder, name, 400, stripes="variable") / kernel(ladder, name, 400, compiled_by="nvcc", stripes="variable")
        for name in FILTERS}
    constant = {name: kernel(ladder, name, 400) / kernel(ladder, name, 400, stripes="variable") for name in FILTERS}
    spilled = [kernel(ladder, "viterbi", 1200) / kernel(ladder, "viterbi", 1200, stripes="variable"),
               kernel(ladder, "viterbi", 1200, resident_warps=0, warps_per_block=0) / kernel(ladder, "viterbi", 1200, stripes="variable")]
    several = lambda values: ", ".join(f"{number(value, 'x')} ({title(name)})" for name, value in values.items())
    compiled = compile_seconds(rows)
    section.conclusions([
        ("MSV takes most of the pipeline's time (figure 2)", number(published("MSV/SSV's share of the pipeline's time"), "%"),
         ", ".join(f"{number(share, '%')} ({model})" for model, share in pipeline.msv.items()), verdict(middle_of(pipeline.msv) > 0.5),
         f"{range_of(pipeline.passed['Vit'])} of {pipeline.sequences} proteins pass Viterbi, there {number(published('sequences that pass the Viterbi filter'), '%')}; "
         f"forward, backward and the output then take {range_of(pipeline.behind)}", [PIPELINE]),
        *[(f"{title(name)} over several cores (conclusion)", number(published(f"maximum speed-up of {title(name)} over several cores"), "x"),
            number(speedups[name], "x"),
           verdict(speedups[name] > 1), "16 cores here, with AVX-512", [LOOK]) for name in FILTERS],
        ("runtime compilation brings 2 to 3 times, as it unrolls loops (abstract)", "3.2 x (SSV), 2 x (MSV)", several(constant),
         verdict(min(constant.values()) > 1.1),
         "the number of stripes as a constant; " + several(nvrtc) + " by NVRTC without it", [LADDER]),
        ("but not Viterbi, whose registers spill (results)", "loop count kept variable",
         f"{number(spilled[0], 'x')} with 64 registers a thread, {number(spilled[1], 'x')} with as many as "
         "it takes, 1200 states", verdict(spilled[0] < 1), "it spills where registers are held to 64, as there; a thread may have 255", [LADDER]),
        ("a kernel compiles in at most about 800 ms (table 2)", number(published("published: at most about 800 ms"), "s"),
         f"{number(compiled[-1], 's')}, {number(compiled[len(compiled) // 2], 's')} in the median", verdict(compiled[-1] <= 0.8),
         f"on the Xeon; {sum(seconds > 0.8 for seconds in compiled)} of {len(compiled)} take more than 800 ms", [ROWS])])
    section.untested([
        ("GCUPS of tables 3 and 4, milliseconds of table 2", "our copy of the paper has only their percentages"),
        ("exceeds all other accelerations (conclusion)", "the programs of others were not run, but for HMMER's filters")])
    return section.lines
