"""Compares runs: finds the benchmark cases that are slower than in a base, and the commits that changed a time."""
