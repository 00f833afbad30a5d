"""Folders of runs."""

from __future__ import annotations

from pathlib import Path

import pytest
from gpuseq.runs import new_folder


def test_runs_that_begin_in_the_same_second_have_folders_of_their_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for _ in range(20):
        new_folder("gate").mkdir(parents=True)
    assert len(list((tmp_path / "runs").iterdir())) == 20
