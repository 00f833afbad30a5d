"""Figures of exact matches: MUMmerGPU's experiments and ours."""

from __future__ import annotations

from collections.abc import Iterator

from gpuseq.charts.values import MOST_PANELS, Quantity, RowChart, RowMark, RowPanel, sort_rows
from gpuseq.drawing import Figure, NotDrawn, heading, keep_fastest, note_left_out, why_none
from gpuseq.figures.common.ablation import Ablation, AblationFigure, rates, steps
from gpuseq.figures.common.variant_rows import VariantRows, bound_percent
from gpuseq.figures.exact_match_speedup import FAMILY, HEADING, SPEEDUP, min_length, query_length, row_of
from gpuseq.phases import PHASE_NAMES, PhaseTimes
from gpuseq.published import Fact, Published
from gpuseq.runs import Record, Report, number_at, point_text
from gpuseq.units import Unit, format_value
from gpuseq.words import Rate, axis_text, problem_name, rate_of, reference_bases, tips_of, without

RATE = Quantity("query bases per second", Unit.bases_per_s, log=True)


def _stated_of(fact: Fact, record: Record) -> bool:
    """Values are published for a reference, by its size, and for reads, by their length and errors."""
    found = {"query_bases": query_length(record), "min_length": min_length(record),
             "errors_per_1000": number_at(record.problem, "errors_per_1000"),
             "reference_bases": reference_bases(record)}  # fmt: skip
    needed = [found[key] is not None for key in ("query_bases", "min_length", "errors_per_1000")]
    return all(needed) and all(number_at(fact.at, key) == value for key, value in found.items())


QUESTIONS = {  # title of a panel: the axes that it varies
    "node order, memory, text order": ["node_order", "memory", "text_order"],
    "lanes of a query": ["lanes"],
    "order of queries": ["query_order"],
    "threads of a block": ["threads_per_block"],
    "queries in flight": ["in_flight"],
}
Rows = dict[str, Record]


def _best(rows: Rows) -> float:
    return max((record.rate for record in rows.values()), default=0.0)


def _rows(records: list[Record], axes: list[str]) -> Rows:
    """The records that differ in some axes alone; the set with the most rows, then the fastest."""
    sets: dict[str, Rows] = {}
    for record in records:
        row = ", ".join(value for axis in axes if (value := axis_text(record, axis)))
        if row:
            keep_fastest(sets.setdefault(without(record.point, set(axes)), {}), row, record)
    best = max(
        (sets[rest] for rest in sorted(sets)), key=lambda rows: (len(rows), _best(rows)), default=dict[str, Record]()
    )
    return best if len(best) > 1 else {}


Candidates = dict[tuple[str, str], list[Record]]


def _candidates(report: Report) -> Candidates:
    """The records of the problem with the most to compare, by variant and device; then with the shortest matches."""
    problems: dict[str, Candidates] = {}
    for record in report.settled(FAMILY):
        of_problem = problems.setdefault(point_text(record.problem), {})
        of_problem.setdefault((record.variant, record.device_name), []).append(record)

    def rank(candidates: Candidates) -> tuple[int, float]:
        count = sum(len(_rows(records, axes)) for records in candidates.values() for axes in QUESTIONS.values())
        return count, -(min_length(candidates[min(candidates)][0]) or 0)

    ranked = [problems[problem] for problem in sorted(problems) if rank(problems[problem])[0] > 0]
    return max(ranked, key=rank, default=Candidates())


def _panel(title: str, rows: Rows) -> RowPanel:
    panel = RowPanel(title)
    slowest = min(record.rate for record in rows.values())
    for row, record in sorted(rows.items()):
        rate = rate_of(record)
        panel.marks.append(RowMark(
            row, rate.value, rate.low, rate.high, series=record.device_name,
            label=format_value(rate.value, Unit.bases_per_s), detail=format_value(rate.value / slowest, Unit.ratio),
            record=record.index, tips=tips_of(record, rate, Unit.bases_per_s)))  # fmt: skip
    sort_rows(panel)
    return panel


def _draw_layouts(figure: Figure, report: Report, published: Published) -> RowChart:
    chart = RowChart(RATE, series_title="device")
    candidates = _candidates(report)
    used: list[Record] = []
    for title, axes in QUESTIONS.items():
        for variant, device in sorted(candidates):
            rows = _rows(candidates[variant, device], axes)
            if rows and len(chart.panels) < MOST_PANELS:
                chart.panels.append(_panel(f"{variant}: {title}", rows))
                used += [rows[row] for row in sorted(rows)]
    if not used:
        raise NotDrawn(why_none(report, FAMILY, "two layouts of one variant"))
    chart.series = sorted({record.device_name for record in used})
    notes = [f"{problem_name(used[0])}.",
             "Within a panel all other parameters are equal. Behind the rate: its ratio to the slowest."]  # fmt: skip
    chart.heading = heading(figure, report, used, notes)
    return chart


def tree_words(record: Record) -> str:
    """ "built" or "from the cache": the tree of a record; empty where it is not recorded."""
    cached = record.facts.get("from_cache")
    return ("from the cache" if cached else "built") if isinstance(cached, bool) else ""


def _phase_marks(times: PhaseTimes, row: str, record: Record) -> Iterator[RowMark]:
    seconds = times.of(record)
    total = sum(seconds.values())
    for phase, value in seconds.items():
        name = PHASE_NAMES[phase]
        tips = [*tips_of(record, Rate(value, value, value), Unit.seconds), ("Phase", name)]
        if phase == "words" and times.words_of_another(record):
            tips.append(("Timed", "in another case with the same tables"))
        tips.append(("Share", format_value(value / total, Unit.share)))
        yield RowMark(row, value, value, value, name, record=record.index, tips=tips,
                      terms=[("timed", name), ("tree", tree_words(record))])  # fmt: skip


