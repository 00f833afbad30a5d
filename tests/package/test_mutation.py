"""The planted faults of tests/mutation are still in the sources, and their tests still there."""

from __future__ import annotations

import importlib.util
import re
import sys
from collections import Counter
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def mutation() -> ModuleType:
    spec = importlib.util.spec_from_file_location("mutation", ROOT / "tests/mutation/mutation.py")
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    sys.modules["mutation"] = module
    spec.loader.exec_module(module)
    return module


def programs() -> set[str]:
    """As tests/CMakeLists.txt groups the sources."""
    names: set[str] = set()
    for source in (ROOT / "tests").rglob("*_test.cpp"):
        path = source.relative_to(ROOT / "tests").as_posix()
        in_folder = re.match(r"(?:kernels/)?([^/]+)/", path)
        folder = in_folder[1] if in_folder else "bench"
        own = re.search("^int main", source.read_text("utf-8"), re.MULTILINE)
        names.add(f"{folder}_{source.stem}" if own else f"{folder}_test")
    return names


def test_each_text_is_found_once(mutation: ModuleType) -> None:
    assert mutation.planted_texts(ROOT, mutation.read_faults())[1] == []


def test_faults_are_of_all_areas(mutation: ModuleType) -> None:
    assert Counter(fault.area for fault in mutation.read_faults()) == mutation.AREAS
    assert sum(mutation.AREAS.values()) == 60


def test_faults_are_active_on_demand_only(mutation: ModuleType) -> None:
    for fault in mutation.read_faults():
        assert fault.plant.count("planted({n})") == 1, f"row {fault.number}"


def test_tests_are_there(mutation: ModuleType) -> None:
    present = programs()
    for fault in mutation.read_faults():
        assert fault.tests
        for name in fault.tests:
            assert (ROOT / name).is_file() if name.endswith(".py") else name in present, f"row {fault.number}: {name}"


def test_what_is_planted_is_read_behind_the_helper(mutation: ModuleType) -> None:
    include = mutation.INCLUDE
    assert mutation.with_helper(Path("a.hpp"), "#pragma once\nint a;\n") == f"#pragma once\n{include}int a;\n"
    assert mutation.with_helper(Path("a.cpp"), "int a;\n") == f"{include}int a;\n"
    text = mutation.with_helper(Path("a.py"), f'"""A."""\n{mutation.PYTHON_HEAD}a = planted(3)\n')
    names: dict[str, object] = {}
    exec(text, names)  # noqa: S102
    assert names["a"] is False
