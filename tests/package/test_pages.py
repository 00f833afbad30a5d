"""Generated blocks of documents: their text for a folder, and the mistakes that are refused."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from gpuseq.errors import UsageError
from gpuseq.reference.folders import Folders
from gpuseq.reference.pages import Source, pages, written
from made import case, write_run

GPU = {"name": "Big GPU", "uuid": "GPU-2", "driver_version": "1.2"}
CPU = {"name": "Xeon", "threads": 16, "operating_system": "Linux"}


def winner(device: str, rate: float, **more: Any) -> dict[str, Any]:
    return {"family": "fm_index", "problem_label": "text", "device": device, "variant": "one_hot", "point": {"k": 2, "d": 64},
            "objective": {"metric": "rate"}, "rate": rate, "rate_low": 0.99 * rate, "rate_high": 1.01 * rate, "samples": 6,
            "rate_unit": "query bases/s", "confidence": 0.95, "fraction_of_bound": 0.5, "bound_by": "L2",
            "fills_device": {"fills": True}, "memory": {"bytes": 2e6}} | more  # fmt: skip


def search(rate: float, variant: str, point: dict[str, Any], device: str) -> dict[str, Any]:
    more = {"device": device, "problem_label": "text", "state": f"fm_index/{variant}/a/{point}/{device}"}
    made = case(
        "fm_index",
        variant,
        rate,
        point,
        {"reference": "a"},
        bound={"rate": 2 * rate, "fraction": 0.5, "bound_by": "L2"},
        **more,
    )
    return made | {"statistics": made["statistics"] | {"rate_unit": "query bases/s"}}


SUMMARY: dict[str, Any] = {
    "complete": True, "started": "2026-11-25T03:48:39Z", "finished": "2026-11-26T03:50:53Z", "program": {"commit": "0123456789abcdef"},
    "config_source": "configs/reference.json", "devices": {"cuda:0": GPU, "cpu": CPU},
    "tuned": [winner("cuda:0", 168e9), winner("cpu", 5.5e9, confidence=0.9, point={"k": 1, "d": 64})],
    "defaults": {"fm_index": {"variants": {"one_hot": {"k": 1, "d": 64}}}},
    "sizes": [{"family": "fm_index", "problem_label": "text", "sentences": ["Below 5 the CPU is faster.", "n_1/2 is 2."]},
              {"family": "papara", "problem_label": "tree", "sentences": []}],
    "nodes": [{"devices": {"cuda:0": GPU | {"uuid": "GPU-1"}, "cpu": CPU}, "started": "2026-11-25T03:48:39Z",
               "finished": "2026-11-25T03:50:39Z"},
              {"devices": {"cuda:0": GPU, "cpu": CPU}, "started": "2026-11-26T03:50:43Z", "finished": "2026-11-26T03:50:53Z"}],
}  # fmt: skip


@pytest.fixture
def source(tmp_path: Path) -> Source:
    folder = tmp_path / "results" / "big"
    (folder / "plots").mkdir(parents=True)
    (folder / "run.json").write_text(json.dumps(SUMMARY))
    (folder / "plots" / "fm-index-fig9.png").write_bytes(b"")
    (tmp_path / "docs" / "results").mkdir(parents=True)
    return Source(tmp_path, Folders((), {"gpu": "big"}, {}))


def lines_of(source: Source, name: str, page: str = "README.md") -> list[str]:
    """The lines that a block of a page gets."""
    file = source.root / page
    file.write_text(f"before\n<!-- generated: {name} -->\nold\n<!-- end of {name} -->\nafter\n")
    lines = written(file, source).splitlines()
    assert (lines[0], lines[-1]) == ("before", "after")
    return lines[2:-2]


def test_rates_have_both_devices_with_intervals_shares_and_marks(source: Source) -> None:
    lines = lines_of(source, "rates gpu")
    assert lines[0].startswith("Fastest configurations on one Big GPU (`GPU-1`, `GPU-2`) and on the 16 vCPUs of its host, 25 November 2026, in "
                               "[one run](results/big) of 130 s.")  # fmt: skip
    assert lines[4] == ("| fm_index: text | 168 Gbases/s (166 G to 170 G) | 50 %, L2 | 2 MB | 5.5 Gbases/s (5.45 G to 5.55 G)² | "
                        "50 %, L2 |")  # fmt: skip
    assert lines[-1] == "² This interval holds at less than 95 %."


def test_the_first_case_of_each_family_is_shown(source: Source) -> None:
    more = [winner("cuda:0", 1e9, problem_label="long"), winner("cuda:0", 2e9, family="papara", problem_label="tree")]
    (source.root / "results/big/run.json").write_text(json.dumps(SUMMARY | {"tuned": SUMMARY["tuned"] + more}))
    lines = lines_of(source, "first gpu")
    assert [line.split(" | ")[0] for line in lines[4:6]] == ["| fm_index: text", "| papara: tree"]
    assert "| fm_index: long | 1 Gbases/s" in "\n".join(lines_of(source, "rates gpu"))


def test_a_family_has_devices_of_several_runs_and_all_configurations_of_the_first(source: Source) -> None:
    both = {"gpus": -1}
    hybrid = winner("cpu", 90e9, variant="hybrid", point=both)
    write_run(
        source.root / "results/big",
        search(168e9, "one_hot", {"k": 2, "d": 64}, "cuda:0"),
        search(5e9, "one_hot", {"k": 1, "d": 64}, "cpu"),
        search(90e9, "hybrid", both, "cpu"),
        summary=SUMMARY | {"tuned": [winner("cuda:0", 168e9), hybrid]},
    )
    write_run(
        source.root / "results/small",
        summary={"devices": {"cpu": {"name": "Zen", "threads": 2}}, "tuned": [winner("cpu", 1e9)]},
    )
    source.folders.pages["cpu"] = "small"
    lines = lines_of(source, "family gpu,cpu fm_index", "docs/results/fm.md")
    assert lines[0] == ("Fastest configuration of `fm_index` by case and device, with 95 % intervals: [big](../../results/big) (Big GPU; 16 "
                        "vCPUs, Xeon), [small](../../results/small) (2 vCPUs, Zen).")  # fmt: skip
    assert [line.rsplit(" (", 1)[0] for line in lines[4:8]] == [
        "| A: text | Big GPU | `one_hot` k=2 | 168 Gbases/s", "|  | 16 vCPUs and GPU | `hybrid` gpus=-1 | 90 Gbases/s",
        "|  | 16 vCPUs | `one_hot` | 5 Gbases/s", "|  | 2 vCPUs | `one_hot` k=2 d=64 | 1 Gbases/s"]  # fmt: skip
    assert lines[9] == "All configurations of big by case, in bases/s, with the share of the bound:"
    assert lines[13:] == ["| Big GPU | `one_hot` k=2 | 168 G (50 %) |", "| 16 vCPUs and GPU | `hybrid` gpus=-1 | 90 G (50 %) |",
                          "| 16 vCPUs | `one_hot` | 5 G (50 %) |"]  # fmt: skip


def test_tools_have_their_rates_and_one_sample_has_no_interval(source: Source) -> None:
    alone = {"statistics": {"rate": 3e6, "rate_unit": "query bases/s", "samples": 1}}
    tool = search(2e6, "bowtie", {"threads": 1}, "cpu") | {"kind": "tool"}
    write_run(
        source.root / "results/big",
        tool,
        tool | {"variant": "mummer"} | alone,
        search(1, "simd", {}, "cpu"),
        summary=SUMMARY,
    )
    assert lines_of(source, "tools gpu")[2:4] == [
        "| [big](results/big) | fm_index: text | `mummer` threads=1 | 3 Mbases/s |",
        "| [big](results/big) | fm_index: text | `bowtie` threads=1 | 2 Mbases/s (1.98 M to 2.02 M) |"]  # fmt: skip


def test_sizes_are_the_sentences_of_the_run(source: Source) -> None:
    assert lines_of(source, "sizes gpu") == ["- fm_index, text: Below 5 the CPU is faster. n_1/2 is 2."]


def test_a_run_lists_the_gpus_of_all_its_parts(source: Source) -> None:
    row = lines_of(source, "run gpu")[2]
    assert row == (
        "| [big](results/big) | Big GPU, Xeon | `GPU-1`, `GPU-2` | `reference.json` | 01234567 | 25 November 2026, 130 s |"
    )
    assert lines_of(source, "runs")[2:] == [row]
    assert lines_of(source, "platforms")[2] == "| Big GPU | Linux | 1.2 | 2 | 1 |"


def test_a_run_lists_the_gpus_that_only_its_records_name(source: Source) -> None:
    peer = {"facts": {"peer_name": "Big GPU", "peer_uuid": "GPU-3"}}
    write_run(source.root / "results/big", search(1, "one_hot_gpus", {}, "cuda:0") | peer, summary=SUMMARY)
    assert "| Big GPU, Xeon | `GPU-1`, `GPU-2`, `GPU-3` |" in lines_of(source, "run gpu")[2]
    assert lines_of(source, "platforms")[2] == "| Big GPU | Linux | 1.2 | 3 | 1 |"


def test_a_figure_is_a_committed_picture(source: Source) -> None:
    (line,) = lines_of(source, "figure gpu fm-index/fig9", "docs/a.md")
    assert line.endswith("](../results/big/plots/fm-index-fig9.png)")
    with pytest.raises(UsageError, match="no picture of fm-index/fig8"):
        lines_of(source, "figure gpu fm-index/fig8")


@pytest.mark.parametrize(("name", "said"), [
    ("rate gpu", 'found "rate gpu"; allowed: rates, first, sizes'), ("rates", 'found "rates"; allowed'),
    ("rates cpu", 'found the folder "cpu"; allowed: gpu'), ("family gpu papara", "big has no record of papara"),
    ("excerpt gpu fm_index", "give the program"),
])  # fmt: skip
def test_wrong_blocks_are_refused(source: Source, name: str, said: str) -> None:
    with pytest.raises(UsageError, match=said):
        lines_of(source, name)


def test_a_block_without_its_end_is_refused(source: Source) -> None:
    page = source.root / "README.md"
    page.write_text("<!-- generated: platforms -->\nrest of the page\n<!-- end of rates gpu -->\n")
    with pytest.raises(UsageError, match=r"1 generated blocks begin \(platforms\), 0 have an end"):
        written(page, source)


def test_pages_of_subfolders_are_among_the_pages(source: Source) -> None:
    (source.root / "docs" / "results" / "fm.md").write_text("text\n")
    (source.root / "README.md").write_text("text\n")
    assert [page.name for page in pages(source.root)] == ["README.md", "fm.md"]
    assert all(written(page, source) == "text\n" for page in pages(source.root))
