"""check_prose.py finds each broken rule, and leaves questions, code and captions alone; check_texts.py finds dead names."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import check_prose  # pyright: ignore[reportMissingImports]
import check_texts  # pyright: ignore[reportMissingImports]


@pytest.mark.parametrize(
    ("rule", "sentence"),
    [
        ("R2", "Of a family the tests run."),
        ("R3", "It prints what a launch reads."),
        ("R6", "It reads 40 blocks a second."),
        ("R6", "A search reads 32 bytes a query."),
        ("R7", "The kernel does 134."),
        ("R8", "It ran by 16 threads."),
        ("R8", "Ours runs beside bowtie."),
        ("R10", "Nobody counts them."),
        ("R12", "The cause had been found."),
        ("R12", "It is slower since commit 10badb5."),
        ("R16", "The cache is made anew."),
        ("R16", "The number stands here."),
    ],
)
def test_broken_rule_is_found(rule: str, sentence: str) -> None:
    assert [found for found, _ in check_prose.findings(sentence)] == [rule]


@pytest.mark.parametrize(
    "text",
    [
        "What do I need?",
        "@param what  name for messages",
        "It reads 40 blocks per second in a second run.",
        "The word `what` and `beside` are code.",
        "    an indented line of what a program prints\n",
        "```text\nwhat a fence holds\n```",
        "SM stands for streaming multiprocessor.",
    ],
)
def test_allowed_text_has_no_finding(text: str) -> None:
    assert list(check_prose.findings(text)) == []


def test_measures_count_sentences_words_and_numbers() -> None:
    measures = check_prose.measures(
        [
            "Two words. One 1, 2, 3 and 4 here. "
            + "Long "
            + "long " * 36
            + "end.\n\nRates with 1, 2, 3 and 4:\n\n| a | b |\n"
        ]
    )
    assert measures["sentences"] == 4
    assert measures["sentences over 35 words, %"] == 25
    assert measures["sentences with four and more numbers, %"] == 25


def test_comments_are_those_of_sources() -> None:
    source = "int a;  // Of code\n/// Of a file\n/// and more.\nint b;\n"
    text = check_prose.comments(Path("x.cpp"), source)
    assert [rule for rule, _ in check_prose.findings(text)] == ["R2", "R2"]
    assert "Of a module" in check_prose.comments(Path("x.py"), '"""Of a module."""\n')


def test_names_of_tests_in_documents_are_checked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "tests").mkdir()
    (tmp_path / "tests" / "a_test.cpp").write_text("TEST(Kill, CostsOneCase) {}\n")
    (tmp_path / "a.md").write_text(
        "`Kill.CostsOneCase`, `Kill.*`, `Kill.Costs*`, `Kill.CostsTwo`, `Gate.*`, `test_none`\n"
    )
    monkeypatch.setattr(sys, "argv", ["check_texts.py", str(tmp_path)])
    assert check_texts.main() == 1
    assert [line.split(": ")[1] for line in capsys.readouterr().out.splitlines()] == [
        "Kill.CostsTwo is no test",
        "Gate.* is no test",
        "test_none is no test",
    ]
