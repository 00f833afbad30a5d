"""Reference folders of results/: those that are committed obey the rules, and a made one is refused for each rule."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from gpuseq.reference.folders import ROOT, Folders, committed_folders, read_folders
from gpuseq.reference.rules import complaints, complaints_of_runs, read_folder
from gpuseq.reproduce.claims.committed import Select
from gpuseq.reproduce.table import Reproduction
from gpuseq.runs import dict_at, list_at, read_json, text_at
from made import Case, case, write_run

COMMIT = "0123456789abcdef0123456789abcdef01234567"
RESULTS = ROOT / "results"


def kernels(count: int = 3, **more: Any) -> list[Case]:
    """Records as a run of one commit has them, each with a bound."""
    bound = {"fraction": 0.9, "bound_by": "DRAM"}
    return [case("fm_index", "one_hot", 1e9, {"k": k}, bound=bound, state=f"fm_index/one_hot//k={k}/cuda:0") | more
            for k in range(count)]  # fmt: skip


def run(path: Path, cases: list[Case], commit: str = COMMIT, **summary: Any) -> list[str]:
    """The complaints about a folder with these records of one commit."""
    whole = {"complete": True, "counts": {"ok": len(cases), "failed": 0, "skipped": 0}, "program": {"commit": COMMIT},
             "tuned": [{"variant": "one_hot", "device": "cuda:0", "problem_label": "text", "samples": 6}]}  # fmt: skip
    write_run(path, *cases, summary=whole | summary)
    journal = path / "records.jsonl"
    program = f'"provenance": {{"program": {{"commit": "{commit}"}}, '
    journal.write_text(journal.read_text().replace('"provenance": {', program))
    return complaints(read_folder(path))


@pytest.mark.parametrize("name", committed_folders().complete)
def test_committed_folders_obey_the_rules(name: str) -> None:
    assert complaints(read_folder(RESULTS / name)) == []


def runs_by_folder() -> dict[str, list[Path]]:
    """The committed runs of each folder of results/: itself, or those in it."""
    found: dict[str, list[Path]] = {}
    for file in sorted(RESULTS.rglob("run.json")):
        found.setdefault(file.relative_to(RESULTS).parts[0], []).append(file.parent)
    return found


@pytest.mark.parametrize("name", runs_by_folder())
def test_each_committed_folder_is_whole_and_of_one_commit(name: str) -> None:
    assert complaints_of_runs([read_folder(path) for path in runs_by_folder()[name]]) == []


def test_every_named_folder_exists() -> None:
    folders = committed_folders()
    for name in (*folders.complete, *folders.pages.values(), *map(folders.of, folders.replaced_by)):
        assert (RESULTS / name / "records.jsonl").is_file(), name
    for name in folders.replaced_by:
        assert not (RESULTS / name).exists(), f"{name} is replaced and still there"


def test_a_whole_run_has_no_complaint(tmp_path: Path) -> None:
    assert run(tmp_path, kernels()) == []


@pytest.mark.parametrize(("cases", "summary", "complaint"), [
    (kernels(), {"complete": False}, "incomplete: the run did not end"),
    (kernels(), {"counts": {"ok": 4, "failed": 0, "skipped": 0}}, "incomplete: records are 3 ok, run.json has 4"),
    (kernels(), {"counts": {"ok": 3, "failed": 0, "skipped": 1}}, "incomplete: records are 0 skipped, run.json has 1"),
    (kernels(), {"program": {"commit": "f" * 40}}, "of 2 commits"),
    (kernels(2) + kernels(3, bound={"fraction": 1.03})[2:], {}, "bound violated in 1 record: fm_index/one_hot//k=2/cuda:0 (1.030)"),
    (kernels(98) + kernels(100, bound=None)[98:], {}, "2 of 100 records of kernels have no bound"),
    (kernels(), {"tuned": [{"variant": "one_hot", "device": "cpu", "problem_label": "text", "samples": 5}]},
     "1 winner under 6 samples: one_hot, text, cpu (5)"),
    (kernels() + kernels(1), {}, "measured twice: fm_index/one_hot//k=0/cuda:0, sweep"),
    (kernels() + kernels(1, repetition=1), {}, "measured twice: fm_index/one_hot//k=0/cuda:0, sweep"),
])  # fmt: skip
def test_a_folder_that_breaks_one_rule_is_refused(
    tmp_path: Path, cases: list[Case], summary: dict[str, Any], complaint: str
) -> None:
    found = run(tmp_path, cases, **summary)
    assert len(found) == 1, found
    assert found[0].startswith(complaint)


def test_a_commit_with_changes_is_refused(tmp_path: Path) -> None:
    changed = f"{COMMIT}+changes"
    assert run(tmp_path, kernels(), changed, program={"commit": changed}) == [
        f"of a commit that cannot be built again: {changed}"]  # fmt: skip


def test_rounds_of_winners_and_99_percent_of_bounds_are_allowed(tmp_path: Path) -> None:
    cases = kernels(99) + kernels(100, bound=None)[99:]
    cases += kernels(1, phase="tune", repetition=0) + kernels(1, phase="tune", repetition=1)
    cases += kernels(1, phase="winner", bound={"fraction": 1.019})
    assert run(tmp_path, cases) == []


def test_runs_of_a_folder_that_differ_in_commit_or_are_not_whole_are_refused(tmp_path: Path) -> None:
    other = "f" * 40
    (tmp_path / "papers").mkdir()
    run(tmp_path / "papers/a", kernels())
    run(tmp_path / "papers/b", kernels(), other, program={"commit": other}, complete=False)
    whole, cut = [read_folder(tmp_path / "papers" / name) for name in ("a", "b")]
    assert complaints_of_runs([whole, whole]) == []
    assert complaints_of_runs([whole, cut]) == [
        "b: incomplete: the run did not end; `gpuseq-bench --resume` finishes it", f"of 2 commits: {COMMIT}, {other}"]  # fmt: skip


def test_a_replaced_folder_is_found_by_its_old_name(tmp_path: Path) -> None:
    folders = Folders((), {}, {"old": "newer", "newer": "newest"})
    assert (folders.of("old"), folders.of("newest"), folders.of("another")) == ("newest", "newest", "another")
    with pytest.raises(ValueError, match="replaces itself"):
        Folders((), {}, {"a": "b", "b": "a"}).of("a")
    file = tmp_path / "folders.json"
    file.write_text('{"complete": ["h"], "pages": {"gpu": "h"}, "replaced_by": {"g": "h"}}')
    assert read_folders(file) == Folders(("h",), {"gpu": "h"}, {"g": "h"})


def test_claims_and_figures_read_the_folder_that_replaces_theirs(monkeypatch: pytest.MonkeyPatch) -> None:
    folders = Folders((), {}, {"old": "new"})
    monkeypatch.setattr("gpuseq.reference.folders.committed_folders", lambda: folders)
    assert Reproduction("suite/why", "counters.json", "old").run == "new"
    assert Select("old", ("one_hot",), "cuda").of(k=2).run == "new"


def test_no_committed_run_has_a_path_of_the_machine_for_published_values() -> None:
    paths = [text for run in sorted(RESULTS.rglob("run.json"))
             for text in re.findall(r'"published": ?"([^"]*)"', run.read_text(encoding="utf-8"))]  # fmt: skip
    assert paths
    assert [path for path in paths if path.startswith("/")] == []


@pytest.mark.parametrize("file", sorted(RESULTS.rglob("run.json")), ids=lambda file: file.parent.name)
def test_winners_of_committed_runs_have_the_rate_of_all_rounds(file: Path) -> None:
    winners = [
        one for one in list_at(read_json(file), "tuned") if text_at(dict_at(one, "objective"), "metric") == "rate"
    ]
    assert [one["rate"] for one in winners] == pytest.approx([one["score"] for one in winners])
