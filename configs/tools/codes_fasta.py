#!/usr/bin/env python3
"""Writes the rows of a CSV file of codes 0 to 3 as aligned DNA, for programs that compare sequences.

Usage: codes_fasta.py CSV FASTA

Rows are named by their numbers, from 1. A first row or column of names is left out.
"""

import csv
import sys

LETTERS = {"0": "A", "1": "C", "2": "G", "3": "T"}


def main(source, target):
    with open(source, newline="", encoding="utf-8") as table, open(target, "w", encoding="ascii") as fasta:
        number = 0
        for row in csv.reader(table):
            values = row if row[-1] in LETTERS and row[0] in LETTERS else row[1:]
            if not all(value in LETTERS for value in values):
                if number == 0:
                    continue  # names of columns
                sys.exit(f"codes_fasta.py: {source}: row {number + 1}: found a value that is none of 0, 1, 2, 3")
            number += 1
            fasta.write(f">{number}\n{''.join(LETTERS[value] for value in values)}\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
