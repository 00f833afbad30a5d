"""Histories: appended runs, refused ones, and the steps that are found."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest
import sides
from gpuseq.errors import UsageError
from gpuseq.verdicts.compare import Options, compare
from gpuseq.verdicts.history import Entry, append_history, entries_of, history_series, load_history, to_text
from gpuseq.verdicts.history_figure import draw_history
from gpuseq.verdicts.sides import Side


def run_of(commit: int, factor: float = 1) -> Side:
    """A run of one commit."""
    side = sides.processes({"scalar": factor, "simd": 1}, commit + 1, 4)
    for process in side.processes:
        for made in process:
            made.provenance["program"]["commit"] = f"{0xABC000 + commit:040x}"
            made.date = f"2026-11-{1 + commit:02}T10:00:00Z"
    return side


def with_a_step() -> list[Entry]:
    """Twenty commits; the thirteenth made `scalar` slower."""
    return [entry for commit in range(20) for entry in entries_of(run_of(commit, 1 if commit < 12 else 1.06), None)]


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "history.jsonl"


def test_keeps_what_was_appended(file: Path) -> None:
    base, new = run_of(0), run_of(1, 1.1)
    comparison = compare(base, new, Options())
    assert append_history(file, new, comparison) == 2
    entries = load_history(file)
    assert entries == list(entries_of(new, comparison))
    assert entries[0].verdict == "inconclusive", "four processes a side cannot decide"
    assert entries[0].commit == f"{0xABC001:040x}"
    assert (entries[0].device, entries[0].values) == ("AMD EPYC", 4)
    assert entries[0].rate


def test_holds_no_run_twice(file: Path) -> None:
    assert [append_history(file, run_of(commit), None) for commit in (0, 0, 1)] == [2, 0, 2]
    assert len(load_history(file)) == 4


def test_leaves_out_a_torn_last_line_and_names_the_line_of_other_errors(file: Path) -> None:
    append_history(file, run_of(0), None)
    with file.open("a") as torn:
        torn.write('{"schema_version": 1, "da')
    assert len(load_history(file)) == 2
    append_history(file, run_of(1), None)
    assert len(load_history(file)) == 4
    with file.open("a") as wrong:
        wrong.write('{"schema_version": 1}\n')
    with pytest.raises(UsageError, match=r"history.jsonl:5: /date: found nothing; allowed: a text"):
        load_history(file)


def test_a_line_of_version_1_had_an_interval_of_95_percent(file: Path) -> None:
    append_history(file, run_of(0), None)
    line = json.loads(file.read_text().splitlines()[0]) | {"schema_version": 1, "low_s": 0.001, "high_s": 1}
    del line["confidence"]
    file.write_text(json.dumps(line) + "\n")
    assert load_history(file)[0].confidence == 0.95


@pytest.mark.parametrize("junk", ["[[[[", "nothing", '{"a": 1}', "\n", "{}", "{\n}\n"])
def test_a_file_that_is_no_history_is_refused_and_stays_as_it_is(file: Path, junk: str) -> None:
    file.write_text(junk)
    with pytest.raises(UsageError, match=r"history.jsonl:1: "):
        load_history(file)
    with pytest.raises(UsageError):
        append_history(file, run_of(0), None)
    assert file.read_text() == junk
    with pytest.raises(UsageError, match="cannot read"):
        load_history(file.parent / "none.jsonl")


@pytest.mark.parametrize(("field", "value", "said"), [
    ("date", "2026-02-30T10:00:00Z", '/date: found "2026-02-30T10:00:00Z"; allowed: a date'),
    ("state", "a" * 100_000, "/state: has 100000 characters; allowed: 4096"),
])  # fmt: skip
def test_what_could_not_be_read_again_is_not_appended(file: Path, field: str, value: str, said: str) -> None:
    side = run_of(0)
    setattr(side.processes[0][0], field, value)
    with pytest.raises(UsageError, match=said):
        append_history(file, side, None)
    assert not file.exists() or not file.read_text()


def test_either_loads_or_is_refused_whatever_it_holds(file: Path) -> None:
    append_history(file, run_of(0), None)
    valid = file.read_bytes()
    draw, loaded, refused = random.Random(1), 0, 0
    for _ in range(400):
        mutated = bytearray(valid)
        for _ in range(draw.randint(1, 3)):
            at = draw.randrange(len(mutated))
            if draw.random() < 0.3:
                del mutated[at : at + draw.randint(1, 20)]
            else:
                mutated[at] = draw.randrange(256)
        file.write_bytes(mutated)
        try:
            to_text(history_series(load_history(file), "", 0.95))
            loaded += 1
        except UsageError:
            refused += 1
    assert min(loaded, refused) > 0


def test_finds_the_commit_that_made_a_case_slower() -> None:
    first, second = history_series(with_a_step(), "", 0.99)
    assert "scalar" in first.entries[0].state, "the largest step first"
    (step,) = first.steps
    assert first.entries[step.place].commit == f"{0xABC000 + 12:040x}"
    assert step.after / step.before == pytest.approx(1.06, abs=0.01)
    assert not second.steps
    text = "\n".join(to_text([first, second]))
    for part in ("+6.", "2026-11-13", "2 cases over 20 commits: 1 step"):
        assert part in text


def test_cases_are_chosen_by_a_regular_expression() -> None:
    entries = with_a_step()
    assert [len(history_series(entries, state, 0.99)) for state in ("^fm_index/simd/", "nothing")] == [1, 0]
    with pytest.raises(UsageError, match=r'--state: found "\("'):
        history_series(entries, "(", 0.99)


def test_keeps_devices_apart_but_not_drivers(file: Path) -> None:
    for commit, changed in enumerate(({}, {"cores": 64}, {"driver_version": "580"})):
        side = run_of(commit)
        for process in side.processes:
            for made in process:
                made.provenance["device"] |= changed
        append_history(file, side, None)
    assert len(history_series(load_history(file), "scalar", 0.99)) == 2


def test_is_drawn_with_a_panel_for_each_case_and_a_line_for_each_step() -> None:
    chart = draw_history(history_series(with_a_step(), "", 0.99))
    assert [panel.title for panel in chart.panels] == ["scalar", "simd"]
    assert "All: fm_index, reference_bases=1000000, k=2, d=64, cpu." in chart.heading.notes
    (band,) = chart.panels[0].bands
    assert band.label.startswith("+6.")
    assert band.low < 12.5 < band.high
    with pytest.raises(UsageError):
        draw_history([])


def test_the_committed_history_is_read() -> None:
    root = Path(__file__).resolve().parents[3]
    assert history_series(load_history(root / "results/history.jsonl"), "", 0.99)
