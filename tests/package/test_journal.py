"""Reading of records.jsonl: wrong lines are named with their numbers, wherever they are."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from gpuseq.errors import UsageError
from gpuseq.journal import read_records
from made import case

HEAD = json.dumps({"provenance_id": "p", "provenance": {"seed": 1}})
LINE = json.dumps(case("family", "variant", 1.0))


def journal(folder: Path, *lines: str, end: str = "\n") -> Path:
    file = folder / "records.jsonl"
    file.write_text("\n".join([HEAD, *lines]) + end)
    return file


@pytest.mark.parametrize("before", [0, 1, 300])
@pytest.mark.parametrize(
    ("line", "message"),
    [("{", "not a JSON object"), ("[1]", "found an array"), (f"{LINE},{LINE}", "not a JSON object"), ("", "not a JSON"),
     (LINE.replace('"sweep"', '"later"'), "/phase"), (LINE.replace('"variant": "variant", ', ""), "/variant: found nothing"),
     (LINE.replace('"notes": []', '"notes": {}'), "/notes: found dict"), (LINE.replace("1.0", "NaN", 1), "NaN")],
)  # fmt: skip
def test_wrong_lines_are_named(tmp_path: Path, before: int, line: str, message: str) -> None:
    file = journal(tmp_path, *[LINE] * before, line, LINE)
    with pytest.raises(UsageError, match=f"records.jsonl:{before + 2}: .*{message}"):
        list(read_records(file))


def test_torn_last_line_is_skipped_unless_the_journal_must_be_whole(tmp_path: Path) -> None:
    file = journal(tmp_path, *[LINE] * 255, LINE[:40], end="")
    assert len(list(read_records(file))) == 255
    with pytest.raises(UsageError, match="records.jsonl:257: the line has no end"):
        list(read_records(file, whole=True))


def test_invisible_letters_are_made_visible(tmp_path: Path) -> None:
    file = journal(tmp_path, LINE, json.dumps(case("family", "a\u202eb", 1.0), ensure_ascii=False))
    assert [data["variant"] for _, data, _ in read_records(file)] == ["variant", "a\\u202eb"]
