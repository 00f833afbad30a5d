"""`gpuseq-bench doctor` runs this: it imports the whole package and reports the first thing that is missing."""

from importlib import import_module

for _name in [
    "altair",
    "duckdb",
    "jinja2",
    "numpy",
    "orjson",
    "polars",
    "scipy.stats",
    "vl_convert",
    "gpuseq.page",
    "gpuseq.report",
]:
    import_module(_name)