def _draw_phases(figure: Figure, report: Report, published: Published) -> RowChart:
    panels: dict[tuple[float, str, str], Rows] = {}  # shorter matches first
    for record in report.settled(FAMILY):
        key = (min_length(record) or 0, point_text(record.problem), tree_words(record))
        keep_fastest(panels.setdefault(key, {}), f"{row_of(record)}, {record.device_name}", record)
    chart = RowChart(Quantity("time", Unit.seconds), bars=True, stacked=True, series_title="phase")
    times = PhaseTimes(report)
    used: list[Record] = []
    for key in sorted(panels)[:MOST_PANELS]:
        fastest = panels[key]
        rows = [list(_phase_marks(times, row, fastest[row])) for row in sorted(fastest)]
        rows.sort(key=lambda marks: -sum(mark.value for mark in marks))
        for marks in rows:
            marks[-1].label = format_value(sum(mark.value for mark in marks), Unit.seconds)
        title = problem_name(fastest[min(fastest)]) + (f": tree {key[2]}" if key[2] else "")
        panel = RowPanel(
            title, [marks[0].row for marks in rows], [mark for marks in rows for mark in marks], chart.value
        )
        chart.panels.append(panel)
        used += [fastest[row] for row in sorted(fastest)]
    there = {mark.series for panel in chart.panels for mark in panel.marks}
    if len(there) < 2:
        raise NotDrawn(why_none(report, FAMILY, "a phase other than the kernel"))
    chart.series = [name for name in PHASE_NAMES.values() if name in there]
    notes = ["Each bar: the configuration of its variant that searches fastest. Compilation and phases without a "
             "record are left out. Kernel: on a CPU its search."]  # fmt: skip
    if PHASE_NAMES["locking"] in there:
        notes.append("Locking of pages: the additional time of the first download. 'Queries to the GPU' includes the "
                     "locking of the queries' pages.")  # fmt: skip
    if PHASE_NAMES["words"] in there:
        notes.append("Tables of words are timed where they are built and charged to every bar that uses them; those of "
                     "a CPU are not timed separately.")  # fmt: skip
    note_left_out(len(chart.panels), len(panels), "panels", notes)
    chart.heading = heading(figure, report, used, notes)
    return chart


RATES = VariantRows(
    FAMILY, RATE, detail=bound_percent, stated_of=_stated_of, row=row_of, tools=True,
    order=lambda record: (query_length(record) or 0, min_length(record) or 0),
)  # fmt: skip

# Strands that are not computed take twice the memory of the queries and nothing else. Therefore they are computed again
# at the end, where the rest is as fast as possible.
LADDER = AblationFigure(
    FAMILY,
    [Ablation(
        {"variant": "tree_gpu", "result": "slots", "memory_mib": "768", "reverse_complements": "computed",
         "edge_ends": "compared", "leaves": "nodes", "node_order": "hybrid", "memory": "texture_2d",
         "text_order": "space_filling"},
        steps(("all of the memory", {"memory_mib": "0"}),
              ("reverse_complements = uploaded", {"reverse_complements": "uploaded"}),
              ("edge_ends = known", {"edge_ends": "known"}),
              ("leaves = implicit", {"leaves": "implicit"}),
              ("node_order = breadth_first", {"node_order": "breadth_first"}),
              ("memory = texture_linear", {"memory": "texture_linear"}),
              ("text_order = plain", {"text_order": "plain"}),
              ("memory = global", {"memory": "global"}),
              ("reverse_complements = computed", {"reverse_complements": "computed"}),
              ("tree_words_gpu", {"variant": "tree_words_gpu"})))],
    rates("query bases per second (G)"),
    place=lambda record: None if min_length(record) is None else (f"{min_length(record):09.0f}", ""),
    factor=1e-9,
    notes=["The published kernel is tree_gpu with leaves = nodes, edge_ends = compared, reverse_complements = computed "
           "and memory_mib = 768, where trees of parts of the reference are copied in turn; matches are not listed."],
)  # fmt: skip

FIGURES = [
    Figure("exact-match/speedup", "Speedup over one CPU thread by length of queries", HEADING,
           "The speedup of a variant over the same traversal on one CPU thread, for matches as long as the reads: of its "
           "kernel alone, and with the costs of the GPU around it. The paper's figure, without errors: over 10 times, "
           "with transfers of tree and queries and without printing, and less for longer reads; its values are not in "
           "the text.", SPEEDUP.draw),
    Figure("exact-match/phases", "Time by phase", HEADING,
           "The time of a search from the reference to the list of matches. In the paper's figure, with the kernel on "
           "the GPU, the output dominates where most reads match.", _draw_phases),
    Figure("exact-match/rates", "Query bases by variant", HEADING,
           "How fast each variant searches queries at each length of matches, and how far that is from the bound by "
           "random reads. 'slots' are node and length at every position, as the paper's kernel leaves them, without "
           "the time of listing the matches; 'matches' are listed.", RATES.draw),
    Figure("exact-match/layouts", "Layouts of the tree", HEADING,
           "The effect of the order of nodes and text, the path to memory, lanes, orders of queries and sizes of blocks. "
           "The paper reports several-fold gains by textures and space-filling curves.", _draw_layouts),
    Figure("exact-match/ladder", "From MUMmerGPU's kernel to ours", HEADING,
           "The effect of each difference between the paper's kernel and the fastest suffix-tree kernel on this GPU.",
           LADDER.draw),
]  # fmt: skip
