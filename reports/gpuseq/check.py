"""Imports everything that the package needs: `gpuseq-bench doctor` reports the first thing that is missing."""

import altair  # noqa: F401
import duckdb  # noqa: F401
import jinja2  # noqa: F401
import polars  # noqa: F401
import vl_convert  # noqa: F401

import gpuseq.page
import gpuseq.report  # noqa: F401
