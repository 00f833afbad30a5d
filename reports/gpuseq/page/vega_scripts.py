"""The scripts that draw Vega-Lite on a page, from the package vl-convert-python: nothing is loaded from the network."""

from __future__ import annotations

import subprocess
import sys

from gpuseq.charts.render import VEGA_LITE

HOW_TO_GET = "pip install vl-convert-python"

_BUNDLE = f"import sys, vl_convert; sys.stdout.write(vl_convert.javascript_bundle(vl_version={VEGA_LITE!r}))"


class VegaScripts:
    """Bundles the scripts in a process of its own, because that takes seconds. Start it before the records are read."""

    def __init__(self) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-c", _BUNDLE], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
            encoding="utf-8", errors="replace",
        )  # fmt: skip

    def result(self) -> tuple[str, str]:
        """The scripts, or an empty text and the reason why there are none."""
        scripts, complaints = self._process.communicate()
        if self._process.returncode == 0 and scripts:
            return scripts, ""
        last = complaints.strip().rsplit("\n", 1)[-1]
        return "", last or f"the bundling process ended with exit code {self._process.returncode}"
