"""Payne, Sinnott-Armstrong and Moore: Exploiting graphics processing units."""

from .tables import Facts, Run, Section, gain_verdict, number, verdict

PAPER, LOOK = "h200-pairwise-distance-paper", "h200-first-look"
RUNGS = ("naive", "coalesced", "char4", "register", "shared")
FIGURE = "pairwise-distance/fig4"


def pairwise_distance():
    run, published = Run(PAPER), Facts("pairwise-distance")
    sets = run.data_sets()
    section = Section(
        "All-pairs distance (Payne et al. 2010)",
        "Of an H200 and 16 cores of a Xeon; the paper: GeForce 9600M GT and a Core 2 Duo. 112 instances of 512 attributes, figure 4; times "
        "of a launch in a row of launches, and only their ratios, because the unit of the published times is in doubt; on the CPU by one thread of the appendix's program"
        + (f", the median of {sets} data sets." if sets > 1 else "."))
    ours = {rung: run.seconds(rung, "cuda") for rung in RUNGS}
    then = {rung: published(rung, FIGURE) for rung in RUNGS}
    cpu, cpu_then = run.seconds("appendix", "cpu"), published("CPU", FIGURE)
    section.values("H200", [PAPER], [
        *[(f"section 6: {rung} over the CPU", published(f"{rung} over the CPU"), cpu / ours[rung], "x")
            for rung in ("naive", "coalesced", "register", "shared")]])
    look = Run(LOOK)
    large = [look.best(["tensor", "bit_planes"], device) for device in ("cuda", "cpu")]
    best_cpu, best_gpu = run.seconds(["bit_planes", "bytes"], "cpu"), run.seconds(["register_tiled", "tensor", "dp4a"], "cuda")
    gain = lambda times, rung, to: number(times[rung] / times[to], "x")
    section.conclusions([
        ("coalescing is the first step", gain(then, "naive", "coalesced"), gain(ours, "naive", "coalesced"),
         gain_verdict(ours["naive"] / ours["coalesced"]),
         "lanes that are not beside each other fetch a sector each, as then", [PAPER]),
        ("four characters a word bring nothing by themselves, for atomic additions contend", gain(then, "coalesced", "char4"),
         gain(ours, "coalesced", "char4"),
         verdict(ours["coalesced"] / ours["char4"] < 1.1), "a quarter of the loads; what additions cost was not counted", [PAPER]),
        ("registers come next", gain(then, "char4", "register"), gain(ours, "char4", "register"), gain_verdict(ours["char4"] / ours["register"]),
         "the cost of the launch was not taken off", [PAPER]),
        ("shared memory is the largest step", gain(then, "register", "shared"), gain(ours, "register", "shared"),
         gain_verdict(ours["register"] / ours["shared"]),
         "the input fits the L1, which a multiprocessor of then had not", [PAPER]),
        ("the last is 1700 times the CPU's program (abstract)", number(cpu_then / then["shared"], "x"),
         f"{number(cpu / ours['shared'], 'x')}; the best rung {number(cpu / min(ours.values()), 'x')}",
         verdict(cpu / ours["shared"] > 100), "against one thread", [PAPER]),
        ("GPU over the best CPU program", "not asked", number(best_cpu / best_gpu, "x"), "-",
         f"so small a matrix does not fill a GPU; one of {large[0]['problem']['instance_count']} x {large[0]['problem']['attribute_count']} "
         f"makes it {number(large[0]['statistics']['rate'] / large[1]['statistics']['rate'], 'x')}", [PAPER, LOOK])])
    return section.lines
