"""Distances of all pairs by numpy: numpy_distances.py CSV METRIC OUT. Independent of the program's own code.

Writes a line for each pair in order: distance, attributes compared. Exits with 77 where numpy is missing.
"""
import csv
import sys

try:
    import numpy
except ImportError:
    print("numpy is missing", file=sys.stderr)
    sys.exit(77)

path, metric, out = sys.argv[1:]
with open(path, newline="") as file:
    rows = [row[1:] for row in csv.reader(file)][1:]
values = numpy.array([[float("nan") if v == "NA" else float(v) for v in row] for row in rows])
if metric == "euclidean":
    values = values.astype(numpy.float32).astype(float)  # what a reader of the file has
difference = values[:, None, :] - values[None, :, :]
both = ~numpy.isnan(difference)
contribution = {
    "hamming": lambda d: (d != 0).astype(float),
    "manhattan": numpy.abs,
    "squared_euclidean": numpy.square,
    "euclidean": numpy.square,
    "ibs": numpy.abs,
}[metric](numpy.where(both, difference, 0))
sums = contribution.sum(axis=2)
if metric == "euclidean":
    sums = numpy.sqrt(sums)
with open(out, "w") as file:
    for s, n in zip(sums.ravel(), both.sum(axis=2).ravel()):
        file.write(f"{s:.17g} {int(n)}\n")
